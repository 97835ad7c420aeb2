//! Operators that are built from the bits at once: signs, comparisons, classes, minima.
//!
//! The magnitude of a float is ordered like its bits without the sign. In the 80-bit format the
//! integer bit is dropped first; a pseudo-denormal gets the exponent 1, which is what it stands
//! for.

use super::FloatFormat;
use crate::bitvec::BitVec;
use crate::term::{Term, TermStore};

impl TermStore {
    /// A floating-point constant given by its bits.
    pub fn float_constant(&mut self, format: FloatFormat, bits: u128) -> Term {
        self.constant(BitVec::from_biguint(format.width(), bits.into()))
    }

    /// The sign bit, also of zeros and NaNs.
    pub fn float_sign(&mut self, format: FloatFormat, a: Term) -> Term {
        debug_assert_eq!(self.width(a), format.width());
        self.sign(a)
    }
    /// The float with another sign.
    fn float_with_sign(&mut self, format: FloatFormat, a: Term, sign: Term) -> Term {
        let rest = self.slice(a, format.width() - 2, 0);
        self.concat(sign, rest)
    }
    pub fn float_neg(&mut self, format: FloatFormat, a: Term) -> Term {
        let sign = self.float_sign(format, a);
        let sign = self.not(sign);
        self.float_with_sign(format, a, sign)
    }
    pub fn float_abs(&mut self, format: FloatFormat, a: Term) -> Term {
        let sign = self.bool(false);
        self.float_with_sign(format, a, sign)
    }
    /// The magnitude of `a` with the sign of `b`.
    pub fn float_copy_sign(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let sign = self.float_sign(format, b);
        self.float_with_sign(format, a, sign)
    }

    /// The biased exponent as it is written.
    pub(super) fn float_exponent(&mut self, format: FloatFormat, a: Term) -> Term {
        let low = format.width() - 1 - format.exponent_bits();
        self.slice(a, format.width() - 2, low)
    }
    /// The significand without the integer bit.
    pub(super) fn float_fraction(&mut self, format: FloatFormat, a: Term) -> Term {
        self.slice(a, format.precision() - 2, 0)
    }
    /// The integer bit of the 80-bit format.
    fn float_integer_bit(&mut self, format: FloatFormat, a: Term) -> Term {
        let place = format.precision() - 1;
        self.slice(a, place, place)
    }

    /// The exponent of a format with an implicit integer bit: that of a pseudo-denormal is 1.
    pub(super) fn float_implicit_exponent(&mut self, format: FloatFormat, a: Term) -> Term {
        let exponent = self.float_exponent(format, a);
        if !format.has_integer_bit() {
            return exponent;
        }
        let written = self.redor(exponent);
        let integer = self.float_integer_bit(format, a);
        let pseudo = self.nor_not(written, integer);
        let low = self.slice(exponent, 0, 0);
        let low = self.or(low, pseudo);
        let high = self.slice(exponent, format.exponent_bits() - 1, 1);
        self.concat(high, low)
    }
    /// `!a & b`
    fn nor_not(&mut self, a: Term, b: Term) -> Term {
        let not_a = self.not(a);
        self.and(not_a, b)
    }

    /// Exponent and fraction as one number, in the order of the magnitudes of numbers.
    fn float_magnitude(&mut self, format: FloatFormat, a: Term) -> Term {
        let exponent = self.float_implicit_exponent(format, a);
        let fraction = self.float_fraction(format, a);
        self.concat(exponent, fraction)
    }

    pub fn float_is_nan(&mut self, format: FloatFormat, a: Term) -> Term {
        let exponent = self.float_exponent(format, a);
        let special = self.redand(exponent);
        let fraction = self.float_fraction(format, a);
        let payload = self.redor(fraction);
        let nan = self.and(special, payload);
        if !format.has_integer_bit() {
            return nan;
        }
        // An exponent other than 0 demands the integer bit.
        let written = self.redor(exponent);
        let integer = self.float_integer_bit(format, a);
        let unnormal = self.nor_not(integer, written);
        self.or(nan, unnormal)
    }
    pub fn float_is_infinite(&mut self, format: FloatFormat, a: Term) -> Term {
        let magnitude = self.slice(a, format.width() - 2, 0);
        let infinity = format.infinity().slice(format.width() - 2, 0);
        let infinity = self.constant(infinity);
        self.eq(magnitude, infinity)
    }
    pub fn float_is_finite(&mut self, format: FloatFormat, a: Term) -> Term {
        let exponent = self.float_exponent(format, a);
        let special = self.redand(exponent);
        let finite = self.not(special);
        if !format.has_integer_bit() {
            return finite;
        }
        let nan = self.float_is_nan(format, a);
        self.nor_not(nan, finite)
    }
    /// Of either sign.
    pub fn float_is_zero(&mut self, format: FloatFormat, a: Term) -> Term {
        let magnitude = self.slice(a, format.width() - 2, 0);
        let nonzero = self.redor(magnitude);
        self.not(nonzero)
    }
    pub fn float_is_subnormal(&mut self, format: FloatFormat, a: Term) -> Term {
        let exponent = self.float_implicit_exponent(format, a);
        let written = self.redor(exponent);
        let fraction = self.float_fraction(format, a);
        let nonzero = self.redor(fraction);
        self.nor_not(written, nonzero)
    }
    /// Neither zero, subnormal, infinite nor NaN.
    pub fn float_is_normal(&mut self, format: FloatFormat, a: Term) -> Term {
        let exponent = self.float_implicit_exponent(format, a);
        let written = self.redor(exponent);
        let finite = self.float_is_finite(format, a);
        self.and(written, finite)
    }

