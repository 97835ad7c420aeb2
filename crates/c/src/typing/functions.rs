//! Function definitions (C11 6.9.1).

use super::builder::Builder;
use super::scope::Binding;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{Expr, Local, LocalId, LocalKind, ScopeId, Terminator};
use crate::types::{Signature, Ty, Type};
use lang_c::ast::{
    Declaration, Declarator, DeclaratorKind, DerivedDeclarator, FunctionDefinition, Identifier,
    ParameterDeclaration, Statement, StorageClassSpecifier as Storage,
};
use lang_c::span::Node;
use rustc_hash::FxHashMap;

/// The parameters as the definition gives them.
enum ParameterNodes<'a> {
    Prototype(&'a [Node<ParameterDeclaration>]),
    /// Names, with types in declarations before the body.
    Identifiers(&'a [Node<Identifier>]),
}

impl Typer<'_> {
    pub(super) fn function_definition(&mut self, node: &Node<FunctionDefinition>) -> Result<()> {
        let position = self.position(node);
        let definition = &node.node;
        let specified = self.specifiers(&definition.specifiers, position)?;
        let mut declared = self.declarator(specified.ty, &definition.declarator)?;
        declared.attributes.merge(specified.attributes.clone());
        let Some(signature) = self.types.signature(declared.ty).cloned() else {
            return Err(Fault::syntax(declared.position, "a function body without a function"));
        };
        let is_static = specified.storage == Some(Storage::Static);
        let id = self.declare_function(&declared, is_static)?;
        let name = self.required_name(&declared)?;
        if self.functions[id.0 as usize].body.is_some() {
            // An inline definition may come again from a header.
            if specified.inline {
                return Ok(());
            }
            return Err(Fault::invalid(declared.position, format!("`{name}` is defined twice")));
        }
        self.functions[id.0 as usize].position = declared.position;
        self.function = Some(id);
        self.builder = Builder::for_function(signature.result, position);
        self.scopes.enter(Some(ScopeId(0)));
        let places = (position, declared.position);
        let returns_zero = name == "main" && signature.result == Ty::INT;
        let lowered = self.parameters_and_body(definition, &signature, places, returns_zero);
        self.scopes.leave();
        self.function = None;
        let end = self.unit.end(node.span);
        let mut builder = std::mem::replace(&mut self.builder, Builder::for_file());
        let parameters = lowered?;
        builder.scopes[0].end = end;
        let last = Terminator::Return(returns_zero.then(|| self.int(0, end)));
        self.functions[id.0 as usize].body = Some(builder.finish(end, last)?);
        // Of several compatible declarations, the definition tells what the body works with.
        let ty = Type::Function(Signature { parameters, ..signature });
        self.functions[id.0 as usize].ty = self.types.intern(ty);
        Ok(())
    }

    /// Returns the types of the parameters.
    fn parameters_and_body(
        &mut self,
        definition: &FunctionDefinition,
        signature: &Signature,
        (begin, position): (Position, Position),
        is_main: bool,
    ) -> Result<Vec<Ty>> {
        match parameter_nodes(&definition.declarator) {
            Some(ParameterNodes::Prototype(nodes)) => {
                self.prototype_parameters(nodes, signature)?
            }
            Some(ParameterNodes::Identifiers(names)) => {
                self.old_style_parameters(names, &definition.declarations)?;
            }
            None => {
                let what = "a function defined through a typedef";
                return Err(Fault::unsupported(position, what));
            }
        }
        let parameters = &self.builder.locals[..self.builder.parameters];
        let parameters = parameters.iter().map(|local| local.ty).collect();
        let body = self.position(&definition.statement);
        self.annotate_entry(begin, position, body)?;
        match &definition.statement.node {
            Statement::Compound(items) => self.with_cleanup(|typer| typer.block_items(items))?,
            _ => self.statement(&definition.statement)?,
        }
        let last = self.unit.end(definition.statement.span);
        self.annotate_end(is_main, last)?;
        // What flows out of the body returns; jumps are decided in blocks of their own.
        let end = self.builder.current();
        self.finish_computed_gotos()?;
        self.builder.continue_in(end);
        Ok(parameters)
    }

    fn new_parameter(&mut self, name: Option<&str>, ty: Ty, position: Position) -> LocalId {
        let (name, kind, scope) = (name.map(str::to_string), LocalKind::Parameter, ScopeId(0));
        self.builder.local(Local { name, ty, kind, position, scope, align: 1 })
    }

    fn prototype_parameters(
        &mut self,
        nodes: &[Node<ParameterDeclaration>],
        signature: &Signature,
    ) -> Result<()> {
        // All parameters are numbered before lengths of arrays among them make temporaries.
        let mut names = Vec::new();
        for (node, &ty) in nodes.iter().zip(&signature.parameters) {
            let name = node.node.declarator.as_ref().and_then(|d| declared_name(&d.node));
            if self.types.size(ty).is_none() {
                let what = format!("a parameter of incomplete type `{}`", self.types.show(ty));
                return Err(Fault::invalid(self.position(node), what));
            }
            let id = self.new_parameter(name, ty, self.position(node));
            names.push((name, id));
        }
        self.builder.parameters = names.len();
        for (node, (name, id)) in nodes.iter().zip(names) {
            if let Some(name) = name {
                self.scopes.bind(name, Binding::Local(id));
                if let Some(declarator) = &node.node.declarator {
                    self.bind_qualifiers(name, &node.node.specifiers, declarator);
                }
            }
            if self.has_unknown_length(self.builder.locals[id.0 as usize].ty) {
                let ty = self.parameter(node)?.ty;
                self.builder.locals[id.0 as usize].ty = ty;
            }
        }
        Ok(())
    }

    /// Whether an array length inside the type was left open by the prototype.
    fn has_unknown_length(&self, ty: Ty) -> bool {
        match *self.types.get(ty) {
            Type::Pointer(target) => {
                self.types.is_array(target) && self.types.size(target).is_none()
            }
            _ => false,
        }
    }

    /// `int f(a, b) char b; { … }`: arguments arrive promoted and are converted here.
    fn old_style_parameters(
        &mut self,
        names: &[Node<Identifier>],
        declarations: &[Node<Declaration>],
    ) -> Result<()> {
        let mut declared = FxHashMap::default();
        for declaration in declarations {
            let position = self.position(declaration);
            let specified = self.specifiers(&declaration.node.specifiers, position)?;
            for declarator in &declaration.node.declarators {
                let one = self.declarator(specified.ty, &declarator.node.declarator)?;
                let ty = self.adjust_parameter(one.ty);
                declared.insert(self.required_name(&one)?, ty);
            }
        }
        let mut narrow = Vec::new();
        for name in names {
            let position = self.position(name);
            let ty = declared.remove(&name.node.name).unwrap_or(Ty::INT);
            let promoted = self.types.promote_argument(ty);
            let own_name = (promoted == ty).then_some(name.node.name.as_str());
            let id = self.new_parameter(own_name, promoted, position);
            if promoted == ty {
                self.scopes.bind(&name.node.name, Binding::Local(id));
            } else {
                narrow.push((&name.node.name, id, ty, position));
            }
        }
        if let Some((name, _)) = declared.into_iter().next() {
            let position = declarations.first().map(|d| self.position(d)).unwrap_or_default();
            return Err(Fault::invalid(position, format!("`{name}` is not a parameter")));
        }
        self.builder.parameters = names.len();
        for (name, id, ty, position) in narrow {
            let variable = self.new_local(Some(name), ty, 1, position);
            self.scopes.bind(name, Binding::Local(variable));
            let promoted = Expr::load(self.local_place(id, position));
            let value = self.cast(promoted, ty);
            let place = self.local_place(variable, position);
            self.assign(place, value, position)?;
        }
        Ok(())
    }
}

/// The parameter list next to the declared name.
fn parameter_nodes(node: &Node<Declarator>) -> Option<ParameterNodes<'_>> {
    if let DeclaratorKind::Declarator(inner) = &node.node.kind.node
        && let Some(found) = parameter_nodes(inner)
    {
        return Some(found);
    }
    node.node.derived.iter().find_map(|derived| match &derived.node {
        DerivedDeclarator::Function(function) => {
            Some(ParameterNodes::Prototype(&function.node.parameters))
        }
        DerivedDeclarator::KRFunction(names) => Some(ParameterNodes::Identifiers(names)),
        _ => None,
    })
}

pub(super) fn declared_name(declarator: &Declarator) -> Option<&str> {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => None,
        DeclaratorKind::Identifier(name) => Some(&name.node.name),
        DeclaratorKind::Declarator(inner) => declared_name(&inner.node),
    }
}
