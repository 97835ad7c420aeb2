//! Assertions by the interpolants of another solver. [`External`] checks them before it gives them
//! out.

use super::craig::Interpolator;
use super::source::NoAssertions;
use std::time::Duration;
use wedge_logic::{Term, TermStore};
use wedge_sat::Interrupt;
use wedge_smt::Integers;
use wedge_smt::external::catalog::Interpolants;
use wedge_smt::external::{Entry, Explained, External, Purpose, Trouble, find};

/// How long another solver may think about one question.
const LIMIT: Duration = Duration::from_secs(20);

/// Starts a solver by its name or command. The error says why it is of no use.
pub fn start(purpose: Purpose, solver: &str, interrupt: &Interrupt) -> Result<External, String> {
    let entry = find(solver);
    let (able, what) = match purpose {
        Purpose::Cores => (entry.abilities.cores, "unsat cores"),
        Purpose::Interpolants => {
            (entry.abilities.interpolants != Interpolants::None, "interpolants")
        }
    };
    // Of a solver that is not there, nobody asks what it can.
    let started = External::start_for(purpose, &entry, LIMIT, interrupt);
    let solver = started.map_err(|trouble| trouble.to_string())?;
    match able {
        true => Ok(solver),
        false => Err(Trouble::Unable { solver: entry.name, what }.to_string()),
    }
}

/// What a solver has explained, if it has.
pub fn explained<T>(
    solver: &Entry,
    answer: Result<Explained<T>, Trouble>,
) -> Result<T, NoAssertions> {
    let name = &solver.name;
    match answer {
        Ok(Explained::Refuted(found)) => Ok(found),
        Ok(Explained::Feasible(_)) => Err(NoAssertions::NotFound(format!(
            "the solver {name} says that a path is feasible which is not"
        ))),
        Ok(Explained::Unknown) => Err(NoAssertions::NotFound(format!(
            "the solver {name} does not know why a path is infeasible"
        ))),
        Err(Trouble::Stopped { .. }) => Err(NoAssertions::Stopped),
        Err(trouble) => Err(NoAssertions::NotFound(trouble.to_string())),
    }
}

/// Use with one automaton only.
impl Interpolator for External {
    fn sequence(
        &mut self,
        store: &mut TermStore,
        parts: &[Term],
        _: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions> {
        let answer = self.interpolants(store, parts);
        explained(self.entry(), answer)
    }
}

/// The same for integers.
impl Interpolator for Integers {
    fn sequence(
        &mut self,
        store: &mut TermStore,
        parts: &[Term],
        _: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions> {
        let answer = self.interpolants(store, parts);
        explained(self.entry(), answer)
    }
}
