//! A few facts that hold in one set of states and exclude another one.
//!
//! General facts come first: only if those over words and numbers of the model do not exclude the
//! second set, more particular ones are looked for. Facts that stay true from step to step are
//! preferred, as they are what an invariant may consist of. Of those that do, general ones are preferred and
//! what is not needed is dropped.

use super::affine::stable_equations;
use super::candidates::Level;
use super::implied::implied_at;
use super::inductive::{Step, inductive};
use super::set::Set;
use super::vocabulary::{Fact, Vocabulary};
use wedge_sat::session::Answer;

/// Questions about one set.
const MAX_QUERIES: usize = 100;

/// Ensures: every fact holds in all states of `inside`, no state of `outside` satisfies all of
/// them. None if there are no such facts or the efforts do not suffice.
///
/// Facts that together stay true in the step, if one is given, are preferred. If they are enough,
/// and the step asks for it, the result is closed under the step.
pub fn separate(
    inside: &mut Set,
    outside: &mut Set,
    vocabulary: &mut Vocabulary,
    words: &[usize],
    mut step: Option<Step>,
) -> Option<Vec<Fact>> {
    let mut facts = Vec::new();
    let mut unstable = None;
    for level in Level::ALL {
        // Bounds are too particular to be preferred to anything.
        if level == Level::Bounds && unstable.is_some() {
            break;
        }
        let more = implied_at(inside, vocabulary, words, level).ok();
        let Some(more) = more else { break };
        facts.extend(more);
        if level == Level::Linear
            && let Some(step) = step.as_mut()
        {
            let equations = stable_equations(step, vocabulary, &facts).unwrap_or_default();
            facts.extend(
                equations.into_iter().filter(|fact| !facts.contains(fact)).collect::<Vec<_>>(),
            );
        }
        facts.sort_by_key(Fact::strength);
        let stays = step.as_mut().and_then(|step| inductive(step, vocabulary, &facts));
        if let (Some(stays), Some(step)) = (stays, step.as_mut()) {
            let (stable, others) = split(&facts, &stays);
            if step.closes
                && let Some(needed) = reduce(outside, vocabulary, &stable)
            {
                return Some(closed(step, vocabulary, &stable, needed).unwrap_or(stable));
            }
            facts = [stable, others].concat();
        }
        if unstable.is_none() {
            unstable = reduce(outside, vocabulary, &facts);
        }
        if unstable.is_some() && step.as_ref().is_none_or(|step| !step.closes) {
            break;
        }
    }
    unstable
}

/// The facts that stay true, and the others.
fn split(facts: &[Fact], stays: &[bool]) -> (Vec<Fact>, Vec<Fact>) {
    let with = |wanted: bool| {
        let chosen = facts.iter().zip(stays).filter(move |(_, stays)| **stays == wanted);
        chosen.map(|(fact, _)| fact.clone()).collect()
    };
    (with(true), with(false))
}

/// The facts, with those that they need to stay true, and so on; none if they do not stay true,
/// or the effort does not suffice.
pub fn closed(
    step: &mut Step,
    vocabulary: &mut Vocabulary,
    facts: &[Fact],
    mut needed: Vec<Fact>,
) -> Option<Vec<Fact>> {
    let mut done = 0;
    while done < needed.len() {
        let lit = vocabulary.literal(&needed[done]);
        let after = step.after.literal(&vocabulary.aig, lit, step.session);
        let others = facts.iter().filter(|fact| !needed.contains(fact));
        let preferred: Vec<Fact> = needed.iter().chain(others).cloned().collect();
        let (session, view, effort) = (&mut *step.session, &mut *step.before, step.effort);
        let mut assumptions = step.assumptions.clone();
        assumptions.push(-after);
        let mut fails = Set { session, view, assumptions, effort };
        for reason in reduce(&mut fails, vocabulary, &preferred)? {
            if !needed.contains(&reason) {
                needed.push(reason);
            }
        }
        done += 1;
    }
    Some(needed)
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
