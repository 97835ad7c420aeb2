//! Terms as texts about integers.
//!
//! | term | text |
//! | --- | --- |
//! | constant | its value as a signed number |
//! | sum, product, negation, shift to the left by a constant | the same without a bound |
//! | equality, signed comparison | the same |
//! | unsigned comparison, quotient and remainder, zero extension, shift to the right by a constant | that of remainders modulo 2ʷ |
//! | slice | remainder of a quotient by a power of two, as a signed number; the topmost bit is the sign |
//! | other operations on bits, words of more than 127 bits | any number of the width |
//!
//! A single bit is a truth value, an array one from integers to integers.

use wedge_logic::{BitVec, Op, Sort, Term, TermStore};

/// The widest word whose bounds are written down.
pub const WIDEST: u32 = 127;

/// What is written for a term.
pub enum Reading {
    Text(String),
    /// Nothing is known but the bounds of the width.
    Any,
}

pub fn sort(sort: Sort) -> &'static str {
    match sort {
        Sort::Bv(1) => "Bool",
        Sort::Bv(_) => "Int",
        Sort::Array { .. } => "(Array Int Int)",
    }
}

/// 2 to the power of an exponent of at most [`WIDEST`].
fn power(exponent: u32) -> String {
    (1_u128 << exponent).to_string()
}

/// The condition that a word of this width is what a signed number of the width can be.
pub fn bounds(text: &str, width: u32) -> String {
    let half = power(width - 1);
    format!("(and (<= (- {half}) {text}) (< {text} {half}))")
}

fn signed(value: &BitVec) -> String {
    match value.is_negative() {
        true => format!("(- {})", value.neg().to_biguint()),
        false => value.to_biguint().to_string(),
    }
}

/// A term whose operands have texts.
pub struct Reader<'a> {
    pub store: &'a TermStore,
    pub text: &'a dyn Fn(Term) -> String,
}

