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

/// What the words of a model are to an engine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    Words,
    /// Unbounded integers, which this solver decides; by default one that is installed.
    Integers {
        solver: Option<String>,
    },
}

/// Which open node of a graph comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Order {
    /// The newest.
    DepthFirst,
    /// The oldest.
    BreadthFirst,
}

/// By how many nodes another one is covered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cover {
    /// By one, as in the papers.
    One,
    /// By one, or else by several together.
    Several,
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
    /// None: what the engine is best with.
    pub blocks: Option<BlockSize>,
    pub arithmetic: Arithmetic,
    pub order: Order,
    pub cover: Cover,
    /// Where assertions along infeasible paths come from. None: interpolants, or Newton where words
    /// are integers.
    pub source: Option<SourceChoice>,
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
            blocks: None,
            arithmetic: Arithmetic::Words,
            order: Order::DepthFirst,
            cover: Cover::Several,
            source: None,
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

impl PathConfig {
    /// The same with blocks of this size, unless the user has said something else.
    pub fn in_blocks(self, size: BlockSize) -> PathConfig {
        PathConfig { blocks: self.blocks.or(Some(size)), ..self }
    }
}
