//! Rounding and packing, shared by all operators.
//!
//! Exponent and fraction are rounded as one number: a carry out of the fraction is what the
//! exponent needs, also from subnormal to normal numbers and from the largest one to infinity.

use super::circuit::{any, bit, join, only_if, shift_right};
use super::unpack::Fields;
use crate::bitvec::BitVec;
use crate::float::{FloatFormat, Rounding};
use crate::term::{Term, TermStore};

/// A rounding mode together with the sign of what is rounded.
#[derive(Clone, Copy, Debug)]
pub struct Direction {
    nearest: Term,
    /// Ties go away from zero.
    ties_away: Term,
    /// Everything goes away from zero.
    outward: Term,
}

/// Whether a mode rounds towards minus infinity; then exact sums of opposite numbers are -0.
pub fn is_down(s: &mut TermStore, mode: Term) -> Term {
    let down = s.rounding(Rounding::Down);
    s.eq(mode, down)
}

impl Direction {
    pub fn new(s: &mut TermStore, mode: Term, sign: Term) -> Direction {
        let [even, up] = [Rounding::NearestEven, Rounding::Up].map(|mode| s.rounding(mode));
        let ties_away = bit(s, mode, 2);
        let even = s.eq(mode, even);
        let nearest = s.or(even, ties_away);
        let (up, down) = (s.eq(mode, up), is_down(s, mode));
        let outward = s.ite(sign, down, up);
        Direction { nearest, ties_away, outward }
    }

    /// Whether the magnitude grows, given its last place, the place after it and whether anything
    /// follows.
    pub fn increments(self, s: &mut TermStore, last: Term, guard: Term, sticky: Term) -> Term {
        let beyond_tie = any(s, &[self.ties_away, sticky, last]);
        let half = s.and(guard, beyond_tie);
        let inexact = s.or(guard, sticky);
        let (nearest, outward) = (s.and(self.nearest, half), s.and(self.outward, inexact));
        s.or(nearest, outward)
    }

    /// Whether numbers beyond the range become infinite rather than the largest number.
    fn overflows_to_infinity(self, s: &mut TermStore) -> Term {
        s.or(self.nearest, self.outward)
    }
}

/// A finite number on its way into a format.
#[derive(Clone, Copy, Debug)]
pub struct Exact {
    pub sign: Term,
    /// Signed, at least two bits wider than the format's.
    pub exponent: Term,
    /// One place more than the precision; the top bit is set.
    pub significand: Term,
    /// Whether anything follows.
    pub sticky: Term,
}

/// A rounded magnitude: the fields may be too large for the format.
#[derive(Clone, Copy, Debug)]
pub struct Rounded {
    pub sign: Term,
    pub exponent: Term,
    pub fraction: Term,
    pub overflow: Term,
    direction: Direction,
}

/// Rounds a number. `underflows` says that it may be below the normal range.
pub fn round(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    exact: Exact,
    underflows: bool,
) -> Rounded {
    let Exact { sign, exponent, mut significand, mut sticky } = exact;
    let above_least = s.dec(exponent);
    let width = s.width(exponent);
    let below = s.sign(above_least);
    let mut left = s.slice(above_least, width - 2, 0);
    if underflows {
        let distance = s.neg(above_least);
        let amount = only_if(s, below, distance);
        let (shifted, lost) = shift_right(s, significand, amount);
        significand = shifted;
        sticky = s.or(sticky, lost);
        let normal = s.not(below);
        left = only_if(s, normal, left);
    }
    let guard = bit(s, significand, 0);
    let significand = s.slice(significand, format.precision(), 1);
    let direction = Direction::new(s, mode, sign);
    finish(s, format, sign, left, significand, (guard, sticky), direction)
}

/// Rounds a significand at its end. `left` is the exponent less one, or 0 if the integer bit, on
/// top of the significand, is not set.
pub fn finish(
    s: &mut TermStore,
    format: FloatFormat,
    sign: Term,
    left: Term,
    significand: Term,
    (guard, sticky): (Term, Term),
    direction: Direction,
) -> Rounded {
    let places = format.precision() - 1;
    let last = bit(s, significand, 0);
    let increment = direction.increments(s, last, guard, sticky);
    let (integer, fraction) = (bit(s, significand, places), s.slice(significand, places - 1, 0));
    let width = s.width(left) + 1;
    let left = s.zext(left, 1);
    let base = s.concat(left, fraction);
    let gap = s.zero(places - 1);
    let addend = join(s, &[integer, gap, increment]);
    let addend = s.zext(addend, width - 1);
    let sum = s.add(base, addend);
    let exponent = s.slice(sum, width + places - 1, places);
    let fraction = s.slice(sum, places - 1, 0);
    let overflow = exceeds(s, format, exponent);
    let exponent = s.slice(exponent, format.exponent_bits() - 1, 0);
    Rounded { sign, exponent, fraction, overflow, direction }
}

/// Whether an exponent is beyond those of finite numbers.
fn exceeds(s: &mut TermStore, format: FloatFormat, exponent: Term) -> Term {
    let (bits, width) = (format.exponent_bits(), s.width(exponent));
    let low = s.slice(exponent, bits - 1, 0);
    let special = s.redand(low);
    let high = s.slice(exponent, width - 1, bits);
    let beyond = s.redor(high);
    s.or(special, beyond)
}

impl Rounded {
    /// The result with infinity, or the largest number, in the place of what is too large.
    pub fn fields(self, s: &mut TermStore, format: FloatFormat) -> Fields {
        let infinite = self.direction.overflows_to_infinity(s);
        let infinity = infinity(s, format, self.sign);
        let (top, ones) = (s.ones(format.exponent_bits()), s.ones(format.precision() - 1));
        let largest = Fields { sign: self.sign, exponent: s.dec(top), fraction: ones };
        let limit = choose(s, infinite, infinity, largest);
        let rest = Fields { sign: self.sign, exponent: self.exponent, fraction: self.fraction };
        choose(s, self.overflow, limit, rest)
    }

    /// The result of an operation that cannot overflow.
    pub fn fields_in_range(self) -> Fields {
        Fields { sign: self.sign, exponent: self.exponent, fraction: self.fraction }
    }
}

pub fn choose(s: &mut TermStore, condition: Term, then: Fields, other: Fields) -> Fields {
    Fields {
        sign: s.ite(condition, then.sign, other.sign),
        exponent: s.ite(condition, then.exponent, other.exponent),
        fraction: s.ite(condition, then.fraction, other.fraction),
    }
}

pub fn infinity(s: &mut TermStore, format: FloatFormat, sign: Term) -> Fields {
    let (exponent, fraction) = (s.ones(format.exponent_bits()), s.zero(format.precision() - 1));
    Fields { sign, exponent, fraction }
}

pub fn zero(s: &mut TermStore, format: FloatFormat, sign: Term) -> Fields {
    let (exponent, fraction) = (s.zero(format.exponent_bits()), s.zero(format.precision() - 1));
    Fields { sign, exponent, fraction }
}

/// The canonical NaN, given whether some operand is a positive one.
pub fn nan(s: &mut TermStore, format: FloatFormat, positive: Term) -> Fields {
    let fraction = s.constant(BitVec::min_signed(format.precision() - 1));
    Fields { sign: s.not(positive), exponent: s.ones(format.exponent_bits()), fraction }
}
