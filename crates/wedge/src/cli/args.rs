//! The command line, as one value per flag with its help text.

use super::bench::BenchArgs;
use super::engine_args::EngineArgs;
use super::manual::{CompletionsArgs, ManArgs};
use super::status::ProgressArg;
use clap::{ArgGroup, Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;
use wedge::{
    ArrayModel, Choice, InputError, Invariants, LimitsAre, Members, Options, PortfolioOptions,
    ProgramOptions, Question, Version, Wanted, WitnessFormat,
};
use wedge_c::library::UndefinedFunctions;
use wedge_c::{CheckPoint, DataModel, EntryPoint};
use wedge_engines::registry;
use wedge_process::cgroup;
use wedge_process::units::{duration_argument, parse_bytes, parse_duration};

#[derive(Parser)]
#[command(
    name = "wedge",
    version,
    about = "Verifies C programs and circuits by Craig interpolation, with evidence.",
    args_override_self = true
)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Decide whether a bad state of a circuit, or an error of a program, is reachable.
    ///
    /// The last line of standard output is the verdict: TRUE, FALSE(bad), for a program
    /// FALSE(unreach-call) or FALSE(assert), or UNKNOWN(reason).
    /// Exit status: 0 TRUE, 10 FALSE, 30 UNKNOWN, 2 bad usage or unreadable input. A circuit with
    /// several properties has one line for each before the verdict, which is the worst of them: FALSE
    /// before UNKNOWN before TRUE.
    Check(Box<CheckArgs>),
    /// Check a certificate or a witness against its model, independently of any engine.
    ///
    /// A certificate (AIGER or BTOR2) is accepted if its reset, transition, safety, base and step
    /// conditions hold; a witness of a circuit if its trace replays to a bad state. A correctness
    /// witness of a program is accepted if its invariants and contracts hold and the property is
    /// proved, a violation witness if a run that follows it violates the property. Prints ACCEPTED,
    /// REJECTED with what is wrong and where, or UNKNOWN. Exit status: 0 accepted, 1 rejected,
    /// 30 undecided within the timeout, 2 bad usage or unreadable input.
    Certify(Box<CertifyArgs>),
    /// Run engines over a suite of tasks and tabulate what they solve.
    ///
    /// Every finished run is kept in the output directory, so the same command continues where a
    /// killed one ended. Exit status: 0, 1 if any verdict was wrong, 3 if runs are missing, 130 if it
    /// was interrupted, 2 bad usage or unreadable input.
    #[command(after_long_help = SUITE_HELP)]
    Bench(Box<BenchArgs>),
    /// Write the model as BTOR2, AIGER, SMT-LIB 2 or DOT.
    ///
    /// A C program becomes a transition system, so that any hardware model checker can read it.
    /// Its first bad state is the call of the error function; a second one, if there is one, says
    /// that the model ends where the program does not: deeper recursion or more allocations than
    /// were asked for.
    Emit(EmitArgs),
    /// Decide a circuit as the hardware model-checking competition asks.
    ///
    /// Prints sat if a property is violated, and writes a witness to SAT-OUT; unsat if all hold, and
    /// writes a certificate of all of them to UNSAT-OUT (if it is given, a proof counts only with its
    /// certificate); else unknown. Exit status: 10 sat, 20 unsat, 0 unknown, 2 bad usage or unreadable
    /// input.
    Hwmcc(HwmccArgs),
    /// Decide a circuit for SymbiYosys, in the protocol of its AIGER and BTOR2 solvers.
    ///
    /// AIGER: progress lines u<k>, then 0 (every property holds), 1 and a witness, or 2. BTOR2: sat and a
    /// witness, or unknown. Exit status 0. `sby --suprove "wedge sby"` lets the engine `aiger suprove` be
    /// this one (modes prove and live), `--aigbmc "wedge sby -k"` the engine `aiger aigbmc` and
    /// `--pono "wedge sby"` the engine `btor pono` (mode bmc).
    Sby(SbyArgs),
    /// List the other solvers that are known: which are installed, their versions and abilities.
    Solvers,
    /// Print the manual page, of Wedge or of one of its commands, or write all of them to a directory.
    Man(ManArgs),
    /// Print the completions of a shell: of commands, options, engines and the values of options.
    ///
    /// For bash, `wedge completions bash > ~/.local/share/bash-completion/completions/wedge`.
    Completions(CompletionsArgs),
}

