//! Weights of branches (section IV-B): how much is missing behind a branch until its safety
//! interpolant is full. A weight is undefined, 0, or more; what is more goes first, what is undefined
//! before what is 0.
//!
//! The paper's sums have no solution in a loop that is not full: a weight would be a part of itself.
//! What is missing behind a step back to the head of a loop is missing behind the branches of the
//! head, which are counted there; so such a step weighs 0 and goes last. With weights that go round,
//! the way back weighs more than the way out, and loops are unwound before anything behind them is
//! seen: the driver si4713 took more than 89 refinements then, 43 now, and 55 with reachability
//! interpolants alone. Left undefined, and out of the sums, such steps took 46.

use super::safety::SafetyInterpolants;
use crate::paths::{Blocked, Goal, PlaceId, StepId};
use std::collections::BTreeMap;

/// Places by rank.
type Changed = BTreeMap<usize, PlaceId>;

pub struct Weights {
    all: Vec<Option<u64>>,
    /// The steps into each place, without those that close a cycle.
    incoming: Vec<Vec<StepId>>,
    /// By place: its number in an order in which all others that steps lead to come before it, but
    /// for steps that close a cycle.
    rank: Vec<usize>,
}

impl Weights {
    pub fn new(blocked: &Blocked) -> Weights {
        let mut incoming = vec![Vec::new(); blocked.places.len()];
        let mut all = vec![None; blocked.steps.len()];
        let (closes_cycle, rank) = cycles(blocked);
        for (number, step) in blocked.steps.iter().enumerate() {
            match step.to {
                Goal::Place(_) if closes_cycle[number] => all[number] = Some(0),
                Goal::Place(to) => incoming[to.index()].push(StepId(number as u32)),
                Goal::Target(_) => {}
            }
        }
        Weights { all, incoming, rank }
    }

    pub fn weight(&self, step: StepId) -> Option<u64> {
        self.all[step.0 as usize]
    }

    /// Greater for what is explored first.
    pub fn rank(&self, step: StepId) -> u64 {
        match self.weight(step) {
            Some(0) => 0,
            None => 1,
            Some(more) => more.saturating_add(1),
        }
    }

    /// Sets the weights of the steps into places that became full, and of the step to the last
    /// place that a run along a path reaches; then of those that lead to where weights changed.
    pub fn update(
        &mut self,
        blocked: &Blocked,
        safety: &SafetyInterpolants,
        reached: &[StepId],
        filled: &[PlaceId],
    ) {
        let mut changed = BTreeMap::new();
        for place in filled {
            for step in self.incoming[place.index()].clone() {
                self.set(blocked, step, 0, &mut changed);
            }
        }
        if let Some(&last) = reached.last()
            && let Goal::Place(to) = blocked.step(last).to
            && !safety.is_full(to)
        {
            let branches = blocked.place(to).steps.len() as u64;
            self.set(blocked, last, branches.saturating_sub(1), &mut changed);
        }
        // What a sum depends on comes first, so that each is computed once.
        while let Some((_, place)) = changed.pop_first() {
            if safety.is_full(place) {
                continue;
            }
            let branches = blocked.place(place).steps.iter();
            let weights = branches.map(|&step| self.weight(step).unwrap_or(1));
            let weight = weights.fold(0, u64::saturating_add);
            for step in self.incoming[place.index()].clone() {
                self.set(blocked, step, weight, &mut changed);
            }
        }
    }

    /// Sets a weight; the place where the step begins has changed if the weight has.
    fn set(&mut self, blocked: &Blocked, step: StepId, weight: u64, changed: &mut Changed) {
        if self.all[step.0 as usize].replace(weight) != Some(weight) {
            let from = blocked.step(step).from;
            changed.insert(self.rank[from.index()], from);
        }
    }
}

/// For each step whether it closes a cycle: it leads to a place on the way to it, as a depth-first
/// search goes. For each place when the search has left it.
fn cycles(blocked: &Blocked) -> (Vec<bool>, Vec<usize>) {
    let mut closes = vec![false; blocked.steps.len()];
    let mut rank = vec![usize::MAX; blocked.places.len()];
    let mut is_seen = vec![false; blocked.places.len()];
    let mut left = 0;
    let mut way = vec![(Blocked::ENTRY, 0)];
    is_seen[Blocked::ENTRY.index()] = true;
    while let Some((place, next)) = way.last_mut() {
        let Some(&step) = blocked.place(*place).steps.get(*next) else {
            rank[place.index()] = left;
            left += 1;
            way.pop();
            continue;
        };
        *next += 1;
        let Goal::Place(to) = blocked.step(step).to else { continue };
        closes[step.0 as usize] = is_seen[to.index()] && rank[to.index()] == usize::MAX;
        if !std::mem::replace(&mut is_seen[to.index()], true) {
            way.push((to, 0));
        }
    }
    (closes, rank)
}
