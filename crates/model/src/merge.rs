//! Merging of nodes that are equal in every state of every path.
//!
//! The caller has found that some latches and gates over latches always equal a constant or
//! another such node, by an argument that is inductive over steps. Here the circuit is rebuilt
//! with the representatives in their places, and the equations become part of every invariant
//! on the way back: a state that satisfies them all is one of the reduced circuit, and behaves
//! as it does there.

use crate::circuit::{Circuit, Predicate, Reset, Trace};
use crate::signals::Signals;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// What stands for each node: itself, or its representative.
///
/// Invariants: only latches and gates that read no input are replaced; representatives are not;
/// a latch is replaced by a constant or a latch whose reset function, if any, has a smaller rank
/// (see [`crate::first::FirstState`]), a gate by a constant, a latch or an earlier gate. The
/// equations hold in every initial state, and if they hold in a state, they do in every
/// successor by a step that satisfies the constraints.
#[derive(Clone, Debug)]
pub struct Merges {
    pub replacement: Vec<Lit>,
}

impl Merges {
    pub fn none(circuit: &Circuit) -> Merges {
        Merges { replacement: (0..circuit.aig.len() as u32).map(|n| Lit::new(n, false)).collect() }
    }

    pub fn replace(&mut self, node: u32, representative: Lit) {
        self.replacement[node as usize] = representative;
    }

    pub fn is_replaced(&self, node: u32) -> bool {
        self.replacement[node as usize] != Lit::new(node, false)
    }

    pub fn count(&self) -> usize {
        (0..self.replacement.len() as u32).filter(|&node| self.is_replaced(node)).count()
    }

    fn of(&self, lit: Lit) -> Lit {
        self.replacement[lit.node() as usize].xor(lit.is_negated())
    }
}

/// The way back from a circuit with merged nodes.
#[derive(Clone, Debug)]
pub struct MergeWayBack {
    /// The latches that were kept.
    kept: Vec<usize>,
    /// By latch of the original: a literal of `states`, whose inputs are the kept latches.
    latches: Vec<Lit>,
    states: Aig,
    /// The equations, over the latches of the original.
    facts: Predicate,
}

/// Ensures: a path of either circuit to a bad state exists iff one of the other does.
pub fn merge(circuit: &Circuit, merges: &Merges) -> (Circuit, MergeWayBack) {
    let kept: Vec<usize> = (0..circuit.latches.len())
        .filter(|&l| !merges.is_replaced(circuit.latches[l].state.node()))
        .collect();
    let reduced = rebuild(circuit, merges, &kept);
    let states = Aig::with_inputs(kept.len());
    let mut place = vec![Lit::FALSE; circuit.aig.len()];
    for (index, &latch) in kept.iter().enumerate() {
        place[circuit.latches[latch].state.node() as usize] = states.input(index);
    }
    let latch = |l: &crate::Latch| {
        let representative = merges.of(l.state);
        place[representative.node() as usize].xor(representative.is_negated())
    };
    let latches = circuit.latches.iter().map(latch).collect();
    let facts = facts(circuit, merges);
    (reduced, MergeWayBack { kept, latches, states, facts })
}

fn rebuild(circuit: &Circuit, merges: &Merges, kept: &[usize]) -> Circuit {
    let mut reduced = Circuit::default();
    let mut images = vec![Lit::FALSE; circuit.aig.len()];
    for &input in &circuit.inputs {
        images[input.node() as usize] = reduced.add_input();
    }
    for &latch in kept {
        let latch = &circuit.latches[latch];
        images[latch.state.node() as usize] = reduced.add_latch(latch.reset);
    }
    for latch in &circuit.latches {
        let representative = merges.of(latch.state);
        images[latch.state.node() as usize] = at(&images, representative);
    }
    copy_resets(circuit, &mut reduced, &images);
    copy_gates(circuit, merges, &mut reduced.aig, &mut images);
    reduced.constraints = circuit.constraints.iter().map(|&c| at(&images, c)).collect();
    reduced.bad = at(&images, circuit.bad);
    for (copy, &latch) in reduced.latches.iter_mut().zip(kept) {
        copy.next = at(&images, circuit.latches[latch].next);
    }
    reduced
}

fn at(images: &[Lit], lit: Lit) -> Lit {
    images[lit.node() as usize].xor(lit.is_negated())
}

/// Only latches are replaced in reset functions: a gate in the function of a latch may well
/// equal that very latch.
fn copy_resets(circuit: &Circuit, reduced: &mut Circuit, images: &[Lit]) {
    let functions: Vec<(usize, Lit)> = reduced
        .latches
        .iter()
        .enumerate()
        .filter_map(|(index, latch)| match latch.reset {
            Reset::Function(lit) => Some((index, lit)),
            _ => None,
        })
        .collect();
    let roots: Vec<Lit> = functions.iter().map(|&(_, lit)| lit).collect();
    let inputs: Vec<Lit> =
        (0..circuit.aig.num_inputs()).map(|i| at(images, circuit.aig.input(i))).collect();
    let copies = circuit.aig.copy_into(&mut reduced.aig, &roots, &inputs);
    for ((index, _), copy) in functions.into_iter().zip(copies) {
        reduced.latches[index].reset = match copy {
            Lit::FALSE | Lit::TRUE => Reset::Const(copy == Lit::TRUE),
            lit => Reset::Function(lit),
        };
    }
}

fn copy_gates(circuit: &Circuit, merges: &Merges, aig: &mut Aig, images: &mut [Lit]) {
    for node in 1..circuit.aig.len() as u32 {
        if let Node::And(a, b) = circuit.aig.node(node) {
            images[node as usize] = match merges.is_replaced(node) {
                true => at(images, merges.of(Lit::new(node, false))),
                false => aig.and(at(images, a), at(images, b)),
            };
        }
    }
}

