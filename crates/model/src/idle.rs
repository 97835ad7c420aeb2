//! Latches whose first value nobody reads get one.
//!
//! The variables of a program are arbitrary before they are first assigned, and so are the latches
//! that hold them. A latch that only holds the numbers 0 to 7 is then not known to have 29 bits that
//! are always 0: in the first state they are not. But where the counter is at the entry, no function
//! reads them. A latch that may start with any value, and that no function reads in a first state, is
//! *idle*; it can start with any value that suits the steps that follow, which remove constant and
//! equal latches.
//!
//! The way back of an invariant I is I ∨ Init, where Init are all first states of the original. A first
//! state differs from one of the reduced circuit in idle latches only, so both have the same
//! successors, which are in I, and both are good or bad.

use crate::circuit::{Circuit, Predicate, Reset, Trace};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// The way back from latches that got a first value.
#[derive(Clone, Debug)]
pub struct IdleWayBack {
    /// All latches.
    kept: Vec<usize>,
    /// The first states of the original.
    initial: Predicate,
}

/// Ensures: a path of either circuit to a bad state exists iff one of the other does; none if no latch
/// is idle. Linear in the size of the graph.
pub fn settle_idle_latches(circuit: &Circuit) -> Option<(Circuit, IdleWayBack)> {
    let values = first_values(circuit);
    if values.iter().all(Option::is_none) {
        return None;
    }
    let mut settled = circuit.clone();
    for (latch, value) in settled.latches.iter_mut().zip(values) {
        if let Some(value) = value {
            latch.reset = Reset::Const(value);
        }
    }
    let kept = (0..circuit.latches.len()).collect();
    Some((settled, IdleWayBack { kept, initial: circuit.initial_states() }))
}

/// By latch, if it is idle: the value that it has after the first step, if that is always the same,
/// else false.
fn first_values(circuit: &Circuit) -> Vec<Option<bool>> {
    let first = FirstStep::new(circuit);
    let roots: Vec<Lit> =
        [&first.next[..], &first.constraints, &[first.bad], &first.resets].concat();
    let is_read = first.aig.cone(&roots);
    let value = |index: usize| {
        let latch = &circuit.latches[index];
        let state = first.states[index];
        let is_idle = latch.reset == Reset::Free && !is_read[state.node() as usize];
        is_idle.then_some(first.next[index] == Lit::TRUE)
    };
    (0..circuit.latches.len()).map(value).collect()
}

/// The functions of a circuit where every latch that always starts with the same value has it.
struct FirstStep {
    aig: Aig,
    /// By latch.
    states: Vec<Lit>,
    next: Vec<Lit>,
    constraints: Vec<Lit>,
    bad: Lit,
    /// The reset functions.
    resets: Vec<Lit>,
}

impl FirstStep {
    fn new(circuit: &Circuit) -> FirstStep {
        let mut aig = Aig::with_inputs(circuit.aig.num_inputs());
        let mut inputs: Vec<Lit> = (0..aig.num_inputs()).map(|index| aig.input(index)).collect();
        for latch in &circuit.latches {
            if let (Reset::Const(value), Node::Input(index)) =
                (latch.reset, circuit.aig.node(latch.state.node()))
            {
                inputs[index as usize] = value.into();
            }
        }
        let place = |lit: Lit| match circuit.aig.node(lit.node()) {
            Node::Input(index) => inputs[index as usize],
            _ => unreachable!("latches are inputs of the graph"),
        };
        let states = circuit.latches.iter().map(|latch| place(latch.state)).collect();
        let mut copied = |lits: Vec<Lit>| circuit.aig.copy_into(&mut aig, &lits, &inputs);
        let next = copied(circuit.latches.iter().map(|latch| latch.next).collect());
        let constraints = copied(circuit.constraints.clone());
        let bad = copied(vec![circuit.bad])[0];
        let reset = |latch: &crate::Latch| match latch.reset {
            Reset::Function(lit) => Some(lit),
            _ => None,
        };
        let resets = copied(circuit.latches.iter().filter_map(reset).collect());
        FirstStep { aig, states, next, constraints, bad, resets }
    }
}

impl IdleWayBack {
    /// The latches of the original that the reduced circuit has: all.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// The latches of the original as literals over those of the reduced circuit.
    pub fn images(&self) -> Vec<Option<Lit>> {
        let aig = Aig::with_inputs(self.kept.len());
        self.kept.iter().map(|&latch| Some(aig.input(latch))).collect()
    }

    /// The same path: it is one of the original, too.
    pub fn trace(&self, trace: &Trace) -> Trace {
        trace.clone()
    }

    /// I ∨ Init.
    pub fn predicate(&self, predicate: &Predicate) -> Predicate {
        let mut aig = predicate.aig.clone();
        let latches: Vec<Lit> = self.kept.iter().map(|&latch| aig.input(latch)).collect();
        let initial = self.initial.aig.copy_into(&mut aig, &[self.initial.root], &latches)[0];
        let root = aig.or(predicate.root, initial);
        Predicate { aig, root }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A counter of one bit that leaves 0, and a latch that is set to true then and kept afterwards.
    fn example(read_at_first: bool) -> Circuit {
        let mut circuit = Circuit::default();
        let pc = circuit.add_latch(Reset::Const(false));
        let held = circuit.add_latch(Reset::Free);
        circuit.latches[0].next = Lit::TRUE;
        circuit.latches[1].next = circuit.aig.or(!pc, held);
        let late = circuit.aig.and(pc, !held);
        circuit.bad = if read_at_first { !held } else { late };
        circuit
    }

    #[test]
    fn a_latch_that_is_assigned_first_starts_with_what_it_is_assigned() {
        let (settled, way_back) = settle_idle_latches(&example(false)).expect("one is idle");
        assert_eq!(settled.latches[1].reset, Reset::Const(true));
        // Both latches are true, or it is a first state: pc is false and the other one anything.
        let mut both = Predicate::constant(true, 2);
        let inputs = [both.aig.input(0), both.aig.input(1)];
        both.root = both.aig.and_all(&inputs);
        let back = way_back.predicate(&both);
        for (state, holds) in [(0b00, true), (0b10, true), (0b11, true), (0b01, false)] {
            let values = [state & 1 == 1, state & 2 == 2];
            assert_eq!(back.aig.eval(back.root, &values), holds, "{values:?}");
        }
    }

    #[test]
    fn a_latch_that_is_read_in_the_first_state_stays_open() {
        assert!(settle_idle_latches(&example(true)).is_none());
    }

    #[test]
    fn a_latch_that_another_one_starts_with_stays_open() {
        let mut circuit = example(false);
        let held = circuit.latches[1].state;
        circuit.add_latch(Reset::Function(held));
        assert!(settle_idle_latches(&circuit).is_none());
    }
}
