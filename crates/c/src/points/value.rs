//! What expressions may point to, and what memory holds.

use super::ObjectId;
use super::layout::{self, Access, Shape};
use super::offsets::Off;
use super::set::{Flags, Set, joined};
use super::state::{Blob, Cell, Grid, View};
use crate::flat::InstanceId;
use crate::typed::{BinaryOp, CastKind, Expr, ExprKind, Place, PlaceKind, UnaryOp};
use crate::types::BitField;
use std::borrow::Cow;

type Value<'a> = Cow<'a, Set>;

fn number<'a>() -> Value<'a> {
    Cow::Owned(Set::flags(Flags::ARBITRARY))
}

/// Smaller numbers are no addresses.
const FIRST_PAGE: u128 = 4096;

/// Whether an operator leaves only some of the lowest bits of a value, so that no address is left.
fn is_remainder(op: BinaryOp, left: &Expr, right: &Expr) -> bool {
    let is_small = |expr: &Expr, most: u128| expr.as_int().is_some_and(|value| value <= most);
    match op {
        BinaryOp::And => is_small(left, FIRST_PAGE - 1) || is_small(right, FIRST_PAGE - 1),
        BinaryOp::Remainder => is_small(right, FIRST_PAGE),
        _ => false,
    }
}

impl<'a, 'p> View<'a, 'p> {
    /// The set of an expression of scalar type.
    pub fn value(&mut self, instance: InstanceId, expr: &Expr) -> Value<'a> {
        match &expr.kind {
            ExprKind::Int(0) => Cow::Owned(Set::flags(Flags::NULL)),
            ExprKind::Int(_) | ExprKind::Float(_) => number(),
            ExprKind::Load(place) => self.load_place(instance, place),
            ExprKind::AddressOf(place) => Cow::Owned(self.place(instance, place)),
            ExprKind::Function(id) => Cow::Owned(Set::one(self.state.function(*id), Off::exact(0))),
            ExprKind::Unary(op, operand) => self.unary(instance, *op, operand),
            ExprKind::Binary(op, left, right) => self.binary(instance, *op, left, right),
            ExprKind::PointerAdd { pointer, index, scale } => {
                let pointers = self.value(instance, pointer);
                if pointers.list.is_empty() {
                    return pointers;
                }
                Cow::Owned(match self.constant(index) {
                    Some(0) => return pointers,
                    Some(index) => {
                        let step = index.wrapping_mul(*scale as i64);
                        pointers.map(|_, off| off.shift(step))
                    }
                    None => self.walked(&pointers, *scale),
                })
            }
            ExprKind::Cast(kind, operand) => match kind {
                CastKind::IntToInt
                | CastKind::PointerToInt
                | CastKind::IntToPointer
                | CastKind::PointerToPointer => self.value(instance, operand),
                CastKind::ToBool
                | CastKind::IntToFloat
                | CastKind::FloatToInt
                | CastKind::FloatToFloat => number(),
            },
            ExprKind::PointerDifference { .. } | ExprKind::And(..) | ExprKind::Or(..) => number(),
            ExprKind::Conditional(_, then, otherwise) => {
                let then = self.value(instance, then);
                joined(then, self.value(instance, otherwise))
            }
        }
    }

    fn unary(&mut self, instance: InstanceId, op: UnaryOp, operand: &Expr) -> Value<'a> {
        let is_int = self.state.program.types.is_integer(operand.ty);
        match op {
            UnaryOp::Negate | UnaryOp::Complement if is_int => {
                let value = self.value(instance, operand);
                let null = value.flags.has(Flags::NULL);
                let flags = if null { Flags::ARBITRARY } else { Flags::NONE };
                let mut result = value.smeared();
                result.flags = result.flags.with(flags);
                Cow::Owned(result)
            }
            _ => number(),
        }
    }

    /// Arithmetic on addresses leads anywhere in their objects; on two numbers, to a number.
    fn binary(
        &mut self,
        instance: InstanceId,
        op: BinaryOp,
        left: &Expr,
        right: &Expr,
    ) -> Value<'a> {
        if op.is_comparison() || self.state.program.types.is_float(left.ty) {
            return number();
        }
        if is_remainder(op, left, right) {
            return number();
        }
        let left = self.value(instance, left);
        let right = self.value(instance, right);
        if op == BinaryOp::Subtract && self.is_distance(&left, &right) {
            return number();
        }
        let numbers = left.flags.any() && right.flags.any();
        let uninitialised = Flags::UNINITIALISED;
        let only_uninitialised = |set: &Set| !set.flags.without(uninitialised).any();
        let flags = match numbers {
            true if only_uninitialised(&left) || only_uninitialised(&right) => uninitialised,
            true => {
                let some = left.flags.with(right.flags);
                let bare = if some.has(uninitialised) { uninitialised } else { Flags::NONE };
                Flags::ARBITRARY.with(bare)
            }
            false => Flags::NONE,
        };
        if left.list.is_empty() && right.list.is_empty() {
            return Cow::Owned(Set::flags(flags));
        }
        let mut result = left.smeared();
        result.join(&right.smeared());
        result.flags = flags;
        Cow::Owned(result)
    }

    /// Whether two values are addresses in one and the same object, so that their difference is a
    /// number.
    fn is_distance(&self, left: &Set, right: &Set) -> bool {
        let Some((object, _)) = left.list.first() else { return false };
        let is_it = |set: &Set| {
            !set.flags.any()
                && !set.list.is_empty()
                && set.list.iter().all(|(other, _)| other == object)
        };
        is_it(left) && is_it(right) && !self.state.public[object.0 as usize].repeated
    }

    /// The bits of a place, if it is a bit-field.
    pub fn bits(&self, place: &Place) -> Option<BitField> {
        match &place.kind {
            PlaceKind::Field(base, index) => {
                self.state.program.types.fields(base.ty).get(*index as usize)?.bits
            }
            _ => None,
        }
    }

    fn load_place(&mut self, instance: InstanceId, place: &Place) -> Value<'a> {
        if let PlaceKind::Local(id) = place.kind
            && let Some(node) = self.state.register(instance, id)
        {
            return Cow::Borrowed(self.read(node));
        }
        if self.bits(place).is_some() {
            return number();
        }
        let pointers = self.place(instance, place);
        Cow::Owned(self.load(&pointers, self.state.width(place.ty)))
    }

    /// What values of some size may be read through a pointer.
    pub fn load(&mut self, pointers: &Set, size: u64) -> Set {
        if let Some(everything) = &self.state.everything {
            return everything.clone();
        }
        let mut result = Set::flags(Flags::NULL);
        if pointers.flags.has(Flags::ARBITRARY) || pointers.flags.has(Flags::UNINITIALISED) {
            result.flags = result.flags.with(pointers.flags);
        }
        for (object, off) in &pointers.list {
            self.load_from(*object, off, size, &mut result);
        }
        result
    }

    /// The places of an access.
    pub fn access(&self, object: ObjectId, off: &Off, size: u64) -> Access {
        let shape = self.state.contents[object.0 as usize].shape;
        let types = &self.state.program.types;
        layout::access(types, shape, self.extent(object), off, size)
    }

    fn load_from(&mut self, object: ObjectId, off: &Off, size: u64, result: &mut Set) {
        let access = self.access(object, off, size);
        if access == Access::Places(Vec::new()) {
            return;
        }
        let contents = self.contents(object);
        result.flags = result.flags.with(contents.initial);
        match access {
            Access::Places(places) => {
                for at in places {
                    let end = at.saturating_add(size);
                    for cell in contents.cells.iter().take_while(|cell| cell.at < end) {
                        if at < cell.at.saturating_add(cell.size) {
                            self.take(cell, cell.at == at, result);
                        }
                    }
                }
            }
            Access::Anywhere => {
                let wanted = grid(off, size).filter(|_| contents.shape == Shape::Bytes);
                let place = |cell: &Cell| grid(&Off::exact(cell.at as i64), cell.size);
                if wanted.is_none() || contents.cells.iter().any(|cell| place(cell) != wanted) {
                    result.join(self.read(contents.all));
                    return;
                }
                contents.cells.iter().for_each(|cell| self.take(cell, true, result));
            }
        }
        if let Some(blob) = contents.blob {
            self.take_blob(&blob, off, size, result);
        }
    }

    /// Adds what a cell holds; a part of a pointer may be combined with others to any offset.
    fn take(&mut self, cell: &Cell, whole: bool, result: &mut Set) {
        let set = self.read(cell.node);
        if whole {
            result.join(set);
        } else {
            result.join(&set.smeared());
        }
    }

    fn take_blob(&mut self, blob: &Blob, off: &Off, size: u64, result: &mut Set) {
        let set = self.read(blob.node);
        if blob.grid.is_some() && blob.grid == grid(off, size) {
            result.join(set);
        } else {
            result.join(&set.smeared());
        }
    }
}

/// The grid that accesses of some size at these offsets lie on.
pub fn grid(off: &Off, size: u64) -> Option<Grid> {
    let fits = size > 0 && off.stride.is_multiple_of(size);
    fits.then(|| Grid { size, rest: off.first.rem_euclid(size as i64) as u64 })
}