const SUITE_HELP: &str = r#"A suite:
  name = "counters"

  [limits]                # of every run; these are the defaults
  time = "60s"
  # memory = "4GB"        # without it there is no limit
  jobs = 1

  [[tasks]]               # a tab-separated table with a header line:
  manifest = "tasks.tsv"  # path, expected (safe, unsafe, unknown), category or format, data_model,
                          # property (properties/NAME.prp beside it), subproperty

  [[tasks]]               # or patterns
  files = ["counters/*.aag", "extra.aig"]
  expected = "safe"
  category = "counters"

  [[tasks]]               # or a part of a table, with arguments and a category of its own
  manifest = "tasks.tsv"
  only = "Loops"          # a regular expression over paths and categories
  sample = 20             # about so many of them
  category = "Integer"
  arguments = ["--arithmetic", "integer"]

  [engines]               # a name for the tables = arguments of `wedge check`
  imc = ["--engine", "imc"]
  forward = ["--engine", "imc", "--direction", "forward"]
Paths are relative to the file they stand in."#;

#[derive(Args)]
pub struct CheckArgs {
    /// The model: AIGER (.aig, .aag), BTOR2 (.btor2, .btor), C (.c, .i; several files are linked)
    /// or a task definition (.yml).
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Give out a proof even if a run was found whose behaviour is undefined, such as an access
    /// through a null pointer. The proof holds for runs up to such a place.
    #[arg(long, help_heading = "C programs")]
    pub ignore_undefined: bool,
    /// The algorithm to run.
    #[arg(long, short, default_value = Choice::PORTFOLIO, value_parser = engine_names(), help = engine_help())]
    pub engine: String,
    /// Which property of a circuit to check, counted from 0: bad states, then justice properties. By
    /// default all of them, in one run. Several, as in 0,2, are one question: is one of them violated?
    #[arg(long, value_name = "N", conflicts_with = "all_properties")]
    pub property_index: Option<Question>,
    /// Of a program: every check by itself, one line each with its place. Of a circuit this is the
    /// default. The timeout is for all of them.
    #[arg(long)]
    pub all_properties: bool,
    /// Give up after this time, such as 60s, 500ms, 5m or 1h.
    #[arg(long, value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// Give up when this much memory is in use, such as 4GB or 500MB; by default most of what the
    /// control group of the process allows. A portfolio ends its largest engine instead, and its default
    /// is most of the memory that is free.
    #[arg(long, value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// portfolio: how many engines run at once; by default as many as there are processors.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub cores: Option<u32>,
    /// portfolio: engines do not tell each other which bounds and invariants they have found.
    #[arg(long)]
    pub no_sharing: bool,
    /// Write the counterexample to this file in the model's witness format; of several properties that
    /// fail one after the other. For a C program also the invariants of a proof: witness format 2.0 for
    /// .yml and .yaml, else GraphML.
    #[arg(long, value_name = "OUT")]
    pub witness: Option<PathBuf>,
    /// The version of the witness format of C programs in YAML.
    #[arg(long, value_enum, default_value = "2.0")]
    pub witness_version: WitnessVersionArg,
    /// In the witness of a circuit, inputs that do not matter are x (AIGER) or left out (BTOR2).
    #[arg(long, requires = "witness")]
    pub mark_irrelevant: bool,
    /// Write the invariant to this file as a certificate circuit in the model's format; one for all
    /// properties that hold.
    #[arg(long, value_name = "OUT")]
    pub certificate: Option<PathBuf>,
    /// Count a proof only if it has a certificate; a portfolio goes on until there is one.
    #[arg(long, requires = "certificate")]
    pub only_certified: bool,
    /// Write the counterexample of a C program to this file as a C program that reaches the error.
    #[arg(long, value_name = "OUT.c", conflicts_with = "all_properties")]
    pub harness: Option<PathBuf>,
    /// Print the whole error trace of a C program, not only its beginning and end.
    #[arg(long)]
    pub trace: bool,
    /// Print the steps of the proof: the formulas of a C program's prefix, loop and suffix, and the
    /// interpolants and the fixed point of imc. Needs a single engine.
    #[arg(long, conflicts_with_all = ["json", "all_properties"])]
    pub explain: bool,
    /// Write the abstract reachability graph of a path engine to this file, with its formulas: as
    /// JSON for .json, else as DOT. Needs a single engine.
    #[arg(long, value_name = "OUT.dot|OUT.json", conflicts_with = "all_properties")]
    pub graph: Option<PathBuf>,
    /// Only remove what cannot influence the property; do not simplify the circuit further.
    #[arg(long)]
    pub no_preprocess: bool,
    /// Print the engine's figures before the verdict.
    #[arg(long, conflicts_with = "json")]
    pub stats: bool,
    /// Print the answer as one line of JSON before the verdict; docs/schemas/check.json and
    /// checks.json describe it.
    #[arg(long)]
    pub json: bool,
    /// Write a page about the result to this file: the path through the source or the waveform,
    /// invariants, automaton, what the engine did. It needs no network.
    #[arg(long, value_name = "OUT.html", conflicts_with = "all_properties")]
    pub report: Option<PathBuf>,
    /// Write the counterexample of a circuit to this file as a value change dump, for waveform
    /// viewers.
    #[arg(long, value_name = "OUT.vcd", conflicts_with = "all_properties")]
    pub vcd: Option<PathBuf>,
    /// Write violations to this file as SARIF, with the way to each of them, for editors and code
    /// scanning.
    #[arg(long, value_name = "OUT.sarif")]
    pub sarif: Option<PathBuf>,
    /// What is told on standard error while engines work.
    #[arg(long, value_enum, value_name = "HOW", default_value = "auto")]
    pub progress: ProgressArg,
    /// Write every query about words to a file of this directory, as SMT-LIB 2 with its answer.
    /// Engines on circuits ask about bits: their queries are none of these.
    #[arg(long, value_name = "DIR")]
    pub dump_queries: Option<PathBuf>,
    /// Invariants of a C program that analyses find without regard to the property. kind gets them
    /// while it runs and has them by default; other engines wait for them.
    #[arg(long, value_enum)]
    pub invariants: Option<InvariantsArg>,
    #[command(flatten)]
    pub engines: EngineArgs,
    /// Run for another process of this program, about these properties.
    #[arg(long, value_name = "N", hide = true)]
    pub member: Option<Question>,
    /// End when standard input is closed.
    #[arg(long, hide = true)]
    pub leashed: bool,
}

