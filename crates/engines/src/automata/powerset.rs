//! The deterministic automaton of a nondeterministic one, made on the fly: its states are sets of
//! states, of which there may be 2ⁿ; only those that are asked for are made.

use super::{Lazy, Letter, State};
use rustc_hash::FxHashMap;

#[derive(Clone, Debug, Default)]
pub struct Nondeterministic {
    pub initial: Vec<usize>,
    pub is_accepting: Vec<bool>,
    pub transitions: FxHashMap<(usize, Letter), Vec<usize>>,
}

pub struct Powerset {
    automaton: Nondeterministic,
    /// In increasing order each.
    sets: Vec<Vec<usize>>,
    numbers: FxHashMap<Vec<usize>, State>,
}

impl Powerset {
    pub fn new(automaton: Nondeterministic) -> Powerset {
        let mut powerset = Powerset { automaton, sets: Vec::new(), numbers: FxHashMap::default() };
        powerset.state(powerset.automaton.initial.clone());
        powerset
    }

    fn state(&mut self, mut set: Vec<usize>) -> State {
        set.sort_unstable();
        set.dedup();
        let next = State(self.sets.len() as u32);
        let state = *self.numbers.entry(set.clone()).or_insert(next);
        if state == next {
            self.sets.push(set);
        }
        state
    }
}

impl Lazy for Powerset {
    fn initial(&mut self) -> State {
        State::INITIAL
    }

    fn next(&mut self, from: State, letter: Letter) -> State {
        let transitions = &self.automaton.transitions;
        let leads = |state: &usize| transitions.get(&(*state, letter)).into_iter().flatten();
        let set = self.sets[from.index()].iter().flat_map(leads).copied().collect();
        self.state(set)
    }

    fn is_accepting(&self, state: State) -> bool {
        self.sets[state.index()].iter().any(|&state| self.automaton.is_accepting[state])
    }

    fn accepts_all(&self, _: State) -> bool {
        false
    }

    /// Larger sets accept more.
    fn subsumes(&self, stronger: State, weaker: State) -> bool {
        let stronger = &self.sets[stronger.index()];
        self.sets[weaker.index()].iter().all(|state| stronger.binary_search(state).is_ok())
    }
}
