//! Inputs that constraints determine, that hide other functions, or that are only stored.
//!
//! - A constraint that is an input, or equates one with a function that does not read it,
//!   determines the input: it is replaced, and the constraint is gone.
//! - An input that is read by one exclusive-or only makes that gate as free as the input itself:
//!   the gate becomes the input, and what else it read may drop out.
//! - An input that is read by one latch only, as its next value, makes that latch an input of the
//!   next step. In the first step it has its reset value; if that is a constant, one latch that
//!   is true in the first step only tells when.
//!
//! None of this changes which steps there are between the states of the other latches, so
//! invariants and proofs by k-induction keep their meaning; see [`crate::rewire`].

use crate::circuit::{Circuit, Reset};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// What is to become of inputs, gates and latches.
#[derive(Clone, Debug, Default)]
pub struct Rewiring {
    /// By node: the literal that replaces an input. Acyclic.
    pub definitions: Vec<Option<Lit>>,
    /// By node: for a gate, the input whose place it takes and the rest of the exclusive-or.
    pub cuts: Vec<Option<Cut>>,
    /// By latch: the input that it stores, possibly negated.
    pub stored: Vec<Option<Lit>>,
    /// All conjuncts of the constraints.
    pub constraints: Vec<Lit>,
}

/// A gate that is `input` ⊕ `rest`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cut {
    pub input: Lit,
    pub rest: Lit,
}

impl Rewiring {
    /// What there is of the first two kinds, if `inputs`, and of the third, if `registers`.
    pub fn find(circuit: &Circuit, inputs: bool, registers: bool) -> Rewiring {
        let mut finder = Finder::new(circuit);
        if inputs {
            finder.define();
            finder.cut();
        }
        if registers {
            finder.store();
        }
        finder.found
    }

    /// Number of inputs, gates and latches that are replaced.
    pub fn count(&self) -> usize {
        self.definitions.iter().flatten().count()
            + self.cuts.iter().flatten().count()
            + self.stored.iter().flatten().count()
    }
}

struct Finder<'c> {
    circuit: &'c Circuit,
    found: Rewiring,
    is_input: Vec<bool>,
    /// By node: how often it is read, by gates and as a root.
    readers: Vec<u32>,
    /// By node: whether a definition reads it.
    in_definition: Vec<bool>,
    /// Nodes that may still be visited in search of cycles.
    patience: usize,
}

