//! Vectors of GNU C: `__attribute__((vector_size(N)))`.
//!
//! A vector is a record whose only member is an array, and an operator works on the elements one by
//! one. A scalar beside a vector stands for a vector of it; a comparison gives -1 where it is true
//! and 0 where it is not. Conversions between vectors, and built-in functions on them, are refused.

use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{BinaryOp, Expr, Place, UnaryOp};
use crate::types::{FieldSpec, Length, RecordAttributes, RecordKind, Ty};

/// The elements of a vector: their type and how many there are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vector {
    pub element: Ty,
    pub count: u64,
}

/// More elements are refused.
const MAX_ELEMENTS: u64 = 64;

impl Typer<'_> {
    /// The type of vectors of so many bytes.
    pub(super) fn vector_type(&mut self, element: Ty, bytes: u64, at: Position) -> Result<Ty> {
        let size = self.types.size(element).unwrap_or(0);
        let is_number = self.types.is_integer(element) || self.types.is_float(element);
        let fits = is_number && size > 0 && bytes.is_power_of_two() && bytes.is_multiple_of(size);
        if !fits || bytes / size > MAX_ELEMENTS {
            return Err(Fault::unsupported(at, "this attribute `vector_size`"));
        }
        let vector = Vector { element, count: bytes / size };
        if let Some((known, _)) = self.vectors.iter().find(|(_, other)| *other == vector) {
            return Ok(*known);
        }
        let tag = format!("vector of {} {}", vector.count, self.types.show(element));
        let ty = self.types.new_record(RecordKind::Struct, Some(tag), at);
        let array = self.types.array(element, Length::Fixed(vector.count));
        let member = FieldSpec {
            name: Some("elements".to_string()),
            ty: array,
            bit_width: None,
            align: None,
            typedef_align: None,
            packed: false,
        };
        let attributes = RecordAttributes { align: Some(bytes), ..RecordAttributes::default() };
        self.complete_record(ty, RecordKind::Struct, &[member], attributes, at)?;
        self.vectors.push((ty, vector));
        Ok(ty)
    }

    pub(super) fn vector(&self, ty: Ty) -> Option<Vector> {
        self.vectors.iter().find(|(known, _)| *known == ty).map(|(_, vector)| *vector)
    }

    /// An element of a vector.
    pub(super) fn vector_element(
        &mut self,
        vector: Place,
        index: Expr,
        position: Position,
    ) -> Result<Place> {
        let array = self.field(vector, 0, position);
        self.element_of(array, index, position)
    }

    fn numbered(&mut self, vector: &Place, index: u64, position: Position) -> Result<Place> {
        let index = self.int(index as i32, position);
        self.vector_element(vector.clone(), index, position)
    }

    /// A vector in a place of its own.
    pub(super) fn held(&mut self, value: Expr, position: Position) -> Result<Place> {
        let id = self.builder.temporary(value.ty, position);
        let place = self.local_place(id, position);
        self.assign(place.clone(), value, position)?;
        Ok(place)
    }

    /// `left op right`, one of which is a vector.
    pub(super) fn operate_on_vectors(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        position: Position,
    ) -> Result<Expr> {
        let both = (self.vector(left.ty), self.vector(right.ty));
        let (vector, ty) = match both {
            (Some(vector), None) => (vector, left.ty),
            (None, Some(vector)) => (vector, right.ty),
            (Some(vector), Some(_)) if left.ty == right.ty => (vector, left.ty),
            _ => return Err(Fault::unsupported(position, "an operator on different vectors")),
        };
        let mut operands = Vec::new();
        for (value, own) in [(left, both.0), (right, both.1)] {
            let value = match own {
                Some(_) => value,
                None => self.convert(value, vector.element, position)?,
            };
            operands.push((self.held(value, position)?, own.is_some()));
        }
        let result_ty = match op.is_comparison() {
            true => {
                let bytes = self.types.size(vector.element).unwrap_or(0);
                let truth = self.types.int_of_width(8 * bytes as u32, true);
                self.vector_type(truth, bytes * vector.count, position)?
            }
            false => ty,
        };
        let id = self.builder.temporary(result_ty, position);
        let result = self.local_place(id, position);
        for index in 0..vector.count {
            let mut values = Vec::new();
            for (place, is_vector) in &operands {
                let place = match is_vector {
                    true => self.numbered(place, index, position)?,
                    false => place.clone(),
                };
                values.push(Expr::load(place));
            }
            let (Some(right), Some(left)) = (values.pop(), values.pop()) else { continue };
            let mut value = self.operate(op, left, right, position)?;
            if op.is_comparison() {
                value = self.unary(UnaryOp::Negate, value);
            }
            let to = self.numbered(&result, index, position)?;
            let value = self.convert(value, to.ty, position)?;
            self.assign(to, value, position)?;
        }
        Ok(Expr::load(result))
    }

    /// `-` or `~` of a vector.
    pub(super) fn unary_of_vector(
        &mut self,
        op: UnaryOp,
        value: Expr,
        position: Position,
    ) -> Result<Expr> {
        let ty = value.ty;
        let count = self.vector(ty).map_or(0, |vector| vector.count);
        let from = self.held(value, position)?;
        let id = self.builder.temporary(ty, position);
        let result = self.local_place(id, position);
        for index in 0..count {
            let element = self.numbered(&from, index, position)?;
            let element = self.promoted(Expr::load(element));
            let value = self.unary(op, element);
            let to = self.numbered(&result, index, position)?;
            let value = self.convert(value, to.ty, position)?;
            self.assign(to, value, position)?;
        }
        Ok(Expr::load(result))
    }
}
