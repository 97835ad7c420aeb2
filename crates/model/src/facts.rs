//! Several sets of states of a circuit over one graph, such as invariants that were found without
//! regard to the property.

use crate::circuit::{Circuit, Predicate};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// A conjunction: each root is a set of states, and input i of the graph is latch i.
#[derive(Clone, Debug)]
pub struct Facts {
    pub aig: Aig,
    pub roots: Vec<Lit>,
}

impl Facts {
    /// No facts about so many latches.
    pub fn none(latches: usize) -> Facts {
        Facts { aig: Aig::with_inputs(latches), roots: Vec::new() }
    }

    pub fn is_empty(&self) -> bool {
        self.roots.is_empty()
    }

    /// Adds facts about the same latches.
    pub fn extend(&mut self, other: &Facts) {
        let inputs: Vec<Lit> = (0..self.aig.num_inputs()).map(|i| self.aig.input(i)).collect();
        let roots = other.aig.copy_into(&mut self.aig, &other.roots, &inputs);
        self.roots.extend(roots.into_iter().filter(|&root| root != Lit::TRUE));
        self.roots.sort_unstable();
        self.roots.dedup();
    }

    pub fn conjunction(&self) -> Predicate {
        let mut aig = self.aig.clone();
        let root = aig.and_all(&self.roots);
        Predicate { aig, root }
    }

    /// The facts about a circuit with so many latches, over which these literals are what becomes of
    /// the latches. Facts that read a latch without one are left out.
    pub fn mapped(&self, images: &[Option<Lit>], latches: usize) -> Facts {
        let mut mapped = Facts::none(latches);
        let lost = self.reading(|input| images[input].is_none());
        let inputs: Vec<Lit> = images.iter().map(|lit| lit.unwrap_or(Lit::FALSE)).collect();
        let roots = self.roots.iter().copied().filter(|root| !lost[root.node() as usize]);
        let roots: Vec<Lit> = roots.collect();
        mapped.roots = self.aig.copy_into(&mut mapped.aig, &roots, &inputs);
        mapped.roots.retain(|&root| root != Lit::TRUE);
        mapped
    }

    /// By node, whether it reads an input for which `is_sought` holds.
    fn reading(&self, is_sought: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut reads = vec![false; self.aig.len()];
        for node in 0..self.aig.len() {
            reads[node] = match self.aig.node(node as u32) {
                Node::Const => false,
                Node::Input(index) => is_sought(index as usize),
                Node::And(a, b) => reads[a.node() as usize] || reads[b.node() as usize],
            };
        }
        reads
    }
}

impl Circuit {
    /// The circuit with the facts as constraints. If they hold in all reachable states, its paths
    /// are those of this circuit.
    pub fn constrained(&self, facts: &Facts) -> Circuit {
        let mut circuit = self.clone();
        let states: Vec<Lit> = circuit.latches.iter().map(|latch| latch.state).collect();
        let roots = facts.aig.copy_into(&mut circuit.aig, &facts.roots, &states);
        circuit.constraints.extend(roots.into_iter().filter(|&root| root != Lit::TRUE));
        circuit
    }
}

impl Predicate {
    /// The states in both sets.
    pub fn and(&self, other: &Predicate) -> Predicate {
        let mut aig = self.aig.clone();
        let inputs: Vec<Lit> = (0..aig.num_inputs()).map(|i| aig.input(i)).collect();
        let root = other.aig.copy_into(&mut aig, &[other.root], &inputs)[0];
        let root = aig.and(self.root, root);
        Predicate { aig, root }
    }
}
