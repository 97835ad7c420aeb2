//! Floating-point arithmetic in the rounding mode that a program has chosen with `fesetround`.
//!
//! To nearest is the case that matters and uses [`super::float`]; the directed modes go through
//! the reference semantics of the operators on terms, [`wedge_logic::float::evaluate`]. Constants
//! that are folded while a program is read are rounded to nearest, as gcc does without
//! `-frounding-math` and as C allows everywhere.

use super::int::{extend, truncate};
use super::{float, math};
use crate::typed::BinaryOp;
use crate::types::{FloatKind, IntFormat};
use std::cmp::Ordering;
use wedge_logic::float::evaluate;
use wedge_logic::{BitVec, FloatFormat, FloatFunction, FloatOp, Rounding};

/// The bits of C's `FE_…` constants that choose a mode on x86.
pub const MODE_BITS: u32 = 0xc00;

/// Where these bits begin.
pub const MODE_SHIFT: u32 = 10;

/// `FLT_ROUNDS` for each mode, in the order of their numbers.
pub const FLT_ROUNDS: [u64; 4] = [1, 3, 2, 0];

/// The format of a kind of float.
pub fn format(kind: FloatKind) -> FloatFormat {
    match kind {
        FloatKind::Float => FloatFormat::Single,
        FloatKind::Double => FloatFormat::Double,
        FloatKind::LongDouble => FloatFormat::Extended,
        FloatKind::Float128 => FloatFormat::Quad,
    }
}

/// An operator on terms, applied to bits.
fn apply(op: FloatOp, operands: &[(u32, u128)], mode: Rounding) -> u128 {
    let operands = operands.iter().map(|&(width, x)| BitVec::from_biguint(width, x.into()));
    let mut operands: Vec<BitVec> = operands.collect();
    operands.extend(
        op.is_rounded().then(|| BitVec::new(wedge_logic::float::ROUNDING_WIDTH, mode as u64)),
    );
    let result = evaluate(op, &operands.iter().collect::<Vec<_>>());
    let digits = result.to_biguint();
    u128::try_from(&digits).unwrap_or(0)
}

fn on_floats(function: FloatFunction, floats: &[u128], kind: FloatKind, mode: Rounding) -> u128 {
    let format = format(kind);
    let operands: Vec<(u32, u128)> = floats.iter().map(|&x| (format.width(), x)).collect();
    apply(FloatOp { format, function }, &operands, mode)
}

/// An arithmetic operator or comparison.
pub fn binary(op: BinaryOp, left: u128, right: u128, kind: FloatKind, mode: Rounding) -> u128 {
    let function = match op {
        BinaryOp::Add => FloatFunction::Add,
        BinaryOp::Subtract => FloatFunction::Subtract,
        BinaryOp::Multiply => FloatFunction::Multiply,
        BinaryOp::Divide => FloatFunction::Divide,
        _ => return float::binary(op, left, right, kind),
    };
    match mode {
        Rounding::NearestEven => float::binary(op, left, right, kind),
        _ => on_floats(function, &[left, right], kind, mode),
    }
}

/// Conversion between floating-point types.
pub fn convert(bits: u128, from: FloatKind, to: FloatKind, mode: Rounding) -> u128 {
    match mode {
        Rounding::NearestEven => float::convert(bits, from, to),
        _ if from == to => bits,
        _ => on_floats(FloatFunction::Convert(format(to)), &[bits], from, mode),
    }
}

/// Conversion from an integer type.
pub fn from_int(bits: u128, from: IntFormat, to: FloatKind, mode: Rounding) -> u128 {
    if mode == Rounding::NearestEven {
        return float::from_int(bits, from, to);
    }
    let function = match from.signed {
        true => FloatFunction::FromSigned,
        false => FloatFunction::FromUnsigned,
    };
    let number = truncate(extend(bits, from), from.width);
    apply(FloatOp { format: format(to), function }, &[(from.width, number)], mode)
}

