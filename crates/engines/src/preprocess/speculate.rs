//! Two steps of a circuit in which candidates for equality stand for each other.
//!
//! In the first step every node is replaced by its representative, as if the classes were known
//! to be equal; this is the speculative reduction of Mony, Baumgartner, Paruthi and Kanzelman
//! ("Exploiting suspected redundancy without proving it", DAC 2005). The second step is built
//! over the results without replacement, for the nodes that read no input. What has to be shown
//! is that in it each candidate equals its representative again, for all states in which the
//! candidates are equal.

use super::classes::Classes;
use wedge_logic::aig::{Node, word};
use wedge_logic::{Aig, Lit};
use wedge_model::Circuit;

pub struct Speculation {
    pub aig: Aig,
    /// By node of the circuit: what stands for it in the first step.
    now: Vec<Lit>,
    /// By node: its literal in the second step, for latches and gates that read no input.
    next: Vec<Lit>,
    /// What may be assumed of the first step: that the members of a class are equal where this
    /// is not so by structure.
    pub equations: Vec<Equation>,
    /// The constraints in the first step.
    pub constraints: Vec<Lit>,
}

/// A node of the circuit that was replaced by another one, its own function in the first step
/// and the replacement there.
#[derive(Clone, Copy)]
pub struct Equation {
    pub node: u32,
    by: Lit,
    own: Lit,
    replacement: Lit,
}

impl Equation {
    /// Whether the two nodes of the circuit differ in the first of 64 runs.
    pub fn is_violated(&self, words: &[u64]) -> bool {
        (words[self.node as usize] ^ word(words, self.by)) & 1 == 1
    }
}

impl Speculation {
    /// Requires: `reads_input` tells which nodes depend on inputs; none of them is in a class.
    pub fn new(circuit: &Circuit, classes: &Classes, reads_input: &[bool]) -> Speculation {
        let mut aig = Aig::with_inputs(circuit.aig.num_inputs());
        let mut equations = Vec::new();
        let now = first_step(circuit, classes, &mut aig, &mut equations);
        let next = second_step(circuit, classes, &mut aig, &now, reads_input);
        let constraints = circuit.constraints.iter().map(|&c| at(&now, c)).collect();
        Speculation { aig, now, next, equations, constraints }
    }

    pub fn now(&self, lit: Lit) -> Lit {
        at(&self.now, lit)
    }

    /// A candidate in the second step, in the phase in which its class agrees.
    pub fn next(&self, node: u32, classes: &Classes) -> Lit {
        self.next[node as usize].xor(classes.phase(node))
    }

    /// That an equation holds, as a literal.
    pub fn assumption(&mut self, equation: Equation) -> Lit {
        self.aig.iff(equation.own, equation.replacement)
    }
}

fn at(images: &[Lit], lit: Lit) -> Lit {
    images[lit.node() as usize].xor(lit.is_negated())
}

fn first_step(
    circuit: &Circuit,
    classes: &Classes,
    aig: &mut Aig,
    equations: &mut Vec<Equation>,
) -> Vec<Lit> {
    let mut now = vec![Lit::FALSE; circuit.aig.len()];
    for index in 0..circuit.aig.num_inputs() {
        now[circuit.aig.input(index).node() as usize] = aig.input(index);
    }
    for latch in &circuit.latches {
        if let Some(by) = replacement(classes, latch.state.node()) {
            now[latch.state.node() as usize] = at(&now, by);
        }
    }
    for node in 1..circuit.aig.len() as u32 {
        let Node::And(a, b) = circuit.aig.node(node) else { continue };
        let own = aig.and(at(&now, a), at(&now, b));
        now[node as usize] = own;
        if let Some(by) = replacement(classes, node) {
            let replacement = at(&now, by);
            now[node as usize] = replacement;
            if own != replacement {
                equations.push(Equation { node, by, own, replacement });
            }
        }
    }
    now
}

fn replacement(classes: &Classes, node: u32) -> Option<Lit> {
    let representative = classes.representative(node)?;
    Some(Lit::new(representative, classes.opposite(node, representative)))
}

fn second_step(
    circuit: &Circuit,
    classes: &Classes,
    aig: &mut Aig,
    now: &[Lit],
    reads_input: &[bool],
) -> Vec<Lit> {
    let mut next = vec![Lit::FALSE; circuit.aig.len()];
    for latch in &circuit.latches {
        next[latch.state.node() as usize] = at(now, latch.next);
    }
    let gates_matter =
        classes.candidates().iter().any(|&n| matches!(circuit.aig.node(n), Node::And(..)));
    for node in 1..circuit.aig.len() as u32 {
        if let (true, false, Node::And(a, b)) =
            (gates_matter, reads_input[node as usize], circuit.aig.node(node))
        {
            next[node as usize] = aig.and(at(&next, a), at(&next, b));
        }
    }
    next
}
