//! Floating-point numbers, rounded to nearest, ties to even.
//!
//! `float` and `double` use the machine's arithmetic; the 80-bit `long double` and `_Float128` use
//! `rustc_apfloat`. There is no excess precision: every operation rounds to its own type, also
//! where gcc for 32-bit x87 would keep more bits.
//!
//! A NaN that an operator makes has an empty payload and is negative, as x86's default NaN is,
//! unless some NaN among the operands is positive: the operators on terms do the same (see
//! [`wedge_logic::float`]).

use super::int::{extend, truncate};
use crate::typed::BinaryOp;
use crate::types::{FloatKind, IntFormat};
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, FloatConvert, Round};
use std::cmp::Ordering;

/// Runs `$body` with `$F` as the type that implements a kind of float.
macro_rules! with_format {
    ($kind:expr, $F:ident => $body:expr) => {
        match $kind {
            FloatKind::Float => {
                type $F = Single;
                $body
            }
            FloatKind::Double => {
                type $F = Double;
                $body
            }
            FloatKind::LongDouble => {
                type $F = X87DoubleExtended;
                $body
            }
            FloatKind::Float128 => {
                type $F = Quad;
                $body
            }
        }
    };
}

fn f32_of(bits: u128) -> f32 {
    f32::from_bits(bits as u32)
}

fn f64_of(bits: u128) -> f64 {
    f64::from_bits(bits as u64)
}

/// The number written as a C constant without suffix, decimal or hexadecimal.
pub fn parse(text: &str, kind: FloatKind) -> Option<u128> {
    let hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    match kind {
        FloatKind::Float if !hexadecimal => Some(text.parse::<f32>().ok()?.to_bits() as u128),
        FloatKind::Double if !hexadecimal => Some(text.parse::<f64>().ok()?.to_bits() as u128),
        _ => with_format!(kind, F => {
            F::from_str_r(text, Round::NearestTiesToEven).ok().map(|parsed| parsed.value.to_bits())
        }),
    }
}

/// An arithmetic operator or comparison; the remainder is not one of floats.
pub fn binary(op: BinaryOp, left: u128, right: u128, kind: FloatKind) -> u128 {
    if op.is_comparison() {
        return compare(op, order(left, right, kind)) as u128;
    }
    let result = match kind {
        FloatKind::Float => {
            let (a, b) = (f32_of(left), f32_of(right));
            (match op {
                BinaryOp::Add => a + b,
                BinaryOp::Subtract => a - b,
                BinaryOp::Multiply => a * b,
                _ => a / b,
            })
            .to_bits() as u128
        }
        FloatKind::Double => {
            let (a, b) = (f64_of(left), f64_of(right));
            (match op {
                BinaryOp::Add => a + b,
                BinaryOp::Subtract => a - b,
                BinaryOp::Multiply => a * b,
                _ => a / b,
            })
            .to_bits() as u128
        }
        FloatKind::LongDouble => soft_binary::<X87DoubleExtended>(op, left, right),
        FloatKind::Float128 => soft_binary::<Quad>(op, left, right),
    };
    canonical(result, kind, &[left, right])
}

pub fn is_nan(bits: u128, kind: FloatKind) -> bool {
    with_format!(kind, F => F::from_bits(bits).is_nan())
}

/// The result of an operation, with the payload and sign of a NaN as described above.
pub(super) fn canonical(result: u128, kind: FloatKind, operands: &[u128]) -> u128 {
    if !is_nan(result, kind) {
        return result;
    }
    let sign = 1 << sign_bit(kind);
    let positive = operands.iter().any(|&x| x & sign == 0 && is_nan(x, kind));
    let nan = with_format!(kind, F => F::qnan(None).to_bits());
    if positive { nan } else { nan | sign }
}

fn soft_binary<F: Float>(op: BinaryOp, left: u128, right: u128) -> u128 {
    let (a, b) = (F::from_bits(left), F::from_bits(right));
    let result = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Subtract => a - b,
        BinaryOp::Multiply => a * b,
        _ => a / b,
    };
    result.value.to_bits()
}

/// The order of two numbers; `None` if one of them is not a number.
pub fn order(left: u128, right: u128, kind: FloatKind) -> Option<Ordering> {
    match kind {
        FloatKind::Float => f32_of(left).partial_cmp(&f32_of(right)),
        FloatKind::Double => f64_of(left).partial_cmp(&f64_of(right)),
        _ => with_format!(kind, F => F::from_bits(left).partial_cmp(&F::from_bits(right))),
    }
}