    /// C's `fpclassify` as a number of `width` bits, with the numbers for NaN, infinite, zero,
    /// subnormal and normal in this order; glibc's are 0 to 4.
    pub fn float_classify(
        &mut self,
        format: FloatFormat,
        a: Term,
        width: u32,
        classes: [u64; 5],
    ) -> Term {
        let tests = [
            self.float_is_nan(format, a),
            self.float_is_infinite(format, a),
            self.float_is_zero(format, a),
            self.float_is_subnormal(format, a),
        ];
        let mut class = self.number(width, classes[4]);
        for (test, number) in tests.into_iter().zip(classes) {
            let number = self.number(width, number);
            class = self.ite(test, number, class);
        }
        class
    }

    /// Whether one of the two is NaN.
    pub fn float_unordered(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let (nan_a, nan_b) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        self.or(nan_a, nan_b)
    }
    /// `a == b` of C: zeros are equal, a NaN equals nothing.
    pub fn float_eq(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let (magnitude_a, magnitude_b) =
            (self.float_magnitude(format, a), self.float_magnitude(format, b));
        let same = self.eq(magnitude_a, magnitude_b);
        let (sign_a, sign_b) = (self.sign(a), self.sign(b));
        let same_sign = self.xnor(sign_a, sign_b);
        let zero = self.float_is_zero(format, a);
        let signs = self.or(same_sign, zero);
        let equal = self.and(same, signs);
        // Of two equal floats one suffices, unless the encoding has more NaNs than magnitudes.
        let unordered = match format.has_integer_bit() {
            true => self.float_unordered(format, a, b),
            false => self.float_is_nan(format, a),
        };
        self.nor_not(unordered, equal)
    }
    /// `a < b` of C.
    pub fn float_lt(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        self.float_compare(format, a, b, false)
    }
    /// `a <= b` of C.
    pub fn float_le(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        self.float_compare(format, a, b, true)
    }

    fn float_compare(&mut self, format: FloatFormat, a: Term, b: Term, or_equal: bool) -> Term {
        let (magnitude_a, magnitude_b) =
            (self.float_magnitude(format, a), self.float_magnitude(format, b));
        let (sign_a, sign_b) = (self.sign(a), self.sign(b));
        // The larger magnitude is the smaller number among negative ones.
        let (less, more) = (self.ult(magnitude_a, magnitude_b), self.ult(magnitude_b, magnitude_a));
        let (above, below) = match or_equal {
            true => (self.not(more), self.not(less)),
            false => (less, more),
        };
        let same_sign = self.ite(sign_a, below, above);
        // Of different signs the negative one is smaller, unless both are zero.
        let (zero_a, zero_b) = (self.float_is_zero(format, a), self.float_is_zero(format, b));
        let zeros = self.and(zero_a, zero_b);
        let differ = match or_equal {
            true => self.or(sign_a, zeros),
            false => self.nor_not(zeros, sign_a),
        };
        let signs = self.xor(sign_a, sign_b);
        let holds = self.ite(signs, differ, same_sign);
        let unordered = self.float_unordered(format, a, b);
        self.nor_not(unordered, holds)
    }

    /// C's `fmin`: a NaN does not count; of equal numbers, the first.
    pub fn float_min(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let first = self.float_le(format, a, b);
        self.float_choose(format, first, a, b)
    }
    /// C's `fmax`: a NaN does not count; of equal numbers, the first.
    pub fn float_max(&mut self, format: FloatFormat, a: Term, b: Term) -> Term {
        let first = self.float_le(format, b, a);
        self.float_choose(format, first, a, b)
    }
    fn float_choose(&mut self, format: FloatFormat, first: Term, a: Term, b: Term) -> Term {
        let (nan_a, nan_b) = (self.float_is_nan(format, a), self.float_is_nan(format, b));
        let only_b = self.nor_not(nan_a, nan_b);
        let first = self.or(first, only_b);
        self.ite(first, a, b)
    }
    /// C's `fdim`: the difference if that is positive, else 0.
    pub fn float_positive_difference(
        &mut self,
        format: FloatFormat,
        mode: Term,
        a: Term,
        b: Term,
    ) -> Term {
        let difference = self.float_sub(format, mode, a, b);
        let (none, zero) = (self.float_le(format, a, b), self.zero(format.width()));
        self.ite(none, zero, difference)
    }
}
