//! A program as one graph: every call of a defined function is replaced by its body.
//!
//! Statements stay where they are in the typed program; the graph refers to them together with
//! the [`Instance`], the activation of a function, whose variables they mean.
//!
//! Functions that call themselves share one instance, and a [`Stack`] holds the values of the
//! activations that wait for a call to return. Where their locals need addresses, recursion is
//! instead expanded to a given depth and then leads to [`FlatTerminator::Limit`].
//!
//! Where a body for every call would be too much, functions have one for all their calls
//! ([`plan`]); a stack with room for one call says where such a body returns to.

mod calls;
mod candidates;
mod clearing;
mod components;
mod cycles;
mod expand;
mod live;
mod plan;
mod shared;
mod single;
mod tail;
mod tidy;

pub(crate) use clearing::cleared;
pub(crate) use cycles::components;
pub use expand::{Options, flatten};

use crate::source::Position;
use crate::typed::{Body, Expr, FuncId, LocalId, Place, Program, Stmt, SwitchRange};
use crate::violation::Kind;
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct InstanceId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FlatBlockId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct StackId(pub u32);

/// An activation of a function, or all those that share a stack.
#[derive(Clone, Debug)]
pub struct Instance<'p> {
    pub function: FuncId,
    pub body: &'p Body,
    /// The instance that calls (first), and where; none for `main`.
    pub caller: Option<(InstanceId, Position)>,
}

#[derive(Clone, Debug)]
pub struct Flat<'p> {
    pub program: &'p Program,
    /// The kinds of violations that are dead ends because nobody asked for them.
    pub unasked: BTreeSet<Kind>,
    /// The first is that of `main`.
    pub instances: Vec<Instance<'p>>,
    /// The first is the entry.
    pub blocks: Vec<FlatBlock<'p>>,
    pub stacks: Vec<Stack>,
    /// For each instance, whether it stands for all activations that share a stack.
    pub shared: Vec<bool>,
    /// Those among them that stand for all calls of a function that does not call itself.
    pub singles: FxHashSet<InstanceId>,
}

/// The memory of the activations that wait for a recursive call to return.
#[derive(Clone, Debug)]
pub struct Stack {
    /// The calls that push something are numbered from 1 to this.
    pub sites: u32,
    /// One call at most waits at a time, and saves nothing.
    pub is_single: bool,
    /// The locals that some of them save.
    pub saved: Vec<(InstanceId, LocalId)>,
}

/// Statements of one instance (some also name another) and the way out.
#[derive(Clone, Debug)]
pub struct FlatBlock<'p> {
    pub instance: InstanceId,
    pub statements: Vec<FlatStmt<'p>>,
    pub terminator: FlatTerminator<'p>,
    /// Of the terminator.
    pub position: Position,
    /// The block of the typed program whose start this is, if it is one.
    pub source: Option<crate::typed::BlockId>,
}

