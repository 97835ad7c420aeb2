//! Rules for negation, addition, multiplication and division.

use super::{Binary, Unary};
use crate::term::{Op, Term, TermStore};

/// -(-x) → x
fn neg_neg(store: &mut TermStore, a: Term) -> Option<Term> {
    store.as_unary(a, Op::Neg)
}

/// -(~x) → x + 1
fn neg_not(store: &mut TermStore, a: Term) -> Option<Term> {
    let x = store.as_not(a)?;
    Some(store.inc(x))
}

/// -x → x at width 1
fn neg_bit(store: &mut TermStore, a: Term) -> Option<Term> {
    store.is_bit(a).then_some(a)
}

/// -(x + c) → -x + -c for a constant c
fn neg_add_constant(store: &mut TermStore, a: Term) -> Option<Term> {
    let (x, c) = store.as_binary(a, Op::Add)?;
    let c = store.known(c)?.neg();
    let (x, c) = (store.neg(x), store.constant(c));
    Some(store.add(x, c))
}

/// -(x * c) → x * -c for a constant c
fn neg_mul_constant(store: &mut TermStore, a: Term) -> Option<Term> {
    let (x, c) = store.as_binary(a, Op::Mul)?;
    let c = store.known(c)?.neg();
    let c = store.constant(c);
    Some(store.mul(x, c))
}

pub(super) const NEG: &[Unary] = &[neg_bit, neg_neg, neg_not, neg_add_constant, neg_mul_constant];

/// x + 0 → x
fn add_zero(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.is_zero(b).then_some(a)
}

/// x + y → x ^ y at width 1
fn add_bits(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.is_bit(a).then(|| store.xor(a, b))
}

/// x + -x → 0
/// x + ~x → ones
fn add_inverse(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    if store.opposite(a, b) {
        return Some(store.zero(store.width(a)));
    }
    store.complementary(a, b).then(|| store.ones(store.width(a)))
}

/// (x + c) + d → x + (c + d) for constants c, d
fn add_constants(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let d = store.known(b)?;
    let (x, c) = store.as_binary(a, Op::Add)?;
    let sum = store.known(c)?.add(&d);
    let sum = store.constant(sum);
    Some(store.add(x, sum))
}

/// ~x + c → -x + (c - 1) for a constant c
fn add_not_constant(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let c = store.known(b)?.dec();
    let x = store.as_not(a)?;
    let (x, c) = (store.neg(x), store.constant(c));
    Some(store.add(x, c))
}

/// (x + y) + -x → y
fn add_nested_inverse(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let rest = |sum: Term, z: Term| {
        let (x, y) = store.as_binary(sum, Op::Add)?;
        if store.opposite(x, z) { Some(y) } else { store.opposite(y, z).then_some(x) }
    };
    rest(a, b).or_else(|| rest(b, a))
}

/// x + x → x * 2
fn add_same(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    (a == b).then(|| {
        let two = store.number(store.width(a), 2);
        store.mul(a, two)
    })
}

pub(super) const ADD: &[Binary] = &[
    add_zero,
    add_bits,
    add_inverse,
    add_constants,
    add_not_constant,
    add_nested_inverse,
    add_same,
];

/// x * 0 → 0
fn mul_zero(store: &mut TermStore, _: Term, b: Term) -> Option<Term> {
    store.is_zero(b).then_some(b)
}

/// x * 1 → x
fn mul_one(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.is_one(b).then_some(a)
}

/// x * y → x & y at width 1
fn mul_bits(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.is_bit(a).then(|| store.and(a, b))
}

/// x * ones → -x
fn mul_minus_one(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.is_ones(b).then(|| store.neg(a))
}

/// x * 2^k → x[w-1-k:0] :: 0
fn mul_power(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let k = store.value(b)?.exact_log2().filter(|&k| k > 0)?;
    let rest = store.slice(a, store.width(a) - 1 - k, 0);
    let zeros = store.zero(k);
    Some(store.concat(rest, zeros))
}

