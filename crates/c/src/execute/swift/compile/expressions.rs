//! Expressions, and conditions as jumps.

use super::super::code::{Format, Instruction, Label, Register, Relation};
use super::{Compiler, Storage};
use crate::typed::{BinaryOp, CastKind, Expr, ExprKind, LocalId, Place, PlaceKind, UnaryOp};

/// `<=` on numbers of a format.
pub fn at_most(format: Format) -> Relation {
    if format.is_signed() { Relation::LessEqual } else { Relation::BelowEqual }
}

fn below(format: Format) -> Relation {
    if format.is_signed() { Relation::Less } else { Relation::Below }
}

/// A comparison as a relation, and whether its operands change places.
fn relation(op: BinaryOp, format: Format) -> Option<(Relation, bool)> {
    Some(match op {
        BinaryOp::Equal => (Relation::Equal, false),
        BinaryOp::NotEqual => (Relation::NotEqual, false),
        BinaryOp::Less => (below(format), false),
        BinaryOp::LessEqual => (at_most(format), false),
        BinaryOp::Greater => (below(format), true),
        BinaryOp::GreaterEqual => (at_most(format), true),
        _ => return None,
    })
}

impl<'p> Compiler<'p> {
    /// The register with the value of an expression.
    pub(super) fn value(&mut self, expr: &'p Expr) -> Option<Register> {
        let format = self.format(expr.ty)?;
        match &expr.kind {
            ExprKind::Int(bits) => Some(self.constant(format.number(*bits as i64))),
            ExprKind::Load(place) => self.load(place),
            ExprKind::Unary(op, operand) => {
                if !matches!(op, UnaryOp::Negate | UnaryOp::Complement) {
                    return None;
                }
                let from = self.value(operand)?;
                let to = self.temporary();
                self.emit(Instruction::Unary { op: *op, format, to, from });
                Some(to)
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Cast(CastKind::IntToInt, operand) => {
                let from = self.value(operand)?;
                let to = self.temporary();
                self.emit(Instruction::Convert { format, to, from });
                Some(to)
            }
            ExprKind::Cast(CastKind::ToBool, operand) => {
                let left = self.value(operand)?;
                let (to, right) = (self.temporary(), self.constant(0));
                self.emit(Instruction::Compare { relation: Relation::NotEqual, to, left, right });
                Some(to)
            }
            ExprKind::And(..) | ExprKind::Or(..) => {
                let (to, no, end) = (self.temporary(), self.label(), self.label());
                let (zero, one) = (self.constant(0), self.constant(1));
                self.unless(expr, no)?;
                self.emit(Instruction::Copy { to, from: one });
                self.emit(Instruction::Jump(end));
                self.place_label(no);
                self.emit(Instruction::Copy { to, from: zero });
                self.place_label(end);
                Some(to)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let (to, no, end) = (self.temporary(), self.label(), self.label());
                self.unless(condition, no)?;
                let from = self.value(then)?;
                self.emit(Instruction::Copy { to, from });
                self.emit(Instruction::Jump(end));
                self.place_label(no);
                let from = self.value(otherwise)?;
                self.emit(Instruction::Copy { to, from });
                self.place_label(end);
                Some(to)
            }
            _ => None,
        }
    }

    fn load(&mut self, place: &'p Place) -> Option<Register> {
        self.format(place.ty)?;
        if let PlaceKind::Index(base, index) = &place.kind {
            let Storage::Array(array) = self.storage(base)? else { return None };
            let index = self.value(index)?;
            let to = self.temporary();
            self.emit(Instruction::Read { to, array, index });
            return Some(to);
        }
        let Storage::Scalar(register, question) = self.storage(place)? else { return None };
        if let Some(question) = question {
            self.emit(Instruction::Settle { register, question });
        }
        Some(register)
    }

    fn binary(&mut self, op: BinaryOp, left: &'p Expr, right: &'p Expr) -> Option<Register> {
        let format = self.format(left.ty)?;
        let (a, b) = (self.value(left)?, self.value(right)?);
        let to = self.temporary();
        if let Some((relation, is_turned)) = relation(op, format) {
            let (left, right) = if is_turned { (b, a) } else { (a, b) };
            self.emit(Instruction::Compare { relation, to, left, right });
            return Some(to);
        }
        self.emit(Instruction::Binary { op, format, to, left: a, right: b });
        Some(to)
    }

    /// Jumps if a condition does not hold.
    pub(super) fn unless(&mut self, condition: &'p Expr, no: Label) -> Option<()> {
        match &condition.kind {
            ExprKind::And(left, right) => {
                self.unless(left, no)?;
                self.unless(right, no)
            }
            ExprKind::Or(left, right) => {
                let (second, yes) = (self.label(), self.label());
                self.unless(left, second)?;
                self.emit(Instruction::Jump(yes));
                self.place_label(second);
                self.unless(right, no)?;
                self.place_label(yes);
                Some(())
            }
            ExprKind::Binary(op, left, right) if op.is_comparison() => {
                let format = self.format(left.ty)?;
                let (relation, is_turned) = relation(*op, format)?;
                if right.as_int() == Some(0) && is_truth(left) {
                    match op {
                        BinaryOp::NotEqual => return self.unless(left, no),
                        BinaryOp::Equal => {
                            let yes = self.label();
                            self.unless(left, yes)?;
                            self.emit(Instruction::Jump(no));
                            self.place_label(yes);
                            return Some(());
                        }
                        _ => {}
                    }
                }
                let (a, b) = (self.value(left)?, self.value(right)?);
                let (left, right) = if is_turned { (b, a) } else { (a, b) };
                self.emit(Instruction::Unless { relation, left, right, to: no });
                Some(())
            }
            _ => {
                let left = self.value(condition)?;
                let right = self.constant(0);
                let relation = Relation::NotEqual;
                self.emit(Instruction::Unless { relation, left, right, to: no });
                Some(())
            }
        }
    }
}

/// Whether the value can only be 0 or 1, and jumps are a better way to find it.
fn is_truth(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::And(..) | ExprKind::Or(..) => true,
        ExprKind::Binary(op, ..) => op.is_comparison(),
        _ => false,
    }
}

/// Whether a variable is read by an expression.
pub fn mentions(expr: &Expr, id: LocalId) -> bool {
    match &expr.kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => false,
        ExprKind::Load(place) | ExprKind::AddressOf(place) => {
            matches!(place.kind, PlaceKind::Local(local) if local == id) || touches(place, id)
        }
        ExprKind::Unary(_, operand) | ExprKind::Cast(_, operand) => mentions(operand, id),
        ExprKind::Binary(_, left, right)
        | ExprKind::PointerAdd { pointer: left, index: right, .. }
        | ExprKind::PointerDifference { left, right, .. }
        | ExprKind::And(left, right)
        | ExprKind::Or(left, right) => mentions(left, id) || mentions(right, id),
        ExprKind::Conditional(condition, then, otherwise) => {
            [condition, then, otherwise].into_iter().any(|part| mentions(part, id))
        }
    }
}

/// Whether a variable is read to find a place, or is a part of it.
pub fn touches(place: &Place, id: LocalId) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => false,
        PlaceKind::Deref(pointer) => mentions(pointer, id),
        PlaceKind::Field(base, _) => is_of(base, id),
        PlaceKind::Index(base, index) => is_of(base, id) || mentions(index, id),
    }
}

fn is_of(place: &Place, id: LocalId) -> bool {
    matches!(place.kind, PlaceKind::Local(local) if local == id) || touches(place, id)
}
