//! k-induction on words (Sheeran, Singh, Stålmarck, FMCAD 2000).
//!
//! If k steps without a bad state are never followed by a bad one, then "no bad state within k − 1
//! steps" is an invariant; inputs are removed from it by projection. Where that fails, an invariant
//! is looked for by images over-approximated with k steps ahead: they never leave the states from
//! which no bad one is near, so that none of them is spurious.

use super::imc::images;
use super::search::{Attempt, not_answered, search};
use super::{Words, interpolation};
use crate::contract::{AutomatonEngine, AutomatonOutcome, Context};
use wedge_logic::Term;
use wedge_model::Cfa;
use wedge_sat::InterpolationSystem;
use wedge_smt::{Answer, Solver};

pub struct WordInduction {
    pub max_bound: Option<usize>,
}

impl AutomatonEngine for WordInduction {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        let mut solver = Solver::thorough(&context.interrupt());
        let mut states: Option<Vec<Term>> = None;
        search(automaton, self.max_bound, context, |words, _, bound| {
            let now = states.take().unwrap_or_else(|| words.any_states());
            let frame = words.frame(now);
            let both = [words.bad, words.constraint];
            let both = words.at(&frame, &both);
            solver.assert(&mut words.store, both[1]);
            // P(s₀) ∧ T(s₀,s₁) ∧ … ∧ P(sₖ₋₁) ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ)
            match solver.check_assuming(&mut words.store, &[both[0]]) {
                Answer::Unsat => match inductive(words, bound, context) {
                    Attempt::Nothing => {}
                    attempt => return attempt,
                },
                Answer::Sat => {}
                Answer::Unknown(why) => return Attempt::Unknown(not_answered(&why, context)),
            }
            let good = words.store.not(both[0]);
            solver.assert(&mut words.store, good);
            states = Some(words.next_states(&frame));
            Attempt::Nothing
        })
    }
}

/// An invariant of a system that is inductive with this bound.
fn inductive(words: &mut Words, bound: usize, context: &Context) -> Attempt {
    let variables = words.variables();
    let bad = words.ahead(&variables, bound);
    let good = words.store.not(bad);
    match words.for_all_inputs(good, context) {
        Some(invariant) => Attempt::Proof(invariant),
        None if bound > 0 => {
            images(words, bound, &interpolation(InterpolationSystem::McMillan, true), context)
        }
        None => Attempt::Nothing,
    }
}
