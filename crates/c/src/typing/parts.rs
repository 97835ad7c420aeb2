//! The parts of an object in the order in which initialisers fill them, and strings as initialisers
//! of arrays.

use super::initializers::{Initialization, MAX_ELEMENTS, Target};
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{Expr, Place, PlaceKind};
use crate::types::{Length, RecordKind, Ty, Type};
use lang_c::ast::Expression;
use lang_c::span::Node;

impl Typer<'_> {
    /// How many parts a list may initialise.
    pub(super) fn part_count(&self, place: &Place, position: Position) -> Result<u64> {
        match self.types.get(place.ty) {
            Type::Array(_, Length::Fixed(count)) => Ok(*count),
            Type::Array(..) => Ok(MAX_ELEMENTS),
            Type::Record(_) => {
                let is_union =
                    self.types.record(place.ty).map(|r| r.kind) == Some(RecordKind::Union);
                let fields = self.types.fields(place.ty).len() as u64;
                Ok(if is_union { fields.min(1) } else { fields })
            }
            _ => {
                let what = format!("a list cannot initialise `{}`", self.types.show(place.ty));
                Err(Fault::invalid(position, what))
            }
        }
    }

    /// The part of this index; unnamed bit-fields are skipped.
    pub(super) fn part(
        &mut self,
        place: &Place,
        index: &mut u64,
        position: Position,
        state: &mut Initialization,
    ) -> Result<Place> {
        if let Some(element) = self.types.element(place.ty) {
            if *index >= MAX_ELEMENTS {
                return Err(Fault::unsupported(position, "an initialiser this long"));
            }
            if state.depth == 1 {
                state.length = state.length.max(*index + 1);
            }
            let offset = Box::new(self.offset_constant(*index, position));
            let kind = PlaceKind::Index(Box::new(place.clone()), offset);
            return Ok(Place::new(kind, element, position));
        }
        let fields = self.types.fields(place.ty);
        let is_padding =
            |at: u64| fields.get(at as usize).is_some_and(|f| f.name.is_none() && f.bits.is_some());
        while is_padding(*index) {
            *index += 1;
        }
        if *index >= fields.len() as u64 {
            return Ok(place.clone());
        }
        Ok(self.field(place.clone(), *index as u32, position))
    }

    /// The offset of a part of a global object.
    pub(super) fn static_offset(&self, place: &Place) -> Option<u64> {
        match &place.kind {
            PlaceKind::Global(_) => Some(0),
            PlaceKind::Field(base, index) => {
                let field = self.types.fields(base.ty).get(*index as usize)?;
                Some(self.static_offset(base)? + field.offset)
            }
            PlaceKind::Index(base, index) => {
                let offset = index.as_int()? as u64 * self.types.size(place.ty)?;
                Some(self.static_offset(base)? + offset)
            }
            _ => None,
        }
    }

    /// Initialises an array of characters from a string literal.
    pub(super) fn string_initializer(
        &mut self,
        place: &Place,
        expression: &Node<Expression>,
        state: &mut Initialization,
    ) -> Result<bool> {
        if !self.is_string_for(place.ty, expression) {
            return Ok(false);
        }
        let Expression::StringLiteral(literal) = &expression.node else { return Ok(false) };
        let position = self.position(expression);
        let (units, element) = self.string_units(&literal.node, position)?;
        let target_element = self.types.element(place.ty).unwrap_or(element);
        if state.depth == 0 {
            state.length = units.len() as u64 + 1;
        }
        let capacity = match self.types.get(place.ty) {
            Type::Array(_, Length::Fixed(count)) => *count as usize,
            _ => usize::MAX,
        };
        for (index, &unit) in units.iter().enumerate().take(capacity) {
            if unit == 0 {
                continue;
            }
            let offset = Box::new(self.offset_constant(index as u64, position));
            let kind = PlaceKind::Index(Box::new(place.clone()), offset);
            let part = Place::new(kind, target_element, position);
            let value = Expr::int(unit as u128, target_element, position);
            match &mut state.target {
                Target::Code => self.assign(part, value, position)?,
                Target::Constants(values) => values.push((part, value)),
            }
        }
        Ok(true)
    }

    /// Whether the expression is a string literal of the right kind for an array type.
    pub(super) fn is_string_for(&self, ty: Ty, expression: &Node<Expression>) -> bool {
        let Expression::StringLiteral(literal) = &expression.node else { return false };
        let Some(element) = self.types.element(ty) else { return false };
        let Ok((_, unit)) = self.string_units(&literal.node, Position::default()) else {
            return false;
        };
        self.types.is_integer(element) && self.types.size(element) == self.types.size(unit)
    }
}
