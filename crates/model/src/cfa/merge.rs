//! How the ways into a join are told apart, relative to the immediate dominator.
//!
//! Runs that reach a join have passed its immediate dominator, so what held there need not be
//! asked again: an if-diamond merges to `ite(c, a, b)`. The ways are grouped by the dominators in
//! between. A group's condition says, for runs that are at the group's node, that they go on to
//! the join by an edge of this group; conditions of neighbouring groups exclude one another.

use super::region::Region;
use rustc_hash::FxHashMap;
use wedge_logic::{BitVec, Term, TermStore};

/// From where a value comes.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// The way with this place in the list.
    Edge(u32),
    /// The choice with this place, which is an earlier one.
    Choice(u32),
}

/// The decision tree of one join.
pub(super) struct Merge {
    /// Each is a list of alternatives of which one is taken if the join is reached, with the
    /// condition for it. The last is the decision at the immediate dominator.
    choices: Vec<Vec<(Term, Source)>>,
    /// Whether runs at the immediate dominator reach the join.
    pub condition: Term,
}

impl Merge {
    /// The tree for a node, from the edges into it that may be taken, each as the node from which
    /// it comes and its guard; `relative` has the conditions of the nodes that come before.
    pub fn new(
        terms: &mut TermStore,
        region: &Region,
        join: usize,
        ways: &[(u32, Term)],
        relative: &[Term],
    ) -> Merge {
        let top = region.dominators.parent(join);
        let mut groups = groups(region, top, ways);
        let mut choices = Vec::new();
        let mut nodes: Vec<usize> = groups.keys().copied().collect();
        nodes.sort_unstable();
        // Dominators come before what they dominate.
        for node in nodes.into_iter().rev() {
            let alternatives = groups.remove(&node).unwrap_or_default();
            if alternatives.is_empty() {
                continue;
            }
            let condition = match region.is_inevitable(join, node) {
                true => terms.bool(true),
                false => {
                    let conditions: Vec<Term> = alternatives.iter().map(|&(c, _)| c).collect();
                    any_of(terms, &conditions)
                }
            };
            let source = match alternatives[..] {
                [(_, source)] => source,
                _ => {
                    choices.push(alternatives);
                    Source::Choice(choices.len() as u32 - 1)
                }
            };
            if node == top {
                return Merge { choices, condition };
            }
            let condition = terms.and(relative[node], condition);
            if !is_false(terms, condition) {
                let above = groups.entry(region.dominators.parent(node)).or_default();
                above.push((condition, source));
            }
        }
        // No way is possible.
        Merge { choices, condition: terms.bool(false) }
    }

    /// The value at the join, from the values that the ways bring, of which there is one.
    pub fn value(&self, terms: &mut TermStore, values: &[Term]) -> Term {
        let first = values[0];
        if values.iter().all(|&v| v == first) {
            return first;
        }
        let mut chosen: Vec<Term> = Vec::with_capacity(self.choices.len());
        for alternatives in &self.choices {
            let of = |source| match source {
                Source::Edge(index) => values[index as usize],
                Source::Choice(index) => chosen[index as usize],
            };
            let mut rest = alternatives.iter().rev();
            let mut value = rest.next().map_or(first, |&(_, source)| of(source));
            for &(condition, source) in rest {
                value = terms.ite(condition, of(source), value);
            }
            chosen.push(value);
        }
        chosen.last().copied().unwrap_or(first)
    }
}

/// The alternatives that the edges themselves are, by the nodes from which they come; and without
/// alternatives yet, all nodes up to the immediate dominator.
fn groups(
    region: &Region,
    top: usize,
    ways: &[(u32, Term)],
) -> FxHashMap<usize, Vec<(Term, Source)>> {
    let mut groups: FxHashMap<usize, Vec<(Term, Source)>> = FxHashMap::default();
    groups.insert(top, Vec::new());
    for (place, &(from, guard)) in ways.iter().enumerate() {
        let mut node = from as usize;
        while node != top && !groups.contains_key(&node) {
            groups.insert(node, Vec::new());
            node = region.dominators.parent(node);
        }
        let group = groups.entry(from as usize).or_default();
        group.push((guard, Source::Edge(place as u32)));
    }
    groups
}

pub(super) fn is_false(terms: &TermStore, condition: Term) -> bool {
    terms.value(condition).is_some_and(BitVec::is_zero)
}

/// The disjunction. One by one, so that the negation of the other guards of a location, which
/// default branches have, meets them in the form in which they were negated.
pub(super) fn any_of(terms: &mut TermStore, conditions: &[Term]) -> Term {
    match conditions.len() {
        0..=8 => {
            let nothing = terms.bool(false);
            conditions.iter().fold(nothing, |all, &c| terms.or(all, c))
        }
        _ => terms.or_all(conditions),
    }
}
