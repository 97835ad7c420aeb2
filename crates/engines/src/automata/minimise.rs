//! Minimisation of partial deterministic automata (Valmari: Fast Brief Practical DFA Minimization,
//! Information Processing Letters 2012): O(n + m log m) for n states and m transitions.
//!
//! Two partitions refine each other: that of the states, by the transitions that leave them, and
//! that of the transitions, by the states that they lead to.

use super::partition::Partition;
use super::{Automaton, State};

/// The automaton with the fewest states that accepts the same words as the same, and for each state
/// of the old one the state that stands for it.
///
/// Requires: every state is reached, and an accepting one can be reached from every state but,
/// perhaps, the initial one.
pub fn minimise(automaton: &Automaton) -> (Automaton, Vec<State>) {
    let blocks = refine(automaton);
    // The initial state stays the first one.
    let mut number = vec![None; blocks.sets()];
    let mut small = Automaton::default();
    number[blocks.set_of(State::INITIAL.0) as usize] = Some(State::INITIAL);
    let class: Vec<State> = automaton
        .states()
        .map(|state| {
            let new = || small.add_state(None);
            *number[blocks.set_of(state.0) as usize].get_or_insert_with(new)
        })
        .collect();
    for block in 0..blocks.sets() {
        let state = State(blocks.elements(block)[0]);
        let from = class[state.index()];
        small.set_colour(from, automaton.colour(state));
        for &(letter, to) in automaton.transitions(state) {
            small.add_transition(from, letter, class[to.index()]);
        }
    }
    (small, class)
}

/// The states by the words that are accepted from them.
fn refine(automaton: &Automaton) -> Partition {
    let from_state = |from: State| {
        automaton.transitions(from).iter().map(move |&(letter, to)| (from, letter, to))
    };
    let transitions: Vec<_> = automaton.states().flat_map(from_state).collect();
    let mut incoming = vec![Vec::new(); automaton.len()];
    for (number, &(_, _, to)) in transitions.iter().enumerate() {
        incoming[to.index()].push(number as u32);
    }
    let mut blocks = Partition::by_key(automaton.len(), |state| automaton.colour(State(state)));
    let mut cords = Partition::by_key(transitions.len(), |number| transitions[number as usize].1);
    // The first block need not split anything: the others leave it over.
    let (mut block, mut cord) = (1, 0);
    let mut marks = Vec::new();
    while cord < cords.sets() {
        for &number in cords.elements(cord) {
            blocks.mark(transitions[number as usize].0.0);
        }
        blocks.split();
        cord += 1;
        while block < blocks.sets() {
            let leading =
                blocks.elements(block).iter().flat_map(|&state| &incoming[state as usize]);
            marks.extend(leading);
            marks.drain(..).for_each(|number| cords.mark(number));
            cords.split();
            block += 1;
        }
    }
    blocks
}
