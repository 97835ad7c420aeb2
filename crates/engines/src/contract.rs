//! What an engine is given and what it gives back.

use crate::bounds::KnownBounds;
use crate::course::{Course, Moment};
use crate::figures::Figures;
use crate::paths::ReachabilityGraph;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use wedge_c::Properties;
use wedge_c::execute::Finding;
use wedge_c::typed::Program;
use wedge_model::cfa::{Cfa, CutInvariants, LocationId, QuantifiedInvariants, Run};
use wedge_model::{Circuit, Predicate, Trace};
use wedge_sat::Interrupt;

/// A model-checking algorithm on circuits.
pub trait Engine {
    /// Decides whether a bad state of `circuit` is reachable. Returns soon after the context
    /// asks it to stop, with `Unknown`.
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome;
}

/// A model-checking algorithm on automata.
pub trait AutomatonEngine {
    /// Decides whether a target of `automaton` is reachable. Returns soon after the context asks
    /// it to stop, with `Unknown`.
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome;
}

/// An algorithm that executes programs.
pub trait ProgramEngine {
    /// Looks for a run of `program` that violates one of the properties. Returns soon after the context asks
    /// it to stop.
    fn run(&self, program: &Program, properties: &Properties, context: &Context) -> Finding;
}

/// A claim about an automaton and its evidence.
#[derive(Clone)]
pub enum AutomatonOutcome {
    /// A formula for each cut point.
    Safe(CutInvariants),
    /// Formulas for each cut point, for all values of bound variables.
    SafeForAll(QuantifiedInvariants),
    /// Every run ends: none comes to more than `length` of the cut points, which every cycle goes
    /// through, and none to a target.
    SafeByExhaustion {
        cuts: Vec<LocationId>,
        length: usize,
    },
    /// A run to a target.
    Unsafe(Run),
    /// A formula for each cut point, which holds if words are unbounded integers.
    SafeForIntegers(CutInvariants),
    Unknown(UnknownReason),
}

/// A claim about a circuit and its evidence.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// An inductive invariant that excludes every bad state.
    Safe(Predicate),
    /// The property itself is k-inductive, on paths without repeated states if `simple_path`.
    SafeByInduction {
        k: usize,
        simple_path: bool,
    },
    /// Every path ends: none has more than `length` steps, and no step of a path is bad.
    SafeByExhaustion {
        length: usize,
    },
    /// A path to a bad state.
    Unsafe(Trace),
    Unknown(UnknownReason),
}

impl Outcome {
    /// An engine found its own machinery broken; no verdict follows.
    pub fn internal(error: impl std::fmt::Display) -> Outcome {
        Outcome::Unknown(UnknownReason::Internal(error.to_string()))
    }
}

/// Why nothing was decided. It is sent between processes as it is.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum UnknownReason {
    Timeout,
    Memory,
    Cancelled,
    /// The engine ended without an answer: the bound it was given is exhausted.
    BoundReached(usize),
    /// Something in the input that cannot be modelled, with its place.
    Unsupported(String),
    /// The way of the engine does not fit this input, for this reason; it says nothing of the input.
    Inapplicable(String),
    /// The model would be too large, in this way.
    TooLarge(String),
    /// A run of the program has undefined behaviour, of this kind and at this place, so that nothing
    /// is said about it.
    UndefinedBehaviour(String),
    /// A counterexample ends where the model does; the program may go on.
    ModelLimit(String),
    /// A counterexample needs a result that a function of the library may not have.
    Inexact(String),
    /// A counterexample that the program does not confirm.
    Unconfirmed(String),
    /// A proof for unbounded integers is none for words.
    UnboundedOnly,
    /// A counterexample of unbounded integers is none of words: it rests on numbers that are too
    /// large, or on a bit operation that is over-approximated.
    Overapproximated,
    /// A counterexample of an abstraction of arrays is none of the program.
    ArraysTooCoarse,
    /// The only run of the program ends in this way, which is no proof.
    OnlyRun(String),
    /// The only run of the program depends on this, which the language leaves open.
    Unspecified(String),
    /// An earlier property has used up the process.
    NotChecked {
        earlier: usize,
    },
    /// There is a proof, but it has no certificate, for this reason.
    NotCertified(String),
    /// The process of the engine ended in this way.
    Crashed(String),
    /// There is no engine for this input.
    NoEngine,
    /// Engines of a portfolio, each with its own reason.
    Several(Vec<(String, UnknownReason)>),
    /// Evidence did not pass its check, or an engine broke its contract.
    Internal(String),
}