#[derive(Clone, Debug)]
pub enum FlatStmt<'p> {
    /// Anything but a call; places and expressions are those of the block's instance.
    Plain(&'p Stmt),
    /// The parameter of `callee` gets the value of an argument, which is an expression of the
    /// block's instance; without one it is arbitrary. The types may disagree when the call went
    /// through a pointer.
    Bind { callee: InstanceId, parameter: LocalId, argument: Option<&'p Expr>, position: Position },
    /// The arguments of `callee` beyond its parameters.
    Variadic { callee: InstanceId, arguments: &'p [Expr], position: Position },
    /// A place of the block's instance gets the result of `callee`, an expression of the latter;
    /// without one it is arbitrary.
    Result { place: &'p Place, callee: InstanceId, value: Option<&'p Expr>, position: Position },
    /// A stack becomes empty; no call that uses it is active.
    Empty { stack: StackId, position: Position },
    /// Before a call of `callee` that shares its body: the number of the call and the values of locals of the
    /// block's instance go on a stack.
    Push { stack: StackId, site: u32, saved: Vec<LocalId>, callee: InstanceId, position: Position },
    /// The parameters of `callee`, which may be the block's own instance, get the values of
    /// arguments, all at once. Missing ones are arbitrary.
    Rebind { callee: InstanceId, arguments: &'p [Expr], position: Position },
    /// The result of the block's instance, to be taken after the return.
    Yield { value: &'p Expr, position: Position },
    /// A value that nobody uses is computed, where that may violate a property.
    Evaluate { value: &'p Expr, position: Position },
    /// Undoes the push before a call that `callee` has returned from.
    Pop { stack: StackId, saved: Vec<LocalId>, callee: InstanceId, position: Position },
    /// A place of the block's instance gets the result that `callee` has left; without one
    /// (`valued`) it is arbitrary.
    Take { place: &'p Place, callee: InstanceId, valued: bool, position: Position },
    /// A call of a function without a body: one with a model that returns, or any other.
    External {
        function: FuncId,
        result: Option<&'p Place>,
        arguments: &'p [Expr],
        position: Position,
    },
    /// A call of a function of the environment, through a pointer that comes from there.
    Outside { result: Option<&'p Place>, arguments: &'p [Expr], position: Position },
}

impl FlatStmt<'_> {
    pub fn position(&self) -> Position {
        match self {
            FlatStmt::Plain(statement) => statement.position,
            FlatStmt::Bind { position, .. }
            | FlatStmt::Variadic { position, .. }
            | FlatStmt::Result { position, .. }
            | FlatStmt::Empty { position, .. }
            | FlatStmt::Push { position, .. }
            | FlatStmt::Rebind { position, .. }
            | FlatStmt::Yield { position, .. }
            | FlatStmt::Evaluate { position, .. }
            | FlatStmt::Pop { position, .. }
            | FlatStmt::Take { position, .. }
            | FlatStmt::External { position, .. }
            | FlatStmt::Outside { position, .. } => *position,
        }
    }
}

/// Expressions are those of the block's instance.
#[derive(Clone, Debug)]
pub enum FlatTerminator<'p> {
    Goto(FlatBlockId),
    /// The condition has any scalar type; it counts whether it differs from 0.
    Branch {
        condition: &'p Expr,
        then: FlatBlockId,
        otherwise: FlatBlockId,
    },
    Switch {
        value: &'p Expr,
        ranges: Vec<(SwitchRange, FlatBlockId)>,
        default: FlatBlockId,
    },
    /// A call through a pointer: where it leads for each function that the pointer may refer to.
    /// For every other value the behaviour is undefined, unless there is an `otherwise`: then the
    /// pointer may have a value about which nothing is known.
    Dispatch {
        pointer: &'p Expr,
        targets: Vec<(FuncId, FlatBlockId)>,
        otherwise: Option<FlatBlockId>,
    },
    /// The way back from a shared body, for each number that can be on top of the stack,
    /// and for an empty stack.
    Back {
        stack: StackId,
        outside: Option<FlatBlockId>,
        sites: Vec<(u32, FlatBlockId)>,
    },
    /// The run ends otherwise: an assumption that does not hold, undefined behaviour.
    End,
    /// `main` returned.
    Returned,
    /// A call ended the program: `exit`, `abort`, a violation that is not asked for.
    Exit,
    /// A violation that is asked for.
    Violation(Kind),
    /// The model ends: recursion is deeper than was asked for. The text says which.
    Limit(String),
    /// A call of a function that is not followed, at this place.
    Refused(String),
}

impl FlatTerminator<'_> {
    pub fn successors(&self) -> Vec<FlatBlockId> {
        match self {
            FlatTerminator::Goto(target) => vec![*target],
            FlatTerminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
            FlatTerminator::Switch { ranges, default, .. } => {
                ranges.iter().map(|(_, target)| *target).chain([*default]).collect()
            }
            FlatTerminator::Dispatch { targets, otherwise, .. } => {
                targets.iter().map(|(_, target)| *target).chain(*otherwise).collect()
            }
            FlatTerminator::Back { outside, sites, .. } => {
                outside.iter().copied().chain(sites.iter().map(|(_, target)| *target)).collect()
            }
            FlatTerminator::End
            | FlatTerminator::Returned
            | FlatTerminator::Exit
            | FlatTerminator::Violation(_)
            | FlatTerminator::Limit(_)
            | FlatTerminator::Refused(_) => Vec::new(),
        }
    }

    /// Replaces every successor by its image under `map`.
    pub fn retarget(&mut self, map: impl Fn(FlatBlockId) -> FlatBlockId) {
        match self {
            FlatTerminator::Goto(target) => *target = map(*target),
            FlatTerminator::Branch { then, otherwise, .. } => {
                (*then, *otherwise) = (map(*then), map(*otherwise));
            }
            FlatTerminator::Switch { ranges, default, .. } => {
                *default = map(*default);
                ranges.iter_mut().for_each(|(_, target)| *target = map(*target));
            }
            FlatTerminator::Dispatch { targets, otherwise, .. } => {
                targets.iter_mut().for_each(|(_, target)| *target = map(*target));
                *otherwise = otherwise.map(&map);
            }
            FlatTerminator::Back { outside, sites, .. } => {
                *outside = outside.map(&map);
                sites.iter_mut().for_each(|(_, target)| *target = map(*target));
            }
            FlatTerminator::End
            | FlatTerminator::Returned
            | FlatTerminator::Exit
            | FlatTerminator::Violation(_)
            | FlatTerminator::Limit(_)
            | FlatTerminator::Refused(_) => {}
        }
    }
}

impl<'p> Flat<'p> {
    pub fn instance(&self, id: InstanceId) -> &Instance<'p> {
        &self.instances[id.0 as usize]
    }

    /// Whether an instance stands for all calls of a function that does not call itself.
    pub fn is_single(&self, id: InstanceId) -> bool {
        self.singles.contains(&id)
    }

    /// Whether an instance stands for several activations.
    pub fn is_shared(&self, id: InstanceId) -> bool {
        self.shared[id.0 as usize]
    }

    pub fn block(&self, id: FlatBlockId) -> &FlatBlock<'p> {
        &self.blocks[id.0 as usize]
    }
}