/// The equations as a predicate. Each is stated with the replacements made in it: where all hold
/// that is the same, and what then holds by structure need not be said.
fn facts(circuit: &Circuit, merges: &Merges) -> Predicate {
    let mut aig = Aig::with_inputs(circuit.latches.len());
    let mut images = vec![None; circuit.aig.len()];
    images[0] = Some(Lit::FALSE);
    for (index, latch) in circuit.latches.iter().enumerate() {
        images[latch.state.node() as usize] = Some(aig.input(index));
    }
    let image = |images: &[Option<Lit>], lit: Lit| {
        images[lit.node() as usize].map(|image| image.xor(lit.is_negated()))
    };
    let mut equations = Vec::new();
    for latch in circuit.latches.iter().filter(|l| merges.is_replaced(l.state.node())) {
        let representative = image(&images, merges.of(latch.state));
        let own = images[latch.state.node() as usize].replace(representative.expect("a state"));
        equations.extend(own.zip(representative));
    }
    for node in 1..circuit.aig.len() as u32 {
        let Node::And(a, b) = circuit.aig.node(node) else { continue };
        let (Some(a), Some(b)) = (image(&images, a), image(&images, b)) else { continue };
        let own = aig.and(a, b);
        let representative = match merges.is_replaced(node) {
            true => image(&images, merges.of(Lit::new(node, false))).expect("reads no input"),
            false => own,
        };
        images[node as usize] = Some(representative);
        equations.push((own, representative));
    }
    let equations: Vec<Lit> = equations.into_iter().map(|(a, b)| aig.iff(a, b)).collect();
    let root = aig.and_all(&equations);
    let mut compact = Aig::with_inputs(aig.num_inputs());
    let inputs: Vec<Lit> = (0..aig.num_inputs()).map(|i| compact.input(i)).collect();
    let root = aig.copy_into(&mut compact, &[root], &inputs)[0];
    Predicate { aig: compact, root }
}

impl MergeWayBack {
    /// The latches of the original that the reduced circuit has, in its order.
    pub fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// Signals of the original circuit as those of the reduced one.
    pub fn signals(&self, signals: &Signals) -> Signals {
        signals.map(self.kept.len(), &self.images())
    }

    /// The latches of the original as literals over those of the reduced circuit.
    pub fn images(&self) -> Vec<Option<Lit>> {
        self.latches.iter().map(|&latch| Some(latch)).collect()
    }

    /// The same path: a replaced latch has the value of its representative.
    pub fn trace(&self, trace: &Trace) -> Trace {
        let words: Vec<u64> = trace.initial.iter().map(|&value| value as u64).collect();
        let words = self.states.simulate(&words);
        let value = |&latch: &Lit| wedge_logic::aig::word(&words, latch) & 1 == 1;
        Trace { initial: self.latches.iter().map(value).collect(), inputs: trace.inputs.clone() }
    }

    /// The states of the predicate that satisfy the equations.
    pub fn predicate(&self, predicate: &Predicate) -> Predicate {
        let mut aig = self.facts.aig.clone();
        let inputs: Vec<Lit> = self.kept.iter().map(|&l| aig.input(l)).collect();
        let root = predicate.aig.copy_into(&mut aig, &[predicate.root], &inputs)[0];
        let root = aig.and(root, self.facts.root);
        Predicate { aig, root }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate::replay;

    /// A register, its negated copy, a gate that is never true; the bad states need all three.
    fn example() -> (Circuit, Merges) {
        let mut circuit = Circuit::default();
        let input = circuit.add_input();
        let first = circuit.add_latch(Reset::Free);
        let copy = circuit.add_latch(Reset::Function(!first));
        let other = circuit.add_latch(Reset::Const(false));
        let never = circuit.aig.and(first, copy);
        circuit.latches[0].next = input;
        circuit.latches[1].next = !input;
        circuit.latches[2].next = circuit.aig.or(other, never);
        let good = circuit.aig.and(first, !copy);
        circuit.bad = circuit.aig.and(good, !other);
        let mut merges = Merges::none(&circuit);
        merges.replace(copy.node(), !first);
        merges.replace(never.node(), Lit::FALSE);
        (circuit, merges)
    }

    #[test]
    fn representatives_take_the_places() {
        let (circuit, merges) = example();
        let (reduced, way_back) = merge(&circuit, &merges);
        reduced.check();
        assert_eq!(reduced.latches.len(), 2);
        assert_eq!(reduced.latches[1].next, reduced.latches[1].state);
        assert_eq!(reduced.aig.num_ands(), 1);
        let trace = Trace { initial: vec![true, false], inputs: vec![vec![false]] };
        replay(&reduced, &trace).unwrap();
        let trace = way_back.trace(&trace);
        assert_eq!(trace.initial, [true, false, false]);
        replay(&circuit, &trace).unwrap();
    }

    #[test]
    fn the_equations_join_the_invariant() {
        let (circuit, merges) = example();
        let (_, way_back) = merge(&circuit, &merges);
        let invariant = way_back.predicate(&Predicate::constant(true, 2));
        // The gate adds nothing: it follows from the latches by structure.
        for state in 0..8usize {
            let bits: Vec<bool> = (0..3).map(|i| state >> i & 1 == 1).collect();
            assert_eq!(invariant.aig.eval(invariant.root, &bits), bits[0] != bits[1]);
        }
        assert_eq!(merges.count(), 2);
        assert_eq!(invariant.aig.num_ands(), 3);
    }
}
