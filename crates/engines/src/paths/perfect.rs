//! Perfect sequences: assertions that are inductive not only for their path, but for its path
//! program (paper 2, section 7.1).
//!
//! The path program has the places and steps of the path, each as often as one likes. The assertions
//! of a place, one for each time that the path comes by, are its invariant together, as a
//! disjunction. A path that comes to no place twice is its own path program, and its sequences are
//! perfect.

use super::blocked::{Blocked, Goal, PlaceId};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::Term;
use wedge_smt::{StepId, Triples};

/// Whether {⋁ φ at ℓ} step {⋁ φ at ℓ'} for every step from ℓ to ℓ' of the path. Not if that is not
/// decided.
///
/// Requires: one formula more than steps, the last for a target.
pub fn is_perfect(
    blocked: &mut Blocked,
    triples: &mut Triples,
    steps: &[StepId],
    sequence: &[Term],
) -> bool {
    let mut at: FxHashMap<PlaceId, Vec<Term>> = FxHashMap::default();
    for (&step, &formula) in steps.iter().zip(sequence) {
        let formulas = at.entry(blocked.step(step).from).or_default();
        if !formulas.contains(&formula) {
            formulas.push(formula);
        }
    }
    if at.len() == steps.len() {
        return true;
    }
    let mut seen = FxHashSet::default();
    let once = steps.iter().copied().filter(|&step| seen.insert(step));
    for step in once.collect::<Vec<StepId>>() {
        let after = match blocked.step(step).to {
            Goal::Place(to) => at.get(&to).cloned().unwrap_or_default(),
            Goal::Target(_) => Vec::new(),
        };
        let after = blocked.store.or_all(&after);
        for before in at[&blocked.step(step).from].clone() {
            if !triples.triple(&mut blocked.store, before, step, after).holds() {
                return false;
            }
        }
    }
    true
}
