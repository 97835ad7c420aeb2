//! From a property to a decision: model, reduce, run an engine, check its evidence.
//!
//! All of it happens in a thread of its own. The calling thread looks at the progress and keeps
//! the limits: work that does not stop in time or uses too much memory is abandoned, and the
//! process ends as soon as its answer is published.
//!
//! A program is modelled up to a depth of recursion and a number of allocations. Reaching the end
//! of the model is bad as well, so a proof shows that it does not happen; when a counterexample
//! ends there, the model grows and the engine starts again. When it cannot grow any more, only the
//! error is bad, and only a counterexample counts.

use crate::answer::{Answer, Files};
use crate::args::CheckArgs;
use crate::explain;
use crate::input::{Effort, InputError, Model, Problem, Replayed, WayBack};
use crate::report;
use crate::verdict::Verdict;
use std::sync::Arc;
use std::time::{Duration, Instant};
use wedge_bench::process;
use wedge_engines::preprocess::{Config, Pipeline, preprocess};
use wedge_engines::registry::{self, Options};
use wedge_engines::{Context, Outcome, UnknownReason};
use wedge_evidence::{Failure, check_induction, check_invariant, check_trace};
use wedge_model::{Predicate, Trace};

/// How long a thread may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(500);
const STACK: usize = 1 << 30;

/// Evidence that has passed its check, on the circuit as read.
pub enum Evidence {
    Invariant(Predicate),
    Induction { k: usize, simple_path: bool },
    Trace(Trace),
}

/// What an engine came to on one property.
pub struct Decision {
    property: usize,
    /// The last model of the property; `None` if there was none.
    problem: Option<Problem>,
    pub verdict: Verdict,
    evidence: Option<Evidence>,
    context: Context,
    seconds: f64,
    /// The work did not stop at a limit and is still going on.
    pub abandoned: bool,
}

/// What the thread is given.
struct Work {
    model: Arc<dyn Model>,
    property: usize,
    engine: String,
    options: Options,
    config: Config,
    context: Context,
    explain: bool,
}

/// Decides a property in a thread, keeps the limits, and lets `observe` look at the figures every
/// few milliseconds. The time since `start` counts.
pub fn check_property(
    args: &CheckArgs,
    model: &Arc<dyn Model>,
    property: usize,
    start: Instant,
    observe: &mut dyn FnMut(&Context),
) -> Decision {
    let context = Context::new(args.timeout.map(|t| t.saturating_sub(start.elapsed())));
    let work = Work {
        model: model.clone(),
        property,
        engine: args.engine.clone(),
        options: args.tuning.options(),
        config: preprocessing(args),
        context: context.clone(),
        explain: args.explain && args.member.is_none(),
    };
    let builder = std::thread::Builder::new().stack_size(STACK);
    let thread = builder.spawn(move || work.decide()).expect("a thread can be started");
    let mut limit = None;
    while !thread.is_finished() && limit.is_none() {
        std::thread::park_timeout(Duration::from_millis(5));
        observe(&context);
        limit = exceeded(args, &context);
    }
    let abandoned = limit.is_some();
    let panicked = || UnknownReason::Internal("the engine panicked".into());
    let result = match limit {
        Some(reason) => Conclusion::unknown(reason),
        None => thread.join().unwrap_or_else(|_| Conclusion::unknown(panicked())),
    };
    let Conclusion { verdict, evidence, problem } = result;
    let seconds = start.elapsed().as_secs_f64();
    Decision { property, problem, verdict, evidence, context, seconds, abandoned }
}

/// A limit that the work has passed without stopping by itself.
fn exceeded(args: &CheckArgs, context: &Context) -> Option<UnknownReason> {
    if args.memory.is_some_and(|limit| process::resident("self") > limit) {
        return Some(UnknownReason::Memory);
    }
    let late = context.deadline().is_some_and(|d| Instant::now() > d + GRACE);
    late.then_some(UnknownReason::Timeout)
}

/// What may be done to the circuit such that the engine's evidence has a way back.
fn preprocessing(args: &CheckArgs) -> Config {
    match args.engine.as_str() {
        "kind" if args.tuning.simple_path => Config::for_simple_paths(),
        _ if args.no_preprocess => Config::cone_only(),
        "kind" => Config::for_induction(),
        "bmc" => Config::quick(),
        _ => Config::default(),
    }
}

struct Conclusion {
    verdict: Verdict,
    evidence: Option<Evidence>,
    problem: Option<Problem>,
}

impl Conclusion {
    fn unknown(reason: UnknownReason) -> Conclusion {
        Conclusion { verdict: reason.into(), evidence: None, problem: None }
    }
}

/// How an attempt with one model ends.
enum Attempt {
    Done(Verdict, Option<Evidence>),
    /// A counterexample ends where the model does, for this reason.
    Limit(String),
}

impl Work {
    fn decide(&self) -> Conclusion {
        let mut effort = Effort::default();
        let mut limit: Option<String> = None;
        loop {
            let problem = match (self.model.problem(self.property, &effort, &self.context), &limit)
            {
                (Ok(problem), _) => problem,
                (Err(reason), None) => return Conclusion::unknown(reason),
                // The larger model cannot be made, so the smaller one is all there is.
                (Err(_), Some(_)) if !effort.only_error => {
                    effort = Effort { level: effort.level.saturating_sub(1), only_error: true };
                    continue;
                }
                (Err(reason), Some(_)) => return Conclusion::unknown(reason),
            };
            if let Some(reason) = self.context.interrupted() {
                return Conclusion::unknown(reason);
            }
            match self.attempt(&problem) {
                Attempt::Limit(name) => {
                    let same = limit.as_ref() == Some(&name);
                    effort.only_error = same || effort.level + 1 >= self.model.levels();
                    effort.level += usize::from(!effort.only_error);
                    limit = Some(name);
                }
                Attempt::Done(Verdict::True, _) if effort.only_error => {
                    let reason = limit.unwrap_or_default();
                    let verdict = Verdict::Unknown(format!("limit of the model: {reason}"));
                    return Conclusion { verdict, evidence: None, problem: Some(problem) };
                }
                Attempt::Done(verdict, evidence) => {
                    return Conclusion { verdict, evidence, problem: Some(problem) };
                }
            }
        }
    }

