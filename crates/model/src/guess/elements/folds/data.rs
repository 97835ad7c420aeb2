//! The values of folds in samples, and what holds of them there.

use super::{At, recognise};
use crate::guess::Column;
use rustc_hash::FxHashMap;
use wedge_logic::folds::{Fold, Joint};
use wedge_logic::{BitVec, Evaluator, Sort, Term, TermStore, Value};

/// Larger values of bounds are those of loops that have not begun.
const MAX_STEPS: u64 = 130;

/// The values of folds by program, state and fold; none where a bound is too large.
pub type FoldValues = Vec<Vec<Vec<Option<u64>>>>;

impl At<'_> {
    pub(super) fn fold_values(&mut self) -> FoldValues {
        let mut all = Vec::new();
        for small in self.smalls.iter_mut() {
            let mut images = Vec::new();
            for fold in &self.folds {
                let step = self.terms.substitute(fold.step, &fold.values);
                let mut image = |term: Term| small.substitution.apply(self.terms, term);
                images.push((image(step), image(fold.bound)));
            }
            let samples = &small.samples;
            let mut evaluator = Evaluator::new(self.terms);
            let mut states = Vec::new();
            for state in &samples.seen[self.cut] {
                for (&variable, value) in samples.variables.iter().zip(state) {
                    evaluator.assign(variable, value.clone());
                }
                let folds = self.folds.iter().zip(&images);
                let values = folds.map(|(fold, &(step, bound))| {
                    value(self.terms, &mut evaluator, fold, step, bound)
                });
                states.push(values.collect());
            }
            all.push(states);
        }
        all
    }

    /// Folds that are sums and the accumulators, in the first program.
    pub(super) fn columns(&self, values: &FoldValues) -> Vec<Column> {
        let Some((small, states)) = self.smalls.first().zip(values.first()) else {
            return Vec::new();
        };
        let mut columns = Vec::new();
        for (place, fold) in self.folds.iter().enumerate() {
            let is_plain = fold.joint == Joint::Sum && fold.values.is_empty();
            let values: Option<Vec<u64>> = states.iter().map(|state| state[place]).collect();
            if let (true, Some(values)) = (is_plain, values) {
                let width = self.terms.width(fold.word);
                columns.push(Column { variable: fold.word, width, values });
            }
        }
        let widths: Vec<u32> = columns.iter().map(|column| column.width).collect();
        for (place, &variable) in small.samples.variables.iter().enumerate() {
            let Sort::Bv(width) = self.terms.sort(variable) else { continue };
            if self.live.contains(&variable) && widths.contains(&width) {
                let seen = small.samples.seen[self.cut].iter();
                let values = seen.map(|state| state[place].bv().to_u64().unwrap_or(0)).collect();
                columns.push(Column { variable, width, values });
            }
        }
        columns
    }

    /// Those that hold in all samples, each once.
    pub(super) fn holding(&mut self, candidates: &[Term], values: &FoldValues) -> Vec<Term> {
        let mut kept: Vec<Term> = candidates.to_vec();
        kept.sort_unstable();
        kept.dedup();
        kept.retain(|&candidate| !self.terms.is_const(candidate));
        let count: usize = values.iter().map(Vec::len).sum();
        if count == 0 {
            return Vec::new();
        }
        for (small, states) in self.smalls.iter_mut().zip(values) {
            let mut images = FxHashMap::default();
            for &candidate in &kept {
                images.insert(candidate, small.substitution.apply(self.terms, candidate));
            }
            let mut evaluator = Evaluator::new(self.terms);
            let samples = &small.samples;
            for (state, values) in samples.seen[self.cut].iter().zip(states) {
                for (&variable, value) in samples.variables.iter().zip(state) {
                    evaluator.assign(variable, value.clone());
                }
                for (fold, value) in self.folds.iter().zip(values) {
                    let number = BitVec::new(self.terms.width(fold.word), value.unwrap_or(0));
                    evaluator.assign(fold.word, Value::Bv(number));
                }
                let is_known = |candidate: Term| {
                    let free = self.terms.free_vars(&[candidate]);
                    let mut folds = self.folds.iter().zip(values);
                    folds.all(|(fold, value)| value.is_some() || !free.contains(&fold.word))
                };
                let mut holds = |candidate: Term| {
                    evaluator.holds(images[&candidate]).unwrap_or(false) && is_known(candidate)
                };
                kept.retain(|&candidate| holds(candidate));
            }
        }
        kept
    }
}

/// The value of a fold in the state that the evaluator has.
fn value(
    terms: &TermStore,
    evaluator: &mut Evaluator,
    fold: &Fold,
    step: Term,
    bound: Term,
) -> Option<u64> {
    let width = terms.width(fold.word);
    let count = evaluator.eval_bv(bound).ok()?.to_u64().filter(|&count| count <= MAX_STEPS)?;
    let mut all: Option<u64> = None;
    for number in 0..count {
        let counter = BitVec::new(terms.width(fold.counter), number);
        evaluator.assign(fold.counter, Value::Bv(counter));
        let step = evaluator.eval_bv(step).ok()?.to_u64()?;
        all = Some(all.map_or(step, |all| recognise::joined(fold.joint, width, all, step)));
    }
    Some(all.unwrap_or_else(|| recognise::unit(fold.joint, width)))
}
