//! What the user can set about path engines.

use super::abstraction::{Domain, Grain, Scope};
use super::choice::{CoreGrain, SourceChoice};
use crate::trace::TraceConfig;
use wedge_smt::Interpolation;

/// What a step of an engine is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlockSize {
    /// From one head of a loop to the next.
    Loops,
    /// A single edge.
    Edge,
    /// As for loops, but at most so many edges.
    AtMost(usize),
}

/// Which open node of a graph comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The newest.
    DepthFirst,
    /// The oldest.
    BreadthFirst,
}

/// Which interpolants the engine `interp` uses besides those that say what is reachable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interpolants {
    pub safety: bool,
    pub error: bool,
    /// Whether weights guide the search to full safety interpolants.
    pub weights: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PathConfig {
    pub blocks: BlockSize,
    pub order: Order,
    /// Where assertions along infeasible paths come from.
    pub source: SourceChoice,
    pub core_grain: CoreGrain,
    pub interpolation: Interpolation,
    /// Whether data-flow facts strengthen the formulas of nodes.
    pub facts: bool,
    /// Whether steps to where no target can be reached are left out.
    pub prune: bool,
    /// Whether covering is forced where it does not hold by itself.
    pub force: bool,
    /// Whether an infeasible path is refuted at its shortest infeasible beginning.
    pub shortest: bool,
    pub domain: Domain,
    pub scope: Scope,
    pub grain: Grain,
    /// What besides reachability interpolants is learnt from a path.
    pub interpolants: Interpolants,
    /// What `trace` does.
    pub trace: TraceConfig,
}

impl Default for PathConfig {
    fn default() -> PathConfig {
        PathConfig {
            blocks: BlockSize::Loops,
            order: Order::DepthFirst,
            source: SourceChoice::default(),
            core_grain: CoreGrain::Statements,
            interpolation: Interpolation::default(),
            facts: true,
            prune: true,
            force: true,
            shortest: false,
            domain: Domain::Boolean,
            scope: Scope::Place,
            grain: Grain::Atoms,
            interpolants: Interpolants { safety: true, error: true, weights: true },
            trace: TraceConfig::default(),
        }
    }
}