impl Reader<'_> {
    pub fn read(&self, term: Term) -> Reading {
        let args = self.store.args(term);
        let is_wide = |t: &Term| matches!(self.store.sort(*t), Sort::Bv(w) if w > WIDEST);
        if is_wide(&term) || args.iter().any(is_wide) {
            return Reading::Any;
        }
        let text = match self.store.sort(term) {
            Sort::Bv(1) => self.condition(term, args),
            Sort::Bv(width) => self.word(term, args, width),
            Sort::Array { .. } => self.array(term, args),
        };
        text.map_or(Reading::Any, Reading::Text)
    }

    /// A term of one bit.
    fn condition(&self, term: Term, args: &[Term]) -> Option<String> {
        if let Some(value) = self.store.value(term) {
            return Some(value.is_one().to_string());
        }
        let is_bit = args.first().is_some_and(|&a| self.store.sort(a) == Sort::BOOL);
        let text = |place: usize| (self.text)(args[place]);
        let binary = |name: &str| Some(format!("({name} {} {})", text(0), text(1)));
        match self.store.op(term) {
            Op::Not => Some(format!("(not {})", text(0))),
            Op::Neg | Op::Sext(_) => Some(text(0)),
            Op::And | Op::Mul => binary("and"),
            Op::Xor | Op::Add => binary("xor"),
            Op::Eq => binary("="),
            Op::Ult if is_bit => Some(format!("(and (not {}) {})", text(0), text(1))),
            Op::Slt if is_bit => Some(format!("(and {} (not {}))", text(0), text(1))),
            Op::Ult => Some(format!("(< {} {})", self.unsigned(args[0]), self.unsigned(args[1]))),
            Op::Slt => binary("<"),
            Op::Slice { high, .. } if high + 1 == self.store.width(args[0]) => {
                Some(format!("(< {} 0)", text(0)))
            }
            Op::Slice { low, .. } => {
                Some(format!("(= (mod (div {} {}) 2) 1)", text(0), power(low)))
            }
            Op::Ite => Some(format!("(ite {} {} {})", text(0), text(1), text(2))),
            Op::Read => Some(format!("(= (select {} {}) 1)", text(0), self.number(args[1]))),
            _ => None,
        }
    }

    fn word(&self, term: Term, args: &[Term], width: u32) -> Option<String> {
        if let Some(value) = self.store.value(term) {
            return Some(signed(value));
        }
        let text = |place: usize| self.number(args[place]);
        let constant = |place: usize| self.store.value(args[place]);
        let amount = || constant(1).and_then(|by| by.to_u64()).filter(|by| *by < u64::from(width));
        match self.store.op(term) {
            Op::Not => Some(format!("(- (- 1) {})", text(0))),
            Op::Neg => Some(format!("(- {})", text(0))),
            Op::Add => Some(format!("(+ {} {})", text(0), text(1))),
            Op::Mul => Some(format!("(* {} {})", text(0), text(1))),
            Op::And => self.masked(args[0], args[1]).or_else(|| self.masked(args[1], args[0])),
            Op::Udiv => self.quotient("div", "(- 1)", args),
            Op::Urem => self.quotient("mod", &text(0), args),
            Op::Sll => Some(format!("(* {} {})", text(0), power(amount()? as u32))),
            Op::Srl => {
                Some(format!("(div {} {})", self.unsigned(args[0]), power(amount()? as u32)))
            }
            Op::Sra => Some(format!("(div {} {})", text(0), power(amount()? as u32))),
            Op::Concat if constant(0).is_some_and(|high| high.is_zero()) => {
                Some(self.unsigned(args[1]))
            }
            Op::Concat => {
                let low = self.store.width(args[1]);
                let high = self.extended(args[0]);
                Some(format!("(+ (* {high} {}) {})", power(low), self.unsigned(args[1])))
            }
            Op::Slice { high, low } => Some(self.slice(args[0], high, low)),
            Op::Sext(_) => Some(self.extended(args[0])),
            Op::Ite => Some(format!("(ite {} {} {})", (self.text)(args[0]), text(1), text(2))),
            Op::Read => Some(format!("(select {} {})", (self.text)(args[0]), text(1))),
            _ => None,
        }
    }

    fn array(&self, term: Term, args: &[Term]) -> Option<String> {
        let text = |place: usize| (self.text)(args[place]);
        match self.store.op(term) {
            Op::Write => {
                let (index, element) = (self.number(args[1]), self.number(args[2]));
                Some(format!("(store {} {index} {element})", text(0)))
            }
            Op::ConstArray(_) => {
                Some(format!("((as const (Array Int Int)) {})", self.number(args[0])))
            }
            Op::Ite => Some(format!("(ite {} {} {})", text(0), text(1), text(2))),
            _ => None,
        }
    }

    /// A word as it is, a bit as 0 or 1.
    fn number(&self, term: Term) -> String {
        let text = (self.text)(term);
        match self.store.sort(term) {
            Sort::BOOL => format!("(ite {text} 1 0)"),
            _ => text,
        }
    }

    /// A word as it is, a bit as 0 or -1.
    fn extended(&self, term: Term) -> String {
        let text = (self.text)(term);
        match self.store.sort(term) {
            Sort::BOOL => format!("(ite {text} (- 1) 0)"),
            _ => text,
        }
    }

    /// A word as an unsigned number.
    fn unsigned(&self, term: Term) -> String {
        if let Some(value) = self.store.value(term) {
            return value.to_biguint().to_string();
        }
        match self.store.width(term) {
            1 => self.number(term),
            width => format!("(mod {} {})", (self.text)(term), power(width)),
        }
    }

    /// A conjunction with a constant of low bits, or of all bits but low ones.
    fn masked(&self, word: Term, mask: Term) -> Option<String> {
        let mask = self.store.value(mask)?;
        let low_bits = |mask: &BitVec| {
            let ones = mask.count_ones() as u32;
            (0..ones).all(|bit| mask.bit(bit)).then(|| power(ones))
        };
        let word = (self.text)(word);
        if let Some(power) = low_bits(mask) {
            return Some(format!("(mod {word} {power})"));
        }
        let power = low_bits(&mask.not())?;
        Some(format!("(- {word} (mod {word} {power}))"))
    }

    fn quotient(&self, name: &str, by_zero: &str, args: &[Term]) -> Option<String> {
        let (left, right) = (self.unsigned(args[0]), self.unsigned(args[1]));
        let quotient = format!("({name} {left} {right})");
        match self.store.value(args[1]) {
            Some(value) if value.is_zero() => Some(by_zero.to_string()),
            Some(_) => Some(quotient),
            None => Some(format!("(ite (= {right} 0) {by_zero} {quotient})")),
        }
    }

    fn slice(&self, word: Term, high: u32, low: u32) -> String {
        let text = (self.text)(word);
        let shifted = match low {
            0 => text,
            _ => format!("(div {text} {})", power(low)),
        };
        if high + 1 == self.store.width(word) {
            return shifted;
        }
        let width = high - low + 1;
        let half = power(width - 1);
        format!("(- (mod (+ {shifted} {half}) {}) {half})", power(width))
    }
}
