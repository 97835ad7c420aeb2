//! From a property to a decision: model, reduce, run an engine, check its evidence.
//!
//! All of it happens in a thread of its own. The calling thread looks at the progress and keeps
//! the limits: work that does not stop in time or uses too much memory is abandoned, and the
//! process ends as soon as its answer is published.
//!
//! For a program several models may be tried one after the other ([`efforts`](crate::efforts)).
//! What an engine reads decides how it is run: [`circuit`], [`automaton`] or [`program`].

mod automaton;
mod circuit;
mod evidence;
mod program;
mod run;

pub use evidence::Evidence;

use crate::answer::{Answer, Files};
use crate::efforts::{Efforts, Event};
use crate::input::{Doubt, Effort, InputError, Model, Piece, Publication};
use crate::notebook::Notebook;
use crate::options::{Follower, Invariants, Options};
use crate::question::Question;
use crate::sharing::Sharing;
use crate::verdict::{Said, Verdict};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use wedge_engines::preprocess::Config;
use wedge_engines::registry::{self, Entry, UseOfFacts};
use wedge_engines::{Context, UnknownReason, figures};
use wedge_evidence::c::Extent;
use wedge_evidence::{Checked, Proof, Rejection};
use wedge_process::{clock, usage};

/// How long a thread may take to notice that it should stop.
const GRACE: Duration = Duration::from_millis(500);
const STACK: usize = 1 << 30;
/// How often the calling thread looks at the progress.
const TICK: Duration = Duration::from_millis(5);
/// Parts of an invariant that people may want to read.
const CLAUSES: usize = 1000;

/// Notes when an engine begins to search; the first time counts.
fn first_step(context: &Context) {
    let Some(time) = clock::since_start() else { return };
    context.record(|figures| {
        if figures.get(figures::FIRST_STEP).is_none() {
            figures.set(figures::FIRST_STEP, time.as_secs_f64());
        }
    });
}

/// What an engine came to on one question.
pub struct Decision {
    question: Question,
    conclusion: Conclusion,
    context: Context,
    seconds: f64,
    /// The work did not stop at a limit and is still going on.
    abandoned: bool,
    notebook: Option<Notebook>,
}

/// What the thread is given.
struct Work {
    model: Arc<dyn Model>,
    question: Question,
    engine: &'static Entry,
    settings: registry::Options,
    config: Config,
    context: Context,
    /// An answer is at hand, and its evidence is being checked.
    checking: Arc<AtomicBool>,
    follower: Option<Follower>,
    notebook: Option<Notebook>,
    ignore_undefined: bool,
    invariants: Invariants,
    sharing: Sharing,
    /// Whether a search for a shorter counterexample is worth some time.
    shorten: bool,
    /// Whether a proof by induction may rest on facts of others, which not all certificates allow.
    takes_facts: bool,
}

/// An engine that decides a property in a thread of its own.
pub struct Running {
    pub engine: &'static Entry,
    pub context: Context,
    checking: Arc<AtomicBool>,
    thread: JoinHandle<Conclusion>,
    question: Question,
    notebook: Option<Notebook>,
}

/// Starts an engine on the property that the options name. The time since `begin` counts.
pub fn start(
    options: &Options,
    engine: &'static Entry,
    model: &Arc<dyn Model>,
    begin: Instant,
) -> Running {
    start_sharing(options, engine, model, begin, &Sharing::default())
}

fn start_sharing(
    options: &Options,
    engine: &'static Entry,
    model: &Arc<dyn Model>,
    begin: Instant,
    sharing: &Sharing,
) -> Running {
    let context = Context::new(options.timeout.map(|t| t.saturating_sub(begin.elapsed())));
    let checking = Arc::new(AtomicBool::new(false));
    let notebook = options.wanted.inside.then(Notebook::default);
    let work = Work {
        model: model.clone(),
        question: options.asked(),
        engine,
        settings: options.settings.clone(),
        config: (engine.preprocessing)(&options.settings, options.simplify),
        context: context.clone(),
        checking: checking.clone(),
        follower: options.follower.clone(),
        notebook: notebook.clone(),
        ignore_undefined: options.ignore_undefined,
        invariants: options.invariants.unwrap_or(by_default(engine)),
        sharing: sharing.clone(),
        shorten: (options.wanted.witness.is_some() || options.wanted.waveform)
            && model.as_program().is_none(),
        takes_facts: !options.wanted.certificate || model.as_program().is_some(),
    };
    let builder = std::thread::Builder::new().stack_size(STACK);
    let thread = builder.spawn(move || work.decide()).expect("a thread can be started");
    Running { engine, context, checking, thread, question: options.asked(), notebook }
}

