//! `<math.h>`.

use super::Arguments;
use crate::arith::float;
use crate::arith::math::{self, Class, Rounding};
use crate::interp::exec::Interpreter;
use crate::interp::outcome::{Step, unsupported};
use crate::interp::value::Scalar;
use crate::library::FloatFunction as F;
use crate::types::{FloatKind, Ty};
use std::cmp::Ordering;

impl Interpreter<'_, '_> {
    pub(super) fn float_function(
        &mut self,
        function: F,
        arguments: &Arguments,
        result: Option<Ty>,
    ) -> Step<Option<Scalar>> {
        let kind = arguments.ty(0).and_then(|ty| self.program.types.float_kind(ty));
        let (Some(kind), Some(first)) = (kind, arguments.scalar(0)) else { return Ok(None) };
        let x = first.bits;
        let unary = match function {
            F::Absolute => math::absolute(x, kind),
            F::Floor => math::round(x, kind, Rounding::Down),
            F::Ceiling => math::round(x, kind, Rounding::Up),
            F::Truncate => math::round(x, kind, Rounding::ToZero),
            F::Round => math::round(x, kind, Rounding::HalfAway),
            F::RoundEven => math::round(x, kind, Rounding::HalfEven),
            F::SquareRoot => match math::square_root(x, kind) {
                Some(root) => root,
                None => return unsupported("the square root of a `_Float128`", arguments.at),
            },
            F::RoundToInt => return Ok(self.rounded_to_int(x, kind, Rounding::HalfAway, result)),
            F::RoundEvenToInt => {
                return Ok(self.rounded_to_int(x, kind, Rounding::HalfEven, result));
            }
            F::IsNan | F::IsInfinite | F::IsFinite | F::SignBit | F::Classify => {
                return Ok(Some(Scalar::number(classified(function, x, kind))));
            }
            _ => return Ok(self.many_floats(function, x, kind, arguments)),
        };
        Ok(Some(Scalar::number(unary)))
    }

    fn rounded_to_int(
        &self,
        x: u128,
        kind: FloatKind,
        rounding: Rounding,
        result: Option<Ty>,
    ) -> Option<Scalar> {
        let format = self.program.types.int_format(result.unwrap_or(Ty::LONG))?;
        Some(Scalar::number(float::to_int(math::round(x, kind, rounding), kind, format)))
    }

    /// Functions of two or three numbers.
    fn many_floats(
        &self,
        function: F,
        x: u128,
        kind: FloatKind,
        arguments: &Arguments,
    ) -> Option<Scalar> {
        let y = arguments.scalar(1)?.bits;
        Some(Scalar::number(match function {
            F::Minimum => math::extremum(x, y, kind, Ordering::Less),
            F::Maximum => math::extremum(x, y, kind, Ordering::Greater),
            F::Remainder => math::remainder(x, y, kind, false),
            F::IeeeRemainder => math::remainder(x, y, kind, true),
            F::CopySign => math::copy_sign(x, y, kind),
            F::PositiveDifference => math::positive_difference(x, y, kind),
            _ => math::multiply_add(x, y, arguments.scalar(2)?.bits, kind),
        }))
    }
}

/// The `int` that a classifying function returns.
fn classified(function: F, x: u128, kind: FloatKind) -> u128 {
    let class = math::classify(x, kind);
    let negative = math::is_negative(x, kind);
    match function {
        F::IsNan => (class == Class::Nan) as u128,
        F::IsInfinite if class == Class::Infinite => {
            if negative {
                u32::MAX as u128
            } else {
                1
            }
        }
        F::IsInfinite => 0,
        F::IsFinite => !matches!(class, Class::Nan | Class::Infinite) as u128,
        F::SignBit => negative as u128,
        _ => class as u128,
    }
}
