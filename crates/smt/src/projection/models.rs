//! Model-based projection: a formula without the variables that holds in a given model and implies
//! the quantified one; and the disjunction of such formulas until they cover it.

use super::Limits;
use crate::solver::{Answer, Solver};
use rustc_hash::FxHashSet;
use wedge_logic::{Op, Term, TermStore, Value};
use wedge_sat::Interrupt;

/// Ensures: the result reads none of the variables, holds where the other variables have the
/// model's values, and implies ∃ variables. formula.
///
/// Requires: the formula holds in the model, which `value` gives.
pub fn model_based(
    store: &mut TermStore,
    variables: &FxHashSet<Term>,
    formula: Term,
    mut value: impl FnMut(&TermStore, Term) -> Value,
) -> Term {
    let mut formula = formula;
    let mut occurring: Vec<Term> =
        store.free_vars(&[formula]).into_iter().filter(|v| variables.contains(v)).collect();
    // A term that the model makes equal to the variable says more than its value.
    while let Some(variable) = occurring.pop() {
        let at = value(store, variable);
        let candidate = equal_term(store, formula, variable, variables, &at, &mut value);
        let by = candidate.unwrap_or_else(|| store.value_term(&at));
        formula = store.substitute(formula, &[(variable, by)]);
    }
    formula
}

/// A side of an equality of the formula, without quantified variables, that has the wanted value
/// in the model and whose other side is the variable.
fn equal_term(
    store: &TermStore,
    formula: Term,
    variable: Term,
    variables: &FxHashSet<Term>,
    wanted: &Value,
    value: &mut impl FnMut(&TermStore, Term) -> Value,
) -> Option<Term> {
    for term in store.cone(&[formula]) {
        if store.op(term) != Op::Eq || !store.args(term).contains(&variable) {
            continue;
        }
        let args = store.args(term);
        let other = if args[0] == variable { args[1] } else { args[0] };
        let free = store.free_vars(&[other]);
        if !free.iter().any(|v| variables.contains(v)) && value(store, other) == *wanted {
            return Some(other);
        }
    }
    None
}

/// ∃ variables. formula as a disjunction of model-based projections; none if the limits do not
/// suffice.
pub(super) fn cover(
    store: &mut TermStore,
    variables: &FxHashSet<Term>,
    formula: Term,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Option<Term> {
    let mut solver = Solver::new(interrupt);
    solver.set_conflicts(Some(limits.conflicts));
    solver.assert(store, formula);
    let mut found = Vec::new();
    loop {
        match solver.check(store) {
            Answer::Unsat => return Some(store.or_all(&found)),
            Answer::Unknown(_) => return None,
            Answer::Sat if found.len() == limits.models => return None,
            Answer::Sat => {}
        }
        let projected = model_based(store, variables, formula, |store, term| {
            solver.value(store, term).expect("a model was found")
        });
        found.push(projected);
        let elsewhere = store.not(projected);
        solver.assert(store, elsewhere);
    }
}
