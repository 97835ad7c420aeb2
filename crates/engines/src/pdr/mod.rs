//! Property-directed reachability: IC3 of Bradley (VMCAI 2011) in the form of Eén, Mishchenko and
//! Brayton, "Efficient implementation of property directed reachability" (FMCAD 2011).
//!
//! Frames F₀ = I, F₁ ⊇ … over-approximate the states reachable in so many steps, as sets of
//! clauses over the latches. A state of the last frame that is bad is an *obligation*: it has to
//! be blocked, for which its predecessors have to be blocked in the frame below. A cube without
//! predecessor becomes, generalised, a lemma. When no bad state is left, lemmas are pushed
//! upwards; if a frame equals the next one it is an inductive invariant.
//!
//! | idea | place |
//! | --- | --- |
//! | obligations and their queue | `block`, [`obligation`] |
//! | lifting by justification and ternary simulation | [`lift`] |
//! | generalisation, counterexamples to it (Hassan, Bradley, Somenzi 2013) | `generalize` |
//! | delta-encoded frames, subsumption, infinite frame | [`frames`] |
//! | signals: comparisons of words as literals (Dureja, Gurfinkel, Ivrii, Vizel 2021) | [`extend`], `abstraction` |
//! | localisation: parts of the circuit left open, refined by counterexamples (Kurshan 1994) | `localize` |
//! | clauses of the transition relation, variable elimination | [`transition`], [`eliminate`] |
//! | loading by need, domains, activation literals | [`solvers`], [`frame_solver`] |
//!
//! Constraints hold in every step: they are clauses of every solver, and targets of every
//! lifting, so that the inputs stored with a cube satisfy them in all its states.

mod abstraction;
mod activity;
mod backend;
mod block;
mod config;
mod cube;
mod eliminate;
mod evidence;
pub(crate) mod extend;
mod frame_solver;
mod frames;
mod generalize;
pub(crate) mod initial;
pub(crate) mod lift;
mod localize;
mod obligation;
mod push;
pub(crate) mod solvers;
#[cfg(test)]
mod tests;
pub(crate) mod transition;

use crate::contract::{Context, Engine, Insight, Outcome, UnknownReason};
use crate::figures;
use activity::Activity;
use backend::{Backend, Cadical};
pub use config::{Ctg, CtgLimits, ExtraSignals, Layout, Lifting, Localize, PdrConfig, SolverKind};
use cube::Cube;
use extend::Extended;
use frames::Frames;
use initial::Initial;
use lift::CubeLifter;
use obligation::{Queue, States};
use solvers::{INFINITY, Solvers};
use transition::Transition;
use wedge_model::Circuit;
use wedge_sat::light;

#[derive(Clone, Debug, Default)]
pub struct Pdr {
    pub config: PdrConfig,
}

/// The result of a part of the run; an error is the reason to give up.
type Step<T> = Result<T, UnknownReason>;

#[derive(Default)]
struct Counters {
    obligations: u64,
    lemmas: u64,
    ctgs: u64,
    pushes_spared: u64,
    /// Lemmas that mention a signal.
    with_signals: u64,
}

/// One run of the engine.
struct Run<'a, B> {
    extended: &'a Extended,
    /// The circuit with its signals.
    circuit: &'a Circuit,
    context: &'a Context,
    config: &'a PdrConfig,
    transition: &'a Transition,
    initial: Initial,
    frames: Frames<'a, B>,
    lifter: CubeLifter<'a>,
    activity: Activity,
    states: States,
    queue: Queue,
    counters: Counters,
    recorded: [u64; 5],
    /// How many lemmas were ever found to hold forever, when that was last told.
    told: usize,
}

impl Engine for Pdr {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        match self.config.localize {
            Some(what) => localize::run(self, what, circuit, context),
            None => self.decide(circuit, context),
        }
    }
}

