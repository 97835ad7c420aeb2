//! Evaluation of expressions.

use super::detail::Culprit;
use super::exec::Interpreter;
use super::outcome::{Step, Undefined, undefined};
use super::value::{Scalar, Value};
use crate::arith::{float, int, mode};
use crate::source::Position;
use crate::typed::{BinaryOp, CastKind, Expr, ExprKind, UnaryOp};
use crate::types::{IntFormat, Ty};

impl<'p> Interpreter<'p, '_> {
    /// The value of an expression of scalar type.
    pub(super) fn eval(&mut self, expr: &'p Expr) -> Step<Scalar> {
        match &expr.kind {
            ExprKind::Int(bits) | ExprKind::Float(bits) => Ok(Scalar::number(*bits)),
            ExprKind::Load(place) => self.load(place),
            ExprKind::AddressOf(place) => self.address(place),
            ExprKind::Function(id) => Ok(self.memory.pointer(self.functions[id.0 as usize])),
            ExprKind::Unary(op, operand) => {
                let value = self.eval(operand)?;
                self.check_negation(*op, value.bits, operand.ty, expr.position)?;
                Ok(self.unary(*op, value.bits, operand.ty))
            }
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.eval(left)?, self.eval(right)?);
                if op.is_comparison() {
                    self.note_comparison(*op, (a, b), left.ty, expr.position);
                }
                self.binary(*op, a.bits, b.bits, left.ty, right.ty, expr.position)
            }
            ExprKind::PointerAdd { pointer, index, scale } => {
                let pointer = self.eval(pointer)?;
                let index = self.eval_number(index)?;
                Ok(self.moved(pointer, (index as u64).wrapping_mul(*scale)))
            }
            ExprKind::PointerDifference { left, right, scale } => {
                let (a, b) = (self.eval(left)?, self.eval(right)?);
                self.note_distance(a, b, expr.position);
                Ok(self.difference(a, b, *scale))
            }
            ExprKind::Cast(kind, operand) => {
                let value = self.eval(operand)?;
                if *kind == CastKind::PointerToInt && value.object.is_some() {
                    self.note_unspecified("an address as a number", expr.position);
                }
                self.check_conversion(*kind, value.bits, operand, expr)?;
                Ok(self.cast(*kind, value, operand.ty, expr.ty))
            }
            ExprKind::And(left, right) => {
                let truth = self.eval(left)?.bits != 0 && self.eval(right)?.bits != 0;
                Ok(Scalar::truth(truth))
            }
            ExprKind::Or(left, right) => {
                let truth = self.eval(left)?.bits != 0 || self.eval(right)?.bits != 0;
                Ok(Scalar::truth(truth))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let truth = self.eval(condition)?.bits != 0;
                self.eval(if truth { then } else { otherwise })
            }
        }
    }

    /// The value of any expression.
    pub(super) fn eval_value(&mut self, expr: &'p Expr) -> Step<Value> {
        match &expr.kind {
            ExprKind::Load(place) => self.load_value(place),
            _ => self.eval(expr).map(Value::Scalar),
        }
    }

    /// The number that an integer expression stands for.
    pub(super) fn eval_number(&mut self, expr: &'p Expr) -> Step<i128> {
        let value = self.eval(expr)?;
        let format = self.format(expr.ty);
        Ok(int::extend(value.bits, format) as i128)
    }

    fn format(&self, ty: Ty) -> IntFormat {
        let default = IntFormat { width: 128, signed: false };
        self.program.types.word_format(ty).unwrap_or(default)
    }

    fn unary(&self, op: UnaryOp, bits: u128, ty: Ty) -> Scalar {
        Scalar::number(match self.program.types.float_kind(ty) {
            Some(kind) => float::negate(bits, kind),
            None => int::unary(op, bits, self.format(ty)),
        })
    }

    fn binary(
        &self,
        op: BinaryOp,
        left: u128,
        right: u128,
        ty: Ty,
        right_ty: Ty,
        position: Position,
    ) -> Step<Scalar> {
        if let Some(kind) = self.program.types.float_kind(ty) {
            return Ok(Scalar::number(mode::binary(op, left, right, kind, self.rounding)));
        }
        let right = if op.is_shift() { int::extend(right, self.format(right_ty)) } else { right };
        match int::binary(op, left, right, self.format(ty)) {
            Ok(bits)
                if !self.checks_overflow || !int::overflows(op, left, right, self.format(ty)) =>
            {
                Ok(Scalar::number(bits))
            }
            other => {
                self.culprit.set(Some(Culprit::Operation { op, left, right, ty }));
                let what = other.err().map_or(Undefined::Overflow, Undefined::from);
                undefined(what, position)
            }
        }
    }

    /// A number that becomes an integer is one of its type (C11 6.3.1.4).
    fn check_conversion(
        &self,
        kind: CastKind,
        bits: u128,
        operand: &Expr,
        expr: &Expr,
    ) -> Step<()> {
        let from =
            self.program.types.float_kind(operand.ty).filter(|_| kind == CastKind::FloatToInt);
        match from {
            Some(from)
                if self.checks_overflow && !float::fits(bits, from, self.format(expr.ty)) =>
            {
                self.culprit.set(Some(Culprit::Conversion { bits, from: operand.ty, to: expr.ty }));
                undefined(Undefined::FloatConversion, expr.position)
            }
            _ => Ok(()),
        }
    }

    /// The smallest number has no negative.
    fn check_negation(&self, op: UnaryOp, bits: u128, ty: Ty, position: Position) -> Step<()> {
        let is_integer = || self.program.types.float_kind(ty).is_none();
        if self.checks_overflow
            && op == UnaryOp::Negate
            && is_integer()
            && int::overflows(BinaryOp::Subtract, 0, bits, self.format(ty))
        {
            self.culprit.set(Some(Culprit::Negation { bits, ty }));
            return undefined(Undefined::Overflow, position);
        }
        Ok(())
    }

    fn difference(&self, left: Scalar, right: Scalar, scale: u64) -> Scalar {
        let width = 8 * self.program.types.model.pointer_bytes() as u32;
        let bytes = left.bits.wrapping_sub(right.bits);
        let bytes = int::extend(bytes, IntFormat { width, signed: true }) as i128;
        let elements = bytes / scale.max(1) as i128;
        Scalar::number(int::truncate(elements as u128, width))
    }

    pub(super) fn cast(&self, kind: CastKind, value: Scalar, from: Ty, to: Ty) -> Scalar {
        let types = &self.program.types;
        let (from_float, to_float) = (types.float_kind(from), types.float_kind(to));
        match (kind, from_float, to_float) {
            (CastKind::ToBool, Some(kind), _) => Scalar::truth(!float::is_zero(value.bits, kind)),
            (CastKind::ToBool, None, _) => Scalar::truth(value.bits != 0),
            (_, Some(a), Some(b)) => Scalar::number(mode::convert(value.bits, a, b, self.rounding)),
            (_, None, Some(b)) => {
                let format = self.format(from);
                Scalar::number(mode::from_int(value.bits, format, b, self.rounding))
            }
            (_, Some(a), None) => Scalar::number(float::to_int(value.bits, a, self.format(to))),
            (_, None, None) => {
                let bits = int::convert(value.bits, self.format(from), self.format(to));
                // What was cut off or changed no longer tells the object.
                let object = value.object.filter(|_| bits == value.bits);
                Scalar { bits, object }
            }
        }
    }
}