impl Running {
    /// Whether it has an answer of which the evidence is being checked.
    pub fn is_checking(&self) -> bool {
        self.checking.load(Ordering::Relaxed)
    }

    /// Whether the engine has an answer, or has passed a limit without stopping by itself.
    pub fn has_ended(&self, options: &Options) -> bool {
        self.thread.is_finished() || exceeded(options.memory, &self.context).is_some()
    }

    /// What the engine came to; one that has passed a limit is abandoned.
    pub fn decision(self, options: &Options, begin: Instant) -> Decision {
        let abandoned = !self.thread.is_finished();
        let conclusion = match abandoned {
            true => {
                let limit = exceeded(options.memory, &self.context);
                Conclusion::unknown(limit.unwrap_or_else(|| self.context.stop_reason()))
            }
            false => {
                let panicked = || UnknownReason::Internal("the engine panicked".into());
                self.thread.join().unwrap_or_else(|_| Conclusion::unknown(panicked()))
            }
        };
        let seconds = begin.elapsed().as_secs_f64();
        let Running { question, context, notebook, .. } = self;
        Decision { question, conclusion, context, seconds, abandoned, notebook }
    }

    /// The answer; one that cannot be written is none.
    pub fn finish(self, options: &Options, begin: Instant) -> Answer {
        self.decision(options, begin).answer(options).unwrap_or_else(|InputError(cause)| {
            Answer::bare(options.asked(), UnknownReason::Internal(cause).into())
        })
    }
}

/// Decides the property that the options name, keeps the limits, and lets `observe` look at the
/// figures every few milliseconds, and at whether evidence is being checked. The time since `begin`
/// counts.
pub fn check_property(
    options: &Options,
    engine: &'static Entry,
    model: &Arc<dyn Model>,
    begin: Instant,
    sharing: &Sharing,
    observe: &mut dyn FnMut(&Context, bool),
) -> Decision {
    let running = start_sharing(options, engine, model, begin, sharing);
    while !running.has_ended(options) {
        std::thread::park_timeout(TICK);
        observe(&running.context, running.checking.load(Ordering::Relaxed));
    }
    running.decision(options, begin)
}

/// The auxiliary invariants that an engine gets unless the user says otherwise.
fn by_default(engine: &Entry) -> Invariants {
    match engine.facts {
        UseOfFacts::WhileRunning => Invariants::Relations,
        UseOfFacts::AsConstraints | UseOfFacts::No => Invariants::None,
    }
}

/// A limit that the work has passed without stopping by itself.
fn exceeded(memory: Option<u64>, context: &Context) -> Option<UnknownReason> {
    if memory.is_some_and(|limit| usage::resident("self") > limit) {
        return Some(UnknownReason::Memory);
    }
    let late = context.deadline().is_some_and(|d| Instant::now() > d + GRACE);
    late.then_some(UnknownReason::Timeout)
}

struct Conclusion {
    verdict: Verdict,
    evidence: Option<Evidence>,
    /// The last model that was tried, as far as answers need it; `None` if there was none.
    published: Option<Published>,
    warnings: Vec<String>,
}

/// What answers need of a model.
struct Published {
    publication: Arc<dyn Publication>,
    notes: Vec<String>,
}

impl Conclusion {
    fn unknown(reason: UnknownReason) -> Conclusion {
        let verdict = reason.into();
        Conclusion { verdict, evidence: None, published: None, warnings: Vec::new() }
    }

    fn on(evidence: Evidence) -> Conclusion {
        let verdict = evidence.verdict();
        let evidence = Some(evidence);
        Conclusion { verdict, evidence, published: None, warnings: Vec::new() }
    }

    /// Evidence has failed its check: there is no verdict, and the user must hear of it.
    fn rejected(engine: &Entry, rejection: &Rejection) -> Conclusion {
        let name = engine.name;
        let reason = UnknownReason::Internal(format!("evidence rejected: {rejection}"));
        let warnings = vec![
            format!("INTERNAL ERROR: the evidence of {name} was rejected: {rejection}"),
            "no verdict is given; please report this with the model".to_string(),
        ];
        Conclusion { warnings, ..Conclusion::unknown(reason) }
    }

