//! Bounded model checking (Biere, Cimatti, Clarke, Zhu, TACAS 1999).
//!
//! One incremental session; step k asks I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ), and a
//! refuted query leaves P(sₖ) behind as a clause. Of every step only what the questions so far depend
//! on is encoded, and what resets and constraints determine is folded away ([`Demand`]); latches that are alike after
//! every path of k steps may be one in step k ([`Apart`]). It proves a circuit safe when the constraints leave no
//! path of k steps at all: then every run has been looked at, as in a program whose loops all end.

use crate::contract::{Context, Engine, Outcome, UnknownReason};
use crate::demand::{Apart, Demand};
use wedge_model::{Circuit, Predicate, Reset};
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, Interrupt, Session};

#[derive(Clone, Debug, Default)]
pub struct Bmc {
    /// Largest number of steps; none means no limit.
    pub max_bound: Option<usize>,
    /// Latches that are alike in all paths of k steps are one in step k (Kuehlmann, ICCAD 2004).
    pub sweep: bool,
    /// The circuit has some of the paths only ([`wedge_model::zero`]): what has been refuted is no news for others, and
    /// no proof.
    pub zero: bool,
}

impl Engine for Bmc {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        let mut session = Session::new(&context.interrupt());
        let mut path = Unrolling::new(self.sweep, circuit, context);
        let mut ends = Ends::default();
        for bound in 0.. {
            path.constrain(&mut session);
            let bad = path.demand().bad(&mut session);
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
                Answer::Sat => return Outcome::Unsafe(path.demand().trace(&mut session)),
                Answer::Stopped => return Outcome::Unknown(context.stop_reason()),
                Answer::Unsat if self.zero && (exhausted || circuit.latches.is_empty()) => {
                    let reason = NO_ERROR_WITH_ZEROS.into();
                    return Outcome::Unknown(UnknownReason::Inapplicable(reason));
                }
                // ¬P is unsatisfiable in every state, since every state is initial.
                Answer::Unsat if bound == 0 && !self.zero && all_are_initial(circuit) => {
                    return Outcome::Safe(Predicate::constant(true, circuit.latches.len()));
                }
                Answer::Unsat if exhausted => return exhausted_at(circuit, bound),
                Answer::Unsat if bad == -TRUE => {}
                Answer::Unsat => session.add_clause(&[-bad]),
            }
            if !self.zero {
                context.bounds().refute(bound);
            }
            if self.max_bound == Some(bound) {
                return Outcome::Unknown(UnknownReason::BoundReached(bound));
            }
            if let Some(reason) = context.interrupted() {
                return Outcome::Unknown(reason);
            }
            path.demand().extend();
        }
        unreachable!("the loop has no bound")
    }
}

const NO_ERROR_WITH_ZEROS: &str = "no error where all that the model leaves open is 0";

/// The steps so far, each latch by itself or those that are alike as one.
enum Unrolling<'c> {
    Plain(Box<Demand<'c>>),
    Merged(Box<Apart<'c>>, Interrupt),
}

impl<'c> Unrolling<'c> {
    fn new(merged: bool, circuit: &'c Circuit, context: &Context) -> Unrolling<'c> {
        let interrupt = context.interrupt();
        match merged {
            false => Unrolling::Plain(Box::new(Demand::new(circuit))),
            true => Unrolling::Merged(Box::new(Apart::of_all(circuit, &interrupt)), interrupt),
        }
    }

    fn demand(&mut self) -> &mut Demand<'c> {
        match self {
            Unrolling::Plain(path) => path,
            Unrolling::Merged(apart, _) => apart.path(),
        }
    }

    /// Merges the latches of the last step before anything reads them, and asserts its constraints.
    fn constrain(&mut self, session: &mut Session) {
        if let Unrolling::Merged(apart, interrupt) = self {
            apart.merge(interrupt);
        }
        let holds = self.demand().constrain(session);
        if let Unrolling::Merged(apart, _) = self {
            holds.into_iter().for_each(|literal| apart.assume(literal));
        }
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
    let bmc = Bmc { max_bound: Some(0), ..Bmc::default() };
    match bmc.run(circuit, context) {
        Outcome::Unknown(UnknownReason::BoundReached(_)) => None,
        decided => Some(decided),
    }
}
