//! Bounded model checking (Biere, Cimatti, Clarke, Zhu, TACAS 1999).
//!
//! One incremental session; step k asks I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ), and a
//! refuted query leaves P(sₖ) behind as a clause. Resets are constants of the first frame, so
//! what they determine is folded away. It never proves a circuit safe, except when the
//! constraints leave no path of length k at all.

use crate::contract::{Context, Engine, Outcome, UnknownReason};
use crate::unroll::{Encoder, Path};
use wedge_model::{Circuit, Predicate};
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, Session};

#[derive(Clone, Debug, Default)]
pub struct Bmc {
    /// Largest number of steps; none means no limit.
    pub max_bound: Option<usize>,
}

impl Engine for Bmc {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        let encoder = Encoder::new(circuit);
        let mut session = Session::new(&context.interrupt());
        let mut path = Path::default();
        let mut frame = encoder.initial_frame(&mut session);
        for bound in 0.. {
            encoder.constrain(&mut frame, &mut session);
            let bad = encoder.bad(&mut frame, &mut session);
            // I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ)
            let answer = if bad == -TRUE { Answer::Unsat } else { session.solve(&[bad]) };
            context.record(|f| {
                f.bound = bound;
                f.queries = session.queries;
                f.solver_seconds = session.seconds;
            });
            match answer {
                Answer::Sat => {
                    path.push(circuit, &frame);
                    return Outcome::Unsafe(path.trace(bound, &mut session));
                }
                Answer::Stopped => return Outcome::Unknown(context.stop_reason()),
                Answer::Unsat if bad == -TRUE => {}
                // The constraints alone are contradictory: no path has this length.
                Answer::Unsat if !session.failed(bad) => return no_path(circuit, bound),
                Answer::Unsat => session.add_clause(&[-bad]),
            }
            if self.max_bound == Some(bound) {
                return Outcome::Unknown(UnknownReason::BoundReached(bound));
            }
            if let Some(reason) = context.interrupted() {
                return Outcome::Unknown(reason);
            }
            let next = encoder.next_state(&mut frame, &mut session);
            path.push(circuit, &frame);
            frame = encoder.frame(&next);
        }
        unreachable!("the loop has no bound")
    }
}

/// At bound 0 no initial state satisfies the constraints, and "false" is an invariant; at a
/// larger bound the invariant is left to engines that look for one.
fn no_path(circuit: &Circuit, bound: usize) -> Outcome {
    if bound == 0 {
        return Outcome::Safe(Predicate::constant(false, circuit.latches.len()));
    }
    Outcome::Unknown(UnknownReason::BoundReached(bound))
}

/// I(s₀) ∧ ¬P(s₀), the case that the unrollings of other engines leave out.
pub fn initially_bad(circuit: &Circuit, context: &Context) -> Option<Outcome> {
    let bmc = Bmc { max_bound: Some(0) };
    match bmc.run(circuit, context) {
        Outcome::Unknown(UnknownReason::BoundReached(_)) => None,
        decided => Some(decided),
    }
}
