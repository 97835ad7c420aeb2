//! Models for solvers that read SMT-LIB 2.

use wedge_model::Cfa;
use wedge_model::cfa::{Cuts, Target, TargetKind};
use wedge_smt::horn::{self, Facts};

/// How an automaton is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Smt2Form {
    /// Instead of Horn clauses, one query about so many iterations.
    pub unroll: Option<usize>,
    pub limits: LimitsAre,
    /// Whether clauses also say what a data-flow analysis knows.
    pub facts: bool,
    /// Whether every location of the automaton has a relation, not only the heads of loops.
    pub small_blocks: bool,
}

/// What becomes of the places where the model of a program ends and the program may not. A solver
/// has two answers, and one that rests on such a place is not about the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LimitsAre {
    /// A model that has such places is not written.
    Refused,
    /// Reaching one is an error: what is proved holds for the program.
    Errors,
    /// A run that comes to one ends there: an error that is found is one of the program.
    Ends,
}

/// Contract: for a form whose limits are refused, the answer of a solver is that of the automaton.
pub fn as_smt2(automaton: &Cfa, form: Smt2Form) -> Result<Vec<u8>, String> {
    let is_limit = |target: &Target| {
        let is_reached = automaton.edges.iter().any(|edge| edge.to == target.location);
        target.kind != TargetKind::Error && is_reached
    };
    let ended;
    let written = match (automaton.targets.iter().find(|&target| is_limit(target)), form.limits) {
        (Some(limit), LimitsAre::Refused) => return Err(refusal(limit)),
        (Some(_), LimitsAre::Ends) => {
            let mut without = automaton.clone();
            without.targets.retain(|target| target.kind == TargetKind::Error);
            ended = without;
            &ended
        }
        _ => automaton,
    };
    let facts = if form.facts { Facts::DataFlow } else { Facts::None };
    let cuts = if form.small_blocks { Cuts::Everywhere } else { Cuts::Heads };
    let text = match form.unroll {
        None => horn::horn(written, cuts, facts),
        Some(bound) => horn::unrolled(written, cuts, bound),
    };
    Ok(text.map_err(|error| error.to_string())?.into_bytes())
}

fn refusal(limit: &Target) -> String {
    format!(
        "the model ends where the program may go on ({}), so that the answer of a solver could be \
         about the end of the model: say with --limits error that reaching it is an error (then \
         what is proved holds for the program) or with --limits ignore that runs end there (then \
         an error that is found is one of the program)",
        limit.name
    )
}
