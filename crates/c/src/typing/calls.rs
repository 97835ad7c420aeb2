//! Function calls (C11 6.5.2.2) and variable arguments.

use super::builder::Mark;
use super::conversions::Operand;
use super::scope::Binding;
use super::{Result, Typer};
use crate::annotation::Spot;
use crate::error::Fault;
use crate::library::{self, Letter};
use crate::source::Position;
use crate::typed::{Callee, Expr, ExprKind, FuncId, StmtKind};
use crate::types::{Signature, Ty, Type};
use lang_c::ast::{CallExpression, Expression, VaArgExpression};
use lang_c::span::Node;

impl Typer<'_> {
    /// A call; without `wanted` its result is not needed.
    pub(super) fn call(&mut self, node: &Node<CallExpression>, wanted: bool) -> Result<Operand> {
        let end = self.unit.end(node.span);
        let is_annotated = self.annotations.is_about_call(self.unit.row(end));
        self.annotate(Spot::BeforeCall, end)?;
        let result = self.plain_call(node, wanted || is_annotated)?;
        match is_annotated {
            true => self.annotate_result(result, end),
            false => Ok(result),
        }
    }

    fn plain_call(&mut self, node: &Node<CallExpression>, wanted: bool) -> Result<Operand> {
        let position = self.position(node);
        let arguments = &node.node.arguments;
        if let Expression::Identifier(name) = &node.node.callee.node {
            let name = name.node.name.as_str();
            if let Some(result) = self.builtin(name, arguments, wanted, position)? {
                return Ok(result);
            }
            if self.scopes.lookup(name).is_none() {
                let id = self.implicit_function(name, position);
                return self.call_function(id, arguments, wanted, position);
            }
        }
        if let Some(known) = self.call_in_any_order(node, position)? {
            let mut known = known.into_iter();
            let Some(pointer) = known.next() else { return Ok(Operand::Void) };
            return self.call_pointer(pointer, arguments, Some(known.collect()), wanted, position);
        }
        match self.operand(&node.node.callee)? {
            Operand::Function(Expr { kind: ExprKind::Function(id), .. }) => {
                self.call_function(id, arguments, wanted, position)
            }
            callee => {
                let pointer = self.rvalue(callee, position)?;
                self.call_pointer(pointer, arguments, None, wanted, position)
            }
        }
    }

    /// The values of the called expression and of the arguments, if that expression does something
    /// and the order matters. A function that is named is called whatever its arguments do.
    fn call_in_any_order(
        &mut self,
        node: &Node<CallExpression>,
        position: Position,
    ) -> Result<Option<Vec<Expr>>> {
        if let Expression::Identifier(name) = &node.node.callee.node
            && let Some(Binding::Function(_)) = self.scopes.lookup(&name.node.name)
        {
            return Ok(None);
        }
        let is_plain = super::order::is_plain;
        if is_plain(&node.node.callee) && node.node.arguments.iter().all(is_plain) {
            return Ok(None);
        }
        let callee = self.effects.effects(&node.node.callee);
        for argument in &node.node.arguments {
            let argument = self.effects.effects(argument);
            if self.order_matters(&callee, &argument, position)? {
                let all: Vec<_> =
                    [&*node.node.callee].into_iter().chain(&node.node.arguments).collect();
                return self.in_any_order(&all, position);
            }
        }
        Ok(None)
    }

    /// A function that is called without having been declared: gcc declares it.
    fn implicit_function(&mut self, name: &str, position: Position) -> FuncId {
        let ty = match library::signature(name) {
            Some((result, parameters)) => self.library_type(result, &parameters),
            None => {
                let (result, parameters) = (Ty::INT, Vec::new());
                let signature = Signature { result, parameters, variadic: false, prototype: false };
                self.types.intern(Type::Function(signature))
            }
        };
        let known = match self.linkage.get(name) {
            Some(super::linkage::Entity::Function(id)) => Some(*id),
            _ => None,
        };
        let id = known.unwrap_or_else(|| self.new_function(name, ty, false, position));
        self.scopes.bind_in_file(name, Binding::Function(id));
        id
    }

    fn library_type(&mut self, result: Letter, parameters: &[Letter]) -> Ty {
        let variadic = parameters.contains(&Letter::More);
        let parameters = parameters.iter().filter(|letter| **letter != Letter::More);
        let parameters: Vec<Letter> = parameters.copied().collect();
        let parameters = parameters.into_iter().map(|letter| self.letter_type(letter)).collect();
        let result = self.letter_type(result);
        self.types.intern(Type::Function(Signature {
            result,
            parameters,
            variadic,
            prototype: true,
        }))
    }

    fn letter_type(&mut self, letter: Letter) -> Ty {
        match letter {
            Letter::Void | Letter::More => Ty::VOID,
            Letter::Int => Ty::INT,
            Letter::UInt => Ty::UINT,
            Letter::Long => Ty::LONG,
            Letter::LongLong => Ty::LLONG,
            Letter::Size => self.types.size_type(),
            Letter::Pointer => self.types.pointer(Ty::VOID),
            Letter::Text => self.types.pointer(Ty::CHAR),
            Letter::Float => Ty::FLOAT,
            Letter::Double => Ty::DOUBLE,
            Letter::LongDouble => Ty::LDOUBLE,
            Letter::VaList => Ty::VA_LIST,
            Letter::IntPointer => self.types.pointer(Ty::INT),
            Letter::FloatPointer => self.types.pointer(Ty::FLOAT),
            Letter::DoublePointer => self.types.pointer(Ty::DOUBLE),
            Letter::LongDoublePointer => self.types.pointer(Ty::LDOUBLE),
        }
    }

    /// The library function of this name, declared if it was not.
    pub(super) fn library_function(&mut self, name: &str, position: Position) -> FuncId {
        match self.scopes.lookup(name) {
            Some(Binding::Function(id)) => *id,
            _ => self.implicit_function(name, position),
        }
    }

    pub(super) fn call_function(
        &mut self,
        id: FuncId,
        arguments: &[Node<Expression>],
        wanted: bool,
        position: Position,
    ) -> Result<Operand> {
        let ty = self.functions[id.0 as usize].ty;
        let signature = self.types.signature(ty).cloned();
        let signature = signature.ok_or_else(|| Fault::invalid(position, "not a function"))?;
        let arguments = self.arguments(&signature, arguments, None, position)?;
        self.emit_call(Callee::Function(id), &signature, arguments, wanted, position)
    }

    fn call_pointer(
        &mut self,
        pointer: Expr,
        arguments: &[Node<Expression>],
        known: Option<Vec<Expr>>,
        wanted: bool,
        position: Position,
    ) -> Result<Operand> {
        let target = self.types.target(pointer.ty);
        let signature = target.and_then(|ty| self.types.signature(ty)).cloned();
        let Some(signature) = signature else {
            let what = format!("`{}` is not a function", self.types.show(pointer.ty));
            return Err(Fault::invalid(position, what));
        };
        let mark = self.builder.mark();
        let arguments = self.arguments(&signature, arguments, known, position)?;
        let pointer = self.settle(mark, pointer);
        self.emit_call(Callee::Pointer(pointer), &signature, arguments, wanted, position)
    }

    /// The arguments, converted to the parameters' types; `known` are their values if they have
    /// been evaluated.
    fn arguments(
        &mut self,
        signature: &Signature,
        nodes: &[Node<Expression>],
        known: Option<Vec<Expr>>,
        position: Position,
    ) -> Result<Vec<Expr>> {
        let expected = signature.parameters.len();
        let too_many = nodes.len() > expected && !signature.variadic;
        if signature.prototype && (nodes.len() < expected || too_many) {
            let what = format!("{} arguments for {expected} parameters", nodes.len());
            return Err(Fault::invalid(position, what));
        }
        let mut values: Vec<(Expr, Mark)> = Vec::with_capacity(nodes.len());
        let all: Vec<&Node<Expression>> = nodes.iter().collect();
        let known = match known {
            Some(known) => Some(known),
            None => self.in_any_order(&all, position)?,
        };
        let mut known = known.map(Vec::into_iter);
        for (index, node) in nodes.iter().enumerate() {
            let value = match known.as_mut().and_then(Iterator::next) {
                Some(value) => value,
                None => self.value(node)?,
            };
            let at = value.position;
            let value = match signature.parameters.get(index).filter(|_| signature.prototype) {
                Some(&ty) => self.pass(value, ty, at)?,
                None => {
                    let ty = self.types.promote_argument(value.ty);
                    self.convert(value, ty, at)?
                }
            };
            values.push((value, self.builder.mark()));
        }
        // The last mark first: inserting at a mark moves those behind it.
        let mut settled = Vec::with_capacity(values.len());
        for (value, mark) in values.into_iter().rev() {
            settled.push(self.settle(mark, value));
        }
        settled.reverse();
        Ok(settled)
    }

    /// An argument for a parameter, which may be a transparent union.
    fn pass(&mut self, value: Expr, ty: Ty, position: Position) -> Result<Expr> {
        let is_transparent = self.types.record(ty).is_some_and(|record| record.transparent);
        if !is_transparent || self.types.compatible(value.ty, ty) {
            return self.convert(value, ty, position);
        }
        let fields = self.types.fields(ty);
        let exact = fields.iter().position(|field| field.ty == value.ty);
        let is_pointer = self.types.is_pointer(value.ty);
        let close = |field: &crate::types::Field| self.types.is_pointer(field.ty) == is_pointer;
        let index = exact.or_else(|| fields.iter().position(close)).unwrap_or(0);
        let id = self.builder.temporary(ty, position);
        let union = self.local_place(id, position);
        let member = self.field(union.clone(), index as u32, position);
        let value = self.convert(value, member.ty, position)?;
        self.assign(member, value, position)?;
        Ok(Expr::load(union))
    }

    pub(super) fn emit_call(
        &mut self,
        callee: Callee,
        signature: &Signature,
        arguments: Vec<Expr>,
        wanted: bool,
        position: Position,
    ) -> Result<Operand> {
        let ty = signature.result;
        if ty == Ty::VOID || !wanted {
            let call = StmtKind::Call { result: None, callee, arguments };
            self.builder.emit(call, position)?;
            return Ok(Operand::Void);
        }
        if self.types.size(ty).is_none() {
            let what = format!("a result of incomplete type `{}`", self.types.show(ty));
            return Err(Fault::invalid(position, what));
        }
        let id = self.builder.temporary(ty, position);
        let place = self.local_place(id, position);
        let call = StmtKind::Call { result: Some(place.clone()), callee, arguments };
        self.builder.emit(call, position)?;
        Ok(Operand::Value(Expr::load(place)))
    }

    /// `va_arg(list, type)`.
    pub(super) fn va_arg(&mut self, node: &Node<VaArgExpression>) -> Result<Operand> {
        let position = self.position(node);
        let list = self.va_list(&node.node.va_list)?;
        let ty = self.type_name(&node.node.type_name)?;
        if self.types.size(ty).is_none() || !(self.types.is_scalar(ty) || self.types.is_record(ty))
        {
            return Err(Fault::invalid(position, "`va_arg` of this type"));
        }
        let id = self.builder.temporary(ty, position);
        let result = self.local_place(id, position);
        self.builder.emit(StmtKind::VaArg { result: result.clone(), list }, position)?;
        Ok(Operand::Value(Expr::load(result)))
    }

    /// An operand that has to be a `va_list` object.
    pub(super) fn va_list(&mut self, node: &Node<Expression>) -> Result<crate::typed::Place> {
        match self.operand(node)? {
            Operand::Place(place) if place.ty == Ty::VA_LIST => Ok(place),
            _ => Err(Fault::invalid(self.position(node), "not a `va_list`")),
        }
    }
}
