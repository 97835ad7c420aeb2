//! Integers of any width up to 128 bits, in two's complement.

use crate::typed::{BinaryOp, UnaryOp};
use crate::types::IntFormat;

/// The low `width` bits.
pub fn truncate(value: u128, width: u32) -> u128 {
    if width >= 128 { value } else { value & ((1 << width) - 1) }
}

/// The number that `bits` stand for, sign- or zero-extended to 128 bits.
pub fn extend(bits: u128, format: IntFormat) -> u128 {
    let bits = truncate(bits, format.width);
    if format.signed && format.width < 128 && bits >> (format.width - 1) & 1 == 1 {
        bits | u128::MAX << format.width
    } else {
        bits
    }
}

/// Conversion between integer types.
pub fn convert(bits: u128, from: IntFormat, to: IntFormat) -> u128 {
    truncate(extend(bits, from), to.width)
}

/// Why an operator has no result (C11 6.5.5, 6.5.7). Sums, differences and products that do not
/// fit wrap.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoResult {
    DivisionByZero,
    /// The smallest number divided by -1, or its remainder.
    DivisionOverflow,
    /// A shift by a negative number, or by the width of the operand or more.
    ShiftCount,
}

/// The result of an operator on two operands of one format; the count of a shift is extended by
/// its own format. Comparisons give 0 or 1.
pub fn binary(op: BinaryOp, left: u128, right: u128, format: IntFormat) -> Result<u128, NoResult> {
    if op.is_shift() {
        return match right < format.width as u128 {
            true => Ok(shift(op, left, format, right)),
            false => Err(NoResult::ShiftCount),
        };
    }
    let (a, b) = (extend(left, format), extend(right, format));
    if op.is_comparison() {
        return Ok(compare(op, a, b, format.signed) as u128);
    }
    let value = match op {
        BinaryOp::Add => a.wrapping_add(b),
        BinaryOp::Subtract => a.wrapping_sub(b),
        BinaryOp::Multiply => a.wrapping_mul(b),
        BinaryOp::Divide | BinaryOp::Remainder => divide(op, a, b, format)?,
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        _ => a ^ b,
    };
    Ok(truncate(value, format.width))
}

/// Whether the result of an operator on signed numbers does not fit (C11 6.5 p5, 6.5.7 p4). The
/// count of a shift is less than the width; what is shifted to the left stays below the sign.
pub fn overflows(op: BinaryOp, left: u128, right: u128, format: IntFormat) -> bool {
    if !format.signed {
        return false;
    }
    let (a, b) = (extend(left, format) as i128, extend(right, format) as i128);
    let exact = match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Subtract => a.checked_sub(b),
        BinaryOp::Multiply => a.checked_mul(b),
        // The width of a number and its shift is at most that of both.
        BinaryOp::ShiftLeft if a < 0 => None,
        BinaryOp::ShiftLeft => {
            let used = 128 - a.leading_zeros();
            let fits = used + (right as u32) < format.width;
            return !fits && a != 0;
        }
        _ => return false,
    };
    exact.is_none_or(|value| extend(value as u128, format) as i128 != value)
}

fn compare(op: BinaryOp, a: u128, b: u128, signed: bool) -> bool {
    let order = if signed { (a as i128).cmp(&(b as i128)) } else { a.cmp(&b) };
    match op {
        BinaryOp::Equal => order.is_eq(),
        BinaryOp::NotEqual => order.is_ne(),
        BinaryOp::Less => order.is_lt(),
        BinaryOp::LessEqual => order.is_le(),
        BinaryOp::Greater => order.is_gt(),
        _ => order.is_ge(),
    }
}

fn divide(op: BinaryOp, a: u128, b: u128, format: IntFormat) -> Result<u128, NoResult> {
    if b == 0 {
        return Err(NoResult::DivisionByZero);
    }
    let least = u128::MAX << (format.width - 1);
    if format.signed && b == u128::MAX && a == least {
        return Err(NoResult::DivisionOverflow);
    }
    Ok(match (op, format.signed) {
        (BinaryOp::Divide, true) => (a as i128).wrapping_div(b as i128) as u128,
        (BinaryOp::Divide, false) => a / b,
        (_, true) => (a as i128).wrapping_rem(b as i128) as u128,
        (_, false) => a % b,
    })
}