impl Pdr {
    fn decide(&self, circuit: &Circuit, context: &Context) -> Outcome {
        let extended = Extended::new(circuit, self.config.signals.as_deref());
        let transition = Transition::new(&extended, self.config.eliminate);
        context.record(|f| {
            f.add(figures::SIGNALS, extended.definitions.len() as f64);
            f.add(figures::TRANSITION_VARIABLES, transition.num_vars() as f64);
            f.add(figures::TRANSITION_CLAUSES, transition.num_clauses() as f64);
        });
        match self.config.solver {
            SolverKind::Light => {
                Run::<light::Solver>::new(&extended, context, &self.config, &transition).run()
            }
            SolverKind::Cadical => {
                Run::<Cadical>::new(&extended, context, &self.config, &transition).run()
            }
        }
    }
}

impl<'a, B: Backend> Run<'a, B> {
    fn new(
        extended: &'a Extended,
        context: &'a Context,
        config: &'a PdrConfig,
        transition: &'a Transition,
    ) -> Self {
        let circuit = &extended.circuit;
        let solvers = Solvers::new(circuit, transition, config, &context.interrupt());
        Run {
            extended,
            circuit,
            context,
            config,
            transition,
            initial: Initial::new(extended),
            frames: Frames::new(solvers, circuit.latches.len()),
            lifter: CubeLifter::new(extended),
            activity: Activity::new(circuit.latches.len()),
            states: States::default(),
            queue: Queue::default(),
            counters: Counters::default(),
            recorded: [0; 5],
            told: 0,
        }
    }

    fn run(mut self) -> Outcome {
        let outcome = self.search().unwrap_or_else(Outcome::Unknown);
        self.record();
        self.context.tell(&Insight::Frames(&|| self.frame_lemmas()));
        outcome
    }

    fn search(&mut self) -> Step<Outcome> {
        if let Some(trace) = self.initial_violation()? {
            return Ok(Outcome::Unsafe(trace));
        }
        self.context.bounds().refute(0);
        loop {
            let last = self.frames.last();
            if self.config.max_frames.is_some_and(|max| last >= max) {
                return Err(UnknownReason::BoundReached(last));
            }
            self.frames.open();
            self.record();
            if let Some(frame) = self.propagate()? {
                return Ok(Outcome::Safe(self.invariant(frame)));
            }
            self.tell_invariants();
            if let Some(trace) = self.strengthen()? {
                return Ok(Outcome::Unsafe(trace));
            }
            self.context.bounds().refute(self.frames.last());
        }
    }

    fn add_lemma(&mut self, cube: Cube, frame: usize) {
        self.counters.lemmas += 1;
        self.counters.with_signals += cube.lits().iter().any(|&l| self.is_signal(l)) as u64;
        self.activity.bump(cube.lits());
        self.frames.add(cube, frame);
    }

    /// Tells the lemmas that hold forever, if there are new ones.
    fn tell_invariants(&mut self) {
        let found = self.frames.found_forever;
        if std::mem::replace(&mut self.told, found) < found {
            self.context.tell(&Insight::Invariant(&self.invariant(INFINITY)));
        }
    }

    fn is_signal(&self, lit: light::Lit) -> bool {
        self.extended.is_signal(lit.var() as usize - 1)
    }

    /// Whether a literal is that of a latch that some signal reads.
    fn is_covered(&self, lit: light::Lit) -> bool {
        self.extended.is_covered.get(lit.var() as usize - 1) == Some(&true)
    }

    fn record(&mut self) {
        let figures = [
            (figures::OBLIGATIONS, self.counters.obligations),
            (figures::LEMMAS, self.counters.lemmas),
            (figures::CTGS, self.counters.ctgs),
            (figures::PUSHES_SPARED, self.counters.pushes_spared),
            (figures::SIGNAL_LEMMAS, self.counters.with_signals),
        ];
        let before = std::mem::replace(&mut self.recorded, figures.map(|(_, figure)| figure));
        self.context.record(|f| {
            f.bound = self.frames.last();
            f.queries = self.frames.solvers.queries;
            f.solver_seconds = self.frames.solvers.seconds;
            for ((key, figure), before) in figures.into_iter().zip(before) {
                f.add(key, (figure - before) as f64);
            }
        });
    }
}
