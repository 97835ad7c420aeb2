//! Addition and subtraction on a single path.
//!
//! The operand of smaller magnitude is aligned to the other with two more places and a sticky bit,
//! which is all that rounding after a cancellation can need: a cancellation of more than one place
//! happens only if the exponents differ by at most one, and then nothing was lost. A sum below the
//! normal range is exact, so shifting to the left as far as the exponent allows is all the
//! normalisation there is.

use super::circuit::{add_carry, and_not, any, bit, join, normalize_within, only_if, shift_right};
use super::round::{Direction, choose, finish, infinity, is_down, nan};
use super::unpack::Fields;
use crate::float::FloatFormat;
use crate::term::{Term, TermStore};

/// An operand with the sign it has in the sum and the one it is written with.
#[derive(Clone, Copy)]
struct Summand {
    fields: Fields,
    written: Term,
}

pub fn add(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    a: Fields,
    b: Fields,
    subtract: bool,
) -> Fields {
    let negated = Fields { sign: s.not(b.sign), ..b };
    let a = Summand { fields: a, written: a.sign };
    let b = Summand { fields: if subtract { negated } else { b }, written: b.sign };
    let (large, small) = order(s, a, b);
    let opposite = s.xor(large.fields.sign, small.fields.sign);
    let sum = finite(s, format, mode, (large.fields, small.fields), opposite);
    special(s, format, (large, small), opposite, sum)
}

/// The operands in the order of their magnitudes, the larger first.
fn order(s: &mut TermStore, a: Summand, b: Summand) -> (Summand, Summand) {
    let magnitude_a = s.concat(a.fields.exponent, a.fields.fraction);
    let magnitude_b = s.concat(b.fields.exponent, b.fields.fraction);
    let swap = s.ult(magnitude_a, magnitude_b);
    let mut either = |a: Summand, b: Summand| Summand {
        fields: choose(s, swap, b.fields, a.fields),
        written: s.ite(swap, b.written, a.written),
    };
    (either(a, b), either(b, a))
}

fn finite(
    s: &mut TermStore,
    format: FloatFormat,
    mode: Term,
    (large, small): (Fields, Fields),
    opposite: Term,
) -> Fields {
    let ((exponent, high), (small_exponent, low)) = (large.plain(s), small.plain(s));
    let distance = s.sub(exponent, small_exponent);
    let places = s.zero(2);
    let low = s.concat(low, places);
    let (low, sticky) = shift_right(s, low, distance);
    let sum = add_aligned(s, high, low, sticky, opposite);

    let width = s.width(sum);
    let (shifted, left) = normalize_within(s, sum, exponent);
    let integer = s.sign(shifted);
    let left = only_if(s, integer, left);
    let significand = s.slice(shifted, width - 1, 4);
    let (guard, rest) = (bit(s, shifted, 3), s.slice(shifted, 2, 0));
    let sticky = s.redor(rest);
    let direction = Direction::new(s, mode, large.sign);
    let rounded = finish(s, format, large.sign, left, significand, (guard, sticky), direction);
    let fields = rounded.fields(s, format);
    let sign = sign_of_sum(s, mode, sum, large.sign, opposite);
    Fields { sign, ..fields }
}

/// The sum or difference with room for a carry. `low` and the sticky bit have three places more
/// than `high` and do not exceed it.
pub fn add_aligned(s: &mut TermStore, high: Term, low: Term, sticky: Term, opposite: Term) -> Term {
    let (room, places) = (s.bool(false), s.zero(3));
    let high = join(s, &[room, high, places]);
    let low = join(s, &[room, low, sticky]);
    let mask = s.sext(opposite, s.width(low) - 1);
    let low = s.xor(low, mask);
    add_carry(s, high, low, opposite)
}

/// Opposite numbers of equal magnitude add up to +0, or to -0 when rounding down.
pub fn sign_of_sum(s: &mut TermStore, mode: Term, sum: Term, sign: Term, opposite: Term) -> Term {
    let nonzero = s.redor(sum);
    let cancelled = and_not(s, opposite, nonzero);
    let down = is_down(s, mode);
    s.ite(cancelled, down, sign)
}

/// As infinity is larger than all numbers and NaNs are larger than infinity, the larger operand
/// tells nearly everything.
fn special(
    s: &mut TermStore,
    format: FloatFormat,
    (large, small): (Summand, Summand),
    opposite: Term,
    sum: Fields,
) -> Fields {
    let special = s.redand(large.fields.exponent);
    let small_special = s.redand(small.fields.exponent);
    let (payload, small_payload) = (s.redor(large.fields.fraction), s.redor(small.fields.fraction));
    let (nan_large, nan_small) = (s.and(special, payload), s.and(small_special, small_payload));
    let both = s.and(special, small_special);
    let invalid = s.and(both, opposite);
    let is_nan = s.or(nan_large, invalid);
    let positive_large = and_not(s, nan_large, large.written);
    let positive_small = and_not(s, nan_small, small.written);
    let positive = any(s, &[positive_large, positive_small]);
    let (nan, infinity) = (nan(s, format, positive), infinity(s, format, large.fields.sign));
    let rest = choose(s, special, infinity, sum);
    choose(s, is_nan, nan, rest)
}
