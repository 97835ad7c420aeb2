//! The options of the engines that look at paths.

use super::EngineOption;
use crate::paths::abstraction::{Domain, Grain, Scope};
use crate::paths::{Arithmetic, BlockSize, CoreGrain, Cover, Interpolants, Order, SourceChoice};
use crate::trace::{Choice, Enhancement};
use wedge_smt::Method;

pub static BLOCKS: EngineOption = EngineOption::value(
    "blocks",
    "loops|edge|N",
    "What a step is: all ways from one head of a loop to the next, a single edge, or such ways of \
     at most N edges.",
    |o, text| {
        o.paths.blocks = Some(match text {
            "loops" => BlockSize::Loops,
            "edge" => BlockSize::Edge,
            _ => match text.parse() {
                Ok(0) | Err(_) => return Err("expected loops, edge or a number".to_string()),
                Ok(edges) => BlockSize::AtMost(edges),
            },
        });
        Ok(())
    },
)
.by_default("loops; for trace and kojak 10");

pub static ORDER: EngineOption = EngineOption::one_of(
    "order",
    "Which open node is looked at next: the newest or the oldest.",
    &[
        ("dfs", |o| o.paths.order = Order::DepthFirst),
        ("bfs", |o| o.paths.order = Order::BreadthFirst),
    ],
)
.by_default("dfs");

pub static SOURCE: EngineOption = EngineOption::value(
    "source",
    "craig|newton[:VARIANT][:SOLVER]|all",
    "Where assertions along an infeasible path come from: Craig interpolation, symbolic execution \
     (VARIANT: it-sp-lv, it-wp-lv, it-sp, it-wp, sp-lv, wp-lv, sp, wp), or all in turn until a \
     sequence is inductive for all paths over the same steps. With craig:SOLVER or newton:SOLVER \
     another solver gives interpolants or unsat cores.",
    |o, text| {
        o.paths.source = Some(SourceChoice::parse(text)?);
        Ok(())
    },
)
.by_default("craig; with --arithmetic integer newton");

pub static ARITHMETIC: EngineOption = EngineOption::value(
    "arithmetic",
    "words|integer[:SOLVER]",
    "What words are: words, or unbounded integers, decided by another solver (by default z3, cvc5 or \
     smtinterpol, whichever is installed), with bit operations over-approximated. A proof for \
     integers is checked bit by bit; if it does not hold so, the answer is UNKNOWN and --stats prints \
     it.",
    |o, text| {
        o.paths.arithmetic = match text.split_once(':') {
            None if text == "words" => Arithmetic::Words,
            None if text == "integer" => Arithmetic::Integers { solver: None },
            Some(("integer", solver)) if !solver.is_empty() => {
                Arithmetic::Integers { solver: Some(solver.to_string()) }
            }
            _ => return Err("expected words, integer or integer:SOLVER".to_string()),
        };
        Ok(())
    },
)
.by_default("words");

pub static CORES: EngineOption = EngineOption::one_of(
    "unsat-cores",
    "What the unsat cores of the source newton consist of: guards and assignments, or conjuncts of \
     guards and assignments.",
    &[
        ("statements", |o| o.paths.core_grain = CoreGrain::Statements),
        ("conjuncts", |o| o.paths.core_grain = CoreGrain::Conjuncts),
    ],
)
.by_default("statements");

pub static SEQUENCE: EngineOption = EngineOption::one_of(
    "sequence",
    "How the interpolants along a path are made: all from one proof, or one after the other.",
    &[
        ("proof", |o| o.paths.interpolation.method = Method::Sequence),
        ("forward", |o| o.paths.interpolation.method = Method::Forward),
        ("backward", |o| o.paths.interpolation.method = Method::Backward),
    ],
)
.by_default("proof");

pub static NO_LIFT: EngineOption =
    EngineOption::flag("no-lift", "Leave interpolants over single bits as they are.", |o| {
        o.paths.interpolation.lift = false
    });

