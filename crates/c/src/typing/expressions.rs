//! The ways to lower an expression: for what it denotes, for its value, for its effect.

use super::conversions::Operand;
use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{BinaryOp, CastKind, Expr, ExprKind, Place, PlaceKind, StmtKind, UnaryOp};
use crate::types::Ty;
use lang_c::ast::{
    self, BinaryOperatorExpression, CastExpression, Expression, GenericAssociation,
    GenericSelection, UnaryOperatorExpression,
};
use lang_c::span::Node;

impl Typer<'_> {
    /// What an expression denotes.
    pub(super) fn operand(&mut self, node: &Node<Expression>) -> Result<Operand> {
        let position = self.position(node);
        match &node.node {
            Expression::Identifier(name) => self.identifier(&name.node.name, position),
            Expression::Constant(constant) => self.constant(constant).map(Operand::Value),
            Expression::StringLiteral(literal) => self.string_literal(literal).map(Operand::Place),
            Expression::GenericSelection(selection) => self.generic(selection),
            Expression::Member(member) => self.member_expression(member),
            Expression::Call(call) => self.call(call, true),
            Expression::CompoundLiteral(literal) => self.compound_literal(literal),
            Expression::SizeOfTy(size) => {
                let ty = self.type_name(&size.node.0)?;
                self.size_expression(ty, position).map(Operand::Value)
            }
            Expression::SizeOfVal(size) => self.sizeof_expression(&size.node.0).map(Operand::Value),
            Expression::AlignOf(name) => {
                let ty = self.type_name(&name.node.0)?;
                Ok(Operand::Value(self.alignof(ty, position)))
            }
            Expression::UnaryOperator(unary) => self.unary_expression(unary),
            Expression::Cast(cast) => self.cast_expression(cast),
            Expression::BinaryOperator(binary) => self.binary_expression(binary),
            Expression::Conditional(conditional) => self.conditional(conditional, position),
            Expression::Comma(parts) => self.comma(parts),
            Expression::OffsetOf(offset) => self.offset_of(offset).map(Operand::Value),
            Expression::VaArg(argument) => self.va_arg(argument),
            Expression::Statement(statement) => self.statement_expression(statement),
        }
    }

    /// The value of an expression.
    pub(super) fn value(&mut self, node: &Node<Expression>) -> Result<Expr> {
        let position = self.position(node);
        let operand = self.operand(node)?;
        let value = self.rvalue(operand, position)?;
        self.bounded(value)
    }

    /// The value of an expression that has to be a scalar.
    pub(super) fn scalar(&mut self, node: &Node<Expression>) -> Result<Expr> {
        let value = self.value(node)?;
        if self.types.is_scalar(value.ty) {
            return Ok(value);
        }
        let what = format!("`{}` where a number or pointer is needed", self.types.show(value.ty));
        Err(Fault::invalid(self.position(node), what))
    }

    /// Lowers an expression for its side effects only.
    pub(super) fn effect(&mut self, node: &Node<Expression>) -> Result<()> {
        match &node.node {
            Expression::Call(call) => self.call(call, false).map(|_| ()),
            Expression::UnaryOperator(unary) if is_step(&unary.node.operator.node) => {
                self.step(unary, false).map(|_| ())
            }
            Expression::BinaryOperator(binary) if is_assignment(&binary.node.operator.node) => {
                self.assignment(binary, false).map(|_| ())
            }
            Expression::Comma(parts) => parts.iter().try_for_each(|part| self.effect(part)),
            _ => {
                let operand = self.operand(node)?;
                self.dropped(operand)
            }
        }
    }

    /// A value that nobody uses is computed where that may go wrong.
    fn dropped(&mut self, operand: Operand) -> Result<()> {
        let value = match operand {
            Operand::Value(value) => value,
            Operand::Place(place) if self.types.is_scalar(place.ty) => Expr::load(place),
            _ => return Ok(()),
        };
        if self.types.is_scalar(value.ty) && may_fail(&value) {
            let position = value.position;
            let id = self.builder.temporary(value.ty, position);
            let place = Place::new(PlaceKind::Local(id), value.ty, position);
            self.builder.emit(StmtKind::Assign { place, value }, position)?;
        }
        Ok(())
    }

    fn unary_expression(&mut self, node: &Node<UnaryOperatorExpression>) -> Result<Operand> {
        let position = self.position(node);
        let operand = &node.node.operand;
        use ast::UnaryOperator as Op;
        match node.node.operator.node {
            Op::PostIncrement | Op::PostDecrement | Op::PreIncrement | Op::PreDecrement => {
                self.step(node, true)
            }
            Op::Address => self.address_of(operand, position).map(Operand::Value),
            Op::Indirection => self.indirection(operand, position),
            Op::Plus | Op::Minus => self.sign(operand, &node.node.operator.node, position),
            Op::Complement => {
                let value = self.value(operand)?;
                if self.vector(value.ty).is_some() {
                    let value = self.unary_of_vector(UnaryOp::Complement, value, position)?;
                    return Ok(Operand::Value(value));
                }
                if !self.types.is_integer(value.ty) {
                    return Err(Fault::invalid(
                        position,
                        "`~` of something that is not an integer",
                    ));
                }
                let value = self.promoted(value);
                Ok(Operand::Value(self.unary(UnaryOp::Complement, value)))
            }
            Op::Negate => {
                let value = self.scalar(operand)?;
                Ok(Operand::Value(self.negation(value)))
            }
        }
    }

    fn indirection(&mut self, node: &Node<Expression>, position: Position) -> Result<Operand> {
        let pointer = self.value(node)?;
        let is_function =
            self.types.target(pointer.ty).is_some_and(|ty| self.types.is_function(ty));
        if is_function {
            return Ok(Operand::Function(pointer));
        }
        self.deref(pointer, position).map(Operand::Place)
    }

    fn sign(
        &mut self,
        node: &Node<Expression>,
        op: &ast::UnaryOperator,
        position: Position,
    ) -> Result<Operand> {
        let value = self.value(node)?;
        if self.vector(value.ty).is_some() {
            return Ok(Operand::Value(match op {
                ast::UnaryOperator::Minus => {
                    self.unary_of_vector(UnaryOp::Negate, value, position)?
                }
                _ => value,
            }));
        }
        if !self.types.is_arithmetic(value.ty) {
            return Err(Fault::invalid(position, "the sign of something that is not a number"));
        }
        let value = self.promoted(value);
        Ok(Operand::Value(match op {
            ast::UnaryOperator::Minus => self.unary(UnaryOp::Negate, value),
            _ => value,
        }))
    }

    fn cast_expression(&mut self, node: &Node<CastExpression>) -> Result<Operand> {
        let position = self.position(node);
        let ty = self.type_name(&node.node.type_name)?;
        if ty == Ty::VOID {
            self.effect(&node.node.expression)?;
            return Ok(Operand::Void);
        }
        let value = self.value(&node.node.expression)?;
        if ty != value.ty && (self.vector(ty).is_some() || self.vector(value.ty).is_some()) {
            return Err(Fault::unsupported(position, "a conversion of vectors"));
        }
        if self.types.is_record(ty) && !self.types.compatible(value.ty, ty) {
            return self.union_cast(value, ty, position);
        }
        self.convert(value, ty, position).map(Operand::Value)
    }

    /// GNU C casts to a union by storing into the member of the operand's type.
    fn union_cast(&mut self, value: Expr, ty: Ty, position: Position) -> Result<Operand> {
        let fields = self.types.fields(ty);
        let Some(index) = fields.iter().position(|f| f.ty == value.ty && f.bits.is_none()) else {
            let what = format!("a cast to `{}`", self.types.show(ty));
            return Err(Fault::invalid(position, what));
        };
        let id = self.builder.temporary(ty, position);
        let place = self.local_place(id, position);
        let member = self.field(place.clone(), index as u32, position);
        self.assign(member, value, position)?;
        Ok(Operand::Value(Expr::load(place)))
    }

    fn binary_expression(&mut self, node: &Node<BinaryOperatorExpression>) -> Result<Operand> {
        let position = self.position(node);
        let (left, right) = (&node.node.lhs, &node.node.rhs);
        use ast::BinaryOperator as Op;
        match &node.node.operator.node {
            Op::Index => self.subscript(left, right, position),
            Op::LogicalAnd => self.logical(node, true).map(Operand::Value),
            Op::LogicalOr => self.logical(node, false).map(Operand::Value),
            op if is_assignment(op) => self.assignment(node, true),
            op => {
                let mark_op = plain_operator(op).unwrap_or(BinaryOp::Add);
                if let Some(values) = self.in_any_order(&[left, right], position)?
                    && let Ok([left, right]) = <[Expr; 2]>::try_from(values)
                {
                    return self.operate(mark_op, left, right, position).map(Operand::Value);
                }
                let left = self.value(left)?;
                let mark = self.builder.mark();
                let right = self.value(right)?;
                let left = self.settle(mark, left);
                self.operate(mark_op, left, right, position).map(Operand::Value)
            }
        }
    }

    fn comma(&mut self, parts: &[Node<Expression>]) -> Result<Operand> {
        let Some((last, before)) = parts.split_last() else { return Ok(Operand::Void) };
        for part in before {
            self.effect(part)?;
        }
        // The result is a value, not the object itself.
        let position = self.position(last);
        match self.operand(last)? {
            Operand::Place(place) if !self.is_void(place.ty) => {
                self.read(place, position).map(Operand::Value)
            }
            Operand::Place(_) | Operand::Void => Ok(Operand::Void),
            operand => Ok(operand),
        }
    }

    /// `_Generic` (C11 6.5.1.1).
    fn generic(&mut self, node: &Node<GenericSelection>) -> Result<Operand> {
        let position = self.position(node);
        let control = self.unevaluated(|typer| Ok(typer.value(&node.node.expression)?.ty))?;
        let (mut chosen, mut default) = (None, None);
        for association in &node.node.associations {
            match &association.node {
                GenericAssociation::Default(expression) => default = Some(expression),
                GenericAssociation::Type(candidate) => {
                    let ty = self.type_name(&candidate.node.type_name)?;
                    if ty != control {
                        continue;
                    }
                    // Types do not tell what they point to from the same with a qualifier.
                    let name = &candidate.node.type_name.node;
                    let wanted = self.levels_of_name(name);
                    let is_pointer = self.types.is_pointer(control);
                    let own = self.levels(&node.node.expression).filter(|_| is_pointer);
                    let is_meant = match (wanted, own) {
                        // A value is never qualified.
                        (Some(levels), _) if levels[0] != 0 => false,
                        (Some(levels), Some(own)) => levels == own,
                        _ if !is_pointer => true,
                        _ => {
                            let what = "a `_Generic` choice between qualified types";
                            return Err(Fault::unsupported(position, what));
                        }
                    };
                    if is_meant && chosen.is_some() {
                        return Err(Fault::invalid(
                            position,
                            "two associations of `_Generic` match",
                        ));
                    }
                    if is_meant {
                        chosen = Some(&candidate.node.expression);
                    }
                }
            }
        }
        match chosen.or(default) {
            Some(expression) => self.operand(expression),
            None => Err(Fault::invalid(position, "no association of `_Generic` matches")),
        }
    }
}

