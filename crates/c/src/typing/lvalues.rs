//! Expressions that denote objects: names, members, elements, what pointers point to.

use super::conversions::Operand;
use super::scope::Binding;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{Expr, ExprKind, FuncId, Initial, LocalKind, Place, PlaceKind};
use crate::types::{Ty, Type};
use lang_c::ast::{CompoundLiteral, Expression, Initializer, MemberExpression, MemberOperator};
use lang_c::span::Node;

impl Typer<'_> {
    pub(super) fn identifier(&mut self, name: &str, position: Position) -> Result<Operand> {
        match self.scopes.lookup(name).cloned() {
            Some(Binding::Local(id)) => Ok(Operand::Place(self.local_place(id, position))),
            Some(Binding::VariableArray { pointer, ty }) => {
                let pointer = Expr::load(self.local_place(pointer, position));
                Ok(Operand::Place(Place::new(PlaceKind::Deref(Box::new(pointer)), ty, position)))
            }
            Some(Binding::Global { ty, .. }) if self.is_missing(name) => {
                let null = Expr::int(0, self.types.pointer(ty), position);
                Ok(Operand::Place(Place::new(PlaceKind::Deref(Box::new(null)), ty, position)))
            }
            Some(Binding::Global { id, ty }) => {
                let place = self.global_place(id, position);
                let is_array = self.types.is_array(place.ty);
                Ok(Operand::Place(if is_array { place } else { self.view(place, ty, position) }))
            }
            Some(Binding::Function(id)) => {
                Ok(Operand::Function(self.function_address(id, position)))
            }
            Some(Binding::Constant { value, ty }) => {
                Ok(Operand::Value(Expr::int(value, ty, position)))
            }
            Some(Binding::Typedef { .. }) => {
                Err(Fault::invalid(position, format!("`{name}` is a type, not a value")))
            }
            None if name == "__func__" => self.function_name(position),
            None => Err(Fault::invalid(position, format!("`{name}` is not declared"))),
        }
    }

    /// Whether an object or function with external linkage is weak and has no definition.
    fn is_missing(&self, name: &str) -> bool {
        !self.missing.is_empty() && self.missing.contains(name)
    }

    pub(super) fn function_address(&mut self, id: FuncId, position: Position) -> Expr {
        let function = &self.functions[id.0 as usize];
        let (ty, is_missing) = (function.ty, self.missing.contains(&function.name));
        let ty = self.types.pointer(ty);
        if is_missing {
            return Expr::int(0, ty, position);
        }
        Expr::new(ExprKind::Function(id), ty, position)
    }

    /// `__func__`, an array with the name of the function.
    fn function_name(&mut self, position: Position) -> Result<Operand> {
        let name = self.function.map_or("", |id| &self.functions[id.0 as usize].name);
        let units = name.bytes().map(u32::from).collect();
        let id = self.string_object(units, Ty::CHAR, position);
        Ok(Operand::Place(self.global_place(id, position)))
    }

    pub(super) fn member_expression(&mut self, node: &Node<MemberExpression>) -> Result<Operand> {
        let position = self.position(node);
        let name = &node.node.identifier.node.name;
        let base = match node.node.operator.node {
            MemberOperator::Indirect => {
                let pointer = self.value(&node.node.expression)?;
                self.deref(pointer, position)?
            }
            MemberOperator::Direct => match self.operand(&node.node.expression)? {
                Operand::Place(place) => place,
                Operand::Value(Expr { kind: ExprKind::Load(place), .. }) => *place,
                _ => return Err(Fault::invalid(position, "a member of something that has none")),
            },
        };
        Ok(Operand::Place(self.member_of(base, name, position)?))
    }

    pub(super) fn member_of(
        &mut self,
        base: Place,
        name: &str,
        position: Position,
    ) -> Result<Place> {
        let Some(path) = self.field_path(base.ty, name) else {
            let shown = self.types.show(base.ty);
            let incomplete = self.types.is_record(base.ty) && self.types.size(base.ty).is_none();
            let what = match incomplete {
                true => format!("`{shown}` is incomplete, so it has no member `{name}`"),
                false => format!("`{shown}` has no member `{name}`"),
            };
            return Err(Fault::invalid(position, what));
        };
        Ok(path.into_iter().fold(base, |base, index| self.field(base, index, position)))
    }

    pub(super) fn field(&self, base: Place, index: u32, position: Position) -> Place {
        let ty = self.types.fields(base.ty).get(index as usize).map_or(Ty::VOID, |field| field.ty);
        Place::new(PlaceKind::Field(Box::new(base), index), ty, position)
    }

    /// What a pointer to an object points to.
    pub(super) fn deref(&mut self, pointer: Expr, position: Position) -> Result<Place> {
        let Some(target) = self.types.target(pointer.ty) else {
            let what = format!("`{}` is not a pointer", self.types.show(pointer.ty));
            return Err(Fault::invalid(position, what));
        };
        let pointer = self.bounded(pointer)?;
        Ok(match pointer.kind {
            ExprKind::AddressOf(place) if place.ty == target => *place,
            ExprKind::PointerAdd { pointer: base, index, scale } => {
                self.deref_sum(*base, *index, scale, target, position)
            }
            kind => {
                let pointer = Expr::new(kind, pointer.ty, pointer.position);
                Place::new(PlaceKind::Deref(Box::new(pointer)), target, position)
            }
        })
    }

    /// `*(a + i)` for an array `a` is its element `i`.
    fn deref_sum(
        &self,
        base: Expr,
        index: Expr,
        scale: u64,
        target: Ty,
        position: Position,
    ) -> Place {
        let ty = base.ty;
        if let ExprKind::AddressOf(place) = &base.kind
            && let PlaceKind::Index(array, first) = &place.kind
            && first.as_int() == Some(0)
            && place.ty == target
            && self.types.size(target) == Some(scale)
        {
            let kind = PlaceKind::Index(array.clone(), Box::new(index));
            return Place::new(kind, target, position);
        }
        let (pointer, index) = (Box::new(base), Box::new(index));
        let sum = Expr::new(ExprKind::PointerAdd { pointer, index, scale }, ty, position);
        Place::new(PlaceKind::Deref(Box::new(sum)), target, position)
    }

    /// `left[right]`, in which either may be the array or pointer.
    pub(super) fn subscript(
        &mut self,
        left: &Node<Expression>,
        right: &Node<Expression>,
        position: Position,
    ) -> Result<Operand> {
        if let Some((base, index)) = self.subscript_in_any_order(left, right, position)? {
            let (pointer, index) =
                if self.types.is_pointer(base.ty) { (base, index) } else { (index, base) };
            let moved = self.moved(pointer, index, position)?;
            return Ok(Operand::Place(self.deref(moved, position)?));
        }
        let mark_start = self.builder.mark();
        let base = self.operand(left)?;
        let mark = self.builder.mark();
        let index = self.value(right)?;
        match base {
            Operand::Place(place) if self.types.is_array(place.ty) => {
                let place = self.settle_place(mark, place);
                Ok(Operand::Place(self.element_of(place, index, position)?))
            }
            Operand::Place(place) if self.vector(place.ty).is_some() => {
                let place = self.settle_place(mark, place);
                Ok(Operand::Place(self.vector_element(place, index, position)?))
            }
            Operand::Value(value) if self.vector(value.ty).is_some() => {
                let value = self.settle(mark, value);
                let place = self.held(value, position)?;
                Ok(Operand::Place(self.vector_element(place, index, position)?))
            }
            base => {
                debug_assert!(mark_start == mark || !self.builder.is_unchanged(mark_start));
                let base = self.rvalue(base, position)?;
                let base = self.settle(mark, base);
                let (pointer, index) =
                    if self.types.is_pointer(base.ty) { (base, index) } else { (index, base) };
                let moved = self.moved(pointer, index, position)?;
                Ok(Operand::Place(self.deref(moved, position)?))
            }
        }
    }

    /// The element of an array.
    pub(super) fn element_of(
        &mut self,
        array: Place,
        index: Expr,
        position: Position,
    ) -> Result<Place> {
        let Some(element) = self.types.element(array.ty) else {
            return Err(Fault::invalid(position, "an index into something that is not an array"));
        };
        if !self.types.is_integer(index.ty) {
            return Err(Fault::invalid(position, "the index is not an integer"));
        }
        if self.types.size(element).is_none() {
            let pointer = self.decay(array, position);
            let moved = self.moved(pointer, index, position)?;
            return self.deref(moved, position);
        }
        let index = Box::new(self.as_offset(index));
        Ok(Place::new(PlaceKind::Index(Box::new(array), index), element, position))
    }

    /// `pointer + index`.
    pub(super) fn moved(&mut self, pointer: Expr, index: Expr, position: Position) -> Result<Expr> {
        let Some(target) = self.types.target(pointer.ty) else {
            return Err(Fault::invalid(position, "an index into something that is not an array"));
        };
        if !self.types.is_integer(index.ty) {
            return Err(Fault::invalid(position, "the index is not an integer"));
        }
        let (scale, factor) = self.stride(target, position)?;
        let mut index = self.as_offset(index);
        if let Some(factor) = factor {
            index = self.scaled(index, factor, position);
        }
        let moved = self.pointer_add(pointer, index, scale, position);
        self.bounded(moved)
    }

    /// `(type){ … }`: a new object, of the function or of the program (C11 6.5.2.5).
    pub(super) fn compound_literal(&mut self, node: &Node<CompoundLiteral>) -> Result<Operand> {
        let position = self.position(node);
        let ty = self.type_name(&node.node.type_name)?;
        let list = Initializer::List(node.node.initializer_list.clone());
        let initializer = Node::new(list, node.span);
        let ty = self.completed_type(ty, Some(&initializer))?;
        if self.types.size(ty).is_none() || matches!(self.types.get(ty), Type::Function(_)) {
            return Err(Fault::invalid(position, "a compound literal of incomplete type"));
        }
        let align = self.types.align(ty);
        if self.builder.is_file() {
            let initial = Initial::Values(Vec::new());
            let id = self.new_global("<compound literal>", ty, initial, align, position);
            self.initialize_global(id, &initializer)?;
            return Ok(Operand::Place(self.global_place(id, position)));
        }
        let id = self.new_local(None, ty, align, position);
        debug_assert!(self.builder.locals[id.0 as usize].kind == LocalKind::Variable);
        let place = self.local_place(id, position);
        self.initialize_local(place.clone(), &initializer)?;
        Ok(Operand::Place(place))
    }

    /// `&operand`.
    pub(super) fn address_of(
        &mut self,
        node: &Node<Expression>,
        position: Position,
    ) -> Result<Expr> {
        match self.operand(node)? {
            Operand::Function(pointer) => Ok(pointer),
            Operand::Place(place) => {
                if self.bit_field(&place).is_some() {
                    return Err(Fault::invalid(position, "the address of a bit-field"));
                }
                Ok(self.address(place, position))
            }
            _ => Err(Fault::invalid(position, "the address of something that is not an object")),
        }
    }
}
