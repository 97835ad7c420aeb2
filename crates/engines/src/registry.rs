//! The engines: what the rest of Wedge knows about each of them stands in its entry.
//!
//! The command line, its help, the documentation, the portfolio and the benchmarks read it here, and
//! nobody asks for an engine by its name otherwise than by [`find`]. A new engine is a file and an
//! entry; a program of its own can [`add`] entries to those of this crate.

use crate::bmc::Bmc;
use crate::closed::Closed;
use crate::cnf_itp::CnfItp;
use crate::contract::{AutomatonEngine, Engine, ProgramEngine};
use crate::dar::Dar;
use crate::execute::Execute;
use crate::explicit::{self, Explicit};
use crate::forall::Forall;
use crate::imc::Imc;
use crate::impact::Impact;
use crate::interp::Interp;
use crate::ismc::Ismc;
use crate::kind::KInduction;
use crate::kojak::Kojak;
use crate::options::{self, EngineOption};
use crate::paths::{BlockSize, PathConfig};
use crate::pdr::{Ctg, Localize, Pdr, PdrConfig};
use crate::predabs::PredicateAbstraction;
use crate::preprocess::Config;
use crate::trace::TraceAbstraction;
use crate::words::{WordBmc, WordImc, WordInduction};
use std::sync::OnceLock;
use wedge_sat::InterpolationSystem;
use wedge_smt::Interpolation;

pub use crate::options::Options;

/// Builds an engine. It is created inside the thread that runs it.
pub type Build<E> = fn(&Options) -> Box<E>;

/// What an engine reads. Of the levels that a model has, the first one in this order is taken.
#[derive(Clone, Copy)]
pub struct Levels {
    pub program: Option<Build<dyn ProgramEngine>>,
    pub automaton: Option<Build<dyn AutomatonEngine>>,
    pub circuit: Option<Build<dyn Engine>>,
    /// The same algorithm on words, for models of which no circuit can be made: their arrays are
    /// too large.
    pub words: Option<Build<dyn AutomatonEngine>>,
}

impl Levels {
    pub const NONE: Levels = Levels { program: None, automaton: None, circuit: None, words: None };

    pub const fn circuit(build: Build<dyn Engine>) -> Levels {
        Levels { circuit: Some(build), ..Levels::NONE }
    }

    pub const fn automaton(build: Build<dyn AutomatonEngine>) -> Levels {
        Levels { automaton: Some(build), ..Levels::NONE }
    }

    /// In words.
    pub fn names(&self) -> Vec<&'static str> {
        let all = [
            ("program", self.program.is_some()),
            ("automaton", self.automaton.is_some()),
            ("circuit", self.circuit.is_some()),
        ];
        all.into_iter().filter(|(_, has)| *has).map(|(name, _)| name).collect()
    }
}

/// What an engine does with invariants that others have found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UseOfFacts {
    No,
    /// Only from its start, as constraints of the circuit.
    AsConstraints,
    /// It takes them up while it runs, and gets analyses of the program by default.
    WhileRunning,
}

/// An engine in a portfolio: how it differs from the engine as it is. Its shares stand in
/// [`crate::shares`].
#[derive(Clone, Copy, Debug)]
pub struct Variant {
    /// So many objects of each allocation site stand for all of them.
    pub objects: Option<u8>,
    /// Options of the engine that have another value than usual.
    pub settings: &'static [Setting],
}

/// An option and its value, as text.
pub type Setting = (&'static EngineOption, &'static str);

impl Variant {
    /// The engine as it is.
    pub const PLAIN: Variant = Variant { objects: None, settings: &[] };

    /// The name of the engine, with what makes it differ from the engine as it is.
    pub fn name(&self, engine: &str) -> String {
        let mut name = engine.to_string();
        if let Some(objects) = self.objects {
            name += &format!(" --objects {objects}");
        }
        for (option, value) in self.settings {
            name += format!(" --{} {value}", option.name).trim_end();
        }
        name
    }
}

