//! Assignments, increments and decrements (C11 6.5.16, 6.5.2.4, 6.5.3.1).

use super::conversions::Operand;
use super::expressions::compound_operator;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{BinaryOp, Expr, Place};
use crate::types::Type;
use lang_c::ast::{BinaryOperatorExpression, Expression, UnaryOperator, UnaryOperatorExpression};
use lang_c::span::Node;

impl Typer<'_> {
    /// The object that the left side of an assignment names.
    fn assignable(&mut self, node: &Node<Expression>, position: Position) -> Result<Place> {
        let not_assignable = |what: &str| Err(Fault::invalid(position, what.to_string()));
        match self.operand(node)? {
            Operand::Place(place) if self.types.is_array(place.ty) => {
                not_assignable("an array cannot be assigned to")
            }
            Operand::Place(place)
                if self.types.size(place.ty).is_none() || self.is_void(place.ty) =>
            {
                not_assignable("an object of incomplete type cannot be assigned to")
            }
            Operand::Place(place) => Ok(place),
            _ => not_assignable("the left side of an assignment is not an object"),
        }
    }

    /// A simple or compound assignment; without `wanted` its value is not needed.
    pub(super) fn assignment(
        &mut self,
        node: &Node<BinaryOperatorExpression>,
        wanted: bool,
    ) -> Result<Operand> {
        let position = self.position(node);
        if self.assignment_order_matters(node, position)? {
            return self.assignment_in_any_order(node, wanted);
        }
        let place = self.assignable(&node.node.lhs, position)?;
        let mark = self.builder.mark();
        let right = self.value(&node.node.rhs)?;
        let place = self.settle_place(mark, place);
        let value = match compound_operator(&node.node.operator.node) {
            None => right,
            Some(op) => {
                let current = self.read(place.clone(), position)?;
                self.operate(op, current, right, position)?
            }
        };
        self.store(place, value, wanted, position)
    }

    /// Whether the right side may change what the left side means, or its value if it is needed.
    fn assignment_order_matters(
        &mut self,
        node: &Node<BinaryOperatorExpression>,
        position: Position,
    ) -> Result<bool> {
        let right = self.effects.effects(&node.node.rhs);
        let left = match compound_operator(&node.node.operator.node) {
            None => self.effects.effects_of_place(&node.node.lhs),
            Some(_) => self.effects.effects(&node.node.lhs),
        };
        self.order_matters(&left, &right, position)
    }

    /// The left side first, or the right side first.
    fn assignment_in_any_order(
        &mut self,
        node: &Node<BinaryOperatorExpression>,
        wanted: bool,
    ) -> Result<Operand> {
        let position = self.position(node);
        let op = compound_operator(&node.node.operator.node);
        let mut result = None;
        self.alternatives(2, position, |typer, number| {
            let (place, right, current) = if number == 0 {
                let place = typer.assignable(&node.node.lhs, position)?;
                let current = match op {
                    Some(_) => {
                        let current = typer.read(place.clone(), position)?;
                        Some(typer.save(current)?)
                    }
                    None => None,
                };
                let mark = typer.builder.mark();
                let right = typer.value(&node.node.rhs)?;
                (typer.settle_place(mark, place), right, current)
            } else {
                let right = typer.value(&node.node.rhs)?;
                let right = typer.save(right)?;
                let place = typer.assignable(&node.node.lhs, position)?;
                let current = match op {
                    Some(_) => Some(typer.read(place.clone(), position)?),
                    None => None,
                };
                (place, right, current)
            };
            let value = match (op, current) {
                (Some(op), Some(current)) => typer.operate(op, current, right, position)?,
                _ => right,
            };
            let stored = typer.store(place, value, wanted, position)?;
            if !wanted {
                return Ok(());
            }
            let value = typer.rvalue(stored, position)?;
            let id = *result.get_or_insert_with(|| typer.builder.temporary(value.ty, position));
            let kept = typer.local_place(id, position);
            typer.assign(kept, value, position)
        })?;
        Ok(match result {
            Some(id) => Operand::Value(Expr::load(self.local_place(id, position))),
            None => Operand::Void,
        })
    }

    /// Stores a value; the result is the value of the object afterwards.
    pub(super) fn store(
        &mut self,
        place: Place,
        value: Expr,
        wanted: bool,
        position: Position,
    ) -> Result<Operand> {
        let value = self.convert(value, place.ty, position)?;
        if !wanted {
            self.assign(place, value, position)?;
            return Ok(Operand::Void);
        }
        if self.types.is_record(place.ty) {
            self.assign(place.clone(), value, position)?;
            return Ok(Operand::Value(Expr::load(place)));
        }
        let value = if self.reads_storage(&value) { self.save(value)? } else { value };
        let result = self.as_stored(&place, value.clone());
        self.assign(place, value, position)?;
        Ok(Operand::Value(result))
    }

    /// What reading `place` gives once `value` has been stored in it: bit-fields cut values off.
    fn as_stored(&mut self, place: &Place, value: Expr) -> Expr {
        let Some(bits) = self.bit_field(place) else { return value };
        let Some(format) = self.types.int_format(place.ty) else { return value };
        if place.ty == crate::types::Ty::BOOL {
            return value;
        }
        let exact = self.types.intern(Type::Bits { width: bits.width, signed: format.signed });
        let cut = self.cast(value, exact);
        let ty = self.types.bit_field_type(place.ty, bits);
        self.cast(cut, ty)
    }

    /// `++` and `--`, before or after their operand.
    pub(super) fn step(
        &mut self,
        node: &Node<UnaryOperatorExpression>,
        wanted: bool,
    ) -> Result<Operand> {
        let position = self.position(node);
        let place = self.assignable(&node.node.operand, position)?;
        if !self.types.is_scalar(place.ty) {
            return Err(Fault::invalid(position, "`++` or `--` of something that is not a number"));
        }
        let op = match node.node.operator.node {
            UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => BinaryOp::Add,
            _ => BinaryOp::Subtract,
        };
        let is_postfix = matches!(
            node.node.operator.node,
            UnaryOperator::PostIncrement | UnaryOperator::PostDecrement
        );
        let mut current = self.read(place.clone(), position)?;
        if wanted && is_postfix {
            current = self.save(current)?;
        }
        let one = self.int(1, position);
        let next = self.operate(op, current.clone(), one, position)?;
        let stored = self.store(place, next, wanted && !is_postfix, position)?;
        Ok(if wanted && is_postfix { Operand::Value(current) } else { stored })
    }
}
