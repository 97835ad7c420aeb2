//! Walks through the states of a program that reads inputs in a loop.
//!
//! A state is what memory holds when an input is asked for. What a walk has seen is a graph: where
//! an input led in a state. In each state inputs that were not given there yet go first. When there
//! are none, the walk takes the shortest known way to a state that has some. An input after which
//! the run ended is not given again, and neither is one that leads to a state in which all inputs
//! are of that kind. The inputs are those values that inputs were compared with when they had a
//! value that occurs nowhere else.

use super::random::Random;
use crate::interp::{Outcome, Snapshot};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// The value by which inputs are recognised in comparisons.
pub const MARK: i64 = 1_640_531_527;
/// More values are not used.
const MAX_VALUES: usize = 16;
/// States beyond this number are not remembered.
const MAX_STATES: usize = 2_000_000;
/// States that are looked at in search of a way.
const MAX_SEARCH: usize = 2_000;

/// What tells states apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Objects, which are mostly global variables.
    Memory,
    /// Also the variables of functions.
    Everything,
}

/// Where an input leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Way {
    #[default]
    New,
    /// Given, with the end still open.
    Taken,
    To(u32),
    Dead,
}

#[derive(Default)]
struct Graph {
    index: FxHashMap<u64, u32>,
    states: Vec<[Way; MAX_VALUES]>,
}

#[derive(Default)]
pub struct Walks {
    values: Vec<u128>,
    /// By view.
    graphs: [Graph; 2],
    view: Option<View>,
    /// The steps of the current walk.
    path: Vec<(u32, usize)>,
    /// The next inputs, and the states in which they are to be given.
    plan: VecDeque<(u32, usize)>,
}

impl Walks {
    /// Learns values from the comparisons of a run in which all inputs were the mark.
    pub fn learn(&mut self, comparisons: &[(u128, u128)]) {
        let is_mark = |bits: u128| bits as u32 == MARK as u32;
        for &(left, right) in comparisons {
            let other = match (is_mark(left), is_mark(right)) {
                (true, false) => right,
                (false, true) => left,
                _ => continue,
            };
            if !self.values.contains(&other) && self.values.len() < MAX_VALUES {
                self.values.push(other);
            }
        }
    }

    /// Whether there is anything to choose between.
    pub fn are_possible(&self) -> bool {
        self.values.len() > 1
    }

    pub fn begin(&mut self, view: View) {
        self.view = Some(view);
        self.path.clear();
        self.plan.clear();
    }

    /// The next input of a walk in a state.
    pub fn choose(&mut self, state: Snapshot, random: &mut Random) -> Option<u128> {
        let view = self.view?;
        let hash = match view {
            View::Memory => state.memory,
            View::Everything => state.everything,
        };
        let graph = &mut self.graphs[view as usize];
        let count = self.values.len();
        let shift = random.below(count as u64) as usize;
        let Some(state) = graph.state(hash) else {
            self.path.clear();
            return Some(self.values[shift]);
        };
        if let Some(&(from, input)) = self.path.last() {
            graph.states[from as usize][input] = Way::To(state);
        }
        let next = self.plan.pop_front().filter(|(expected, _)| *expected == state);
        let input = match next {
            Some((_, input)) => input,
            None => {
                self.plan = graph.way_to_news(state, count, shift);
                self.plan.pop_front().map_or(shift, |(_, input)| input)
            }
        };
        let way = &mut graph.states[state as usize][input];
        if *way == Way::New {
            *way = Way::Taken;
        }
        self.path.push((state, input));
        Some(self.values[input])
    }

    /// The walk has ended.
    pub fn finish(&mut self, outcome: &Outcome) {
        let Some(view) = self.view.take() else { return };
        let graph = &mut self.graphs[view as usize];
        let mut is_dead = *outcome != Outcome::StepLimit;
        while let Some((state, input)) = self.path.pop().filter(|_| is_dead) {
            let ways = &mut graph.states[state as usize];
            ways[input] = Way::Dead;
            is_dead = ways[..self.values.len()].iter().all(|&way| way == Way::Dead);
        }
    }

    pub fn states(&self) -> usize {
        self.graphs.iter().map(|graph| graph.states.len()).sum()
    }
}

impl Graph {
    fn state(&mut self, hash: u64) -> Option<u32> {
        if let Some(&known) = self.index.get(&hash) {
            return Some(known);
        }
        let new = self.states.len() as u32;
        if self.states.len() >= MAX_STATES {
            return None;
        }
        self.states.push([Way::New; MAX_VALUES]);
        self.index.insert(hash, new);
        Some(new)
    }

    /// Inputs on the shortest way from a state to an input that is new, and that input; the
    /// inputs are tried from `shift` on. Empty if none is near.
    fn way_to_news(&self, from: u32, count: usize, shift: usize) -> VecDeque<(u32, usize)> {
        let inputs = || (0..count).map(|index| (index + shift) % count);
        let mut seen: FxHashSet<u32> = FxHashSet::from_iter([from]);
        // With the place of the one before it, and the input that leads from there.
        let mut queue: Vec<(u32, usize, usize)> = vec![(from, 0, 0)];
        let mut next = 0;
        while next < queue.len() && next < MAX_SEARCH {
            let ways = &self.states[queue[next].0 as usize];
            if let Some(input) = inputs().find(|&input| ways[input] == Way::New) {
                return way_back(&queue, next, input);
            }
            for input in inputs() {
                if let Way::To(state) = ways[input]
                    && seen.insert(state)
                {
                    queue.push((state, next, input));
                }
            }
            next += 1;
        }
        VecDeque::new()
    }
}

/// The way to a place in the queue, and an input there.
fn way_back(queue: &[(u32, usize, usize)], mut at: usize, last: usize) -> VecDeque<(u32, usize)> {
    let mut way = VecDeque::from([(queue[at].0, last)]);
    while at != 0 {
        let (_, before, input) = queue[at];
        way.push_front((queue[before].0, input));
        at = before;
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    fn snapshot(state: u64) -> Snapshot {
        Snapshot { memory: state, everything: state }
    }

    #[test]
    fn values_are_those_compared_with_the_mark() {
        let mut walks = Walks::default();
        let mark = MARK as u128;
        walks.learn(&[(mark, 3), (4, mark), (5, 6), (mark, mark), (3, mark)]);
        assert_eq!(walks.values, [3, 4]);
    }

    /// Three states in a row; only the last input of each leads on, all others end the run.
    #[test]
    fn what_ends_runs_is_not_tried_again() {
        let mut walks = Walks { values: (0..8).collect(), ..Walks::default() };
        let mut random = Random::new(7);
        let mut runs = 0;
        'runs: loop {
            runs += 1;
            walks.begin(View::Memory);
            for state in 0..3 {
                if walks.choose(snapshot(state), &mut random) != Some(7) {
                    walks.finish(&Outcome::Finished(0));
                    continue 'runs;
                }
            }
            break;
        }
        assert!(runs <= 3 * 7 + 1, "{runs}");
    }

    /// Ten states in a row; all inputs but the last of each lead back to the first.
    #[test]
    fn known_ways_lead_to_what_is_new() {
        let mut walks = Walks { values: (0..4).collect(), ..Walks::default() };
        let mut random = Random::new(7);
        let (mut state, mut steps) = (0, 0);
        walks.begin(View::Everything);
        while state < 10 {
            let input = walks.choose(snapshot(state), &mut random);
            state = if input == Some(3) { state + 1 } else { 0 };
            steps += 1;
        }
        assert!(steps <= 10 * 4 * 10, "{steps}");
    }
}
