//! Bounded model checking on words (Biere, Cimatti, Clarke, Zhu, TACAS 1999).
//!
//! The states of each step are terms over the first ones and the inputs, so that nothing is solved
//! for them. Where no path of k steps is left, every run was seen. The evidence of that is
//! G₀ ∨ … ∨ Gₖ, where Gⱼ says that every path from here ends within j steps and has no bad state: a
//! step leads from Gⱼ into Gⱼ₋₁, and from G₀ nowhere. Inputs are removed by projection.

use super::Words;
use super::search::{Attempt, search};
use crate::contract::{AutomatonEngine, AutomatonOutcome, Context, UnknownReason};
use wedge_logic::Term;
use wedge_model::Cfa;

pub struct WordBmc {
    pub max_bound: Option<usize>,
}

impl AutomatonEngine for WordBmc {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        search(automaton, self.max_bound, context, |words, paths, bound| {
            if words.single.pc.is_none() {
                // One step is a whole run.
                return Attempt::Proof(words.store.bool(true));
            }
            if !paths.is_exhausted() {
                return Attempt::Nothing;
            }
            match exhausted(words, bound, context) {
                Some(invariant) => Attempt::Proof(invariant),
                None => Attempt::Unknown(UnknownReason::BoundReached(bound)),
            }
        })
    }
}

/// The invariant of a system none of whose paths has more than `bound` steps.
fn exhausted(words: &mut Words, bound: usize, context: &Context) -> Option<Term> {
    let variables = words.variables();
    let mut ends = Vec::new();
    for steps in 0..=bound {
        let ahead = words.ahead(&variables, steps + 1);
        let either = words.store.or(ahead.bad, ahead.path);
        let neither = words.store.not(either);
        ends.push(words.for_all_inputs(neither, context)?);
    }
    Some(words.store.or_all(&ends))
}
