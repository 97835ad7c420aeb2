//! `&&`, `||`, `?:` and branching on conditions.
//!
//! Operands without side effects stay together in one expression. Otherwise the graph branches,
//! and the result lives in a temporary.

use super::conversions::Operand;
use super::{Result, Typer};
use crate::error::Fault;
use crate::read::ELVIS;
use crate::source::Position;
use crate::typed::{BlockId, Expr, ExprKind, Terminator};
use crate::types::Ty;
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, ConditionalExpression, Expression,
    UnaryOperator, UnaryOperatorExpression, VaArgExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};

/// A finished alternative of `?:`: the block where it ended and what it denotes.
struct Alternative {
    end: BlockId,
    /// `None` for an alternative without a value.
    value: Option<Expr>,
}

impl Typer<'_> {
    /// `left && right` or `left || right`, 0 or 1.
    pub(super) fn logical(
        &mut self,
        node: &Node<BinaryOperatorExpression>,
        is_and: bool,
    ) -> Result<Expr> {
        let position = self.position(node);
        let left = self.scalar(&node.node.lhs)?;
        let left = self.truth(left);
        if let Some(known) = left.as_int() {
            if (known != 0) != is_and {
                self.unevaluated(|typer| typer.scalar(&node.node.rhs))?;
                return Ok(self.int(known as i32, position));
            }
            let right = self.scalar(&node.node.rhs)?;
            return Ok(self.truth(right));
        }
        let start = self.builder.current();
        let branch = self.builder.new_block();
        self.builder.continue_in(branch);
        let right = self.scalar(&node.node.rhs)?;
        let right = self.truth(right);
        if self.builder.retract(branch, start) {
            let (left, right) = (Box::new(left), Box::new(right));
            let kind = if is_and { ExprKind::And(left, right) } else { ExprKind::Or(left, right) };
            return self.bounded(Expr::new(kind, Ty::INT, position));
        }
        self.decided(start, left, branch, right, is_and, position)
    }

    /// Joins the path on which the right operand counted with the one on which it did not.
    fn decided(
        &mut self,
        start: BlockId,
        left: Expr,
        branch: BlockId,
        right: Expr,
        is_and: bool,
        position: Position,
    ) -> Result<Expr> {
        let result = self.builder.temporary(Ty::INT, position);
        let place = self.local_place(result, position);
        self.assign(place.clone(), right, position)?;
        let (join, short) = (self.builder.new_block(), self.builder.new_block());
        self.builder.flow_into(join, position);
        self.builder.continue_in(short);
        let known = self.int(!is_and as i32, position);
        self.assign(place.clone(), known, position)?;
        self.builder.flow_into(join, position);
        let (then, otherwise) = if is_and { (branch, short) } else { (short, branch) };
        let end = Terminator::Branch { condition: left, then, otherwise };
        self.builder.terminate_block(start, end, position);
        Ok(Expr::load(place))
    }

    /// `condition ? then : otherwise`, or `condition ?: otherwise`.
    pub(super) fn conditional(
        &mut self,
        node: &Node<ConditionalExpression>,
        position: Position,
    ) -> Result<Operand> {
        let mut condition = self.scalar(&node.node.condition)?;
        let is_elvis = matches!(&node.node.then_expression.node,
            Expression::Identifier(name) if name.node.name == ELVIS);
        if is_elvis && self.reads_storage(&condition) {
            condition = self.save(condition)?;
        }
        let same = is_elvis.then(|| condition.clone());
        let condition = self.truth(condition);
        if let Some(known) = condition.as_int() {
            return self.known_alternative(node, known != 0, same, position);
        }
        let start = self.builder.current();
        let then_block = self.builder.new_block();
        let then = self.alternative(then_block, &node.node.then_expression, same)?;
        let else_block = self.builder.new_block();
        let otherwise = self.alternative(else_block, &node.node.else_expression, None)?;
        let ty = self.conditional_type(&then, &otherwise, position)?;
        let is_scalar = ty.is_some_and(|ty| self.types.is_scalar(ty));
        if is_scalar && self.builder.retract(else_block, then_block) {
            if self.builder.retract(then_block, start)
                && let (Some(ty), Some(a), Some(b)) = (ty, &then.value, &otherwise.value)
            {
                let (a, b) = (self.cast(a.clone(), ty), self.cast(b.clone(), ty));
                let kind = ExprKind::Conditional(Box::new(condition), Box::new(a), Box::new(b));
                return self.bounded(Expr::new(kind, ty, position)).map(Operand::Value);
            }
            // Only the second alternative is without effects: its block comes back.
            let again = self.builder.new_block();
            debug_assert_eq!(again, else_block);
        }
        let end = Terminator::Branch { condition, then: then_block, otherwise: else_block };
        self.builder.terminate_block(start, end, position);
        self.joined(ty, then, otherwise, position)
    }

    fn alternative(
        &mut self,
        block: BlockId,
        node: &Node<Expression>,
        known: Option<Expr>,
    ) -> Result<Alternative> {
        self.builder.continue_in(block);
        let value = match known {
            Some(value) => Some(value),
            None => self.value_if_any(node)?,
        };
        Ok(Alternative { end: self.builder.current(), value })
    }

    /// The value of an expression that may be void.
    pub(super) fn value_if_any(&mut self, node: &Node<Expression>) -> Result<Option<Expr>> {
        let position = self.position(node);
        match self.operand(node)? {
            Operand::Void => Ok(None),
            Operand::Place(place) if self.is_void(place.ty) => Ok(None),
            operand => {
                let value = self.rvalue(operand, position)?;
                self.bounded(value).map(Some)
            }
        }
    }

    /// Brings both alternatives together in a temporary.
    fn joined(
        &mut self,
        ty: Option<Ty>,
        then: Alternative,
        otherwise: Alternative,
        position: Position,
    ) -> Result<Operand> {
        let join = self.builder.new_block();
        let place = ty.map(|ty| {
            let id = self.builder.temporary(ty, position);
            self.local_place(id, position)
        });
        for alternative in [then, otherwise] {
            self.builder.continue_in(alternative.end);
            if let (Some(place), Some(value)) = (&place, alternative.value) {
                let value = self.convert(value, place.ty, position)?;
                self.assign(place.clone(), value, position)?;
            }
            self.builder.flow_into(join, position);
        }
        Ok(place.map_or(Operand::Void, |place| Operand::Value(Expr::load(place))))
    }

    /// The condition is constant, but the type still depends on both alternatives.
    fn known_alternative(
        &mut self,
        node: &Node<ConditionalExpression>,
        truth: bool,
        same: Option<Expr>,
        position: Position,
    ) -> Result<Operand> {
        let (then, otherwise) = (&node.node.then_expression, &node.node.else_expression);
        let (chosen, other) = if truth { (then, otherwise) } else { (otherwise, then) };
        let end = self.builder.current();
        let skipped = match &same {
            Some(value) if !truth => Some(value.clone()),
            _ => self.unevaluated(|typer| typer.value_if_any(other))?,
        };
        let skipped = Alternative { end, value: skipped };
        let value = match same {
            Some(value) if truth => Some(value),
            _ => self.value_if_any(chosen)?,
        };
        let chosen = Alternative { end, value };
        let ty = self.conditional_type(&chosen, &skipped, position)?;
        match (ty, chosen.value) {
            (Some(ty), Some(value)) => self.convert(value, ty, position).map(Operand::Value),
            _ => Ok(Operand::Void),
        }
    }

    /// The type of a conditional expression (C11 6.5.15); `None` if it has no value.
    fn conditional_type(
        &self,
        a: &Alternative,
        b: &Alternative,
        position: Position,
    ) -> Result<Option<Ty>> {
        let (Some(a), Some(b)) = (&a.value, &b.value) else { return Ok(None) };
        let is_null = |expr: &Expr| {
            let is_plain = self.types.is_integer(expr.ty)
                || self.types.target(expr.ty).is_some_and(|ty| ty == Ty::VOID);
            is_plain && expr.as_int() == Some(0)
        };
        let pointers = (self.types.is_pointer(a.ty), self.types.is_pointer(b.ty));
        if self.types.is_arithmetic(a.ty) && self.types.is_arithmetic(b.ty) {
            return Ok(Some(self.types.common_arithmetic(a.ty, b.ty)));
        }
        let to_void = |expr: &Expr| self.types.target(expr.ty) == Some(Ty::VOID);
        match pointers {
            (true, true) if is_null(a) => Ok(Some(b.ty)),
            (true, true) if is_null(b) => Ok(Some(a.ty)),
            (true, true) => Ok(Some(if to_void(b) { b.ty } else { a.ty })),
            (true, false) if self.types.is_integer(b.ty) => Ok(Some(a.ty)),
            (false, true) if self.types.is_integer(a.ty) => Ok(Some(b.ty)),
            _ if self.types.compatible(a.ty, b.ty) => Ok(Some(a.ty)),
            _ => {
                let (a, b) = (self.types.show(a.ty), self.types.show(b.ty));
                let what = format!("`{a}` and `{b}` cannot both be results of `?:`");
                Err(Fault::invalid(position, what))
            }
        }
    }

    /// Ends the current block by a branch on an expression.
    pub(super) fn branch(
        &mut self,
        node: &Node<Expression>,
        then: BlockId,
        otherwise: BlockId,
    ) -> Result<()> {
        let position = self.position(node);
        match &node.node {
            Expression::UnaryOperator(unary)
                if unary.node.operator.node == UnaryOperator::Negate =>
            {
                return self.branch(&unary.node.operand, otherwise, then);
            }
            Expression::BinaryOperator(binary) if has_effects(&binary.node.rhs) => {
                let middle = match binary.node.operator.node {
                    BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                        self.builder.new_block()
                    }
                    _ => return self.plain_branch(node, then, otherwise, position),
                };
                match binary.node.operator.node {
                    BinaryOperator::LogicalAnd => {
                        self.branch(&binary.node.lhs, middle, otherwise)?
                    }
                    _ => self.branch(&binary.node.lhs, then, middle)?,
                }
                self.builder.continue_in(middle);
                return self.branch(&binary.node.rhs, then, otherwise);
            }
            _ => {}
        }
        self.plain_branch(node, then, otherwise, position)
    }

    fn plain_branch(
        &mut self,
        node: &Node<Expression>,
        then: BlockId,
        otherwise: BlockId,
        position: Position,
    ) -> Result<()> {
        let condition = self.scalar(node)?;
        let condition = self.truth(condition);
        self.builder.terminate(Terminator::Branch { condition, then, otherwise }, position)
    }
}

