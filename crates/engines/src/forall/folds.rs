//! Words of candidates that stand for folds: they are unfolded, and what is known of those that are left is asserted.

use super::houdini::Houdini;
use wedge_logic::folds::{Fold, Unfolding};
use wedge_logic::{Substitution, Term, TermStore};

/// What is known of the folds that steps from a cut point are about.
#[derive(Default)]
pub struct Known {
    pub lemmas: Vec<Term>,
    pub choices: Vec<Term>,
}

impl Houdini<'_> {
    pub(super) fn mark_folded(&mut self) {
        for cut in &mut self.cuts {
            let words: Vec<Term> = cut.folds.iter().map(|fold| fold.word).collect();
            for candidate in cut.candidates.iter_mut().filter(|_| !words.is_empty()) {
                let free = self.terms.free_vars(&[candidate.formula]);
                candidate.is_folded = free.iter().any(|variable| words.contains(variable));
            }
        }
    }

    /// What is known of folds holds in all states.
    pub(super) fn assert_lemmas(&mut self, unfoldings: &mut [Unfolding]) {
        for (solver, unfolding) in self.solvers.iter_mut().zip(unfoldings) {
            let mut known = Known { choices: unfolding.choices().to_vec(), ..Known::default() };
            for lemma in unfolding.lemmas(&mut self.terms) {
                let lemma = self.products.hide(&mut self.terms, lemma);
                solver.assert(&mut self.terms, lemma);
                known.lemmas.push(lemma);
            }
            self.folds.push(known);
        }
    }
}

/// Words with the folds that they stand for, in states where terms have these values.
pub fn unfolded(
    terms: &mut TermStore,
    unfolding: &mut Unfolding,
    folds: &[Fold],
    value: &mut dyn FnMut(&mut TermStore, Term) -> Term,
) -> Substitution {
    let mut pairs = Vec::new();
    for fold in folds {
        let mut values = fold.parameters(terms);
        values.iter_mut().for_each(|(_, term)| *term = value(terms, *term));
        let bound = value(terms, fold.bound);
        pairs.push((fold.word, unfolding.unfold(terms, fold, values, bound)));
    }
    Substitution::new(pairs)
}
