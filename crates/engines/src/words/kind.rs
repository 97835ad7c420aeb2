//! k-induction on words (Sheeran, Singh, Stålmarck, FMCAD 2000).
//!
//! If k steps without a bad state are never followed by a bad one, then "no bad state within k − 1
//! steps" is an invariant; inputs are removed from it by projection. Where that fails, there is
//! no proof.

use super::bmc::Paths;
use super::{Frame, Words, not_answered};
use crate::contract::{AutomatonEngine, AutomatonOutcome, Context, UnknownReason};
use wedge_logic::Term;
use wedge_model::Cfa;
use wedge_smt::projection::{Limits, forall};
use wedge_smt::{Answer, Solver};

pub struct WordInduction {
    pub max_bound: Option<usize>,
}

impl AutomatonEngine for WordInduction {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        let mut words = match Words::new(automaton) {
            Ok(words) => words,
            Err(reason) => return AutomatonOutcome::Unknown(reason),
        };
        let mut paths = Paths::new(&mut words, context);
        let states = words.any_states();
        let mut steps = vec![words.frame(states)];
        let mut solver = Solver::thorough(&context.interrupt());
        for bound in 0.. {
            match paths.look(&mut words) {
                Answer::Unsat => {}
                Answer::Sat => return words.run(&paths.frames, &mut paths.solver),
                answer => return not_answered(answer, context),
            }
            // P(s₀) ∧ T(s₀,s₁) ∧ … ∧ P(sₖ₋₁) ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ)
            let frame = steps.last().expect("there is a first one").clone();
            let both = [words.bad, words.constraint];
            let both = words.at(&frame, &both);
            solver.assert(&mut words.store, both[1]);
            match solver.check_assuming(&mut words.store, &[both[0]]) {
                Answer::Unsat => {
                    if let Some(invariant) = invariant(&mut words, bound, context) {
                        return words.proof(invariant);
                    }
                }
                Answer::Sat => {}
                answer => return not_answered(answer, context),
            }
            context.record(|f| f.bound = bound);
            if self.max_bound == Some(bound) {
                return AutomatonOutcome::Unknown(UnknownReason::BoundReached(bound));
            }
            if let Some(reason) = context.interrupted() {
                return AutomatonOutcome::Unknown(reason);
            }
            let good = words.store.not(both[0]);
            solver.assert(&mut words.store, good);
            paths.extend(&mut words);
            let states = words.next_states(&frame);
            let next = words.frame(states);
            steps.push(next);
        }
        unreachable!("the loop has no bound")
    }
}

/// No bad state within `bound` − 1 steps, over the state variables; none if inputs cannot be
/// removed.
fn invariant(words: &mut Words, bound: usize, context: &Context) -> Option<Term> {
    let variables = words.variables();
    let mut frame: Frame = words.frame(variables.clone());
    let mut reached = Vec::new();
    let mut before = words.store.bool(true);
    for _ in 0..bound {
        let both = [words.bad, words.constraint];
        let both = words.at(&frame, &both);
        before = words.store.and(before, both[1]);
        reached.push(words.store.and(before, both[0]));
        let states = words.next_states(&frame);
        frame = words.frame(states);
    }
    let bad = words.store.or_all(&reached);
    let good = words.store.not(bad);
    let inputs: Vec<Term> =
        words.store.free_vars(&[good]).into_iter().filter(|v| !variables.contains(v)).collect();
    forall(&mut words.store, &inputs, good, &Limits::default(), &context.interrupt()).ok()
}
