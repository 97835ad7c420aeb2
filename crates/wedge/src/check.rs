//! `wedge check`: read, reduce, run an engine, check its evidence, answer.
//!
//! The engine runs in a thread of its own. The main thread shows its progress and keeps the
//! limits: it ends the process if the engine does not stop in time or uses too much memory.

use crate::args::CheckArgs;
use crate::input::{InputError, Model};
use crate::status::StatusLine;
use crate::verdict::Verdict;
use crate::{limits, report};
use std::time::{Duration, Instant};
use wedge_engines::preprocess::{Config, preprocess};
use wedge_engines::registry::{self, Options};
use wedge_engines::{Context, Figures, Outcome, UnknownReason};
use wedge_evidence::{Failure, check_induction, check_invariant, check_trace};
use wedge_model::{Circuit, Predicate, Trace};

/// How long a thread may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(500);
const STACK: usize = 256 << 20;

/// What one property came to.
pub struct Result {
    pub property: usize,
    pub name: Option<String>,
    pub verdict: Verdict,
    pub evidence: Option<Evidence>,
    pub figures: Figures,
    pub seconds: f64,
}

/// Evidence that has passed its check, on the circuit as read.
pub enum Evidence {
    Invariant(Predicate),
    Induction { k: usize, simple_path: bool },
    Trace(Trace),
}

pub fn run(args: &CheckArgs) -> std::result::Result<u8, InputError> {
    let model = Model::read(&args.file)?;
    let count = model.num_properties();
    if args.property_index >= count {
        let cause = format!("there is no property {}; the file has {count}", args.property_index);
        return Err(InputError(format!("{}: {cause}", args.file.display())));
    }
    let properties =
        if args.all_properties { 0..count } else { args.property_index..args.property_index + 1 };
    let mut status = 0;
    for property in properties {
        let result = check_property(args, &model, property);
        publish(args, &model, &result)?;
        status = worst(status, result.verdict.exit_status());
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

fn check_property(args: &CheckArgs, model: &Model, property: usize) -> Result {
    let start = Instant::now();
    let context = Context::new(args.timeout);
    let circuit = model.circuit(property).expect("the property index was checked");
    let (verdict, evidence) = supervise(args, &context, start, &circuit);
    Result {
        property,
        name: model.property_name(property).map(str::to_string),
        verdict,
        evidence,
        figures: context.figures(),
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// Runs engine and evidence check in a thread and keeps the limits.
fn supervise(
    args: &CheckArgs,
    context: &Context,
    start: Instant,
    circuit: &Circuit,
) -> (Verdict, Option<Evidence>) {
    let (engine, options) = (args.engine.as_str(), args.tuning.options());
    let config = preprocessing(args);
    let mut status = StatusLine::new(&args.engine, start);
    std::thread::scope(|scope| {
        let work = || decide(engine, &options, &config, circuit, context);
        let thread = std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, work)
            .expect("a thread can be started");
        while !thread.is_finished() {
            std::thread::park_timeout(Duration::from_millis(5));
            status.update(context);
            if args.memory.is_some_and(|limit| limits::memory_in_use() > limit) {
                status.clear();
                Verdict::Unknown(UnknownReason::Memory).end_process();
            }
            if context.deadline().is_some_and(|d| Instant::now() > d + GRACE) {
                status.clear();
                Verdict::Unknown(UnknownReason::Timeout).end_process();
            }
        }
        status.clear();
        thread.join().unwrap_or_else(|_| {
            let cause = "the engine panicked".to_string();
            (Verdict::Unknown(UnknownReason::Internal(cause)), None)
        })
    })
}

fn preprocessing(args: &CheckArgs) -> Config {
    match args.engine.as_str() {
        "kind" if args.tuning.simple_path => Config::for_simple_paths(),
        _ if args.no_preprocess => Config::cone_only(),
        "kind" => Config::for_induction(),
        _ => Config::default(),
    }
}

/// Engine, then evidence: nothing is believed without its check on the circuit as read.
fn decide(
    engine: &str,
    options: &Options,
    config: &Config,
    circuit: &Circuit,
    context: &Context,
) -> (Verdict, Option<Evidence>) {
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
            let checked = check_trace(circuit, &trace).map(|_| ()).map_err(Failure::from);
            (Verdict::False, Evidence::Trace(trace), checked)
        }
        Outcome::Unknown(reason) => return (Verdict::Unknown(reason), None),
    };
    match checked {
        Ok(()) => (verdict, Some(evidence)),
        Err(Failure::Stopped) => (Verdict::Unknown(context.stop_reason()), None),
        Err(failure) => (rejected(engine, &failure), None),
    }
}

fn rejected(engine: &str, failure: &Failure) -> Verdict {
    eprintln!("wedge: INTERNAL ERROR: the evidence of {engine} was rejected: {failure}");
    eprintln!("wedge: no verdict is given; please report this with the model");
    Verdict::Unknown(UnknownReason::Internal(format!("evidence rejected: {failure}")))
}

/// Files first, then figures, then the verdict as the last line.
fn publish(
    args: &CheckArgs,
    model: &Model,
    result: &Result,
) -> std::result::Result<(), InputError> {
    if let (Some(path), Some(Evidence::Trace(trace))) = (&args.witness, &result.evidence) {
        write(path, model.witness(result.property, trace).as_bytes())?;
    }
    if let Some(path) = &args.certificate {
        if let Some(bytes) = certificate(model, result)? {
            write(path, &bytes)?;
        }
    }
    if let Some(path) = &args.report {
        write(path, report::page(args, model, result).as_bytes())?;
    }
    if args.json {
        println!("{}", report::json(args, result));
    }
    if args.stats {
        print!("{}", report::figures(result));
    }
    if args.all_properties {
        match &result.name {
            Some(name) => println!("property {} ({name}): {}", result.property, result.verdict),
            None => println!("property {}: {}", result.property, result.verdict),
        }
    } else {
        println!("{}", result.verdict);
    }
    Ok(())
}

fn certificate(model: &Model, result: &Result) -> std::result::Result<Option<Vec<u8>>, InputError> {
    let bytes = match &result.evidence {
        Some(Evidence::Invariant(invariant)) => model.certificate(result.property, invariant),
        Some(Evidence::Induction { k, simple_path: false }) => {
            model.induction_certificate(result.property, *k)
        }
        Some(Evidence::Induction { simple_path: true, .. }) => {
            eprintln!("wedge: no certificate: a proof over simple paths has none in this form");
            return Ok(None);
        }
        _ => return Ok(None),
    };
    bytes.map(Some).map_err(|failure| InputError(failure.to_string()))
}

fn write(path: &std::path::Path, bytes: &[u8]) -> std::result::Result<(), InputError> {
    std::fs::write(path, bytes).map_err(|e| InputError(format!("{}: {e}", path.display())))
}
