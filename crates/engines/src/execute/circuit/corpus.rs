//! States that are worth going on from, and how they were reached.

use wedge_model::Trace;
use wedge_sat::random::Random;

/// So many of the latest states are gone on from in every other turn: what was new a moment ago leads on.
const LATEST: usize = 32;
/// Of so many states the one that was gone on from least is taken in the other turns.
const CANDIDATES: usize = 4;
/// One turn in so many begins in first states.
const FRESH: u64 = 8;
/// No more memory than this is spent on states, in bytes.
const MEMORY: usize = 64 << 20;

/// How a state was reached: in this run of the runs with this number, after so many steps from another one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// The state that the runs began in; without one they began in first states.
    pub parent: Option<usize>,
    pub number: u64,
    pub lane: usize,
    pub steps: usize,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Origin {
    Way(Way),
    /// By these inputs from a first state.
    Trace(Trace),
}

impl Origin {
    fn parent(&self) -> Option<usize> {
        match self {
            Origin::Way(way) => way.parent,
            Origin::Trace(_) => None,
        }
    }

    fn steps(&self) -> usize {
        match self {
            Origin::Way(way) => way.steps,
            Origin::Trace(trace) => trace.inputs.len(),
        }
    }
}

struct Kept {
    origin: Origin,
    /// Steps from a first state.
    depth: usize,
    /// A bit per latch; empty when it had to go.
    state: Vec<bool>,
    used: u32,
}

#[derive(Default)]
pub struct Corpus {
    all: Vec<Kept>,
    /// Those that still have their states, the oldest first.
    live: Vec<usize>,
    /// Odd ones that were not given out, the oldest first.
    odd: Vec<usize>,
    /// How often an odd one was asked for.
    turns: u64,
}

impl Corpus {
    pub fn len(&self) -> usize {
        self.all.len()
    }

    /// Keeps a state; it is odd if latches differ in it that changed alike before.
    pub fn keep(&mut self, origin: Origin, state: Vec<bool>, odd: bool, random: &mut Random) {
        let depth = origin.parent().map_or(0, |parent| self.all[parent].depth) + origin.steps();
        if (self.live.len() + 1) * state.len().max(1) > MEMORY && self.live.len() > LATEST {
            let old = random.word() as usize % (self.live.len() - LATEST);
            let gone = self.live.remove(old);
            self.all[gone].state = Vec::new();
        }
        self.live.push(self.all.len());
        self.odd.extend(odd.then_some(self.all.len()));
        self.all.push(Kept { origin, depth, state, used: 0 });
    }

    /// In every other turn the latest odd one that was not given out; else what [`Corpus::choose`] gives.
    pub fn choose_odd(&mut self, random: &mut Random) -> Option<usize> {
        self.turns += 1;
        while self.turns % 2 == 1 {
            match self.odd.pop() {
                Some(odd) if !self.all[odd].state.is_empty() => return Some(odd),
                Some(_) => {}
                None => break,
            }
        }
        self.choose(random)
    }

    /// Where to go on from; nothing means first states.
    pub fn choose(&mut self, random: &mut Random) -> Option<usize> {
        let turn = random.word() >> 8;
        let count = self.live.len();
        if count == 0 || turn.is_multiple_of(FRESH) {
            return None;
        }
        let mut any = |of: usize| self.live[count - 1 - (random.word() >> 8) as usize % of];
        let chosen = match turn >> 32 & 1 {
            0 => any(count.min(LATEST)),
            _ => {
                let candidates: [usize; CANDIDATES] = std::array::from_fn(|_| any(count));
                let used = |index: &usize| self.all[*index].used;
                candidates.into_iter().min_by_key(used)?
            }
        };
        self.all[chosen].used += 1;
        Some(chosen)
    }

    pub fn state(&self, index: usize) -> &[bool] {
        &self.all[index].state
    }

    pub fn depth(&self, index: Option<usize>) -> usize {
        index.map_or(0, |index| self.all[index].depth)
    }

    /// The ways from a first state to this one, in order.
    pub fn history(&self, index: Option<usize>) -> Vec<&Origin> {
        let parent = |index: &usize| self.all[*index].origin.parent();
        let mut chain: Vec<&Origin> =
            std::iter::successors(index, parent).map(|index| &self.all[index].origin).collect();
        chain.reverse();
        chain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_knows_its_way() {
        let mut random = Random(7);
        let mut corpus = Corpus::default();
        assert_eq!(corpus.choose(&mut random), None);
        let origin = |parent, number| Origin::Way(Way { parent, number, lane: 3, steps: 5 });
        corpus.keep(origin(None, 10), vec![true], false, &mut random);
        corpus.keep(origin(Some(0), 11), vec![false], false, &mut random);
        corpus.keep(origin(None, 12), vec![true], false, &mut random);
        assert_eq!(corpus.history(Some(1)), [&origin(None, 10), &origin(Some(0), 11)]);
        assert_eq!((corpus.depth(Some(1)), corpus.depth(Some(2)), corpus.depth(None)), (10, 5, 0));
        let chosen: Vec<Option<usize>> = (0..100).map(|_| corpus.choose(&mut random)).collect();
        for wanted in [None, Some(0), Some(1), Some(2)] {
            assert!(chosen.contains(&wanted), "{wanted:?}");
        }
    }

    #[test]
    fn odd_ones_are_given_out_once_the_latest_first() {
        let mut random = Random(7);
        let mut corpus = Corpus::default();
        for (number, odd) in [(0, true), (1, false), (2, true), (3, false)] {
            let origin = Origin::Way(Way { parent: None, number, lane: 0, steps: 1 });
            corpus.keep(origin, vec![true], odd, &mut random);
        }
        assert_eq!(corpus.choose_odd(&mut random), Some(2));
        corpus.choose_odd(&mut random);
        assert_eq!(corpus.choose_odd(&mut random), Some(0));
        let rest: Vec<Option<usize>> = (0..100).map(|_| corpus.choose_odd(&mut random)).collect();
        assert!(rest.contains(&Some(1)) && rest.contains(&None));
    }

    #[test]
    fn memory_is_limited() {
        let mut random = Random(7);
        let mut corpus = Corpus::default();
        for number in 0..80 {
            let origin = Origin::Way(Way { parent: None, number, lane: 0, steps: 1 });
            corpus.keep(origin, vec![true; MEMORY / 64], false, &mut random);
        }
        assert_eq!((corpus.len(), corpus.live.len()), (80, 64));
        let chosen = (0..50).filter_map(|_| corpus.choose(&mut random));
        assert!(chosen.collect::<Vec<_>>().iter().all(|&index| !corpus.state(index).is_empty()));
    }
}
