//! Common ground of the engines that look at paths of automata.
//!
//! An automaton is cut into blocks ([`Blocked`]: places joined by steps). An engine unwinds it into
//! an abstract reachability [`Graph`], whose nodes have a place and a formula. A path of steps to a
//! target is decided by [`Paths`]: it is feasible, and values for it make a run, or it is not, and a
//! [`Source`] of assertions says why. What is left of the graph in the end is the proof
//! ([`Graph::proof`]).

pub mod abstraction;
mod arithmetic;
mod blocked;
pub mod choice;
pub mod config;
pub mod craig;
pub mod export;
mod feasible;
pub mod graph;
pub mod newton;
mod other_craig;
mod parts;
mod perfect;
pub mod source;
mod sources;
mod unwinding;

pub use blocked::{Blocked, Goal, Place, PlaceId, Step};
pub use choice::{CoreGrain, SourceChoice, Transformer, Variant};
pub use config::{Arithmetic, BlockSize, Cover, Interpolants, Order, PathConfig};
pub use craig::Craig;
pub use export::{ReachabilityGraph, ReachedNode};
pub use feasible::{Feasibility, Infeasible, Paths};
pub use graph::{Graph, Node, NodeId};
pub use newton::Newton;
pub use parts::{Parts, guards, parts};
pub use perfect::is_perfect;
pub use source::{NoAssertions, Source};
pub use sources::source;
pub use unwinding::{Going, Unwinding};
pub use wedge_smt::StepId;
