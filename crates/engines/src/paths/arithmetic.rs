//! Words or unbounded integers: who answers the questions of a path engine.
//!
//! With integers (paper 2, section 7, the set Integer) another solver answers, and bit operations
//! are over-approximated. So a proof is a claim about unbounded integers until it is checked bit by
//! bit, and a path counts as feasible only if it is one of words, too.

use super::blocked::Blocked;
use super::config::{Arithmetic, PathConfig};
use std::time::Duration;
use wedge_logic::{Term, TermStore};
use wedge_sat::Interrupt;
use wedge_smt::external::find;
use wedge_smt::{Decider, Integers};

/// Solvers of integer arithmetic with unsat cores, of which the first that is installed is taken.
const KNOWN: [&str; 3] = ["z3", "cvc5", "smtinterpol"];

/// The same with interpolants.
const INTERPOLATING: [&str; 4] = ["smtinterpol", "mathsat", "opensmt", "cvc5"];

/// How long a solver may think about one triple (2 s in the paper), and about a path.
const TRIPLE: Duration = Duration::from_secs(2);
const PATH: Duration = Duration::from_secs(20);

/// A solver for paths and cores, where integers are wanted.
pub fn integers(config: &PathConfig, interrupt: &Interrupt) -> Result<Option<Integers>, String> {
    started(config, PATH, interrupt)
}

/// A solver for interpolants of integers: this one, or the first that is installed.
pub fn interpolating(solver: Option<&str>, interrupt: &Interrupt) -> Result<Integers, String> {
    let start = |solver: &str| Integers::start_interpolating(&find(solver), PATH, interrupt);
    let missing =
        || format!("interpolants of integers need another solver: {}", INTERPOLATING.join(" or "));
    match solver {
        Some(solver) => start(solver).map_err(|trouble| trouble.to_string()),
        None => INTERPOLATING.iter().find_map(|solver| start(solver).ok()).ok_or_else(missing),
    }
}

/// Who decides triples.
pub fn decider(
    config: &PathConfig,
    blocked: &mut Blocked,
    interrupt: &Interrupt,
) -> Result<Decider, String> {
    let Some(mut integers) = started(config, TRIPLE, interrupt)? else {
        return Ok(Decider::bits(interrupt));
    };
    integers.bound(&mut blocked.store, &blocked.cfa.inputs);
    Ok(Decider::Integers(Box::new(integers)))
}

fn started(
    config: &PathConfig,
    limit: Duration,
    interrupt: &Interrupt,
) -> Result<Option<Integers>, String> {
    let start = |solver: &str| Integers::start(&find(solver), limit, interrupt);
    match &config.arithmetic {
        Arithmetic::Words => Ok(None),
        Arithmetic::Integers { solver: Some(solver) } => {
            start(solver).map(Some).map_err(|trouble| trouble.to_string())
        }
        Arithmetic::Integers { solver: None } => {
            let found = KNOWN.iter().find_map(|solver| start(solver).ok());
            let missing =
                || format!("integer arithmetic needs another solver: {}", KNOWN.join(" or "));
            found.map(Some).ok_or_else(missing)
        }
    }
}

/// Bounds all variables of formulas over the first values of variables and over inputs.
pub fn bound_all(integers: &mut Integers, store: &mut TermStore, formulas: &[Term]) {
    let variables = store.free_vars(formulas);
    integers.bound(store, &variables);
}