impl CheckArgs {
    /// The file that stands for the model in reports.
    pub fn file(&self) -> &Path {
        self.files.first().map_or(Path::new(""), PathBuf::as_path)
    }

    /// Most of what the control groups of this process leave: a single engine that used more would be
    /// killed. A portfolio looks at that itself.
    fn group_memory(&self) -> Option<u64> {
        match self.choice() {
            Choice::Portfolio => None,
            Choice::Engine(_) => cgroup::memory_left().map(|bytes| bytes / 10 * 9),
        }
    }

    /// The arguments of `wedge check`, the word `check` included.
    pub fn from_words(words: &[OsString]) -> Result<CheckArgs, InputError> {
        let line = [OsString::from("wedge")].into_iter().chain(words.iter().cloned());
        match Cli::try_parse_from(line) {
            Ok(Cli { command: Command::Check(args) }) => Ok(*args),
            Ok(_) => Err(InputError("not a check".to_string())),
            Err(error) => Err(InputError(error.to_string())),
        }
    }

    /// Who decides.
    pub fn choice(&self) -> Choice {
        Choice::find(&self.engine).expect("the command line offers known engines")
    }

    /// The arguments as options of the library; without those that concern what is printed.
    pub fn options(&self, members: Members) -> Options {
        let wanted = Wanted {
            witness: self.witness.as_deref().map(|path| format_of(path, self.witness_version)),
            partial: self.mark_irrelevant,
            certificate: self.certificate.is_some(),
            only_certified: self.only_certified,
            harness: self.harness.is_some(),
            waveform: self.report.is_some() || self.vcd.is_some() || self.sarif.is_some(),
            inside: self.report.is_some(),
            whole_trace: self.trace,
        };
        Options {
            engine: self.choice(),
            settings: self.engines.options.clone(),
            program: self.program.options(),
            question: self.member.clone().or_else(|| self.property_index.clone()),
            timeout: self.timeout,
            memory: self.memory.or_else(|| self.group_memory()),
            simplify: !self.no_preprocess,
            invariants: self.invariants.map(|invariants| match invariants {
                InvariantsArg::None => Invariants::None,
                InvariantsArg::Dataflow => Invariants::Dataflow,
                InvariantsArg::Relations => Invariants::Relations,
            }),
            ignore_undefined: self.ignore_undefined,
            portfolio: PortfolioOptions {
                cores: self.cores.map(|n| n as usize),
                sharing: !self.no_sharing,
                members,
            },
            wanted,
            follower: None,
        }
    }
}

