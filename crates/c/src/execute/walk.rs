//! Walks through the states of a program that reads inputs in a loop.
//!
//! A state is what memory holds when an input is asked for. In each state the inputs that were
//! given there least often go first, as in a rotor-router, so that a walk without end gives all
//! inputs in all states that it meets again and again. An input after which the run ended is not
//! given again, and neither is one that leads to a state in which all inputs are of that kind.
//! The inputs are those values that inputs were compared with when they had a value that occurs
//! nowhere else.

use super::random::Random;
use crate::interp::{Outcome, Snapshot};
use rustc_hash::FxHashMap;

/// The value by which inputs are recognised in comparisons.
pub const MARK: i64 = 1_640_531_527;
/// More values are not used.
const MAX_VALUES: usize = 16;
/// States beyond this number are not remembered.
const MAX_STATES: usize = 4_000_000;
/// The count of an input that leads nowhere.
const DEAD: u8 = u8::MAX;

type Counts = [u8; MAX_VALUES];

/// What tells states apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum View {
    /// Objects, which are mostly global variables.
    Memory,
    /// Also the variables of functions.
    Everything,
}

#[derive(Default)]
pub struct Walks {
    values: Vec<u128>,
    /// By view.
    known: [FxHashMap<u64, Counts>; 2],
    view: Option<View>,
    /// The steps of the current walk.
    path: Vec<(u64, usize)>,
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
    }

    /// The next input of a walk in a state.
    pub fn choose(&mut self, state: Snapshot, random: &mut Random) -> Option<u128> {
        let view = self.view?;
        let state = match view {
            View::Memory => state.memory,
            View::Everything => state.everything,
        };
        let known = &mut self.known[view as usize];
        let count = self.values.len();
        if known.len() >= MAX_STATES && !known.contains_key(&state) {
            return Some(self.values[random.below(count as u64) as usize]);
        }
        let counts = &mut known.entry(state).or_default()[..count];
        let least = *counts.iter().min()?;
        let shift = random.below(count as u64) as usize;
        let mut turn = (0..count).map(|index| (index + shift) % count);
        let chosen = turn.find(|&index| counts[index] == least)?;
        if counts[chosen] < DEAD - 1 {
            counts[chosen] += 1;
        }
        self.path.push((state, chosen));
        Some(self.values[chosen])
    }

    /// The walk has ended.
    pub fn finish(&mut self, outcome: &Outcome) {
        let Some(view) = self.view.take() else { return };
        let known = &mut self.known[view as usize];
        let mut is_dead = *outcome != Outcome::StepLimit;
        while let Some((state, chosen)) = self.path.pop().filter(|_| is_dead) {
            let Some(counts) = known.get_mut(&state) else { return };
            counts[chosen] = DEAD;
            is_dead = counts[..self.values.len()].iter().all(|&count| count == DEAD);
        }
    }

    pub fn states(&self) -> usize {
        self.known.iter().map(FxHashMap::len).sum()
    }
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
}
