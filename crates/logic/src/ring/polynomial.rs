//! Polynomials over the integers modulo 2^w, with terms as indeterminates.

use crate::bitvec::BitVec;
use crate::term::{Op, Sort, Term, TermStore};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Wider words, polynomials with more monomials and monomials of a higher degree are left alone. Coefficients are
/// machine words; the other limits only keep products from exploding.
const MAX_WIDTH: u32 = 64;
const MAX_MONOMIALS: usize = 64;
const MAX_DEGREE: usize = 6;

/// A sum of products of atoms: sorted atoms, with repetitions, each product with its coefficient,
/// which is not 0. An atom is a term that is no sum, product or the like.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Polynomial {
    width: u32,
    sum: BTreeMap<Vec<Term>, u64>,
}

fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// The inverse of an odd number modulo 2^64 (Newton), and so modulo smaller powers.
pub fn inverse(odd: u64) -> u64 {
    let mut x = odd;
    for _ in 0..6 {
        x = x.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(x)));
    }
    x
}

impl Polynomial {
    pub fn constant(width: u32, value: u64) -> Polynomial {
        let value = value & mask(width);
        let sum = if value == 0 { BTreeMap::new() } else { BTreeMap::from([(Vec::new(), value)]) };
        Polynomial { width, sum }
    }

    /// A term as it is.
    pub fn atom(width: u32, term: Term) -> Polynomial {
        Polynomial { width, sum: BTreeMap::from([(vec![term], 1)]) }
    }

    /// The polynomial of a term; none if it is no word, or if the polynomial would be too large.
    pub fn of(store: &TermStore, term: Term) -> Option<Polynomial> {
        let Sort::Bv(width @ 1..=MAX_WIDTH) = store.sort(term) else { return None };
        let mut known: FxHashMap<Term, Polynomial> = FxHashMap::default();
        for part in cone(store, term) {
            let polynomial = match store.value(part) {
                Some(value) => Polynomial::constant(width, value.to_u64()?),
                None if !is_arithmetic(store, part) => {
                    shifted(store, part).unwrap_or_else(|| Polynomial::atom(width, part))
                }
                None => {
                    let args = store.args(part);
                    match store.op(part) {
                        Op::Neg => known[&args[0]].scaled(u64::MAX),
                        Op::Not => known[&args[0]].scaled(u64::MAX).plus_constant(u64::MAX),
                        Op::Add => known[&args[0]].plus(&known[&args[1]])?,
                        Op::Mul => known[&args[0]].times(&known[&args[1]])?,
                        Op::Sll => {
                            let amount = store.value(args[1]).and_then(BitVec::to_u64)?;
                            let factor = if amount < 64 { 1 << amount } else { 0 };
                            known[&args[0]].scaled(factor)
                        }
                        _ => return None,
                    }
                }
            };
            known.insert(part, polynomial);
        }
        known.remove(&term)
    }

    pub fn width(&self) -> u32 {
        self.width
    }

    pub fn is_zero(&self) -> bool {
        self.sum.is_empty()
    }

    /// The number that it is, if it has no atoms.
    pub fn value(&self) -> Option<u64> {
        match self.sum.len() {
            0 => Some(0),
            1 => self.sum.get(&Vec::new()).copied(),
            _ => None,
        }
    }

    /// The products of atoms, with their coefficients.
    pub fn monomials(&self) -> impl Iterator<Item = (&[Term], u64)> {
        self.sum.iter().map(|(atoms, &coefficient)| (atoms.as_slice(), coefficient))
    }

    pub fn degree(&self) -> usize {
        self.sum.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// All atoms, each once.
    pub fn atoms(&self) -> Vec<Term> {
        let mut atoms: Vec<Term> = self.sum.keys().flatten().copied().collect();
        atoms.sort_unstable();
        atoms.dedup();
        atoms
    }

    fn add_monomial(&mut self, atoms: Vec<Term>, coefficient: u64) {
        let all = mask(self.width);
        let entry = self.sum.entry(atoms);
        match entry {
            std::collections::btree_map::Entry::Vacant(vacant) => {
                if coefficient & all != 0 {
                    vacant.insert(coefficient & all);
                }
            }
            std::collections::btree_map::Entry::Occupied(mut occupied) => {
                let sum = occupied.get().wrapping_add(coefficient) & all;
                match sum {
                    0 => drop(occupied.remove()),
                    _ => *occupied.get_mut() = sum,
                }
            }
        }
    }

    /// None if it would be too large.
    pub fn plus(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut result = self.clone();
        for (atoms, &coefficient) in &other.sum {
            result.add_monomial(atoms.clone(), coefficient);
        }
        (result.sum.len() <= MAX_MONOMIALS).then_some(result)
    }

    /// None if it would be too large.
    pub fn minus(&self, other: &Polynomial) -> Option<Polynomial> {
        self.plus(&other.scaled(u64::MAX))
    }

    pub fn plus_constant(mut self, constant: u64) -> Polynomial {
        self.add_monomial(Vec::new(), constant);
        self
    }

    pub fn scaled(&self, factor: u64) -> Polynomial {
        let mut result = Polynomial { width: self.width, sum: BTreeMap::new() };
        for (atoms, &coefficient) in &self.sum {
            result.add_monomial(atoms.clone(), coefficient.wrapping_mul(factor));
        }
        result
    }

    /// None if it would be too large.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut result = Polynomial { width: self.width, sum: BTreeMap::new() };
        for (left, &a) in &self.sum {
            for (right, &b) in &other.sum {
                let mut atoms = [left.as_slice(), right].concat();
                if atoms.len() > MAX_DEGREE {
                    return None;
                }
                atoms.sort_unstable();
                result.add_monomial(atoms, a.wrapping_mul(b));
            }
        }
        (result.sum.len() <= MAX_MONOMIALS).then_some(result)
    }

