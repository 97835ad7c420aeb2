//! An engine that reads circuits: run it on the circuit of the property, check its claim there, and
//! replay a counterexample on the model itself.

use super::{Attempt, Conclusion, Evidence, Published, Tried, Work};
use crate::efforts::{Efforts, Event};
use crate::input::{Effort, Problem, Replayed};
use crate::sharing::Shared;
use crate::verdict::Verdict;
use std::sync::atomic::Ordering;
use std::time::Instant;
use wedge_engines::figures;
use wedge_engines::registry::Build;
use wedge_engines::{Context, Engine, Outcome};
use wedge_evidence::{
    Failure, check_exhaustion, check_induction, check_invariant, check_strengthened_induction,
    check_trace,
};
use wedge_model::Trace;

impl Work {
    /// The engine on the circuit of one model; what it comes to may not count.
    pub(super) fn on_circuit(
        &self,
        build: Build<dyn Engine>,
        effort: &Effort,
        efforts: &Efforts,
    ) -> Tried {
        let problem = match self.model.problem(self.property, effort, &self.context) {
            Ok(problem) => problem,
            Err(reason) => return (Attempt::Failed(Event::NotMade(reason)), None),
        };
        if let Some(reason) = self.context.interrupted() {
            return (Attempt::unknown(reason), None);
        }
        let coarse = problem.way_back.is_coarse();
        let is_tentative = efforts.is_tentative(coarse);
        let shared = self.sharing.open(effort, &problem.circuit, &self.context);
        let context = efforts.context(&self.context, coarse);
        let attempt = self.attempt(build, &problem, context, &shared);
        let Problem { publication, notes, .. } = problem;
        let attempt = self.settled(attempt, is_tentative, efforts);
        (attempt, Some(Published { publication, notes }))
    }

    /// Engine, then evidence: nothing is believed without its check on the circuit as read.
    fn attempt(
        &self,
        build: Build<dyn Engine>,
        problem: &Problem,
        context: Context,
        shared: &Shared,
    ) -> Attempt {
        let circuit = &*problem.circuit;
        let interrupt = context.interrupt();
        let (outcome, way_back, facts) = self.run_engine(build, problem, context, shared);
        let start = Instant::now();
        self.checking.store(true, Ordering::Relaxed);
        let attempt = match outcome {
            Outcome::Safe(invariant) => {
                let mut invariant = way_back.predicate(&invariant);
                if !facts.is_empty() {
                    invariant = invariant.and(&facts.conjunction());
                }
                let checked = check_invariant(circuit, &invariant, &interrupt);
                self.concluded(Verdict::True, Evidence::Invariant(invariant), checked)
            }
            Outcome::SafeByInduction { k, simple_path } => {
                let facts = (!facts.is_empty()).then(|| facts.conjunction());
                let checked = match &facts {
                    Some(facts) => {
                        check_strengthened_induction(circuit, facts, k, simple_path, &interrupt)
                    }
                    None => check_induction(circuit, k, simple_path, &interrupt),
                };
                let evidence = Evidence::Induction { k, simple_path, facts };
                self.concluded(Verdict::True, evidence, checked)
            }
            Outcome::SafeByExhaustion { length } => {
                let checked = check_exhaustion(circuit, length, &interrupt);
                self.concluded(Verdict::True, Evidence::Exhaustion { length }, checked)
            }
            Outcome::Unsafe(trace) => self.replayed(problem, way_back.trace(&trace)),
            Outcome::Unknown(reason) => return Attempt::unknown(reason),
        };
        self.context.record(|f| f.add(figures::EVIDENCE_SECONDS, start.elapsed().as_secs_f64()));
        attempt
    }

    /// A counterexample counts if the circuit as read and the model itself accept it.
    fn replayed(&self, problem: &Problem, trace: Trace) -> Attempt {
        let accepted = check_trace(&problem.circuit, &trace).map_err(Failure::from);
        let is_trace = accepted.is_ok();
        let replayed = accepted.and_then(|_| problem.way_back.replay(&trace));
        match replayed {
            Err(Failure::Stopped) => Attempt::unknown(self.context.stop_reason()),
            Err(_) if is_trace && problem.way_back.is_coarse() => Attempt::Failed(Event::Coarse),
            other => self.replay_counts(other, Evidence::Trace(trace)),
        }
    }

    /// What the replay of a counterexample says.
    pub(super) fn replay_counts(
        &self,
        replayed: Result<Replayed, Failure>,
        evidence: Evidence,
    ) -> Attempt {
        match replayed {
            Ok(Replayed::Limit(name)) => Attempt::Failed(Event::Limit(name)),
            Ok(Replayed::Confirmed(violated)) => {
                let verdict = Verdict::False(violated.to_string());
                self.concluded(verdict, evidence, Ok(()))
            }
            Err(failure @ Failure::Unconfirmed(_)) => Attempt::Failed(Event::Unconfirmed(failure)),
            Err(Failure::Stopped) => Attempt::unknown(self.context.stop_reason()),
            Err(failure) => Attempt::done(Conclusion::rejected(self.engine, &failure)),
        }
    }
}
