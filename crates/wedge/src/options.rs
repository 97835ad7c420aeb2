//! What a check is asked for, as values: the command line makes them of its arguments, and other
//! programs write them down.

use crate::question::Question;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Arc;
use std::time::Duration;
use wedge_c::library::UndefinedFunctions;
use wedge_c::{CheckPoint, DataModel, EntryPoint};
use wedge_engines::paths::ReachabilityGraph;
use wedge_engines::registry::{self, Entry, Setting};
pub use wedge_evidence::c::witness::Version;

/// All about one check. [`Options::default`] lets a portfolio of engines decide, without limits.
#[derive(Clone)]
pub struct Options {
    pub engine: Choice,
    /// The options of the engines themselves.
    pub settings: registry::Options,
    /// How C programs are read and modelled.
    pub program: ProgramOptions,
    /// Which properties are asked about; without it all of them, as far as they are one question.
    pub question: Option<Question>,
    pub timeout: Option<Duration>,
    /// In bytes. A portfolio ends its largest engine when it is reached, and without a limit takes
    /// most of the memory that is free.
    pub memory: Option<u64>,
    /// Simplify the circuit before the engine sees it; otherwise only what cannot influence the
    /// property is removed.
    pub simplify: bool,
    /// Auxiliary invariants; none stands for what the engine has by default.
    pub invariants: Option<Invariants>,
    /// Give out a proof even if a run was found whose behaviour is undefined.
    pub ignore_undefined: bool,
    pub portfolio: PortfolioOptions,
    pub wanted: Wanted,
    /// Is told the steps of the proof as they happen, if a single engine runs.
    pub follower: Option<Follower>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            engine: Choice::Portfolio,
            settings: registry::Options::default(),
            program: ProgramOptions::default(),
            question: None,
            timeout: None,
            memory: None,
            simplify: true,
            invariants: None,
            ignore_undefined: false,
            portfolio: PortfolioOptions::default(),
            wanted: Wanted::default(),
            follower: None,
        }
    }
}

impl Options {
    /// Options for a single engine; none if there is no engine of this name.
    pub fn for_engine(name: &str) -> Option<Options> {
        let engine = Choice::Engine(registry::find(name)?);
        Some(Options { engine, ..Options::default() })
    }

    /// The question, after a model has made one of no question.
    pub(crate) fn asked(&self) -> Question {
        self.question.clone().unwrap_or_else(|| Question::one(0))
    }

    pub fn within(self, timeout: Duration) -> Options {
        Options { timeout: Some(timeout), ..self }
    }
}

/// Who decides.
#[derive(Clone, Copy, Debug)]
pub enum Choice {
    /// Several engines at once; the first answer counts.
    Portfolio,
    Engine(&'static Entry),
}

impl Choice {
    /// The name of the portfolio where engines have theirs.
    pub const PORTFOLIO: &str = "portfolio";

    pub fn find(name: &str) -> Option<Choice> {
        match name == Choice::PORTFOLIO {
            true => Some(Choice::Portfolio),
            false => registry::find(name).map(Choice::Engine),
        }
    }

    pub fn name(&self) -> &'static str {
        match self {
            Choice::Portfolio => Choice::PORTFOLIO,
            Choice::Engine(entry) => entry.name,
        }
    }
}

/// What a C program means.
#[derive(Clone, Debug, Default)]
pub struct ProgramOptions {
    /// A file with the property; by default what the task definition says, else the usual one.
    pub property: Option<PathBuf>,
    /// What is checked instead, by the names of [`wedge_c::property::CHECKS`], or `all`.
    pub checks: Vec<String>,
    /// By default what the task definition says, else ILP32.
    pub data_model: Option<DataModel>,
    /// One step of the transition system per edge of the automaton, instead of one per loop.
    pub small_blocks: bool,
    pub arrays: ArrayModel,
    /// So many objects of each allocation site stand for all of them.
    pub objects: Option<u8>,
    /// Where more blocks than this would be made of a program, functions that are called often have
    /// one body for all their calls.
    pub expand: Option<usize>,
    /// Where they do, objects that a pointer with more targets than this refers to have arbitrary contents.
    pub crowd: Option<usize>,
    /// What functions without body and model do.
    pub undefined_functions: UndefinedFunctions,
    /// Whether allocations may fail.
    pub malloc_may_fail: bool,
    /// Where runs begin, if not in `main` as it is.
    pub entry: Option<EntryPoint>,
    /// Checks that are known to fail, see [`crate::checks`].
    pub settled: Vec<CheckPoint>,
    /// Whether the functions with which other tools assume and assert mean that.
    pub aliases: bool,
    /// A witness whose places and invariants become part of the program, see [`crate::certify`].
    pub witness: Option<PathBuf>,
}

