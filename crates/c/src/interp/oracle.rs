//! Where arbitrary values come from.

use crate::source::Position;
use crate::typed::{BlockId, FuncId, GlobalId, LocalId};
use crate::types::Ty;
use std::collections::VecDeque;

/// A value that the program leaves open.
#[derive(Clone, Debug)]
pub struct Choice<'a> {
    pub kind: ChoiceKind<'a>,
    pub ty: Ty,
    pub width: u32,
    pub position: Position,
    /// The lifetime of the object that the value belongs to, if it belongs to one whose beginning
    /// was announced.
    pub life: Option<Life>,
    /// For inputs, if the oracle wants it.
    pub state: Option<Snapshot>,
}

/// What tells the state of a run from others: hashes of the objects and where the run is, and of
/// these and the variables of the functions that are active.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Snapshot {
    pub memory: u64,
    pub everything: u64,
}

/// The lifetime of an object or variable with arbitrary contents. Numbers are never used again.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Life(pub u64);

/// What begins to live with arbitrary contents.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Birth {
    /// A local variable is declared.
    Local(FuncId, LocalId),
    /// A global variable without definition, when the program starts.
    Global(GlobalId),
    /// An allocation by the call or declaration at this place.
    Allocation(Position),
    /// A record that a call gives without saying what it holds, or that a function does not return
    /// although it should: where the call, or the end of the function, is.
    Result(Position),
    /// A function that nobody knows has been called at this place, and may have changed something.
    Havoc(Position, Havocked),
}

/// What such a function may have changed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Havocked {
    Global(GlobalId),
    Local(FuncId, LocalId),
    /// The object with this number among those that were allocated at a place.
    Heap(Position, u64),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceKind<'a> {
    /// The result of a function `__VERIFIER_nondet_…`.
    Input(&'a str),
    /// The result of a function that has neither body nor model, or whose model leaves it open.
    External(&'a str),
    /// A local variable that is read before it is written.
    Local(LocalId),
    /// Uninitialised or external memory: the name of the object, where it has one, and the offset.
    Memory(Option<&'a str>, u64),
    /// The result of a function that ended without giving one.
    MissingResult,
    /// Read through a pointer that refers to no object, see [`Oracle::environment`].
    Environment,
}

/// Supplies the values that a program leaves open.
pub trait Oracle {
    /// The bits of the value; those beyond the width are ignored.
    fn choose(&mut self, choice: &Choice) -> u128;

    /// The lowest address that refers to memory of the environment, unless there is an object of
    /// the program; such pointers come from storage the program never wrote, or from functions
    /// without body. A byte there is arbitrary when it is first read; without environment reads
    /// are undefined behaviour.
    fn environment(&self) -> Option<u64> {
        None
    }

    /// Whether there is no memory at an address, since it is that of a pointer which the program never
    /// wrote. Following such a pointer is undefined behaviour.
    fn leads_nowhere(&self, _address: u64) -> bool {
        false
    }

    /// What a byte of the memory of the environment holds before it is written, if that is known
    /// better than by the answer to the read.
    fn environment_byte(&mut self, _address: u64) -> Option<u8> {
        None
    }

    /// Whether memory of the environment may be written; otherwise that is undefined behaviour.
    fn is_environment_writable(&self) -> bool {
        false
    }

    /// Whether the results chosen for functions that are not computed exactly are used where they
    /// differ from those of the machine.
    fn insists(&self) -> bool {
        false
    }

    /// A lifetime begins. Contents are asked for when they are read, by the number `life`.
    fn begin(&mut self, _life: Life, _birth: Birth) {}

    /// An object of this size is moved by `realloc`: what was chosen for bytes beyond its end may
    /// be meant for those of the new one.
    fn moved(&mut self, _from: Life, _size: u64, _to: Life) {}

    /// A function without body or model is called with these arguments.
    fn external_call(&mut self, _name: &str, _arguments: &[u128], _at: Position) {}

    /// A branch or switch at the end of a block was decided.
    fn decided(&mut self, _function: FuncId, _from: BlockId, _to: BlockId) {}

    /// Whether inputs are to be asked for with the state of the run. Asked once, before the run.
    fn wants_states(&self) -> bool {
        false
    }

    /// Whether [`Oracle::compared`] should be called. Asked once, before the run.
    fn wants_comparisons(&self) -> bool {
        false
    }

    /// Two different integers were compared.
    fn compared(&mut self, _left: u128, _right: u128) {}

    /// Whether iterations of loops may be made many at a time. Then the oracle does not get to know all
    /// decisions, comparisons and beginnings of lifetimes. Asked once, before the run.
    fn may_leap(&self) -> bool {
        false
    }

    /// Whether the run, which has come this far, should end. Asked every few thousand steps; those that
    /// were made many at a time do not count.
    fn wants_stop(&mut self, _steps: u64) -> bool {
        false
    }
}

/// The value that a run was given for something the program leaves open, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Answer {
    pub bits: u128,
    pub width: u32,
    pub position: Position,
}

/// Inputs from a list; when it is used up, and for everything that is not an input, zero.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    pub values: VecDeque<u128>,
}

impl Inputs {
    pub fn new(values: impl IntoIterator<Item = u128>) -> Inputs {
        Inputs { values: values.into_iter().collect() }
    }
}

impl Oracle for Inputs {
    fn choose(&mut self, choice: &Choice) -> u128 {
        match choice.kind {
            ChoiceKind::Input(_) => self.values.pop_front().unwrap_or(0),
            _ => 0,
        }
    }
}