/// A shift of `bits` by a count that is less than the width.
fn shift(op: BinaryOp, bits: u128, format: IntFormat, count: u128) -> u128 {
    let count = count as u32;
    let value = extend(bits, format);
    let shifted = match (op, format.signed) {
        (BinaryOp::ShiftLeft, _) => value << count,
        (_, true) => (value as i128 >> count) as u128,
        (_, false) => value >> count,
    };
    truncate(shifted, format.width)
}

pub fn unary(op: UnaryOp, bits: u128, format: IntFormat) -> u128 {
    let (bits, width) = (truncate(bits, format.width), format.width);
    let value = match op {
        UnaryOp::Negate => bits.wrapping_neg(),
        UnaryOp::Complement => !bits,
        UnaryOp::LeadingZeros => (bits.leading_zeros() + width - 128) as u128,
        UnaryOp::TrailingZeros => bits.trailing_zeros().min(width) as u128,
        UnaryOp::PopulationCount => bits.count_ones() as u128,
        UnaryOp::ReverseBytes => bits.swap_bytes() >> (128 - width),
    };
    truncate(value, width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const I32: IntFormat = IntFormat { width: 32, signed: true };
    const U64: IntFormat = IntFormat { width: 64, signed: false };

    proptest! {
        #[test]
        fn agrees_with_i32(a: i32, b: i32) {
            use BinaryOp::*;
            let bits = |value: i32| value as u32 as u128;
            let run = |op| binary(op, bits(a), bits(b), I32);
            let shifted = |value: i32| match (0..32).contains(&b) {
                true => Ok(bits(value)),
                false => Err(NoResult::ShiftCount),
            };
            let divided = |value: Option<i32>| match (b, value) {
                (0, _) => Err(NoResult::DivisionByZero),
                (_, None) => Err(NoResult::DivisionOverflow),
                (_, Some(value)) => Ok(bits(value)),
            };
            prop_assert_eq!(run(Add), Ok(bits(a.wrapping_add(b))));
            prop_assert_eq!(run(Multiply), Ok(bits(a.wrapping_mul(b))));
            prop_assert_eq!(run(Less), Ok((a < b) as u128));
            prop_assert_eq!(run(ShiftRight), shifted(a.wrapping_shr(b as u32)));
            prop_assert_eq!(run(ShiftLeft), shifted(a.wrapping_shl(b as u32)));
            prop_assert_eq!(run(Divide), divided(a.checked_div(b)));
            prop_assert_eq!(run(Remainder), divided(a.checked_rem(b)));
            prop_assert_eq!(unary(UnaryOp::LeadingZeros, bits(a), I32), a.leading_zeros() as u128);
            prop_assert_eq!(unary(UnaryOp::ReverseBytes, bits(a), I32), bits(a.swap_bytes()));
        }

        #[test]
        fn agrees_with_u64(a: u64, b: u64) {
            let run = |op| binary(op, a as u128, b as u128, U64);
            prop_assert_eq!(run(BinaryOp::Subtract), Ok(a.wrapping_sub(b) as u128));
            prop_assert_eq!(run(BinaryOp::GreaterEqual), Ok((a >= b) as u128));
            prop_assert_eq!(unary(UnaryOp::TrailingZeros, a as u128, U64), a.trailing_zeros() as u128);
            prop_assert_eq!(convert(a as u128, U64, I32), a as u32 as u128);
        }
    }

    #[test]
    fn the_smallest_number_is_not_divided_by_minus_one() {
        let (least, minus_one) = (1 << 31, u32::MAX as u128);
        let overflow = Err(NoResult::DivisionOverflow);
        assert_eq!(binary(BinaryOp::Divide, least, minus_one, I32), overflow);
        assert_eq!(binary(BinaryOp::Remainder, least, minus_one, I32), overflow);
        let unsigned = IntFormat { width: 32, signed: false };
        assert_eq!(binary(BinaryOp::Divide, least, minus_one, unsigned), Ok(0));
    }

    #[test]
    fn odd_widths() {
        let format = IntFormat { width: 40, signed: true };
        assert_eq!(extend(1 << 39, format) as i128, -(1 << 39));
        assert_eq!(shift(BinaryOp::ShiftLeft, 1, format, 39), 1 << 39);
        assert_eq!(binary(BinaryOp::ShiftLeft, 1, 40, format), Err(NoResult::ShiftCount));
    }
}
