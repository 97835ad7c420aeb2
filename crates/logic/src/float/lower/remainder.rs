//! `fmod` and the IEEE remainder.
//!
//! With significands x and y the remainder is x * 2^d mod y, where the distance d of the exponents
//! has as many bits as an exponent. Dividing digit by digit would take d steps, over two thousand
//! for `double` and thirty thousand for `long double`. Instead 2^d mod y is computed by repeated
//! squaring, from the top bits of d downwards: one modular multiplication per bit, without the
//! first few, for which 2^d is written down directly.
//!
//! The IEEE remainder takes the quotient n to the nearest even. Computing modulo 4y in units of
//! half a last place of y leaves the parity of n and the exact half of y at hand; it also covers
//! the operands just below y, for which n may be 1.

use super::circuit::{any, bit, bits_for, divide_step, modulo, normalize, pad, widen};
use super::round::{Exact, choose, nan, round, zero};
use super::unpack::{Fields, Normal};
use super::{Operand, positive_nan};
use crate::float::{FloatFormat, Rounding};
use crate::term::{Term, TermStore};

pub fn remainder(
    s: &mut TermStore,
    format: FloatFormat,
    (a, b): (Operand, Operand),
    (x, y): (Normal, Normal),
    nearest: bool,
) -> Fields {
    let width = format.exponent_bits() + 3;
    let (x_exponent, y_exponent) =
        (widen(s, x.exponent, width, true), widen(s, y.exponent, width, true));
    // The exponent of the units of the result.
    let unit = if nearest { s.dec(y_exponent) } else { y_exponent };
    let distance = s.sub(x_exponent, unit);
    let below = s.sign(distance);
    let distance = s.slice(distance, bits_for(largest_distance(format)) - 1, 0);
    let modulus = if nearest { pad(s, y.significand, 2) } else { y.significand };
    let rest = scaled_modulo(s, x.significand, distance, modulus);
    let (rest, negated) = match nearest {
        true => to_nearest(s, y.significand, rest),
        false => (rest, s.bool(false)),
    };

    let sign = s.xor(a.fields.sign, negated);
    let nonzero = s.redor(rest);
    let (significand, shift) = normalize(s, rest);
    let shift = widen(s, shift, width, false);
    let exponent = s.sub(unit, shift);
    let significand = pad(s, significand, 1);
    let exact = Exact { sign, exponent, significand, sticky: s.bool(false) };
    let mode = s.rounding(Rounding::NearestEven);
    let result = round(s, format, mode, exact, true).fields_in_range();
    let zero = zero(s, format, a.fields.sign);
    let result = choose(s, nonzero, result, zero);

    let unchanged = any(s, &[below, a.class.zero, b.class.infinite]);
    let invalid = any(s, &[a.class.nan, b.class.nan, a.class.infinite, b.class.zero]);
    let positive = positive_nan(s, &[a, b]);
    let nan = nan(s, format, positive);
    let result = choose(s, unchanged, a.fields, result);
    choose(s, invalid, nan, result)
}

/// The exponents of normalised numbers lie between 2 - precision and 2^bits - 2.
fn largest_distance(format: FloatFormat) -> u32 {
    (1 << format.exponent_bits()) + format.precision() - 3
}

/// `word * 2^distance` modulo a number whose top bit is set.
fn scaled_modulo(s: &mut TermStore, word: Term, distance: Term, modulus: Term) -> Term {
    let bits = s.width(distance);
    let direct = bits_for(s.width(modulus)).min(bits);
    let top = s.slice(distance, bits - 1, bits - direct);
    let size = (1u32 << direct).max(s.width(modulus) + 1);
    let one = s.one(size);
    let top = widen(s, top, size, false);
    let power = s.sll(one, top);
    let mut power = modulo(s, power, modulus);
    for place in (0..bits - direct).rev() {
        let square = multiply_modulo(s, power, power, modulus);
        let digit = s.bool(false);
        let doubled = divide_step(s, square, digit, modulus).0;
        let odd = bit(s, distance, place);
        power = s.ite(odd, doubled, square);
    }
    multiply_modulo(s, power, word, modulus)
}

fn multiply_modulo(s: &mut TermStore, a: Term, b: Term, modulus: Term) -> Term {
    let (width_a, width_b) = (s.width(a), s.width(b));
    let (a, b) = (s.zext(a, width_b), s.zext(b, width_a));
    let product = s.mul(a, b);
    modulo(s, product, modulus)
}

/// The remainder modulo 4y, in units of which y is two, moved to between -y/2 and y/2: its
/// magnitude, and whether it is negative.
fn to_nearest(s: &mut TermStore, y: Term, rest: Term) -> (Term, Term) {
    let precision = s.width(y);
    let padded = pad(s, y, 1);
    let whole = s.zext(padded, 1);
    let below = s.ult(rest, whole);
    let odd = s.not(below);
    let reduced = s.sub(rest, whole);
    let rest = s.ite(odd, reduced, rest);
    // Now less than y, which is 2 * half.
    let half = s.zext(y, 2);
    let (above, tie) = (s.ugt(rest, half), s.eq(rest, half));
    let tie = s.and(tie, odd);
    let up = s.or(above, tie);
    let other = s.sub(whole, rest);
    let magnitude = s.ite(up, other, rest);
    (s.slice(magnitude, precision - 1, 0), up)
}