/// Whether evaluating an expression may do more than compute a value.
pub(super) fn has_effects(node: &Node<Expression>) -> bool {
    let mut search = EffectSearch(false);
    search.visit_expression(&node.node, &node.span);
    search.0
}

struct EffectSearch(bool);

impl<'a> Visit<'a> for EffectSearch {
    fn visit_call_expression(&mut self, _: &'a CallExpression, _: &'a Span) {
        self.0 = true;
    }
    fn visit_va_arg_expression(&mut self, _: &'a VaArgExpression, _: &'a Span) {
        self.0 = true;
    }
    fn visit_expression(&mut self, node: &'a Expression, span: &'a Span) {
        self.0 |= matches!(node, Expression::Statement(_));
        if !self.0 {
            visit::visit_expression(self, node, span);
        }
    }
    fn visit_unary_operator_expression(
        &mut self,
        node: &'a UnaryOperatorExpression,
        span: &'a Span,
    ) {
        use UnaryOperator::*;
        self.0 |= matches!(
            node.operator.node,
            PostIncrement | PostDecrement | PreIncrement | PreDecrement
        );
        visit::visit_unary_operator_expression(self, node, span);
    }
    fn visit_binary_operator_expression(
        &mut self,
        node: &'a BinaryOperatorExpression,
        span: &'a Span,
    ) {
        let op = &node.operator.node;
        self.0 |=
            *op == BinaryOperator::Assign || super::expressions::compound_operator(op).is_some();
        visit::visit_binary_operator_expression(self, node, span);
    }
}
