//! Declarators: the part of a declaration that builds a type around a name (C11 6.7.6).

use super::attributes::Attributes;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::types::{Length, Signature, Ty, Type};
use lang_c::ast::{
    ArraySize, Declarator, DeclaratorKind, DerivedDeclarator, Ellipsis, FunctionDeclarator,
    ParameterDeclaration, PointerQualifier, TypeName, TypeQualifier,
};
use lang_c::span::Node;

/// A declared name with its type.
#[derive(Clone, Debug)]
pub struct Declared {
    pub name: Option<String>,
    /// Of the name.
    pub position: Position,
    pub ty: Ty,
    pub attributes: Attributes,
}

impl Typer<'_> {
    pub(super) fn declarator(&mut self, base: Ty, node: &Node<Declarator>) -> Result<Declared> {
        let mut attributes = self.attributes(&node.node.extensions)?;
        let mut ty = base;
        // Pointers stand before the name and apply first; what stands behind it applies from the
        // end towards the name.
        for derived in &node.node.derived {
            if let DerivedDeclarator::Pointer(qualifiers) = &derived.node {
                ty = self.types.pointer(ty);
                (attributes.constant, attributes.pointed) = (false, true);
                for qualifier in qualifiers {
                    match &qualifier.node {
                        PointerQualifier::Extension(list) => {
                            attributes.merge(self.attributes(list)?);
                        }
                        PointerQualifier::TypeQualifier(qualifier) => {
                            attributes.constant |= qualifier.node == TypeQualifier::Const;
                        }
                    }
                }
            }
        }
        for derived in node.node.derived.iter().rev() {
            ty = self.derived(ty, derived)?;
        }
        match &node.node.kind.node {
            DeclaratorKind::Abstract => {
                Ok(Declared { name: None, position: self.position(node), ty, attributes })
            }
            DeclaratorKind::Identifier(name) => {
                let position = self.position(name);
                Ok(Declared { name: Some(name.node.name.clone()), position, ty, attributes })
            }
            DeclaratorKind::Declarator(inner) => {
                let mut declared = self.declarator(ty, inner)?;
                declared.attributes.merge(attributes);
                Ok(declared)
            }
        }
    }

    fn derived(&mut self, ty: Ty, derived: &Node<DerivedDeclarator>) -> Result<Ty> {
        let position = self.position(derived);
        match &derived.node {
            DerivedDeclarator::Pointer(_) => Ok(ty),
            DerivedDeclarator::Array(array) => {
                let length = self.array_length(&array.node.size, position)?;
                self.array_of(ty, length, position)
            }
            DerivedDeclarator::Function(function) => {
                let signature = self.signature(ty, &function.node)?;
                self.function_type(signature, position)
            }
            DerivedDeclarator::KRFunction(_) => {
                let signature = Signature {
                    result: ty,
                    parameters: Vec::new(),
                    variadic: false,
                    prototype: false,
                };
                self.function_type(signature, position)
            }
            DerivedDeclarator::Block(_) => Err(Fault::unsupported(position, "blocks")),
        }
    }

    fn function_type(&mut self, signature: Signature, position: Position) -> Result<Ty> {
        if self.types.is_array(signature.result) || self.types.is_function(signature.result) {
            return Err(Fault::invalid(position, "a function cannot return this type"));
        }
        Ok(self.types.intern(Type::Function(signature)))
    }

    pub(super) fn array_of(
        &mut self,
        element: Ty,
        length: Length,
        position: Position,
    ) -> Result<Ty> {
        let is_variable = matches!(self.types.get(element), Type::Array(_, Length::Variable(_)));
        let in_prototype = self.in_prototype > 0;
        let complete = self.types.size(element).is_some() || is_variable || in_prototype;
        if !complete || element == Ty::VOID || self.types.is_function(element) {
            let what = format!("an array of `{}`", self.types.show(element));
            return Err(Fault::invalid(position, what));
        }
        let array = self.types.array(element, length);
        let too_large = self.types.size(array).is_some_and(|size| size > i64::MAX as u64 / 16);
        let unknown = matches!(length, Length::Fixed(_)) && self.types.size(array).is_none();
        if too_large || unknown && !is_variable && !in_prototype {
            return Err(Fault::invalid(position, "the array is too large"));
        }
        Ok(array)
    }

    fn array_length(&mut self, size: &ArraySize, position: Position) -> Result<Length> {
        let expression = match size {
            ArraySize::Unknown => return Ok(Length::Unknown),
            ArraySize::VariableUnknown => return Ok(Length::Unknown),
            ArraySize::VariableExpression(e) | ArraySize::StaticExpression(e) => e,
        };
        if self.in_prototype > 0 {
            let constant = self.unevaluated(|typer| typer.constant_integer(expression));
            let length = constant.ok().and_then(|(_, value)| u64::try_from(value).ok());
            return Ok(length.map_or(Length::Unknown, Length::Fixed));
        }
        let mark = self.builder.mark();
        let value = self.value(expression)?;
        if !self.types.is_integer(value.ty) {
            return Err(Fault::invalid(position, "the length of an array is not an integer"));
        }
        match value.as_int() {
            Some(bits) if self.builder.is_unchanged(mark) => {
                let format = self.types.int_format(value.ty);
                let length = format.map_or(bits, |f| crate::arith::int::extend(bits, f)) as i128;
                let length = u64::try_from(length);
                length
                    .map(Length::Fixed)
                    .map_err(|_| Fault::invalid(position, "the length of an array is negative"))
            }
            _ if !self.builder.can_emit() => {
                Err(Fault::invalid(position, "the length of an array is not constant"))
            }
            _ => self.variable_length(value),
        }
    }

    /// Keeps the length of an array in a variable, as the array's type refers to it.
    fn variable_length(&mut self, value: crate::typed::Expr) -> Result<Length> {
        let position = value.position;
        let value = self.cast(value, self.types.size_type());
        let temporary = self.builder.temporary(value.ty, position);
        let place = self.local_place(temporary, position);
        self.assign(place, value, position)?;
        Ok(Length::Variable(temporary.0))
    }

    fn signature(&mut self, result: Ty, function: &FunctionDeclarator) -> Result<Signature> {
        self.in_prototype += 1;
        self.scopes.enter(None);
        let parameters = self.parameter_types(&function.parameters);
        self.scopes.leave();
        self.in_prototype -= 1;
        let mut parameters = parameters?;
        if parameters == [Ty::VOID] {
            parameters.clear();
        }
        let variadic = function.ellipsis == Ellipsis::Some;
        // `f()` says nothing about the parameters; `f(void)` does.
        let prototype = !function.parameters.is_empty() || variadic;
        Ok(Signature { result, parameters, variadic, prototype })
    }

    fn parameter_types(&mut self, nodes: &[Node<ParameterDeclaration>]) -> Result<Vec<Ty>> {
        nodes.iter().map(|node| Ok(self.parameter(node)?.ty)).collect()
    }

    /// A parameter, with arrays and functions adjusted to pointers (C11 6.7.6.3).
    pub(super) fn parameter(&mut self, node: &Node<ParameterDeclaration>) -> Result<Declared> {
        let position = self.position(node);
        let specified = self.specifiers(&node.node.specifiers, position)?;
        let mut declared = match &node.node.declarator {
            Some(declarator) => self.declarator(specified.ty, declarator)?,
            None => {
                let attributes = Attributes::default();
                Declared { name: None, position, ty: specified.ty, attributes }
            }
        };
        declared.ty = self.adjust_parameter(declared.ty);
        Ok(declared)
    }

    pub(super) fn adjust_parameter(&mut self, ty: Ty) -> Ty {
        match *self.types.get(ty) {
            Type::Array(element, _) => self.types.pointer(element),
            Type::Function(_) => self.types.pointer(ty),
            _ => ty,
        }
    }

    pub(super) fn type_name(&mut self, name: &Node<TypeName>) -> Result<Ty> {
        let position = self.position(name);
        let specified = self.qualified(&name.node.specifiers, position)?;
        match &name.node.declarator {
            Some(declarator) => Ok(self.declarator(specified.ty, declarator)?.ty),
            None => Ok(specified.ty),
        }
    }
}
