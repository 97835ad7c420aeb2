//! Some of the paths of a circuit: those on which what the model leaves open is 0.
//!
//! Hardware is often described with values that nobody determines, as registers without a reset, and signals that
//! are don't-cares in some cases. Two halves of a circuit that do the same are alike only if these values are,
//! and few errors need a certain one.

use crate::circuit::{Circuit, Latch, Reset};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// The circuit with free first values and undriven inputs 0. It has the same inputs and latches, so that
/// its paths are paths of the original as they are.
pub fn zeroed(circuit: &Circuit) -> Circuit {
    let mut aig = Aig::with_inputs(circuit.aig.num_inputs());
    let index = |lit: Lit| match circuit.aig.node(lit.node()) {
        Node::Input(index) => index as usize,
        _ => unreachable!("inputs and latches are inputs of the graph"),
    };
    let inputs: Vec<Lit> = (0..aig.num_inputs()).map(|i| aig.input(i)).collect();
    let mut images = inputs.clone();
    circuit.undriven.iter().for_each(|&lit| images[index(lit)] = Lit::FALSE);
    let mut copied = |lits: &[Lit]| circuit.aig.copy_into(&mut aig, lits, &images);
    let nexts: Vec<Lit> = circuit.latches.iter().map(|latch| latch.next).collect();
    let nexts = copied(&nexts);
    let function = |latch: &Latch| match latch.reset {
        Reset::Function(lit) => lit,
        _ => Lit::FALSE,
    };
    let functions: Vec<Lit> = circuit.latches.iter().map(function).collect();
    let functions = copied(&functions);
    let latch = |(latch, (next, function)): (&Latch, (Lit, Lit))| {
        let reset = match latch.reset {
            Reset::Free => Reset::Const(false),
            Reset::Function(_) => Reset::Function(function),
            constant => constant,
        };
        Latch { state: inputs[index(latch.state)], next, reset }
    };
    let latches = circuit.latches.iter().zip(nexts.into_iter().zip(functions)).map(latch).collect();
    let constraints = copied(&circuit.constraints);
    let bad = copied(&[circuit.bad])[0];
    let inputs = circuit.inputs.iter().map(|&lit| inputs[index(lit)]).collect();
    Circuit { aig, inputs, latches, constraints, bad, undriven: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_open_is_zero() {
        let mut circuit = Circuit::default();
        let (input, open) = (circuit.add_input(), circuit.add_input());
        let free = circuit.add_latch(Reset::Free);
        let follows = circuit.add_latch(Reset::Function(!free));
        circuit.latches[0].next = circuit.aig.and(open, input);
        circuit.latches[1].next = circuit.aig.and(!open, input);
        circuit.undriven.push(open);
        circuit.bad = circuit.aig.and(free, follows);
        let zeroed = zeroed(&circuit);
        zeroed.check();
        assert_eq!((zeroed.inputs.len(), zeroed.latches.len()), (2, 2));
        assert_eq!(zeroed.latches[0].reset, Reset::Const(false));
        assert_eq!(zeroed.latches[1].reset, Reset::Function(!zeroed.latches[0].state));
        assert_eq!(zeroed.latches[0].next, Lit::FALSE);
        assert_eq!(zeroed.latches[1].next, zeroed.inputs[0]);
    }
}
