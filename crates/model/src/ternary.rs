//! Constant latches by ternary simulation.
//!
//! Starting from the resets, with every input and every free latch unknown, a latch keeps its
//! first value as long as its next function, evaluated over {0, 1, unknown}, agrees with it. A
//! node can only turn from a value to unknown, and does so once, so that the least fixed point
//! takes time linear in the circuit. Constraints are not used.

use crate::circuit::Circuit;
use crate::first::FirstState;
use crate::merge::Merges;
use wedge_logic::Lit;
use wedge_logic::aig::Node;

/// The latches that never change, each replaced by its value. Fulfils the contract of
/// [`Merges`]: a latch whose first value is a function of free latches is unknown from the
/// start.
pub fn constant_latches(circuit: &Circuit) -> Merges {
    let mut simulation = Simulation::new(circuit);
    simulation.run();
    let mut merges = Merges::none(circuit);
    for latch in &circuit.latches {
        if let Some(value) = simulation.value(latch.state) {
            merges.replace(latch.state.node(), value.into());
        }
    }
    merges
}

struct Simulation<'c> {
    circuit: &'c Circuit,
    /// By node; none is unknown.
    values: Vec<Option<bool>>,
    /// By node: where the gates that read it start in `readers`; one entry more than nodes.
    start: Vec<u32>,
    readers: Vec<u32>,
    /// By node: where the latches whose next function it is start in `latches`, sorted by it.
    latches: Vec<(u32, usize)>,
    /// Nodes that have become unknown.
    pending: Vec<u32>,
}

impl<'c> Simulation<'c> {
    fn new(circuit: &'c Circuit) -> Simulation<'c> {
        let (start, readers) = readers(circuit);
        let mut latches: Vec<(u32, usize)> = circuit
            .latches
            .iter()
            .enumerate()
            .map(|(index, latch)| (latch.next.node(), index))
            .collect();
        latches.sort_unstable();
        let values = vec![None; circuit.aig.len()];
        Simulation { circuit, values, start, readers, latches, pending: Vec::new() }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        self.values[lit.node() as usize].map(|value| value != lit.is_negated())
    }

    fn run(&mut self) {
        let circuit = self.circuit;
        self.values[0] = Some(false);
        let first = FirstState::new(circuit);
        for (latch, &value) in circuit.latches.iter().zip(&first.latches) {
            let constant = value.is_const().then_some(value == Lit::TRUE);
            self.values[latch.state.node() as usize] = constant;
        }
        for node in 1..circuit.aig.len() as u32 {
            if let Node::And(a, b) = circuit.aig.node(node) {
                self.values[node as usize] = self.and(a, b);
            }
        }
        (0..circuit.latches.len()).for_each(|latch| self.step(latch));
        while let Some(node) = self.pending.pop() {
            self.visit_readers(node);
        }
    }

    fn and(&self, a: Lit, b: Lit) -> Option<bool> {
        match (self.value(a), self.value(b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }
    }

    /// The latch becomes unknown if its next value differs.
    fn step(&mut self, latch: usize) {
        let latch = &self.circuit.latches[latch];
        let (now, next) = (self.value(latch.state), self.value(latch.next));
        if now.is_some() && now != next {
            self.forget(latch.state.node());
        }
    }

    fn forget(&mut self, node: u32) {
        self.values[node as usize] = None;
        self.pending.push(node);
    }

    fn visit_readers(&mut self, node: u32) {
        for index in self.start[node as usize]..self.start[node as usize + 1] {
            let reader = self.readers[index as usize];
            let Node::And(a, b) = self.circuit.aig.node(reader) else { continue };
            if self.values[reader as usize].is_some() && self.and(a, b).is_none() {
                self.forget(reader);
            }
        }
        let first = self.latches.partition_point(|&(next, _)| next < node);
        for index in first..self.latches.len() {
            let (next, latch) = self.latches[index];
            if next != node {
                break;
            }
            self.step(latch);
        }
    }
}

/// For every node the gates that read it, as one list with the places where each part starts.
fn readers(circuit: &Circuit) -> (Vec<u32>, Vec<u32>) {
    let mut start = vec![0u32; circuit.aig.len() + 1];
    let gates = || {
        (1..circuit.aig.len() as u32).filter_map(|node| match circuit.aig.node(node) {
            Node::And(a, b) => Some((node, [a.node(), b.node()])),
            _ => None,
        })
    };
    gates().flat_map(|(_, fanins)| fanins).for_each(|fanin| start[fanin as usize + 1] += 1);
    for node in 0..circuit.aig.len() {
        start[node + 1] += start[node];
    }
    let mut place = start.clone();
    let mut readers = vec![0; start[circuit.aig.len()] as usize];
    for (node, fanins) in gates() {
        for fanin in fanins {
            readers[place[fanin as usize] as usize] = node;
            place[fanin as usize] += 1;
        }
    }
    (start, readers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Reset;

    fn replaced(circuit: &Circuit) -> Vec<Option<bool>> {
        let merges = constant_latches(circuit);
        let constant = |l: &crate::Latch| {
            let lit = merges.replacement[l.state.node() as usize];
            lit.is_const().then_some(lit == Lit::TRUE)
        };
        circuit.latches.iter().map(constant).collect()
    }

    #[test]
    fn constants_support_each_other() {
        let mut circuit = Circuit::default();
        let input = circuit.add_input();
        let zero = circuit.add_latch(Reset::Const(false));
        let one = circuit.add_latch(Reset::Const(true));
        let copy = circuit.add_latch(Reset::Function(one));
        circuit.latches[0].next = circuit.aig.and(input, !one);
        circuit.latches[1].next = circuit.aig.or(input, !zero);
        circuit.latches[2].next = circuit.aig.or(one, input);
        assert_eq!(replaced(&circuit), [Some(false), Some(true), Some(true)]);
        assert_eq!(copy, circuit.latches[2].state);
    }

    #[test]
    fn a_change_spreads_along_a_chain() {
        let mut circuit = Circuit::default();
        let input = circuit.add_input();
        let mut previous = input;
        for index in 0..50 {
            let state = circuit.add_latch(Reset::Const(index % 2 == 0));
            circuit.latches[index].next = previous.xor(index % 3 == 0);
            previous = state;
        }
        assert!(replaced(&circuit).iter().all(Option::is_none));
    }

    #[test]
    fn free_latches_are_unknown() {
        let mut circuit = Circuit::default();
        let free = circuit.add_latch(Reset::Free);
        circuit.add_latch(Reset::Function(free));
        let toggle = circuit.add_latch(Reset::Const(false));
        circuit.latches[2].next = !toggle;
        assert!(replaced(&circuit).iter().all(Option::is_none));
    }
}
