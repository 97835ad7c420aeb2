//! Operands taken apart.

use super::circuit::{and_not, bit, join, normalize, widen};
use crate::float::FloatFormat;
use crate::term::{Term, TermStore};

/// The fields of a float in the form with an implicit integer bit, whatever its format.
#[derive(Clone, Copy, Debug)]
pub struct Fields {
    pub sign: Term,
    pub exponent: Term,
    /// One bit less than the precision.
    pub fraction: Term,
}

/// What kind of number it is; at most one holds.
#[derive(Clone, Copy, Debug)]
pub struct Class {
    pub nan: Term,
    pub infinite: Term,
    pub zero: Term,
}

/// A finite number other than 0 as a significand whose top bit is set and a signed exponent, with
/// two bits more than the format's, as it would be written if it had no lower bound.
#[derive(Clone, Copy, Debug)]
pub struct Normal {
    pub exponent: Term,
    pub significand: Term,
}

impl Fields {
    pub fn unpack(s: &mut TermStore, format: FloatFormat, float: Term) -> Fields {
        let sign = s.float_sign(format, float);
        let exponent = s.float_implicit_exponent(format, float);
        let fraction = s.float_fraction(format, float);
        let fields = Fields { sign, exponent, fraction };
        match format.has_integer_bit() {
            true => fields.with_unnormals(s, format, float),
            false => fields,
        }
    }

    /// Makes proper NaNs of encodings that only count as such.
    fn with_unnormals(self, s: &mut TermStore, format: FloatFormat, float: Term) -> Fields {
        let nan = s.float_is_nan(format, float);
        let width = s.width(self.fraction);
        let ones = s.sext(nan, format.exponent_bits() - 1);
        let exponent = s.or(self.exponent, ones);
        let (quiet, payload) =
            (bit(s, self.fraction, width - 1), s.slice(self.fraction, width - 2, 0));
        let quiet = s.or(quiet, nan);
        Fields { sign: self.sign, exponent, fraction: s.concat(quiet, payload) }
    }

    /// The bits of the float.
    pub fn pack(self, s: &mut TermStore, format: FloatFormat) -> Term {
        if !format.has_integer_bit() {
            return join(s, &[self.sign, self.exponent, self.fraction]);
        }
        let integer = s.redor(self.exponent);
        join(s, &[self.sign, self.exponent, integer, self.fraction])
    }

    pub fn class(self, s: &mut TermStore) -> Class {
        let special = s.redand(self.exponent);
        let (written, fraction) = (s.redor(self.exponent), s.redor(self.fraction));
        let nan = s.and(special, fraction);
        let infinite = and_not(s, special, fraction);
        let nonzero = s.or(written, fraction);
        Class { nan, infinite, zero: s.not(nonzero) }
    }

    /// The exponent, which for subnormal numbers is 1, and the significand with its integer bit.
    pub fn plain(self, s: &mut TermStore) -> (Term, Term) {
        let integer = s.redor(self.exponent);
        let top = s.width(self.exponent) - 1;
        let (high, low) = (s.slice(self.exponent, top, 1), bit(s, self.exponent, 0));
        let subnormal = s.not(integer);
        let low = s.or(low, subnormal);
        (s.concat(high, low), s.concat(integer, self.fraction))
    }

    pub fn normal(self, s: &mut TermStore) -> Normal {
        let (exponent, significand) = self.plain(s);
        let width = s.width(exponent) + 2;
        let (significand, shift) = normalize(s, significand);
        let (exponent, shift) = (widen(s, exponent, width, false), widen(s, shift, width, false));
        Normal { exponent: s.sub(exponent, shift), significand }
    }
}