/// The witness format that a path asks for.
fn format_of(path: &Path, version: WitnessVersionArg) -> WitnessFormat {
    match path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml") {
        true => WitnessFormat::Yaml(match version {
            WitnessVersionArg::V20 => Version::V20,
            WitnessVersionArg::V21 => Version::V21,
        }),
        false => WitnessFormat::GraphMl,
    }
}

/// What a C program means.
#[derive(Args, Clone)]
#[command(next_help_heading = "C programs")]
pub struct ProgramArgs {
    /// The property: a file of the competition, such as unreach-call.prp, no-overflow.prp,
    /// valid-memsafety.prp, valid-memcleanup.prp or def-behavior.prp. By default reach_error and __VERIFIER_error are never called, and assertions hold. A task
    /// definition names its own.
    #[arg(long, value_name = "FILE.prp")]
    pub property: Option<PathBuf>,
    /// What to check instead of a property file: any of assert, unreach-call, overflow (signed
    /// results that do not fit), bounds or pointer (accesses where there is no object), free
    /// (frees of what was not allocated), leak (objects that nothing leads to at the end), cleanup
    /// (objects that are not freed at the end), div-by-zero, shift (by too many bits), uninitialised (reads of what was never written),
    /// unreachable (what is declared so is reached), and all of
    /// these but leak and cleanup: all.
    #[arg(long, value_name = "LIST", value_delimiter = ',', conflicts_with = "property")]
    pub check: Vec<String>,
    /// The sizes of types; by default what the task definition says, else ILP32.
    #[arg(long, value_enum, ignore_case = true)]
    pub data_model: Option<DataModelArg>,
    /// One step of the transition system per edge of the automaton, instead of one per loop.
    #[arg(long)]
    pub small_blocks: bool,
    /// How arrays are modelled: all elements (precise), elements at a few symbolic indices (cells),
    /// or cells for large arrays and then all elements, if cells are too coarse (auto).
    #[arg(long, value_enum, default_value = "auto")]
    pub arrays: ArraysArg,
    /// Where objects are allocated in loops or by recursion, let N of each place, chosen
    /// arbitrarily, stand for all of them. Proofs hold for any number of objects; without this
    /// option such a model is one of those that are tried.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    pub objects: Option<u8>,
    /// Where replacing calls by the bodies of functions would make more than about N blocks (by default
    /// 60000), the functions that are called most often have one body for all their calls. For
    /// properties that only look at calls.
    #[arg(long, value_name = "N")]
    pub expand: Option<usize>,
    /// Where functions have one body for all their calls and a pointer may refer to more than N objects (by
    /// default 100), whatever is read from these objects is arbitrary. Proofs hold all the same.
    #[arg(long, value_name = "N")]
    pub crowd: Option<usize>,
    /// What a function does that is nowhere defined and that no library has: give an arbitrary
    /// result and nothing else (pure), also change global variables and whatever it can reach through
    /// its arguments (havoc), or end what can be said about the program (refuse).
    #[arg(long, value_enum, default_value = "pure")]
    pub undefined_functions: UndefinedArg,
    /// Let malloc and its relatives fail: each call may give a null pointer. Without this option there
    /// is always enough memory.
    #[arg(long)]
    pub malloc_may_fail: bool,
    /// Begin in this function instead of `main`, with arbitrary arguments: numbers, structures, and
    /// pointers that are null or lead to a new object of their own. The objects come from the
    /// allocator. Global variables have their first values.
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// With --function: pointers lead to arrays of one to N elements.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub max_array: u64,
    /// With --function: so many pointers lead to an object at most, one after the other; those
    /// behind them are null.
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=16))]
    pub max_depth: u32,
    /// Global variables that are not const begin with arbitrary values, too.
    #[arg(long)]
    pub arbitrary_globals: bool,
    /// __CPROVER_assume, __CPROVER_assert, __ESBMC_assume, __ESBMC_assert, klee_assume,
    /// __builtin_assume, __VERIFIER_assert and their like assume and assert their first argument,
    /// unless the program defines them.
    #[arg(long)]
    pub aliases: bool,
    /// A check that is known to fail, or a place that is to be reached.
    #[arg(long, value_name = "CHECK", hide = true, value_parser = parse_check)]
    pub settled: Vec<CheckPoint>,
}

