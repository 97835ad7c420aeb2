//! `<math.h>`.

use super::Arguments;
use super::programs::{Given, Request, given, not_here};
use crate::arith::math::{self, Class, Rounding};
use crate::arith::{float, int, mode};
use crate::interp::exec::Interpreter;
use crate::interp::outcome::{Outcome, Step};
use crate::interp::value::Scalar;
use crate::library::{FloatFunction as F, FunctionModel};
use crate::typed::BinaryOp;
use crate::types::{FloatKind, IntFormat, Ty};
use std::cmp::Ordering;

impl Interpreter<'_, '_> {
    pub(super) fn float_function(
        &mut self,
        (function, name): (F, &str),
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
            F::RoundByMode => mode::round(x, kind, self.rounding),
            F::SquareRoot => mode::square_root(x, kind, self.rounding),
            F::RoundToInt => {
                let rounded = math::round(x, kind, Rounding::HalfAway);
                return Ok(self.to_int(rounded, kind, result));
            }
            F::RoundByModeToInt => {
                return Ok(self.to_int(mode::round(x, kind, self.rounding), kind, result));
            }
            F::IsNan | F::IsInfinite | F::IsFinite | F::SignBit | F::Classify => {
                return Ok(Some(Scalar::number(classified(function, x, kind))));
            }
            F::Exponent => exponent(x, kind) as u32 as u128,
            F::ExponentAsFloat => {
                if math::classify(x, kind) == Class::Zero && self.program.error_number().is_some() {
                    self.pole_error(name, arguments.at)?;
                }
                self.exponent_as_float(x, kind)
            }
            F::Fraction => return self.fraction(x, kind, arguments).map(Some),
            F::Split => return self.split(x, kind, arguments).map(Some),
            _ => return Ok(self.many_floats(function, x, kind, arguments)),
        };
        Ok(Some(Scalar::number(unary)))
    }

    /// `remquo`: the remainder, and a number whose magnitude agrees with the quotient modulo 8.
    pub(super) fn remainder_and_quotient(&mut self, request: Request) -> Given {
        let kind = match request.name {
            "remquo" => FloatKind::Double,
            "remquof" => FloatKind::Float,
            _ => return not_here(),
        };
        let arguments = request.arguments;
        let (Some(x), Some(y), Some(to)) =
            (arguments.scalar(0), arguments.scalar(1), arguments.scalar(2))
        else {
            return not_here();
        };
        let chosen = self.ask(request, Ty::INT);
        let result = Scalar::number(math::remainder(x.bits, y.bits, kind, true));
        let model = FunctionModel::Float(F::IeeeRemainder);
        self.math_error(model, request.name, arguments, Some(result))?;
        if math::classify(result.bits, kind) != Class::Nan {
            if self.program.error_number().is_some() {
                self.ask(request, Ty::INT);
            }
            let real = |bits: u128| match kind {
                FloatKind::Float => f64::from(f32::from_bits(bits as u32)),
                _ => f64::from_bits(bits as u64),
            };
            let (left, right) = (real(x.bits), real(y.bits));
            let low = quotient(left.abs(), right.abs());
            let negative = left.is_sign_negative() != right.is_sign_negative();
            let magnitude = if negative { -chosen } else { chosen };
            if magnitude < 0 || (magnitude ^ low) & 7 != 0 {
                return Err(Box::new(Outcome::AssumeFailed(request.at)));
            }
        }
        self.store_number(to, chosen, Ty::INT, request.at)?;
        given(result)
    }

    pub(super) fn make_nan(&self, result: Option<Ty>) -> Option<Scalar> {
        let kind = self.program.types.float_kind(result?)?;
        float::parse("nan", kind).map(Scalar::number)
    }

    /// `logb`
    fn exponent_as_float(&self, x: u128, kind: FloatKind) -> u128 {
        let format = IntFormat { width: 32, signed: true };
        match math::classify(x, kind) {
            Class::Zero => math::absolute(infinity(kind), kind) | 1 << float::sign_bit(kind),
            Class::Nan | Class::Infinite => {
                mode::binary(BinaryOp::Multiply, x, x, kind, self.rounding)
            }
            _ => float::from_int(math::exponent(x, kind) as u32 as u128, format, kind),
        }
    }

    /// `frexp`: the exponent goes where the second argument points to.
    fn fraction(&mut self, x: u128, kind: FloatKind, arguments: &Arguments) -> Step<Scalar> {
        let amount = match math::classify(x, kind) {
            Class::Zero | Class::Nan | Class::Infinite => 0,
            _ => math::exponent(x, kind) + 1,
        };
        if let Some(pointer) = arguments.scalar(1) {
            let value = Scalar::number(amount as u32 as u128);
            self.store_at(pointer, value, Ty::INT, arguments.at)?;
        }
        let fraction = if amount == 0 { x } else { mode::scale(x, -amount, kind, self.rounding) };
        Ok(Scalar::number(fraction))
    }

    /// `modf`: the integral part goes where the second argument points to.
    fn split(&mut self, x: u128, kind: FloatKind, arguments: &Arguments) -> Step<Scalar> {
        let whole = math::round(x, kind, Rounding::ToZero);
        if let (Some(pointer), Some(ty)) = (arguments.scalar(1), arguments.ty(0)) {
            self.store_at(pointer, Scalar::number(whole), ty, arguments.at)?;
        }
        Ok(Scalar::number(match math::classify(x, kind) {
            Class::Nan => x,
            Class::Infinite => math::copy_sign(0, x, kind),
            _ => math::copy_sign(float::binary(BinaryOp::Subtract, x, whole, kind), x, kind),
        }))
    }

    /// An integral number as the integer that a function returns.
    fn to_int(&self, integral: u128, kind: FloatKind, result: Option<Ty>) -> Option<Scalar> {
        let format = self.program.types.int_format(result.unwrap_or(Ty::LONG))?;
        Some(Scalar::number(float::to_int(integral, kind, format)))
    }

    /// `fegetround`, `fesetround` and `FLT_ROUNDS`. A number that is no mode changes nothing and
    /// gives 1, as in glibc.
    pub(super) fn rounding_function(
        &mut self,
        model: FunctionModel,
        arguments: &Arguments,
    ) -> Option<Scalar> {
        let number = self.rounding as u32;
        Some(Scalar::number(match model {
            FunctionModel::GetRounding => (number << mode::MODE_SHIFT) as u128,
            FunctionModel::FltRounds => mode::FLT_ROUNDS[number as usize & 3] as u128,
            _ => {
                let wanted = arguments.scalar(0)?.bits as u32;
                if wanted & !mode::MODE_BITS != 0 {
                    return Some(Scalar::number(1));
                }
                let chosen = (wanted >> mode::MODE_SHIFT) as u64;
                self.rounding = wedge_logic::Rounding::from_number(chosen);
                0
            }
        }))
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
            F::Scale | F::ScaleLong => {
                let format = self.program.types.int_format(arguments.ty(1)?)?;
                let amount = int::extend(y, format) as i128;
                let amount = amount.clamp(i32::MIN as i128, i32::MAX as i128) as i32;
                mode::scale(x, amount, kind, self.rounding)
            }
            F::Minimum => math::extremum(x, y, kind, Ordering::Less),
            F::Maximum => math::extremum(x, y, kind, Ordering::Greater),
            F::Remainder => math::remainder(x, y, kind, false),
            F::IeeeRemainder => math::remainder(x, y, kind, true),
            F::CopySign => math::copy_sign(x, y, kind),
            F::PositiveDifference => mode::positive_difference(x, y, kind, self.rounding),
            _ => {
                let z = arguments.scalar(2)?.bits;
                mode::multiply_add(x, y, z, kind, self.rounding)
            }
        }))
    }
}

/// The last three bits of the quotient of two numbers that are not negative, rounded to even.
fn quotient(left: f64, right: f64) -> i128 {
    if right.is_infinite() {
        return 0;
    }
    // Exact: the remainder is less than eight times the divisor, and so on.
    let mut rest = left % (8.0 * right);
    let mut low = 0;
    for factor in [4, 2, 1] {
        let part = f64::from(factor) * right;
        if rest >= part {
            rest -= part;
            low += i128::from(factor);
        }
    }
    let other = right - rest;
    low + i128::from(rest > other || rest == other && low % 2 == 1)
}

fn infinity(kind: FloatKind) -> u128 {
    float::convert(f64::INFINITY.to_bits() as u128, FloatKind::Double, kind)
}

/// `ilogb`, with glibc's results for numbers without exponent.
fn exponent(x: u128, kind: FloatKind) -> i32 {
    match math::classify(x, kind) {
        Class::Nan | Class::Zero => i32::MIN,
        Class::Infinite => i32::MAX,
        _ => math::exponent(x, kind),
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
