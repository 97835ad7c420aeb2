//! Assertions by the interpolants of another solver. [`External`] checks them before it gives them
//! out.

use super::blocked::Blocked;
use super::craig::named;
use super::feasible::Infeasible;
use super::parts::{Parts, parts};
use super::source::{NoAssertions, Source};
use std::time::Duration;
use wedge_logic::Term;
use wedge_sat::Interrupt;
use wedge_smt::StepId;
use wedge_smt::external::catalog::Interpolants;
use wedge_smt::external::{Explained, External, Purpose, Trouble, find};

/// How long another solver may think about one question.
const LIMIT: Duration = Duration::from_secs(20);

/// Starts a solver by its name or command. The error says why it is of no use.
pub fn start(purpose: Purpose, solver: &str, interrupt: &Interrupt) -> Result<External, String> {
    let entry = find(solver);
    let unable = match purpose {
        Purpose::Cores => !entry.abilities.cores,
        Purpose::Interpolants => entry.abilities.interpolants == Interpolants::None,
    };
    if unable {
        let what = match purpose {
            Purpose::Cores => "unsat cores",
            Purpose::Interpolants => "interpolants",
        };
        return Err(Trouble::Unable { solver: entry.name, what }.to_string());
    }
    External::start_for(purpose, &entry, LIMIT, interrupt).map_err(|trouble| trouble.to_string())
}

/// What a solver has explained, if it has.
pub fn explained<T>(
    solver: &External,
    answer: Result<Explained<T>, Trouble>,
) -> Result<T, NoAssertions> {
    let name = &solver.entry().name;
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
pub struct OtherCraig {
    pub solver: External,
}

impl OtherCraig {
    fn sequence(
        &mut self,
        blocked: &mut Blocked,
        parts: &Parts,
    ) -> Result<Vec<Term>, NoAssertions> {
        let answer = self.solver.interpolants(&mut blocked.store, &parts.terms);
        let sequence = explained(&self.solver, answer)?;
        Ok(named(blocked, parts, sequence))
    }
}

impl Source for OtherCraig {
    fn assertions(
        &mut self,
        blocked: &mut Blocked,
        path: &Infeasible,
        _: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions> {
        let parts = parts(blocked, &path.steps, &path.needed, None, None);
        self.sequence(blocked, &parts)
    }

    fn between(
        &mut self,
        blocked: &mut Blocked,
        before: Term,
        path: &[StepId],
        after: Term,
        _: &Interrupt,
    ) -> Option<Vec<Term>> {
        let outside = blocked.store.not(after);
        let all = vec![true; path.len()];
        let parts = parts(blocked, path, &all, Some(before), Some(outside));
        // before(s₀) ∧ step₁ ∧ … ∧ stepₙ ∧ ¬after(sₙ)
        let sequence = self.sequence(blocked, &parts).ok()?;
        Some(joined(before, path.len(), sequence, after))
    }
}

/// The assertions of a path of so many steps between two formulas.
pub fn joined(before: Term, steps: usize, mut sequence: Vec<Term>, after: Term) -> Vec<Term> {
    sequence.truncate(steps);
    sequence[0] = before;
    sequence.push(after);
    sequence
}
