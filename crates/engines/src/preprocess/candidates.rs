//! Which nodes may be found equal, and what random runs and the first state say of them.

use super::classes::Classes;
use super::explore::{Runs, Signatures};
use wedge_logic::Lit;
use wedge_logic::aig::Node;
use wedge_model::Circuit;
use wedge_model::first::FirstState;

/// Which nodes may be found equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    Latches,
    /// Latches and gates that read no input.
    Signals,
}

/// Classes of candidates that agree in random runs, which last as long as `go_on` says, and are
/// the same function of the free latches in the first state. The latter is decided by structure.
pub fn first_classes(
    circuit: &Circuit,
    scope: Scope,
    reads_input: &[bool],
    go_on: impl FnMut(&Runs) -> bool,
) -> Classes {
    let mut first = FirstState::new(circuit);
    let candidates = candidates(circuit, scope, &first, reads_input);
    let signatures = Signatures::collect(&mut Runs::new(circuit, &first), &candidates, go_on);
    let initial = initial_values(circuit, &mut first, &candidates);
    let phases = signatures.phases;
    let keys: Vec<(u64, Lit)> = (0..circuit.aig.len())
        .map(|node| (signatures.hashes[node], initial[node].xor(phases[node])))
        .collect();
    Classes::new(candidates, phases, |node| keys[node as usize])
}

/// By node: whether it depends on inputs.
pub fn reads_input(circuit: &Circuit) -> Vec<bool> {
    let mut reads = vec![false; circuit.aig.len()];
    circuit.inputs.iter().for_each(|input| reads[input.node() as usize] = true);
    for node in 1..circuit.aig.len() {
        if let Node::And(a, b) = circuit.aig.node(node as u32) {
            reads[node] = reads[a.node() as usize] || reads[b.node() as usize];
        }
    }
    reads
}

/// The constant, then latches by rank, then gates: a representative comes before what it
/// represents, as [`wedge_model::merge::Merges`] wants it.
fn candidates(
    circuit: &Circuit,
    scope: Scope,
    first: &FirstState,
    reads_input: &[bool],
) -> Vec<u32> {
    let mut latches: Vec<usize> = (0..circuit.latches.len()).collect();
    latches.sort_by_key(|&latch| first.rank[latch]);
    let mut candidates = vec![0];
    candidates.extend(latches.into_iter().map(|latch| circuit.latches[latch].state.node()));
    let is_gate = |&node: &u32| {
        !reads_input[node as usize] && matches!(circuit.aig.node(node), Node::And(..))
    };
    if scope == Scope::Signals {
        candidates.extend((1..circuit.aig.len() as u32).filter(is_gate));
    }
    candidates
}

/// By node: its value in the first state, for candidates.
fn initial_values(circuit: &Circuit, first: &mut FirstState, candidates: &[u32]) -> Vec<Lit> {
    let mut inputs = vec![Lit::FALSE; circuit.aig.num_inputs()];
    for (latch, &value) in circuit.latches.iter().zip(&first.latches) {
        if let Node::Input(index) = circuit.aig.node(latch.state.node()) {
            inputs[index as usize] = value;
        }
    }
    let roots: Vec<Lit> = candidates.iter().map(|&node| Lit::new(node, false)).collect();
    let copies = circuit.aig.copy_into(&mut first.aig, &roots, &inputs);
    let mut values = vec![Lit::FALSE; circuit.aig.len()];
    for (&node, copy) in candidates.iter().zip(copies) {
        values[node as usize] = copy;
    }
    values
}
