//! What of each part a refutation needs.
//!
//! Parts are conjunctions: the guards of a block, and an equation for each variable that it assigns.
//! Most of them have nothing to do with why the parts cannot hold together. An unsat core over the
//! conjuncts leaves weaker parts that cannot hold together either; interpolants of these are
//! interpolants of the whole ones, have fewer variables, and come from a smaller proof.

use crate::solver::{Answer, Solver};
use rustc_hash::FxHashSet;
use wedge_logic::{Term, TermStore};
use wedge_sat::Interrupt;

/// Parts with fewer conjuncts than this are taken as they are.
const FEW: usize = 8;

/// The parts without conjuncts that are not needed; the parts themselves if that is not found.
///
/// Ensures: each part implies its result, and if the parts are contradictory, the results are.
pub(super) fn needed(store: &mut TermStore, parts: &[Term], interrupt: &Interrupt) -> Vec<Term> {
    let conjuncts: Vec<Vec<Term>> = parts.iter().map(|&part| store.conjuncts(part)).collect();
    let all: Vec<Term> = conjuncts.iter().flatten().copied().collect();
    if all.len() < FEW {
        return parts.to_vec();
    }
    let mut solver = Solver::new(interrupt);
    // c₁ ∧ c₂ ∧ …, each an assumption
    if solver.check_assuming(store, &all) != Answer::Unsat {
        return parts.to_vec();
    }
    let core: FxHashSet<Term> = solver.small_core(store).into_iter().collect();
    let kept = conjuncts.into_iter().map(|mut conjuncts| {
        conjuncts.retain(|conjunct| core.contains(conjunct));
        store.and_all(&conjuncts)
    });
    kept.collect()
}