    /// The options, with the signals of the model where they are used.
    fn options_for(&self, problem: &Problem, way_back: &Pipeline) -> Options {
        let mut options = self.options.clone();
        let budget = options.pdr.signal_budget;
        if self.engine == "pdr" && budget > 0 {
            let signals = problem.way_back.signals(budget);
            options.pdr.signals = signals.map(|signals| Arc::new(way_back.signals(&signals)));
        }
        options
    }

    /// Engine, then evidence: nothing is believed without its check on the circuit as read.
    fn attempt(&self, problem: &Problem) -> Attempt {
        let circuit = &*problem.circuit;
        let (reduced, way_back) = preprocess(circuit, &self.config, &self.context);
        let way_back = Arc::new(way_back);
        let mut context = self.context.clone();
        if self.explain {
            context = explain::observed(context, problem, way_back.clone());
        }
        let entry = registry::find(&self.engine).expect("the command line offers known engines");
        let options = self.options_for(problem, &way_back);
        let outcome = (entry.build)(&options).run(&reduced, &context);
        let interrupt = self.context.interrupt();
        let (verdict, evidence, checked) = match outcome {
            Outcome::Safe(invariant) => {
                let invariant = way_back.predicate(&invariant);
                let checked = check_invariant(circuit, &invariant, &interrupt);
                (Verdict::True, Evidence::Invariant(invariant), checked)
            }
            Outcome::SafeByInduction { k, simple_path } => {
                let checked = check_induction(circuit, k, simple_path, &interrupt);
                (Verdict::True, Evidence::Induction { k, simple_path }, checked)
            }
            Outcome::Unsafe(trace) => {
                let trace = way_back.trace(&trace);
                let checked = check_trace(circuit, &trace).map_err(Failure::from);
                match checked.and_then(|_| problem.way_back.replay(&trace)) {
                    Ok(Replayed::Limit(name)) => return Attempt::Limit(name),
                    Ok(Replayed::Confirmed) => {
                        let verdict = Verdict::False(self.model.violation().to_string());
                        (verdict, Evidence::Trace(trace), Ok(()))
                    }
                    Err(failure) => (Verdict::True, Evidence::Trace(trace), Err(failure)),
                }
            }
            Outcome::Unknown(reason) => return Attempt::Done(reason.into(), None),
        };
        match checked {
            Ok(()) => Attempt::Done(verdict, Some(evidence)),
            Err(Failure::Stopped) => Attempt::Done(self.context.stop_reason().into(), None),
            Err(failure) => Attempt::Done(rejected(&self.engine, &failure), None),
        }
    }
}

fn rejected(engine: &str, failure: &Failure) -> Verdict {
    eprintln!("wedge: INTERNAL ERROR: the evidence of {engine} was rejected: {failure}");
    eprintln!("wedge: no verdict is given; please report this with the model");
    match failure {
        Failure::Unconfirmed(_) => Verdict::Unknown(failure.to_string()),
        _ => UnknownReason::Internal(format!("evidence rejected: {failure}")).into(),
    }
}

impl Decision {
    /// The answer with what the command line asks for in files.
    pub fn answer(&self, args: &CheckArgs) -> Result<Answer, InputError> {
        let mut files = Files::default();
        if let (Some(problem), Some(evidence)) = (&self.problem, &self.evidence) {
            let way_back = &*problem.way_back;
            if let Some(path) = &args.witness {
                let interrupt = self.context.interrupt();
                let witness = way_back.witness(evidence, path, &interrupt);
                files.witness = witness.map_err(not_written)?;
            }
            if let Evidence::Trace(trace) = evidence {
                let table = || report::trace_table(&way_back.input_table(trace));
                files.trace_table = args.report.is_some().then(table);
                files.story = way_back.story(trace, args.trace);
                if args.harness.is_some() {
                    files.harness = way_back.harness(trace).map_err(not_written)?;
                }
            }
            if args.certificate.is_some() {
                files.certificate = certificate(way_back, evidence)?;
            }
        }
        Ok(Answer {
            evidence: report::evidence(self.evidence.as_ref()),
            figures: self.context.figures(),
            seconds: self.seconds,
            notes: self.problem.as_ref().map_or(Vec::new(), |problem| problem.notes.clone()),
            files,
            ..Answer::bare(self.property, self.verdict.clone())
        })
    }
}

fn certificate(way_back: &dyn WayBack, evidence: &Evidence) -> Result<Option<Vec<u8>>, InputError> {
    let bytes = match evidence {
        Evidence::Invariant(invariant) => way_back.certificate(invariant),
        Evidence::Induction { k, simple_path: false } => way_back.induction_certificate(*k),
        Evidence::Induction { simple_path: true, .. } => {
            eprintln!("wedge: no certificate: a proof over simple paths has none in this form");
            return Ok(None);
        }
        Evidence::Trace(_) => return Ok(None),
    };
    bytes.map(Some).map_err(not_written)
}

fn not_written(failure: Failure) -> InputError {
    InputError(format!("the evidence cannot be written: {failure}"))
}
