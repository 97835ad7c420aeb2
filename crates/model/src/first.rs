//! The first state of a circuit as functions of the latches that may start with any value.

use crate::circuit::{Circuit, Reset};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// Every latch in the first state.
pub struct FirstState {
    /// One input per latch that is free, in the order of the latches.
    pub aig: Aig,
    /// By latch: its value.
    pub latches: Vec<Lit>,
    /// By latch: 0 without a reset function; a function reads only latches of smaller rank.
    pub rank: Vec<u32>,
}

impl FirstState {
    pub fn new(circuit: &Circuit) -> FirstState {
        let mut solver = Solving::new(circuit);
        for latch in 0..circuit.latches.len() {
            solver.solve(latch);
        }
        let latches = circuit.latches.iter().map(|l| solver.image(l.state).expect("solved"));
        FirstState { latches: latches.collect(), aig: solver.aig, rank: solver.rank }
    }
}

struct Solving<'c> {
    circuit: &'c Circuit,
    aig: Aig,
    images: Vec<Option<Lit>>,
    /// By node: the latch with a reset function that it stands for.
    latch_of: Vec<Option<usize>>,
    rank: Vec<u32>,
    ranked: u32,
}

impl<'c> Solving<'c> {
    fn new(circuit: &'c Circuit) -> Solving<'c> {
        let mut aig = Aig::new();
        let mut images = vec![None; circuit.aig.len()];
        let mut latch_of = vec![None; circuit.aig.len()];
        images[0] = Some(Lit::FALSE);
        for (index, latch) in circuit.latches.iter().enumerate() {
            let node = latch.state.node() as usize;
            match latch.reset {
                Reset::Const(value) => images[node] = Some(value.into()),
                Reset::Free => images[node] = Some(aig.add_input()),
                Reset::Function(_) => latch_of[node] = Some(index),
            }
        }
        let rank = vec![0; circuit.latches.len()];
        Solving { circuit, aig, images, latch_of, rank, ranked: 0 }
    }

    fn image(&self, lit: Lit) -> Option<Lit> {
        self.images[lit.node() as usize].map(|image| image.xor(lit.is_negated()))
    }

    /// Depth first through gates and, at latches, through their resets, which are acyclic.
    fn solve(&mut self, latch: usize) {
        let mut stack = vec![self.circuit.latches[latch].state.node()];
        while let Some(&node) = stack.last() {
            if self.images[node as usize].is_none() {
                let before = stack.len();
                stack.extend(self.missing(node));
                if stack.len() > before {
                    continue;
                }
                self.define(node);
            }
            stack.pop();
        }
    }

    fn reads(&self, node: u32) -> [Lit; 2] {
        match (self.circuit.aig.node(node), self.latch_of[node as usize]) {
            (Node::And(a, b), _) => [a, b],
            (_, Some(latch)) => match self.circuit.latches[latch].reset {
                Reset::Function(lit) => [lit, Lit::TRUE],
                _ => unreachable!("only latches with reset functions are looked up"),
            },
            _ => unreachable!("resets never read inputs"),
        }
    }

    fn missing(&self, node: u32) -> impl Iterator<Item = u32> + use<> {
        let open = self.reads(node).map(|lit| (self.image(lit).is_none(), lit.node()));
        open.into_iter().filter(|(missing, _)| *missing).map(|(_, node)| node)
    }

    fn define(&mut self, node: u32) {
        let [a, b] = self.reads(node).map(|lit| self.image(lit).expect("read before"));
        self.images[node as usize] = Some(self.aig.and(a, b));
        if let Some(latch) = self.latch_of[node as usize] {
            self.ranked += 1;
            self.rank[latch] = self.ranked;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_functions() {
        let mut circuit = Circuit::default();
        let free = circuit.add_latch(Reset::Free);
        let late = circuit.add_latch(Reset::Free);
        let early = circuit.add_latch(Reset::Function(!free));
        let one = circuit.add_latch(Reset::Const(true));
        let both = circuit.aig.and(early, one);
        circuit.latches[1].reset = Reset::Function(!both);
        let first = FirstState::new(&circuit);
        let input = first.aig.input(0);
        assert_eq!(first.latches, [input, input, !input, Lit::TRUE]);
        assert_eq!(first.rank, [0, 2, 1, 0]);
        assert_eq!(late, circuit.latches[1].state);
    }
}
