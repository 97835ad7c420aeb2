//! Bounded model checking (Biere, Cimatti, Clarke, Zhu, TACAS 1999).
//!
//! One incremental session; step k asks I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ), and a
//! refuted query leaves P(sₖ) behind as a clause. Of every step only what the questions so far depend
//! on is encoded, and what resets and constraints determine is folded away ([`Demand`]). It proves a circuit safe when the constraints leave no
//! path of k steps at all: then every run has been looked at, as in a program whose loops all end.

use crate::contract::{Context, Engine, Outcome, UnknownReason};
use crate::demand::Demand;
use wedge_model::{Circuit, Predicate, Reset};
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, Session};

#[derive(Clone, Debug, Default)]
pub struct Bmc {
    /// Largest number of steps; none means no limit.
    pub max_bound: Option<usize>,
}

impl Engine for Bmc {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        let mut session = Session::new(&context.interrupt());
        let mut path = Demand::new(circuit);
        let mut ends = Ends::default();
        for bound in 0.. {
            path.constrain(&mut session);
            let bad = path.bad(&mut session);
            // I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ)
            let is_known = bad == -TRUE || context.bounds().is_told(bound);
            let answer = if is_known { Answer::Unsat } else { session.solve(&[bad]) };
            let exhausted = match answer {
                Answer::Unsat if is_known => ends.look(bound, &mut session),
                Answer::Unsat => !session.failed(bad) || ends.look(bound, &mut session),
                _ => false,
            };
            context.record(|f| {
                f.bound = bound;
                f.queries = session.queries;
                f.solver_seconds = session.seconds;
            });
            match answer {
                Answer::Sat => return Outcome::Unsafe(path.trace(&mut session)),
                Answer::Stopped => return Outcome::Unknown(context.stop_reason()),
                // ¬P is unsatisfiable in every state, since every state is initial.
                Answer::Unsat if bound == 0 && all_are_initial(circuit) => {
                    return Outcome::Safe(Predicate::constant(true, circuit.latches.len()));
                }
                Answer::Unsat if exhausted => return exhausted_at(circuit, bound),
                Answer::Unsat if bad == -TRUE => {}
                Answer::Unsat => session.add_clause(&[-bad]),
            }
            context.bounds().refute(bound);
            if self.max_bound == Some(bound) {
                return Outcome::Unknown(UnknownReason::BoundReached(bound));
            }
            if let Some(reason) = context.interrupted() {
                return Outcome::Unknown(reason);
            }
            path.extend();
        }
        unreachable!("the loop has no bound")
    }
}

/// As in a program without loops, where one step is a whole run.
fn all_are_initial(circuit: &Circuit) -> bool {
    circuit.latches.iter().all(|latch| latch.reset == Reset::Free)
}

/// Whether the paths have come to an end. A refuted query does not tell when the refutation needs
/// ¬P, so the paths alone are looked at now and then, and not for long.
#[derive(Default)]
pub struct Ends {
    next: usize,
}

impl Ends {
    /// Whether I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) is known to be contradictory.
    pub fn look(&mut self, bound: usize, session: &mut Session) -> bool {
        if bound < self.next {
            return false;
        }
        self.next = bound + 1 + bound / 8;
        session.solve_limited(&[], Some(10_000)) == Answer::Unsat
    }
}

/// No path has `bound` steps after its first. Without any first step "false" is an invariant.
pub fn exhausted_at(circuit: &Circuit, bound: usize) -> Outcome {
    match bound {
        0 => Outcome::Safe(Predicate::constant(false, circuit.latches.len())),
        length => Outcome::SafeByExhaustion { length },
    }
}

/// I(s₀) ∧ ¬P(s₀), the case that the unrollings of other engines leave out.
pub fn initially_bad(circuit: &Circuit, context: &Context) -> Option<Outcome> {
    let bmc = Bmc { max_bound: Some(0) };
    match bmc.run(circuit, context) {
        Outcome::Unknown(UnknownReason::BoundReached(_)) => None,
        decided => Some(decided),
    }
}
