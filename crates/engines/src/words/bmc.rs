//! Bounded model checking on words (Biere, Cimatti, Clarke, Zhu, TACAS 1999).
//!
//! The states of each step are terms over the first ones and the inputs, so that nothing is solved
//! for them; what is written to an array and read from it again is a matter of the writes, however
//! large the array is. Where no path of k steps is left, every run was seen.

use super::search::{Attempt, search};
use crate::contract::{AutomatonEngine, AutomatonOutcome, Context};
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
            match paths.is_exhausted(words, bound) {
                true => Attempt::Exhausted,
                false => Attempt::Nothing,
            }
        })
    }
}
