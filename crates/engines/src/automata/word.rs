//! Emptiness: a word that an automaton accepts.

use super::{Automaton, Colour, Letter, State};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A shortest word that is accepted with this colour, by breadth-first search: O(n + m) for n
/// states and m transitions.
pub fn shortest(automaton: &Automaton, colour: Colour) -> Option<Vec<Letter>> {
    let mut reached: Vec<Option<(State, Letter)>> = vec![None; automaton.len()];
    let mut open = std::collections::VecDeque::from([State::INITIAL]);
    let mut is_seen = vec![false; automaton.len()];
    is_seen[State::INITIAL.index()] = true;
    while let Some(state) = open.pop_front() {
        if automaton.colour(state) == Some(colour) {
            return Some(back(&reached, state));
        }
        for &(letter, to) in automaton.transitions(state) {
            if !std::mem::replace(&mut is_seen[to.index()], true) {
                reached[to.index()] = Some((state, letter));
                open.push_back(to);
            }
        }
    }
    None
}

/// A word of least cost that is accepted with this colour (Dijkstra's algorithm): O((n + m) log m).
pub fn cheapest(
    automaton: &Automaton,
    colour: Colour,
    cost: impl Fn(Letter) -> u64,
) -> Option<Vec<Letter>> {
    let mut reached: Vec<Option<(State, Letter)>> = vec![None; automaton.len()];
    let mut least = vec![u64::MAX; automaton.len()];
    least[State::INITIAL.index()] = 0;
    let mut open = BinaryHeap::from([Reverse((0, State::INITIAL))]);
    while let Some(Reverse((sum, state))) = open.pop() {
        if sum > least[state.index()] {
            continue;
        }
        if automaton.colour(state) == Some(colour) {
            return Some(back(&reached, state));
        }
        for &(letter, to) in automaton.transitions(state) {
            let next = sum + cost(letter);
            if next < least[to.index()] {
                least[to.index()] = next;
                reached[to.index()] = Some((state, letter));
                open.push(Reverse((next, to)));
            }
        }
    }
    None
}

/// The word that leads to a state.
fn back(reached: &[Option<(State, Letter)>], state: State) -> Vec<Letter> {
    let mut word = Vec::new();
    let mut state = state;
    while let Some((from, letter)) = reached[state.index()] {
        word.push(letter);
        state = from;
    }
    word.reverse();
    word
}
