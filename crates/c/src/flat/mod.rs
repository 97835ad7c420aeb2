//! A program as one graph: every call of a defined function is replaced by its body.
//!
//! Statements stay where they are in the typed program; the graph refers to them together with
//! the [`Instance`], the activation of a function, whose variables they mean. Recursion is
//! expanded to a given depth and then leads to [`FlatTerminator::Limit`].

mod calls;
mod candidates;
mod expand;
mod tidy;

pub use expand::{Options, flatten};

use crate::source::Position;
use crate::typed::{Body, Expr, FuncId, LocalId, Place, Program, Stmt, SwitchRange};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct InstanceId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct FlatBlockId(pub u32);

/// An activation of a function.
#[derive(Clone, Debug)]
pub struct Instance<'p> {
    pub function: FuncId,
    pub body: &'p Body,
    /// The instance that calls, and where; none for `main`.
    pub caller: Option<(InstanceId, Position)>,
}

#[derive(Clone, Debug)]
pub struct Flat<'p> {
    pub program: &'p Program,
    /// The first is that of `main`.
    pub instances: Vec<Instance<'p>>,
    /// The first is the entry.
    pub blocks: Vec<FlatBlock<'p>>,
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
    /// The program ends: `main` returned, `exit`, `abort`, an assumption that does not hold,
    /// undefined behaviour.
    End,
    /// `reach_error` is called.
    Error,
    /// The model ends: recursion is deeper than was asked for, or a function is called whose
    /// behaviour cannot be modelled. The text says which.
    Limit(String),
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
            FlatTerminator::End | FlatTerminator::Error | FlatTerminator::Limit(_) => Vec::new(),
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
            FlatTerminator::End | FlatTerminator::Error | FlatTerminator::Limit(_) => {}
        }
    }
}

impl<'p> Flat<'p> {
    pub fn instance(&self, id: InstanceId) -> &Instance<'p> {
        &self.instances[id.0 as usize]
    }

    pub fn block(&self, id: FlatBlockId) -> &FlatBlock<'p> {
        &self.blocks[id.0 as usize]
    }
}
