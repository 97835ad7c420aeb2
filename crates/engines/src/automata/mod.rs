//! Finite automata over letters. Nothing here knows what a letter stands for.
//!
//! An [`Automaton`] is deterministic and partial. What is taken away from one is another
//! deterministic automaton whose transitions are made when they are asked for ([`Lazy`]): the
//! powerset of a nondeterministic one ([`Powerset`]), or whatever else can say where a letter leads.
//!
//! One file per operation, each with its complexity; `tests.rs` compares them with naive ones.

mod difference;
mod minimise;
mod partition;
mod powerset;
#[cfg(test)]
mod tests;
mod word;

pub use difference::{Difference, difference};
pub use minimise::minimise;
pub use powerset::{Nondeterministic, Powerset};
pub use word::{cheapest, shortest};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Letter(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct State(pub u32);

impl State {
    /// Where every automaton begins.
    pub const INITIAL: State = State(0);

    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What an accepting state accepts as: words can be told apart by it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Colour(pub u8);

/// A deterministic automaton. A letter without a transition leads nowhere.
#[derive(Clone, Debug)]
pub struct Automaton {
    /// From each state, at most one for a letter.
    transitions: Vec<Vec<(Letter, State)>>,
    colours: Vec<Option<Colour>>,
}

impl Default for Automaton {
    fn default() -> Automaton {
        Automaton::new()
    }
}

impl Automaton {
    /// The initial state alone, which accepts nothing.
    pub fn new() -> Automaton {
        Automaton { transitions: vec![Vec::new()], colours: vec![None] }
    }

    pub fn add_state(&mut self, colour: Option<Colour>) -> State {
        self.transitions.push(Vec::new());
        self.colours.push(colour);
        State(self.transitions.len() as u32 - 1)
    }

    /// Requires: the letter leads nowhere yet.
    pub fn add_transition(&mut self, from: State, letter: Letter, to: State) {
        debug_assert!(self.next(from, letter).is_none(), "the automaton is deterministic");
        self.transitions[from.index()].push((letter, to));
    }

    pub fn set_colour(&mut self, state: State, colour: Option<Colour>) {
        self.colours[state.index()] = colour;
    }

    pub fn len(&self) -> usize {
        self.transitions.len()
    }

    /// Whether there is no state: never.
    pub fn is_empty(&self) -> bool {
        self.transitions.is_empty()
    }

    pub fn states(&self) -> impl Iterator<Item = State> + use<> {
        (0..self.transitions.len() as u32).map(State)
    }

    pub fn transitions(&self, from: State) -> &[(Letter, State)] {
        &self.transitions[from.index()]
    }

    pub fn count_transitions(&self) -> usize {
        self.transitions.iter().map(Vec::len).sum()
    }

    pub fn next(&self, from: State, letter: Letter) -> Option<State> {
        let leads = self.transitions(from).iter().find(|(other, _)| *other == letter);
        leads.map(|&(_, to)| to)
    }

    /// None if the state accepts nothing.
    pub fn colour(&self, state: State) -> Option<Colour> {
        self.colours[state.index()]
    }

    /// What the automaton accepts a word as.
    pub fn accepts(&self, word: &[Letter]) -> Option<Colour> {
        let mut state = State::INITIAL;
        for &letter in word {
            state = self.next(state, letter)?;
        }
        self.colour(state)
    }
}

/// A deterministic and total automaton whose transitions are made when they are asked for.
pub trait Lazy {
    fn initial(&mut self) -> State;

    fn next(&mut self, from: State, letter: Letter) -> State;

    fn is_accepting(&self, state: State) -> bool;

    /// Whether every word is accepted from here; false where that is not known.
    fn accepts_all(&self, state: State) -> bool;

    /// Whether every word that is accepted from `weaker` is accepted from `stronger`; false where
    /// that is not known.
    fn subsumes(&self, stronger: State, weaker: State) -> bool {
        stronger == weaker
    }
}
