//! Makes expressions, with constants folded, casts chosen and depth bounded.

use super::{Result, Typer};
use crate::arith::{float, int};
use crate::source::Position;
use crate::typed::{
    BinaryOp, CastKind, Expr, ExprKind, LocalKind, MAX_DEPTH, Place, PlaceKind, UnaryOp,
};
use crate::types::{IntFormat, Ty, Type};

impl Typer<'_> {
    /// `expr`, or a temporary that holds it if it has become too deep.
    pub(super) fn bounded(&mut self, expr: Expr) -> Result<Expr> {
        if expr.depth() < MAX_DEPTH || !self.builder.can_emit() {
            return Ok(expr);
        }
        self.save(expr)
    }

    /// An `int` constant.
    pub(super) fn int(&self, value: i32, position: Position) -> Expr {
        Expr::int(value as u32 as u128, Ty::INT, position)
    }

    pub(super) fn size_constant(&self, value: u64, position: Position) -> Expr {
        self.pointer_sized(value, self.types.size_type(), position)
    }

    /// A constant of the type of pointer differences.
    pub(super) fn offset_constant(&self, value: u64, position: Position) -> Expr {
        self.pointer_sized(value, self.types.offset_type(), position)
    }

    fn pointer_sized(&self, value: u64, ty: Ty, position: Position) -> Expr {
        let width = 8 * self.types.model.pointer_bytes() as u32;
        Expr::int(int::truncate(value as u128, width), ty, position)
    }

    pub(super) fn zero(&self, ty: Ty, position: Position) -> Expr {
        if self.types.is_float(ty) {
            Expr::new(ExprKind::Float(0), ty, position)
        } else {
            Expr::int(0, ty, position)
        }
    }

    pub(super) fn unary(&self, op: UnaryOp, operand: Expr) -> Expr {
        let (ty, position) = (operand.ty, operand.position);
        let folded = match (&operand.kind, self.types.float_kind(ty)) {
            (ExprKind::Float(bits), Some(kind)) => {
                Some(ExprKind::Float(float::negate(*bits, kind)))
            }
            (ExprKind::Int(bits), None) => {
                let format = self.types.int_format(ty);
                let is_open = |format| {
                    op == UnaryOp::Negate && self.is_open(BinaryOp::Subtract, 0, *bits, format)
                };
                let format = format.filter(|&format| !is_open(format));
                format.map(|format| ExprKind::Int(int::unary(op, *bits, format)))
            }
            _ => None,
        };
        let kind = folded.unwrap_or_else(|| ExprKind::Unary(op, Box::new(operand)));
        Expr::new(kind, ty, position)
    }

    /// Both operands have the same type, unless it is a shift.
    pub(super) fn binary(&self, op: BinaryOp, left: Expr, right: Expr, position: Position) -> Expr {
        let ty = if op.is_comparison() { Ty::INT } else { left.ty };
        let folded = self.fold_binary(op, &left, &right);
        let kind = folded.unwrap_or_else(|| ExprKind::Binary(op, Box::new(left), Box::new(right)));
        Expr::new(kind, ty, position)
    }

    fn fold_binary(&self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<ExprKind> {
        match (&left.kind, &right.kind) {
            (&ExprKind::Float(a), &ExprKind::Float(b)) => {
                let value = float::binary(op, a, b, self.types.float_kind(left.ty)?);
                Some(if op.is_comparison() { ExprKind::Int(value) } else { ExprKind::Float(value) })
            }
            (&ExprKind::Int(a), &ExprKind::Int(b)) => {
                let format = self.types.word_format(left.ty)?;
                let count = self.types.int_format(right.ty).map(|format| int::extend(b, format));
                let b = if op.is_shift() { count? } else { b };
                let folded = int::binary(op, a, b, format).ok();
                folded.filter(|_| !self.is_open(op, a, b, format)).map(ExprKind::Int)
            }
            (_, ExprKind::Int(0)) if is_object_address(left) => match op {
                BinaryOp::Equal => Some(ExprKind::Int(0)),
                BinaryOp::NotEqual => Some(ExprKind::Int(1)),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether an operator has no result that fits, which is for the run to find out. A constant
    /// expression wraps, as with compilers.
    fn is_open(&self, op: BinaryOp, left: u128, right: u128, format: IntFormat) -> bool {
        !self.must_fold() && int::overflows(op, left, right, format)
    }

    fn must_fold(&self) -> bool {
        self.in_constant > 0 || !self.builder.can_emit()
    }

    /// Translates an expression that has to be constant.
    pub(super) fn as_constant<T>(
        &mut self,
        translate: impl FnOnce(&mut Self) -> Result<T>,
    ) -> Result<T> {
        self.in_constant += 1;
        let result = translate(self);
        self.in_constant -= 1;
        result
    }

    /// Converts a scalar to a scalar type; the conversion must be one that C has.
    pub(super) fn cast(&self, operand: Expr, to: Ty) -> Expr {
        if operand.ty == to {
            return operand;
        }
        let position = operand.position;
        let kind = self.cast_kind(operand.ty, to);
        if let Some(folded) = self.fold_cast(kind, &operand, to) {
            return Expr::new(folded, to, position);
        }
        if let Some(inner) = self.undo_widening(kind, &operand, to) {
            return inner;
        }
        Expr::new(ExprKind::Cast(kind, Box::new(operand)), to, position)
    }

    fn cast_kind(&self, from: Ty, to: Ty) -> CastKind {
        let pointers = (self.types.is_pointer(from), self.types.is_pointer(to));
        let floats = (self.types.is_float(from), self.types.is_float(to));
        match (pointers, floats) {
            _ if to == Ty::BOOL => CastKind::ToBool,
            ((true, true), _) => CastKind::PointerToPointer,
            ((true, false), _) => CastKind::PointerToInt,
            ((false, true), _) => CastKind::IntToPointer,
            (_, (true, true)) => CastKind::FloatToFloat,
            (_, (true, false)) => CastKind::FloatToInt,
            (_, (false, true)) => CastKind::IntToFloat,
            (_, (false, false)) => CastKind::IntToInt,
        }
    }

    fn fold_cast(&self, kind: CastKind, operand: &Expr, to: Ty) -> Option<ExprKind> {
        let from_float = self.types.float_kind(operand.ty);
        let to_float = self.types.float_kind(to);
        Some(match operand.kind {
            ExprKind::Int(bits) => match kind {
                CastKind::ToBool => ExprKind::Int((bits != 0) as u128),
                CastKind::IntToFloat => {
                    let from = self.types.int_format(operand.ty)?;
                    ExprKind::Float(float::from_int(bits, from, to_float?))
                }
                _ => {
                    let from = self.types.word_format(operand.ty)?;
                    ExprKind::Int(int::convert(bits, from, self.types.word_format(to)?))
                }
            },
            ExprKind::Float(bits) => match kind {
                CastKind::ToBool => ExprKind::Int(!float::is_zero(bits, from_float?) as u128),
                CastKind::FloatToFloat => {
                    ExprKind::Float(float::convert(bits, from_float?, to_float?))
                }
                _ => {
                    let (from, to) = (from_float?, self.types.int_format(to)?);
                    if !self.must_fold() && !float::fits(bits, from, to) {
                        return None;
                    }
                    ExprKind::Int(float::to_int(bits, from, to))
                }
            },
            _ => return None,
        })
    }

    /// `(char)(int)c` is `c`: a conversion back from a wider integer type changes nothing.
    fn undo_widening(&self, kind: CastKind, operand: &Expr, to: Ty) -> Option<Expr> {
        let ExprKind::Cast(CastKind::IntToInt, inner) = &operand.kind else { return None };
        if kind != CastKind::IntToInt || inner.ty != to {
            return None;
        }
        let (narrow, wide) = (self.types.int_format(to)?, self.types.int_format(operand.ty)?);
        (narrow.width <= wide.width).then(|| (**inner).clone())
    }

    /// 0 or 1, of type `int`: whether a scalar differs from 0.
    pub(super) fn truth(&self, operand: Expr) -> Expr {
        if self.is_truth_value(&operand) {
            return operand;
        }
        let zero = self.zero(operand.ty, operand.position);
        let position = operand.position;
        self.binary(BinaryOp::NotEqual, operand, zero, position)
    }

    fn is_truth_value(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Binary(op, ..) => op.is_comparison(),
            ExprKind::And(..) | ExprKind::Or(..) => true,
            ExprKind::Int(value) => expr.ty == Ty::INT && *value <= 1,
            _ => false,
        }
    }

    /// 1 where `operand` is 0, else 0.
    pub(super) fn negation(&self, operand: Expr) -> Expr {
        let zero = self.zero(operand.ty, operand.position);
        let position = operand.position;
        self.binary(BinaryOp::Equal, operand, zero, position)
    }

    /// The address of a place, as a pointer to its type.
    pub(super) fn address(&mut self, place: Place, position: Position) -> Expr {
        let ty = self.types.pointer(place.ty);
        match place.kind {
            PlaceKind::Deref(pointer) => self.cast(*pointer, ty),
            _ => self.constant_address(place, ty, position),
        }
    }

    /// `&((struct s *)0)->member` and its like are numbers.
    fn constant_address(&mut self, place: Place, ty: Ty, position: Position) -> Expr {
        let kind = match self.absolute_address(&place) {
            Some(address) => ExprKind::Int(address),
            None => {
                self.builder.addressed.extend(place.root_local());
                ExprKind::AddressOf(Box::new(place))
            }
        };
        Expr::new(kind, ty, position)
    }

    fn absolute_address(&self, place: &Place) -> Option<u128> {
        let width = 8 * self.types.model.pointer_bytes() as u32;
        let (base, offset) = match &place.kind {
            PlaceKind::Deref(pointer) => return pointer.as_int(),
            PlaceKind::Field(base, index) => {
                (base, self.types.fields(base.ty).get(*index as usize)?.offset)
            }
            PlaceKind::Index(base, index) => {
                let size = self.types.size(place.ty)?;
                (base, (index.as_int()? as u64).wrapping_mul(size))
            }
            _ => return None,
        };
        let base = self.absolute_address(base)?;
        Some(int::truncate(base.wrapping_add(offset as u128), width))
    }

    /// An array as a pointer to its first element.
    pub(super) fn decay(&mut self, place: Place, position: Position) -> Expr {
        let element = self.types.element(place.ty).unwrap_or(Ty::VOID);
        if self.types.size(element).is_none() {
            let ty = self.types.pointer(element);
            let address = self.address(place, position);
            return self.cast(address, ty);
        }
        let index = Box::new(self.offset_constant(0, position));
        let first = Place::new(PlaceKind::Index(Box::new(place), index), element, position);
        let ty = self.types.pointer(element);
        self.constant_address(first, ty, position)
    }

    /// `pointer + index` for elements of `scale` bytes; `index` has the offset type.
    pub(super) fn pointer_add(
        &self,
        pointer: Expr,
        index: Expr,
        scale: u64,
        position: Position,
    ) -> Expr {
        let ty = pointer.ty;
        let width = 8 * self.types.model.pointer_bytes() as u32;
        if let (Some(base), Some(index)) = (pointer.as_int(), index.as_int()) {
            let moved = base.wrapping_add(index.wrapping_mul(scale as u128));
            return Expr::int(int::truncate(moved, width), ty, position);
        }
        if index.as_int() == Some(0) {
            return pointer;
        }
        let (pointer, index) = (Box::new(pointer), Box::new(index));
        Expr::new(ExprKind::PointerAdd { pointer, index, scale }, ty, position)
    }

    /// Whether the value may change when something is stored.
    pub(super) fn reads_storage(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => false,
            ExprKind::Load(place) => !self.is_settled(place),
            ExprKind::AddressOf(place) => self.address_reads(place),
            ExprKind::Unary(_, operand) | ExprKind::Cast(_, operand) => self.reads_storage(operand),
            ExprKind::Binary(_, left, right)
            | ExprKind::PointerAdd { pointer: left, index: right, .. }
            | ExprKind::PointerDifference { left, right, .. }
            | ExprKind::And(left, right)
            | ExprKind::Or(left, right) => self.reads_storage(left) || self.reads_storage(right),
            ExprKind::Conditional(condition, then, other) => {
                [condition, then, other].into_iter().any(|part| self.reads_storage(part))
            }
        }
    }

    /// Whether computing the address of a place reads storage.
    fn address_reads(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => false,
            PlaceKind::Deref(pointer) => self.reads_storage(pointer),
            PlaceKind::Field(base, _) => self.address_reads(base),
            PlaceKind::Index(base, index) => self.address_reads(base) || self.reads_storage(index),
        }
    }

    /// A temporary, which is not written again once its value is in use.
    fn is_settled(&self, place: &Place) -> bool {
        match place.kind {
            PlaceKind::Local(id) => self
                .builder
                .locals
                .get(id.0 as usize)
                .is_some_and(|local| local.kind == LocalKind::Temporary),
            PlaceKind::Field(ref base, _) => self.is_settled(base),
            _ => false,
        }
    }

    /// Whether a global object can be given this value before the program runs.
    pub(super) fn is_static_value(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => true,
            ExprKind::AddressOf(place) => self.is_static_place(place),
            ExprKind::PointerAdd { pointer, index, .. } => {
                self.is_static_value(pointer) && index.as_int().is_some()
            }
            ExprKind::Cast(
                CastKind::PointerToPointer | CastKind::PointerToInt | CastKind::IntToPointer,
                operand,
            ) => self.is_static_value(operand),
            ExprKind::Cast(CastKind::IntToInt, operand) => self.is_static_value(operand),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Subtract, left, right) => {
                self.is_static_value(left) && right.is_number()
            }
            _ => false,
        }
    }

    fn is_static_place(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Global(_) => true,
            PlaceKind::Field(base, _) => self.is_static_place(base),
            PlaceKind::Index(base, index) => self.is_static_place(base) && index.as_int().is_some(),
            PlaceKind::Deref(pointer) => self.is_static_value(pointer),
            PlaceKind::Local(_) => false,
        }
    }

    pub(super) fn is_void(&self, ty: Ty) -> bool {
        matches!(self.types.get(ty), Type::Void)
    }
}

/// The address of a variable or function, which is never null.
fn is_object_address(expr: &Expr) -> bool {
    fn is_object(place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(_) | PlaceKind::Global(_) => true,
            PlaceKind::Field(base, _) | PlaceKind::Index(base, _) => is_object(base),
            PlaceKind::Deref(_) => false,
        }
    }
    match &expr.kind {
        ExprKind::AddressOf(place) => is_object(place),
        ExprKind::Function(_) => true,
        ExprKind::Cast(CastKind::PointerToPointer, inner) => is_object_address(inner),
        _ => false,
    }
}
