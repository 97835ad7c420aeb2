//! Which choices of a counterexample matter: the others may have any value.
//!
//! A choice (an input in a step, or the first value of a latch that has any) does not matter if the path
//! still comes to the bad state in three-valued simulation with that choice unknown. Choices are tried
//! one after the other, first an input in all steps at once, so that what is left is minimal in the sense
//! that no single one can be given up, unless the effort is used up before.

use crate::circuit::{Circuit, Reset, Trace};
use crate::simulate::ternary_values;
use wedge_logic::Lit;

/// Values of gates that may be computed: some seconds.
const EFFORT: usize = 400_000_000;

/// A trace in which what does not matter is open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartialTrace {
    pub initial: Vec<Option<bool>>,
    pub inputs: Vec<Vec<Option<bool>>>,
}

/// Requires a trace of the circuit to a bad state, at its last step.
pub fn partial(circuit: &Circuit, trace: &Trace) -> PartialTrace {
    let some = |values: &Vec<bool>| values.iter().copied().map(Some).collect();
    let whole = PartialTrace {
        initial: some(&trace.initial),
        inputs: trace.inputs.iter().map(some).collect(),
    };
    let mut search = Search { circuit, kept: whole, left: EFFORT };
    for input in 0..circuit.inputs.len() {
        search.try_without(|open| open.inputs.iter_mut().for_each(|step| step[input] = None));
    }
    for (latch, _) in circuit.latches.iter().enumerate().filter(|(_, l)| l.reset == Reset::Free) {
        search.try_without(|open| open.initial[latch] = None);
    }
    for step in 0..trace.inputs.len() {
        for input in 0..circuit.inputs.len() {
            search.try_without(|open| open.inputs[step][input] = None);
        }
    }
    search.kept
}

struct Search<'a> {
    circuit: &'a Circuit,
    kept: PartialTrace,
    left: usize,
}

impl Search<'_> {
    fn try_without(&mut self, give_up: impl Fn(&mut PartialTrace)) {
        let cost = self.circuit.aig.len() * self.kept.inputs.len();
        if self.left < cost {
            return;
        }
        let mut open = self.kept.clone();
        give_up(&mut open);
        if open != self.kept {
            self.left -= cost;
            if reaches_bad(self.circuit, &open) {
                self.kept = open;
            }
        }
    }
}

/// Whether the bad state is reached whatever the open values are.
pub fn reaches_bad(circuit: &Circuit, trace: &PartialTrace) -> bool {
    let mut state = trace.initial.clone();
    for (step, inputs) in trace.inputs.iter().enumerate() {
        let values = ternary_values(circuit, &state, inputs);
        let at = |lit: Lit| values[lit.node() as usize].map(|value| value != lit.is_negated());
        if step == 0 && !resets_hold(circuit, &state, at) {
            return false;
        }
        if circuit.constraints.iter().any(|&constraint| at(constraint) != Some(true)) {
            return false;
        }
        if step + 1 == trace.inputs.len() {
            return at(circuit.bad) == Some(true);
        }
        state = circuit.latches.iter().map(|latch| at(latch.next)).collect();
    }
    false
}

fn resets_hold(
    circuit: &Circuit,
    state: &[Option<bool>],
    at: impl Fn(Lit) -> Option<bool>,
) -> bool {
    circuit.latches.iter().zip(state).all(|(latch, &value)| match latch.reset {
        Reset::Free => true,
        Reset::Const(wanted) => value == Some(wanted),
        Reset::Function(lit) => value.is_some() && at(lit) == value,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two latches shift the first input; the second input matters in the last step only.
    #[test]
    fn what_matters_is_kept() {
        let mut circuit = Circuit::default();
        let (a, b) = (circuit.add_input(), circuit.add_input());
        let first = circuit.add_latch(Reset::Free);
        let second = circuit.add_latch(Reset::Const(false));
        circuit.latches[0].next = a;
        circuit.latches[1].next = first;
        circuit.bad = circuit.aig.and(second, b);
        let inputs = vec![vec![true, true]; 3];
        let open = partial(&circuit, &Trace { initial: vec![true, false], inputs });
        assert_eq!(open.initial, [None, Some(false)]);
        let steps = [[Some(true), None], [None, None], [None, Some(true)]];
        assert_eq!(open.inputs, steps.map(|step| step.to_vec()));
        assert!(reaches_bad(&circuit, &open));
    }
}