fn compare(op: BinaryOp, order: Option<Ordering>) -> bool {
    match op {
        BinaryOp::Equal => order == Some(Ordering::Equal),
        BinaryOp::NotEqual => order != Some(Ordering::Equal),
        BinaryOp::Less => order == Some(Ordering::Less),
        BinaryOp::LessEqual => matches!(order, Some(Ordering::Less | Ordering::Equal)),
        BinaryOp::Greater => order == Some(Ordering::Greater),
        _ => matches!(order, Some(Ordering::Greater | Ordering::Equal)),
    }
}

/// The number with the opposite sign, also for zeros and NaNs.
pub fn negate(bits: u128, kind: FloatKind) -> u128 {
    bits ^ 1 << sign_bit(kind)
}

/// The position of the sign, which is also the width minus one.
pub fn sign_bit(kind: FloatKind) -> u32 {
    8 * kind.value_bytes() as u32 - 1
}

pub fn is_zero(bits: u128, kind: FloatKind) -> bool {
    order(bits, 0, kind) == Some(Ordering::Equal)
}

/// Conversion between floating-point types.
pub fn convert(bits: u128, from: FloatKind, to: FloatKind) -> u128 {
    let result = match (from, to) {
        _ if from == to => return bits,
        (FloatKind::Float, FloatKind::Double) => (f32_of(bits) as f64).to_bits() as u128,
        (FloatKind::Double, FloatKind::Float) => (f64_of(bits) as f32).to_bits() as u128,
        _ => with_format!(from, F => with_format!(to, T => {
            soft_convert::<F, T>(bits)
        })),
    };
    let sign = (bits >> sign_bit(from)) << sign_bit(to);
    canonical(result, to, &[result & !(1 << sign_bit(to)) | sign])
}

fn soft_convert<F: Float + FloatConvert<T>, T: Float>(bits: u128) -> u128 {
    let mut loses_info = false;
    let converted: T = F::from_bits(bits).convert(&mut loses_info).value;
    converted.to_bits()
}

/// Conversion from an integer type.
pub fn from_int(bits: u128, from: IntFormat, to: FloatKind) -> u128 {
    let value = extend(bits, from);
    match (to, from.signed) {
        (FloatKind::Float, true) => (value as i128 as f32).to_bits() as u128,
        (FloatKind::Float, false) => (value as f32).to_bits() as u128,
        (FloatKind::Double, true) => (value as i128 as f64).to_bits() as u128,
        (FloatKind::Double, false) => (value as f64).to_bits() as u128,
        (_, true) => with_format!(to, F => F::from_i128(value as i128).value.to_bits()),
        (_, false) => with_format!(to, F => F::from_u128(value).value.to_bits()),
    }
}

/// Whether a number, truncated, is one of an integer type.
pub fn fits(bits: u128, from: FloatKind, to: IntFormat) -> bool {
    let Some((negative, magnitude)) = truncated(bits, from) else { return false };
    let most = match to.signed {
        true => (1u128 << (to.width - 1)) - u128::from(!negative),
        false if negative => 0,
        false => u128::MAX >> (128 - to.width),
    };
    magnitude <= most
}

/// Conversion to an integer type, by truncation. Numbers that do not fit give what the code of gcc
/// gives on x86 (see [`crate::typed::CastKind::FloatToInt`]).
pub fn to_int(bits: u128, from: FloatKind, to: IntFormat) -> u128 {
    let value = match (to.width, to.signed) {
        (0..=31, _) | (32, true) => in_register(bits, from, 32),
        (33..=64, false) => to_u64(bits, from),
        (..=64, _) => in_register(bits, from, 64),
        (_, true) => in_register(bits, from, 128),
        (_, false) => to_u128(bits, from),
    };
    truncate(value, to.width)
}

/// The truncated number as a signed integer of `width` bits; the most negative one if it does not
/// fit.
fn in_register(bits: u128, from: FloatKind, width: u32) -> u128 {
    let least = 1u128 << (width - 1);
    match truncated(bits, from) {
        Some((negative, magnitude)) if magnitude < least || negative && magnitude == least => {
            let value = if negative { magnitude.wrapping_neg() } else { magnitude };
            truncate(value, width)
        }
        _ => least,
    }
}

