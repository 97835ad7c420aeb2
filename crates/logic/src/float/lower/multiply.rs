//! Multiplication and the fused multiply-add.
//!
//! The product of two significands is exact in twice the precision. The fused operation adds the
//! third operand to it as addition does, in that precision, and rounds once.

use super::add::{add_aligned, sign_of_sum};
use super::circuit::{add_carry, any, bit, normalize, only_if, pad, shift_right, widen};
use super::round::{Exact, choose, infinity, nan, round, zero};
use super::unpack::{Fields, Normal};
use super::{Operand, positive_nan};
use crate::bitvec::BitVec;
use crate::float::FloatFormat;
use crate::term::{Term, TermStore};

/// The exact product with its top bit set, and its exponent.
fn product(s: &mut TermStore, format: FloatFormat, a: Normal, b: Normal) -> (Term, Term) {
    let precision = format.precision();
    let (wide_a, wide_b) = (s.zext(a.significand, precision), s.zext(b.significand, precision));
    let product = s.mul(wide_a, wide_b);
    let carry = s.sign(product);
    let rest = s.slice(product, 2 * precision - 2, 0);
    let shifted = pad(s, rest, 1);
    let product = s.ite(carry, product, shifted);
    let sum = add_carry(s, a.exponent, b.exponent, carry);
    let bias = s.number(s.width(sum), format.bias() as u64);
    (s.sub(sum, bias), product)
}

/// The first places, one more than the precision, and whether anything follows.
fn split(s: &mut TermStore, format: FloatFormat, significand: Term) -> (Term, Term) {
    let width = s.width(significand);
    let low = width - format.precision() - 1;
    let rest = s.slice(significand, low - 1, 0);
    (s.slice(significand, width - 1, low), s.redor(rest))
}

/// What a product is besides finite: its sign, and whether it is infinite, zero or invalid.
struct Special {
    sign: Term,
    infinite: Term,
    zero: Term,
    invalid: Term,
}

fn special(s: &mut TermStore, a: Operand, b: Operand) -> Special {
    let sign = s.xor(a.fields.sign, b.fields.sign);
    let infinite = s.or(a.class.infinite, b.class.infinite);
    let zero = s.or(a.class.zero, b.class.zero);
    let invalid = s.and(infinite, zero);
    Special { sign, infinite, zero, invalid }
}

pub fn multiply(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    (a, b): (Operand, Operand),
    normal: (Normal, Normal),
) -> Fields {
    let special = special(s, a, b);
    let (exponent, significand) = product(s, format, normal.0, normal.1);
    let (significand, sticky) = split(s, format, significand);
    let exact = Exact { sign: special.sign, exponent, significand, sticky };
    let rounded = round(s, format, mode, exact, true).fields(s, format);

    let invalid = any(s, &[a.class.nan, b.class.nan, special.invalid]);
    let zero = zero(s, format, special.sign);
    let infinity = infinity(s, format, special.sign);
    let positive = positive_nan(s, &[a, b]);
    let nan = nan(s, format, positive);
    let rest = choose(s, special.zero, zero, rounded);
    let rest = choose(s, special.infinite, infinity, rest);
    choose(s, invalid, nan, rest)
}

/// A number of twice the precision, with an exponent that orders like an unsigned number and is
/// least for zero.
#[derive(Clone, Copy)]
struct Wide {
    sign: Term,
    exponent: Term,
    significand: Term,
}

fn wide(s: &mut TermStore, sign: Term, exponent: Term, significand: Term, zero: Term) -> Wide {
    let width = s.width(exponent);
    let offset = s.constant(BitVec::min_signed(width));
    let exponent = s.add(exponent, offset);
    let nonzero = s.not(zero);
    let exponent = only_if(s, nonzero, exponent);
    Wide { sign, exponent, significand }
}

fn order(s: &mut TermStore, a: Wide, b: Wide) -> (Wide, Wide) {
    let key_a = s.concat(a.exponent, a.significand);
    let key_b = s.concat(b.exponent, b.significand);
    let swap = s.ult(key_a, key_b);
    let mut either = |a: Wide, b: Wide| Wide {
        sign: s.ite(swap, b.sign, a.sign),
        exponent: s.ite(swap, b.exponent, a.exponent),
        significand: s.ite(swap, b.significand, a.significand),
    };
    (either(a, b), either(b, a))
}

pub fn multiply_add(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    [a, b, c]: [Operand; 3],
    normal: [Normal; 3],
) -> Fields {
    let special = special(s, a, b);
    let (exponent, significand) = product(s, format, normal[0], normal[1]);
    let left = wide(s, special.sign, exponent, significand, special.zero);
    let addend = pad(s, normal[2].significand, format.precision());
    let right = wide(s, c.fields.sign, normal[2].exponent, addend, c.class.zero);
    let opposite = s.xor(left.sign, right.sign);
    let ordered = order(s, left, right);
    let sum = sum(s, format, mode, ordered, opposite);

    let clash = s.and(special.infinite, c.class.infinite);
    let clash = s.and(clash, opposite);
    let invalid = any(s, &[a.class.nan, b.class.nan, c.class.nan, special.invalid, clash]);
    let infinite = s.or(special.infinite, c.class.infinite);
    let sign = s.ite(special.infinite, special.sign, c.fields.sign);
    let infinity = infinity(s, format, sign);
    let positive = positive_nan(s, &[a, b, c]);
    let nan = nan(s, format, positive);
    let rest = choose(s, infinite, infinity, sum);
    choose(s, invalid, nan, rest)
}

fn sum(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    (large, small): (Wide, Wide),
    opposite: Term,
) -> Fields {
    let distance = s.sub(large.exponent, small.exponent);
    let low = pad(s, small.significand, 2);
    let (low, sticky) = shift_right(s, low, distance);
    let sum = add_aligned(s, large.significand, low, sticky, opposite);
    let (shifted, shift) = normalize(s, sum);
    let (significand, sticky) = split(s, format, shifted);

    // The exponent is signed again; the room for the carry is one more place.
    let width = s.width(large.exponent);
    let top = bit(s, large.exponent, width - 1);
    let top = s.not(top);
    let rest = s.slice(large.exponent, width - 2, 0);
    let exponent = s.concat(top, rest);
    let width = (width + 1).max(s.width(shift) + 1);
    let exponent = widen(s, exponent, width, true);
    let exponent = s.inc(exponent);
    let shift = widen(s, shift, width, false);
    let exponent = s.sub(exponent, shift);

    let exact = Exact { sign: large.sign, exponent, significand, sticky };
    let rounded = round(s, format, mode, exact, true).fields(s, format);
    let nonzero = s.redor(sum);
    let sign = sign_of_sum(s, mode, sum, large.sign, opposite);
    let zero = zero(s, format, sign);
    let rounded = Fields { sign, ..rounded };
    choose(s, nonzero, rounded, zero)
}
