//! What follows from equations by algebra.
//!
//! That products are equal is hard to see from their bits: an invariant as 2s = i (i − 1) is kept by the step
//! s + i, i + 1 because two polynomials are the same. Where equations are all that a demand is about, this is
//! found before anything is made of bits; where they are a part of it, what is left is the smaller question.

use super::Demand;
use wedge_logic::ring::simplify;
use wedge_logic::{Op, Term, TermStore};

/// The demands that are still to be shown. One that has fewer sums and products than before takes the place of
/// the one that it was: it is possible, together with what is given, exactly if that was.
pub(super) fn without_solved(
    terms: &mut TermStore,
    given: Term,
    demands: &[Demand],
) -> Vec<Demand> {
    let mut left = Vec::new();
    for demand in demands {
        let before = [given, demand.wrong];
        if !has_equation(terms, &before) {
            left.push(*demand);
            continue;
        }
        let after = simplify(terms, &before);
        let wrong = terms.and_all(&after);
        match terms.value(wrong) {
            Some(value) if value.is_zero() => {}
            _ if arithmetic(terms, &[wrong]) < arithmetic(terms, &before) => {
                left.push(Demand { wrong, ..*demand });
            }
            _ => left.push(*demand),
        }
    }
    left
}

/// Whether an equation between words is given.
fn has_equation(terms: &TermStore, all: &[Term]) -> bool {
    let parts = all.iter().flat_map(|&term| terms.conjuncts(term));
    let is_equation =
        |part: Term| terms.op(part) == Op::Eq && !terms.sort(terms.args(part)[0]).is_array();
    parts.into_iter().any(is_equation)
}

/// How many sums and products there are.
fn arithmetic(terms: &TermStore, all: &[Term]) -> usize {
    let cone = terms.cone(all);
    cone.iter().filter(|&&part| matches!(terms.op(part), Op::Add | Op::Mul)).count()
}