/// (x * c) * d → x * (c * d) for constants c, d
fn mul_constants(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let d = store.known(b)?;
    let (x, c) = store.as_binary(a, Op::Mul)?;
    let product = store.known(c)?.mul(&d);
    let product = store.constant(product);
    Some(store.mul(x, product))
}

/// -x * c → x * -c for a constant c
/// -x * -y → x * y
fn mul_neg(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let x = store.as_unary(a, Op::Neg)?;
    let y = match store.known(b) {
        Some(c) => store.constant(c.neg()),
        None => store.as_unary(b, Op::Neg)?,
    };
    Some(store.mul(x, y))
}

pub(super) const MUL: &[Binary] =
    &[mul_zero, mul_one, mul_bits, mul_minus_one, mul_power, mul_constants, mul_neg];

/// x / 0 → ones
fn udiv_zero(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.is_zero(b).then(|| store.ones(store.width(a)))
}

/// x / y → ~(~x & y) at width 1
fn udiv_bits(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    if !store.is_bit(a) {
        return None;
    }
    let not_a = store.not(a);
    Some(store.nand(not_a, b))
}

/// x / 2^k → 0 :: x[w-1:k]
fn udiv_power(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let k = store.value(b)?.exact_log2()?;
    let rest = store.slice(a, store.width(a) - 1, k);
    Some(store.zext(rest, k))
}

/// 0 / x → ite(x = 0, ones, 0)
/// x / x → ite(x = 0, ones, 1)
fn udiv_known(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let width = store.width(a);
    let usual = match a == b {
        true => store.one(width),
        false => store.is_zero(a).then_some(a)?,
    };
    let (zero, ones) = (store.zero(width), store.ones(width));
    let by_zero = store.eq(b, zero);
    Some(store.ite(by_zero, ones, usual))
}

pub(super) const UDIV: &[Binary] = &[udiv_zero, udiv_bits, udiv_power, udiv_known];

/// x % 0 → x
fn urem_zero(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.is_zero(b).then_some(a)
}

/// x % y → x & ~y at width 1
fn urem_bits(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    if !store.is_bit(a) {
        return None;
    }
    let not_b = store.not(b);
    Some(store.and(a, not_b))
}

/// x % 1 → 0
/// x % 2^k → 0 :: x[k-1:0]
fn urem_power(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let k = store.value(b)?.exact_log2()?;
    let width = store.width(a);
    if k == 0 {
        return Some(store.zero(width));
    }
    let rest = store.slice(a, k - 1, 0);
    Some(store.zext(rest, width - k))
}

/// 0 % x → 0
/// x % x → 0
fn urem_known(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    (a == b || store.is_zero(a)).then(|| store.zero(store.width(a)))
}

pub(super) const UREM: &[Binary] = &[urem_zero, urem_bits, urem_power, urem_known];

#[cfg(test)]
mod tests {
    use super::super::testing::{binary, unary};
    use super::*;

    #[test]
    fn negation() {
        unary(neg_neg, Op::Neg, "(neg x)", Some("x"));
        unary(neg_neg, Op::Neg, "(not x)", None);
        unary(neg_not, Op::Neg, "(not x)", Some("(add x 1)"));
        unary(neg_not, Op::Neg, "x", None);
        unary(neg_bit, Op::Neg, "p", Some("p"));
        unary(neg_bit, Op::Neg, "x", None);
        unary(neg_add_constant, Op::Neg, "(add x 3)", Some("(add (neg x) 253)"));
        unary(neg_add_constant, Op::Neg, "(add x y)", None);
        unary(neg_mul_constant, Op::Neg, "(mul x 3)", Some("(mul x 253)"));
        unary(neg_mul_constant, Op::Neg, "(mul x y)", None);
    }

