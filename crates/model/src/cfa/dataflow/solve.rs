//! The fixed point: states spread along edges until nothing changes, with widening at the heads of
//! loops, and are then sharpened by some sweeps without it.
//!
//! Every state contains what is reachable at its location at the end, and after every sweep. When
//! half of the work limit is used up, whatever still changes is given up at once; when all of it
//! is, there is no result.

use super::env::Env;
use super::evaluate::Evaluation;
use super::value::Value;
use super::word::Thresholds;
use crate::cfa::graph::{Graph, Order};
use crate::cfa::{Cfa, LocationId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How patient the analysis is.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Visits of a head before it is widened.
    pub joins: u32,
    /// Further visits in which thresholds stop the widening.
    pub steps: u32,
    /// Sweeps that sharpen the result.
    pub sweeps: u32,
    /// Terms that may be evaluated.
    pub work: u64,
}

pub struct Solver<'a> {
    pub cfa: &'a Cfa,
    pub graph: &'a Graph,
    pub order: &'a Order,
    pub evaluation: Evaluation<'a>,
    pub thresholds: Thresholds,
    pub patience: Patience,
    pub stop: &'a dyn Fn() -> bool,
}

/// By location; none where nothing is reachable.
pub type States = Vec<Option<Env>>;

impl Solver<'_> {
    /// None if the work limit is reached or the analysis is stopped.
    pub fn solve(&mut self) -> Option<States> {
        let mut states = self.ascend()?;
        for _ in 0..self.patience.sweeps {
            self.sweep(&mut states);
        }
        Some(states)
    }

    fn rank(&self, location: LocationId) -> u32 {
        self.order.rank[location.0 as usize]
    }

    fn exhausted(&self) -> bool {
        self.evaluation.work > self.patience.work || (self.stop)()
    }

    fn ascend(&mut self) -> Option<States> {
        let count = self.cfa.locations.len();
        let mut states: States = vec![None; count];
        let mut visits = vec![0u32; count];
        let mut waiting = vec![false; count];
        let by_rank: Vec<LocationId> = self.order.postorder.iter().rev().copied().collect();
        states[self.cfa.entry.0 as usize] = Some(Env::top(self.cfa.variables.len()));
        let mut queue = BinaryHeap::from([Reverse(self.rank(self.cfa.entry))]);
        while let Some(Reverse(rank)) = queue.pop() {
            let location = by_rank[rank as usize];
            waiting[location.0 as usize] = false;
            if self.exhausted() {
                return None;
            }
            let Some(state) = states[location.0 as usize].clone() else { continue };
            let graph = self.graph;
            for edge in graph.outgoing(location) {
                let Some(after) = self.evaluation.transfer(edge, &state) else { continue };
                let to = self.cfa.edge(edge).to;
                let index = to.0 as usize;
                let new = match &states[index] {
                    None => after,
                    Some(old) => {
                        visits[index] += 1;
                        let new = self.merged(to, visits[index], old, &after);
                        if new.is_same(old) {
                            continue;
                        }
                        new
                    }
                };
                states[index] = Some(new);
                if !std::mem::replace(&mut waiting[index], true) {
                    queue.push(Reverse(self.rank(to)));
                }
            }
        }
        Some(states)
    }

    fn merged(&self, location: LocationId, visits: u32, old: &Env, new: &Env) -> Env {
        let Patience { joins, steps, work, .. } = self.patience;
        if self.evaluation.work > work / 2 {
            return old.combined(new, &|a, b| (a.join(b) == *a).then_some(*a));
        }
        if !self.order.is_head[location.0 as usize] || visits <= joins {
            return old.join(new);
        }
        let none = Thresholds::default();
        let thresholds = if visits <= joins + steps { &self.thresholds } else { &none };
        // Known bits shrink one by one; this ends such chains.
        let impatient = visits > joins + 2 * steps;
        let widen = |a: &Value, b: &Value| match impatient && a.join(b) != *a {
            true => None,
            false => Some(a.widen(b, thresholds)),
        };
        old.combined(new, &widen)
    }

    /// Computes every state anew from those before it, as far as the work limit goes.
    fn sweep(&mut self, states: &mut States) {
        let (graph, order) = (self.graph, self.order);
        for &location in order.postorder.iter().rev().skip(1) {
            if self.exhausted() {
                return;
            }
            let mut new: Option<Env> = None;
            for edge in graph.incoming(location) {
                let Some(state) = &states[self.cfa.edge(edge).from.0 as usize] else { continue };
                if let Some(after) = self.evaluation.transfer(edge, state) {
                    new = Some(new.map_or(after.clone(), |all| all.join(&after)));
                }
            }
            let state = &mut states[location.0 as usize];
            *state = state.take().zip(new).and_then(|(old, new)| old.meet(&new));
        }
    }
}
