//! The words of one automaton that another one does not accept, by a product in which the other one
//! is made on the fly.
//!
//! A pair (q, s) is dead if no word of the difference leads on from it. With subsumption, a pair
//! waits while another pair (q, s') is not known to be live whose s' accepts no more than s does:
//! if that one is dead, so is this one, and its transitions are never asked for. O(n · 2ᵏ) pairs for
//! n states and a subtrahend that makes sets of k elements, with m transitions each; looking for
//! pairs to wait for is quadratic in the pairs of one state.

use super::{Automaton, Colour, Lazy, Letter, State};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

pub struct Difference {
    /// Every state is reached, and from every state but, perhaps, the initial one a word is
    /// accepted.
    pub automaton: Automaton,
    /// The pair that a state of the automaton is.
    pub pairs: Vec<(State, State)>,
    /// The pairs that were reached and are dead, but those that are subsumed by others of them. All
    /// transitions of a dead pair lead to dead pairs or where the subtrahend accepts everything.
    pub dead: Vec<(State, State)>,
}

/// Asks before each pair whether to go on; none if not.
pub fn difference(
    minuend: &Automaton,
    subtrahend: &mut dyn Lazy,
    subsumption: bool,
    go_on: &mut dyn FnMut() -> bool,
) -> Option<Difference> {
    let mut product = Product {
        minuend,
        subsumption,
        pairs: Vec::new(),
        numbers: FxHashMap::default(),
        at: vec![Vec::new(); minuend.len()],
        open: VecDeque::new(),
    };
    let initial = subtrahend.initial();
    if !subtrahend.accepts_all(initial) {
        product.pair(State::INITIAL, initial);
    }
    while let Some(pair) = product.open.pop_front() {
        if !go_on() {
            return None;
        }
        if !product.waits(subtrahend, pair) {
            product.expand(subtrahend, pair);
        }
    }
    Some(product.finish())
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Open,
    Waiting,
    Expanded,
}

struct Pair {
    states: (State, State),
    status: Status,
    colour: Option<Colour>,
    is_live: bool,
    outgoing: Vec<(Letter, usize)>,
    incoming: Vec<usize>,
    /// The pairs that wait for this one.
    waiting: Vec<usize>,
}

struct Product<'a> {
    minuend: &'a Automaton,
    subsumption: bool,
    pairs: Vec<Pair>,
    numbers: FxHashMap<(State, State), usize>,
    /// The expanded pairs of each state of the minuend.
    at: Vec<Vec<usize>>,
    open: VecDeque<usize>,
}

impl Product<'_> {
    fn pair(&mut self, left: State, right: State) -> usize {
        let states = (left, right);
        if let Some(&known) = self.numbers.get(&states) {
            return known;
        }
        let number = self.pairs.len();
        self.pairs.push(Pair {
            states,
            status: Status::Open,
            colour: None,
            is_live: false,
            outgoing: Vec::new(),
            incoming: Vec::new(),
            waiting: Vec::new(),
        });
        self.numbers.insert(states, number);
        self.open.push_back(number);
        number
    }

    /// Whether a pair is dead if another one is that is not known to be live.
    fn waits(&mut self, subtrahend: &dyn Lazy, pair: usize) -> bool {
        if !self.subsumption {
            return false;
        }
        let (left, right) = self.pairs[pair].states;
        let weaker = self.at[left.index()].iter().copied().find(|&other| {
            let other = &self.pairs[other];
            !other.is_live && subtrahend.subsumes(right, other.states.1)
        });
        if let Some(weaker) = weaker {
            self.pairs[weaker].waiting.push(pair);
            self.pairs[pair].status = Status::Waiting;
        }
        weaker.is_some()
    }

    fn expand(&mut self, subtrahend: &mut dyn Lazy, pair: usize) {
        let (left, right) = self.pairs[pair].states;
        self.pairs[pair].status = Status::Expanded;
        self.at[left.index()].push(pair);
        let minuend = self.minuend;
        for &(letter, to) in minuend.transitions(left) {
            let next = subtrahend.next(right, letter);
            if !subtrahend.accepts_all(next) {
                let target = self.pair(to, next);
                self.pairs[pair].outgoing.push((letter, target));
                self.pairs[target].incoming.push(pair);
                if self.pairs[target].is_live {
                    self.live(pair);
                }
            }
        }
        let colour = minuend.colour(left).filter(|_| !subtrahend.is_accepting(right));
        self.pairs[pair].colour = colour;
        if colour.is_some() {
            self.live(pair);
        }
    }

    /// The pair is live, and with it all that lead to it. Those that waited for one of them are open
    /// again.
    fn live(&mut self, pair: usize) {
        let mut stack = vec![pair];
        while let Some(pair) = stack.pop() {
            if std::mem::replace(&mut self.pairs[pair].is_live, true) {
                continue;
            }
            stack.extend(&self.pairs[pair].incoming);
            for waiting in std::mem::take(&mut self.pairs[pair].waiting) {
                self.pairs[waiting].status = Status::Open;
                self.open.push_back(waiting);
            }
        }
    }

    fn finish(self) -> Difference {
        let mut automaton = Automaton::new();
        let mut state = vec![None; self.pairs.len()];
        let mut pairs = Vec::new();
        let mut dead = Vec::new();
        for (number, pair) in self.pairs.iter().enumerate() {
            // The first pair is that of the initial states.
            if pair.is_live || number == 0 {
                let new = if number == 0 { State::INITIAL } else { automaton.add_state(None) };
                automaton.set_colour(new, pair.colour);
                state[number] = Some(new);
                pairs.push(pair.states);
            }
            if !pair.is_live && pair.status == Status::Expanded {
                dead.push(pair.states);
            }
        }
        let states =
            state.iter().zip(&self.pairs).filter_map(|(state, pair)| Some(((*state)?, pair)));
        for (from, pair) in states {
            for &(letter, to) in &pair.outgoing {
                if let Some(to) = state[to].filter(|_| self.pairs[to].is_live) {
                    automaton.add_transition(from, letter, to);
                }
            }
        }
        Difference { automaton, pairs, dead }
    }
}
