//! The first state that follows from a choice of the free latches.

use crate::circuit::{Circuit, Reset};
use wedge_logic::Lit;
use wedge_logic::aig::Node;

/// A first state in which the latches with a chosen value have it, the others follow their
/// resets, and those whose reset leaves them open are false. Linear in the size of the graph.
pub fn first_state(circuit: &Circuit, chosen: &[Option<bool>]) -> Vec<bool> {
    let mut state = FirstState::new(circuit, chosen);
    circuit.latches.iter().map(|latch| state.settle(latch.state.node())).collect()
}

struct FirstState<'a> {
    circuit: &'a Circuit,
    /// What is known about each node.
    values: Vec<Option<bool>>,
    /// The reset functions of the latches that follow theirs, by node.
    functions: Vec<Option<Lit>>,
    opened: Vec<bool>,
}

impl<'a> FirstState<'a> {
    fn new(circuit: &'a Circuit, chosen: &[Option<bool>]) -> FirstState<'a> {
        let size = circuit.aig.len();
        let (mut values, mut functions) = (vec![None; size], vec![None; size]);
        values[0] = Some(false);
        for (latch, chosen) in circuit.latches.iter().zip(chosen) {
            let node = latch.state.node() as usize;
            match (chosen, latch.reset) {
                (Some(value), _) => values[node] = Some(*value),
                (None, Reset::Const(value)) => values[node] = Some(value),
                (None, Reset::Free) => values[node] = Some(false),
                (None, Reset::Function(lit)) => functions[node] = Some(lit),
            }
        }
        FirstState { circuit, values, functions, opened: vec![false; size] }
    }

    /// The value of a node, after those it depends on.
    fn settle(&mut self, root: u32) -> bool {
        let mut stack = vec![root];
        while let Some(&node) = stack.last() {
            if self.values[node as usize].is_some() {
                stack.pop();
            } else if std::mem::replace(&mut self.opened[node as usize], true) {
                self.values[node as usize] = Some(self.compute(node));
            } else {
                stack.extend(self.sources(node).into_iter().flatten().map(Lit::node));
            }
        }
        self.values[root as usize] == Some(true)
    }

    fn sources(&self, node: u32) -> [Option<Lit>; 2] {
        match self.circuit.aig.node(node) {
            Node::And(a, b) => [Some(a), Some(b)],
            _ => [self.functions[node as usize], None],
        }
    }

    /// A conjunction, a reset function, or false for an input, which no reset should read.
    fn compute(&self, node: u32) -> bool {
        let value = |lit: Lit| (self.values[lit.node() as usize] == Some(true)) ^ lit.is_negated();
        match self.sources(node) {
            [None, None] => false,
            sources => sources.into_iter().flatten().all(value),
        }
    }
}
