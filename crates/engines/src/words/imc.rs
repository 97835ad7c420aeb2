//! Interpolation-based model checking on words (McMillan, CAV 2003).
//!
//! The image of what is reached is over-approximated by an interpolant of one step and the paths
//! of at most k more steps to a bad state, until nothing new is reached. Interpolants are formulas
//! over words and array elements.

use super::bmc::Paths;
use super::{Words, not_answered};
use crate::contract::{AutomatonEngine, AutomatonOutcome, Context, UnknownReason};
use wedge_logic::{Substitution, Term};
use wedge_model::Cfa;
use wedge_sat::InterpolationSystem;
use wedge_smt::{Answer, Interpolation, Method, Outcome, Solver, interpolants};

pub struct WordImc {
    pub max_bound: Option<usize>,
    pub system: InterpolationSystem,
    pub lift: bool,
}

/// How the images of one bound end.
enum Images {
    Proof(Term),
    /// A bad state is reachable from an over-approximation.
    Spurious,
    Unknown(UnknownReason),
}

impl AutomatonEngine for WordImc {
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
            if bound > 0 {
                match self.images(&mut words, bound, context) {
                    Images::Proof(invariant) => return words.proof(invariant),
                    Images::Spurious => {}
                    Images::Unknown(reason) => return AutomatonOutcome::Unknown(reason),
                }
            }
            if self.max_bound == Some(bound) {
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

impl WordImc {
    fn images(&self, words: &mut Words, bound: usize, context: &Context) -> Images {
        let interrupt = context.interrupt();
        let how = Interpolation { system: self.system, method: Method::Sequence, lift: self.lift };
        let variables = words.variables();
        let after = words.any_states();
        let step = self.step(words, &after);
        let suffix = suffix(words, &after, bound);
        let mut solver = Solver::new(&interrupt);
        let mut frontier = initial(words);
        let mut reached = frontier;
        loop {
            if let Some(reason) = context.interrupted() {
                return Images::Unknown(reason);
            }
            // A = frontier(s) ∧ T(s,s'), B = a path of fewer than `bound` steps from s' to ¬P
            let first = words.store.and(frontier, step);
            match interpolants(&mut words.store, &[first, suffix], &how, &interrupt) {
                Outcome::Feasible(_) => return Images::Spurious,
                Outcome::Unknown(reason) => {
                    let stopped = context.interrupted();
                    let cause = UnknownReason::Unsupported(reason.to_string());
                    return Images::Unknown(stopped.unwrap_or(cause));
                }
                Outcome::Sequence(sequence) => {
                    let back = after.iter().copied().zip(variables.clone());
                    frontier = Substitution::new(back).apply(&mut words.store, sequence[1]);
                }
            }
            let others = words.store.not(reached);
            // I(s) ∧ ¬reached(s)
            match solver.check_assuming(&mut words.store, &[frontier, others]) {
                Answer::Unsat => return Images::Proof(reached),
                Answer::Sat => reached = words.store.or(reached, frontier),
                Answer::Unknown(_) => return Images::Unknown(context.stop_reason()),
            }
        }
    }

    /// C(s) ∧ s' = T(s)
    fn step(&self, words: &mut Words, after: &[Term]) -> Term {
        let variables = words.variables();
        let frame = words.frame(variables);
        let next = words.next_states(&frame);
        let constraint = words.constraint;
        let constraint = words.at(&frame, &[constraint])[0];
        let equal = words.equal(after, &next);
        words.store.and(constraint, equal)
    }
}

/// I(s) over the state variables.
fn initial(words: &mut Words) -> Term {
    let states = words.single.system.states.clone();
    let set = states.iter().filter_map(|state| Some((state.var, state.init?)));
    let equal: Vec<Term> = set.map(|(variable, init)| words.store.eq(variable, init)).collect();
    words.store.and_all(&equal)
}

/// ¬P within fewer than `bound` steps from these states.
fn suffix(words: &mut Words, states: &[Term], bound: usize) -> Term {
    let mut frame = words.frame(states.to_vec());
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
    words.store.or_all(&reached)
}
