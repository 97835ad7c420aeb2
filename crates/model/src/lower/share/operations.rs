//! The operators that are worth sharing.

use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Op, Term, TermStore};

/// Narrower operators are not worth a conditional.
const MIN_WIDTH: u32 = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    Udiv,
    Urem,
    Sdiv,
    Srem,
    Mul,
}

/// Operators with the same key can be one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    pub kind: Kind,
    width: u32,
    /// A constant divisor.
    divisor: Option<Term>,
}

impl Key {
    pub fn make(self, terms: &mut TermStore, operands: &[Term]) -> Term {
        let (a, b) = (operands[0], self.divisor.unwrap_or_else(|| operands[1]));
        match self.kind {
            Kind::Udiv => terms.udiv(a, b),
            Kind::Urem => terms.urem(a, b),
            Kind::Sdiv => terms.sdiv(a, b),
            Kind::Srem => terms.srem(a, b),
            Kind::Mul => terms.mul(a, b),
        }
    }
}

#[derive(Clone, Debug)]
pub struct Operation {
    pub key: Key,
    pub operands: Vec<Term>,
}

/// The operators among the terms that are worth sharing.
pub fn operations(terms: &mut TermStore, cone: &[Term]) -> FxHashMap<Term, Operation> {
    let known: FxHashSet<Term> = cone.iter().copied().collect();
    let mut operations = FxHashMap::default();
    for &term in cone {
        let kind = match terms.op(term) {
            Op::Udiv => Kind::Udiv,
            Op::Urem => Kind::Urem,
            Op::Mul => Kind::Mul,
            _ => continue,
        };
        let (a, b) = (terms.args(term)[0], terms.args(term)[1]);
        let has_constant = terms.is_const(a) || terms.is_const(b);
        if terms.width(term) < MIN_WIDTH || (kind == Kind::Mul && has_constant) {
            continue;
        }
        if let Some((signed, operation)) = signed(terms, kind, a, b, &known) {
            operations.insert(signed, operation);
        }
        operations.insert(term, operation(terms, kind, a, b));
    }
    operations
}

fn operation(terms: &TermStore, kind: Kind, a: Term, b: Term) -> Operation {
    let divisor = (kind != Kind::Mul && terms.is_const(b)).then_some(b);
    let key = Key { kind, width: terms.width(a), divisor };
    let operands = if divisor.is_some() { vec![a] } else { vec![a, b] };
    Operation { key, operands }
}

/// The signed division by a constant that a division of absolute values is part of.
fn signed(
    terms: &mut TermStore,
    kind: Kind,
    a: Term,
    b: Term,
    known: &FxHashSet<Term>,
) -> Option<(Term, Operation)> {
    let kind = match kind {
        Kind::Udiv => Kind::Sdiv,
        Kind::Urem => Kind::Srem,
        _ => return None,
    };
    if !terms.is_const(b) || terms.op(a) != Op::Ite {
        return None;
    }
    let negative = terms.neg(b);
    for dividend in [terms.args(a)[2], terms.args(a)[1]] {
        for divisor in [b, negative] {
            let operation = operation(terms, kind, dividend, divisor);
            let whole = operation.key.make(terms, &operation.operands);
            if known.contains(&whole) && terms.op(whole) == Op::Ite {
                return Some((whole, operation));
            }
        }
    }
    None
}
