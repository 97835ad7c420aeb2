//! Sources of state assertions: why a path is infeasible.

use super::blocked::Blocked;
use super::feasible::Infeasible;
use wedge_logic::Term;
use wedge_sat::Interrupt;
use wedge_smt::interpolants::Reason;
use wedge_smt::{StepId, Why};

/// A source gives formulas along an infeasible path. Engines never ask which source they have.
pub trait Source {
    /// Requires: the steps of the path follow one another, and no run takes them all.
    ///
    /// Ensures: φ₀ = true, φ₁, …, φₙ = false for n steps, each over the variables of the
    /// automaton, with {φᵢ} stepᵢ {φᵢ₊₁}.
    fn assertions(
        &mut self,
        blocked: &mut Blocked,
        path: &Infeasible,
        interrupt: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions>;

    /// The same for a part of a path, from a formula to the complement of another: if no run
    /// takes the steps from `before` to a state outside of `after`, formulas φ₀ = before, …,
    /// φₙ = after. None if there is such a run, or none are found, or this source finds none at
    /// all.
    fn between(
        &mut self,
        _blocked: &mut Blocked,
        _before: Term,
        _path: &[StepId],
        _after: Term,
        _interrupt: &Interrupt,
    ) -> Option<Vec<Term>> {
        None
    }
}

/// Why a source has nothing to say about a path.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoAssertions {
    Stopped,
    /// There may be no assertions of the wanted kind, for this reason.
    NotFound(String),
}

impl NoAssertions {
    /// The path was said to be infeasible, and is not.
    pub fn feasible() -> NoAssertions {
        NoAssertions::NotFound("the path is feasible".into())
    }
}

impl From<Why> for NoAssertions {
    fn from(why: Why) -> NoAssertions {
        match why {
            Why::Stopped => NoAssertions::Stopped,
            why => NoAssertions::NotFound(why.to_string()),
        }
    }
}

impl From<Reason> for NoAssertions {
    fn from(reason: Reason) -> NoAssertions {
        match reason {
            Reason::Solver(why) => why.into(),
            reason => NoAssertions::NotFound(reason.to_string()),
        }
    }
}