impl ProgramOptions {
    /// The first of these options that was given, as the command line calls it.
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            (self.property.is_some(), "--property"),
            (!self.checks.is_empty(), "--check"),
            (self.data_model.is_some(), "--data-model"),
            (self.small_blocks, "--small-blocks"),
            (self.arrays != ArrayModel::Auto, "--arrays"),
            (self.objects.is_some(), "--objects"),
            (self.expand.is_some(), "--expand"),
            (self.crowd.is_some(), "--crowd"),
            (self.entry.is_some(), "--function"),
            (self.aliases, "--aliases"),
        ];
        given.into_iter().find(|(is_given, _)| *is_given).map(|(_, option)| option)
    }
}

/// How the arrays of programs are modelled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ArrayModel {
    /// All elements.
    Precise,
    /// Elements at a few symbolic indices.
    Cells,
    /// Cells for large arrays, and then all elements, if cells are too coarse.
    #[default]
    Auto,
}

/// Which auxiliary invariants of a program are looked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Invariants {
    None,
    /// Intervals and known bits, by data-flow analysis.
    Dataflow,
    /// Also relations between variables, guessed from runs.
    Relations,
}

/// How a portfolio runs.
#[derive(Clone)]
pub struct PortfolioOptions {
    /// How many engines run at once; by default as many as there are processors.
    pub cores: Option<usize>,
    /// Whether engines tell each other which bounds and invariants they have found.
    pub sharing: bool,
    pub members: Members,
}

impl Default for PortfolioOptions {
    fn default() -> PortfolioOptions {
        PortfolioOptions { cores: None, sharing: true, members: Members::Threads }
    }
}

/// Where the engines of a portfolio run.
#[derive(Clone)]
pub enum Members {
    /// In threads of this process, which share its memory and its fate.
    Threads,
    /// In processes of their own, which take turns and can crash alone. Each reads the model.
    Processes(Arc<dyn Launcher>),
    /// In copies of this process, where the system has them, so that the model is read and encoded
    /// once; otherwise, and should the process that makes them die, as with the launcher. For
    /// programs with one thread: see [`wedge_process::nursery`].
    Copies(Arc<dyn Launcher>),
}

/// Knows how a process is started that runs as a member of a portfolio.
pub trait Launcher: Send + Sync {
    /// A command that calls [`crate::portfolio::member`] for this task.
    fn command(&self, task: &MemberTask) -> Command;
}

/// What a member of a portfolio is to do.
pub struct MemberTask {
    pub question: Question,
    pub engine: &'static str,
    pub objects: Option<u8>,
    /// Options of the engine that have another value than usual.
    pub settings: &'static [Setting],
    pub timeout: Option<Duration>,
    pub memory: Option<u64>,
    /// Checks of a program that are known to fail.
    pub settled: Vec<CheckPoint>,
}

/// What the answer is to contain besides the verdict.
#[derive(Clone, Debug, Default)]
pub struct Wanted {
    pub witness: Option<WitnessFormat>,
    /// What does not matter is marked in the witness of a circuit.
    pub partial: bool,
    pub certificate: bool,
    /// A proof counts only if it has a certificate.
    pub only_certified: bool,
    /// The counterexample of a C program as a C program that reaches the error.
    pub harness: bool,
    /// The values of a circuit's signals in a counterexample, step by step.
    pub waveform: bool,
    /// The whole error trace of a C program, not only its beginning and end.
    pub whole_trace: bool,
    /// What a report shows besides: a longer error trace, invariants, the automaton, the steps of
    /// the engine.
    pub inside: bool,
}

/// The format of witnesses of C programs; circuits have one each.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WitnessFormat {
    /// Version 2.0 or later.
    Yaml(Version),
    /// Version 1.0.
    GraphMl,
}

/// Hears of the steps of a proof.
pub type Follower = Arc<dyn Fn(&ProofStep) + Send + Sync>;

/// A step of a proof, in the terms of the model.
#[derive(Clone)]
pub enum ProofStep {
    /// The formulas of a program's prefix, loops and suffixes.
    Outline(String),
    /// A new unrolling bound.
    Bound(usize),
    Interpolant(String),
    /// A bad state is reachable from an over-approximation only.
    Spurious,
    FixedPoint(String),
    /// The abstract reachability graph in the end.
    Graph(Box<ReachabilityGraph>),
}