fn parse_check(text: &str) -> Result<CheckPoint, String> {
    CheckPoint::parse(text).ok_or_else(|| "not a check".to_string())
}

/// What functions do that nobody knows.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum UndefinedArg {
    Pure,
    Havoc,
    Refuse,
}

impl ProgramArgs {
    pub fn options(&self) -> ProgramOptions {
        ProgramOptions {
            property: self.property.clone(),
            checks: self.check.clone(),
            data_model: self.data_model.map(|model| match model {
                DataModelArg::Ilp32 => DataModel::Ilp32,
                DataModelArg::Lp64 => DataModel::Lp64,
            }),
            small_blocks: self.small_blocks,
            arrays: match self.arrays {
                ArraysArg::Precise => ArrayModel::Precise,
                ArraysArg::Cells => ArrayModel::Cells,
                ArraysArg::Auto => ArrayModel::Auto,
            },
            objects: self.objects,
            expand: self.expand,
            crowd: self.crowd,
            undefined_functions: match self.undefined_functions {
                UndefinedArg::Pure => UndefinedFunctions::Pure,
                UndefinedArg::Havoc => UndefinedFunctions::Havoc,
                UndefinedArg::Refuse => UndefinedFunctions::Refuse,
            },
            malloc_may_fail: self.malloc_may_fail,
            entry: self.entry(),
            aliases: self.aliases,
            witness: None,
            settled: self.settled.clone(),
        }
    }

    /// Where runs begin, if not in `main` as it is.
    fn entry(&self) -> Option<EntryPoint> {
        let is_wanted = self.function.is_some() || self.arbitrary_globals;
        is_wanted.then(|| EntryPoint {
            function: self.function.clone().unwrap_or_else(|| "main".to_string()),
            max_array: self.max_array,
            depth: self.max_depth,
            arbitrary_globals: self.arbitrary_globals,
        })
    }
}