pub struct Entry {
    pub name: &'static str,
    /// Authors, where and when.
    pub paper: &'static str,
    pub summary: &'static str,
    pub levels: Levels,
    /// What its bound counts, for those who look on.
    pub counts: &'static str,
    /// The options that the engine reads.
    pub options: &'static [&'static EngineOption],
    /// What may be done to a circuit such that the evidence of the engine has a way back, if the
    /// user wants the circuit simplified, or only what cannot influence the property removed.
    pub preprocessing: fn(&Options, simplify: bool) -> Config,
    pub facts: UseOfFacts,
    /// It hardly ever proves anything, so models that are made for proofs are left out.
    pub seeks_errors: bool,
    /// How many signals of the model it wants, over words.
    pub signals: fn(&Options) -> usize,
    /// Whether it wants to know which latches are words.
    pub words: fn(&Options) -> bool,
    /// No counterexample is shorter than the one that it finds.
    pub shortest: bool,
    /// It goes first in a portfolio: what it finds, it mostly finds at once.
    pub head_start: bool,
    pub variants: &'static [Variant],
}

impl Entry {
    /// The engine, if it reads circuits.
    pub fn on_circuit(&self, options: &Options) -> Option<Box<dyn Engine>> {
        self.levels.circuit.map(|build| build(options))
    }

    /// The engine, if it reads automata.
    pub fn on_automaton(&self, options: &Options) -> Option<Box<dyn AutomatonEngine>> {
        self.levels.automaton.map(|build| build(options))
    }
}

/// An entry to start from: the fields that few engines need are empty.
pub const PLAIN: Entry = Entry {
    name: "",
    paper: "",
    summary: "",
    levels: Levels::NONE,
    counts: "bound",
    options: &[],
    preprocessing: simplified,
    facts: UseOfFacts::No,
    seeks_errors: false,
    signals: |_| 0,
    words: |_| false,
    shortest: false,
    head_start: false,
    variants: &[],
};

