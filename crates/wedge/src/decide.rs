//! From a property to a decision: model, reduce, run an engine, check its evidence.
//!
//! All of it happens in a thread of its own. The calling thread looks at the progress and keeps
//! the limits: work that does not stop in time or uses too much memory is abandoned, and the
//! process ends as soon as its answer is published.
//!
//! For a program several models may be tried one after the other ([`efforts`](crate::efforts)).

mod run;

use crate::answer::{Answer, Files};
use crate::args::{CheckArgs, InvariantsArg};
use crate::efforts::{Efforts, Event};
use crate::input::{Doubt, Executed, InputError, Model, Problem, Replayed, WayBack};
use crate::report;
use crate::sharing::{Shared, Sharing};
use crate::verdict::Verdict;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use wedge_bench::process;
use wedge_engines::preprocess::Config;
use wedge_engines::registry::Options;
use wedge_engines::{Context, Outcome, UnknownReason};
use wedge_evidence::{
    Failure, check_exhaustion, check_induction, check_invariant, check_strengthened_induction,
    check_trace,
};
use wedge_model::{Predicate, Trace};

/// How long a thread may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(500);
const STACK: usize = 1 << 30;
/// The engine that executes programs themselves rather than their circuits.
const EXECUTE: &str = "execute";

/// Evidence that has passed its check, on the circuit as read.
pub enum Evidence {
    Invariant(Predicate),
    /// Where the facts hold, if there are any; they are inductive.
    Induction {
        k: usize,
        simple_path: bool,
        facts: Option<Predicate>,
    },
    /// No path has more steps.
    Exhaustion {
        length: usize,
    },
    Trace(Trace),
    /// The error was reached by an execution of so many steps with so many values chosen for it,
    /// and again when it was replayed.
    Execution {
        steps: u64,
        answers: usize,
    },
    /// There is only one run, without an error, in the interpreter and on the automaton.
    OnlyRun {
        steps: u64,
        edges: u64,
    },
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
    /// An answer is at hand, and its evidence is being checked.
    checking: Arc<AtomicBool>,
    explain: bool,
    ignore_undefined: bool,
    invariants: InvariantsArg,
    sharing: Sharing,
    /// Whether a proof by induction may rest on facts of others, which not all certificates allow.
    takes_facts: bool,
}

