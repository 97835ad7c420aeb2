//! Words that stand for folds over arrays: what they are, and demands that speak of them.

use super::{Demand, Quantified, imported_with};
use crate::rejection::Rejection;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::folds::Fold;
use wedge_logic::{Term, TermStore};
use wedge_model::cfa::{LocationId, QuantifiedInvariants};

impl Quantified<'_> {
    /// Takes over what words stand for; they have new ones in their place.
    pub(super) fn import_folds(
        &mut self,
        claim: &QuantifiedInvariants,
        variables: &FxHashSet<Term>,
        renamed: &mut FxHashMap<Term, Term>,
    ) -> Result<(), Rejection> {
        let unfit = |what: &str| Rejection::Malformed(what.to_string());
        let foreign = || unfit("a fold reads what is no variable of the automaton");
        let (from, terms) = (&claim.terms, &mut self.checker.terms);
        let mut counters = FxHashMap::default();
        for fold in &claim.folds {
            let &Fold { word, joint, counter, step, bound, .. } = fold;
            let is_new = |term: Term| from.is_var(term) && !variables.contains(&term);
            if !is_new(word) || !is_new(counter) || renamed.contains_key(&word) {
                return Err(unfit("the word of a fold or its counter stands for something else"));
            }
            let own = terms.fresh_var("fold", from.sort(word));
            renamed.insert(word, own);
            let sort = from.sort(counter);
            let image = counters.entry(counter).or_insert_with(|| terms.fresh_var("counter", sort));
            let (image, none) = (*image, FxHashMap::default());
            let of_counter: FxHashMap<Term, Term> = [(counter, image)].into_iter().collect();
            let step = imported_with(from, step, terms, variables, &of_counter);
            let step = step.ok_or_else(foreign)?;
            let bound = imported_with(from, bound, terms, variables, &none).ok_or_else(foreign)?;
            let mut values = Vec::new();
            for &(variable, value) in &fold.values {
                let value = imported_with(from, value, terms, variables, &none);
                let is_variable = variables.contains(&variable);
                values.push((variable, value.filter(|_| is_variable).ok_or_else(foreign)?));
            }
            let fold = Fold { word: own, joint, counter: image, step, values, bound };
            if !fold.is_fit(terms) {
                return Err(unfit("the parts of a fold have widths that do not fit"));
            }
            self.folds.push(fold);
        }
        for (location, probes) in &claim.probes {
            let none = FxHashMap::default();
            let images = probes.iter().map(|&p| imported_with(from, p, terms, variables, &none));
            let probes: Option<Vec<Term>> = images.collect();
            self.probes.insert(*location, probes.ok_or_else(foreign)?);
        }
        Ok(())
    }

    /// The same for a demand about folds. Where what is given, and that the run comes to where something is wrong, excludes a
    /// choice between forms of a fold, a constant takes its place.
    pub(super) fn refute_folded(
        &mut self,
        cut: LocationId,
        given: Term,
        choices: &[Term],
        (reached, demand): (Term, Demand),
    ) -> Result<(), Rejection> {
        let mut decided = Vec::new();
        for &choice in choices {
            for value in [false, true] {
                let terms = &mut self.checker.terms;
                let other = if value { terms.not(choice) } else { choice };
                let wrong = terms.and(reached, other);
                match self.refute(cut, given, vec![Demand { wrong, ..demand }]) {
                    Ok(()) => {
                        decided.push((choice, self.checker.terms.bool(value)));
                        break;
                    }
                    Err(Rejection::RefutedAt { .. }) => {}
                    Err(rejection) => return Err(rejection),
                }
            }
        }
        let terms = &mut self.checker.terms;
        let given = terms.substitute(given, &decided);
        let wrong = terms.substitute(demand.wrong, &decided);
        self.refute(cut, given, vec![Demand { wrong, ..demand }])
    }
}

/// The folds whose words a formula reads.
pub(super) fn read<'f>(terms: &TermStore, folds: &'f [Fold], formula: Term) -> Vec<&'f Fold> {
    let free = terms.free_vars(&[formula]);
    folds.iter().filter(|fold| free.contains(&fold.word)).collect()
}