const ENGINES: &[Entry] = &[
    Entry {
        name: "bmc",
        paper: "Biere, Cimatti, Clarke, Zhu: Symbolic Model Checking without BDDs, TACAS 1999",
        summary: "bounded model checking: finds counterexamples, and proves where every path ends",
        levels: Levels {
            words: Some(|o| Box::new(WordBmc { max_bound: o.max_bound })),
            ..Levels::circuit(|o| Box::new(bmc(o)))
        },
        options: &[&options::MAX_BOUND, &options::SWEEP, &options::ZERO],
        preprocessing: |o, simplify| Config { zero: o.zero, ..quick(o, simplify) },
        seeks_errors: true,
        shortest: true,
        variants: &[
            Variant::PLAIN,
            Variant { settings: &[(&options::SWEEP, ""), (&options::ZERO, "")], ..Variant::PLAIN },
        ],
        ..PLAIN
    },
    Entry {
        name: "kind",
        paper: "Sheeran, Singh, Stalmarck, FMCAD 2000; Beyer, Dangl, Wendler, CAV 2015",
        summary: "k-induction, with auxiliary invariants of programs, with unique states if \
                  --simple-path",
        levels: Levels {
            words: Some(|o| Box::new(WordInduction { max_bound: o.max_bound })),
            ..Levels::circuit(|o| Box::new(kind(o)))
        },
        options: &[&options::MAX_BOUND, &options::SIMPLE_PATH],
        preprocessing: |o, simplify| match (o.simple_path, simplify) {
            (true, _) => Config::for_simple_paths(),
            (false, true) => Config::for_words(),
            (false, false) => Config::cone_only(),
        },
        facts: UseOfFacts::WhileRunning,
        variants: &[Variant::PLAIN],
        ..PLAIN
    },
    Entry {
        name: "imc",
        paper: "McMillan: Interpolation and SAT-Based Model Checking, CAV 2003",
        summary: "interpolation-based model checking (McMillan 2003)",
        levels: Levels {
            words: Some(|o| {
                let system = o.system.unwrap_or(InterpolationSystem::McMillan);
                Box::new(WordImc { max_bound: o.max_bound, system, lift: o.lift })
            }),
            ..Levels::circuit(|o| Box::new(imc(o)))
        },
        options: &[
            &options::MAX_BOUND,
            &options::DIRECTION,
            &options::SYSTEM,
            &options::STRIDE,
            &options::NO_INDUCTIVE_CHECK,
            &options::SMALLEST,
            &options::REDUCE,
            &options::NO_SIMPLIFY,
            &options::LIFT,
            &options::REUSE,
            &options::NO_AHEAD,
            &options::CHECK_INTERPOLANTS,
        ],
        facts: UseOfFacts::AsConstraints,
        words: |o| o.lift,
        variants: &[
            Variant::PLAIN,
            Variant { settings: &[(&options::SYSTEM, "dual")], ..Variant::PLAIN },
            Variant {
                settings: &[(&options::DIRECTION, "backward"), (&options::LIFT, "")],
                ..Variant::PLAIN
            },
        ],
        ..PLAIN
    },
    Entry {
        name: "ismc",
        paper: "Vizel, Grumberg: Interpolation-Sequence Based Model Checking, FMCAD 2009",
        summary: "interpolation-sequence-based model checking (Vizel, Grumberg 2009)",
        levels: Levels::circuit(|o| Box::new(ismc(o))),
        options: SEQUENCES,
        facts: UseOfFacts::AsConstraints,
        words: |o| o.lift,
        variants: &[Variant::PLAIN],
        ..PLAIN
    },
    Entry {
        name: "dar",
        paper: "Vizel, Grumberg, Shoham: Intertwined Forward-Backward Reachability Analysis Using \
                Interpolants, TACAS 2013",
        summary: "dual approximated reachability (Vizel, Grumberg, Shoham 2013)",
        levels: Levels::circuit(|o| Box::new(dar(o))),
        options: SEQUENCES,
        facts: UseOfFacts::AsConstraints,
        words: |o| o.lift,
        variants: &[Variant::PLAIN],
        ..PLAIN
    },
    Entry {
        name: "cnf-itp",
        paper: "Vizel, Ryvchin, Nadel: Efficient Generation of Small Interpolants in CNF, CAV 2013",
        summary: "interpolation with small CNF interpolants (Vizel, Ryvchin, Nadel 2013)",
        levels: Levels::circuit(|o| Box::new(cnf_itp(o))),
        options: &[
            &options::MAX_BOUND,
            &options::STRIDE,
            &options::NO_INDUCTIVE_CHECK,
            &options::NO_B_WEAK,
            &options::NO_PUSH,
            &options::NO_REUSE,
            &options::NO_GENERALIZE,
        ],
        facts: UseOfFacts::AsConstraints,
        variants: &[Variant::PLAIN],
        ..PLAIN
    },
    Entry {
        name: "pdr",
        paper: "Bradley: SAT-Based Model Checking without Unrolling, VMCAI 2011",
        summary: "property-directed reachability, IC3 (Bradley 2011)",
        levels: Levels::circuit(|o| Box::new(Pdr { config: pdr(o) })),
        counts: "frame",
        options: &[
            &options::MAX_BOUND,
            &options::CTG,
            &options::CTG_MAX,
            &options::CTG_DEPTH,
            &options::LIFTING,
            &options::QUERY_SOLVER,
            &options::FRAME_SOLVERS,
            &options::SIGNALS,
            &options::EXTRA_SIGNALS,
            &options::GENERALIZE_ATTEMPTS,
            &options::LOCALIZE,
            &options::NO_ELIMINATE,
            &options::NO_DOMAINS,
            &options::NO_PUSH_LEMMAS,
            &options::NO_PUSH_OBLIGATIONS,
            &options::NO_INFINITY,
        ],
        facts: UseOfFacts::AsConstraints,
        signals: |o| o.pdr.signal_budget,
        words: |o| o.pdr.localize == Some(Localize::Variables),
        variants: &[
            Variant::PLAIN,
            Variant { objects: Some(2), ..Variant::PLAIN },
            Variant { settings: &[(&options::CTG, "always")], ..Variant::PLAIN },
            Variant {
                settings: &[(&options::CTG, "never"), (&options::LIFTING, "justify")],
                ..Variant::PLAIN
            },
            Variant { settings: &[(&options::QUERY_SOLVER, "cadical")], ..Variant::PLAIN },
            Variant { settings: &[(&options::SIGNALS, "200")], ..Variant::PLAIN },
            Variant {
                settings: &[(&options::SIGNALS, "200"), (&options::LOCALIZE, "constraints")],
                ..Variant::PLAIN
            },
            Variant { settings: &[(&options::LOCALIZE, "latches")], ..Variant::PLAIN },
        ],
        ..PLAIN
    },
    Entry {
        name: "explicit",
        paper: "Garg, Loding, Madhusudan, Neider: ICE: A Robust Framework for Learning Invariants, CAV \
                2014",
        summary: "explicit-state search, with an invariant learned from the states that are reached",
        levels: Levels::circuit(|o| Box::new(explicit(o))),
        counts: "lemma",
        options: &[
            &options::MAX_BOUND,
            &options::MAX_STATES,
            &options::SIGNALS,
            &options::EXTRA_SIGNALS,
        ],
        facts: UseOfFacts::AsConstraints,
        signals: |o| o.pdr.signal_budget,
        variants: &[Variant::PLAIN],
        ..PLAIN
    },
    Entry {
        name: "impact",
        paper: "McMillan: Lazy Abstraction with Interpolants, CAV 2006",
        summary: "lazy abstraction with interpolants, on blocks (McMillan 2006)",
        levels: Levels::automaton(|o| Box::new(Impact { config: paths(o) })),
        counts: "depth",
        options: &[
            &options::BLOCKS,
            &options::ORDER,
            &options::COVER,
            &options::SYSTEM,
            &options::SOURCE,
            &options::CORES,
            &options::SEQUENCE,
            &options::NO_LIFT,
            &options::NO_FACTS,
            &options::NO_FORCE,
        ],
        variants: &[Variant::PLAIN],
        ..PLAIN
    },
    Entry {
        name: "predabs",
        paper: "Beyer, Keremoglu, Wendler: Predicate Abstraction with Adjustable-Block Encoding, \
                FMCAD 2010",
        summary: "lazy predicate abstraction with adjustable blocks (Beyer, Keremoglu, Wendler 2010)",
        levels: Levels::automaton(|o| Box::new(PredicateAbstraction { config: paths(o) })),
        counts: "depth",
        options: &[
            &options::BLOCKS,
            &options::ORDER,
            &options::COVER,
            &options::SYSTEM,
            &options::SOURCE,
            &options::CORES,
            &options::SEQUENCE,
            &options::NO_LIFT,
            &options::NO_FACTS,
            &options::ABSTRACTION,
            &options::SCOPE,
            &options::PREDICATES,
        ],
        variants: &[Variant::PLAIN],
        ..PLAIN
    },
    Entry {
        name: "interp",
        paper: "Tian, Duan, Duan, Ong: More Effective Interpolations in Software Model Checking, \
                ASE 2017",
        summary: "lazy abstraction with safety and error interpolants (Tian, Duan, Duan, Ong 2017)",
        levels: Levels::automaton(|o| Box::new(Interp { config: paths(o) })),
        counts: "depth",
        options: &[
            &options::BLOCKS,
            &options::COVER,
            &options::SYSTEM,
            &options::SOURCE,
            &options::CORES,
            &options::SEQUENCE,
            &options::NO_LIFT,
            &options::NO_FACTS,
            &options::ABSTRACTION,
            &options::SCOPE,
            &options::PREDICATES,
            &options::INTERPOLANTS,
            &options::NO_PRUNE,
        ],
        variants: &[Variant::PLAIN],
        ..PLAIN
    },
    Entry {
        name: "trace",
        paper: "Heizmann, Hoenicke, Podelski: Software Model Checking for People Who Love Automata, \
                CAV 2013",
        summary: "trace abstraction with Floyd-Hoare automata (Heizmann, Hoenicke, Podelski 2013)",
        levels: Levels::automaton(|o| {
            Box::new(TraceAbstraction { config: paths(o).in_blocks(SMALL) })
        }),
        counts: "depth",
        options: &[
            &options::BLOCKS,
            &options::ARITHMETIC,
            &options::SYSTEM,
            &options::SOURCE,
            &options::CORES,
            &options::SEQUENCE,
            &options::NO_LIFT,
            &options::NO_FACTS,
            &options::WORD,
            &options::ENHANCE,
            &options::NO_SUBSUMPTION,
            &options::MINIMISE,
        ],
        variants: &[Variant::PLAIN],
        ..PLAIN
    },
    Entry {
        name: "kojak",
        paper: "Ermis, Hoenicke, Podelski: Splitting via Interpolants, VMCAI 2012",
        summary: "splitting of places by assertions (Ermis, Hoenicke, Podelski 2012)",
        levels: Levels::automaton(|o| Box::new(Kojak { config: paths(o).in_blocks(SMALL) })),
        counts: "depth",
        options: &[
            &options::BLOCKS,
            &options::ARITHMETIC,
            &options::SYSTEM,
            &options::SOURCE,
            &options::CORES,
            &options::SEQUENCE,
            &options::NO_LIFT,
            &options::NO_FACTS,
        ],
        ..PLAIN
    },
    Entry {
        name: "forall",
        paper: "Flanagan, Qadeer: Predicate Abstraction for Software Verification, POPL 2002; \
                Flanagan, Leino: Houdini, FME 2001",
        summary: "quantified invariants of loops over arrays, guessed from runs: proves only",
        levels: Levels::automaton(|_| Box::new(Forall)),
        counts: "step",
        variants: &[Variant::PLAIN],
        ..PLAIN
    },
    Entry {
        name: "closed",
        paper: "Muller-Olm, Seidl: Analysis of Modular Arithmetic, TOPLAS 2007; Flanagan, Leino: \
                Houdini, FME 2001",
        summary: "closed forms of counted loops as invariants: proves only",
        levels: Levels::automaton(|_| Box::new(Closed)),
        counts: "step",
        head_start: true,
        variants: &[Variant::PLAIN],
        ..PLAIN
    },
    Entry {
        name: "execute",
        paper: "Zalewski: Technical whitepaper for afl-fuzz, 2016; Aschermann et al.: REDQUEEN, \
                NDSS 2019",
        summary: "concrete execution on chosen inputs: finds errors, proves programs without inputs",
        levels: Levels {
            program: Some(|o| Box::new(Execute { max_bound: o.max_bound })),
            circuit: Some(|o| Box::new(Execute { max_bound: o.max_bound })),
            ..Levels::NONE
        },
        options: &[&options::MAX_BOUND],
        preprocessing: quick,
        head_start: true,
        variants: &[Variant::PLAIN],
        ..PLAIN
    },
];