    fn about(self, published: Published) -> Conclusion {
        Conclusion { published: Some(published), ..self }
    }
}

/// How an attempt with one model ends.
enum Attempt {
    Done(Box<Conclusion>),
    Failed(Event),
}

impl Attempt {
    fn done(conclusion: Conclusion) -> Attempt {
        Attempt::Done(Box::new(conclusion))
    }

    fn unknown(reason: UnknownReason) -> Attempt {
        Attempt::done(Conclusion::unknown(reason))
    }
}

/// How an attempt ends, and what answers need of its model, if there was one.
type Tried = (Attempt, Option<Published>);

impl Work {
    /// What was concluded; a proof only if no run is at hand that speaks against it.
    fn decide(&self) -> Conclusion {
        let conclusion = self.conclude();
        if *conclusion.verdict.said() != Said::True {
            return conclusion;
        }
        let doubt = self.model.as_program().and_then(|program| program.doubt());
        let refused = match doubt {
            None => return conclusion,
            Some(Doubt::Undefined(_)) if self.ignore_undefined => return conclusion,
            Some(Doubt::Undefined(what)) => {
                Conclusion::unknown(UnknownReason::UndefinedBehaviour(what))
            }
            Some(Doubt::Error) => {
                let rejection = Rejection::Malformed("an execution reaches the error".into());
                Conclusion::rejected(self.engine, &rejection)
            }
        };
        Conclusion { published: conclusion.published, ..refused }
    }

    fn conclude(&self) -> Conclusion {
        let levels = &self.engine.levels;
        if let (Some(build), Some(program)) = (levels.program, self.model.as_program()) {
            return self.execute(&*build(&self.settings), program);
        }
        if let Some(build) = levels.automaton {
            return self.try_models(&|effort, efforts| self.on_automaton(build, effort, efforts));
        }
        match levels.circuit {
            Some(build) => {
                let is_too_large = Cell::new(false);
                let conclusion = self.try_models(&|effort, efforts| {
                    let tried = self.on_circuit(build, effort, efforts);
                    let too_large = Event::is_too_large;
                    is_too_large.set(matches!(&tried.0, Attempt::Failed(e) if too_large(e)));
                    tried
                });
                match levels.words {
                    Some(build) if is_too_large.get() => {
                        self.try_models(&|e, efforts| self.on_automaton(build, e, efforts))
                    }
                    None if is_too_large.get() => self.needs_bits(conclusion),
                    _ => conclusion,
                }
            }
            None => Conclusion::unknown(UnknownReason::Unsupported(format!(
                "{} reads programs only",
                self.engine.name
            ))),
        }
    }

    /// The model has no circuit, and the engine has no other way.
    fn needs_bits(&self, conclusion: Conclusion) -> Conclusion {
        let Said::Unknown(UnknownReason::TooLarge(what)) = conclusion.verdict.said() else {
            return conclusion;
        };
        let others: Vec<&str> = registry::engines()
            .filter(|entry| entry.levels.words.is_some())
            .map(|entry| entry.name)
            .collect();
        let (name, others) = (self.engine.name, others.join(", "));
        let reason = format!("{name} needs a circuit, {what}; engines that need none: {others}");
        Conclusion::unknown(UnknownReason::TooLarge(reason))
    }

    /// One model after the other, until one leads to an answer or there are no more.
    fn try_models(&self, attempt: &dyn Fn(&Effort, &Efforts) -> Tried) -> Conclusion {
        let mut efforts = Efforts::new(&*self.model, self.engine);
        loop {
            self.checking.store(false, Ordering::Relaxed);
            let (attempt, published) = attempt(&efforts.now, &efforts);
            let event = match attempt {
                Attempt::Done(conclusion) => return Conclusion { published, ..*conclusion },
                Attempt::Failed(Event::NotMade(_)) if self.context.interrupted().is_some() => {
                    return Conclusion::unknown(self.context.stop_reason());
                }
                Attempt::Failed(event) => event,
            };
            if let Err(reason) = efforts.next(event) {
                return Conclusion { published, ..Conclusion::unknown(reason) };
            }
        }
    }

    /// What an attempt comes to when others may follow.
    fn settled(&self, attempt: Attempt, is_tentative: bool, efforts: &Efforts) -> Attempt {
        let Attempt::Done(conclusion) = attempt else { return attempt };
        let goes_on = is_tentative && self.context.interrupted().is_none();
        match conclusion.verdict.said() {
            Said::True if efforts.now.only_error => Attempt::Failed(Event::NoErrorInside),
            Said::Unknown(_) if goes_on => Attempt::Failed(Event::OutOfTime),
            _ => Attempt::Done(conclusion),
        }
    }

