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
