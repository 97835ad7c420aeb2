//! One engine on one model: reductions, auxiliary invariants, and what other engines have found.
//!
//! k-induction takes invariants up while it runs. The others can only start with them, as
//! constraints of the circuit; so when the searches of others find some early, the run starts again.

use super::Work;
use crate::args::KIND;
use crate::auxiliary::{self, Meanwhile};
use crate::explain;
use crate::input::Problem;
use crate::sharing::{Shared, conjuncts};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wedge_bench::process::own_cpu_seconds;
use wedge_engines::preprocess::{Pipeline, preprocess};
use wedge_engines::registry::{self, Options};
use wedge_engines::{Context, Insight, Outcome};
use wedge_model::{Circuit, Facts};

/// The engines that use invariants as constraints.
const CONSTRAINED: &[&str] = &["pdr", "imc", "ismc", "dar", "cnf-itp"];
/// A run that has had more processor seconds does not start again; after each start half of it.
const YOUNG: f64 = 2.0;
const MAX_RESTARTS: i32 = 3;

/// What an engine claims, the way back from the circuit that it was given, and the invariants of
/// the circuit as read that it was told.
pub(super) type Claim = (Outcome, Arc<Pipeline>, Facts);

impl Work {
    /// The engine on a model, again if there are reasons to.
    pub(super) fn run_engine(&self, problem: &Problem, context: Context, shared: &Shared) -> Claim {
        if self.engine == KIND {
            return self.run_strengthened(problem, context.apart(shared.bounds.clone()), shared);
        }
        let mut facts = auxiliary::beforehand(self.invariants, problem, &context);
        for restarts in 0.. {
            let run = context.apart(shared.bounds.clone());
            let again = Arc::new(AtomicBool::new(false));
            if CONSTRAINED.contains(&self.engine.as_str()) {
                let stop = restart(run.clone(), again.clone(), restarts);
                shared.listen(stop).iter().for_each(|known| facts.extend(known));
            }
            let claim = self.run_constrained(problem, run, &facts, shared);
            if matches!(claim.0, Outcome::Unknown(_)) && again.load(Ordering::Relaxed) {
                context.record(|figures| figures.add("restarts", 1.0));
                continue;
            }
            return claim;
        }
        unreachable!("the number of restarts is limited")
    }

    /// The engine on the circuit with facts as constraints.
    fn run_constrained(
        &self,
        problem: &Problem,
        mut context: Context,
        facts: &Facts,
        shared: &Shared,
    ) -> Claim {
        let constrained;
        let circuit: &Circuit = match facts.is_empty() {
            true => &problem.circuit,
            false => {
                constrained = problem.circuit.constrained(facts);
                &constrained
            }
        };
        let (reduced, way_back) = preprocess(circuit, &self.config, &context);
        let way_back = Arc::new(way_back);
        if self.explain {
            context = explain::observed(context, problem, way_back.clone());
        } else if shared.poster.is_connected() {
            context = posting(context, shared, way_back.clone(), facts.clone());
        }
        let options = self.options_for(problem, &way_back);
        (self.run_on(&reduced, &options, &context), way_back, facts.clone())
    }

    /// k-induction, with facts that come in while it runs.
    fn run_strengthened(&self, problem: &Problem, context: Context, shared: &Shared) -> Claim {
        let (reduced, way_back) = preprocess(&problem.circuit, &self.config, &context);
        let way_back = Arc::new(way_back);
        let context = match self.explain {
            true => explain::observed(context, problem, way_back.clone()),
            false => context,
        };
        let shared = Some(shared).filter(|_| self.takes_facts);
        let (search, board) =
            Meanwhile::start(self.invariants, problem, &way_back, &context, shared);
        let options = Options { auxiliary: board, ..self.options.clone() };
        let outcome = self.run_on(&reduced, &options, &context);
        (outcome, way_back, search.facts(problem.circuit.latches.len()))
    }

    fn run_on(&self, circuit: &Circuit, options: &Options, context: &Context) -> Outcome {
        let entry = registry::find(&self.engine).expect("the command line offers known engines");
        (entry.build)(options).run(circuit, context)
    }

    /// The options, with the signals and words of the model where they are used.
    fn options_for(&self, problem: &Problem, way_back: &Pipeline) -> Options {
        let mut options = self.options.clone();
        let budget = options.pdr.signal_budget;
        if self.engine == "pdr" && budget > 0 {
            let signals = problem.way_back.signals(budget);
            options.pdr.signals = signals.map(|signals| Arc::new(way_back.signals(&signals)));
        }
        if options.lift {
            let words = problem.way_back.words();
            options.words = words.map(|words| Arc::new(way_back.words(&words)));
        }
        options
    }
}

/// Stops a run when facts come in, as long as not much is lost.
fn restart(run: Context, again: Arc<AtomicBool>, restarts: i32) -> impl Fn(&Facts, bool) {
    let start = own_cpu_seconds();
    move |_, is_worth_it| {
        let is_young = own_cpu_seconds() - start < YOUNG * 0.5f64.powi(restarts);
        if is_worth_it && restarts < MAX_RESTARTS && is_young {
            again.store(true, Ordering::Relaxed);
            run.cancel();
        }
    }
}

/// A context in which the invariants that an engine finds are sent to the others, together with
/// the facts that it took for granted.
fn posting(context: Context, shared: &Shared, way_back: Arc<Pipeline>, facts: Facts) -> Context {
    let poster = shared.poster.clone();
    context.observed(Arc::new(move |insight: &Insight| {
        if let Insight::Invariant(invariant) = insight {
            let mut found = facts.clone();
            found.extend(&conjuncts(way_back.predicate(invariant)));
            poster.post_lemmas(&found);
        }
    }))
}