    /// Half of it, as signed numbers, if all coefficients are even. Twice the result is this polynomial
    /// again.
    pub fn half(&self) -> Option<Polynomial> {
        let is_even = self.sum.values().all(|coefficient| coefficient % 2 == 0);
        let unused = 64 - self.width;
        let half = |coefficient: u64| {
            let signed = ((coefficient << unused) as i64) >> unused;
            (signed >> 1) as u64 & mask(self.width)
        };
        let sum = self.sum.iter().map(|(atoms, &coefficient)| (atoms.clone(), half(coefficient)));
        is_even.then(|| Polynomial { width: self.width, sum: sum.collect() })
    }

    /// What the indeterminate is where the polynomial is 0: it occurs once, alone, with an odd
    /// coefficient.
    pub fn solved_for(&self, atom: Term) -> Option<Polynomial> {
        let coefficient = *self.sum.get([atom].as_slice())?;
        let occurs = self.sum.keys().filter(|atoms| atoms.contains(&atom)).count();
        if coefficient % 2 == 0 || occurs > 1 {
            return None;
        }
        let mut rest = self.clone();
        rest.sum.remove([atom].as_slice());
        Some(rest.scaled(inverse(coefficient).wrapping_neg()))
    }

    /// The same zeros: with a power of two as the coefficient of its last monomial.
    pub fn normed(&self) -> Polynomial {
        match self.sum.last_key_value() {
            Some((_, &last)) => self.scaled(inverse(last >> last.trailing_zeros())),
            None => self.clone(),
        }
    }

    /// As a term.
    pub fn term(&self, store: &mut TermStore) -> Term {
        let mut sum = store.zero(self.width);
        for (atoms, &coefficient) in &self.sum {
            let mut product = store.number(self.width, coefficient);
            for &atom in atoms {
                product = store.mul(product, atom);
            }
            sum = store.add(sum, product);
        }
        sum
    }
}

/// The polynomial of 2^k x where that is written as the lower bits of x before k zeros.
fn shifted(store: &TermStore, term: Term) -> Option<Polynomial> {
    let Op::Concat = store.op(term) else { return None };
    let &[high, low] = store.args(term) else { return None };
    let width = store.width(term);
    if !store.value(low).is_some_and(|value| value.is_zero()) || width > MAX_WIDTH {
        return None;
    }
    let narrow = Polynomial::of(store, high)?;
    let mut wide = Polynomial::constant(width, 0);
    for (atoms, &coefficient) in &narrow.sum {
        let mut product = Polynomial::constant(width, coefficient);
        for &atom in atoms {
            let Op::Slice { low: 0, .. } = store.op(atom) else { return None };
            let whole = store.args(atom)[0];
            if store.width(whole) != width {
                return None;
            }
            product = product.times(&Polynomial::of(store, whole)?)?;
        }
        wide = wide.plus(&product)?;
    }
    Some(wide.scaled(1 << store.width(low)))
}

fn is_arithmetic(store: &TermStore, term: Term) -> bool {
    match store.op(term) {
        Op::Neg | Op::Not | Op::Add | Op::Mul => true,
        Op::Sll => store.is_const(store.args(term)[1]),
        _ => false,
    }
}

/// The parts of a term that its polynomial is made of, operands first. An amount to shift by is none.
fn cone(store: &TermStore, term: Term) -> Vec<Term> {
    let mut order = Vec::new();
    let mut done: rustc_hash::FxHashSet<Term> = Default::default();
    let mut stack = vec![(term, false)];
    while let Some((part, is_entered)) = stack.pop() {
        if is_entered {
            order.push(part);
        } else if done.insert(part) {
            stack.push((part, true));
            if !store.is_const(part) && is_arithmetic(store, part) {
                let count = if store.op(part) == Op::Sll { 1 } else { store.args(part).len() };
                stack.extend(store.args(part)[..count].iter().map(|&arg| (arg, false)));
            }
        }
    }
    order
}