/// gcc's code for unsigned 64-bit results: numbers from 2⁶³ on, infinity included, are moved down
/// first and the top bit of the result is flipped.
fn to_u64(bits: u128, from: FloatKind) -> u128 {
    let half = 1u128 << 63;
    let positive = bits >> sign_bit(from) & 1 == 0 && !is_nan(bits, from);
    match truncated(bits, from) {
        Some((false, magnitude)) if magnitude < 2 * half => magnitude,
        _ if positive => 0,
        _ => in_register(bits, from, 64),
    }
}

fn to_u128(bits: u128, from: FloatKind) -> u128 {
    match truncated(bits, from) {
        Some((false, magnitude)) => magnitude,
        Some((true, _)) => 0,
        None if is_nan(bits, from) || bits >> sign_bit(from) & 1 == 0 => u128::MAX,
        None => 0,
    }
}

/// The sign and magnitude of the truncated number; `None` if it is not finite or has more than 128
/// bits.
fn truncated(bits: u128, from: FloatKind) -> Option<(bool, u128)> {
    with_format!(from, F => {
        let value = F::from_bits(bits);
        let negative = value.is_negative();
        let magnitude = if negative { -value } else { value };
        let mut exact = false;
        let result = magnitude.to_u128_r(128, Round::TowardZero, &mut exact);
        let fits = !result.status.contains(rustc_apfloat::Status::INVALID_OP);
        fits.then_some((negative, result.value))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const I32: IntFormat = IntFormat { width: 32, signed: true };
    const U32: IntFormat = IntFormat { width: 32, signed: false };
    const U64: IntFormat = IntFormat { width: 64, signed: false };

    fn double(value: f64) -> u128 {
        value.to_bits() as u128
    }

    proptest! {
        #[test]
        fn formats_agree_on_integers(a in -1000i32..1000, b in 1i32..1000) {
            let bits = a as u32 as u128;
            for kind in [FloatKind::Float, FloatKind::Double, FloatKind::LongDouble, FloatKind::Float128] {
                let (x, y) = (from_int(bits, I32, kind), from_int(b as u128, I32, kind));
                prop_assert_eq!(to_int(binary(BinaryOp::Multiply, x, y, kind), kind, I32), (a * b) as u32 as u128);
                prop_assert_eq!(to_int(binary(BinaryOp::Divide, x, y, kind), kind, I32), (a / b) as u32 as u128);
                prop_assert_eq!(binary(BinaryOp::Less, x, y, kind), (a < b) as u128);
                prop_assert_eq!(convert(x, kind, FloatKind::Double), double(a as f64));
                prop_assert_eq!(to_int(negate(x, kind), kind, I32), -a as u32 as u128);
            }
        }

        #[test]
        fn truncation_agrees_with_rust(value in -2e9f64..2e9) {
            prop_assert_eq!(to_int(double(value), FloatKind::Double, I32), value as i32 as u32 as u128);
        }
    }

    #[test]
    fn numbers_that_do_not_fit() {
        let from = FloatKind::Double;
        assert_eq!(to_int(double(3e9), from, I32), 1 << 31);
        assert_eq!(to_int(double(3e9), from, U32), 3_000_000_000);
        assert_eq!(to_int(double(f64::NAN), from, I32), 1 << 31);
        assert_eq!(to_int(double(-1.0), from, U64), u64::MAX as u128);
        assert_eq!(to_int(double(1e19), from, U64), 10_000_000_000_000_000_000);
        assert_eq!(to_int(double(1e30), from, U64), 0);
    }

    #[test]
    fn numbers_that_fit() {
        let from = FloatKind::Double;
        let fits = |value: f64, to: IntFormat| fits(double(value), from, to);
        assert!(fits(2147483647.9, I32) && !fits(2147483648.0, I32));
        assert!(fits(-2147483648.9, I32) && !fits(-2147483649.0, I32));
        assert!(fits(-0.9, U32) && !fits(-1.0, U32) && fits(4294967295.9, U32));
        assert!(!fits(4294967296.0, U32) && !fits(f64::NAN, I32) && !fits(f64::INFINITY, U64));
    }

    #[test]
    fn constants() {
        assert_eq!(parse("0x1.8p1", FloatKind::Double), Some(double(3.0)));
        assert_eq!(parse("1e-3", FloatKind::Double), Some(double(0.001)));
        assert_eq!(parse("5.", FloatKind::Float), Some(5f32.to_bits() as u128));
        let tenth = parse("0.1", FloatKind::LongDouble).unwrap();
        assert_eq!(convert(tenth, FloatKind::LongDouble, FloatKind::Double), double(0.1));
        assert_eq!(parse("x", FloatKind::LongDouble), None);
    }
}
