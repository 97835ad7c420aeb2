//! Division and the square root, digit by digit.
//!
//! Both make one bit of the result per step from a partial remainder of the width of the
//! significand, which is a quarter of what the divider of the kernel needs on operands extended to
//! twice the precision.

use super::circuit::{any, bit, divide_step, join, pad, widen};
use super::round::{Exact, choose, infinity, nan, round, zero};
use super::unpack::{Fields, Normal};
use super::{Operand, positive_nan};
use crate::float::FloatFormat;
use crate::term::{Term, TermStore};

pub fn divide(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    (a, b): (Operand, Operand),
    normal: (Normal, Normal),
) -> Fields {
    let sign = s.xor(a.fields.sign, b.fields.sign);
    let exact = quotient(s, format, sign, normal.0, normal.1);
    let rounded = round(s, format, mode, exact, true).fields(s, format);

    let infinities = s.and(a.class.infinite, b.class.infinite);
    let zeros = s.and(a.class.zero, b.class.zero);
    let invalid = any(s, &[a.class.nan, b.class.nan, infinities, zeros]);
    let infinite = s.or(a.class.infinite, b.class.zero);
    let vanishes = s.or(a.class.zero, b.class.infinite);
    let (zero, infinity) = (zero(s, format, sign), infinity(s, format, sign));
    let positive = positive_nan(s, &[a, b]);
    let nan = nan(s, format, positive);
    let rest = choose(s, vanishes, zero, rounded);
    let rest = choose(s, infinite, infinity, rest);
    choose(s, invalid, nan, rest)
}

/// The quotient lies between 1/2 and 2: two places more than the precision and the remainder
/// decide everything.
fn quotient(s: &mut TermStore, format: FloatFormat, sign: Term, a: Normal, b: Normal) -> Exact {
    let precision = format.precision();
    let digit = s.bool(false);
    // The dividend without its last place is less than the divisor, so it starts as a remainder.
    let top = s.slice(a.significand, precision - 1, 1);
    let mut remainder = s.zext(top, 1);
    let mut digits = Vec::new();
    for step in 0..precision + 2 {
        let digit = if step == 0 { bit(s, a.significand, 0) } else { digit };
        let (rest, fits) = divide_step(s, remainder, digit, b.significand);
        remainder = rest;
        digits.push(fits);
    }
    let quotient = join(s, &digits);
    let above_one = s.sign(quotient);
    let (large, small) = (s.slice(quotient, precision + 1, 1), s.slice(quotient, precision, 0));
    let significand = s.ite(above_one, large, small);
    let last = bit(s, quotient, 0);
    let last = s.and(last, above_one);
    let rest = s.redor(remainder);
    let sticky = s.or(rest, last);

    let width = s.width(a.exponent);
    let difference = s.sub(a.exponent, b.exponent);
    let bias = s.number(width, format.bias() as u64 - 1);
    let exponent = s.add(difference, bias);
    let carry = s.zext(above_one, width - 1);
    Exact { sign, exponent: s.add(exponent, carry), significand, sticky }
}

/// The root of a number is never outside the normal range.
pub fn square_root(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    a: Operand,
    normal: Normal,
) -> Fields {
    let sign = s.bool(false);
    let width = s.width(normal.exponent);
    let bias = s.number(width, format.bias() as u64);
    let doubled = s.add(normal.exponent, bias);
    // The bias is odd, so this is the parity of the exponent without it.
    let odd = bit(s, doubled, 0);
    let half = s.slice(doubled, width - 1, 1);
    let exponent = widen(s, half, width, true);
    let (high, low) = (pad(s, normal.significand, 1), s.zext(normal.significand, 1));
    let radicand = s.ite(odd, high, low);
    let radicand = pad(s, radicand, format.precision() + 1);
    let (significand, sticky) = root(s, radicand);
    let exact = Exact { sign, exponent, significand, sticky };
    let rounded = round(s, format, mode, exact, false).fields_in_range();

    let nonzero = s.not(a.class.zero);
    let negative = s.and(a.fields.sign, nonzero);
    let invalid = s.or(a.class.nan, negative);
    let zero = zero(s, format, a.fields.sign);
    let infinity = infinity(s, format, sign);
    let positive = positive_nan(s, &[a]);
    let nan = nan(s, format, positive);
    let rest = choose(s, a.class.zero, zero, rounded);
    let rest = choose(s, a.class.infinite, infinity, rest);
    choose(s, invalid, nan, rest)
}

/// The integer square root of a number of an even number of bits, and whether it is inexact.
///
/// After i digits the root q has i bits and the remainder, at most 2q, has i + 1. The next digit
/// is 1 if 4q + 1 fits into the remainder with the next two bits of the number.
fn root(s: &mut TermStore, number: Term) -> (Term, Term) {
    let width = s.width(number);
    let mut root: Option<Term> = None;
    let mut remainder: Option<Term> = None;
    for step in 1..=width / 2 {
        let low = width - 2 * step;
        let pair = s.slice(number, low + 1, low);
        let current = match remainder {
            Some(remainder) => s.concat(remainder, pair),
            None => s.zext(pair, 1),
        };
        let one = s.number(2, 1);
        let trial = root.map_or(one, |root| s.concat(root, one));
        let trial = s.zext(trial, 1);
        let difference = s.sub(current, trial);
        let negative = s.sign(difference);
        let (kept, reduced) = (s.slice(current, step, 0), s.slice(difference, step, 0));
        remainder = Some(s.ite(negative, kept, reduced));
        let digit = s.not(negative);
        root = Some(root.map_or(digit, |root| s.concat(root, digit)));
    }
    let (root, remainder) = root.zip(remainder).expect("at least two bits");
    (root, s.redor(remainder))
}
