//! gcc's builtins on floating-point numbers: constants, classes, quiet comparisons.

use super::builtins::Arguments;
use super::conversions::Operand;
use super::{Result, Typer};
use crate::arith::float;
use crate::source::Position;
use crate::typed::{BinaryOp, Callee, Expr, ExprKind, UnaryOp};
use crate::types::{FloatKind, Ty};
use lang_c::ast::Expression;
use lang_c::span::Node;

impl Typer<'_> {
    /// Constants, classification and comparison of floating-point numbers.
    pub(super) fn float_builtin(
        &mut self,
        bare: &str,
        arguments: &Arguments,
        position: Position,
    ) -> Result<Option<Operand>> {
        let (base, ty) = match bare.as_bytes().last() {
            Some(b'f') if bare != "isinf" && bare != "inf" => (&bare[..bare.len() - 1], Ty::FLOAT),
            Some(b'l') if bare != "isnormal" && bare != "huge_val" => {
                (&bare[..bare.len() - 1], Ty::LDOUBLE)
            }
            _ => (bare, Ty::DOUBLE),
        };
        let text = match base {
            "inf" | "huge_val" => Some("inf"),
            "nan" | "nans" => Some("nan"),
            _ => None,
        };
        if let Some(text) = text {
            return Ok(Some(Operand::Value(self.special(text, ty, position))));
        }
        let value = |expr| Ok(Some(Operand::Value(expr)));
        match (bare, arguments) {
            ("isgreater", [a, b]) => value(self.float_test(BinaryOp::Greater, a, b, position)?),
            ("isgreaterequal", [a, b]) => {
                value(self.float_test(BinaryOp::GreaterEqual, a, b, position)?)
            }
            ("isless", [a, b]) => value(self.float_test(BinaryOp::Less, a, b, position)?),
            ("islessequal", [a, b]) => {
                value(self.float_test(BinaryOp::LessEqual, a, b, position)?)
            }
            ("islessgreater", [a, b]) => {
                let (a, b) = self.float_operands(a, b)?;
                let less = self.binary(BinaryOp::Less, a.clone(), b.clone(), position);
                let greater = self.binary(BinaryOp::Greater, a, b, position);
                value(self.either(less, greater, position))
            }
            ("isunordered", [a, b]) => {
                let (a, b) = self.float_operands(a, b)?;
                let (a, b) = (self.is_nan(a, position), self.is_nan(b, position));
                value(self.either(a, b, position))
            }
            ("isnan" | "isinf" | "isinf_sign" | "isfinite" | "isnormal", [operand]) => {
                let operand = self.float_operand(operand)?;
                value(self.classify(bare, operand, position))
            }
            ("signbit", [operand]) => {
                let operand = self.float_operand(operand)?;
                self.sign_bit_call(operand, position).map(Some)
            }
            ("fpclassify", [nan, infinite, normal, subnormal, zero, operand]) => {
                let kinds = [nan, infinite, normal, subnormal, zero];
                value(self.fpclassify(kinds, operand, position)?)
            }
            _ => Ok(None),
        }
    }

    fn special(&self, text: &str, ty: Ty, position: Position) -> Expr {
        let kind = self.types.float_kind(ty).unwrap_or(FloatKind::Double);
        let bits = float::parse(text, kind).unwrap_or(0);
        Expr::new(ExprKind::Float(bits), ty, position)
    }

    fn float_operand(&mut self, node: &Node<Expression>) -> Result<Expr> {
        let value = self.value(node)?;
        let ty = if self.types.is_float(value.ty) { value.ty } else { Ty::DOUBLE };
        let value = self.convert(value, ty, self.position(node))?;
        if self.reads_storage(&value) { self.save(value) } else { Ok(value) }
    }

    fn float_operands(
        &mut self,
        a: &Node<Expression>,
        b: &Node<Expression>,
    ) -> Result<(Expr, Expr)> {
        let (a, b) = (self.float_operand(a)?, self.float_operand(b)?);
        Ok(self.balanced(a, b))
    }

    fn float_test(
        &mut self,
        op: BinaryOp,
        a: &Node<Expression>,
        b: &Node<Expression>,
        position: Position,
    ) -> Result<Expr> {
        let (a, b) = self.float_operands(a, b)?;
        Ok(self.binary(op, a, b, position))
    }

    fn is_nan(&self, operand: Expr, position: Position) -> Expr {
        self.binary(BinaryOp::NotEqual, operand.clone(), operand, position)
    }

    fn either(&self, left: Expr, right: Expr, position: Position) -> Expr {
        if let (Some(a), Some(b)) = (left.as_int(), right.as_int()) {
            return self.int((a != 0 || b != 0) as i32, position);
        }
        Expr::new(ExprKind::Or(Box::new(left), Box::new(right)), Ty::INT, position)
    }

    fn classify(&self, test: &str, operand: Expr, position: Position) -> Expr {
        let infinity = self.special("inf", operand.ty, position);
        let minus_infinity = self.unary(UnaryOp::Negate, infinity.clone());
        let compare = |op, bound: &Expr| self.binary(op, operand.clone(), bound.clone(), position);
        let one = self.int(1, position);
        let zero = self.int(0, position);
        match test {
            "isnan" => self.is_nan(operand.clone(), position),
            "isfinite" => {
                let below = compare(BinaryOp::Less, &infinity);
                let above = compare(BinaryOp::Greater, &minus_infinity);
                self.choice(below, above, zero, position)
            }
            "isnormal" => {
                let finite = self.classify("isfinite", operand.clone(), position);
                let least = self.least_normal(operand.ty, position);
                let positive = compare(BinaryOp::GreaterEqual, &least);
                let negative = compare(BinaryOp::LessEqual, &self.unary(UnaryOp::Negate, least));
                let large = self.either(positive, negative, position);
                self.choice(finite, large, zero, position)
            }
            _ => {
                let minus_one = self.int(if test == "isinf" { 1 } else { -1 }, position);
                let negative = self.choice(
                    compare(BinaryOp::Equal, &minus_infinity),
                    minus_one,
                    zero,
                    position,
                );
                self.choice(compare(BinaryOp::Equal, &infinity), one, negative, position)
            }
        }
    }

    fn least_normal(&self, ty: Ty, position: Position) -> Expr {
        let text = match self.types.float_kind(ty) {
            Some(FloatKind::Float) => "0x1p-126",
            Some(FloatKind::Double) | None => "0x1p-1022",
            Some(FloatKind::LongDouble | FloatKind::Float128) => "0x1p-16382",
        };
        self.special(text, ty, position)
    }

    fn sign_bit_call(&mut self, operand: Expr, position: Position) -> Result<Operand> {
        let name = match operand.ty {
            Ty::FLOAT => "signbitf",
            Ty::DOUBLE => "signbit",
            _ => "signbitl",
        };
        let id = self.library_function(name, position);
        let signature = self.types.signature(self.functions[id.0 as usize].ty).cloned();
        let signature = signature.ok_or_else(|| self.wrong_arguments(position))?;
        self.emit_call(Callee::Function(id), &signature, vec![operand], true, position)
    }

    fn fpclassify(
        &mut self,
        kinds: [&Node<Expression>; 5],
        operand: &Node<Expression>,
        position: Position,
    ) -> Result<Expr> {
        let mut numbers = Vec::new();
        for kind in kinds {
            let value = self.value(kind)?;
            numbers.push(self.convert(value, Ty::INT, position)?);
        }
        let operand = self.float_operand(operand)?;
        let test = |name| self.classify(name, operand.clone(), position);
        let (is_nan, is_infinite, is_normal) = (test("isnan"), test("isinf"), test("isnormal"));
        let zero = self.zero(operand.ty, position);
        let is_zero = self.binary(BinaryOp::Equal, operand.clone(), zero, position);
        let mut result = numbers[3].clone();
        for (condition, number) in [(is_zero, 4), (is_normal, 2), (is_infinite, 1), (is_nan, 0)] {
            result = self.choice(condition, numbers[number].clone(), result, position);
        }
        Ok(result)
    }
}
