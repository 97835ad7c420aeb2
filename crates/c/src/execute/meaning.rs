//! Whether the runs of a program have a meaning.
//!
//! C says nothing about a program once its behaviour is undefined, and what a proof takes to be the
//! run from there on is only one way to go on. So there is a short search for such a run, the same
//! one every time, before a proof is given out. The environment is at its best in it: it gives out
//! pointers to memory of its own, which can be read and written, and never null. Numbers from outside
//! are arbitrary, and the program has to cope with them. Where nothing is found nothing is shown.

use super::{Finding, Search};
use crate::interp::{Answer, Outcome, Undefined};
use crate::source::Position;
use crate::typed::Program;
use crate::violation::Properties;
use rustc_hash::FxHashSet;

/// At most so many runs.
const RUNS: u64 = 2_000;
/// Steps of the first runs, of later ones, and of all together.
const SHORT: u64 = 2_000;
const LONG: u64 = 10_000;
const STEPS: u64 = 3_000_000;
/// What speaks against giving out a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Doubt {
    /// A run comes to undefined behaviour here.
    Undefined(Undefined, Position),
    /// With these answers a run comes to the error, after so many steps.
    Error { answers: Vec<Answer>, steps: u64 },
}

/// Searches for a run that makes a proof worthless.
pub fn doubt(program: &Program, properties: &Properties, seed: u64) -> Option<Doubt> {
    let mut search = Search::new(program, properties, seed, &|| false);
    search.benign = true;
    (search.short, search.longest) = (SHORT, LONG);
    (search.most_runs, search.budget) = (RUNS, STEPS);
    match search.run() {
        Finding::Undefined(what, at) => Some(Doubt::Undefined(what, at)),
        Finding::Stuck(Outcome::UndefinedBehaviour(what, at)) => {
            is_own(what).then_some(Doubt::Undefined(what, at))
        }
        Finding::Error { answers, steps } => Some(Doubt::Error { answers, steps }),
        _ => None,
    }
}

/// The statements and ends of blocks that the runs of the same search get to.
pub fn visited(program: &Program, seed: u64) -> FxHashSet<Position> {
    let nothing = Properties::new(Vec::new()).unwrap_or_default();
    let mut search = Search::new(program, &nothing, seed, &|| false);
    search.swift = None;
    search.experience.visited = Some(FxHashSet::default());
    (search.short, search.longest) = (SHORT, LONG);
    (search.most_runs, search.budget) = (RUNS, STEPS);
    search.run();
    search.experience.visited.take().unwrap_or_default()
}

/// Whether the program is to blame, and not a pointer from outside. Arithmetic that every machine
/// carries out in some way ends a run and is no reason to doubt the others.
pub fn is_own(what: Undefined) -> bool {
    use Undefined::*;
    let outside = matches!(what, InvalidPointer | InvalidFree | InvalidCall);
    !outside && !matches!(what, DivisionOverflow | ShiftCount)
}
