//! Expressions as words.

use super::walk::Walk;
use crate::arith::int;
use crate::closed::Word;
use crate::typed::{BinaryOp, CastKind, Expr, ExprKind, UnaryOp};
use crate::types::{IntFormat, Ty};

impl<'p> Walk<'_, 'p, '_> {
    /// Integers of at most 64 bits.
    pub(super) fn format(&self, ty: Ty) -> Option<IntFormat> {
        let format = self.interpreter.program.types.int_format(ty)?;
        (1..=64).contains(&format.width).then_some(format)
    }

    pub(super) fn extended(&self, bits: u128, format: IntFormat) -> i128 {
        int::extend(bits, format) as i128
    }

    pub(super) fn eval(&mut self, expr: &'p Expr) -> Option<Word> {
        let format = self.format(expr.ty)?;
        match &expr.kind {
            ExprKind::Int(bits) => Some(Word::constant(self.extended(*bits, format))),
            ExprKind::Load(place) => self.load(place),
            ExprKind::Unary(op, operand) => {
                let format = self.format(operand.ty)?;
                let word = self.eval(operand)?;
                self.unary(*op, &word, format)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Cast(CastKind::IntToInt, operand) => {
                let from = self.format(operand.ty)?;
                let word = self.eval(operand)?;
                Some(self.path.convert(word, from, format))
            }
            ExprKind::Cast(CastKind::ToBool, operand) => self.truth(operand).map(truth),
            ExprKind::And(left, right) => {
                let holds = self.truth(left)? && self.truth(right)?;
                Some(truth(holds))
            }
            ExprKind::Or(left, right) => {
                let holds = self.truth(left)? || self.truth(right)?;
                Some(truth(holds))
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let holds = self.truth(condition)?;
                self.eval(if holds { then } else { otherwise })
            }
            _ => None,
        }
    }

    /// Whether an expression is not 0, as it has to be in all iterations.
    pub(super) fn truth(&mut self, expr: &'p Expr) -> Option<bool> {
        let word = self.eval(expr)?;
        self.is_not_zero(&word, expr.ty)
    }

    pub(super) fn is_not_zero(&mut self, word: &Word, ty: Ty) -> Option<bool> {
        let format = self.format(ty)?;
        self.path.compare(BinaryOp::NotEqual, word, &Word::constant(0), format)
    }

    fn unary(&mut self, op: UnaryOp, word: &Word, format: IntFormat) -> Option<Word> {
        match op {
            UnaryOp::Negate => self.path.sum(&Word::constant(0), -1, word, format),
            UnaryOp::Complement => Some(Word::constant(-1).plus(-1, word)?.wrapped(format)),
            _ if word.is_constant() => {
                let bits = int::unary(op, word.number as u128, format);
                Some(Word::constant(self.extended(bits, format)))
            }
            _ => None,
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &'p Expr, right: &'p Expr) -> Option<Word> {
        let (format, right_format) = (self.format(left.ty)?, self.format(right.ty)?);
        let (a, b) = (self.eval(left)?, self.eval(right)?);
        if !op.is_shift() && format != right_format {
            return None;
        }
        match op {
            BinaryOp::Add => self.path.sum(&a, 1, &b, format),
            BinaryOp::Subtract => self.path.sum(&a, -1, &b, format),
            BinaryOp::Multiply if !a.is_constant() || !b.is_constant() => {
                self.path.product(&a, &b, format)
            }
            _ if op.is_comparison() => self.path.compare(op, &a, &b, format).map(truth),
            _ if a.is_constant() && b.is_constant() => {
                let left = int::truncate(a.number as u128, format.width);
                let right = match op.is_shift() {
                    true => b.number as u128,
                    false => int::truncate(b.number as u128, format.width),
                };
                let bits = int::binary(op, left, right, format).ok()?;
                let is_lost = self.path.checks_overflow && int::overflows(op, left, right, format);
                (!is_lost).then(|| Word::constant(self.extended(bits, format)))
            }
            _ => None,
        }
    }
}

fn truth(value: bool) -> Word {
    Word::constant(value as i128)
}
