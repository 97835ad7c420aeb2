//! Functions of `<math.h>` with exactly defined results.

use super::float::{binary, canonical, order, sign_bit};
use crate::typed::BinaryOp;
use crate::types::FloatKind;
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Category, Float, Round};
use std::cmp::Ordering;

/// Directions of rounding to an integer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    Down,
    Up,
    ToZero,
    /// Halfway cases away from zero.
    HalfAway,
    /// Halfway cases to even.
    HalfEven,
}

impl Rounding {
    fn mode(self) -> Round {
        match self {
            Rounding::Down => Round::TowardNegative,
            Rounding::Up => Round::TowardPositive,
            Rounding::ToZero => Round::TowardZero,
            Rounding::HalfAway => Round::NearestTiesToAway,
            Rounding::HalfEven => Round::NearestTiesToEven,
        }
    }
}

/// glibc's classes, in the order of its `FP_…` constants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Nan,
    Infinite,
    Zero,
    Subnormal,
    Normal,
}

pub fn classify(bits: u128, kind: FloatKind) -> Class {
    fn of<F: Float>(bits: u128) -> Class {
        let value = F::from_bits(bits);
        match value.category() {
            Category::NaN => Class::Nan,
            Category::Infinity => Class::Infinite,
            Category::Zero => Class::Zero,
            Category::Normal if value.is_denormal() => Class::Subnormal,
            Category::Normal => Class::Normal,
        }
    }
    match kind {
        FloatKind::Float => of::<Single>(bits),
        FloatKind::Double => of::<Double>(bits),
        FloatKind::LongDouble => of::<X87DoubleExtended>(bits),
        FloatKind::Float128 => of::<Quad>(bits),
    }
}

/// `ilogb` of a finite number other than 0: its exponent, as if none were too small.
pub fn exponent(bits: u128, kind: FloatKind) -> i32 {
    match kind {
        FloatKind::Float => Single::from_bits(bits).ilogb(),
        FloatKind::Double => Double::from_bits(bits).ilogb(),
        FloatKind::LongDouble => X87DoubleExtended::from_bits(bits).ilogb(),
        FloatKind::Float128 => Quad::from_bits(bits).ilogb(),
    }
}

pub fn is_negative(bits: u128, kind: FloatKind) -> bool {
    bits >> sign_bit(kind) & 1 == 1
}

pub fn absolute(bits: u128, kind: FloatKind) -> u128 {
    bits & !(1 << sign_bit(kind))
}

pub fn copy_sign(magnitude: u128, sign: u128, kind: FloatKind) -> u128 {
    absolute(magnitude, kind) | sign & 1 << sign_bit(kind)
}

/// Rounds to an integral number of the same type.
pub fn round(bits: u128, kind: FloatKind, rounding: Rounding) -> u128 {
    fn of<F: Float>(bits: u128, mode: Round) -> u128 {
        F::from_bits(bits).round_to_integral(mode).value.to_bits()
    }
    let mode = rounding.mode();
    let result = match kind {
        FloatKind::Float => of::<Single>(bits, mode),
        FloatKind::Double => of::<Double>(bits, mode),
        FloatKind::LongDouble => of::<X87DoubleExtended>(bits, mode),
        FloatKind::Float128 => of::<Quad>(bits, mode),
    };
    canonical(result, kind, &[bits])
}

/// `fmod`, or the IEEE remainder.
pub fn remainder(left: u128, right: u128, kind: FloatKind, ieee: bool) -> u128 {
    fn of<F: Float>(left: u128, right: u128, ieee: bool) -> u128 {
        let (a, b) = (F::from_bits(left), F::from_bits(right));
        if ieee { a.ieee_rem(b).value.to_bits() } else { a.c_fmod(b).value.to_bits() }
    }
    let result = match kind {
        FloatKind::Float => of::<Single>(left, right, ieee),
        FloatKind::Double => of::<Double>(left, right, ieee),
        FloatKind::LongDouble => of::<X87DoubleExtended>(left, right, ieee),
        FloatKind::Float128 => of::<Quad>(left, right, ieee),
    };
    canonical(result, kind, &[left, right])
}

/// `a * b + c`, rounded once.
pub fn multiply_add(a: u128, b: u128, c: u128, kind: FloatKind) -> u128 {
    fn of<F: Float>(a: u128, b: u128, c: u128) -> u128 {
        F::from_bits(a).mul_add(F::from_bits(b), F::from_bits(c)).value.to_bits()
    }
    let result = match kind {
        FloatKind::Float => of::<Single>(a, b, c),
        FloatKind::Double => of::<Double>(a, b, c),
        FloatKind::LongDouble => of::<X87DoubleExtended>(a, b, c),
        FloatKind::Float128 => of::<Quad>(a, b, c),
    };
    canonical(result, kind, &[a, b, c])
}

/// The smaller (or larger) of two numbers; one that is not a number does not count.
pub fn extremum(left: u128, right: u128, kind: FloatKind, wanted: Ordering) -> u128 {
    if classify(left, kind) == Class::Nan {
        return right;
    }
    match order(left, right, kind) {
        Some(found) if found == wanted || found == Ordering::Equal => left,
        Some(_) => right,
        None => left,
    }
}

