//! Interpolation-based model checking on words (McMillan, CAV 2003).
//!
//! The image of what is reached is over-approximated by an interpolant of one step and the paths
//! of at most k more steps to a bad state, until nothing new is reached. Interpolants are formulas
//! over words and array elements.

use super::search::{Attempt, search};
use super::{Words, interpolation};
use crate::contract::{AutomatonEngine, AutomatonOutcome, Context, UnknownReason};
use wedge_logic::{Substitution, Term};
use wedge_model::Cfa;
use wedge_sat::InterpolationSystem;
use wedge_smt::{Answer, Interpolation, Outcome, Solver, interpolants};

pub struct WordImc {
    pub max_bound: Option<usize>,
    pub system: InterpolationSystem,
    pub lift: bool,
}

impl AutomatonEngine for WordImc {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        let how = interpolation(self.system, self.lift);
        search(automaton, self.max_bound, context, |words, _, bound| match bound {
            0 => Attempt::Nothing,
            bound => images(words, bound, &how, context),
        })
    }
}

/// Images of the first states until nothing new is reached, or a bad state is reachable from an
/// over-approximation.
pub(super) fn images(
    words: &mut Words,
    bound: usize,
    how: &Interpolation,
    context: &Context,
) -> Attempt {
    let interrupt = context.interrupt();
    let variables = words.variables();
    let after = words.any_states();
    let step = step(words, &after);
    let suffix = words.ahead(&after, bound);
    let mut solver = Solver::new(&interrupt);
    let mut frontier = words.initial();
    let mut reached = frontier;
    loop {
        if let Some(reason) = context.interrupted() {
            return Attempt::Unknown(reason);
        }
        // A = frontier(s) ∧ T(s,s'), B = a path of fewer than `bound` steps from s' to ¬P
        let first = words.store.and(frontier, step);
        match interpolants(&mut words.store, &[first, suffix], how, &interrupt) {
            Outcome::Feasible(_) => return Attempt::Nothing,
            Outcome::Unknown(reason) => {
                let stopped = context.interrupted();
                let cause = UnknownReason::Unsupported(reason.to_string());
                return Attempt::Unknown(stopped.unwrap_or(cause));
            }
            Outcome::Sequence(sequence) => {
                let back = after.iter().copied().zip(variables.clone());
                frontier = Substitution::new(back).apply(&mut words.store, sequence[1]);
            }
        }
        let others = words.store.not(reached);
        // I(s) ∧ ¬reached(s)
        match solver.check_assuming(&mut words.store, &[frontier, others]) {
            Answer::Unsat => return Attempt::Proof(reached),
            Answer::Sat => reached = words.store.or(reached, frontier),
            Answer::Unknown(_) => return Attempt::Unknown(context.stop_reason()),
        }
    }
}

/// C(s) ∧ s' = T(s)
fn step(words: &mut Words, after: &[Term]) -> Term {
    let variables = words.variables();
    let frame = words.frame(variables);
    let next = words.next_states(&frame);
    let constraint = words.constraint;
    let constraint = words.at(&frame, &[constraint])[0];
    let equal = words.equal(after, &next);
    words.store.and(constraint, equal)
}
