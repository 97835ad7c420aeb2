//! Cone-of-influence reduction: keeps what can influence the bad states or the constraints.
//!
//! All constraints stay, with their cones: a constraint that reads nothing of the property's cone
//! may still be the reason why no path exists.

use crate::circuit::{Circuit, Latch, Predicate, Reset, Trace};
use crate::initial::first_state;
use crate::signals::Signals;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// The way back from the reduced circuit: where its inputs and latches come from.
#[derive(Clone, Debug)]
pub struct ConeWayBack {
    /// The original circuit's latches with their resets, without what only later steps read.
    resets: Circuit,
    /// How many inputs the original circuit has.
    num_inputs: usize,
    inputs: Vec<usize>,
    latches: Vec<usize>,
}

/// Ensures: a path of either circuit to a bad state exists iff one of the other does.
pub fn reduce_to_cone(circuit: &Circuit) -> (Circuit, ConeWayBack) {
    let kept = influencing_latches(circuit);
    let latches: Vec<usize> = (0..circuit.latches.len()).filter(|&l| kept[l]).collect();
    let roots = roots_of(circuit, &latches);
    let cone = circuit.aig.cone(&roots);
    let inputs: Vec<usize> =
        (0..circuit.inputs.len()).filter(|&i| cone[circuit.inputs[i].node() as usize]).collect();
    let reduced = copy(circuit, &inputs, &latches, &roots);
    let (resets, num_inputs) = (resets_of(circuit), circuit.inputs.len());
    (reduced, ConeWayBack { resets, num_inputs, inputs, latches })
}

/// Which latches the bad states and constraints depend on, through any number of steps.
fn influencing_latches(circuit: &Circuit) -> Vec<bool> {
    let mut latch_of = vec![usize::MAX; circuit.aig.len()];
    for (index, latch) in circuit.latches.iter().enumerate() {
        latch_of[latch.state.node() as usize] = index;
    }
    let mut kept = vec![false; circuit.latches.len()];
    let mut seen = vec![false; circuit.aig.len()];
    let mut stack: Vec<u32> =
        circuit.constraints.iter().chain([&circuit.bad]).map(|l| l.node()).collect();
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut seen[node as usize], true) {
            continue;
        }
        match circuit.aig.node(node) {
            Node::And(a, b) => stack.extend([a.node(), b.node()]),
            Node::Input(_) if latch_of[node as usize] != usize::MAX => {
                let index = latch_of[node as usize];
                kept[index] = true;
                stack.extend(functions(&circuit.latches[index]).map(Lit::node));
            }
            _ => {}
        }
    }
    kept
}

fn functions(latch: &Latch) -> impl Iterator<Item = Lit> + use<> {
    let reset = match latch.reset {
        Reset::Function(lit) => Some(lit),
        _ => None,
    };
    [latch.next].into_iter().chain(reset)
}

fn roots_of(circuit: &Circuit, latches: &[usize]) -> Vec<Lit> {
    let mut roots = circuit.constraints.clone();
    roots.push(circuit.bad);
    roots.extend(latches.iter().flat_map(|&l| functions(&circuit.latches[l])));
    roots
}

/// The latches alone: their next functions are left out, and so are the inputs, which no reset
/// function reads.
fn resets_of(circuit: &Circuit) -> Circuit {
    let mut resets = Circuit::default();
    let mut image = vec![Lit::FALSE; circuit.aig.num_inputs()];
    for latch in &circuit.latches {
        image[input_number(circuit, latch.state)] = resets.add_latch(latch.reset);
    }
    let function = |latch: &Latch| match latch.reset {
        Reset::Function(lit) => Some(lit),
        _ => None,
    };
    let functions: Vec<Lit> = circuit.latches.iter().filter_map(function).collect();
    let copies = circuit.aig.copy_into(&mut resets.aig, &functions, &image);
    let targets = resets.latches.iter_mut().map(|latch| &mut latch.reset);
    let targets = targets.filter(|reset| matches!(reset, Reset::Function(_)));
    targets.zip(copies).for_each(|(reset, copy)| *reset = Reset::Function(copy));
    resets
}

/// The number of an input or a latch among the inputs of the graph.
fn input_number(circuit: &Circuit, lit: Lit) -> usize {
    match circuit.aig.node(lit.node()) {
        Node::Input(index) => index as usize,
        _ => unreachable!("inputs and latches are inputs of the graph"),
    }
}

fn copy(circuit: &Circuit, inputs: &[usize], latches: &[usize], roots: &[Lit]) -> Circuit {
    let mut reduced = Circuit::default();
    let mut image = vec![Lit::FALSE; circuit.aig.num_inputs()];
    for &input in inputs {
        image[input_number(circuit, circuit.inputs[input])] = reduced.add_input();
    }
    for &latch in latches {
        let latch = &circuit.latches[latch];
        image[input_number(circuit, latch.state)] = reduced.add_latch(latch.reset);
    }
    let mut copies = circuit.aig.copy_into(&mut reduced.aig, roots, &image).into_iter();
    reduced.constraints = copies.by_ref().take(circuit.constraints.len()).collect();
    let mut next_copy = || copies.next().expect("one copy per root");
    reduced.bad = next_copy();
    for latch in &mut reduced.latches {
        latch.next = next_copy();
        if let Reset::Function(lit) = &mut latch.reset {
            *lit = next_copy();
        }
    }
    reduced
}

impl ConeWayBack {
    /// The latches of the original that the reduced circuit has, in its order.
    pub fn kept(&self) -> &[usize] {
        &self.latches
    }

    /// Signals of the original circuit as those of the reduced one.
    pub fn signals(&self, signals: &Signals) -> Signals {
        signals.map(self.latches.len(), &self.images())
    }

    /// The latches of the original as literals over those of the reduced circuit.
    pub fn images(&self) -> Vec<Option<Lit>> {
        let reduced = Aig::with_inputs(self.latches.len());
        let mut images = vec![None; self.resets.latches.len()];
        for (index, &latch) in self.latches.iter().enumerate() {
            images[latch] = Some(reduced.input(index));
        }
        images
    }

    /// The trace on the original circuit; what was dropped follows its reset, or is false.
    pub fn trace(&self, trace: &Trace) -> Trace {
        let mut chosen = vec![None; self.resets.latches.len()];
        for (&latch, &value) in self.latches.iter().zip(&trace.initial) {
            chosen[latch] = Some(value);
        }
        let initial = first_state(&self.resets, &chosen);
        Trace { initial, inputs: trace.inputs.iter().map(|step| self.inputs(step)).collect() }
    }

    fn inputs(&self, step: &[bool]) -> Vec<bool> {
        let mut inputs = vec![false; self.num_inputs];
        for (&input, &value) in self.inputs.iter().zip(step) {
            inputs[input] = value;
        }
        inputs
    }

    /// The same set of states, which says nothing about the dropped latches.
    pub fn predicate(&self, predicate: &Predicate) -> Predicate {
        let mut aig = Aig::with_inputs(self.resets.latches.len());
        let inputs: Vec<Lit> = self.latches.iter().map(|&l| aig.input(l)).collect();
        let root = predicate.aig.copy_into(&mut aig, &[predicate.root], &inputs)[0];
        Predicate { aig, root }
    }
}
