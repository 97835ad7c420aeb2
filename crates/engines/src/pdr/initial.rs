//! The initial states: which cubes meet them, and how a part of one is completed.

use super::extend::Extended;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};
use wedge_model::{Circuit, Reset};

pub struct Initial {
    resets: Vec<Reset>,
    /// Some latch is reset to a function or is a signal; then a solver has to tell what a cube
    /// meets.
    pub has_functions: bool,
}

impl Initial {
    pub fn new(extended: &Extended) -> Initial {
        let resets: Vec<Reset> = extended.circuit.latches.iter().map(|l| l.reset).collect();
        let is_function = |reset: &Reset| matches!(reset, Reset::Function(_));
        let has_functions = !extended.definitions.is_empty() || resets.iter().any(is_function);
        Initial { resets, has_functions }
    }

    /// Whether no initial state has this value of a latch.
    pub fn excludes(&self, latch: usize, value: bool) -> bool {
        self.resets[latch] == Reset::Const(!value)
    }
}

/// An initial state with the given values of some latches.
///
/// Requires: there is one.
pub fn complete(circuit: &Circuit, given: &[Option<bool>]) -> Vec<bool> {
    let mut values = vec![None; circuit.aig.len()];
    values[0] = Some(false);
    let mut resets = vec![Lit::FALSE; circuit.aig.len()];
    for (latch, given) in circuit.latches.iter().zip(given) {
        let node = latch.state.node() as usize;
        values[node] = match latch.reset {
            Reset::Const(value) => Some(value),
            Reset::Free => Some(given.unwrap_or(false)),
            Reset::Function(lit) => {
                resets[node] = lit;
                *given
            }
        };
    }
    for latch in &circuit.latches {
        settle(&circuit.aig, &resets, &mut values, latch.state.node());
    }
    circuit.latches.iter().map(|l| values[l.state.node() as usize] == Some(true)).collect()
}

/// Evaluates a node, following reset functions through latches that have no value yet.
fn settle(aig: &Aig, resets: &[Lit], values: &mut [Option<bool>], root: u32) {
    let mut stack = vec![root];
    while let Some(&node) = stack.last() {
        let reads = match aig.node(node) {
            _ if values[node as usize].is_some() => [Lit::TRUE, Lit::TRUE],
            Node::And(a, b) => [a, b],
            _ => [resets[node as usize], Lit::TRUE],
        };
        let value = |l: Lit| values[l.node() as usize].map(|v| v ^ l.is_negated());
        let missing = reads.into_iter().find(|&l| value(l).is_none());
        if let Some(lit) = missing {
            stack.push(lit.node());
            continue;
        }
        if values[node as usize].is_none() {
            values[node as usize] = Some(reads.into_iter().all(|l| value(l) == Some(true)));
        }
        stack.pop();
    }
}
