//! Error interpolants (definition 3): per place formulas, of which one holds in every state from
//! which the rest of a path leads to a target.
//!
//! The assertions φᵢ of an infeasible path exclude its rest; hence ¬φᵢ is an interpolant of the rest
//! and of the beginning, and of one step into ¬φᵢ₊₁ and the beginning. Each keeps the rest of its
//! path, which is tried when a hit is to be confirmed.

use crate::paths::{Blocked, Goal, PlaceId, StepId, Unwinding, guards, parts};
use wedge_logic::{Term, TermStore};
use wedge_smt::Answer;

/// How many formulas of a place are kept.
const KEPT: usize = 16;
/// How many continuations are tried to confirm a hit.
const TRIED: usize = 8;

struct Bad {
    formula: Term,
    /// The rest of the path.
    rest: Vec<StepId>,
    /// Whether a run can take the rest from some state; if not, only its first step.
    is_feasible: bool,
}

pub struct ErrorInterpolants {
    all: Vec<Vec<Bad>>,
}

impl ErrorInterpolants {
    pub fn new(blocked: &Blocked) -> ErrorInterpolants {
        ErrorInterpolants { all: blocked.places.iter().map(|_| Vec::new()).collect() }
    }

    pub fn is_empty(&self, place: PlaceId) -> bool {
        self.all[place.index()].is_empty()
    }

    pub fn formula(&self, store: &mut TermStore, place: PlaceId) -> Term {
        let all: Vec<Term> = self.all[place.index()].iter().map(|bad| bad.formula).collect();
        store.or_all(&all)
    }

    /// Learns from a path to a target that no run takes, with its assertions.
    pub fn update(&mut self, tree: &mut Unwinding, steps: &[StepId], assertions: &[Term]) {
        let first = first_feasible(tree, steps);
        for from in (1..steps.len()).rev() {
            let place = tree.blocked.step(steps[from]).from;
            let formula = tree.blocked.store.not(assertions[from]);
            let all = &mut self.all[place.index()];
            let known = all.iter().any(|bad| bad.formula == formula && bad.rest == steps[from..]);
            if !known && !tree.blocked.is_false(formula) {
                let rest = steps[from..].to_vec();
                all.push(Bad { formula, rest, is_feasible: from >= first });
                if all.len() > KEPT {
                    all.remove(0);
                }
            }
        }
    }

    /// Ways from a place to a target that may be feasible, the latest first.
    pub fn continuations(&self, blocked: &Blocked, place: PlaceId) -> Vec<Vec<StepId>> {
        let mut found = Vec::new();
        for bad in self.all[place.index()].iter().rev() {
            if bad.is_feasible {
                found.push(bad.rest.clone());
                continue;
            }
            let Goal::Place(next) = blocked.step(bad.rest[0]).to else { continue };
            let later = self.all[next.index()].iter().rev().filter(|later| later.is_feasible);
            found.extend(later.map(|later| [&bad.rest[..1], &later.rest].concat()));
        }
        found.truncate(TRIED);
        found
    }
}

/// Where the longest rest of the path begins that a run can take from some state, without the whole
/// path. What ends in an infeasible rest is infeasible, so that halving finds it.
fn first_feasible(tree: &mut Unwinding, steps: &[StepId]) -> usize {
    let (mut infeasible, mut feasible) = (0, steps.len());
    while feasible - infeasible > 1 {
        let middle = (feasible + infeasible) / 2;
        match is_feasible(tree, &steps[middle..]) {
            true => feasible = middle,
            false => infeasible = middle,
        }
    }
    feasible
}

/// Whether a run takes the steps from some state.
fn is_feasible(tree: &mut Unwinding, steps: &[StepId]) -> bool {
    let all = guards(&tree.blocked, steps);
    let parts = parts(&mut tree.blocked, steps, &all, None, None);
    // stepᵢ ∧ … ∧ stepₙ
    tree.paths.solver.check_assuming(&mut tree.blocked.store, &parts.terms) == Answer::Sat
}