/// `left - right` if that is positive, else 0.
pub fn positive_difference(left: u128, right: u128, kind: FloatKind) -> u128 {
    match order(left, right, kind) {
        Some(Ordering::Less | Ordering::Equal) => 0,
        _ => binary(BinaryOp::Subtract, left, right, kind),
    }
}

/// The square root, correctly rounded; `None` for `_Float128`.
pub fn square_root(bits: u128, kind: FloatKind) -> Option<u128> {
    let root = match kind {
        FloatKind::Float => f32::from_bits(bits as u32).sqrt().to_bits() as u128,
        FloatKind::Double => f64::from_bits(bits as u64).sqrt().to_bits() as u128,
        FloatKind::LongDouble => extended_root(bits),
        FloatKind::Float128 => return None,
    };
    Some(canonical(root, kind, &[bits]))
}

/// The square root in the 80-bit format: 15 bits of exponent, 64 bits of significand with the
/// integer bit written out.
fn extended_root(bits: u128) -> u128 {
    let kind = FloatKind::LongDouble;
    match classify(bits, kind) {
        Class::Nan | Class::Zero => return bits,
        _ if is_negative(bits, kind) => {
            let infinity = 0x7fffu128 << 64 | 1 << 63;
            return binary(BinaryOp::Subtract, infinity, infinity, kind);
        }
        Class::Infinite => return bits,
        _ => {}
    }
    let significand = bits as u64;
    let shift = significand.leading_zeros() as i32;
    let exponent = ((bits >> 64) as i32 & 0x7fff).max(1) - 16383 - shift;
    // The number is significand * 2^(exponent - 63); an even exponent is taken out.
    let odd = exponent.rem_euclid(2);
    let radicand = (significand as u128) << shift << (63 + odd);
    let root = radicand.isqrt();
    let rounds_up = radicand - root * root > root;
    let root = root + rounds_up as u128;
    let exponent = (exponent - odd) / 2 + 16383;
    // Rounding up may have made one bit too many.
    let carry = (root >> 64) as i32;
    ((exponent + carry) as u128) << 64 | root >> carry
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arith::float::convert;
    use proptest::prelude::*;

    fn double(value: f64) -> u128 {
        value.to_bits() as u128
    }

    proptest! {
        #[test]
        fn extended_roots_of_squares(a in 1u32..) {
            let kind = FloatKind::LongDouble;
            let square = convert(double(a as f64 * a as f64), FloatKind::Double, kind);
            let exact = (a as u64) < 1 << 26;
            if exact {
                let root = convert(extended_root(square), kind, FloatKind::Double);
                prop_assert_eq!(root, double(a as f64));
            }
        }

        /// Rounding the extended root once more may differ from the double root by one place.
        #[test]
        fn extended_roots_are_near(a in 1e-300f64..1e300) {
            let kind = FloatKind::LongDouble;
            let root = extended_root(convert(double(a), FloatKind::Double, kind));
            let root = f64::from_bits(convert(root, kind, FloatKind::Double) as u64);
            prop_assert!((root - a.sqrt()).abs() <= a.sqrt() * 1e-15);
        }

        #[test]
        fn rounding_agrees_with_rust(a in -1e6f64..1e6) {
            let run = |rounding| f64::from_bits(round(double(a), FloatKind::Double, rounding) as u64);
            prop_assert_eq!(run(Rounding::Down), a.floor());
            prop_assert_eq!(run(Rounding::Up), a.ceil());
            prop_assert_eq!(run(Rounding::HalfAway), a.round());
            prop_assert_eq!(run(Rounding::HalfEven), a.round_ties_even());
            prop_assert_eq!(run(Rounding::ToZero), a.trunc());
        }

        #[test]
        fn remainders_agree_with_rust(a in -1e6f64..1e6, b in 0.1f64..1e3) {
            let bits = remainder(double(a), double(b), FloatKind::Double, false);
            prop_assert_eq!(f64::from_bits(bits as u64), a % b);
        }
    }

    #[test]
    fn special_numbers() {
        let kind = FloatKind::Double;
        assert_eq!(classify(double(f64::NAN), kind), Class::Nan);
        assert_eq!(classify(double(f64::NEG_INFINITY), kind), Class::Infinite);
        assert_eq!(classify(double(-0.0), kind), Class::Zero);
        assert_eq!(classify(1, kind), Class::Subnormal);
        assert_eq!(extremum(double(f64::NAN), double(1.0), kind, Ordering::Less), double(1.0));
        assert_eq!(extremum(double(2.0), double(1.0), kind, Ordering::Greater), double(2.0));
        assert_eq!(copy_sign(double(1.0), double(-0.0), kind), double(-1.0));
        assert_eq!(positive_difference(double(3.0), double(1.0), kind), double(2.0));
        assert_eq!(square_root(double(2.0), kind), Some(double(2f64.sqrt())));
    }
}
