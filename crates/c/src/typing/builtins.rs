//! gcc's `__builtin_` functions, turned into operators, or into calls of library functions.

use super::conversions::Operand;
use super::scope::Binding;
use super::{Result, Typer};
use crate::arith::float;
use crate::error::Fault;
use crate::library;
use crate::source::Position;
use crate::typed::{BinaryOp, Callee, Expr, ExprKind, StmtKind, Terminator, UnaryOp};
use crate::types::{FloatKind, Ty};
use lang_c::ast::Expression;
use lang_c::span::Node;

type Arguments = [Node<Expression>];

impl Typer<'_> {
    /// A call of a builtin; `None` if the name is not one.
    pub(super) fn builtin(
        &mut self,
        name: &str,
        arguments: &Arguments,
        wanted: bool,
        position: Position,
    ) -> Result<Option<Operand>> {
        let Some(bare) = name.strip_prefix("__builtin_") else {
            return self.undeclared_builtin(name, arguments, position);
        };
        if let Some(result) = self.control_builtin(bare, arguments, position)? {
            return Ok(Some(result));
        }
        if let Some(result) = self.bit_builtin(bare, arguments, position)? {
            return Ok(Some(result));
        }
        if let Some(result) = self.overflow_builtin(bare, arguments, position)? {
            return Ok(Some(result));
        }
        if let Some(result) = self.float_builtin(bare, arguments, position)? {
            return Ok(Some(result));
        }
        self.library_builtin(bare, arguments, wanted, position)
    }

    /// Builtins without the prefix, as long as the program does not declare the name.
    fn undeclared_builtin(
        &mut self,
        name: &str,
        arguments: &Arguments,
        position: Position,
    ) -> Result<Option<Operand>> {
        if self.scopes.lookup(name).is_some() {
            return Ok(None);
        }
        match name {
            "va_start" | "va_end" | "va_copy" => self.control_builtin(name, arguments, position),
            _ if name.starts_with("__sync_") || name.starts_with("__atomic_") => {
                self.atomic_builtin(name, arguments, position)
            }
            _ => Ok(None),
        }
    }

    fn wrong_arguments(&self, position: Position) -> Fault {
        Fault::invalid(position, "wrong number of arguments for a builtin function")
    }

    /// Builtins that concern evaluation and control rather than numbers.
    fn control_builtin(
        &mut self,
        bare: &str,
        arguments: &Arguments,
        position: Position,
    ) -> Result<Option<Operand>> {
        let value = |expr: Expr| Ok(Some(Operand::Value(expr)));
        match (bare, arguments) {
            ("expect" | "expect_with_probability", [operand, rest @ ..]) => {
                let result = self.value(operand)?;
                let result = self.convert(result, Ty::LONG, position)?;
                self.discard(rest)?;
                value(result)
            }
            ("assume_aligned", [pointer, rest @ ..]) => {
                let result = self.value(pointer)?;
                self.discard(rest)?;
                value(result)
            }
            ("constant_p", [operand]) => {
                let is_constant = self.unevaluated(|typer| {
                    let mark = typer.builder.mark();
                    let operand = typer.value_if_any(operand)?;
                    Ok(operand.is_some_and(|e| e.is_number()) && typer.builder.is_unchanged(mark))
                })?;
                value(self.int(is_constant as i32, position))
            }
            ("choose_expr", [condition, then, otherwise]) => {
                let chosen =
                    if self.constant_integer(condition)?.1 != 0 { then } else { otherwise };
                self.operand(chosen).map(Some)
            }
            ("types_compatible_p", [left, right]) => {
                let (left, right) = (self.wrapped_type(left)?, self.wrapped_type(right)?);
                let compatible = self.types.compatible(left, right);
                value(self.int(compatible as i32, position))
            }
            ("object_size" | "dynamic_object_size", [pointer, kind]) => {
                self.unevaluated(|typer| typer.value(pointer))?;
                let unknown = if self.constant_integer(kind)?.1 & 2 == 0 { u64::MAX } else { 0 };
                value(self.size_constant(unknown, position))
            }
            ("unreachable", []) => {
                self.builder.terminate(Terminator::Unreachable, position)?;
                Ok(Some(Operand::Void))
            }
            ("prefetch", arguments) | ("va_end", arguments) | ("__clear_cache", arguments) => {
                self.discard(arguments)?;
                Ok(Some(Operand::Void))
            }
            ("va_start", [list, ..]) => {
                let list = self.va_list(list)?;
                self.builder.emit(StmtKind::VaStart(list), position)?;
                Ok(Some(Operand::Void))
            }
            ("va_copy", [to, from]) => {
                let (to, from) = (self.va_list(to)?, self.va_list(from)?);
                self.builder.emit(StmtKind::VaCopy { to, from }, position)?;
                Ok(Some(Operand::Void))
            }
            _ => Ok(None),
        }
    }

    fn discard(&mut self, arguments: &Arguments) -> Result<()> {
        arguments.iter().try_for_each(|argument| self.effect(argument))
    }

    /// The type inside the `sizeof` that the reader put around it.
    fn wrapped_type(&mut self, node: &Node<Expression>) -> Result<Ty> {
        match &node.node {
            Expression::SizeOfTy(size) => self.type_name(&size.node.0),
            _ => Err(Fault::invalid(self.position(node), "a type is needed here")),
        }
    }

    /// Byte order, counting and finding of bits.
    fn bit_builtin(
        &mut self,
        bare: &str,
        arguments: &Arguments,
        position: Position,
    ) -> Result<Option<Operand>> {
        let swapped = match bare {
            "bswap16" => Some(Ty::USHORT),
            "bswap32" => Some(Ty::UINT),
            "bswap64" => Some(Ty::ULLONG),
            "bswap128" => Some(Ty::UINT128),
            _ => None,
        };
        if let Some(ty) = swapped {
            let operand = self.argument(arguments, ty, position)?;
            return Ok(Some(Operand::Value(self.unary(UnaryOp::ReverseBytes, operand))));
        }
        let base = bare.trim_end_matches('l');
        let ty = match bare.len() - base.len() {
            0 => Ty::UINT,
            1 => Ty::ULONG,
            _ => Ty::ULLONG,
        };
        let op = match base {
            "clz" => UnaryOp::LeadingZeros,
            "ctz" => UnaryOp::TrailingZeros,
            "popcount" | "parity" => UnaryOp::PopulationCount,
            "ffs" | "clrsb" => UnaryOp::TrailingZeros,
            _ => return Ok(None),
        };
        let operand = self.argument(arguments, ty, position)?;
        let counted = |typer: &Self, op, operand| typer.cast(typer.unary(op, operand), Ty::INT);
        Ok(Some(Operand::Value(match base {
            "parity" => {
                let count = counted(self, op, operand);
                self.binary(BinaryOp::And, count, self.int(1, position), position)
            }
            "ffs" => {
                // One more than the index of the lowest 1, and 0 if there is none.
                let operand = self.save(operand)?;
                let count = counted(self, op, operand.clone());
                let found = self.binary(BinaryOp::Add, count, self.int(1, position), position);
                let none = self.int(0, position);
                self.choice(self.truth(operand), found, none, position)
            }
            "clrsb" => self.redundant_sign_bits(operand, position)?,
            _ => counted(self, op, operand),
        })))
    }

    /// The bits after the sign that equal it: the leading zeros of `x ^ (x >> 1)`, less one.
    fn redundant_sign_bits(&mut self, operand: Expr, position: Position) -> Result<Expr> {
        let unsigned = operand.ty;
        let width = self.types.int_format(unsigned).map_or(32, |format| format.width);
        let signed = self.types.int_of_width(width, true);
        let operand = self.save(operand)?;
        let one = self.int(1, position);
        let number = self.cast(operand.clone(), signed);
        let shifted = self.binary(BinaryOp::ShiftRight, number, one.clone(), position);
        let shifted = self.cast(shifted, unsigned);
        let changes = self.binary(BinaryOp::Xor, operand, shifted, position);
        let zeros = self.cast(self.unary(UnaryOp::LeadingZeros, changes), Ty::INT);
        Ok(self.binary(BinaryOp::Subtract, zeros, one, position))
    }

    pub(super) fn choice(
        &self,
        condition: Expr,
        then: Expr,
        otherwise: Expr,
        position: Position,
    ) -> Expr {
        if let Some(known) = condition.as_int() {
            return if known != 0 { then } else { otherwise };
        }
        let ty = then.ty;
        let kind = ExprKind::Conditional(Box::new(condition), Box::new(then), Box::new(otherwise));
        Expr::new(kind, ty, position)
    }

    /// The only argument, converted to `ty`.
    fn argument(&mut self, arguments: &Arguments, ty: Ty, position: Position) -> Result<Expr> {
        let [argument] = arguments else { return Err(self.wrong_arguments(position)) };
        let value = self.value(argument)?;
        self.convert(value, ty, position)
    }

    /// Constants, classification and comparison of floating-point numbers.
    fn float_builtin(
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

    /// `__builtin_memcpy` is `memcpy`, and so on; the checking variants have more arguments.
    fn library_builtin(
        &mut self,
        bare: &str,
        arguments: &Arguments,
        wanted: bool,
        position: Position,
    ) -> Result<Option<Operand>> {
        let checked = bare.strip_prefix("__").and_then(|inner| inner.strip_suffix("_chk"));
        let (name, arguments) = match (checked, arguments) {
            (Some(name), [arguments @ .., _]) if !name.contains("printf") => (name, arguments),
            _ => (bare, arguments),
        };
        let name = match name {
            "trap" => "abort",
            "alloca_with_align" => "alloca",
            name => name,
        };
        let arguments = if bare == "alloca_with_align" {
            &arguments[..1.min(arguments.len())]
        } else {
            arguments
        };
        if library::signature(name).is_none() {
            let is_declared = matches!(
                self.scopes.lookup(&format!("__builtin_{bare}")),
                Some(Binding::Function(_))
            );
            if is_declared {
                return Ok(None);
            }
            return Err(Fault::unsupported(position, format!("`__builtin_{bare}`")));
        }
        let id = self.library_function(name, position);
        self.call_function(id, arguments, wanted, position).map(Some)
    }
}
