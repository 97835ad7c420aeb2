//! Rules for `not`, `and` and `xor`.

use super::{Binary, Unary};
use crate::term::{Op, Term, TermStore};

/// ~~x → x
fn not_not(store: &mut TermStore, a: Term) -> Option<Term> {
    store.as_not(a)
}

/// ~(-x) → x + ones
fn not_neg(store: &mut TermStore, a: Term) -> Option<Term> {
    let x = store.as_unary(a, Op::Neg)?;
    Some(store.dec(x))
}

pub(super) const NOT: &[Unary] = &[not_not, not_neg];

/// x & 0 → 0
fn and_zero(store: &mut TermStore, _: Term, b: Term) -> Option<Term> {
    store.is_zero(b).then_some(b)
}

/// x & ones → x
fn and_ones(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.is_ones(b).then_some(a)
}

/// x & x → x
fn and_same(_: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    (a == b).then_some(a)
}

/// x & ~x → 0
fn and_complement(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.complementary(a, b).then(|| store.zero(store.width(a)))
}

/// (x & c) & d → x & (c & d) for constants c, d
fn and_constants(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let d = store.known(b)?;
    let (x, c) = store.as_binary(a, Op::And)?;
    let both = store.known(c)?.and(&d);
    let both = store.constant(both);
    Some(store.and(x, both))
}

/// (x & y) & x → x & y
/// (x & y) & ~x → 0
/// ~(x & y) & ~x → ~x
/// ~(x & y) & x → x & ~y
fn and_nested(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    and_into(store, a, b).or_else(|| and_into(store, b, a))
}

fn and_into(store: &mut TermStore, nest: Term, z: Term) -> Option<Term> {
    if let Some((x, y)) = store.as_binary(nest, Op::And) {
        if z == x || z == y {
            return Some(nest);
        }
        let contradiction = store.complementary(z, x) || store.complementary(z, y);
        return contradiction.then(|| store.zero(store.width(z)));
    }
    let (x, y) = store.as_binary(store.as_not(nest)?, Op::And)?;
    if store.complementary(z, x) || store.complementary(z, y) {
        return Some(z);
    }
    let rest = if z == x { y } else { (z == y).then_some(x)? };
    let rest = store.not(rest);
    Some(store.and(z, rest))
}

/// (x = c) & (x = d) → 0 for different constants c, d
/// (x = c) & ~(x = d) → x = c
fn and_equalities(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let constant = |t: Term| {
        let (x, c) = store.as_binary(t, Op::Eq)?;
        store.is_const(c).then_some((x, c))
    };
    let (p, q) = (store.as_not(a), store.as_not(b));
    let ((x, c), (y, d)) = (constant(p.unwrap_or(a))?, constant(q.unwrap_or(b))?);
    if x != y || c == d {
        return None;
    }
    match (p, q) {
        (None, None) => Some(store.bool(false)),
        (None, Some(_)) => Some(a),
        (Some(_), None) => Some(b),
        (Some(_), Some(_)) => None,
    }
}

pub(super) const AND: &[Binary] =
    &[and_zero, and_ones, and_same, and_complement, and_constants, and_nested, and_equalities];

/// x ^ 0 → x
fn xor_zero(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.is_zero(b).then_some(a)
}

/// x ^ ones → ~x
fn xor_ones(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.is_ones(b).then(|| store.not(a))
}

/// x ^ x → 0
fn xor_same(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    (a == b).then(|| store.zero(store.width(a)))
}

/// x ^ ~x → ones
fn xor_complement(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.complementary(a, b).then(|| store.ones(store.width(a)))
}

/// (x ^ c) ^ d → x ^ (c ^ d) for constants c, d
fn xor_constants(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let d = store.known(b)?;
    let (x, c) = store.as_binary(a, Op::Xor)?;
    let both = store.known(c)?.xor(&d);
    let both = store.constant(both);
    Some(store.xor(x, both))
}

/// ~x ^ c → x ^ ~c for a constant c
/// ~x ^ y → ~(x ^ y)
fn xor_not(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (x, y) = match (store.as_not(a), store.as_not(b)) {
        (Some(x), _) => (x, b),
        (None, Some(y)) => (a, y),
        (None, None) => return None,
    };
    if store.is_const(y) {
        let y = store.not(y);
        return Some(store.xor(x, y));
    }
    let xor = store.xor(x, y);
    Some(store.not(xor))
}

