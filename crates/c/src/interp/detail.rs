//! What went wrong in the end of a run, in words for people: what was tried, where, and why that is
//! not possible.

use super::exec::Interpreter;
use super::memory::{Access, Denied, Object, Origin};
use super::outcome::{Outcome, Undefined};
use super::value::{ObjectId, Scalar};
use crate::arith::int;
use crate::typed::{BinaryOp, Place};
use crate::types::{IntFormat, Ty};
use crate::violation::Kind;

/// What undefined behaviour is about, where it is no access that memory denies.
#[derive(Clone, Copy)]
pub enum Culprit<'p> {
    /// Numbers of a type.
    Operation {
        op: BinaryOp,
        left: u128,
        right: u128,
        ty: Ty,
    },
    Negation {
        bits: u128,
        ty: Ty,
    },
    Conversion {
        bits: u128,
        from: Ty,
        to: Ty,
    },
    /// An element of an array that is a part of an object.
    Part {
        access: Access,
        size: u64,
        place: &'p Place,
        index: i128,
    },
    Freed {
        pointer: Scalar,
        object: Option<ObjectId>,
    },
}

impl Interpreter<'_, '_> {
    /// A sentence about an outcome that is or may be a violation.
    pub(super) fn detail(&self, outcome: &Outcome) -> Option<String> {
        let what = match outcome {
            Outcome::UndefinedBehaviour(what, _) => what,
            Outcome::Violated(violation) => return self.leaked(violation.kind),
            _ => return None,
        };
        let said = match what {
            Undefined::NullDereference
            | Undefined::InvalidPointer
            | Undefined::OutOfBounds
            | Undefined::Dangling
            | Undefined::ReadOnly => {
                self.memory.denied.get().map(|denied| self.denied(*what, denied))
            }
            _ => self.culprit.get().and_then(|culprit| self.blame(*what, culprit)),
        };
        said.or_else(|| Some(what.to_string()))
    }

    /// An access that memory does not allow.
    fn denied(&self, what: Undefined, Denied { access, object, offset, size }: Denied) -> String {
        let tried = tried(access, size);
        let Some(id) = object else {
            return match what {
                Undefined::NullDereference if offset == 0 => format!("{tried} at a null pointer"),
                Undefined::NullDereference => {
                    format!("{tried} at offset {offset} of a null pointer")
                }
                _ => format!("{tried} at address {offset:#x}, where there is no object"),
            };
        };
        let name = self.name(id);
        let object = self.memory.object(id);
        let why = match what {
            Undefined::ReadOnly => "which must not be changed".to_string(),
            Undefined::OutOfBounds => {
                format!("which has {}", bytes(object.map_or(0, |object| object.size)))
            }
            _ => match object.and_then(|object| object.freed) {
                Some(freed) => format!("which was freed at {}", self.program.files.show(freed)),
                None => "which does not exist any more".to_string(),
            },
        };
        format!("{tried} at offset {offset} of {name}, {why}")
    }

    fn blame(&self, what: Undefined, culprit: Culprit) -> Option<String> {
        match culprit {
            Culprit::Operation { op, left, right, ty } => {
                self.operation(what, op, (left, right), ty)
            }
            Culprit::Negation { bits, ty } if what == Undefined::Overflow => {
                let value = self.number(bits, ty);
                Some(format!("the negative of {value} does not fit `{}`", self.show(ty)))
            }
            Culprit::Conversion { bits, from, to } if what == Undefined::FloatConversion => {
                let value = self.program.show_value(from, bits);
                Some(format!(
                    "{value} becomes a number of `{}`, which does not have it",
                    self.show(to)
                ))
            }
            Culprit::Part { access, size, place, index } if what == Undefined::OutOfPart => {
                let body = self.frames.last().map(|frame| frame.body);
                let array = place.base().map(|array| self.program.show_place(body, array))?;
                let length = self.program.types.part_length(place)?;
                let tried = tried(access, size);
                Some(format!(
                    "{tried} at element {index} of `{array}`, which has {length} elements"
                ))
            }
            Culprit::Freed { pointer, object } if what == Undefined::InvalidFree => {
                Some(self.invalid_free(pointer, object))
            }
            _ => None,
        }
    }

