//! The options of the engines that unroll, induct and interpolate.

use super::{EngineOption, number};
use crate::cut::Stride;
use crate::imc::{Direction, Reuse};
use crate::reduction::Reduce;
use wedge_sat::InterpolationSystem;

pub static MAX_BOUND: EngineOption =
    EngineOption::value("max-bound", "K", "Stop at this unrolling bound.", |o, text| {
        o.max_bound = Some(number(text)?);
        o.pdr.max_frames = o.max_bound;
        Ok(())
    });

pub static SWEEP: EngineOption = EngineOption::flag(
    "sweep",
    "Merge latches that are alike after every path of as many steps.",
    |o| o.sweep = true,
);

pub static ZERO: EngineOption = EngineOption::flag(
    "zero",
    "Look only at paths on which values are 0 that the model leaves open: first values, undriven states.",
    |o| o.zero = true,
);

pub static SIMPLE_PATH: EngineOption =
    EngineOption::flag("simple-path", "Require the states of an induction step to differ.", |o| {
        o.simple_path = true
    });

pub static DIRECTION: EngineOption = EngineOption::one_of(
    "direction",
    "Derive interpolants as itp(A,B) or as not itp(B,A).",
    &[
        ("forward", |o| o.direction = Some(Direction::Forward)),
        ("backward", |o| o.direction = Some(Direction::Backward)),
    ],
);

pub static SYSTEM: EngineOption = EngineOption::one_of(
    "system",
    "The interpolation system, from strong to weak.",
    &[
        ("mcmillan", |o| o.system = Some(InterpolationSystem::McMillan)),
        ("pudlak", |o| o.system = Some(InterpolationSystem::Pudlak)),
        ("dual", |o| o.system = Some(InterpolationSystem::DualMcMillan)),
    ],
);

pub static STRIDE: EngineOption = EngineOption::one_of(
    "stride",
    "How much the bound grows after a spurious hit.",
    &[
        ("one", |o| o.stride = Some(Stride::One)),
        ("iterations", |o| o.stride = Some(Stride::Iterations)),
    ],
);

pub static NO_INDUCTIVE_CHECK: EngineOption = EngineOption::flag(
    "no-inductive-check",
    "Detect the fixed point by inclusion only, as in the papers.",
    |o| o.inductive_check = false,
);

pub static SMALLEST: EngineOption = EngineOption::flag(
    "smallest-system",
    "Take the smallest interpolant that the three systems give for a proof.",
    |o| o.smallest = true,
);

pub static REDUCE: EngineOption = EngineOption::one_of(
    "reduce",
    "Drop parts of interpolants that proofs do not need.",
    &[
        ("none", |o| o.reduce = Some(Reduce::None)),
        ("strengthen", |o| o.reduce = Some(Reduce::Strengthen)),
        ("weaken", |o| o.reduce = Some(Reduce::Weaken)),
        ("both", |o| o.reduce = Some(Reduce::Both)),
    ],
);

pub static NO_SIMPLIFY: EngineOption =
    EngineOption::flag("no-simplify", "Use interpolants as they come from the proof.", |o| {
        o.simplify = false
    });

pub static LIFT: EngineOption = EngineOption::flag(
    "lift",
    "Replace interpolants over bits by comparisons of words where that is possible.",
    |o| o.lift = true,
);

pub static REUSE: EngineOption = EngineOption::one_of(
    "reuse",
    "When a solver session serves more than one query of a bound.",
    &[
        ("never", |o| o.reuse = Some(Reuse::Never)),
        ("adaptive", |o| o.reuse = Some(Reuse::Adaptive)),
        ("always", |o| o.reuse = Some(Reuse::Always)),
    ],
);

pub static NO_AHEAD: EngineOption = EngineOption::flag(
    "no-ahead",
    "Do not search for counterexamples beside the queries for interpolants.",
    |o| o.ahead = false,
);

pub static NO_B_WEAK: EngineOption = EngineOption::flag(
    "no-b-weak",
    "Start every interpolant from \"true\" instead of the proof.",
    |o| o.b_weak = false,
);

pub static NO_PUSH: EngineOption =
    EngineOption::flag("no-push", "Do not push clauses from one interpolant to the next.", |o| {
        o.push = false
    });

pub static NO_REUSE: EngineOption =
    EngineOption::flag("no-reuse", "Do not reuse the interpolants of the previous bound.", |o| {
        o.incremental = false
    });

pub static NO_GENERALIZE: EngineOption =
    EngineOption::flag("no-generalize", "Exclude single states, without generalisation.", |o| {
        o.generalize = false
    });

pub static CHECK_INTERPOLANTS: EngineOption = EngineOption::flag(
    "check-interpolants",
    "Check every interpolant with a fresh solver (slow).",
    |o| o.check_interpolants = true,
);
