//! Interpolants by strongest postconditions: ∃ x. Iₖ ∧ partₖ, for the variables x that no later
//! part mentions. This is exact, so it succeeds wherever the quantifiers can be removed; it is the
//! way out where a refutation relates array elements of different parts.

use super::{Outcome, Reason};
use crate::projection::{Limits, exists};
use crate::solver::{Answer, Solver};
use wedge_logic::{Term, TermStore};
use wedge_sat::Interrupt;

pub(super) fn sequence(store: &mut TermStore, parts: &[Term], interrupt: &Interrupt) -> Outcome {
    let mut solver = Solver::new(interrupt);
    match solver.check_assuming(store, parts) {
        Answer::Unsat => {}
        Answer::Unknown(why) => return Outcome::Unknown(Reason::Solver(why)),
        Answer::Sat => {
            let variables = store.free_vars(parts).into_iter();
            let value = |v| Some((v, solver.value(store, v)?));
            return Outcome::Feasible(variables.filter_map(value).collect());
        }
    }
    let mut sequence = vec![store.bool(true)];
    for cut in 1..parts.len() {
        let before = store.and(sequence[cut - 1], parts[cut - 1]);
        let later = store.free_vars(&parts[cut..]);
        let gone: Vec<Term> =
            store.free_vars(&[before]).into_iter().filter(|v| !later.contains(v)).collect();
        let post = exists(store, &gone, before, &Limits::default(), interrupt);
        match post.plain() {
            Some(post) => sequence.push(post),
            None => return Outcome::Unknown(Reason::Mixed),
        }
    }
    sequence.push(store.bool(false));
    Outcome::Sequence(sequence)
}
