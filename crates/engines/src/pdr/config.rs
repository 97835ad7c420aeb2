//! What can be chosen about PDR. The defaults are what measured best.

use std::sync::Arc;
use wedge_model::{Signals, Words};

/// The solver that answers PDR's queries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SolverKind {
    Light,
    Cadical,
}

/// How frames and solvers relate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// A solver per frame, with the lemmas of that frame and above.
    PerFrame,
    /// One solver for all frames but the initial one; an activation literal per frame switches
    /// its lemmas on.
    Shared,
}

/// How the state of a model is widened to a cube all of whose states behave alike.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifting {
    /// All latches that the successor depends on syntactically.
    Cone,
    /// A justification of the successor: for a false conjunction one false fan-in is enough.
    Justify,
    /// A justification, of which each latch is then tried to be unknown by ternary simulation.
    Ternary,
}

/// How much work goes into counterexamples to generalisation (Hassan, Bradley, Somenzi 2013).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ctg {
    /// None: a literal whose removal meets a counterexample stays.
    Never,
    Always(CtgLimits),
    /// The more predecessors an obligation turns out to have, the more: that they come one by one
    /// shows that lemmas are too weak (Su, Yang, Ci, Huang 2024).
    Dynamic,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CtgLimits {
    /// Counterexamples blocked in a row for one literal.
    pub max: usize,
    /// Nesting: while one is generalised, others may be met.
    pub depth: usize,
}

impl CtgLimits {
    pub const NONE: CtgLimits = CtgLimits { max: 0, depth: 0 };
}

/// Signals that a cube is given in addition to what lifting keeps. Its lemma may use them in the
/// place of bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExtraSignals {
    None,
    /// Those that the cube implies, as far as ternary simulation shows.
    Implied,
    /// All, with their values in the state that was lifted. That may exclude states from the cube.
    All,
}

/// What is left open until a counterexample shows that it matters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Localize {
    /// The values of latches, in every step.
    Latches,
    /// The values of variables of the model as it was read, of a program above all: all their bits or
    /// none.
    Variables,
    /// What latches become in a step. They begin as they should, and are the same wherever a step reads
    /// them: an abstraction of the transition relation.
    Updates,
    /// Whether constraints of the circuit hold.
    Constraints,
}

#[derive(Clone, Debug)]
pub struct PdrConfig {
    pub solver: SolverKind,
    pub layout: Layout,
    /// Queries decide only the variables in the cone of what they mention.
    pub domains: bool,
    /// Models leave open what the query does not depend on.
    pub partial: bool,
    /// Internal gates are eliminated from the transition relation.
    pub eliminate: bool,
    pub lifting: Lifting,
    pub ctg: Ctg,
    /// Generalisation drops rarely used latches first.
    pub activity: bool,
    /// Generalisation drops literals last that a lemma of the frame below blocks the cube with.
    pub parents: bool,
    /// Failed attempts to drop a literal after which generalisation ends; none means it tries
    /// all literals.
    pub attempts: Option<usize>,
    /// A new lemma is moved to the highest frame in which it holds.
    pub push_lemmas: bool,
    /// A blocked obligation returns in the next frame.
    pub push_obligations: bool,
    /// A state that kept a lemma from being pushed is remembered: while it is in the frame, the
    /// lemma need not be tried again.
    pub witnesses: bool,
    /// Lemmas that are inductive by themselves move to a frame above all others.
    pub infinity: bool,
    pub localize: Option<Localize>,
    /// Which latches are variables together.
    pub words: Option<Arc<Words>>,
    /// At most so many signals are made for a word-level model; they pay on loops over words and
    /// cost elsewhere.
    pub signal_budget: usize,
    /// Functions of the latches that cubes and lemmas may mention.
    pub signals: Option<Arc<Signals>>,
    /// Which signals join a cube, besides those that replace latches in it.
    pub extra_signals: ExtraSignals,
    /// Largest number of frames; none means no limit.
    pub max_frames: Option<usize>,
}

impl Default for PdrConfig {
    fn default() -> Self {
        PdrConfig {
            solver: SolverKind::Light,
            layout: Layout::PerFrame,
            domains: true,
            partial: true,
            eliminate: true,
            lifting: Lifting::Ternary,
            ctg: Ctg::Dynamic,
            activity: true,
            parents: true,
            attempts: None,
            push_lemmas: true,
            push_obligations: true,
            witnesses: true,
            infinity: true,
            localize: None,
            words: None,
            signal_budget: 0,
            signals: None,
            extra_signals: ExtraSignals::Implied,
            max_frames: None,
        }
    }
}
