//! The options of PDR. Each undoes or replaces one technique, so that its worth can be measured;
//! the defaults are what measured best.

use super::{EngineOption, number};
use crate::pdr::{Ctg, CtgLimits, ExtraSignals, Layout, Lifting, Localize, SolverKind};

pub static CTG: EngineOption = EngineOption::one_of(
    "ctg",
    "Counterexamples to generalisation: leave the literal, block them (Hassan, \
     Bradley, Somenzi 2013), or block them only where obligations keep coming back \
     (Su, Yang, Ci, Huang 2024).",
    &[
        ("never", |o| o.pdr.ctg = Ctg::Never),
        ("always", |o| o.pdr.ctg = Ctg::Always(CtgLimits::NONE)),
        ("dynamic", |o| o.pdr.ctg = Ctg::Dynamic),
    ],
)
.by_default("dynamic");

pub static CTG_MAX: EngineOption = EngineOption::value(
    "ctg-max",
    "N",
    "How many counterexamples to generalisation are blocked in a row for one literal, \
     with --ctg always.",
    |o, text| {
        o.ctg_limits.max = number(text)?;
        Ok(())
    },
)
.by_default("3");

pub static CTG_DEPTH: EngineOption = EngineOption::value(
    "ctg-depth",
    "N",
    "How deep they may nest, with --ctg always.",
    |o, text| {
        o.ctg_limits.depth = number(text)?;
        Ok(())
    },
)
.by_default("1");

pub static LIFTING: EngineOption = EngineOption::one_of(
    "lifting",
    "How a predecessor state becomes a cube: all latches that matter syntactically, a \
     justification of the successor, or that shortened by ternary simulation.",
    &[
        ("cone", |o| o.pdr.lifting = Lifting::Cone),
        ("justify", |o| o.pdr.lifting = Lifting::Justify),
        ("ternary", |o| o.pdr.lifting = Lifting::Ternary),
    ],
)
.by_default("ternary");

pub static QUERY_SOLVER: EngineOption = EngineOption::one_of(
    "query-solver",
    "The solver of the queries: one made for them, or CaDiCaL.",
    &[
        ("light", |o| o.pdr.solver = SolverKind::Light),
        ("cadical", |o| o.pdr.solver = SolverKind::Cadical),
    ],
)
.by_default("light");

pub static FRAME_SOLVERS: EngineOption = EngineOption::one_of(
    "frame-solvers",
    "A solver for each frame, or one for all with activation literals.",
    &[
        ("per-frame", |o| o.pdr.layout = Layout::PerFrame),
        ("shared", |o| o.pdr.layout = Layout::Shared),
    ],
)
.by_default("per-frame");

pub static SIGNALS: EngineOption = EngineOption::value(
    "signals",
    "N|none",
    "Comparisons of words that lemmas may mention besides bits: at most so many, or \
     \"none\". Circuits without words have none.",
    |o, text| {
        o.pdr.signal_budget = match text {
            "none" => 0,
            _ => text.parse().map_err(|_| "expected a number or none".to_string())?,
        };
        Ok(())
    },
)
.by_default("none");

pub static EXTRA_SIGNALS: EngineOption = EngineOption::one_of(
    "extra-signals",
    "Signals that join a cube although its lifting does without them: none, those \
     that it implies, or all with their values in the state at hand.",
    &[
        ("none", |o| o.pdr.extra_signals = ExtraSignals::None),
        ("implied", |o| o.pdr.extra_signals = ExtraSignals::Implied),
        ("all", |o| o.pdr.extra_signals = ExtraSignals::All),
    ],
)
.by_default("implied");

pub static GENERALIZE_ATTEMPTS: EngineOption = EngineOption::value(
    "generalize-attempts",
    "N",
    "Generalisation gives up after so many literals that could not be dropped.",
    |o, text| {
        o.pdr.attempts = Some(number(text)?);
        Ok(())
    },
);

pub static LOCALIZE: EngineOption = EngineOption::one_of(
    "localize",
    "Leave open at first, and take back those for which a counterexample fails (Kurshan 1994; Clarke \
     and others 2000): the values of latches; those of variables of the model, all bits or none; only \
     how latches are updated; or the constraints of a circuit.",
    &[
        ("none", |o| o.pdr.localize = None),
        ("latches", |o| o.pdr.localize = Some(Localize::Latches)),
        ("variables", |o| o.pdr.localize = Some(Localize::Variables)),
        ("updates", |o| o.pdr.localize = Some(Localize::Updates)),
        ("constraints", |o| o.pdr.localize = Some(Localize::Constraints)),
    ],
)
.by_default("none");

pub static NO_ELIMINATE: EngineOption = EngineOption::flag(
    "no-eliminate",
    "Keep all gates in the transition relation: no bounded variable elimination.",
    |o| o.pdr.eliminate = false,
);

pub static NO_DOMAINS: EngineOption = EngineOption::flag(
    "no-domains",
    "Decide all variables in every query, not only those in the cone of what it \
     mentions.",
    |o| o.pdr.domains = false,
);

pub static NO_PUSH_LEMMAS: EngineOption =
    EngineOption::flag("no-push-lemmas", "Do not try a new lemma in higher frames at once.", |o| {
        o.pdr.push_lemmas = false
    });

pub static NO_PUSH_OBLIGATIONS: EngineOption = EngineOption::flag(
    "no-push-obligations",
    "A blocked obligation does not return in the next frame.",
    |o| o.pdr.push_obligations = false,
);

pub static NO_INFINITY: EngineOption = EngineOption::flag(
    "no-infinity",
    "Keep lemmas that are inductive by themselves in their frames.",
    |o| o.pdr.infinity = false,
);

pub static MAX_STATES: EngineOption = EngineOption::value(
    "max-states",
    "N",
    "Explore so many states at most; from then on, states are added one by one where a lemma needs them.",
    |o, text| {
        o.max_states = Some(number(text)?);
        Ok(())
    },
)
.by_default("300000");
