//! Linear forms, and words that have them.

use crate::types::IntFormat;

/// The number of a variable that an iteration changes.
pub type Symbol = u32;

/// Coefficients and constants beyond this are not computed with.
const LARGEST: u128 = 1 << 66;

/// A sum of multiples of variables and a constant, over the integers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Form {
    pub constant: i128,
    /// By symbol, none of them 0.
    pub terms: Vec<(Symbol, i128)>,
}

impl Form {
    pub fn constant(constant: i128) -> Form {
        Form { constant, terms: Vec::new() }
    }

    pub fn symbol(symbol: Symbol) -> Form {
        Form { constant: 0, terms: vec![(symbol, 1)] }
    }

    pub fn is_constant(&self) -> bool {
        self.terms.is_empty()
    }

    pub fn coefficient(&self, symbol: Symbol) -> i128 {
        self.terms.iter().find(|(other, _)| *other == symbol).map_or(0, |(_, factor)| *factor)
    }

    /// `self + factor * other`; none where numbers become too large.
    pub fn plus(&self, factor: i128, other: &Form) -> Option<Form> {
        let scaled = |number: i128| factor.checked_mul(number).filter(|n| is_small(*n));
        let mut sum = self.clone();
        sum.constant = sum.constant.checked_add(scaled(other.constant)?)?;
        for &(symbol, number) in &other.terms {
            let added = scaled(number)?;
            match sum.terms.binary_search_by_key(&symbol, |term| term.0) {
                Ok(at) => sum.terms[at].1 += added,
                Err(at) => sum.terms.insert(at, (symbol, added)),
            }
        }
        sum.terms.retain(|(_, factor)| *factor != 0);
        let is_fine = is_small(sum.constant) && sum.terms.iter().all(|(_, n)| is_small(*n));
        is_fine.then_some(sum)
    }
}

pub fn is_small(number: i128) -> bool {
    number.unsigned_abs() <= LARGEST
}

/// The least and the largest number of a type of at most 64 bits.
pub fn range(format: IntFormat) -> (i128, i128) {
    let all = 1i128 << format.width;
    if format.signed { (-(all / 2), all / 2 - 1) } else { (0, all - 1) }
}

/// A value in an iteration: the number now, and the form that it has in iterations that go the same
/// way, which is that number now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    pub number: i128,
    pub form: Form,
}

impl Word {
    pub fn constant(number: i128) -> Word {
        Word { number, form: Form::constant(number) }
    }

    /// The variable of this symbol, which has this number now.
    pub fn symbol(symbol: Symbol, number: i128) -> Word {
        Word { number, form: Form::symbol(symbol) }
    }

    pub fn is_constant(&self) -> bool {
        self.form.is_constant()
    }

    /// `self + factor * other`, as numbers without bounds.
    pub fn plus(&self, factor: i128, other: &Word) -> Option<Word> {
        let number = self.number.checked_add(factor.checked_mul(other.number)?)?;
        Some(Word { number, form: self.form.plus(factor, &other.form)? })
    }

    /// The same modulo 2^width, as a number of the format.
    pub fn wrapped(mut self, format: IntFormat) -> Word {
        let ((least, _), all) = (range(format), 1i128 << format.width);
        let number = (self.number - least).rem_euclid(all) + least;
        self.form.constant += number - self.number;
        self.number = number;
        self
    }
}
