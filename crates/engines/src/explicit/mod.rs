//! Explicit-state search that learns an invariant from the states it has reached.
//!
//! A circuit with few reachable states is explored by simulation, hundreds of states at a time: a *letter* is a
//! valuation of the inputs, and every letter is applied in every state. What is reached is no proof, since not all letters are known, and
//! as an invariant it would be large. So lemmas are learned that hold in all reached states, in the manner of
//! Garg, Löding, Madhusudan, Neider, "ICE: a robust framework for learning invariants" (CAV 2014):
//!
//! 1. A state that satisfies the lemmas and is bad, or leads out of a lemma, comes from a solver. It is
//!    lifted to a cube of states that do the same with the same inputs, as in PDR.
//! 2. If a reached state is in the cube, the inputs are a new letter, and exploration goes on; lemmas that new states violate are
//!    dropped. A reached state that is bad is a counterexample.
//! 3. Otherwise the cube is blocked by a lemma of few of its literals: a set cover of the reached states, which costs no query.
//!
//! When no such state is left, the lemmas are an inductive invariant. PDR generalises by queries, one per literal, with lemmas for
//! a frame; here a lemma costs two queries and holds, as far as is known, forever.
//!
//! | idea | place |
//! | --- | --- |
//! | simulation of many states | [`simulator`] |
//! | states, what they have in common with cubes | [`reached`] |
//! | letters and exploration | [`explore`] |
//! | lemmas | [`learn`] |

mod explore;
mod learn;
mod reached;
mod simulator;

use crate::contract::{Context, Engine, Outcome};
use crate::pdr::PdrConfig;
use crate::pdr::extend::Extended;
use crate::pdr::transition::Transition;
use learn::Learner;
use wedge_model::Circuit;

/// States that are explored before lemmas have to do.
pub const MAX_STATES: usize = 300_000;

#[derive(Clone, Debug)]
pub struct Explicit {
    /// The parts of PDR that are used: signals, lifting, the transition relation.
    pub config: PdrConfig,
    pub max_states: usize,
    /// It gives up rather than go a way of more steps.
    pub max_bound: Option<usize>,
}

impl Default for Explicit {
    fn default() -> Explicit {
        Explicit { config: PdrConfig::default(), max_states: MAX_STATES, max_bound: None }
    }
}

impl Engine for Explicit {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        let extended = Extended::new(circuit, self.config.signals.as_deref());
        let transition = Transition::new(&extended, self.config.eliminate);
        let mut learner = Learner::new(self, &extended, &transition, context);
        let outcome = learner.run().unwrap_or_else(Outcome::Unknown);
        learner.record();
        outcome
    }
}
