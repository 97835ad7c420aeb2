//! What follows about folds by algebra.
//!
//! That sums stay equal is hard to see from their bits. What an unfolded sum looks like depends on choices: whether a counter is
//! the last one, whether a write is inside. Where what is known at a cut point decides them, constants take their place, and what is left are
//! equations between polynomials ([`wedge_logic::ring`]).

use super::houdini::{Houdini, Reply};
use wedge_logic::ring::simplify;
use wedge_logic::{Substitution, Term};

/// Conflicts that the question about a choice may take, and how many choices are looked at. Not tuned.
const CONFLICTS: i32 = 2_000;
const MAX_CHOICES: usize = 16;

impl Houdini<'_> {
    /// Those of the candidates after a step that cannot fail, as far as algebra shows it. None if interrupted.
    pub(super) fn by_algebra(&mut self, step: usize, candidates: &[usize]) -> Option<Vec<usize>> {
        let mut shown = Vec::new();
        if candidates.is_empty() {
            return Some(shown);
        }
        let (from, condition) = (self.steps[step].from, self.steps[step].condition);
        let mut decided = self.decided(from, condition)?;
        let given = self.given(from);
        for &candidate in candidates {
            // ⋀g∈c g(s) ∧ laws of folds ∧ step(s, s') ∧ ¬f(s')
            let mut all = given.clone();
            all.extend([condition, self.steps[step].failures[candidate]]);
            if self.is_refuted(&mut decided, &all) {
                shown.push(candidate);
            }
        }
        Some(shown)
    }

    /// Whether algebra shows that no error is reached from a cut point. None if interrupted.
    pub(super) fn is_excluded(&mut self, cut: usize) -> Option<bool> {
        if self.folds[cut].lemmas.is_empty() {
            return Some(false);
        }
        let block = &self.single.blocks[cut];
        for bad in [block.error, block.limit] {
            let bad = self.products.hide(&mut self.terms, bad);
            let mut decided = self.decided(cut, bad)?;
            let mut all = self.given(cut);
            all.push(bad);
            if !self.is_refuted(&mut decided, &all) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// What is said of a cut point without bound variables, and of the folds there.
    fn given(&self, cut: usize) -> Vec<Term> {
        let candidates = self.premises[cut].iter().zip(&self.cuts[cut].candidates);
        let simple = candidates.filter(|(_, c)| c.is_alive && c.bound.is_empty());
        simple.map(|(&premise, _)| premise).chain(self.folds[cut].lemmas.iter().copied()).collect()
    }

    fn is_refuted(&mut self, decided: &mut Substitution, all: &[Term]) -> bool {
        let all: Vec<Term> = all.iter().map(|&t| decided.apply(&mut self.terms, t)).collect();
        let left = simplify(&mut self.terms, &all);
        left.iter().any(|&part| self.terms.value(part).is_some_and(|value| value.is_zero()))
    }

    /// Constants for the choices that are always made in one way where the condition holds.
    fn decided(&mut self, cut: usize, condition: Term) -> Option<Substitution> {
        let choices = self.folds[cut].choices.clone();
        let mut pairs = Vec::new();
        for choice in choices.into_iter().take(MAX_CHOICES) {
            for value in [false, true] {
                let other = if value { self.terms.not(choice) } else { choice };
                if let Reply::Unsat = self.question(cut, &[condition, other], CONFLICTS)? {
                    pairs.push((choice, self.terms.bool(value)));
                    break;
                }
            }
        }
        Some(Substitution::new(pairs))
    }
}
