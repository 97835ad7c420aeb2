//! IEEE 754 floating point on terms.
//!
//! A float is a bit-vector of its format's width; there is no sort of its own, and reinterpreting
//! bits costs nothing. What needs rounding is a kernel operator ([`FloatOp`]), evaluated by
//! `rustc_apfloat` ([`evaluate`]) and, independently of that, translated to bit-vector terms
//! ([`Lowering`]). Everything else (signs, comparisons, classes, minima) is built from the bits at
//! once, in the module `bits`.
//!
//! Not-a-number. A NaN that an operator makes is quiet with an otherwise empty payload. It is
//! negative, as x86's default NaN is, unless some NaN among the operands is positive. That is what
//! SSE code shows of the sign except where two NaNs of different signs meet, where it depends on
//! the order in which the compiler put them; here it does not, so addition, multiplication and the
//! factors of a fused multiply-add commute.
//!
//! Encodings of the 80-bit format whose integer bit does not fit their exponent: pseudo-denormals
//! count as the number they spell, everything else (unnormals, pseudo-infinities, pseudo-NaNs) as
//! NaN, as on the hardware. Operators make canonical encodings only.

mod bits;
mod build;
mod evaluate;
mod lower;
mod simplify;
mod smtlib;

pub use evaluate::evaluate;
pub use lower::{Lowering, lower_floats};
pub(crate) use simplify::simplify;
pub use smtlib::script;

use crate::bitvec::BitVec;
use num_bigint::BigUint;

/// A floating-point format.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatFormat {
    /// 8 bits, 4 of them for the exponent: small enough for exhaustive tests.
    Mini,
    /// binary16, `_Float16`
    Half,
    /// binary32, `float`
    Single,
    /// binary64, `double`
    Double,
    /// The 80 bits of the x87, `long double`; the integer bit of the significand is written out.
    Extended,
    /// binary128, `_Float128`
    Quad,
}

impl FloatFormat {
    pub const ALL: [FloatFormat; 6] = [
        FloatFormat::Mini,
        FloatFormat::Half,
        FloatFormat::Single,
        FloatFormat::Double,
        FloatFormat::Extended,
        FloatFormat::Quad,
    ];

    /// Number of bits.
    pub fn width(self) -> u32 {
        1 + self.exponent_bits() + self.precision() - 1 + self.has_integer_bit() as u32
    }
    /// Width of the biased exponent.
    pub fn exponent_bits(self) -> u32 {
        match self {
            FloatFormat::Mini => 4,
            FloatFormat::Half => 5,
            FloatFormat::Single => 8,
            FloatFormat::Double => 11,
            FloatFormat::Extended | FloatFormat::Quad => 15,
        }
    }
    /// Bits of the significand, the integer bit included.
    pub fn precision(self) -> u32 {
        match self {
            FloatFormat::Mini => 4,
            FloatFormat::Half => 11,
            FloatFormat::Single => 24,
            FloatFormat::Double => 53,
            FloatFormat::Extended => 64,
            FloatFormat::Quad => 113,
        }
    }
    /// Whether the integer bit is written out.
    pub fn has_integer_bit(self) -> bool {
        self == FloatFormat::Extended
    }
    /// The exponent of 1 as it is written.
    pub fn bias(self) -> u32 {
        (1 << (self.exponent_bits() - 1)) - 1
    }

    /// The positive NaN that operators make.
    pub fn nan(self) -> BitVec {
        let quiet = BigUint::from(1u32) << (self.precision() - 2);
        self.special(quiet)
    }
    /// Positive infinity.
    pub fn infinity(self) -> BitVec {
        self.special(BigUint::default())
    }
    /// The number with all exponent bits set, and the integer bit if it is written out.
    fn special(self, fraction: BigUint) -> BitVec {
        let ones = (1u32 << self.exponent_bits()) - 1;
        let exponent = BigUint::from(2 * ones + self.has_integer_bit() as u32);
        let below = self.width() - 1 - self.exponent_bits();
        let exponent = if self.has_integer_bit() { exponent } else { exponent >> 1u32 };
        let shift = if self.has_integer_bit() { below - 1 } else { below };
        BitVec::from_biguint(self.width(), (exponent << shift) | fraction)
    }
}

/// The rounding modes. As an operand, a mode is a term of [`ROUNDING_WIDTH`] bits with the number
/// given here: for the first four, the bits 11 and 10 of x86's control word and thus of the
/// `FE_…` constants of C. All numbers from 4 on mean ties away from zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Rounding {
    /// To nearest, ties to even; `FE_TONEAREST`.
    NearestEven = 0,
    /// Towards minus infinity; `FE_DOWNWARD`.
    Down = 1,
    /// Towards plus infinity; `FE_UPWARD`.
    Up = 2,
    /// `FE_TOWARDZERO`.
    TowardZero = 3,
    /// To nearest, ties away from zero.
    NearestAway = 4,
}

/// Width of the exponent that [`FloatFunction::Scale`] adds.
pub const SCALE_WIDTH: u32 = 32;

/// Width of a rounding mode.
pub const ROUNDING_WIDTH: u32 = 3;

impl Rounding {
    pub const ALL: [Rounding; 5] = [
        Rounding::NearestEven,
        Rounding::Down,
        Rounding::Up,
        Rounding::TowardZero,
        Rounding::NearestAway,
    ];

    /// The mode with this number.
    pub fn from_number(number: u64) -> Rounding {
        *Rounding::ALL.get(number as usize).unwrap_or(&Rounding::NearestAway)
    }
}

/// A kernel operator on floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct FloatOp {
    /// The format of the operands, or of the result of a conversion from integers.
    pub format: FloatFormat,
    pub function: FloatFunction,
}

/// What an operator computes. The rounding mode, if it needs one, is the last operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FloatFunction {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// Product of the first two plus the third, rounded once.
    MultiplyAdd,
    SquareRoot,
    /// C's `fmod`: exact, with the sign of the first operand. No mode.
    Modulo,
    /// C's `remainder`: of the quotient rounded to nearest even. No mode.
    Remainder,
    /// To an integral number of the same format.
    RoundToIntegral,
    /// C's `scalbn`: the first operand times 2 to the power of the second, which is a signed
    /// integer of [`SCALE_WIDTH`] bits.
    Scale,
    /// To another format.
    Convert(FloatFormat),
    /// From a signed integer of any width.
    FromSigned,
    /// From an unsigned integer of any width.
    FromUnsigned,
    /// To a signed integer of this width; the most negative one if the number does not fit or is
    /// none.
    ToSigned(u32),
    /// To an unsigned integer of this width; 0 for numbers below, all ones for numbers above the
    /// range and for NaN.
    ToUnsigned(u32),
}

impl FloatOp {
    /// Number of operands, the rounding mode included.
    pub fn arity(self) -> usize {
        use FloatFunction::*;
        match self.function {
            Add | Subtract | Multiply | Divide | Scale => 3,
            MultiplyAdd => 4,
            _ => 2,
        }
    }

    /// Whether the last operand is a rounding mode.
    pub fn is_rounded(self) -> bool {
        !matches!(self.function, FloatFunction::Modulo | FloatFunction::Remainder)
    }

    /// Whether the first two operands may be exchanged.
    pub fn is_commutative(self) -> bool {
        use FloatFunction::*;
        matches!(self.function, Add | Multiply | MultiplyAdd)
    }

    /// Width of the result.
    pub fn width(self) -> u32 {
        match self.function {
            FloatFunction::Convert(to) => to.width(),
            FloatFunction::ToSigned(width) | FloatFunction::ToUnsigned(width) => width,
            _ => self.format.width(),
        }
    }
}
