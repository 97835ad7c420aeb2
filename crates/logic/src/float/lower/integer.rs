//! Rounding to integral numbers and conversion to integers.

use super::Operand;
use super::circuit::{and_not, any, bit, bits_for, only_if, widen};
use super::positive_nan;
use super::round::{Direction, choose, nan};
use super::unpack::Fields;
use crate::bitvec::BitVec;
use crate::float::FloatFormat;
use crate::term::{Term, TermStore};

/// How a number lies with respect to its last integral place.
struct Cut {
    last: Term,
    guard: Term,
    sticky: Term,
}

/// Rounds in place: the fraction bits are cleared, and the increment is added at the place of the
/// units to exponent and fraction as one number. For numbers from 1 to 2 that place is the last
/// bit of the exponent, which is set, as the bias is odd, and so stands for the integer bit too.
pub fn round_to_integral(s: &mut TermStore, format: FloatFormat, mode: Term, a: Operand) -> Fields {
    let Fields { sign, exponent, fraction } = a.fields;
    let (precision, bits) = (format.precision(), format.exponent_bits());
    let [one, integral] =
        [0, precision - 1].map(|above| s.number(bits, (format.bias() + above) as u64));
    let small = s.ult(exponent, one);
    let large = s.uge(exponent, integral);

    // The lowest bits of a number that is neither small nor large that are fraction.
    let count = s.sub(integral, exponent);
    let amount = match bits < precision {
        true => widen(s, count, precision, false),
        false => s.slice(count, precision - 1, 0),
    };
    let ones = s.ones(precision);
    let units_up = s.sll(ones, amount);
    let mask = s.not(units_up);
    let cut = middle(s, mask, fraction);
    let cut = below_one(s, format, a, small, cut);
    let direction = Direction::new(s, mode, sign);
    let increment = direction.increments(s, cut.last, cut.guard, cut.sticky);

    let unit = unit(s, mask);
    let addend = only_if(s, increment, unit);
    let addend = s.zext(addend, bits - 1);
    let low = s.slice(mask, precision - 2, 0);
    let cleared = and_not(s, fraction, low);
    let base = s.concat(exponent, cleared);
    let sum = s.add(base, addend);
    let (top, places) = (bits + precision - 2, precision - 1);
    let rounded =
        Fields { sign, exponent: s.slice(sum, top, places), fraction: s.slice(sum, places - 1, 0) };

    let tiny = Fields { sign, exponent: only_if(s, increment, one), fraction: s.zero(places) };
    let result = choose(s, small, tiny, rounded);
    let result = choose(s, large, a.fields, result);
    let positive = positive_nan(s, &[a]);
    let nan = nan(s, format, positive);
    choose(s, a.class.nan, nan, result)
}

/// The place of the units: the lowest that the mask leaves.
fn unit(s: &mut TermStore, mask: Term) -> Term {
    let rest = s.slice(mask, s.width(mask) - 2, 0);
    let one = s.bool(true);
    let shifted = s.concat(rest, one);
    and_not(s, shifted, mask)
}

/// The cut of a number of at least 1, given the mask of its fraction bits.
fn middle(s: &mut TermStore, mask: Term, fraction: Term) -> Cut {
    let one = s.bool(true);
    let significand = s.concat(one, fraction);
    let width = s.width(mask);
    let below = s.slice(mask, width - 1, 1);
    let below = s.zext(below, 1);
    let half = and_not(s, mask, below);
    let unit = unit(s, mask);
    let mut meets = |places: Term| {
        let common = s.and(significand, places);
        s.redor(common)
    };
    Cut { last: meets(unit), guard: meets(half), sticky: meets(below) }
}

/// Replaces the cut of a number below 1: the last integral place is 0.
fn below_one(s: &mut TermStore, format: FloatFormat, a: Operand, small: Term, cut: Cut) -> Cut {
    let half = s.number(format.exponent_bits(), format.bias() as u64 - 1);
    let guard = s.eq(a.fields.exponent, half);
    let fraction = s.redor(a.fields.fraction);
    let nonzero = s.not(a.class.zero);
    let sticky = s.ite(guard, fraction, nonzero);
    Cut {
        last: and_not(s, cut.last, small),
        guard: s.ite(small, guard, cut.guard),
        sticky: s.ite(small, sticky, cut.sticky),
    }
}

/// The rounded magnitude of a number as an integer.
struct Magnitude {
    /// One bit more than the width asked for.
    value: Term,
    /// Does not even fit that.
    huge: Term,
}

/// The significand is shifted out of a fraction part into an integer part of the wanted width.
fn magnitude(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    a: Operand,
    width: u32,
) -> Magnitude {
    let precision = format.precision();
    let (exponent, significand) = a.fields.plain(s);
    let size = (format.exponent_bits() + 1).max(bits_for(width) + 1);
    let exponent = widen(s, exponent, size, false);
    let half = s.number(size, format.bias() as u64 - 1);
    // 0 for numbers from 1/2 to 1.
    let shift = s.sub(exponent, half);
    let tiny = s.sign(shift);
    let bound = s.number(size, width as u64);
    let huge = s.sgt(shift, bound);
    let low = s.slice(shift, bits_for(width) - 1, 0);
    let register = s.zext(significand, width);
    let total = width + precision;
    let low = widen(s, low, total, false);
    let register = s.sll(register, low);

    let integer = s.slice(register, total - 1, precision);
    let nontiny = s.not(tiny);
    let integer = only_if(s, nontiny, integer);
    let guard = bit(s, register, precision - 1);
    let guard = s.and(guard, nontiny);
    let rest = s.slice(register, precision - 2, 0);
    let (rest, nonzero) = (s.redor(rest), s.redor(significand));
    let sticky = s.ite(tiny, nonzero, rest);
    let direction = Direction::new(s, mode, a.fields.sign);
    let last = bit(s, integer, 0);
    let increment = direction.increments(s, last, guard, sticky);
    let (integer, increment) = (s.zext(integer, 1), s.zext(increment, width));
    Magnitude { value: s.add(integer, increment), huge }
}

pub fn to_signed(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    a: Operand,
    width: u32,
) -> Term {
    let Magnitude { value, huge } = magnitude(s, format, mode, a, width);
    let sign = a.fields.sign;
    let least = s.constant(BitVec::min_signed(width));
    let low = s.slice(value, width - 1, 0);
    let (carry, top) = (s.sign(value), s.sign(low));
    let is_least = s.eq(low, least);
    let fits = s.and(sign, is_least);
    let beyond = and_not(s, top, fits);
    let special = s.redand(a.fields.exponent);
    let unfit = any(s, &[huge, carry, beyond, special]);
    let negated = s.neg(low);
    let result = s.ite(sign, negated, low);
    s.ite(unfit, least, result)
}

pub fn to_unsigned(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    a: Operand,
    width: u32,
) -> Term {
    let Magnitude { value, huge } = magnitude(s, format, mode, a, width);
    let (carry, low) = (s.sign(value), s.slice(value, width - 1, 0));
    let above = any(s, &[huge, carry, a.class.infinite]);
    let (zero, ones) = (s.zero(width), s.ones(width));
    let result = s.ite(above, ones, low);
    let result = s.ite(a.fields.sign, zero, result);
    s.ite(a.class.nan, ones, result)
}