/// The options of engines that use interpolation sequences.
const SEQUENCES: &[&EngineOption] = &[
    &options::MAX_BOUND,
    &options::SYSTEM,
    &options::NO_SIMPLIFY,
    &options::LIFT,
    &options::CHECK_INTERPOLANTS,
];

fn simplified(options: &Options, simplify: bool) -> Config {
    match simplify {
        true if options.lift || options.pdr.signal_budget > 0 => Config::for_words(),
        true => Config::default(),
        false => Config::cone_only(),
    }
}

fn quick(_: &Options, simplify: bool) -> Config {
    if simplify { Config::quick() } else { Config::cone_only() }
}

fn bmc(options: &Options) -> Bmc {
    Bmc { max_bound: options.max_bound, sweep: options.sweep, zero: options.zero }
}

fn kind(options: &Options) -> KInduction {
    KInduction {
        simple_path: options.simple_path,
        max_bound: options.max_bound,
        auxiliary: options.auxiliary.clone(),
    }
}

fn imc(options: &Options) -> Imc {
    let default = Imc::default();
    Imc {
        system: options.system.unwrap_or(default.system),
        direction: options.direction.unwrap_or(default.direction),
        stride: options.stride.unwrap_or(default.stride),
        inductive_check: options.inductive_check,
        simplify: options.simplify,
        check_interpolants: options.check_interpolants,
        lift: options.words.clone().filter(|_| options.lift),
        max_bound: options.max_bound,
        smallest: options.smallest,
        reduce: options.reduce.unwrap_or(default.reduce),
        reuse: options.reuse.unwrap_or(default.reuse),
        ahead: options.ahead,
    }
}

