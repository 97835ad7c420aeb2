//! An engine that reads circuits: run it on the circuit of the property, check its claim there, and
//! replay a counterexample on the model itself.

use super::{Attempt, Conclusion, Evidence, Published, Tried, Work};
use crate::efforts::{Efforts, Event};
use crate::input::{Effort, Problem};
use crate::sharing::Shared;
use crate::tuned::SHORTEN_TIME;
use std::sync::atomic::Ordering;
use std::time::Instant;
use wedge_engines::bmc::Bmc;
use wedge_engines::figures;
use wedge_engines::registry::Build;
use wedge_engines::{Context, Engine, Outcome, UnknownReason};
use wedge_evidence::{Checked, Rejection, Run, check_trace, claims};
use wedge_model::Trace;
use wedge_model::simulate::first_bad;

impl Work {
    /// The engine on the circuit of one model; what it comes to may not count.
    pub(super) fn on_circuit(
        &self,
        build: Build<dyn Engine>,
        effort: &Effort,
        efforts: &Efforts,
    ) -> Tried {
        let problem = match self.model.problem(&self.question, effort, &self.context) {
            Ok(problem) => problem,
            Err(reason) => return (Attempt::Failed(Event::NotMade(reason)), None),
        };
        if let Some(reason) = self.context.interrupted() {
            return (Attempt::unknown(reason), None);
        }
        let coarse = problem.way_back.is_coarse();
        if coarse
            && effort.precision == 0
            && let Some(tried) = self.by_writes(effort, efforts)
        {
            return tried;
        }
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
                self.proven(claims::invariant(circuit, invariant, &interrupt))
            }
            Outcome::SafeByInduction { k, simple_path } => {
                let facts = (!facts.is_empty()).then(|| facts.conjunction());
                let facts = match (facts, way_back.strengthening()) {
                    (Some(facts), Some(merged)) => Some(facts.and(&merged)),
                    (facts, merged) => facts.or(merged),
                };
                self.proven(claims::induction(circuit, (k, simple_path), facts, &interrupt))
            }
            Outcome::SafeByExhaustion { length } => {
                self.proven(claims::exhaustion(circuit, length, &interrupt))
            }
            Outcome::Unsafe(trace) => self.replayed(problem, way_back.trace(&trace)),
            Outcome::Unknown(reason) => return Attempt::unknown(reason),
        };
        self.context.record(|f| f.add(figures::EVIDENCE_SECONDS, start.elapsed().as_secs_f64()));
        attempt
    }

    /// A shorter counterexample, if a short search for one finds it.
    fn shorter(&self, problem: &Problem, trace: Trace) -> Trace {
        let Some(bound) = trace.inputs.len().checked_sub(2) else { return trace };
        if !self.shorten || self.engine.shortest {
            return trace;
        }
        let left = self.context.deadline().map(|end| end.saturating_duration_since(Instant::now()));
        let time = left.map_or(SHORTEN_TIME, |left| left.min(SHORTEN_TIME));
        let search = Bmc { max_bound: Some(bound), ..Bmc::default() };
        match search.run(&problem.circuit, &Context::new(Some(time))) {
            Outcome::Unsafe(shorter) => shorter,
            _ => trace,
        }
    }

    /// A counterexample counts if the circuit as read and the model itself accept it.
    fn replayed(&self, problem: &Problem, trace: Trace) -> Attempt {
        let trace = self.shorter(problem, first_bad(&problem.circuit, trace));
        if let Err(error) = check_trace(&problem.circuit, &trace) {
            return Attempt::done(self.not_accepted(&error.into()));
        }
        match problem.way_back.replay(trace) {
            Err(Rejection::Stopped) => Attempt::unknown(self.context.stop_reason()),
            Err(_) if problem.way_back.is_coarse() => Attempt::Failed(Event::Coarse),
            checked => self.violated(checked),
        }
    }

    /// What follows from the replay of a counterexample.
    pub(super) fn violated(&self, checked: Result<Checked<Run>, Rejection>) -> Attempt {
        match checked {
            Ok(run) => Attempt::done(Conclusion::on(Evidence::Run(run))),
            Err(Rejection::Limit { name }) => {
                Attempt::Failed(Event::Limit(UnknownReason::ModelLimit(name)))
            }
            Err(rejection @ Rejection::Refused { .. }) => {
                Attempt::Failed(Event::Limit(UnknownReason::Unsupported(rejection.to_string())))
            }
            Err(Rejection::Inexact { call }) => Attempt::Failed(Event::Inexact(call)),
            Err(Rejection::Unconfirmed(cause)) => Attempt::Failed(Event::Unconfirmed(cause)),
            Err(rejection) => Attempt::done(self.not_accepted(&rejection)),
        }
    }
}