/// The square root, correctly rounded.
pub fn square_root(bits: u128, kind: FloatKind, mode: Rounding) -> u128 {
    let nearest = math::square_root(bits, kind).filter(|_| mode == Rounding::NearestEven);
    nearest.unwrap_or_else(|| on_floats(FloatFunction::SquareRoot, &[bits], kind, mode))
}

/// `scalbn`: a number times a power of 2.
pub fn scale(bits: u128, amount: i32, kind: FloatKind, mode: Rounding) -> u128 {
    let format = format(kind);
    let op = FloatOp { format, function: FloatFunction::Scale };
    let amount = (wedge_logic::float::SCALE_WIDTH, amount as u32 as u128);
    apply(op, &[(format.width(), bits), amount], mode)
}

/// `a * b + c`, rounded once.
pub fn multiply_add(a: u128, b: u128, c: u128, kind: FloatKind, mode: Rounding) -> u128 {
    match mode {
        Rounding::NearestEven => math::multiply_add(a, b, c, kind),
        _ => on_floats(FloatFunction::MultiplyAdd, &[a, b, c], kind, mode),
    }
}

/// `left - right` if that is positive, else 0.
pub fn positive_difference(left: u128, right: u128, kind: FloatKind, mode: Rounding) -> u128 {
    match float::order(left, right, kind) {
        Some(Ordering::Less | Ordering::Equal) => 0,
        _ => binary(BinaryOp::Subtract, left, right, kind, mode),
    }
}

/// Rounds to an integral number of the same type, as `rint` does.
pub fn round(bits: u128, kind: FloatKind, mode: Rounding) -> u128 {
    let direction = match mode {
        Rounding::NearestEven => math::Rounding::HalfEven,
        Rounding::Down => math::Rounding::Down,
        Rounding::Up => math::Rounding::Up,
        Rounding::TowardZero => math::Rounding::ToZero,
        Rounding::NearestAway => math::Rounding::HalfAway,
    };
    math::round(bits, kind, direction)
}

#[cfg(test)]
mod tests {
    use super::*;

    const I32: IntFormat = IntFormat { width: 32, signed: true };

    fn double(value: f64) -> u128 {
        value.to_bits() as u128
    }

    #[test]
    fn directions_bracket_the_result() {
        let kind = FloatKind::Double;
        let third = |mode| binary(BinaryOp::Divide, double(1.0), double(3.0), kind, mode);
        let nearest = third(Rounding::NearestEven);
        assert_eq!(nearest, double(1.0 / 3.0));
        assert_eq!(third(Rounding::Up), third(Rounding::Down) + 1);
        assert_eq!(third(Rounding::TowardZero), third(Rounding::Down));
        assert!(nearest == third(Rounding::Up) || nearest == third(Rounding::Down));
        let root = |mode| square_root(double(2.0), kind, mode);
        assert_eq!(root(Rounding::Up), root(Rounding::Down) + 1);
    }

    #[test]
    fn negative_integers_keep_their_sign() {
        let bits = (-16_777_217i32) as u32 as u128;
        let single = |mode| f32::from_bits(from_int(bits, I32, FloatKind::Float, mode) as u32);
        assert_eq!(single(Rounding::Down), -16_777_218.0);
        assert_eq!(single(Rounding::TowardZero), -16_777_216.0);
        assert_eq!(single(Rounding::Up), -16_777_216.0);
    }

    #[test]
    fn a_difference_of_equals_is_minus_zero_downwards() {
        let one = double(1.0);
        let zero = |mode| binary(BinaryOp::Subtract, one, one, FloatKind::Double, mode);
        assert_eq!(zero(Rounding::Down), double(-0.0));
        assert_eq!(zero(Rounding::Up), double(0.0));
    }

    #[test]
    fn roots_of_quadruple_precision() {
        let four = float::convert(double(4.0), FloatKind::Double, FloatKind::Float128);
        let root = square_root(four, FloatKind::Float128, Rounding::NearestEven);
        assert_eq!(float::convert(root, FloatKind::Float128, FloatKind::Double), double(2.0));
    }
}
