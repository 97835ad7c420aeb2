//! What a run does that another implementation of C may do otherwise.
//!
//! Where objects lie is the choice of the interpreter. A run that turns an address into a number,
//! looks at the bytes of a pointer, or orders pointers into different objects may depend on that
//! choice. The first such place is remembered; a run without one, and without a question to the
//! oracle, is the only run of its program.

use super::exec::Interpreter;
use super::memory::{Object, Origin};
use super::value::Scalar;
use crate::source::Position;
use crate::typed::BinaryOp;
use crate::types::Ty;

impl Interpreter<'_, '_> {
    pub(super) fn note_unspecified(&mut self, what: &'static str, at: Position) {
        self.unspecified = self.unspecified.or(Some((what, at)));
    }

    /// A value passed as another type than it has: only pointers as pointers keep their meaning.
    pub(super) fn note_passed(&mut self, value: Scalar, from: Ty, to: Ty, at: Position) {
        let types = &self.program.types;
        let pointers = types.is_pointer(from) && types.is_pointer(to);
        let integers = types.is_integer(from) && types.is_integer(to) && value.object.is_none();
        if !pointers && !integers {
            self.note_unspecified("a call with values of other types", at);
        }
    }

    /// Bytes of pointers were read as this type.
    pub(super) fn note_address(&mut self, value: Option<Scalar>, ty: Ty, at: Position) {
        let whole = value.is_some_and(|value| value.object.is_some());
        if !whole || !self.program.types.is_pointer(ty) {
            self.note_unspecified("the bytes of an address", at);
        }
    }

    #[inline]
    pub(super) fn note_comparison(
        &mut self,
        op: BinaryOp,
        (left, right): (Scalar, Scalar),
        ty: Ty,
        at: Position,
    ) {
        if left.object.is_none() && right.object.is_none() {
            if self.comparisons && left.bits != right.bits && !self.program.types.is_float(ty) {
                self.oracle.compared(left.bits, right.bits);
            }
            return;
        }
        if !self.is_comparison_specified(op, left, right) {
            self.note_unspecified("a comparison of addresses", at);
        }
    }

    /// Different objects that live at the same time never overlap, and none is at null. Everything
    /// else about different objects is open.
    fn is_comparison_specified(&self, op: BinaryOp, left: Scalar, right: Scalar) -> bool {
        // Equal literals may be one object or several.
        if self.is_literal(left) && self.is_literal(right) {
            return false;
        }
        match (left.object, right.object) {
            (Some(a), Some(b)) if a == b => self.is_near(left) && self.is_near(right),
            (Some(_), Some(_)) => !op.is_order() && self.is_inside(left) && self.is_inside(right),
            (Some(_), None) => !op.is_order() && right.bits == 0 && left.bits != 0,
            (None, Some(_)) => !op.is_order() && left.bits == 0 && right.bits != 0,
            (None, None) => true,
        }
    }

    pub(super) fn note_distance(&mut self, left: Scalar, right: Scalar, at: Position) {
        let same = left.object == right.object;
        let specified = match left.object {
            Some(_) => same && self.is_near(left) && self.is_near(right),
            None => same,
        };
        if !specified {
            self.note_unspecified("a distance of addresses", at);
        }
    }

    fn object_of(&self, pointer: Scalar) -> Option<(&Object, u64)> {
        let object = self.memory.object(pointer.object?)?;
        Some((object, (pointer.bits as u64).wrapping_sub(object.base)))
    }

    /// Whether a pointer refers to a literal, which may share its storage with others.
    fn is_literal(&self, pointer: Scalar) -> bool {
        let object = self.object_of(pointer).map(|(object, _)| object);
        object.is_some_and(|o| !o.writable && matches!(o.origin, Origin::Global(_)))
    }

    /// Whether a pointer refers to a living object or to its end.
    fn is_near(&self, pointer: Scalar) -> bool {
        self.object_of(pointer)
            .is_some_and(|(object, offset)| object.alive && offset <= object.size)
    }

    /// Whether a pointer refers to a byte of a living object.
    fn is_inside(&self, pointer: Scalar) -> bool {
        self.object_of(pointer).is_some_and(|(object, offset)| object.alive && offset < object.size)
    }
}
