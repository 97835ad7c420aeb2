//! Assertions by Craig interpolation: a formula for every cut of an infeasible path, from one proof
//! or from one proof each (Henzinger, Jhala, Majumdar, McMillan, POPL 2004; Vizel, Grumberg, FMCAD
//! 2009). The three systems, the directions and the lifting to words are those of [`wedge_smt`],
//! or another solver's ([`super::other_craig`]).

use super::blocked::Blocked;
use super::feasible::Infeasible;
use super::parts::{Parts, guards, parts};
use super::source::{NoAssertions, Source};
use wedge_logic::{Term, TermStore};
use wedge_sat::Interrupt;
use wedge_smt::{Interpolation, Outcome, StepId, interpolants};

/// Who computes a sequence of interpolants.
pub trait Interpolator {
    /// Requires: the parts cannot hold together.
    ///
    /// Ensures: I₀ = true, I₁, …, Iₙ = false with Iₖ ∧ partₖ → Iₖ₊₁; each over variables that occur
    /// both before and after its cut.
    fn sequence(
        &mut self,
        store: &mut TermStore,
        parts: &[Term],
        interrupt: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions>;
}

impl Interpolator for Interpolation {
    fn sequence(
        &mut self,
        store: &mut TermStore,
        parts: &[Term],
        interrupt: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions> {
        match interpolants(store, parts, self, interrupt) {
            Outcome::Sequence(sequence) => Ok(sequence),
            Outcome::Feasible(_) => Err(NoAssertions::feasible()),
            Outcome::Unknown(reason) => Err(reason.into()),
        }
    }
}

pub struct Craig<I> {
    pub interpolator: I,
}

impl<I: Interpolator> Craig<I> {
    /// The interpolants over the variables of the automaton.
    fn sequence(
        &mut self,
        blocked: &mut Blocked,
        parts: &Parts,
        interrupt: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions> {
        let sequence = self.interpolator.sequence(&mut blocked.store, &parts.terms, interrupt)?;
        let named = sequence.into_iter().enumerate().map(|(cut, term)| {
            // A part more than steps ends where it begins.
            let cut = cut.min(parts.cuts() - 1);
            parts.named(&mut blocked.store, cut, term)
        });
        Ok(named.collect())
    }
}

impl<I: Interpolator> Source for Craig<I> {
    fn assertions(
        &mut self,
        blocked: &mut Blocked,
        path: &Infeasible,
        interrupt: &Interrupt,
    ) -> Result<Vec<Term>, NoAssertions> {
        let parts = parts(blocked, &path.steps, &path.guards, None, None);
        self.sequence(blocked, &parts, interrupt)
    }

    fn between(
        &mut self,
        blocked: &mut Blocked,
        before: Term,
        path: &[StepId],
        after: Term,
        interrupt: &Interrupt,
    ) -> Option<Vec<Term>> {
        let all = guards(blocked, path);
        let outside = blocked.store.not(after);
        let parts = parts(blocked, path, &all, Some(before), Some(outside));
        // before(s₀) ∧ step₁ ∧ … ∧ stepₙ ∧ ¬after(sₙ)
        let mut sequence = self.sequence(blocked, &parts, interrupt).ok()?;
        sequence.truncate(path.len());
        sequence[0] = before;
        sequence.push(after);
        Some(sequence)
    }
}