/// Decides a property in a thread, keeps the limits, and lets `observe` look at the figures every
/// few milliseconds, and at whether evidence is being checked. The time since `start` counts.
pub fn check_property(
    args: &CheckArgs,
    model: &Arc<dyn Model>,
    property: usize,
    start: Instant,
    sharing: &Sharing,
    observe: &mut dyn FnMut(&Context, bool),
) -> Decision {
    let context = Context::new(args.timeout.map(|t| t.saturating_sub(start.elapsed())));
    let checking = Arc::new(AtomicBool::new(false));
    let work = Work {
        model: model.clone(),
        property,
        engine: args.engine.clone(),
        options: args.tuning.options(),
        config: preprocessing(args),
        context: context.clone(),
        checking: checking.clone(),
        explain: args.explain && args.member.is_none(),
        ignore_undefined: args.ignore_undefined,
        invariants: args.invariants(),
        sharing: sharing.clone(),
        takes_facts: args.certificate.is_none() || model.features().is_some(),
    };
    let builder = std::thread::Builder::new().stack_size(STACK);
    let thread = builder.spawn(move || work.decide()).expect("a thread can be started");
    let mut limit = None;
    while !thread.is_finished() && limit.is_none() {
        std::thread::park_timeout(Duration::from_millis(5));
        observe(&context, checking.load(Ordering::Relaxed));
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
        "bmc" | EXECUTE => Config::quick(),
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
    Failed(Event),
}

impl Work {
    /// What was concluded; a proof only if no run is at hand that speaks against it.
    fn decide(&self) -> Conclusion {
        let conclusion = self.conclude();
        if conclusion.verdict != Verdict::True {
            return conclusion;
        }
        let verdict = match self.model.doubt() {
            None => return conclusion,
            Some(Doubt::Undefined(_)) if self.ignore_undefined => return conclusion,
            Some(Doubt::Undefined(what)) => Verdict::undefined(&what),
            Some(Doubt::Error) => {
                rejected(&self.engine, &Failure::Shape("an execution reaches the error".into()))
            }
        };
        Conclusion { verdict, evidence: None, ..conclusion }
    }

    fn conclude(&self) -> Conclusion {
        if self.engine == EXECUTE
            && let Some(executed) = self.model.execute(&self.context)
        {
            let Executed { verdict, evidence, problem } = executed;
            return Conclusion { verdict, evidence, problem: Some(problem) };
        }
        let mut efforts = Efforts::new(&*self.model, &self.engine);
        loop {
            self.checking.store(false, Ordering::Relaxed);
            let made = self.model.problem(self.property, &efforts.now, &self.context);
            if let Some(reason) = self.context.interrupted() {
                return Conclusion::unknown(reason);
            }
            let (problem, event) = match made {
                Ok(problem) => match self.tried(&problem, &efforts) {
                    Attempt::Done(verdict, evidence) => {
                        return Conclusion { verdict, evidence, problem: Some(problem) };
                    }
                    Attempt::Failed(event) => (Some(problem), event),
                },
                Err(reason) => (None, Event::NotMade(reason)),
            };
            if let Err(verdict) = efforts.next(event) {
                return Conclusion { verdict, evidence: None, problem };
            }
        }
    }

    /// The engine on one model; what it comes to may not count.
    fn tried(&self, problem: &Problem, efforts: &Efforts) -> Attempt {
        let coarse = problem.way_back.is_coarse();
        let is_tentative = efforts.is_tentative(coarse);
        let shared = self.sharing.open(&efforts.now, &problem.circuit, &self.context);
        match self.attempt(problem, efforts.context(&self.context, coarse), &shared) {
            Attempt::Done(Verdict::True, _) if efforts.now.only_error => {
                Attempt::Failed(Event::NoErrorInside)
            }
            Attempt::Done(Verdict::Unknown(_), _)
                if is_tentative && self.context.interrupted().is_none() =>
            {
                Attempt::Failed(Event::OutOfTime)
            }
            other => other,
        }
    }

    /// Engine, then evidence: nothing is believed without its check on the circuit as read.
    fn attempt(&self, problem: &Problem, context: Context, shared: &Shared) -> Attempt {
        let circuit = &*problem.circuit;
        let interrupt = context.interrupt();
        let (outcome, way_back, facts) = self.run_engine(problem, context, shared);
        let start = Instant::now();
        self.checking.store(true, Ordering::Relaxed);
        let (verdict, evidence, checked) = match outcome {
            Outcome::Safe(invariant) => {
                let mut invariant = way_back.predicate(&invariant);
                if !facts.is_empty() {
                    invariant = invariant.and(&facts.conjunction());
                }
                let checked = check_invariant(circuit, &invariant, &interrupt);
                (Verdict::True, Evidence::Invariant(invariant), checked)
            }
            Outcome::SafeByInduction { k, simple_path } => {
                let facts = (!facts.is_empty()).then(|| facts.conjunction());
                let checked = match &facts {
                    Some(facts) => {
                        check_strengthened_induction(circuit, facts, k, simple_path, &interrupt)
                    }
                    None => check_induction(circuit, k, simple_path, &interrupt),
                };
                (Verdict::True, Evidence::Induction { k, simple_path, facts }, checked)
            }
            Outcome::SafeByExhaustion { length } => {
                let checked = check_exhaustion(circuit, length, &interrupt);
                (Verdict::True, Evidence::Exhaustion { length }, checked)
            }
            Outcome::Unsafe(trace) => {
                let trace = way_back.trace(&trace);
                let checked = check_trace(circuit, &trace).map_err(Failure::from);
                let accepted = checked.is_ok();
                match checked.and_then(|_| problem.way_back.replay(&trace)) {
                    Err(Failure::Stopped) => {
                        (Verdict::True, Evidence::Trace(trace), Err(Failure::Stopped))
                    }
                    Err(_) if accepted && problem.way_back.is_coarse() => {
                        return Attempt::Failed(Event::Coarse);
                    }
                    Ok(Replayed::Limit(name)) => return Attempt::Failed(Event::Limit(name)),
                    Ok(Replayed::Confirmed(violated)) => {
                        let verdict = Verdict::False(violated.to_string());
                        (verdict, Evidence::Trace(trace), Ok(()))
                    }
                    Err(failure @ Failure::Unconfirmed(_)) => {
                        return Attempt::Failed(Event::Unconfirmed(failure));
                    }
                    Err(failure) => (Verdict::True, Evidence::Trace(trace), Err(failure)),
                }
            }
            Outcome::Unknown(reason) => return Attempt::Done(reason.into(), None),
        };
        self.context.record(|f| f.add("evidence seconds", start.elapsed().as_secs_f64()));
        match checked {
            Ok(()) => Attempt::Done(verdict, Some(evidence)),
            Err(Failure::Stopped) => Attempt::Done(self.context.stop_reason().into(), None),
            Err(failure) => Attempt::Done(rejected(&self.engine, &failure), None),
        }
    }
}

pub fn rejected(engine: &str, failure: &Failure) -> Verdict {
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
            if let Some(path) = &args.witness {
                let interrupt = self.context.interrupt();
                let witness = way_back.witness(evidence, path, &interrupt);
                files.witness = witness.map_err(not_written)?;
            }
            if let Evidence::Trace(trace) = evidence {
                let table = || report::trace_table(&way_back.input_table(trace));
                files.trace_table = args.report.is_some().then(table);
            }
            if matches!(evidence, Evidence::Trace(_) | Evidence::Execution { .. }) {
                files.story = way_back.story(evidence, args.trace);
                if args.harness.is_some() {
                    files.harness = way_back.harness(evidence).map_err(not_written)?;
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
        Evidence::Induction { k, simple_path: false, facts: None } => {
            way_back.induction_certificate(*k)
        }
        Evidence::Induction { k, simple_path: false, facts: Some(facts) } => {
            let bytes = way_back.strengthened_induction_certificate(*k, facts);
            let bytes = bytes.map_err(not_written)?;
            if bytes.is_none() {
                eprintln!("wedge: no certificate: a proof with invariants has none in this form");
            }
            return Ok(bytes);
        }
        Evidence::Induction { simple_path: true, .. } => {
            eprintln!("wedge: no certificate: a proof over simple paths has none in this form");
            return Ok(None);
        }
        Evidence::Exhaustion { .. } => {
            eprintln!("wedge: no certificate: the proof is that all paths have been looked at");
            return Ok(None);
        }
        Evidence::OnlyRun { .. } => {
            eprintln!("wedge: no certificate: an execution has none");
            return Ok(None);
        }
        Evidence::Trace(_) | Evidence::Execution { .. } => return Ok(None),
    };
    bytes.map(Some).map_err(not_written)
}

fn not_written(failure: Failure) -> InputError {
    InputError(format!("the evidence cannot be written: {failure}"))
}