    fn operation(
        &self,
        what: Undefined,
        op: BinaryOp,
        (left, right): (u128, u128),
        ty: Ty,
    ) -> Option<String> {
        // The count of a shift has been extended from its own type.
        let count = right as i128;
        let (a, symbol) = (self.number(left, ty), op.symbol());
        let b = if op.is_shift() { count.to_string() } else { self.number(right, ty) };
        let ty = self.show(ty);
        Some(match what {
            Undefined::Overflow if op == BinaryOp::ShiftLeft && a.starts_with('-') => {
                format!("{a} << {b} shifts a negative number")
            }
            Undefined::Overflow | Undefined::DivisionOverflow => {
                format!("{a} {symbol} {b} does not fit `{ty}`")
            }
            Undefined::DivisionByZero => format!("{a} {symbol} {b}"),
            Undefined::ShiftCount => format!("{a} {symbol} {b} in type `{ty}`"),
            _ => return None,
        })
    }

    fn number(&self, bits: u128, ty: Ty) -> String {
        let default = IntFormat { width: 128, signed: false };
        let format = self.program.types.word_format(ty).unwrap_or(default);
        let value = int::extend(bits, format);
        if format.signed { (value as i128).to_string() } else { value.to_string() }
    }

    fn show(&self, ty: Ty) -> String {
        self.program.types.show(ty)
    }

    /// Why something cannot be freed.
    fn invalid_free(&self, pointer: Scalar, id: Option<ObjectId>) -> String {
        let Some((id, object)) = id.and_then(|id| Some((id, self.memory.object(id)?))) else {
            return format!("address {:#x} is freed, where there is no object", pointer.bits);
        };
        let name = self.name(id);
        let offset = (pointer.bits as u64).wrapping_sub(object.base) as i64;
        if object.origin != Origin::Heap {
            return format!("{name} is freed, which was not allocated");
        }
        if let Some(freed) = object.freed {
            let place = self.program.files.show(freed);
            return format!("{name} is freed, which was freed at {place} already");
        }
        format!("offset {offset} of {name} is freed, which is not its beginning")
    }

    fn leaked(&self, kind: Kind) -> Option<String> {
        let id = match kind {
            Kind::Memcleanup => self.memory.allocated().next()?,
            Kind::Memtrack => self.untracked()?,
            _ => return None,
        };
        let name = self.name(id);
        Some(match kind {
            Kind::Memcleanup => format!("{name} is not freed"),
            _ => format!("nothing leads to {name} any more"),
        })
    }

    /// An object as people call it.
    fn name(&self, id: ObjectId) -> String {
        let Some(object) = self.memory.object(id) else { return "an object".to_string() };
        let place = |object: &Object| self.program.files.show(object.position).to_string();
        match object.origin {
            Origin::Global(global) if self.program.global(global).is_literal => {
                "a string literal".to_string()
            }
            Origin::Global(global) => format!("`{}`", self.program.global(global).name),
            Origin::Function(function) => format!("`{}`", self.program.function(function).name),
            Origin::Local(function, local) => {
                let function = self.program.function(function);
                let local = function.body.as_ref().map(|body| body.local(local));
                match local.and_then(|local| local.name.as_deref()) {
                    Some(name) if object.alive => format!("`{name}`"),
                    Some(name) => format!("`{name}` of `{}`", function.name),
                    None => format!("a temporary object of `{}`", function.name),
                }
            }
            Origin::Frame => format!("the array of {}", place(object)),
            Origin::Heap => format!("the object allocated at {}", place(object)),
            Origin::Library => format!("the object that the library made at {}", place(object)),
        }
    }
}

fn tried(access: Access, size: u64) -> String {
    let access = if access == Access::Read { "read" } else { "write" };
    format!("{access} of {}", bytes(size))
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".to_string() } else { format!("{count} bytes") }
}