/// The versions of witnesses in YAML.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum WitnessVersionArg {
    #[value(name = "2.0")]
    V20,
    #[value(name = "2.1")]
    V21,
}

/// Which auxiliary invariants are looked for.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum InvariantsArg {
    None,
    /// Intervals and known bits, by data-flow analysis.
    Dataflow,
    /// Also relations between variables, guessed from runs.
    Relations,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ArraysArg {
    Precise,
    Cells,
    Auto,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum DataModelArg {
    #[value(name = "ILP32")]
    Ilp32,
    #[value(name = "LP64")]
    Lp64,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum LimitsArg {
    Refuse,
    Error,
    Ignore,
}

impl From<LimitsArg> for LimitsAre {
    fn from(limits: LimitsArg) -> LimitsAre {
        match limits {
            LimitsArg::Refuse => LimitsAre::Refused,
            LimitsArg::Error => LimitsAre::Errors,
            LimitsArg::Ignore => LimitsAre::Ends,
        }
    }
}

#[derive(Args)]
#[command(group = ArgGroup::new("format").required(true))]
pub struct EmitArgs {
    /// The model: C, a task definition, AIGER or BTOR2.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// The transition system as BTOR2.
    #[arg(long, group = "format")]
    pub btor2: bool,
    /// The circuit of a property as AIGER: binary if the output is named .aig, else ASCII.
    #[arg(long, group = "format")]
    pub aiger: bool,
    /// The control-flow automaton of a program, as far as it matters for the property, for
    /// Graphviz.
    #[arg(long, group = "format")]
    pub dot: bool,
    /// Constrained Horn clauses in SMT-LIB 2, for any solver of these: satisfiable if no error is
    /// reachable. Give z3 the argument fp.engine=spacer.
    #[arg(long, group = "format")]
    pub smt2: bool,
    /// Instead of Horn clauses, one query: satisfiable if an error is reachable within so many
    /// iterations.
    #[arg(long, value_name = "K", requires = "smt2")]
    pub unroll: Option<usize>,
    /// What becomes of the places where the model of a program ends and the program may go on, such
    /// as a recursion that is too deep: a model that has them is refused; or reaching one is an
    /// error, so that what a solver proves holds for the program; or runs end there, so that an
    /// error that a solver finds is one of the program.
    #[arg(long, value_name = "WHAT", default_value = "refuse", requires = "smt2")]
    pub limits: LimitsArg,
    /// Let Horn clauses also say what a data-flow analysis knows of the values at each loop, such as
    /// intervals. Their answer is the same, and solvers need not find it themselves.
    #[arg(long, requires = "smt2", conflicts_with = "unroll")]
    pub facts: bool,
    /// Which property of a circuit is meant, counted from 0.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub property_index: usize,
    /// How deep the recursion of a program is modelled.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub depth: Option<u32>,
    /// How many objects are modelled for each allocation that is executed repeatedly.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub pool: Option<u32>,
    /// Where to write; by default standard output.
    #[arg(long, short, value_name = "OUT")]
    pub output: Option<PathBuf>,
}

#[derive(Args)]
pub struct CertifyArgs {
    /// The model: AIGER or BTOR2, C (.c, .i) or a task definition (.yml).
    pub model: PathBuf,
    /// The certificate or witness, in the model's format; for a program a witness of format 2.0 or
    /// 2.1 (YAML) or 1.0 (GraphML), of this tool or another one.
    pub evidence: PathBuf,
    /// The properties that the certificate is about, counted from 0, as in 0,2; by default all bad
    /// states. A witness names its own.
    #[arg(long, value_name = "N")]
    pub property_index: Option<Question>,
    /// Give up after this time, such as 60s.
    #[arg(long, value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// For a program: give up when this much memory is in use, such as 4GB or 500MB.
    #[arg(long, value_parser = parse_bytes)]
    pub memory: Option<u64>,
    #[command(flatten)]
    pub program: ProgramArgs,
    /// Run for another process of this program, about this property.
    #[arg(long, value_name = "N", hide = true)]
    pub member: Option<Question>,
    /// The engine that does.
    #[arg(long, hide = true, value_parser = engine_names(), default_value = Choice::PORTFOLIO)]
    pub engine: String,
    #[command(flatten)]
    pub engines: EngineArgs,
}

#[derive(Args)]
pub struct HwmccArgs {
    /// The model: AIGER (.aig, .aag) or BTOR2 (.btor2, .btor).
    pub model: PathBuf,
    /// Where the witness of a violation is written.
    #[arg(value_name = "SAT-OUT")]
    pub sat_out: Option<PathBuf>,
    /// Where the certificate of a proof is written.
    #[arg(value_name = "UNSAT-OUT")]
    pub unsat_out: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Args)]
pub struct SbyArgs {
    /// The model. Words that begin with + are for other solvers and are skipped.
    #[arg(required = true, value_name = "MODEL")]
    pub words: Vec<String>,
    /// Only look for counterexamples of at most so many steps after the first one.
    #[arg(long, short = 'k', value_name = "K")]
    pub depth: Option<usize>,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// As SymbiYosys says it to pono: the engine, which is bmc.
    #[arg(short = 'e', hide = true, value_parser = ["bmc"])]
    pub engine: Option<String>,
    /// As SymbiYosys says it to pono: how much is printed.
    #[arg(short = 'v', hide = true)]
    pub verbosity: Option<u32>,
    /// As SymbiYosys says it to pono: the witness is always printed.
    #[arg(long, hide = true)]
    pub witness: bool,
}

impl SbyArgs {
    /// The only word that is the name of a model.
    pub fn model(&self) -> Result<PathBuf, InputError> {
        let mut models = self.words.iter().filter(|word| !word.starts_with('+'));
        match (models.next(), models.next()) {
            (Some(model), None) => Ok(PathBuf::from(model)),
            _ => Err(InputError("expected one model".to_string())),
        }
    }
}

/// How much may be used.
#[derive(Args)]
pub struct LimitArgs {
    /// Give up after this time, such as 60s, 500ms, 5m or 1h.
    #[arg(long, value_parser = parse_duration)]
    pub timeout: Option<Duration>,
    /// End the largest engine when this much memory is in use, such as 4GB; by default most of the
    /// memory that is free.
    #[arg(long, value_parser = parse_bytes)]
    pub memory: Option<u64>,
    /// How many engines run at once; by default as many as there are processors.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub cores: Option<u32>,
}

impl LimitArgs {
    /// The same as arguments of `wedge check`.
    pub fn words(&self) -> Vec<OsString> {
        let options = [
            ("--timeout", self.timeout.map(duration_argument)),
            ("--memory", self.memory.map(|bytes| bytes.to_string())),
            ("--cores", self.cores.map(|cores| cores.to_string())),
        ];
        let given =
            options.into_iter().filter_map(|(name, value)| Some([name.into(), value?.into()]));
        given.flatten().collect()
    }
}

fn engine_names() -> clap::builder::PossibleValuesParser {
    let names = registry::engines().map(|entry| entry.name);
    names.chain([Choice::PORTFOLIO]).collect::<Vec<_>>().into()
}

fn engine_help() -> String {
    let mut entries: Vec<String> =
        registry::engines().map(|e| format!("{}: {}", e.name, e.summary)).collect();
    let portfolio = Choice::PORTFOLIO;
    entries.push(format!("{portfolio}: several of these at once, the first answer counts"));
    format!("The algorithm to run. {}", entries.join("; "))
}
