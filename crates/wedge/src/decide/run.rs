//! One engine on one model: reductions, auxiliary invariants, and what other engines have found.
//!
//! k-induction takes invariants up while it runs. The others can only start with them, as
//! constraints of the circuit; so when the searches of others find some early, the run starts again.

use super::{Work, first_step};
use crate::auxiliary::{self, Meanwhile};
use crate::explain;
use crate::input::Problem;
use crate::sharing::{Shared, conjuncts};
use crate::tuned::{MAX_RESTARTS, YOUNG_SECONDS};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wedge_engines::figures;
use wedge_engines::preprocess::{Reductions, preprocess};
use wedge_engines::registry::{Build, Options, UseOfFacts};
use wedge_engines::{Context, Engine, Insight, Outcome};
use wedge_model::Facts;
use wedge_process::usage::own_cpu_seconds;

/// What an engine claims, the way back from the circuit that it was given, and the invariants of
/// the circuit as read that it was told.
pub(super) type Claim = (Outcome, Arc<Reductions>, Facts);

impl Work {
    /// The engine on a model, again if there are reasons to.
    pub(super) fn run_engine(
        &self,
        build: Build<dyn Engine>,
        problem: &Problem,
        context: Context,
        shared: &Shared,
    ) -> Claim {
        if self.engine.facts == UseOfFacts::WhileRunning {
            let context = context.apart(shared.bounds.clone());
            return self.run_strengthened(build, problem, context, shared);
        }
        let mut facts = auxiliary::beforehand(self.invariants, problem, &context);
        for restarts in 0.. {
            let run = context.apart(shared.bounds.clone());
            let again = Arc::new(AtomicBool::new(false));
            if self.engine.facts == UseOfFacts::AsConstraints {
                let stop = restart(run.clone(), again.clone(), restarts);
                shared.listen(stop).iter().for_each(|known| facts.extend(known));
            }
            let claim = self.run_constrained(build, problem, run, &facts, shared);
            if matches!(claim.0, Outcome::Unknown(_)) && again.load(Ordering::Relaxed) {
                context.record(|figures| figures.add(figures::RESTARTS, 1.0));
                continue;
            }
            return claim;
        }
        unreachable!("the number of restarts is limited")
    }

    /// The engine on the circuit with facts as constraints.
    fn run_constrained(
        &self,
        build: Build<dyn Engine>,
        problem: &Problem,
        mut context: Context,
        facts: &Facts,
        shared: &Shared,
    ) -> Claim {
        let (reduced, way_back) = match facts.is_empty() {
            true => problem.reduction(&self.config, &context),
            false => {
                let constrained = problem.circuit.constrained(facts);
                let (reduced, way_back) = preprocess(&constrained, &self.config, &context);
                (Arc::new(reduced), Arc::new(way_back))
            }
        };
        context = self.noted(context, problem, &way_back);
        if let Some(follower) = &self.follower {
            context = explain::observed(context, follower, problem, way_back.clone());
        } else if shared.poster.is_connected() {
            context = posting(context, shared, way_back.clone(), facts.clone());
        }
        let options = self.options_for(problem, &way_back);
        first_step(&context);
        (build(&options).run(&reduced, &context), way_back, facts.clone())
    }

    /// k-induction, with facts that come in while it runs.
    fn run_strengthened(
        &self,
        build: Build<dyn Engine>,
        problem: &Problem,
        context: Context,
        shared: &Shared,
    ) -> Claim {
        let (reduced, way_back) = problem.reduction(&self.config, &context);
        let context = self.noted(context, problem, &way_back);
        let context = match &self.follower {
            Some(follower) => explain::observed(context, follower, problem, way_back.clone()),
            None => context,
        };
        let shared = Some(shared).filter(|_| self.takes_facts);
        let (search, board) =
            Meanwhile::start(self.invariants, problem, &way_back, &context, shared);
        let options = Options { auxiliary: board, ..self.settings.clone() };
        first_step(&context);
        let outcome = build(&options).run(&reduced, &context);
        (outcome, way_back, search.facts(problem.circuit.latches.len()))
    }

    /// A context in which notes are taken, if they are wanted.
    fn noted(&self, context: Context, problem: &Problem, way_back: &Arc<Reductions>) -> Context {
        match &self.notebook {
            Some(notebook) => notebook.on_circuit(context, problem, way_back.clone()),
            None => context,
        }
    }

    /// The options, with the signals and words of the model where they are used.
    fn options_for(&self, problem: &Problem, way_back: &Reductions) -> Options {
        let mut options = self.settings.clone();
        let budget = (self.engine.signals)(&options);
        if budget > 0 {
            let signals = problem.analyses.signals(budget);
            options.pdr.signals = signals.map(|signals| Arc::new(way_back.signals(&signals)));
        }
        if (self.engine.words)(&options) {
            let words = problem.analyses.words();
            options.words = words.map(|words| Arc::new(way_back.words(&words)));
        }
        options
    }
}

/// Stops a run when facts come in, as long as not much is lost.
fn restart(run: Context, again: Arc<AtomicBool>, restarts: i32) -> impl Fn(&Facts, bool) {
    let start = own_cpu_seconds();
    move |_, is_worth_it| {
        let is_young = own_cpu_seconds() - start < YOUNG_SECONDS * 0.5f64.powi(restarts);
        if is_worth_it && restarts < MAX_RESTARTS && is_young {
            again.store(true, Ordering::Relaxed);
            run.cancel();
        }
    }
}

/// A context in which the invariants that an engine finds are sent to the others, together with
/// the facts that it took for granted.
fn posting(context: Context, shared: &Shared, way_back: Arc<Reductions>, facts: Facts) -> Context {
    let poster = shared.poster.clone();
    context.observed(Arc::new(move |insight: &Insight| {
        if let Insight::Invariant(invariant) = insight {
            let mut found = facts.clone();
            found.extend(&conjuncts(way_back.predicate(invariant)));
            poster.post_lemmas(&found);
        }
    }))
}