    /// What follows from the check of a proof.
    fn proven(&self, checked: Result<Checked<Proof>, Rejection>) -> Attempt {
        Attempt::done(match checked {
            Ok(proof) => Conclusion::on(Evidence::Proof(proof)),
            Err(rejection) => self.not_accepted(&rejection),
        })
    }

    /// Evidence was not accepted, and no other model will help.
    fn not_accepted(&self, rejection: &Rejection) -> Conclusion {
        match rejection {
            Rejection::Stopped => Conclusion::unknown(self.context.stop_reason()),
            Rejection::TooLarge(error) => {
                Conclusion::unknown(UnknownReason::TooLarge(error.to_string()))
            }
            Rejection::Refused { .. } => {
                Conclusion::unknown(UnknownReason::Unsupported(rejection.to_string()))
            }
            other => Conclusion::rejected(self.engine, other),
        }
    }
}

impl Decision {
    /// Whether it is TRUE or FALSE.
    pub fn is_decided(&self) -> bool {
        !matches!(self.conclusion.verdict.said(), Said::Unknown(_))
    }

    /// The answer with what the options ask for.
    pub fn answer(self, options: &Options) -> Result<Answer, InputError> {
        let Conclusion { mut verdict, evidence, published, mut warnings } = self.conclusion;
        let mut files = Files::default();
        let mut violated = Vec::new();
        if let (Some(published), Some(evidence)) = (&published, &evidence) {
            let interrupt = self.context.interrupt();
            let publication = &*published.publication;
            let wanted = &options.wanted;
            let mut take = |remark: Option<String>| warnings.extend(remark);
            if let Some(format) = wanted.witness {
                let piece = publication.witness(evidence, format, &interrupt);
                let Piece { content, remark } = piece.map_err(not_written)?;
                let partial = wanted.partial.then(|| publication.partial_witness(evidence));
                files.witness = partial.flatten().or(content);
                take(remark);
            }
            if wanted.certificate {
                let Piece { content, remark } =
                    publication.certificate(evidence).map_err(not_written)?;
                let lacks = wanted.only_certified && content.is_none();
                files.certificate = content;
                match remark {
                    // The reason of the answer says so.
                    Some(remark) if lacks && evidence.proof().is_some() => {
                        verdict = UnknownReason::NotCertified(remark).into();
                    }
                    remark => take(remark),
                }
            }
            if evidence.is_violation() {
                violated = publication.violated(evidence);
                files.waveform = wanted.waveform.then(|| publication.waveform(evidence)).flatten();
                let extent = if wanted.whole_trace { Extent::WHOLE } else { Extent::SHORT };
                files.counterexample = publication.counterexample(evidence, extent);
                if wanted.inside {
                    files.story = publication.counterexample(evidence, Extent::PAGE);
                }
                if wanted.harness {
                    let Piece { content, remark } =
                        publication.harness(evidence).map_err(not_written)?;
                    files.harness = content;
                    take(remark);
                }
            }
        }
        files.inside = self.notebook.as_ref().map(|notebook| {
            let mut inside = notebook.close(&self.context);
            if let Some(published) = &published {
                let publication = &*published.publication;
                inside.automaton = publication.automaton();
                if let Some(evidence) = evidence.as_ref().filter(|found| !found.is_violation()) {
                    let interrupt = self.context.interrupt();
                    inside.invariants = publication.loop_invariants(evidence, &interrupt);
                    inside.clauses = publication.clauses(evidence);
                    inside.more_clauses = inside.clauses.len().saturating_sub(CLAUSES);
                    inside.clauses.truncate(CLAUSES);
                }
            }
            Box::new(inside)
        });
        let mut answer = Answer::bare(self.question, verdict);
        if let Some(evidence) = &evidence {
            answer.evidence = evidence.in_words();
        }
        Ok(Answer {
            figures: self.context.figures(),
            seconds: self.seconds,
            notes: published.map_or(Vec::new(), |published| published.notes),
            warnings,
            files,
            violated,
            abandoned: self.abandoned,
            ..answer
        })
    }
}

fn not_written(rejection: Rejection) -> InputError {
    InputError(format!("the evidence cannot be written: {rejection}"))
}
