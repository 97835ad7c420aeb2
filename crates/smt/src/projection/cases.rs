//! Cases: a choice (`ite`) between words under a quantifier keeps equalities from being resolved.
//!
//! ```text
//! ∃x. φ[ite(c, a, b)]  is  (∃x. c ∧ φ[a]) ∨ (∃x. ¬c ∧ φ[b])
//! ```
//!
//! Steps of automata that stand for several ways are full of such choices. A case without them
//! reads as the program does, where a projection bit by bit would not.

use rustc_hash::FxHashSet;
use wedge_logic::{Op, Sort, Term, TermStore};

/// The two cases of the outermost choice that depends on one of the variables; none if there is
/// no such choice.
pub(super) fn split(
    store: &mut TermStore,
    variables: &FxHashSet<Term>,
    formula: Term,
) -> Option<[Term; 2]> {
    let mut depends: FxHashSet<Term> = FxHashSet::default();
    let mut outermost = None;
    // Operands come before their users.
    for term in store.cone(&[formula]) {
        if variables.contains(&term) || store.args(term).iter().any(|t| depends.contains(t)) {
            depends.insert(term);
            if store.op(term) == Op::Ite && matches!(store.sort(term), Sort::Bv(2..)) {
                outermost = Some(term);
            }
        }
    }
    let choice = outermost?;
    let [condition, yes, no] = store.args(choice).try_into().expect("a choice has three operands");
    let otherwise = store.not(condition);
    Some([(condition, yes), (otherwise, no)].map(|(condition, chosen)| {
        let case = store.substitute(formula, &[(choice, chosen)]);
        store.and(condition, case)
    }))
}