fn ismc(options: &Options) -> Ismc {
    Ismc {
        system: options.system.unwrap_or(Ismc::default().system),
        simplify: options.simplify,
        check_interpolants: options.check_interpolants,
        lift: options.words.clone().filter(|_| options.lift),
        max_bound: options.max_bound,
    }
}

fn dar(options: &Options) -> Dar {
    Dar {
        system: options.system.unwrap_or(Dar::default().system),
        simplify: options.simplify,
        check_interpolants: options.check_interpolants,
        lift: options.words.clone().filter(|_| options.lift),
        max_bound: options.max_bound,
    }
}

fn cnf_itp(options: &Options) -> CnfItp {
    CnfItp {
        b_weak: options.b_weak,
        push: options.push,
        incremental: options.incremental,
        generalize: options.generalize,
        inductive_check: options.inductive_check,
        stride: options.stride.unwrap_or(CnfItp::default().stride),
        max_bound: options.max_bound,
    }
}

/// What the engines that follow single paths are best with (docs/path-engines.md).
const SMALL: BlockSize = BlockSize::AtMost(10);

fn paths(options: &Options) -> PathConfig {
    let default = options.paths.interpolation;
    let system = options.system.unwrap_or(default.system);
    PathConfig { interpolation: Interpolation { system, ..default }, ..options.paths.clone() }
}

fn pdr(options: &Options) -> PdrConfig {
    let ctg = match options.pdr.ctg {
        Ctg::Always(_) => Ctg::Always(options.ctg_limits),
        other => other,
    };
    PdrConfig { ctg, words: options.words.clone(), ..options.pdr.clone() }
}

fn explicit(options: &Options) -> Explicit {
    let max_states = options.max_states.unwrap_or(explicit::MAX_STATES);
    Explicit { config: pdr(options), max_states, max_bound: options.max_bound }
}

static ADDED: OnceLock<&'static [Entry]> = OnceLock::new();

/// Adds engines to those of this crate, for a program that brings its own. It must be called
/// before anything else, and once; returns whether it was the first call.
pub fn add(entries: &'static [Entry]) -> bool {
    ADDED.set(entries).is_ok()
}

/// All engines.
pub fn engines() -> impl Iterator<Item = &'static Entry> {
    ENGINES.iter().chain(ADDED.get().copied().unwrap_or_default())
}

pub fn find(name: &str) -> Option<&'static Entry> {
    engines().find(|entry| entry.name == name)
}

impl std::fmt::Debug for Entry {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(self.name)
    }
}
