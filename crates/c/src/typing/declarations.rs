//! Declarations of types, objects and functions (C11 6.7).

use super::declarators::Declared;
use super::functions::declared_name;
use super::scope::Binding;
use super::specifiers::Specified;
use super::{Result, Typer};
use crate::error::Fault;
use crate::typed::{Initial, LocalKind, PlaceKind, StmtKind};
use crate::types::{Length, Ty, Type};
use lang_c::ast::{
    Declaration, InitDeclarator, Initializer, StaticAssert, StorageClassSpecifier as Storage,
};
use lang_c::span::Node;

impl Typer<'_> {
    pub(super) fn declaration(&mut self, node: &Node<Declaration>) -> Result<()> {
        let position = self.position(node);
        let specified = self.specifiers(&node.node.specifiers, position)?;
        for declarator in &node.node.declarators {
            self.init_declarator(&specified, declarator)?;
            if let Some(name) = declared_name(&declarator.node.declarator.node) {
                self.bind_qualifiers(name, &node.node.specifiers, &declarator.node.declarator);
            }
        }
        Ok(())
    }

    fn init_declarator(
        &mut self,
        specified: &Specified,
        node: &Node<InitDeclarator>,
    ) -> Result<()> {
        let initializer = node.node.initializer.as_ref();
        let mut declared = self.declarator(specified.ty, &node.node.declarator)?;
        if specified.automatic {
            declared.ty = self.automatic_type(initializer, &declared)?;
        }
        let mut attributes = specified.attributes.clone();
        attributes.merge(std::mem::take(&mut declared.attributes));
        if let Some(mode) = &attributes.mode {
            declared.ty = self.with_mode(declared.ty, mode, declared.position)?;
        }
        if let Some(bytes) = attributes.vector.take() {
            declared.ty = self.vector_type(declared.ty, bytes, declared.position)?;
        }
        declared.attributes = attributes;
        let is_function = self.types.is_function(declared.ty);
        if initializer.is_some() && (is_function || specified.storage == Some(Storage::Typedef)) {
            return Err(Fault::invalid(declared.position, "this cannot be initialised"));
        }
        match &specified.storage {
            Some(Storage::Typedef) => self.declare_typedef(specified, declared),
            storage if is_function => {
                let is_static = *storage == Some(Storage::Static);
                self.declare_function(&declared, is_static).map(|_| ())
            }
            storage => self.object(specified, declared, storage.as_ref(), initializer),
        }
    }

    fn automatic_type(
        &mut self,
        initializer: Option<&Node<Initializer>>,
        declared: &Declared,
    ) -> Result<Ty> {
        match initializer.map(|node| &node.node) {
            Some(Initializer::Expression(expression)) => {
                self.unevaluated(|typer| Ok(typer.value(expression)?.ty))
            }
            _ => Err(Fault::invalid(declared.position, "`__auto_type` needs an initialiser")),
        }
    }

    fn declare_typedef(&mut self, specified: &Specified, declared: Declared) -> Result<()> {
        let own = declared.attributes.align;
        if declared.attributes.transparent_union
            && let Some(record) = self.types.record_mut(declared.ty)
        {
            record.transparent = true;
        }
        let inherited = specified.typedef_align.filter(|_| declared.ty == specified.ty);
        let name = self.required_name(&declared)?;
        if let Some(record) = self.types.record_mut(declared.ty) {
            record.typedef.get_or_insert_with(|| name.clone());
        }
        self.scopes.bind(&name, Binding::Typedef { ty: declared.ty, align: own.or(inherited) });
        Ok(())
    }

    pub(super) fn required_name(&self, declared: &Declared) -> Result<String> {
        let missing = || Fault::syntax(declared.position, "a declaration without a name");
        declared.name.clone().ok_or_else(missing)
    }

    fn object(
        &mut self,
        specified: &Specified,
        declared: Declared,
        storage: Option<&Storage>,
        initializer: Option<&Node<Initializer>>,
    ) -> Result<()> {
        if self.is_void(declared.ty) {
            return Err(Fault::invalid(declared.position, "a variable of type `void`"));
        }
        let natural = specified.typedef_align.unwrap_or_else(|| self.types.align(declared.ty));
        let align = declared.attributes.align.unwrap_or(1).max(natural);
        match storage {
            _ if self.scopes.is_file_scope() => {
                self.file_object(&declared, storage, align, initializer)
            }
            Some(Storage::Extern) => self.file_object(&declared, storage, align, initializer),
            Some(Storage::Static) => self.static_local(&declared, align, initializer),
            _ => self.local_variable(&declared, align, initializer),
        }
    }

    /// The complete type of an object whose array length its initialiser tells.
    pub(super) fn completed_type(
        &mut self,
        ty: Ty,
        initializer: Option<&Node<Initializer>>,
    ) -> Result<Ty> {
        match (self.types.get(ty), initializer) {
            (&Type::Array(element, Length::Unknown), Some(initializer)) => {
                let length = self.initializer_length(ty, initializer)?;
                Ok(self.types.array(element, Length::Fixed(length)))
            }
            _ => Ok(ty),
        }
    }

    fn static_local(
        &mut self,
        declared: &Declared,
        align: u64,
        initializer: Option<&Node<Initializer>>,
    ) -> Result<()> {
        let name = self.required_name(declared)?;
        let ty = self.completed_type(declared.ty, initializer)?;
        if self.types.size(ty).is_none() {
            return Err(self.incomplete(declared));
        }
        let initial = Initial::Values(Vec::new());
        let id = self.new_global(&name, ty, initial, align, declared.position);
        self.globals[id.0 as usize].scope = self.function.zip(self.scopes.current());
        self.globals[id.0 as usize].is_constant = declared.attributes.constant;
        self.scopes.bind(&name, Binding::Global { id, ty });
        if let Some(initializer) = initializer {
            self.initialize_global(id, initializer)?;
        }
        Ok(())
    }

    pub(super) fn incomplete(&self, declared: &Declared) -> Fault {
        let name = declared.name.as_deref().unwrap_or("");
        let shown = self.types.show(declared.ty);
        Fault::invalid(declared.position, format!("`{name}` has incomplete type `{shown}`"))
    }

    fn local_variable(
        &mut self,
        declared: &Declared,
        align: u64,
        initializer: Option<&Node<Initializer>>,
    ) -> Result<()> {
        let name = self.required_name(declared)?;
        let position = declared.position;
        let has_variable_size = self.types.size(declared.ty).is_none()
            && matches!(self.types.get(declared.ty), Type::Array(_, length) if *length != Length::Unknown);
        if has_variable_size {
            if initializer.is_some() {
                return Err(Fault::invalid(
                    position,
                    "a variable-length array with an initialiser",
                ));
            }
            if declared.attributes.cleanup.is_some() {
                let what = "`cleanup` of a variable-length array";
                return Err(Fault::unsupported(position, what));
            }
            return self.variable_array(&name, declared);
        }
        let ty = self.completed_type(declared.ty, initializer)?;
        if self.types.size(ty).is_none() {
            return Err(self.incomplete(declared));
        }
        let id = self.new_local(Some(&name), ty, align, position);
        self.scopes.bind(&name, Binding::Local(id));
        match initializer {
            Some(initializer) => {
                let place = self.local_place(id, position);
                self.initialize_local(place, initializer)?;
            }
            None => self.builder.emit(StmtKind::Declare(id), position)?,
        }
        match &declared.attributes.cleanup {
            Some(function) => self.begin_cleanup(id, function, position),
            None => Ok(()),
        }
    }

    fn variable_array(&mut self, name: &str, declared: &Declared) -> Result<()> {
        let position = declared.position;
        let size = self.size_expression(declared.ty, position)?;
        let pointer_ty = self.types.pointer(declared.ty);
        let pointer = self.new_local(Some(name), pointer_ty, 1, position);
        self.builder.locals[pointer.0 as usize].kind = LocalKind::VariableArray;
        let place = self.local_place(pointer, position);
        debug_assert!(matches!(place.kind, PlaceKind::Local(_)));
        self.builder.emit(StmtKind::Allocate { pointer: place, size }, position)?;
        self.scopes.bind(name, Binding::VariableArray { pointer, ty: declared.ty });
        Ok(())
    }

    pub(super) fn static_assert(&mut self, node: &Node<StaticAssert>) -> Result<()> {
        let position = self.position(&*node.node.expression);
        if self.constant_integer(&node.node.expression)?.1 != 0 {
            return Ok(());
        }
        let message = self.literal_text(&node.node.message.node).unwrap_or_default();
        Err(Fault::invalid(position, format!("static assertion failed: {message}")))
    }
}