impl std::fmt::Display for UnknownReason {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            UnknownReason::Timeout => write!(f, "timeout"),
            UnknownReason::Memory => write!(f, "out of memory"),
            UnknownReason::Cancelled => write!(f, "cancelled"),
            UnknownReason::BoundReached(bound) => write!(f, "bound {bound} reached"),
            UnknownReason::Unsupported(what)
            | UnknownReason::Inapplicable(what)
            | UnknownReason::TooLarge(what) => write!(f, "{what}"),
            UnknownReason::UndefinedBehaviour(what) => write!(f, "undefined behaviour: {what}"),
            UnknownReason::ModelLimit(what) => write!(f, "limit of the model: {what}"),
            UnknownReason::Inexact(what) => write!(f, "inexact library function: {what}"),
            UnknownReason::Unconfirmed(what) => write!(f, "counterexample not confirmed: {what}"),
            UnknownReason::UnboundedOnly => write!(f, "holds for unbounded integers only"),
            UnknownReason::Overapproximated => {
                write!(f, "a counterexample of unbounded integers is none of machine integers")
            }
            UnknownReason::ArraysTooCoarse => write!(f, "array abstraction too coarse"),
            UnknownReason::OnlyRun(what) => write!(f, "the only run: {what}"),
            UnknownReason::Unspecified(what) => write!(f, "the only run depends on {what}"),
            UnknownReason::NotChecked { earlier } => {
                write!(f, "not checked: the engine did not stop at the limit on property {earlier}")
            }
            UnknownReason::NotCertified(why) => write!(f, "{why}"),
            UnknownReason::Crashed(how) => write!(f, "{how}"),
            UnknownReason::NoEngine => write!(f, "no engine is available"),
            UnknownReason::Several(reasons) => {
                let one =
                    |(engine, reason): &(String, UnknownReason)| format!("{engine}: {reason}");
                write!(f, "{}", reasons.iter().map(one).collect::<Vec<_>>().join("; "))
            }
            UnknownReason::Internal(what) => write!(f, "internal error: {what}"),
        }
    }
}

/// Limits, cancellation and the place for figures; shared between threads.
#[derive(Clone)]
pub struct Context {
    stop: Arc<AtomicBool>,
    deadline: Option<Instant>,
    figures: Arc<Mutex<Figures>>,
    course: Arc<Mutex<Course>>,
    observer: Option<Observer>,
    bounds: KnownBounds,
}

/// What an engine finds on its way, for those who want to follow it.
pub enum Insight<'a> {
    /// A new unrolling bound.
    Bound(usize),
    /// About the latches of the circuit that the engine was given.
    Interpolant(&'a Predicate),
    /// A bad state is reachable from an over-approximation only.
    Spurious,
    /// The union of the interpolants is inductive.
    FixedPoint(&'a Predicate),
    /// All inductive invariants that were found by the way.
    Invariant(&'a Predicate),
    /// The abstract reachability graph in the end.
    Graph(&'a dyn Fn() -> ReachabilityGraph),
    /// The lemmas that each frame has in the end and the next one has not, as far as is known; the
    /// last list holds forever.
    Frames(&'a dyn Fn() -> Vec<Vec<Predicate>>),
}

pub type Observer = Arc<dyn Fn(&Insight) + Send + Sync>;

impl Context {
    pub fn new(timeout: Option<Duration>) -> Context {
        Context {
            stop: Arc::new(AtomicBool::new(false)),
            deadline: timeout.map(|t| Instant::now() + t),
            figures: Arc::default(),
            course: Arc::default(),
            observer: None,
            bounds: KnownBounds::default(),
        }
    }

    /// The same context with less time.
    pub fn within(&self, time: Duration) -> Context {
        let end = Instant::now() + time;
        let deadline = Some(self.deadline.map_or(end, |deadline| deadline.min(end)));
        Context { deadline, ..self.clone() }
    }

    /// The same context with one more who is told the engine's insights.
    pub fn observed(mut self, observer: Observer) -> Context {
        let observer = match self.observer.take() {
            None => observer,
            Some(earlier) => Arc::new(move |insight: &Insight| {
                earlier(insight);
                observer(insight);
            }),
        };
        Context { observer: Some(observer), ..self }
    }

    /// The same context for a run on a circuit of which these bounds are known. It can be asked to
    /// stop without the others.
    pub fn apart(&self, bounds: KnownBounds) -> Context {
        Context { stop: Arc::default(), bounds, ..self.clone() }
    }

    /// What is known about the paths of the circuit.
    pub fn bounds(&self) -> &KnownBounds {
        &self.bounds
    }

    pub fn tell(&self, insight: &Insight) {
        if let Some(observer) = &self.observer {
            observer(insight);
        }
    }

    /// Asks the engine to stop.
    pub fn cancel(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// What solvers poll while they run.
    pub fn interrupt(&self) -> Interrupt {
        Interrupt { flag: self.stop.clone(), deadline: self.deadline }
    }

    /// Why a solver was stopped.
    pub fn stop_reason(&self) -> UnknownReason {
        self.interrupted().unwrap_or(UnknownReason::Cancelled)
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Why the engine has to stop now, if it has to.
    pub fn interrupted(&self) -> Option<UnknownReason> {
        if self.deadline.is_some_and(|d| Instant::now() >= d) {
            return Some(UnknownReason::Timeout);
        }
        self.stop.load(Ordering::Relaxed).then_some(UnknownReason::Cancelled)
    }

    /// Updates the figures; they may be read at any time by a status line.
    pub fn record(&self, update: impl FnOnce(&mut Figures)) {
        let mut figures = self.figures.lock().expect("no engine panics while it records");
        update(&mut figures);
        self.course.lock().expect("nobody panics with the course").note(&figures);
    }

    /// How the figures have grown so far.
    pub fn course(&self) -> Vec<Moment> {
        self.course.lock().expect("nobody panics with the course").moments().to_vec()
    }

    pub fn figures(&self) -> Figures {
        self.figures.lock().expect("no engine panics while it records").clone()
    }
}
