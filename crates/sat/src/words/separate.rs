//! A few facts that hold in one set of states and exclude another one.
//!
//! General facts come first: only if those over words and numbers of the model do not exclude the
//! second set, more particular ones are looked for. What is not needed is dropped, the most
//! particular facts first.

use super::candidates::Level;
use super::implied::implied;
use super::set::Set;
use super::vocabulary::{Fact, Vocabulary};
use crate::session::Answer;

/// Attempts to drop a fact.
const MAX_DROPS: usize = 60;

/// Ensures: every fact holds in all states of `inside`, no state of `outside` satisfies all of
/// them. None if there are no such facts or the efforts do not suffice.
pub fn separate(
    inside: &mut Set,
    outside: &mut Set,
    vocabulary: &mut Vocabulary,
    words: &[usize],
) -> Option<Vec<Fact>> {
    for level in [Level::Model, Level::State, Level::Bounds] {
        let mut facts = implied(inside, vocabulary, words, level).ok()?;
        if facts.is_empty() {
            return None;
        }
        facts.sort_by_key(Fact::strength);
        if let Some(needed) = reduce(outside, vocabulary, &facts) {
            return Some(needed);
        }
    }
    None
}

/// The facts that are needed to exclude the set; those that come first are preferred. None if they
/// do not, or the effort does not suffice.
pub fn reduce(outside: &mut Set, vocabulary: &mut Vocabulary, facts: &[Fact]) -> Option<Vec<Fact>> {
    let mut pairs: Vec<(Fact, i32)> = Vec::with_capacity(facts.len());
    for fact in facts {
        let lit = vocabulary.literal(fact);
        pairs.push((fact.clone(), outside.literal(vocabulary, lit)));
    }
    let lits = |pairs: &[(Fact, i32)]| pairs.iter().map(|pair| pair.1).collect::<Vec<i32>>();
    // O(s) ∧ a₁(s) ∧ a₂(s) ∧ …
    if outside.solve(&lits(&pairs)) != Answer::Unsat {
        return None;
    }
    keep_core(outside, &mut pairs);
    // So many of the last facts could not be dropped.
    let mut needed = 0;
    for _ in 0..MAX_DROPS {
        let Some(at) = pairs.len().checked_sub(needed + 1) else { break };
        let mut fewer = pairs.clone();
        fewer.remove(at);
        if outside.solve(&lits(&fewer)) == Answer::Unsat {
            keep_core(outside, &mut fewer);
            pairs = fewer;
        } else {
            needed += 1;
        }
    }
    Some(pairs.into_iter().map(|(fact, _)| fact).collect())
}

/// Keeps the facts that the last refutation used.
fn keep_core(set: &mut Set, pairs: &mut Vec<(Fact, i32)>) {
    pairs.retain(|&(_, lit)| set.session.failed(lit));
}
