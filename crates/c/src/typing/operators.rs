//! Binary operators on values (C11 6.5.5 to 6.5.12).

use super::{Result, Typer};
use crate::error::Fault;
use crate::source::Position;
use crate::typed::{BinaryOp, Expr, ExprKind, PlaceKind, UnaryOp};

impl Typer<'_> {
    /// The value of `left op right`.
    pub(super) fn operate(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        position: Position,
    ) -> Result<Expr> {
        if self.vector(left.ty).is_some() || self.vector(right.ty).is_some() {
            return self.operate_on_vectors(op, left, right, position);
        }
        let pointers = (self.types.is_pointer(left.ty), self.types.is_pointer(right.ty));
        match pointers {
            (false, false) => self.arithmetic(op, left, right, position),
            _ if op.is_comparison() => self.compare_pointers(op, left, right, position),
            (true, false) if op == BinaryOp::Add => self.moved(left, right, position),
            (false, true) if op == BinaryOp::Add => self.moved(right, left, position),
            (true, false) if op == BinaryOp::Subtract => {
                if !self.types.is_integer(right.ty) {
                    return Err(self.bad_operands(op, &left, &right, position));
                }
                let back = self.unary(UnaryOp::Negate, self.as_offset(right));
                self.moved(left, back, position)
            }
            (true, true) if op == BinaryOp::Subtract => self.distance(left, right, position),
            _ => Err(self.bad_operands(op, &left, &right, position)),
        }
    }

    fn bad_operands(&self, op: BinaryOp, left: &Expr, right: &Expr, position: Position) -> Fault {
        let (left, right) = (self.types.show(left.ty), self.types.show(right.ty));
        let symbol = op.symbol();
        Fault::invalid(position, format!("`{symbol}` cannot be applied to `{left}` and `{right}`"))
    }

    fn arithmetic(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        position: Position,
    ) -> Result<Expr> {
        use BinaryOp::*;
        let needs_integers = matches!(op, Remainder | And | Or | Xor | ShiftLeft | ShiftRight);
        let allowed = |ty| {
            if needs_integers { self.types.is_integer(ty) } else { self.types.is_arithmetic(ty) }
        };
        if !allowed(left.ty) || !allowed(right.ty) {
            return Err(self.bad_operands(op, &left, &right, position));
        }
        let (left, right) = if op.is_shift() {
            (self.promoted(left), self.promoted(right))
        } else {
            self.balanced(left, right)
        };
        let result = self.binary(op, left, right, position);
        self.bounded(result)
    }

    fn compare_pointers(
        &mut self,
        op: BinaryOp,
        left: Expr,
        right: Expr,
        position: Position,
    ) -> Result<Expr> {
        let ty = if self.types.is_pointer(left.ty) { left.ty } else { right.ty };
        if self.types.is_float(left.ty) || self.types.is_float(right.ty) {
            return Err(self.bad_operands(op, &left, &right, position));
        }
        if !self.types.is_scalar(left.ty) || !self.types.is_scalar(right.ty) {
            return Err(self.bad_operands(op, &left, &right, position));
        }
        let (left, right) = (self.cast(left, ty), self.cast(right, ty));
        let result = self.binary(op, left, right, position);
        self.bounded(result)
    }

    /// The number of elements between two pointers.
    fn distance(&mut self, left: Expr, right: Expr, position: Position) -> Result<Expr> {
        let ty = self.types.offset_type();
        let target = self.types.target(left.ty).unwrap_or(left.ty);
        let (scale, factor) = self.stride(target, position)?;
        if let Some(known) = self.known_distance(&left, &right, scale) {
            return Ok(self.offset_constant(known, position));
        }
        let scale = scale.max(1);
        let right = self.cast(right, left.ty);
        let (left, right) = (Box::new(left), Box::new(right));
        let bytes = Expr::new(ExprKind::PointerDifference { left, right, scale }, ty, position);
        match factor {
            Some(factor) => {
                let factor = self.cast(factor, ty);
                Ok(self.binary(BinaryOp::Divide, bytes, factor, position))
            }
            None => self.bounded(bytes),
        }
    }

    /// The distance of two addresses that are numbers, or elements of one array.
    fn known_distance(&self, left: &Expr, right: &Expr, scale: u64) -> Option<u64> {
        if let (Some(a), Some(b)) = (left.as_int(), right.as_int()) {
            let bytes = (a as i64).wrapping_sub(b as i64);
            return Some(bytes.checked_div(scale as i64)? as u64);
        }
        let (ExprKind::AddressOf(a), ExprKind::AddressOf(b)) = (&left.kind, &right.kind) else {
            return None;
        };
        match (&a.kind, &b.kind) {
            (PlaceKind::Index(x, i), PlaceKind::Index(y, j)) => {
                let is_same = matches!((&x.kind, &y.kind),
                    (PlaceKind::Global(p), PlaceKind::Global(q)) if p == q);
                let distance = (i.as_int()? as i64).wrapping_sub(j.as_int()? as i64);
                is_same.then_some(distance as u64)
            }
            _ => None,
        }
    }
}