    #[test]
    fn addition() {
        binary(add_zero, Op::Add, "x 0", Some("x"));
        binary(add_zero, Op::Add, "x 1", None);
        binary(add_bits, Op::Add, "p q", Some("(xor p q)"));
        binary(add_bits, Op::Add, "x y", None);
        binary(add_inverse, Op::Add, "x (neg x)", Some("0"));
        binary(add_inverse, Op::Add, "(not x) x", Some("255"));
        binary(add_inverse, Op::Add, "x (neg y)", None);
        binary(add_constants, Op::Add, "(add x 3) 4", Some("(add x 7)"));
        binary(add_constants, Op::Add, "(add x y) 4", None);
        binary(add_not_constant, Op::Add, "(not x) 4", Some("(add (neg x) 3)"));
        binary(add_not_constant, Op::Add, "(not x) y", None);
        binary(add_nested_inverse, Op::Add, "(add x y) (neg x)", Some("y"));
        binary(add_nested_inverse, Op::Add, "y (add x (neg y))", Some("x"));
        binary(add_nested_inverse, Op::Add, "(add x y) (neg z)", None);
        binary(add_same, Op::Add, "x x", Some("(concat (slice.6.0 x) 0:1)"));
        binary(add_same, Op::Add, "x y", None);
    }

    #[test]
    fn multiplication() {
        binary(mul_zero, Op::Mul, "x 0", Some("0"));
        binary(mul_zero, Op::Mul, "x 2", None);
        binary(mul_one, Op::Mul, "x 1", Some("x"));
        binary(mul_one, Op::Mul, "x 2", None);
        binary(mul_bits, Op::Mul, "p q", Some("(and p q)"));
        binary(mul_bits, Op::Mul, "x y", None);
        binary(mul_minus_one, Op::Mul, "x 255", Some("(neg x)"));
        binary(mul_minus_one, Op::Mul, "x 127", None);
        binary(mul_power, Op::Mul, "x 8", Some("(concat (slice.4.0 x) 0:3)"));
        binary(mul_power, Op::Mul, "x 6", None);
        binary(mul_constants, Op::Mul, "(mul x 3) 5", Some("(mul x 15)"));
        binary(mul_constants, Op::Mul, "(mul x y) 5", None);
        binary(mul_neg, Op::Mul, "(neg x) 5", Some("(mul x 251)"));
        binary(mul_neg, Op::Mul, "(neg x) (neg y)", Some("(mul x y)"));
        binary(mul_neg, Op::Mul, "(neg x) y", None);
    }

    #[test]
    fn quotients() {
        binary(udiv_zero, Op::Udiv, "x 0", Some("255"));
        binary(udiv_zero, Op::Udiv, "x y", None);
        binary(udiv_bits, Op::Udiv, "p q", Some("(or p (not q))"));
        binary(udiv_bits, Op::Udiv, "x y", None);
        binary(udiv_power, Op::Udiv, "x 1", Some("x"));
        binary(udiv_power, Op::Udiv, "x 8", Some("(zext.3 (slice.7.3 x))"));
        binary(udiv_power, Op::Udiv, "x 6", None);
        binary(udiv_known, Op::Udiv, "0 x", Some("(ite (eq x 0) 255 0)"));
        binary(udiv_known, Op::Udiv, "x x", Some("(ite (eq x 0) 255 1)"));
        binary(udiv_known, Op::Udiv, "1 x", None);
    }

    #[test]
    fn remainders() {
        binary(urem_zero, Op::Urem, "x 0", Some("x"));
        binary(urem_zero, Op::Urem, "x y", None);
        binary(urem_bits, Op::Urem, "p q", Some("(and p (not q))"));
        binary(urem_bits, Op::Urem, "x y", None);
        binary(urem_power, Op::Urem, "x 1", Some("0"));
        binary(urem_power, Op::Urem, "x 8", Some("(zext.5 (slice.2.0 x))"));
        binary(urem_power, Op::Urem, "x 6", None);
        binary(urem_known, Op::Urem, "0 x", Some("0"));
        binary(urem_known, Op::Urem, "x x", Some("0"));
        binary(urem_known, Op::Urem, "1 x", None);
    }
}
