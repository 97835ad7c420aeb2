//! Structs, unions and enumerations (C11 6.7.2.1, 6.7.2.2).

use super::attributes::Attributes;
use super::scope::Binding;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::types::{FieldSpec, RecordAttributes, RecordKind, Ty};
use lang_c::ast::{
    EnumType, Enumerator, StructDeclaration, StructDeclarator, StructField, StructKind, StructType,
};
use lang_c::span::Node;

/// The values that an enumeration has to represent.
#[derive(Default)]
struct Extent {
    least: i128,
    greatest: i128,
}

impl Typer<'_> {
    /// The type of a struct or union specifier, defined if it has a body.
    pub(super) fn record_type(&mut self, record: &Node<StructType>, own: Attributes) -> Result<Ty> {
        let position = self.position(record);
        let kind = match record.node.kind.node {
            StructKind::Struct => RecordKind::Struct,
            StructKind::Union => RecordKind::Union,
        };
        let tag = record.node.identifier.as_ref().map(|name| name.node.name.as_str());
        let Some(declarations) = &record.node.declarations else {
            return self.tagged(tag, position, |typer| {
                typer.types.new_record(kind, tag.map(str::to_string), position)
            });
        };
        let ty = self.begin_record(kind, tag, position)?;
        let mut members = Vec::new();
        for declaration in declarations {
            match &declaration.node {
                StructDeclaration::Field(field) => self.members(field, &mut members)?,
                StructDeclaration::StaticAssert(assertion) => self.static_assert(assertion)?,
            }
        }
        let pack = self.unit.pack(record.span);
        let attributes = RecordAttributes { packed: own.packed, align: own.align, pack };
        self.complete_record(ty, kind, &members, attributes, position)?;
        if let Some(record) = self.types.record_mut(ty) {
            record.transparent = own.transparent_union;
        }
        Ok(ty)
    }

    /// The type with this tag, from any scope, or a new one.
    fn tagged(
        &mut self,
        tag: Option<&str>,
        position: Position,
        make: impl FnOnce(&mut Self) -> Ty,
    ) -> Result<Ty> {
        let Some(tag) = tag else {
            return Err(Fault::syntax(position, "a type with neither tag nor body"));
        };
        if let Some(known) = self.scopes.lookup_tag(tag) {
            return Ok(known);
        }
        let new = make(self);
        self.scopes.bind_tag(tag, new);
        Ok(new)
    }

    fn begin_record(
        &mut self,
        kind: RecordKind,
        tag: Option<&str>,
        position: Position,
    ) -> Result<Ty> {
        if let Some(known) = tag.and_then(|tag| self.scopes.lookup_tag_here(tag)) {
            return match self.types.record(known) {
                Some(record) if record.kind == kind && record.layout.is_none() => Ok(known),
                _ => {
                    let what = format!("redefinition of `{}`", self.types.show(known));
                    Err(Fault::invalid(position, what))
                }
            };
        }
        let ty = self.types.new_record(kind, tag.map(str::to_string), position);
        if let Some(tag) = tag {
            self.scopes.bind_tag(tag, ty);
        }
        Ok(ty)
    }

    fn members(&mut self, field: &Node<StructField>, members: &mut Vec<FieldSpec>) -> Result<()> {
        let position = self.position(field);
        let specified = self.qualified(&field.node.specifiers, position)?;
        if field.node.declarators.is_empty() {
            // Only an anonymous record is a member without a declarator.
            if self.types.is_record(specified.ty) {
                members.push(FieldSpec {
                    name: None,
                    ty: specified.ty,
                    bit_width: None,
                    align: specified.attributes.align,
                    typedef_align: specified.typedef_align,
                    packed: specified.attributes.packed,
                });
            }
            return Ok(());
        }
        for declarator in &field.node.declarators {
            let mut attributes = specified.attributes.clone();
            let member = self.member(declarator, specified.ty, &mut attributes)?;
            let same_type = member.ty == specified.ty;
            let typedef_align = specified.typedef_align.filter(|_| same_type);
            members.push(FieldSpec {
                align: attributes.align,
                packed: attributes.packed,
                typedef_align,
                ..member
            });
        }
        Ok(())
    }

    fn member(
        &mut self,
        declarator: &Node<StructDeclarator>,
        base: Ty,
        attributes: &mut Attributes,
    ) -> Result<FieldSpec> {
        let position = self.position(declarator);
        let (mut name, mut ty) = (None, base);
        if let Some(inner) = &declarator.node.declarator {
            let declared = self.declarator(base, inner)?;
            (name, ty) = (declared.name, declared.ty);
            if let Some(mode) = &declared.attributes.mode {
                ty = self.with_mode(ty, mode, position)?;
            }
            if let Some(bytes) = declared.attributes.vector {
                ty = self.vector_type(ty, bytes, position)?;
            }
            attributes.merge(declared.attributes);
        }
        if self.types.is_function(ty) {
            return Err(Fault::invalid(position, "a member cannot be a function"));
        }
        let bit_width = match &declarator.node.bit_width {
            Some(width) => Some(self.bit_width(width, ty)?),
            None => None,
        };
        Ok(FieldSpec { name, ty, bit_width, align: None, typedef_align: None, packed: false })
    }

    fn bit_width(&mut self, width: &Node<lang_c::ast::Expression>, ty: Ty) -> Result<u32> {
        let position = self.position(width);
        let value = self.constant_integer(width)?.1;
        let Some(format) = self.types.int_format(ty) else {
            return Err(Fault::invalid(position, "a bit-field of a type that is not an integer"));
        };
        let most = if ty == Ty::BOOL { 1 } else { format.width as i128 };
        if (0..=most).contains(&value) {
            return Ok(value as u32);
        }
        Err(Fault::invalid(position, "the width of a bit-field does not fit its type"))
    }

    pub(super) fn complete_record(
        &mut self,
        ty: Ty,
        kind: RecordKind,
        members: &[FieldSpec],
        attributes: RecordAttributes,
        position: Position,
    ) -> Result<()> {
        let layout = self.types.lay_out(kind, members, attributes).map_err(|member| {
            let what = match member {
                Some(index) => {
                    let name = members[index].name.as_deref().unwrap_or("<anonymous>");
                    format!("member `{name}` has incomplete type or is too large")
                }
                None => "the type is too large".to_string(),
            };
            Fault::invalid(position, what)
        })?;
        if let Some(record) = self.types.record_mut(ty) {
            record.layout = Some(layout);
            record.position = position;
        }
        Ok(())
    }

    /// The type of an enumeration specifier, defined if it has a body.
    pub(super) fn enum_type(&mut self, node: &Node<EnumType>, own: Attributes) -> Result<Ty> {
        let position = self.position(node);
        let tag = node.node.identifier.as_ref().map(|name| name.node.name.as_str());
        let make = |typer: &mut Self| typer.types.new_enum(tag.map(str::to_string), position);
        if node.node.enumerators.is_empty() {
            let ty = self.tagged(tag, position, make)?;
            // gcc lets an enumeration be used before it is defined, with the size of an int.
            if let Some(enumeration) = self.types.enumeration_mut(ty) {
                enumeration.repr.get_or_insert(Ty::UINT);
            }
            return Ok(ty);
        }
        let forward = tag.and_then(|tag| self.scopes.lookup_tag_here(tag));
        let ty = forward.unwrap_or_else(|| make(self));
        if let Some(tag) = tag {
            self.scopes.bind_tag(tag, ty);
        }
        let mut extent = Extent::default();
        let mut names = Vec::new();
        let mut next = 0;
        for enumerator in &node.node.enumerators {
            let value = self.enumerator(enumerator, next)?;
            extent.least = extent.least.min(value);
            extent.greatest = extent.greatest.max(value);
            names.push((enumerator.node.identifier.node.name.clone(), value));
            next = value.wrapping_add(1);
        }
        let repr = self.enum_repr(&extent, own.packed);
        for (name, value) in names {
            self.scopes.bind(&name, self.constant_binding(value, repr));
        }
        if let Some(enumeration) = self.types.enumeration_mut(ty) {
            enumeration.repr = Some(repr);
        }
        Ok(ty)
    }

    /// Binds an enumeration constant for the ones that follow and gives its value.
    fn enumerator(&mut self, enumerator: &Node<Enumerator>, next: i128) -> Result<i128> {
        let value = match &enumerator.node.expression {
            Some(expression) => self.constant_integer(expression)?.1,
            None => next,
        };
        let binding = self.constant_binding(value, Ty::LLONG);
        self.scopes.bind(&enumerator.node.identifier.node.name, binding);
        Ok(value)
    }

    /// Constants that fit are `int`s, others have the type of the enumeration.
    fn constant_binding(&self, value: i128, repr: Ty) -> Binding {
        let ty = if i32::try_from(value).is_ok() { Ty::INT } else { repr };
        let width = self.types.int_format(ty).map_or(128, |format| format.width);
        Binding::Constant { value: crate::arith::int::truncate(value as u128, width), ty }
    }

    /// gcc's choice: `unsigned int` unless a value is negative; wider if needed; the narrowest if
    /// packed.
    fn enum_repr(&mut self, extent: &Extent, packed: bool) -> Ty {
        let signed = extent.least < 0;
        let fits = |width: u32| {
            let low = if signed { -(1i128 << (width - 1)) } else { 0 };
            let high = if signed { (1i128 << (width - 1)) - 1 } else { (1i128 << width) - 1 };
            extent.least >= low && extent.greatest <= high
        };
        let widths = if packed { &[8, 16, 32, 64][..] } else { &[32, 64] };
        let width = widths.iter().copied().find(|&width| fits(width)).unwrap_or(64);
        self.types.int_of_width(width, signed)
    }
}
