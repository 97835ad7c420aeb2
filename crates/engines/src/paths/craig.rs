//! Assertions by Craig interpolation: a formula for every cut of an infeasible path, from one proof
//! or from one proof each (Henzinger, Jhala, Majumdar, McMillan, POPL 2004; Vizel, Grumberg, FMCAD
//! 2009). The three systems, the directions and the lifting to words are those of [`wedge_smt`].

use super::blocked::Blocked;
use super::feasible::Infeasible;
use super::other_craig::joined;
use super::parts::{Parts, parts};
use super::source::{NoAssertions, Source};
use wedge_logic::Term;
use wedge_sat::Interrupt;
use wedge_smt::interpolants::Reason;
use wedge_smt::{Interpolation, Outcome, StepId, Why, interpolants};

pub struct Craig {
    pub how: Interpolation,
}

impl Source for Craig {
    fn assertions(
        &mut self,
        blocked: &mut Blocked,
        path: &Infeasible,
        interrupt: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions> {
        let parts = parts(blocked, &path.steps, &path.needed, None, None);
        match interpolants(&mut blocked.store, &parts.terms, &self.how, interrupt) {
            Outcome::Sequence(sequence) => Ok(named(blocked, &parts, sequence)),
            Outcome::Feasible(_) => Err(NoAssertions::NotFound("the path is feasible".into())),
            Outcome::Unknown(Reason::Solver(Why::Stopped)) => Err(NoAssertions::Stopped),
            Outcome::Unknown(reason) => Err(NoAssertions::NotFound(reason.to_string())),
        }
    }

    fn between(
        &mut self,
        blocked: &mut Blocked,
        before: Term,
        path: &[StepId],
        after: Term,
        interrupt: &Interrupt,
    ) -> Option<Vec<Term>> {
        let all = vec![true; path.len()];
        let outside = blocked.store.not(after);
        let parts = parts(blocked, path, &all, Some(before), Some(outside));
        // before(s₀) ∧ step₁ ∧ … ∧ stepₙ ∧ ¬after(sₙ)
        match interpolants(&mut blocked.store, &parts.terms, &self.how, interrupt) {
            Outcome::Sequence(sequence) => {
                let sequence = named(blocked, &parts, sequence);
                Some(joined(before, path.len(), sequence, after))
            }
            Outcome::Feasible(_) | Outcome::Unknown(_) => None,
        }
    }
}

/// The formulas at the cuts between parts over the variables of the automaton.
pub(super) fn named(blocked: &mut Blocked, parts: &Parts, sequence: Vec<Term>) -> Vec<Term> {
    let formulas = sequence.into_iter().enumerate();
    let named = formulas.map(|(cut, term)| {
        // A part more than steps ends where it begins.
        let cut = cut.min(parts.cuts() - 1);
        parts.named(&mut blocked.store, cut, term)
    });
    named.collect()
}
