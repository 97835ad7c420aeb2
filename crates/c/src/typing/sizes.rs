//! `sizeof`, `_Alignof`, `offsetof` and the sizes of variable-length arrays.

use super::conversions::Operand;
use super::{Result, Typer};
use crate::arith::int;
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{BinaryOp, Expr, LocalId, Place, PlaceKind};
use crate::types::{Length, Ty, Type};
use lang_c::ast::{Expression, OffsetMember, OffsetOfExpression};
use lang_c::span::Node;

impl Typer<'_> {
    /// The type of an expression that is not evaluated and not converted.
    pub(super) fn type_of_expression(&mut self, node: &Node<Expression>) -> Result<Ty> {
        Ok(self.examined(node)?.0)
    }

    /// The type of an expression, and whether it is a bit-field.
    fn examined(&mut self, node: &Node<Expression>) -> Result<(Ty, bool)> {
        self.unevaluated(|typer| {
            Ok(match typer.operand(node)? {
                Operand::Value(value) => (value.ty, false),
                Operand::Place(place) => (place.ty, typer.bit_field(&place).is_some()),
                Operand::Function(pointer) => {
                    (typer.types.target(pointer.ty).unwrap_or(pointer.ty), false)
                }
                Operand::Void => (Ty::VOID, false),
            })
        })
    }

    pub(super) fn sizeof_expression(&mut self, node: &Node<Expression>) -> Result<Expr> {
        let position = self.position(node);
        match self.examined(node)? {
            (_, true) => Err(Fault::invalid(position, "the size of a bit-field")),
            (ty, false) => self.size_expression(ty, position),
        }
    }

    /// The size of a type as a value of type `size_t`.
    pub(super) fn size_expression(&mut self, ty: Ty, position: Position) -> Result<Expr> {
        if let Some(size) = self.types.size(ty) {
            return Ok(self.size_constant(size, position));
        }
        let (element, length) = match *self.types.get(ty) {
            Type::Array(element, length) if length != Length::Unknown => (element, length),
            _ => {
                let what = format!("the size of incomplete type `{}`", self.types.show(ty));
                return Err(Fault::invalid(position, what));
            }
        };
        let count = match length {
            Length::Variable(local) => Expr::load(self.local_place(LocalId(local), position)),
            Length::Fixed(count) => self.size_constant(count, position),
            Length::Unknown => self.size_constant(0, position),
        };
        let size = self.size_expression(element, position)?;
        Ok(self.binary(BinaryOp::Multiply, count, size, position))
    }

    /// The distance between elements of type `ty` as a constant scale and, for variable-length
    /// arrays, a number of such elements.
    pub(super) fn stride(&mut self, ty: Ty, position: Position) -> Result<(u64, Option<Expr>)> {
        if let Some(size) = self.types.size(ty) {
            return Ok((size, None));
        }
        let size = self.size_expression(ty, position)?;
        Ok((1, Some(size)))
    }

    pub(super) fn alignof(&mut self, ty: Ty, position: Position) -> Expr {
        self.size_constant(self.types.align(ty), position)
    }

    /// The path of field indices that leads to a member, through anonymous records.
    pub(super) fn field_path(&self, ty: Ty, name: &str) -> Option<Vec<u32>> {
        let fields = self.types.fields(ty);
        if let Some(index) = fields.iter().position(|f| f.name.as_deref() == Some(name)) {
            return Some(vec![index as u32]);
        }
        fields.iter().enumerate().find_map(|(index, field)| {
            let is_anonymous = field.name.is_none() && field.bits.is_none();
            let mut rest = is_anonymous.then(|| self.field_path(field.ty, name)).flatten()?;
            rest.insert(0, index as u32);
            Some(rest)
        })
    }

    pub(super) fn offset_of(&mut self, node: &Node<OffsetOfExpression>) -> Result<Expr> {
        let position = self.position(node);
        let ty = self.type_name(&node.node.type_name)?;
        let pointer_ty = self.types.pointer(ty);
        let null = Box::new(Expr::int(0, pointer_ty, position));
        let mut place = Place::new(PlaceKind::Deref(null), ty, position);
        let designator = &node.node.designator.node;
        place = self.member_of(place, &designator.base.node.name, position)?;
        for member in &designator.members {
            place = match &member.node {
                OffsetMember::Member(name) => self.member_of(place, &name.node.name, position)?,
                OffsetMember::IndirectMember(name) => {
                    let pointer = self.read(place, position)?;
                    let target = self.deref(pointer, position)?;
                    self.member_of(target, &name.node.name, position)?
                }
                OffsetMember::Index(index) => {
                    let index = self.value(index)?;
                    self.element_of(place, index, position)?
                }
            };
        }
        if self.bit_field(&place).is_some() {
            return Err(Fault::invalid(position, "the offset of a bit-field"));
        }
        let address = self.address(place, position);
        let size = self.types.size_type();
        let offset = self.cast(address, size);
        Ok(match offset.as_int() {
            Some(bits) => {
                let width = self.types.int_format(size).map_or(64, |format| format.width);
                Expr::int(int::truncate(bits, width), size, position)
            }
            None => offset,
        })
    }
}
