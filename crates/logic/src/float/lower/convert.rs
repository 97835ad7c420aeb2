//! Conversions between formats and from integers.

use super::circuit::{bits_for, normalize, pad, widen};
use super::round::{Exact, choose, infinity, nan, round, zero};
use super::unpack::{Fields, Normal};
use super::{Operand, positive_nan};
use crate::float::FloatFormat;
use crate::term::{Term, TermStore};

/// Whether all subnormal numbers of one format are less than half of the least number of another.
pub fn subnormals_vanish(from: FloatFormat, to: FloatFormat) -> bool {
    from.bias() > to.bias() + to.precision()
}

/// The first places of a significand, one more than the precision, and whether anything follows.
fn split(s: &mut TermStore, format: FloatFormat, significand: Term) -> (Term, Term) {
    let (width, wanted) = (s.width(significand), format.precision() + 1);
    if width <= wanted {
        return (pad(s, significand, wanted - width), s.bool(false));
    }
    let rest = s.slice(significand, width - wanted - 1, 0);
    (s.slice(significand, width - 1, width - wanted), s.redor(rest))
}

/// `number` need not have its top bit set where [`subnormals_vanish`].
pub fn convert(
    s: &mut TermStore,
    (from, to): (FloatFormat, FloatFormat),
    mode: Term,
    a: Operand,
    number: Normal,
) -> Fields {
    let width = s.width(number.exponent).max(to.exponent_bits() + 2);
    let exponent = widen(s, number.exponent, width, true);
    let (old, new) = (from.bias() as u64, to.bias() as u64);
    let offset = s.number(width, new.wrapping_sub(old));
    let exponent = s.add(exponent, offset);
    let (significand, sticky) = split(s, to, number.significand);
    let exact = Exact { sign: a.fields.sign, exponent, significand, sticky };
    let all_normal = to.bias() >= from.bias() + from.precision() - 1;
    let rounded = round(s, to, mode, exact, !all_normal);
    let fits = to.bias() > from.bias();
    let rounded = if fits { rounded.fields_in_range() } else { rounded.fields(s, to) };

    let zero = zero(s, to, a.fields.sign);
    let infinity = infinity(s, to, a.fields.sign);
    let positive = positive_nan(s, &[a]);
    let nan = nan(s, to, positive);
    let rest = choose(s, a.class.zero, zero, rounded);
    let rest = choose(s, a.class.infinite, infinity, rest);
    choose(s, a.class.nan, nan, rest)
}

pub fn from_integer(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    integer: Term,
    signed: bool,
) -> Fields {
    let size = s.width(integer);
    let (sign, magnitude) = match signed {
        true => {
            let (sign, negated) = (s.sign(integer), s.neg(integer));
            (sign, s.ite(sign, negated, integer))
        }
        false => (s.bool(false), integer),
    };
    let padding = (format.precision() + 2).saturating_sub(size);
    let magnitude = pad(s, magnitude, padding);
    let (significand, shift) = normalize(s, magnitude);
    let nonzero = s.sign(significand);
    let (significand, sticky) = split(s, format, significand);

    let highest = format.bias() + size - 1;
    let width = (format.exponent_bits() + 2).max(bits_for(highest) + 2).max(s.width(shift) + 1);
    let (highest, shift) = (s.number(width, highest as u64), widen(s, shift, width, false));
    let exponent = s.sub(highest, shift);
    let exact = Exact { sign, exponent, significand, sticky };
    let rounded = round(s, format, mode, exact, false);
    let fits = size <= format.bias();
    let rounded = if fits { rounded.fields_in_range() } else { rounded.fields(s, format) };
    let zero = zero(s, format, sign);
    choose(s, nonzero, rounded, zero)
}
