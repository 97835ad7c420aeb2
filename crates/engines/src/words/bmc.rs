//! Bounded model checking on words (Biere, Cimatti, Clarke, Zhu, TACAS 1999).
//!
//! The states of each step are terms over the first ones and the inputs, so that nothing is solved
//! for them. Where no path of k steps is left, the search ends without a proof: evidence of that
//! would be a formula for each cut point.

use super::{Frame, Words, not_answered};
use crate::contract::{AutomatonEngine, AutomatonOutcome, Context, UnknownReason};
use wedge_model::Cfa;
use wedge_smt::{Answer, Solver};

pub struct WordBmc {
    pub max_bound: Option<usize>,
}

impl AutomatonEngine for WordBmc {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        let mut words = match Words::new(automaton) {
            Ok(words) => words,
            Err(reason) => return AutomatonOutcome::Unknown(reason),
        };
        let mut paths = Paths::new(&mut words, context);
        for bound in 0.. {
            match paths.look(&mut words) {
                Answer::Unsat => {}
                Answer::Sat => return words.run(&paths.frames, &mut paths.solver),
                answer => return not_answered(answer, context),
            }
            context.record(|f| f.bound = bound);
            if words.single.pc.is_none() {
                // One step is a whole run.
                let always = words.store.bool(true);
                return words.proof(always);
            }
            let exhausted = paths.solver.core().is_some_and(|core| core.is_empty());
            if self.max_bound == Some(bound) || exhausted {
                return AutomatonOutcome::Unknown(UnknownReason::BoundReached(bound));
            }
            if let Some(reason) = context.interrupted() {
                return AutomatonOutcome::Unknown(reason);
            }
            paths.extend(&mut words);
        }
        unreachable!("the loop has no bound")
    }
}

/// Paths from the first states, one step longer each time.
pub(super) struct Paths {
    pub frames: Vec<Frame>,
    pub solver: Solver,
}

impl Paths {
    pub fn new(words: &mut Words, context: &Context) -> Paths {
        let states = words.first_states();
        let frames = vec![words.frame(states)];
        Paths { frames, solver: Solver::thorough(&context.interrupt()) }
    }

    /// I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ)
    pub fn look(&mut self, words: &mut Words) -> Answer {
        let frame = self.frames.last().expect("there is a first one").clone();
        let [bad, constraint] = [words.bad, words.constraint].map(|t| words.at(&frame, &[t])[0]);
        self.solver.assert(&mut words.store, constraint);
        self.solver.check_assuming(&mut words.store, &[bad])
    }

    pub fn extend(&mut self, words: &mut Words) {
        let frame = self.frames.last().expect("there is a first one").clone();
        let states = words.next_states(&frame);
        let next = words.frame(states);
        self.frames.push(next);
    }
}
