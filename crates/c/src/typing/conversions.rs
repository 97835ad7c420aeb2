//! Conversions of operands (C11 6.3).

use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{BinaryOp, Expr, ExprKind, Place, PlaceKind};
use crate::types::Ty;

/// What an expression denotes before it is used.
pub enum Operand {
    Value(Expr),
    Place(Place),
    /// A function; the expression is its address.
    Function(Expr),
    Void,
}

impl Typer<'_> {
    /// The value of an operand: lvalues are read, arrays and functions become pointers.
    pub(super) fn rvalue(&mut self, operand: Operand, position: Position) -> Result<Expr> {
        match operand {
            Operand::Value(value) | Operand::Function(value) => Ok(value),
            Operand::Void => Err(Fault::invalid(position, "a value is needed, but this has none")),
            Operand::Place(place) => self.read(place, position),
        }
    }

    pub(super) fn read(&mut self, place: Place, position: Position) -> Result<Expr> {
        if self.types.is_array(place.ty) {
            return Ok(self.decay(place, position));
        }
        if self.is_void(place.ty) {
            return Err(Fault::invalid(position, "a value is needed, but this has none"));
        }
        if self.types.size(place.ty).is_none() {
            let what = format!("a value of incomplete type `{}`", self.types.show(place.ty));
            return Err(Fault::invalid(position, what));
        }
        let bits = self.bit_field(&place);
        let declared = place.ty;
        let value = Expr::load(place);
        match bits {
            Some(bits) => {
                let ty = self.types.bit_field_type(declared, bits);
                Ok(self.cast(value, ty))
            }
            None => Ok(value),
        }
    }

    /// The bit-field that a place is, if it is one.
    pub(super) fn bit_field(&self, place: &Place) -> Option<crate::types::BitField> {
        match &place.kind {
            PlaceKind::Field(base, index) => {
                self.types.fields(base.ty).get(*index as usize).and_then(|field| field.bits)
            }
            _ => None,
        }
    }

    /// The implicit conversion of an assignment, argument or result (C11 6.5.16.1). Between
    /// pointers, and between pointers and integers, gcc only warns.
    pub(super) fn convert(&mut self, value: Expr, to: Ty, position: Position) -> Result<Expr> {
        if value.ty == to {
            return Ok(value);
        }
        let both_scalar = self.types.is_scalar(value.ty) && self.types.is_scalar(to);
        let mixes_float = self.types.is_float(value.ty) && self.types.is_pointer(to)
            || self.types.is_pointer(value.ty) && self.types.is_float(to);
        if both_scalar && !mixes_float {
            return Ok(self.cast(value, to));
        }
        if self.types.is_record(to) && self.types.compatible(value.ty, to) {
            return Ok(self.reinterpret(value, to));
        }
        let (from, to) = (self.types.show(value.ty), self.types.show(to));
        Err(Fault::invalid(position, format!("`{from}` cannot be converted to `{to}`")))
    }

    /// A record of one file seen as the compatible record of another file.
    fn reinterpret(&mut self, value: Expr, to: Ty) -> Expr {
        let position = value.position;
        match value.kind {
            ExprKind::Load(place) => Expr::load(self.view(*place, to, position)),
            _ => value,
        }
    }

    /// The same storage seen with another type.
    pub(super) fn view(&mut self, place: Place, ty: Ty, position: Position) -> Place {
        if place.ty == ty {
            return place;
        }
        let address = self.address(place, position);
        let pointer_ty = self.types.pointer(ty);
        let pointer = self.cast(address, pointer_ty);
        Place::new(PlaceKind::Deref(Box::new(pointer)), ty, position)
    }

    /// The integer promotion of a value.
    pub(super) fn promoted(&self, value: Expr) -> Expr {
        let ty = self.types.promote(value.ty);
        self.cast(value, ty)
    }

    /// Both operands in their common arithmetic type.
    pub(super) fn balanced(&self, left: Expr, right: Expr) -> (Expr, Expr) {
        let ty = self.types.common_arithmetic(left.ty, right.ty);
        (self.cast(left, ty), self.cast(right, ty))
    }

    /// An integer as an offset of pointers.
    pub(super) fn as_offset(&self, value: Expr) -> Expr {
        let value = self.promoted(value);
        self.cast(value, self.types.offset_type())
    }

    /// `value * factor` in the offset type.
    pub(super) fn scaled(&self, value: Expr, factor: Expr, position: Position) -> Expr {
        let factor = self.cast(factor, self.types.offset_type());
        self.binary(BinaryOp::Multiply, value, factor, position)
    }
}
