//! States that are reached, each with the way to it.
//!
//! They are kept twice: by state, to tell which are new, and by latch, one bit per state, for
//! simulation and for questions about cubes.

use super::simulator::{LANES, Lanes};
use rustc_hash::FxHashMap;

/// A latch and its value.
pub type Literal = (usize, bool);

/// Where a state was reached from: another one and a letter, unless it is initial.
type Origin = Option<(u32, u32)>;

pub struct Reached {
    index: FxHashMap<Box<[u64]>, u32>,
    /// By latch: a bit per state.
    columns: Vec<Vec<u64>>,
    origins: Vec<Origin>,
    /// By state: the steps of the way to it.
    depths: Vec<u32>,
}

impl Reached {
    pub fn new(latches: usize) -> Reached {
        Reached {
            index: FxHashMap::default(),
            columns: vec![Vec::new(); latches],
            origins: Vec::new(),
            depths: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.origins.len()
    }

    /// Adds a state, given by its bits, unless it is known; whether it was new.
    pub fn add(&mut self, row: Box<[u64]>, origin: Origin) -> bool {
        let number = self.len();
        if self.index.contains_key(&row) {
            return false;
        }
        for (latch, column) in self.columns.iter_mut().enumerate() {
            if number.is_multiple_of(64) {
                column.push(0);
            }
            column[number / 64] |= (row[latch / 64] >> (latch % 64) & 1) << (number % 64);
        }
        self.index.insert(row, number as u32);
        self.origins.push(origin);
        self.depths.push(origin.map_or(0, |(before, _)| self.depths[before as usize] + 1));
        true
    }

    /// The values of a latch in the states from `first` on, a multiple of 64.
    pub fn lanes(&self, latch: usize, first: usize) -> Lanes {
        debug_assert!(first.is_multiple_of(64));
        let words = &self.columns[latch][first / 64..];
        std::array::from_fn(|word| words.get(word).copied().unwrap_or(0))
    }

    /// The states from `from` on among those from `first` on, a multiple of 64.
    pub fn present(&self, first: usize, from: usize) -> Lanes {
        let is_there = |state: usize| state >= from && state < self.len();
        let word = |word: usize| {
            (0..64).fold(0, |bits, bit| bits | (is_there(first + word * 64 + bit) as u64) << bit)
        };
        const { assert!(LANES == 64 * std::mem::size_of::<Lanes>() / 8) };
        std::array::from_fn(word)
    }

    pub fn value(&self, state: usize, latch: usize) -> bool {
        self.columns[latch][state / 64] >> (state % 64) & 1 == 1
    }

    pub fn contains(&self, row: &[u64]) -> bool {
        self.index.contains_key(row)
    }

    /// The steps of the way to a state, which need not be the shortest.
    pub fn depth(&self, state: usize) -> usize {
        self.depths[state] as usize
    }

    /// Where a state was reached from.
    pub fn origin(&self, state: usize) -> Option<(usize, usize)> {
        self.origins[state].map(|(before, letter)| (before as usize, letter as usize))
    }

    /// A state of the cube, from this one on.
    pub fn find(&self, cube: &[Literal], from: usize) -> Option<usize> {
        for word in from / 64..self.len().div_ceil(64) {
            let mut states = self.valid(word);
            if word == from / 64 {
                states &= u64::MAX << (from % 64);
            }
            for &literal in cube {
                states &= self.holds(literal, word);
            }
            if states != 0 {
                return Some(word * 64 + states.trailing_zeros() as usize);
            }
        }
        None
    }

    /// Few literals of a cube that no state satisfies all of; a greedy set cover, in which a literal covers the states
    /// that violate it.
    ///
    /// Requires: no state is in the cube.
    pub fn excluding(&self, cube: &[Literal]) -> Vec<Literal> {
        let mut left: Vec<u64> = (0..self.len().div_ceil(64)).map(|w| self.valid(w)).collect();
        let mut chosen: Vec<Literal> = Vec::new();
        while left.iter().any(|&states| states != 0) {
            let gain = |literal: Literal| -> u32 {
                let words = left.iter().enumerate();
                words.map(|(w, &states)| (states & !self.holds(literal, w)).count_ones()).sum()
            };
            let best =
                cube.iter().copied().filter(|l| !chosen.contains(l)).max_by_key(|&l| gain(l));
            let Some(best) = best else { break };
            chosen.push(best);
            for (word, states) in left.iter_mut().enumerate() {
                *states &= self.holds(best, word);
            }
        }
        self.irredundant(chosen)
    }

    /// Drops literals that the others make superfluous.
    fn irredundant(&self, mut cube: Vec<Literal>) -> Vec<Literal> {
        let mut place = 0;
        while place < cube.len() && cube.len() > 1 {
            let literal = cube.remove(place);
            if self.find(&cube, 0).is_some() {
                cube.insert(place, literal);
                place += 1;
            }
        }
        cube
    }

    /// The states of a word of a column that there are.
    fn valid(&self, word: usize) -> u64 {
        let states = self.len() - word * 64;
        if states >= 64 { u64::MAX } else { (1 << states) - 1 }
    }

    fn holds(&self, (latch, value): Literal, word: usize) -> u64 {
        let bits = self.columns[latch][word];
        if value { bits } else { !bits }
    }
}

/// The bits of a state as [`Reached::add`] takes them.
pub fn row(state: impl ExactSizeIterator<Item = bool>) -> Box<[u64]> {
    let mut row = vec![0; state.len().div_ceil(64)];
    for (latch, value) in state.enumerate() {
        row[latch / 64] |= (value as u64) << (latch % 64);
    }
    row.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers up to 127 that are multiples of 3.
    fn threes() -> Reached {
        let mut reached = Reached::new(7);
        for number in (0..128usize).step_by(3) {
            assert!(reached.add(row((0..7).map(|bit| number >> bit & 1 == 1)), None));
        }
        assert!(!reached.add(row((0..7).map(|_| false)), None));
        reached
    }

    fn cube(number: usize) -> Vec<Literal> {
        (0..7).map(|bit| (bit, number >> bit & 1 == 1)).collect()
    }

    #[test]
    fn states_are_found() {
        let reached = threes();
        assert_eq!((reached.len(), reached.find(&cube(6), 0)), (43, Some(2)));
        assert_eq!(reached.find(&cube(6), 3), None);
        assert_eq!(reached.find(&[(0, true), (1, true)], 2), Some(5));
        assert!(reached.value(5, 0) && !reached.value(2, 0));
    }

    #[test]
    fn exclusion_keeps_all_states_out_and_is_irredundant() {
        let reached = threes();
        for number in (0..128).filter(|n| n % 3 != 0) {
            let few = reached.excluding(&cube(number));
            assert!(reached.find(&few, 0).is_none(), "{number}");
            assert!(few.iter().all(|literal| cube(number).contains(literal)));
            for left_out in 0..few.len() {
                let mut fewer = few.clone();
                fewer.remove(left_out);
                assert!(reached.find(&fewer, 0).is_some(), "{number}");
            }
        }
    }

    #[test]
    fn lanes_are_columns() {
        let reached = threes();
        assert_eq!(reached.lanes(0, 0)[0] & 0b1111, 0b1010);
        assert_eq!(reached.present(0, 40)[0], 0b111 << 40);
        assert_eq!(reached.present(0, 0)[1..], [0, 0, 0]);
    }
}