fn is_step(op: &ast::UnaryOperator) -> bool {
    use ast::UnaryOperator as Op;
    matches!(op, Op::PostIncrement | Op::PostDecrement | Op::PreIncrement | Op::PreDecrement)
}

fn is_assignment(op: &ast::BinaryOperator) -> bool {
    *op == ast::BinaryOperator::Assign || compound_operator(op).is_some()
}

/// The operator of a compound assignment.
pub(super) fn compound_operator(op: &ast::BinaryOperator) -> Option<BinaryOp> {
    use ast::BinaryOperator as Op;
    Some(match op {
        Op::AssignMultiply => BinaryOp::Multiply,
        Op::AssignDivide => BinaryOp::Divide,
        Op::AssignModulo => BinaryOp::Remainder,
        Op::AssignPlus => BinaryOp::Add,
        Op::AssignMinus => BinaryOp::Subtract,
        Op::AssignShiftLeft => BinaryOp::ShiftLeft,
        Op::AssignShiftRight => BinaryOp::ShiftRight,
        Op::AssignBitwiseAnd => BinaryOp::And,
        Op::AssignBitwiseXor => BinaryOp::Xor,
        Op::AssignBitwiseOr => BinaryOp::Or,
        _ => return None,
    })
}

fn plain_operator(op: &ast::BinaryOperator) -> Option<BinaryOp> {
    use ast::BinaryOperator as Op;
    Some(match op {
        Op::Multiply => BinaryOp::Multiply,
        Op::Divide => BinaryOp::Divide,
        Op::Modulo => BinaryOp::Remainder,
        Op::Plus => BinaryOp::Add,
        Op::Minus => BinaryOp::Subtract,
        Op::ShiftLeft => BinaryOp::ShiftLeft,
        Op::ShiftRight => BinaryOp::ShiftRight,
        Op::Less => BinaryOp::Less,
        Op::Greater => BinaryOp::Greater,
        Op::LessOrEqual => BinaryOp::LessEqual,
        Op::GreaterOrEqual => BinaryOp::GreaterEqual,
        Op::Equals => BinaryOp::Equal,
        Op::NotEquals => BinaryOp::NotEqual,
        Op::BitwiseAnd => BinaryOp::And,
        Op::BitwiseXor => BinaryOp::Xor,
        Op::BitwiseOr => BinaryOp::Or,
        _ => return None,
    })
}

/// Whether computing a value may violate something: it reads memory other than a variable, or
/// computes with numbers in a way that has no result for some.
fn may_fail(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Load(place) => !matches!(place.kind, PlaceKind::Local(_) | PlaceKind::Global(_)),
        ExprKind::Binary(op, ..) if !op.is_comparison() => true,
        ExprKind::Unary(UnaryOp::Negate, _) | ExprKind::Cast(CastKind::FloatToInt, _) => true,
        _ => expr.operands().any(may_fail),
    }
}
