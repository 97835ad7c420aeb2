//! Which signals of a circuit have been equal, or opposite, in every state so far.
//!
//! A state that tells two of them apart is news: that is the coverage which the search is guided by. Signals
//! that have never changed are one class with the constant, so a gate that is true for the first time counts,
//! and so does the first difference between two halves of a circuit that ought to do the same.

use super::machine::Bits;

pub struct Classes {
    /// By place: the first place of its class.
    leaders: Vec<u32>,
    /// By place: all if it is opposite to its leader, else none.
    flips: Vec<Bits>,
    /// By leader: where those of its class go that differ from it. Between two splits all are 0.
    moved: Vec<u32>,
}

impl Classes {
    /// All places in one class with the constant, by their values in one run.
    pub fn new(values: &[Bits], lane: usize) -> Classes {
        let count = values.len();
        let flips = values.iter().map(|value| Bits::all(value.get(lane))).collect();
        Classes { leaders: vec![0; count], flips, moved: vec![0; count] }
    }

    /// Splits classes by what some of these runs show; those runs, at most so many, each with whether some of the places
    /// `states` have left a class that has changed before.
    pub fn split(
        &mut self,
        values: &[Bits],
        alive: Bits,
        most: usize,
        states: &[usize],
    ) -> Vec<(usize, bool)> {
        let mut lanes = Vec::new();
        while lanes.len() < most {
            let Some(lane) = self.difference(values, alive) else { break };
            let before: Vec<u32> = states.iter().map(|&place| self.leaders[place]).collect();
            self.split_by(values, lane);
            let has_left =
                |(&place, before): (&usize, u32)| before != 0 && self.leaders[place] != before;
            lanes.push((lane, states.iter().zip(before).any(has_left)));
        }
        lanes
    }

    /// By place: the first place of its class, and whether it is opposite to that one.
    pub fn leader(&self, place: usize) -> (usize, bool) {
        let leader = self.leaders[place] as usize;
        (leader, self.flips[place] != self.flips[leader])
    }

    /// A run in which two of a class differ.
    fn difference(&self, values: &[Bits], alive: Bits) -> Option<usize> {
        let rest = self.leaders.iter().zip(&self.flips).zip(values);
        rest.into_iter().find_map(|((&leader, &flip), &value)| {
            value.xor(flip).xor(self.under(values, leader)).and(alive).first()
        })
    }

    /// The value of a leader as those of its class compare with it.
    fn under(&self, values: &[Bits], leader: u32) -> Bits {
        values[leader as usize].xor(self.flips[leader as usize])
    }

    /// Those that differ from their leader in this run become classes of their own, as long as they agree.
    fn split_by(&mut self, values: &[Bits], lane: usize) {
        let mut touched = Vec::new();
        for place in 0..values.len() {
            let leader = self.leaders[place];
            let value = values[place].xor(self.flips[place]).get(lane);
            if value == self.under(values, leader).get(lane) {
                continue;
            }
            if self.moved[leader as usize] == 0 {
                self.moved[leader as usize] = place as u32;
                touched.push(leader);
            }
            self.leaders[place] = self.moved[leader as usize];
        }
        touched.iter().for_each(|&leader| self.moved[leader as usize] = 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The runs that show something new.
    fn split(classes: &mut Classes, values: &[Bits], alive: Bits, most: usize) -> Vec<usize> {
        classes.split(values, alive, most, &[]).into_iter().map(|(lane, _)| lane).collect()
    }

    fn values(rows: &[u64]) -> Vec<Bits> {
        rows.iter().map(|&row| Bits([row, 0, 0, 0])).collect()
    }

    #[test]
    fn news_is_what_tells_signals_apart() {
        let alive = Bits([0b111, 0, 0, 0]);
        // The constant, a signal that is true, one and its opposite, and one that is as the first of them.
        let start = values(&[0, 0b111, 0b000, 0b111, 0b000]);
        let mut classes = Classes::new(&start, 0);
        assert!(split(&mut classes, &start, alive, 9).is_empty());
        let next = values(&[0, 0b111, 0b110, 0b001, 0b110]);
        assert_eq!(split(&mut classes, &next, alive, 9), [1]);
        assert!(split(&mut classes, &next, alive, 9).is_empty(), "it is known");
        // The pair comes apart from the opposite, in two runs of which one is over.
        let apart = values(&[0, 0b111, 0b1100, 0b0111, 0b1110]);
        assert_eq!(split(&mut classes, &apart, alive, 9), [2, 1]);
        assert!(split(&mut classes, &apart, alive, 9).is_empty());
    }

    #[test]
    fn leaving_a_class_that_has_changed_is_odd() {
        let alive = Bits([1, 0, 0, 0]);
        // The constant, and two copies of a signal.
        let mut classes = Classes::new(&values(&[0, 0, 0]), 0);
        assert_eq!(classes.split(&values(&[0, 1, 1]), alive, 9, &[1, 2]), [(0, false)]);
        assert_eq!(classes.split(&values(&[0, 1, 0]), alive, 9, &[1, 2]), [(0, true)]);
    }

    #[test]
    fn no_more_runs_than_wanted() {
        let mut classes = Classes::new(&values(&[0, 0, 0, 0]), 0);
        let next = values(&[0, 0b001, 0b010, 0b100]);
        assert_eq!(split(&mut classes, &next, Bits::ALL, 2).len(), 2);
        assert_eq!(split(&mut classes, &next, Bits::ALL, 2).len(), 1);
        assert!(split(&mut classes, &next, Bits::ALL, 2).is_empty());
    }
}
