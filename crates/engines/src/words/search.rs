//! What engines on words share: paths from the first states, one step longer each time, until one
//! of them is bad or the engine has a proof.

use super::{Frame, Words};
use crate::contract::{AutomatonOutcome, Context, UnknownReason};
use wedge_logic::Term;
use wedge_model::Cfa;
use wedge_smt::{Answer, Solver, Why};

/// How long the paths alone are looked at.
const LOOK_CONFLICTS: i32 = 10_000;

/// What an engine makes of a bound up to which no bad state is reachable.
pub(super) enum Attempt {
    /// An inductive invariant over the state variables that excludes every bad state.
    Proof(Term),
    /// No path has more steps than this bound.
    Exhausted,
    /// None at this bound.
    Nothing,
    Unknown(UnknownReason),
}

/// Runs to bad states, and proofs by `attempt`.
pub(super) fn search(
    automaton: &Cfa,
    max_bound: Option<usize>,
    context: &Context,
    mut attempt: impl FnMut(&mut Words, &mut Paths, usize) -> Attempt,
) -> AutomatonOutcome {
    let mut words = match Words::new(automaton) {
        Ok(words) => words,
        Err(reason) => return AutomatonOutcome::Unknown(reason),
    };
    let mut paths = Paths::new(&mut words, context);
    for bound in 0.. {
        match paths.look(&mut words) {
            Answer::Unsat => {}
            Answer::Sat => return words.run(&paths.frames, &mut paths.solver),
            Answer::Unknown(why) => {
                return AutomatonOutcome::Unknown(not_answered(&why, context));
            }
        }
        context.record(|f| {
            f.bound = bound;
            f.queries = paths.solver.figures.queries;
            f.solver_seconds = paths.solver.seconds();
        });
        match attempt(&mut words, &mut paths, bound) {
            Attempt::Proof(invariant) => return words.proof(invariant),
            Attempt::Exhausted => {
                let cuts = words.single.cuts.clone();
                return AutomatonOutcome::SafeByExhaustion { cuts, length: bound };
            }
            Attempt::Nothing => {}
            Attempt::Unknown(reason) => return AutomatonOutcome::Unknown(reason),
        }
        if max_bound == Some(bound) {
            return AutomatonOutcome::Unknown(UnknownReason::BoundReached(bound));
        }
        if let Some(reason) = context.interrupted() {
            return AutomatonOutcome::Unknown(reason);
        }
        paths.extend(&mut words);
    }
    unreachable!("the loop has no bound")
}

/// Paths from the first states.
pub(super) struct Paths {
    pub frames: Vec<Frame>,
    pub solver: Solver,
    /// The bound at which the paths alone are looked at next.
    next_look: usize,
}

impl Paths {
    fn new(words: &mut Words, context: &Context) -> Paths {
        let states = words.first_states();
        let frames = vec![words.frame(states)];
        Paths { frames, solver: Solver::thorough(&context.interrupt()), next_look: 0 }
    }

    /// I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ)
    fn look(&mut self, words: &mut Words) -> Answer {
        let frame = self.frames.last().expect("there is a first one").clone();
        let [bad, constraint] = [words.bad, words.constraint].map(|t| words.at(&frame, &[t])[0]);
        self.solver.assert(&mut words.store, constraint);
        self.solver.check_assuming(&mut words.store, &[bad])
    }

    /// Whether no path has this length. The last query may tell, if it failed without its bad state;
    /// where it does not, the paths alone are looked at now and then, and not for long.
    pub fn is_exhausted(&mut self, words: &mut Words, bound: usize) -> bool {
        if self.solver.core().is_some_and(|core| core.is_empty()) {
            return true;
        }
        if bound < self.next_look {
            return false;
        }
        self.next_look = bound + 1 + bound / 8;
        self.solver.set_conflicts(Some(LOOK_CONFLICTS));
        let answer = self.solver.check(&mut words.store);
        self.solver.set_conflicts(None);
        answer == Answer::Unsat
    }

    fn extend(&mut self, words: &mut Words) {
        let frame = self.frames.last().expect("there is a first one").clone();
        let states = words.next_states(&frame);
        let next = words.frame(states);
        self.frames.push(next);
    }
}

/// What a query that was not answered comes to.
pub(super) fn not_answered(why: &Why, context: &Context) -> UnknownReason {
    match why {
        Why::TooLarge(error) => UnknownReason::TooLarge(error.to_string()),
        Why::Trouble(trouble) => UnknownReason::Unsupported(trouble.to_string()),
        Why::Stopped => context.stop_reason(),
    }
}
