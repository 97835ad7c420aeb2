//! Objects and functions of the whole program: declarations in several files, or several times in
//! one, speak of the same thing (C11 6.2.2, 6.9.2).

use super::attributes::Attributes;
use super::declarators::Declared;
use super::scope::Binding;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{Callee, Expr, FuncId, Function, Global, GlobalId, Initial, StmtKind};
use crate::types::{Length, Ty, Type};
use lang_c::ast::{Initializer, StorageClassSpecifier as Storage};
use lang_c::span::Node;

/// The bytes of an external array whose declarations do not say how many it has.
const OPEN_BYTES: u64 = 1 << 16;

/// A function declared to be another name for one.
pub struct Alias {
    id: FuncId,
    target: String,
    /// Otherwise the target may be a function of the library, under another name.
    is_needed: bool,
    position: Position,
}

/// What a name with external linkage stands for.
#[derive(Clone, Debug)]
pub enum Entity {
    Function(FuncId),
    Global(GlobalId),
}

impl Typer<'_> {
    pub(super) fn new_global(
        &mut self,
        name: &str,
        ty: Ty,
        initial: Initial,
        align: u64,
        position: Position,
    ) -> GlobalId {
        let size = self.types.size(ty).unwrap_or(0);
        self.globals.push(Global {
            name: name.to_string(),
            ty,
            position,
            initial,
            scope: None,
            is_literal: false,
            is_shared: false,
            is_constant: false,
            is_argument: false,
            align,
            size,
        });
        GlobalId(self.globals.len() as u32 - 1)
    }

    /// A declaration of an object at file scope, or with `extern` in a block.
    pub(super) fn file_object(
        &mut self,
        declared: &Declared,
        storage: Option<&Storage>,
        align: u64,
        initializer: Option<&Node<Initializer>>,
    ) -> Result<()> {
        let name = self.required_name(declared)?;
        let ty = self.completed_type(declared.ty, initializer)?;
        if matches!(self.types.get(ty), Type::Array(_, Length::Variable(_))) {
            return Err(Fault::invalid(
                declared.position,
                "a variable-length array outside functions",
            ));
        }
        if let Some(symbol) = declared.attributes.symbol.clone().filter(|s| *s != name) {
            self.object_symbols.push((symbol, declared.position));
        }
        let is_static = storage == Some(&Storage::Static);
        let id = self.linked_global(&name, ty, is_static, align, declared.position)?;
        let is_definition = storage != Some(&Storage::Extern) || initializer.is_some();
        let global = &mut self.globals[id.0 as usize];
        global.is_constant |= declared.attributes.constant;
        if is_definition && matches!(global.initial, Initial::External) {
            global.initial = Initial::Values(Vec::new());
            global.position = declared.position;
        }
        match initializer {
            Some(initializer) => self.initialize_global(id, initializer),
            None => Ok(()),
        }
    }

    /// The object of this name, whose type becomes more complete by this declaration.
    fn linked_global(
        &mut self,
        name: &str,
        ty: Ty,
        is_static: bool,
        align: u64,
        position: Position,
    ) -> Result<GlobalId> {
        let (known, local_ty) = match self.visible(name) {
            Some(Binding::Global { id, ty: seen }) => {
                (Some(id), self.merged(name, seen, ty, position)?)
            }
            Some(_) => return Err(redeclared(name, position)),
            None if is_static => (None, ty),
            None => match self.linkage.get(name) {
                Some(Entity::Global(id)) => (Some(*id), ty),
                Some(Entity::Function(_)) => return Err(redeclared(name, position)),
                None => (None, ty),
            },
        };
        let id = match known {
            Some(id) => id,
            None => self.new_global(name, ty, Initial::External, align, position),
        };
        let merged = self.merged(name, self.globals[id.0 as usize].ty, local_ty, position)?;
        let global = &mut self.globals[id.0 as usize];
        global.ty = merged;
        global.align = global.align.max(align);
        self.scopes.bind(name, Binding::Global { id, ty: local_ty });
        if known.is_none() && is_static {
            self.static_globals.insert(id);
        }
        if !self.static_globals.contains(&id) {
            self.linkage.insert(name.to_string(), Entity::Global(id));
        }
        Ok(id)
    }

    /// What `name` stands for, if that can be the same thing: a local variable cannot.
    fn visible(&self, name: &str) -> Option<Binding> {
        let here = self.scopes.is_file_scope();
        let found = if here { self.scopes.lookup_here(name) } else { self.scopes.lookup(name) };
        found
            .filter(|b| here || matches!(b, Binding::Global { .. } | Binding::Function(_)))
            .cloned()
    }

    fn merged(&mut self, name: &str, old: Ty, new: Ty, position: Position) -> Result<Ty> {
        if !self.types.compatible(old, new) {
            let (old, new) = (self.types.declare(old, name), self.types.declare(new, name));
            let what = format!("`{new}` conflicts with the earlier declaration `{old}`");
            return Err(Fault::invalid(position, what));
        }
        Ok(self.types.composite(old, new))
    }

    pub(super) fn declare_function(
        &mut self,
        declared: &Declared,
        is_static: bool,
    ) -> Result<FuncId> {
        let name = self.required_name(declared)?;
        let position = declared.position;
        let known = match self.visible(&name) {
            Some(Binding::Function(id)) => Some(id),
            Some(_) => return Err(redeclared(&name, position)),
            None if is_static => None,
            None => match self.linkage.get(&name) {
                Some(Entity::Function(id)) => Some(*id),
                Some(Entity::Global(_)) => return Err(redeclared(&name, position)),
                None => None,
            },
        };
        let id = match known {
            Some(id) => {
                let old = self.functions[id.0 as usize].ty;
                self.functions[id.0 as usize].ty =
                    self.merged(&name, old, declared.ty, position)?;
                id
            }
            None => self.new_function(&name, declared.ty, is_static, position),
        };
        self.functions[id.0 as usize].noreturn |= declared.attributes.noreturn;
        let Attributes { alias, symbol, constructor, destructor, .. } = &declared.attributes;
        self.startup.add(*constructor, *destructor, id);
        if let Some(target) = alias.as_ref().or(symbol.as_ref()) {
            let (target, is_needed) = (target.clone(), alias.is_some());
            if target != name {
                self.aliases.push(Alias { id, target, is_needed, position });
            }
        }
        self.scopes.bind(&name, Binding::Function(id));
        Ok(id)
    }

    pub(super) fn new_function(
        &mut self,
        name: &str,
        ty: Ty,
        is_static: bool,
        position: Position,
    ) -> FuncId {
        let name = name.to_string();
        let id = FuncId(self.functions.len() as u32);
        if !is_static {
            self.linkage.insert(name.clone(), Entity::Function(id));
        }
        self.functions.push(Function {
            name,
            written: None,
            ty,
            position,
            body: None,
            noreturn: false,
            is_library: false,
            version_of: None,
        });
        id
    }

    /// Completes what could only be completed with everything seen.
    pub(super) fn finish(&mut self) -> Result<()> {
        for index in 0..self.globals.len() {
            self.complete_global(index)?;
        }
        for Alias { id, target, is_needed, position } in std::mem::take(&mut self.aliases) {
            let found = self.functions.iter().find(|f| f.name == target && f.body.is_some());
            match found.map(|function| function.body.clone()) {
                Some(body) => self.functions[id.0 as usize].body = body,
                None if is_needed => {
                    let what = format!("no function `{target}` to alias");
                    return Err(Fault::invalid(position, what));
                }
                None => {}
            }
        }
        for (symbol, position) in std::mem::take(&mut self.object_symbols) {
            if self.linkage.contains_key(&symbol) {
                let what = format!("an object under the name of `{symbol}`");
                return Err(Fault::unsupported(position, what));
            }
        }
        self.link_startup()?;
        self.fit_arguments();
        Ok(())
    }

    /// A tentative array of unknown length has one element (C11 6.9.2).
    fn complete_global(&mut self, index: usize) -> Result<()> {
        let global = &self.globals[index];
        let (ty, position) = (global.ty, global.position);
        if let Initial::Values(_) = global.initial {
            if let Type::Array(element, Length::Unknown) = *self.types.get(ty) {
                self.globals[index].ty = self.types.array(element, Length::Fixed(1));
            } else if self.types.size(ty).is_none() {
                let what = format!("`{}` has incomplete type", global.name);
                return Err(Fault::invalid(position, what));
            }
        }
        let size = self.types.size(self.globals[index].ty).unwrap_or(0);
        self.globals[index].size = self.globals[index].size.max(size);
        let global = &mut self.globals[index];
        if matches!(global.initial, Initial::External) && self.types.element(global.ty).is_some() {
            // An array without size is as large as somebody else made it.
            global.size = if global.size == 0 { OPEN_BYTES } else { global.size };
        }
        Ok(())
    }

    /// Calls made when only `int f()` was known get arguments of the types that the definition
    /// asks for.
    fn fit_arguments(&mut self) {
        let wanted: Vec<Vec<Ty>> = self.functions.iter().map(|f| self.parameter_list(f)).collect();
        let mut functions = std::mem::take(&mut self.functions);
        let bodies = functions.iter_mut().filter_map(|function| function.body.as_mut());
        let statements = bodies.flat_map(|b| &mut b.blocks).flat_map(|block| &mut block.statements);
        for statement in statements {
            if let StmtKind::Call { callee: Callee::Function(id), arguments, .. } =
                &mut statement.kind
            {
                for (argument, &ty) in arguments.iter_mut().zip(&wanted[id.0 as usize]) {
                    self.fit_argument(argument, ty);
                }
            }
        }
        self.functions = functions;
    }

    fn parameter_list(&self, function: &Function) -> Vec<Ty> {
        match &function.body {
            Some(body) => body.locals[..body.parameters].iter().map(|local| local.ty).collect(),
            None => self.types.signature(function.ty).map_or(Vec::new(), |s| s.parameters.clone()),
        }
    }

    fn fit_argument(&self, argument: &mut Expr, ty: Ty) {
        let scalars = self.types.is_scalar(argument.ty) && self.types.is_scalar(ty);
        let float_to_pointer = self.types.is_float(argument.ty) && self.types.is_pointer(ty);
        let pointer_to_float = self.types.is_pointer(argument.ty) && self.types.is_float(ty);
        if argument.ty != ty && scalars && !float_to_pointer && !pointer_to_float {
            *argument = self.cast(argument.clone(), ty);
        }
    }
}

fn redeclared(name: &str, position: Position) -> Fault {
    Fault::invalid(position, format!("`{name}` is declared as a different kind of symbol"))
}
