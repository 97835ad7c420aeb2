//! gcc's `__builtin_` functions, turned into operators, or into calls of library functions.

use super::conversions::Operand;
use super::linkage::Entity;
use super::scope::Binding;
use super::{Result, Typer};
use crate::error::Fault;
use crate::library;
use crate::source::Position;
use crate::typed::{Callee, Expr, ExprKind, Initial, StmtKind, Terminator};
use crate::types::{Signature, Ty, Type};
use lang_c::ast::Expression;
use lang_c::span::Node;

/// The arguments of a builtin, not yet evaluated.
pub(super) type Arguments = [Node<Expression>];

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
        match (bare, arguments) {
            ("wedge_asm", _) => return self.assembly(arguments, position).map(Some),
            ("wedge_goto", [pointer]) => {
                return self.computed_goto(pointer, position).map(|()| Some(Operand::Void));
            }
            ("wedge_label", [Node { node: Expression::Identifier(name), .. }]) => {
                return self.label_address(&name.node.name, position).map(Some);
            }
            _ => {}
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

    /// What an `asm` writes becomes arbitrary: each place is the result of a call of a function
    /// that gives any value of its type.
    fn assembly(&mut self, outputs: &Arguments, position: Position) -> Result<Operand> {
        for output in outputs {
            let Operand::Place(place) = self.operand(output)? else {
                return Err(Fault::unsupported(position, "an output of `asm` that is no place"));
            };
            let (result, parameters) = (place.ty, Vec::new());
            let signature = Signature { result, parameters, variadic: false, prototype: true };
            let ty = self.types.intern(Type::Function(signature));
            let name = format!("__wedge_any_asm_{}", self.functions.len());
            let callee = Callee::Function(self.new_function(&name, ty, true, position));
            let call = StmtKind::Call { result: Some(place), callee, arguments: Vec::new() };
            self.builder.emit(call, position)?;
        }
        Ok(Operand::Void)
    }

    /// Builtins without the prefix, as long as the program does not declare the name.
    fn undeclared_builtin(
        &mut self,
        name: &str,
        arguments: &Arguments,
        position: Position,
    ) -> Result<Option<Operand>> {
        if name == "__errno_location" {
            return Ok(Some(Operand::Value(self.errno_address(position))));
        }
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

    /// `errno` of the C library is `*__errno_location()`; here it is a variable.
    fn errno_address(&mut self, position: Position) -> Expr {
        let name = "errno";
        let known = match self.linkage.get(name) {
            Some(Entity::Global(id)) => Some(*id),
            _ => None,
        };
        let id = known.unwrap_or_else(|| {
            let initial = Initial::Values(Vec::new());
            let id = self.new_global(name, Ty::INT, initial, 4, position);
            self.linkage.insert(name.to_string(), Entity::Global(id));
            id
        });
        let place = self.global_place(id, position);
        self.address(place, position)
    }

    pub(super) fn wrong_arguments(&self, position: Position) -> Fault {
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
    pub(super) fn argument(
        &mut self,
        arguments: &Arguments,
        ty: Ty,
        position: Position,
    ) -> Result<Expr> {
        let [argument] = arguments else { return Err(self.wrong_arguments(position)) };
        let value = self.value(argument)?;
        self.convert(value, ty, position)
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
