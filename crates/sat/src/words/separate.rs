//! A few facts that hold in one set of states and exclude another one.
//!
//! General facts come first: only if those over words and numbers of the model do not exclude the
//! second set, more particular ones are looked for. Of those that do, general ones are preferred and
//! what is not needed is dropped.

use super::candidates::Level;
use super::implied::implied;
use super::inductive::{Step, inductive};
use super::set::Set;
use super::vocabulary::{Fact, Vocabulary};
use crate::session::Answer;

/// Questions about one set.
const MAX_QUERIES: usize = 100;

/// Ensures: every fact holds in all states of `inside`, no state of `outside` satisfies all of
/// them. None if there are no such facts or the efforts do not suffice. Facts that stay true in the
/// step, if one is given, are preferred.
pub fn separate(
    inside: &mut Set,
    outside: &mut Set,
    vocabulary: &mut Vocabulary,
    words: &[usize],
    mut step: Option<Step>,
) -> Option<Vec<Fact>> {
    for level in [Level::Model, Level::Linear, Level::Bounds] {
        let mut facts = implied(inside, vocabulary, words, level).ok()?;
        if facts.is_empty() {
            continue;
        }
        facts.sort_by_key(Fact::strength);
        if let Some(stays) = step.as_mut().and_then(|step| inductive(step, vocabulary, &facts)) {
            facts = stable_first(&facts, &stays);
        }
        if let Some(needed) = reduce(outside, vocabulary, &facts) {
            return Some(needed);
        }
    }
    None
}

/// The facts that stay true, then the others.
fn stable_first(facts: &[Fact], stays: &[bool]) -> Vec<Fact> {
    let with = |wanted: bool| {
        facts.iter().zip(stays).filter(move |(_, stays)| **stays == wanted).map(|(fact, _)| fact)
    };
    with(true).chain(with(false)).cloned().collect()
}

/// Facts that are needed to exclude the set. None if all of them do not, or the effort does not
/// suffice.
///
/// Earlier facts are preferred, as in Junker's QuickXplain (AAAI 2004): the last fact of the
/// shortest sufficient prefix is needed, whatever comes before it; with it, a shorter prefix may
/// be sufficient.
pub fn reduce(outside: &mut Set, vocabulary: &mut Vocabulary, facts: &[Fact]) -> Option<Vec<Fact>> {
    let mut lits = Vec::with_capacity(facts.len());
    for fact in facts {
        let lit = vocabulary.literal(fact);
        lits.push(outside.literal(vocabulary, lit));
    }
    let mut search = Search { outside, lits, kept: Vec::new(), queries: 0 };
    let mut enough = search.core_of_prefix(facts.len())?;
    while enough > 0 {
        enough = search.shortest_prefix(enough);
        if enough == 0 {
            break;
        }
        search.kept.push(enough - 1);
        enough -= 1;
    }
    let mut kept = search.kept;
    kept.sort_unstable();
    Some(kept.into_iter().map(|index| facts[index].clone()).collect())
}

struct Search<'q, 's> {
    outside: &'q mut Set<'s>,
    lits: Vec<i32>,
    /// Positions of facts that are needed.
    kept: Vec<usize>,
    queries: usize,
}

impl Search<'_, '_> {
    /// If so many first facts, with those that are kept, exclude the set: how many of them the
    /// refutation needs.
    fn core_of_prefix(&mut self, length: usize) -> Option<usize> {
        self.queries += 1;
        let kept = self.kept.iter().map(|&index| self.lits[index]);
        let assumed: Vec<i32> = self.lits[..length].iter().copied().chain(kept).collect();
        // O(s) ∧ a₁(s) ∧ a₂(s) ∧ …
        if self.outside.solve(&assumed) != Answer::Unsat {
            return None;
        }
        let session = &mut self.outside.session;
        let last = self.lits[..length].iter().rposition(|&lit| session.failed(lit));
        Some(last.map_or(0, |last| last + 1))
    }

    /// The length of the shortest prefix that is enough, if it can be found; one that is enough
    /// anyway.
    fn shortest_prefix(&mut self, enough: usize) -> usize {
        let (mut short, mut enough) = (0, enough);
        // Everything below `short` is not enough.
        while short < enough && self.queries < MAX_QUERIES {
            let middle = (short + enough) / 2;
            match self.core_of_prefix(middle) {
                Some(length) => enough = length,
                None => short = middle + 1,
            }
        }
        enough
    }
}
