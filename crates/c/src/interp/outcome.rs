//! How a run ends.

use crate::arith::int::NoResult;
use crate::source::Position;
use crate::typed::Program;
use crate::violation::{Kind, Properties, Violation};
use std::fmt;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Something happened that is asked for.
    Violated(Violation),
    /// The program ended by itself, with this status.
    Finished(i32),
    /// `abort`, or a violation that is not asked for.
    Aborted(Position),
    /// `__VERIFIER_assume(0)`: the inputs do not belong to any run.
    AssumeFailed(Position),
    UndefinedBehaviour(Undefined, Position),
    /// Something that the interpreter does not model.
    Unsupported(String, Position),
    /// The run was longer than allowed.
    StepLimit,
}

impl Outcome {
    /// The same, where undefined behaviour that is asked for is a violation.
    /// A check that is settled ends the run.
    pub(super) fn seen_by(
        self,
        properties: &Properties,
        program: &Program,
        statement: Position,
    ) -> Outcome {
        let files = &program.files;
        let kind = match &self {
            Outcome::Violated(violation) => Some(violation.kind),
            Outcome::UndefinedBehaviour(what, _) => what.kind(),
            _ => None,
        };
        if kind.is_some_and(|kind| properties.is_settled(kind, files, statement)) {
            return Outcome::Aborted(statement);
        }
        match self {
            // What a witness says has to have a value; the program does not violate anything there.
            Outcome::UndefinedBehaviour(what, position) if program.is_annotation(statement) => {
                match properties.asks(Kind::Invariant) {
                    true => Outcome::Violated(Violation { kind: Kind::Invariant, position }),
                    false => Outcome::UndefinedBehaviour(what, position),
                }
            }
            Outcome::UndefinedBehaviour(what, position) => {
                match what.kind().filter(|&kind| properties.asks(kind)) {
                    Some(kind) => Outcome::Violated(Violation { kind, position }),
                    None => Outcome::UndefinedBehaviour(what, position),
                }
            }
            other => other,
        }
    }
}

/// Undefined behaviour that ends a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    NullDereference,
    /// An access through a number that is not the address of an object.
    InvalidPointer,
    OutOfBounds,
    /// An access to an object whose lifetime has ended.
    Dangling,
    /// A write to a string literal or function.
    ReadOnly,
    DivisionByZero,
    /// A sum, difference, product or shift of signed numbers that does not fit; where nobody asks
    /// for it, it wraps and the run goes on.
    Overflow,
    /// The smallest number divided by -1.
    DivisionOverflow,
    /// A floating-point number becomes an integer that its type does not have; where nobody asks
    /// for it, the result is that of x86.
    FloatConversion,
    /// A read of a value that was never written.
    Uninitialised,
    /// An access outside a part of an object, such as an inner array.
    OutOfPart,
    /// A shift by a negative number, or by the width of the operand or more.
    ShiftCount,
    /// `free` or `realloc` of something that did not come from an allocation.
    InvalidFree,
    /// A call of something that is not a function.
    InvalidCall,
    /// `__builtin_unreachable` was reached.
    Unreachable,
    /// `va_arg` without an argument left.
    MissingArgument,
}

impl Undefined {
    /// What it violates, if a property asks for it.
    pub fn kind(self) -> Option<Kind> {
        Some(match self {
            Undefined::NullDereference
            | Undefined::InvalidPointer
            | Undefined::OutOfBounds
            | Undefined::Dangling
            | Undefined::OutOfPart
            | Undefined::InvalidCall
            | Undefined::MissingArgument
            | Undefined::ReadOnly => Kind::Deref,
            Undefined::DivisionByZero => Kind::DivisionByZero,
            Undefined::Overflow | Undefined::DivisionOverflow | Undefined::FloatConversion => {
                Kind::Overflow
            }
            Undefined::ShiftCount => Kind::Shift,
            Undefined::Uninitialised => Kind::Uninitialised,
            Undefined::InvalidFree => Kind::Free,
            Undefined::Unreachable => Kind::Unreachable,
        })
    }
}

impl fmt::Display for Undefined {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Undefined::NullDereference => "access through a null pointer",
            Undefined::InvalidPointer => "access through an invalid pointer",
            Undefined::OutOfBounds => "access outside an object",
            Undefined::Dangling => "access to an object whose lifetime has ended",
            Undefined::ReadOnly => "write to a read-only object",
            Undefined::DivisionByZero => "division by zero",
            Undefined::Overflow => "a signed result that does not fit",
            Undefined::DivisionOverflow => "division of the smallest number by -1",
            Undefined::FloatConversion => {
                "conversion of a number that the integer type does not have"
            }
            Undefined::Uninitialised => "read of a value that was never written",
            Undefined::OutOfPart => "access outside an array that is a part of the object",
            Undefined::ShiftCount => "shift by a number of bits that the operand does not have",
            Undefined::InvalidFree => "invalid free",
            Undefined::InvalidCall => "call of something that is not a function",
            Undefined::Unreachable => "unreachable code was reached",
            Undefined::MissingArgument => "missing variable argument",
        })
    }
}

impl From<NoResult> for Undefined {
    fn from(why: NoResult) -> Undefined {
        match why {
            NoResult::DivisionByZero => Undefined::DivisionByZero,
            NoResult::DivisionOverflow => Undefined::DivisionOverflow,
            NoResult::ShiftCount => Undefined::ShiftCount,
        }
    }
}

/// Evaluation that cannot go on.
pub type Stop = Box<Outcome>;
pub type Step<T> = Result<T, Stop>;

pub fn undefined<T>(what: Undefined, position: Position) -> Step<T> {
    Err(Box::new(Outcome::UndefinedBehaviour(what, position)))
}

pub fn unsupported<T>(what: impl Into<String>, position: Position) -> Step<T> {
    Err(Box::new(Outcome::Unsupported(what.into(), position)))
}
