//! `wedge check`: read, reduce, run an engine, check its evidence, answer.
//!
//! The engine runs in a thread of its own. The main thread shows its progress and keeps the
//! limits: an engine that does not stop in time or uses too much memory is abandoned, and the
//! process ends as soon as its answer is published.

use crate::answer::{Answer, Files};
use crate::args::{CheckArgs, PORTFOLIO};
use crate::input::{self, InputError, Model, Problem, WayBack};
use crate::status::{StatusLine, progress};
use crate::verdict::Verdict;
use crate::{portfolio, report};
use std::time::{Duration, Instant};
use wedge_bench::{leash, process};
use wedge_engines::preprocess::{Config, preprocess};
use wedge_engines::registry::{self, Options};
use wedge_engines::{Context, Outcome, UnknownReason};
use wedge_evidence::{Failure, check_induction, check_invariant, check_trace};
use wedge_model::{Predicate, Trace};

/// How long a thread may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(500);
const STACK: usize = 256 << 20;

/// Evidence that has passed its check, on the circuit as read.
pub enum Evidence {
    Invariant(Predicate),
    Induction { k: usize, simple_path: bool },
    Trace(Trace),
}

pub fn run(args: &CheckArgs) -> Result<u8, InputError> {
    if args.leashed || args.member.is_some() {
        leash::hold();
    }
    if args.member.is_some() {
        portfolio::report_ready()?;
    }
    let model = input::read(&args.file)?;
    if let Some(property) = args.member {
        return portfolio::member(args, &*model, property);
    }
    let count = model.num_properties();
    if args.property_index >= count {
        let cause = format!("there is no property {}; the file has {count}", args.property_index);
        return Err(InputError(format!("{}: {cause}", args.file.display())));
    }
    let properties =
        if args.all_properties { 0..count } else { args.property_index..args.property_index + 1 };
    let mut status = 0;
    let mut abandoned = None;
    for property in properties {
        let mut answer = match abandoned {
            Some(earlier) => not_checked(property, earlier),
            None if args.engine == PORTFOLIO => portfolio::race(args, property),
            None => single(args, &*model, property, &mut abandoned)?,
        };
        answer.name = model.property_name(property);
        answer.publish(args)?;
        status = worst(status, answer.verdict.exit_status());
    }
    Ok(status)
}

/// FALSE before UNKNOWN before TRUE.
fn worst(a: u8, b: u8) -> u8 {
    let rank = |status: u8| match status {
        10 => 2,
        30 => 1,
        _ => 0,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// An abandoned engine still holds processor and memory, so nothing follows it.
fn not_checked(property: usize, earlier: usize) -> Answer {
    let reason = format!("not checked: the engine did not stop at the limit on property {earlier}");
    Answer::bare(property, Verdict::Unknown(reason))
}

fn single(
    args: &CheckArgs,
    model: &dyn Model,
    property: usize,
    abandoned: &mut Option<usize>,
) -> Result<Answer, InputError> {
    let mut status = StatusLine::new(Instant::now());
    let result = check_property(args, model, property, &mut |context: &Context| {
        status.update(|| progress(&args.engine, &context.figures()));
    });
    status.clear();
    if result.abandoned {
        *abandoned = Some(property);
    }
    result.answer(args)
}

/// What an engine came to on one property.
pub struct Decision {
    property: usize,
    /// `None` if the model could not be turned into a circuit.
    problem: Option<Problem>,
    pub verdict: Verdict,
    evidence: Option<Evidence>,
    context: Context,
    seconds: f64,
    /// The engine did not stop at a limit and is still running.
    pub abandoned: bool,
}

/// Runs engine and evidence check in a thread, keeps the limits, and lets `observe` look at the
/// figures every few milliseconds.
pub fn check_property(
    args: &CheckArgs,
    model: &dyn Model,
    property: usize,
    observe: &mut dyn FnMut(&Context),
) -> Decision {
    let start = Instant::now();
    let context = Context::new(args.timeout);
    let problem = match model.problem(property) {
        Ok(problem) => problem,
        Err(reason) => {
            let seconds = start.elapsed().as_secs_f64();
            let (verdict, problem) = (reason.into(), None);
            let (evidence, abandoned) = (None, false);
            return Decision { property, problem, verdict, evidence, context, seconds, abandoned };
        }
    };
    let (engine, options, inner) = (args.engine.clone(), args.tuning.options(), context.clone());
    let own = problem.clone();
    let config = preprocessing(args);
    let work = move || decide(&engine, &options, &config, &own, &inner);
    let thread =
        std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread can be started");
    let mut limit = None;
    while !thread.is_finished() && limit.is_none() {
        std::thread::park_timeout(Duration::from_millis(5));
        observe(&context);
        limit = exceeded(args, &context);
    }
    let abandoned = limit.is_some();
    let (verdict, evidence) = match limit {
        Some(reason) => (reason.into(), None),
        None => thread.join().unwrap_or_else(|_| {
            (UnknownReason::Internal("the engine panicked".into()).into(), None)
        }),
    };
    let seconds = start.elapsed().as_secs_f64();
    let problem = Some(problem);
    Decision { property, problem, verdict, evidence, context, seconds, abandoned }
}

/// A limit that the engine has passed without stopping by itself.
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

/// Engine, then evidence: nothing is believed without its check on the circuit as read.
fn decide(
    engine: &str,
    options: &Options,
    config: &Config,
    problem: &Problem,
    context: &Context,
) -> (Verdict, Option<Evidence>) {
    let circuit = &*problem.circuit;
    let (reduced, way_back) = preprocess(circuit, config, context);
    let entry = registry::find(engine).expect("the command line offers known engines only");
    let outcome = (entry.build)(options).run(&reduced, context);
    let interrupt = context.interrupt();
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
            let checked = check_trace(circuit, &trace)
                .map_err(Failure::from)
                .and_then(|_| problem.way_back.replay(&trace));
            (Verdict::False, Evidence::Trace(trace), checked)
        }
        Outcome::Unknown(reason) => return (reason.into(), None),
    };
    match checked {
        Ok(()) => (verdict, Some(evidence)),
        Err(Failure::Stopped) => (context.stop_reason().into(), None),
        Err(failure) => (rejected(engine, &failure), None),
    }
}

fn rejected(engine: &str, failure: &Failure) -> Verdict {
    eprintln!("wedge: INTERNAL ERROR: the evidence of {engine} was rejected: {failure}");
    eprintln!("wedge: no verdict is given; please report this with the model");
    UnknownReason::Internal(format!("evidence rejected: {failure}")).into()
}

impl Decision {
    /// The answer with what the command line asks for in files.
    pub fn answer(&self, args: &CheckArgs) -> Result<Answer, InputError> {
        let mut files = Files::default();
        if let (Some(problem), Some(evidence)) = (&self.problem, &self.evidence) {
            let way_back = &*problem.way_back;
            if let Evidence::Trace(trace) = evidence {
                if args.witness.is_some() {
                    files.witness = Some(way_back.witness(trace).map_err(not_written)?.into());
                }
                let table = || report::trace_table(&way_back.input_table(trace));
                files.trace_table = args.report.is_some().then(table);
            }
            if args.certificate.is_some() {
                files.certificate = certificate(way_back, evidence)?;
            }
        }
        Ok(Answer {
            evidence: report::evidence(self.evidence.as_ref()),
            figures: self.context.figures(),
            seconds: self.seconds,
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
