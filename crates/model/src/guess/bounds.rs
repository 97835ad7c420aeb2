//! Bounds of variables and of their differences by constants that the program compares with:
//! x - y <= c, the inequalities of octagons (Miné: The Octagon Abstract Domain, 2006) as far as one
//! variable counts against the other.
//!
//! Samples rarely come to the bounds themselves. So a guess takes the nearest constants that no sample
//! is beyond; the program compares with a bound as `<` or as `<=`, so its neighbours count, too.

use super::Column;
use super::relations::signed;
use crate::cfa::SingleLoop;
use std::collections::BTreeSet;
use wedge_logic::{BitVec, Op, Term, TermStore};

/// Variables that are taken in pairs, of each width. Like the numbers below not tuned: they keep the guesses of a cut
/// point in the dozens.
const MAX_PAIRED: usize = 8;
/// Constants of a program that are taken, with their neighbours.
const MAX_CONSTANTS: usize = 60;
/// Bounds on either side that are tried: the nearest ones.
const NEAREST: usize = 3;

/// The constants that the blocks of the program compare with, and their neighbours, as signed numbers.
pub fn constants(single: &SingleLoop) -> Vec<i64> {
    let terms = &single.system.terms;
    let mut found = BTreeSet::from([-1, 0, 1]);
    for term in terms.cone(&super::derived::conditions(single)) {
        if !matches!(terms.op(term), Op::Eq | Op::Ult | Op::Slt) || found.len() > MAX_CONSTANTS {
            continue;
        }
        let numbers = terms.args(term).iter().filter_map(|&operand| terms.value(operand));
        for number in numbers.filter(|number| number.width() <= 64) {
            let value = signed(number.width(), number.to_u64().unwrap_or(0));
            found.extend((-1..=1).filter_map(|step: i64| value.checked_add(step)));
        }
    }
    found.into_iter().collect()
}

/// Guesses about variables of one width at one place.
pub fn guess(terms: &mut TermStore, columns: &[&Column], constants: &[i64]) -> Vec<Term> {
    let mut guesses = Vec::new();
    let columns = &columns[..columns.len().min(MAX_PAIRED)];
    for (index, a) in columns.iter().enumerate() {
        within(terms, a.variable, &a.values, constants, &mut guesses);
        for b in &columns[index + 1..] {
            let difference = terms.sub(a.variable, b.variable);
            let pairs = a.values.iter().zip(&b.values);
            let values: Vec<u64> = pairs.map(|(a, b)| a.wrapping_sub(*b)).collect();
            within(terms, difference, &values, constants, &mut guesses);
        }
    }
    guesses
}

/// c <= t and t <= d for the nearest constants c and d that no sample is beyond.
fn within(
    terms: &mut TermStore,
    term: Term,
    values: &[u64],
    constants: &[i64],
    guesses: &mut Vec<Term>,
) {
    let width = terms.width(term);
    let values = || values.iter().map(|&value| signed(width, value));
    let (Some(least), Some(most)) = (values().min(), values().max()) else { return };
    let fits = |&&c: &&i64| signed(width, c as u64) == c;
    let above: Vec<i64> =
        constants.iter().filter(fits).filter(|&&c| c >= most).take(NEAREST).copied().collect();
    let below: Vec<i64> = constants
        .iter()
        .rev()
        .filter(fits)
        .filter(|&&c| c <= least)
        .take(NEAREST)
        .copied()
        .collect();
    let number =
        |terms: &mut TermStore, c: i64| terms.constant(BitVec::new(width.min(64), c as u64));
    for c in above {
        let bound = number(terms, c);
        guesses.push(terms.sle(term, bound));
    }
    for c in below {
        let bound = number(terms, c);
        guesses.push(terms.sle(bound, term));
    }
}
