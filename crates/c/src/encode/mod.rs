//! Programs as control-flow automata over terms.

use crate::source::Position;
use crate::typed::{FuncId, GlobalId, LocalId};
use crate::types::Ty;
use wedge_model::Cfa;

/// How much of a program is modelled. What goes beyond leads to a limit location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Activations of one function inside one another.
    pub depth: usize,
    /// Objects per allocation site that can be reached more than once.
    pub pool: usize,
}

/// A program as an automaton, with what is needed to tell about it in terms of the source.
pub struct Encoded {
    pub cfa: Cfa,
    /// What the origins of locations and edges number.
    pub origins: Vec<Origin>,
    /// For each input of the automaton, in the same order.
    pub choices: Vec<ChoicePoint>,
    /// For each variable of the automaton, in the same order.
    pub variables: Vec<Meaning>,
    /// Assumptions a user should know of: functions without body or model, ...
    pub notes: Vec<String>,
}

/// Where in the source a location or an edge comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    pub function: FuncId,
    pub position: Position,
    pub kind: OriginKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OriginKind {
    /// A statement begins.
    Statement,
    /// The head of the loop of this index in the body of the function.
    LoopHead(u32),
    /// A condition was decided this way.
    Branch(bool),
    Call(FuncId),
    Return(FuncId),
}

/// A value that the program leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChoicePoint {
    pub kind: ChoicePointKind,
    pub ty: Ty,
    pub function: FuncId,
    pub position: Position,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ChoicePointKind {
    /// The result of a call of this function: `__VERIFIER_nondet_…`, or without body and model.
    Call(FuncId),
    /// A local variable when it is declared, or the bytes of it that begin at this offset.
    Local(LocalId, u64),
    /// The bytes of a global without definition that begin at this offset.
    Global(GlobalId, u64),
    /// The bytes of an allocated object that begin at this offset.
    Heap(u64),
    /// The result of a function that ended without giving one, a missing argument, a read through
    /// a pointer of unknown value.
    Other,
}

/// What a variable of the automaton holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Bytes of a global object from this offset; the whole of it if it is a scalar.
    Global(GlobalId, u64),
    /// Bytes of a local variable from this offset, and the number of calls on the way from `main`
    /// (0 for `main` itself).
    Local { function: FuncId, local: LocalId, offset: u64, instance: u32 },
    /// Bytes of the allocated objects of one site.
    Heap,
    /// Bookkeeping of the encoding.
    Internal,
}