impl<'c> Finder<'c> {
    fn new(circuit: &'c Circuit) -> Finder<'c> {
        let nodes = circuit.aig.len();
        let mut is_input = vec![false; nodes];
        circuit.inputs.iter().for_each(|input| is_input[input.node() as usize] = true);
        let constraints = conjuncts(&circuit.aig, &circuit.constraints);
        let found = Rewiring {
            definitions: vec![None; nodes],
            cuts: vec![None; nodes],
            stored: vec![None; circuit.latches.len()],
            constraints,
        };
        let readers = readers(circuit, &found.constraints);
        let in_definition = vec![false; nodes];
        Finder { circuit, found, is_input, readers, in_definition, patience: 8 * nodes }
    }

    fn is_input(&self, lit: Lit) -> bool {
        self.is_input[lit.node() as usize]
    }

    fn define(&mut self) {
        for index in 0..self.found.constraints.len() {
            let constraint = self.found.constraints[index];
            if self.is_input(constraint) {
                self.try_definition(constraint, Lit::TRUE);
            } else if let Some((a, b)) = as_xor(&self.circuit.aig, constraint.node()) {
                let b = b.xor(!constraint.is_negated());
                if !self.try_definition(a, b) {
                    self.try_definition(b, a);
                }
            }
        }
    }

    /// Replaces an input by what it equals, unless that would make definitions cyclic.
    fn try_definition(&mut self, input: Lit, value: Lit) -> bool {
        let node = input.node() as usize;
        if !self.is_input(input)
            || self.found.definitions[node].is_some()
            || self.in_definition[node]
        {
            return false;
        }
        let Some(cone) = self.cone_without_definitions(value, input.node()) else { return false };
        cone.into_iter().for_each(|node| self.in_definition[node as usize] = true);
        self.found.definitions[node] = Some(value.xor(input.is_negated()));
        true
    }

    /// The cone of a literal, unless it reads `avoid` or an input that has a definition.
    fn cone_without_definitions(&mut self, root: Lit, avoid: u32) -> Option<Vec<u32>> {
        let mut cone = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        let mut stack = vec![root.node()];
        while let Some(node) = stack.pop() {
            if !seen.insert(node) {
                continue;
            }
            self.patience = self.patience.saturating_sub(1);
            let defined = self.found.definitions[node as usize].is_some();
            if node == avoid || defined || self.patience == 0 {
                return None;
            }
            cone.push(node);
            if let Node::And(a, b) = self.circuit.aig.node(node) {
                stack.extend([a.node(), b.node()]);
            }
        }
        Some(cone)
    }

    /// An input with so many readers, none of which is a definition.
    fn is_private(&self, lit: Lit, readers: u32) -> bool {
        let node = lit.node() as usize;
        self.is_input[node]
            && self.readers[node] == readers
            && self.found.definitions[node].is_none()
            && !self.in_definition[node]
    }

    /// Exclusive-ors with an input that nothing else reads.
    fn cut(&mut self) {
        for node in 1..self.circuit.aig.len() as u32 {
            let Some((a, b)) = as_xor(&self.circuit.aig, node) else { continue };
            let Node::And(left, right) = self.circuit.aig.node(node) else { continue };
            if [left, right].iter().any(|part| self.readers[part.node() as usize] != 1) {
                continue;
            }
            let sides = [(a, b), (b, a)];
            if let Some((input, rest)) = sides.into_iter().find(|(i, _)| self.is_private(*i, 2)) {
                let positive = Lit::new(input.node(), false);
                let rest = rest.xor(input.is_negated());
                self.found.cuts[node as usize] = Some(Cut { input: positive, rest });
            }
        }
    }

    /// Latches with an input that nothing else reads, unless a reset function reads the latch.
    fn store(&mut self) {
        let read_by_reset = read_by_resets(self.circuit);
        for (index, latch) in self.circuit.latches.iter().enumerate() {
            let simple = !matches!(latch.reset, Reset::Function(_));
            if simple
                && self.is_private(latch.next, 1)
                && !read_by_reset[latch.state.node() as usize]
            {
                self.found.stored[index] = Some(latch.next);
            }
        }
    }
}

/// The literals whose conjunction is the conjunction of `lits`.
fn conjuncts(aig: &Aig, lits: &[Lit]) -> Vec<Lit> {
    let mut conjuncts = Vec::new();
    let mut seen = vec![false; aig.len()];
    let mut stack: Vec<Lit> = lits.iter().rev().copied().collect();
    while let Some(lit) = stack.pop() {
        match aig.node(lit.node()) {
            Node::And(a, b) if !lit.is_negated() => {
                if !std::mem::replace(&mut seen[lit.node() as usize], true) {
                    stack.extend([b, a]);
                }
            }
            _ => conjuncts.push(lit),
        }
    }
    conjuncts.sort_unstable();
    conjuncts.dedup();
    conjuncts.retain(|&lit| lit != Lit::TRUE);
    conjuncts
}

fn readers(circuit: &Circuit, constraints: &[Lit]) -> Vec<u32> {
    let mut readers = vec![0; circuit.aig.len()];
    let mut read = |lit: Lit| readers[lit.node() as usize] += 1;
    constraints.iter().for_each(|&c| read(c));
    read(circuit.bad);
    for latch in &circuit.latches {
        read(latch.next);
        if let Reset::Function(lit) = latch.reset {
            read(lit);
        }
    }
    for node in 1..circuit.aig.len() as u32 {
        if let Node::And(a, b) = circuit.aig.node(node) {
            read(a);
            read(b);
        }
    }
    readers
}

fn read_by_resets(circuit: &Circuit) -> Vec<bool> {
    let functions: Vec<Lit> = circuit
        .latches
        .iter()
        .filter_map(|latch| match latch.reset {
            Reset::Function(lit) => Some(lit),
            _ => None,
        })
        .collect();
    circuit.aig.cone(&functions)
}

/// The gate is a ⊕ b.
fn as_xor(aig: &Aig, node: u32) -> Option<(Lit, Lit)> {
    let Node::And(left, right) = aig.node(node) else { return None };
    if !left.is_negated() || !right.is_negated() {
        return None;
    }
    let (Node::And(a, b), Node::And(c, d)) = (aig.node(left.node()), aig.node(right.node())) else {
        return None;
    };
    ((a == !c && b == !d) || (a == !d && b == !c)).then_some((a, b))
}
