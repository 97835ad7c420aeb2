//! Simplification in the constructors of terms.
//!
//! A rule looks at an operator and its operands and either gives an equal, simpler term or
//! declines. Every rule is a function whose first line of documentation states it as
//! `match → result`; the tables at the end of the files list the rules of an operator in the
//! order in which they are tried. The dispatcher folds constants first. Operands arrive ordered:
//! a commutative operator has its constant, if any, as the second one.
//!
//! The result of a rule is built by the constructors and so simplified again. Rules only ever
//! shrink their redex, and the depth of constructors inside one another is bounded, after which
//! terms are left as they are; rewriting is thus cheap on terms of any shape.

mod arith;
mod array;
mod bitwise;
mod compare;
mod equal;
mod ite;
mod shape;
mod shift;
#[cfg(test)]
mod testing;

use crate::bitvec::BitVec;
use crate::eval;
use crate::float;
use crate::term::{Op, Term, TermStore};

/// Constructors active inside one another before rewriting gives up.
const MAX_DEPTH: u32 = 64;

type Unary = fn(&mut TermStore, Term) -> Option<Term>;
type Binary = fn(&mut TermStore, Term, Term) -> Option<Term>;
type Ternary = fn(&mut TermStore, Term, Term, Term) -> Option<Term>;

/// An equal, simpler term, if a rule finds one. The operands must be well-sorted.
pub(crate) fn simplify(store: &mut TermStore, op: Op, args: &[Term]) -> Option<Term> {
    if let Some(value) = fold(store, op, args) {
        return Some(store.constant(value));
    }
    if store.depth >= MAX_DEPTH {
        return None;
    }
    store.depth += 1;
    let result = match (op, args) {
        (Op::Float(op), args) => float::simplify(store, op, args),
        (op, args) => plain_rules(store, op, args),
    };
    store.depth -= 1;
    result
}

fn plain_rules(store: &mut TermStore, op: Op, args: &[Term]) -> Option<Term> {
    match *args {
        [a] => unary(store, op, a),
        [a, b] => binary_rules(op).iter().find_map(|rule| rule(store, a, b)),
        [a, b, c] => ternary_rules(op).iter().find_map(|rule| rule(store, a, b, c)),
        _ => None,
    }
}

/// The value of an operator on constants.
fn fold(store: &TermStore, op: Op, args: &[Term]) -> Option<BitVec> {
    if let Op::Float(op) = op {
        let values: Option<Vec<&BitVec>> = args.iter().map(|&a| store.value(a)).collect();
        return Some(float::evaluate(op, &values?));
    }
    match *args {
        [a] if !matches!(op, Op::ConstArray(_)) => Some(eval::unary(op, store.value(a)?)),
        [a, b] if op != Op::Read => Some(eval::binary(op, store.value(a)?, store.value(b)?)),
        _ => None,
    }
}

fn unary(store: &mut TermStore, op: Op, a: Term) -> Option<Term> {
    let rules: &[Unary] = match op {
        Op::Not => bitwise::NOT,
        Op::Neg => arith::NEG,
        Op::Slice { high, low } => {
            return shape::SLICE.iter().find_map(|rule| rule(store, a, high, low));
        }
        Op::Sext(by) => return shape::SEXT.iter().find_map(|rule| rule(store, a, by)),
        _ => &[],
    };
    rules.iter().find_map(|rule| rule(store, a))
}

fn binary_rules(op: Op) -> &'static [Binary] {
    match op {
        Op::And => bitwise::AND,
        Op::Xor => bitwise::XOR,
        Op::Eq => equal::EQ,
        Op::Ult => compare::ULT,
        Op::Slt => compare::SLT,
        Op::Add => arith::ADD,
        Op::Mul => arith::MUL,
        Op::Udiv => arith::UDIV,
        Op::Urem => arith::UREM,
        Op::Sll => shift::SLL,
        Op::Srl => shift::SRL,
        Op::Sra => shift::SRA,
        Op::Concat => shape::CONCAT,
        Op::Read => array::READ,
        _ => &[],
    }
}

fn ternary_rules(op: Op) -> &'static [Ternary] {
    match op {
        Op::Ite => ite::ITE,
        Op::Write => array::WRITE,
        _ => &[],
    }
}

/// What the rules match on.
impl TermStore {
    fn as_unary(&self, term: Term, op: Op) -> Option<Term> {
        (self.op(term) == op).then(|| self.args(term)[0])
    }
    fn as_binary(&self, term: Term, op: Op) -> Option<(Term, Term)> {
        (self.op(term) == op).then(|| (self.args(term)[0], self.args(term)[1]))
    }
    fn as_not(&self, term: Term) -> Option<Term> {
        self.as_unary(term, Op::Not)
    }
    fn as_concat(&self, term: Term) -> Option<(Term, Term)> {
        self.as_binary(term, Op::Concat)
    }
    fn as_ite(&self, term: Term) -> Option<(Term, Term, Term)> {
        let args = self.args(term);
        (self.op(term) == Op::Ite).then(|| (args[0], args[1], args[2]))
    }
    fn as_write(&self, term: Term) -> Option<(Term, Term, Term)> {
        let args = self.args(term);
        (self.op(term) == Op::Write).then(|| (args[0], args[1], args[2]))
    }
    fn as_const_array(&self, term: Term) -> Option<Term> {
        matches!(self.op(term), Op::ConstArray(_)).then(|| self.args(term)[0])
    }
    fn as_sext(&self, term: Term) -> Option<(Term, u32)> {
        match self.op(term) {
            Op::Sext(by) => Some((self.args(term)[0], by)),
            _ => None,
        }
    }
    fn as_slice(&self, term: Term) -> Option<(Term, u32, u32)> {
        match self.op(term) {
            Op::Slice { high, low } => Some((self.args(term)[0], high, low)),
            _ => None,
        }
    }
    /// The value of a constant, as a copy to compute with.
    fn known(&self, term: Term) -> Option<BitVec> {
        self.value(term).cloned()
    }
    fn is_zero(&self, term: Term) -> bool {
        self.value(term).is_some_and(BitVec::is_zero)
    }
    fn is_one(&self, term: Term) -> bool {
        self.value(term).is_some_and(BitVec::is_one)
    }
    fn is_ones(&self, term: Term) -> bool {
        self.value(term).is_some_and(BitVec::is_ones)
    }
    /// Whether one is the bitwise negation of the other, as far as the store can see.
    fn complementary(&self, a: Term, b: Term) -> bool {
        if let (Some(a), Some(b)) = (self.value(a), self.value(b)) {
            return *a == b.not();
        }
        self.as_not(a) == Some(b) || self.as_not(b) == Some(a)
    }
    /// Whether one is the arithmetic negation of the other, as far as the store can see.
    fn opposite(&self, a: Term, b: Term) -> bool {
        self.as_unary(a, Op::Neg) == Some(b) || self.as_unary(b, Op::Neg) == Some(a)
    }
    fn is_bit(&self, term: Term) -> bool {
        self.sort(term) == crate::term::Sort::BOOL
    }
}