pub static NO_FACTS: EngineOption = EngineOption::flag(
    "no-facts",
    "Do not begin with what a data-flow analysis of the model knows.",
    |o| o.paths.facts = false,
);

pub static NO_FORCE: EngineOption =
    EngineOption::flag("no-force", "Do not force covering.", |o| o.paths.force = false);

pub static ABSTRACTION: EngineOption = EngineOption::one_of(
    "abstraction",
    "Which combinations of predicates an abstraction tells apart: all of them, or conjunctions.",
    &[
        ("boolean", |o| o.paths.domain = Domain::Boolean),
        ("cartesian", |o| o.paths.domain = Domain::Cartesian),
    ],
)
.by_default("boolean");

pub static COVER: EngineOption = EngineOption::one_of(
    "cover",
    "By how many nodes of the graph another one is covered: by one, or by several together.",
    &[("one", |o| o.paths.cover = Cover::One), ("several", |o| o.paths.cover = Cover::Several)],
)
.by_default("several");

pub static SCOPE: EngineOption = EngineOption::one_of(
    "scope",
    "Where a predicate counts: at the place where it was found, in its function, or everywhere.",
    &[
        ("place", |o| o.paths.scope = Scope::Place),
        ("function", |o| o.paths.scope = Scope::Function),
        ("global", |o| o.paths.scope = Scope::Global),
    ],
)
.by_default("place");

pub static PREDICATES: EngineOption = EngineOption::one_of(
    "predicates",
    "What becomes a predicate: the atoms of an assertion, or the assertion.",
    &[("atoms", |o| o.paths.grain = Grain::Atoms), ("whole", |o| o.paths.grain = Grain::Whole)],
)
.by_default("atoms");

pub static INTERPOLANTS: EngineOption = EngineOption::value(
    "interpolants",
    "r[s][e][w]",
    "What is learnt from a path: what is reachable (r), what is safe (s), what is not (e), and \
     weights of branches (w).",
    |o, text| {
        let known = text.starts_with('r') && text.chars().all(|c| "rsew".contains(c));
        if !known {
            return Err("expected r and any of s, e, w".to_string());
        }
        let has = |letter: char| text.contains(letter);
        o.paths.interpolants =
            Interpolants { safety: has('s'), error: has('e'), weights: has('w') };
        Ok(())
    },
)
.by_default("rsew");

pub static NO_PRUNE: EngineOption = EngineOption::flag(
    "no-prune",
    "Keep steps to places from which no target can be reached.",
    |o| o.paths.prune = false,
);

pub static WORD: EngineOption = EngineOption::one_of(
    "word",
    "Which path to a target comes next: the shortest, or one whose steps were refuted seldom.",
    &[
        ("shortest", |o| o.paths.trace.choice = Choice::Shortest),
        ("fresh", |o| o.paths.trace.choice = Choice::Fresh),
    ],
)
.by_default("shortest");

pub static ENHANCE: EngineOption = EngineOption::one_of(
    "enhance",
    "Which predicates a Floyd-Hoare automaton has: the assertions, their conjuncts, or these and \
     those of all earlier automata.",
    &[
        ("none", |o| o.paths.trace.enhancement = Enhancement::None),
        ("conjuncts", |o| o.paths.trace.enhancement = Enhancement::Conjuncts),
        ("earlier", |o| o.paths.trace.enhancement = Enhancement::Earlier),
    ],
)
.by_default("conjuncts");

pub static NO_SUBSUMPTION: EngineOption = EngineOption::flag(
    "no-subsumption",
    "Follow every pair of a difference, also those that another one subsumes.",
    |o| o.paths.trace.subsumption = false,
);

pub static MINIMISE: EngineOption = EngineOption::one_of(
    "minimise",
    "Whether differences of automata are minimised.",
    &[("yes", |o| o.paths.trace.minimise = true), ("no", |o| o.paths.trace.minimise = false)],
)
.by_default("yes");