/// (x ^ y) ^ x → y
fn xor_nested(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let other = |store: &TermStore, nest: Term, z: Term| {
        let (x, y) = store.as_binary(nest, Op::Xor)?;
        if z == x { Some(y) } else { (z == y).then_some(x) }
    };
    other(store, a, b).or_else(|| other(store, b, a))
}

pub(super) const XOR: &[Binary] =
    &[xor_zero, xor_ones, xor_same, xor_complement, xor_constants, xor_not, xor_nested];

#[cfg(test)]
mod tests {
    use super::super::testing::{binary, unary};
    use super::*;

    #[test]
    fn not() {
        unary(not_not, Op::Not, "(not x)", Some("x"));
        unary(not_not, Op::Not, "(neg x)", None);
        unary(not_neg, Op::Not, "(neg x)", Some("(add x 255)"));
        unary(not_neg, Op::Not, "(and x y)", None);
    }

    #[test]
    fn and_with_constants() {
        binary(and_zero, Op::And, "x 0", Some("0"));
        binary(and_zero, Op::And, "x 1", None);
        binary(and_ones, Op::And, "x 255", Some("x"));
        binary(and_ones, Op::And, "x 127", None);
        binary(and_constants, Op::And, "(and x 12) 10", Some("(and x 8)"));
        binary(and_constants, Op::And, "(and x y) 10", None);
    }

    #[test]
    fn and_with_relatives() {
        binary(and_same, Op::And, "x x", Some("x"));
        binary(and_same, Op::And, "x y", None);
        binary(and_complement, Op::And, "x (not x)", Some("0"));
        binary(and_complement, Op::And, "x (not y)", None);
        binary(and_nested, Op::And, "(and x y) x", Some("(and x y)"));
        binary(and_nested, Op::And, "y (and x y)", Some("(and x y)"));
        binary(and_nested, Op::And, "(and x y) (not x)", Some("0"));
        binary(and_nested, Op::And, "(not (and x y)) (not x)", Some("(not x)"));
        binary(and_nested, Op::And, "(not (and x y)) x", Some("(and x (not y))"));
        binary(and_nested, Op::And, "(and x y) z", None);
        binary(and_nested, Op::And, "(not (and x y)) z", None);
    }

    #[test]
    fn and_of_equalities() {
        binary(and_equalities, Op::And, "(eq x 3) (eq x 4)", Some("0:1"));
        binary(and_equalities, Op::And, "(eq x 3) (not (eq x 4))", Some("(eq x 3)"));
        binary(and_equalities, Op::And, "(not (eq x 3)) (eq x 4)", Some("(eq x 4)"));
        binary(and_equalities, Op::And, "(not (eq x 3)) (not (eq x 4))", None);
        binary(and_equalities, Op::And, "(eq x 3) (eq y 4)", None);
        binary(and_equalities, Op::And, "(eq x 3) (eq x y)", None);
    }

    #[test]
    fn xor() {
        binary(xor_zero, Op::Xor, "x 0", Some("x"));
        binary(xor_zero, Op::Xor, "x 1", None);
        binary(xor_ones, Op::Xor, "x 255", Some("(not x)"));
        binary(xor_ones, Op::Xor, "x 254", None);
        binary(xor_same, Op::Xor, "x x", Some("0"));
        binary(xor_same, Op::Xor, "x y", None);
        binary(xor_complement, Op::Xor, "(not x) x", Some("255"));
        binary(xor_complement, Op::Xor, "(not x) y", None);
        binary(xor_constants, Op::Xor, "(xor x 12) 10", Some("(xor x 6)"));
        binary(xor_constants, Op::Xor, "(xor x y) 10", None);
        binary(xor_not, Op::Xor, "(not x) 3", Some("(xor x 252)"));
        binary(xor_not, Op::Xor, "x (not y)", Some("(not (xor x y))"));
        binary(xor_not, Op::Xor, "x y", None);
        binary(xor_nested, Op::Xor, "(xor x y) x", Some("y"));
        binary(xor_nested, Op::Xor, "y (xor x y)", Some("x"));
        binary(xor_nested, Op::Xor, "(xor x y) z", None);
    }
}
