//! Cone-of-influence reduction: drops the latches and inputs that neither the bad state nor a
//! constraint can depend on.
//!
//! All constraints stay: dropping one is sound only if it can be satisfied for ever, which is
//! not known here. The way back gives a dropped latch the value of its reset, or false where the
//! reset leaves it open, and a dropped input the value false.

use crate::circuit::{Circuit, Latch, Predicate, Reset, Trace};
use crate::initial::first_state;
use wedge_logic::{Aig, Lit};

/// Which latches and inputs of the original circuit were kept, in their order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConeBack {
    latches: Vec<usize>,
    inputs: Vec<usize>,
    all_latches: usize,
    all_inputs: usize,
}

/// The circuit restricted to the cone of its bad state and constraints.
pub fn reduce(circuit: &Circuit) -> (Circuit, ConeBack) {
    let marked = closure(circuit);
    let kept = |lit: Lit| marked[lit.node() as usize];
    let positions =
        |lits: Vec<Lit>| -> Vec<usize> { (0..lits.len()).filter(|&i| kept(lits[i])).collect() };
    let back = ConeBack {
        latches: positions(circuit.latches.iter().map(|l| l.state).collect()),
        inputs: positions(circuit.inputs.clone()),
        all_latches: circuit.latches.len(),
        all_inputs: circuit.inputs.len(),
    };
    (restrict(circuit, &back), back)
}

/// The nodes on which the bad state or a constraint depends, over any number of steps.
fn closure(circuit: &Circuit) -> Vec<bool> {
    let mut latch_of = vec![None; circuit.aig.len()];
    for (index, latch) in circuit.latches.iter().enumerate() {
        latch_of[latch.state.node() as usize] = Some(index);
    }
    let mut marked = vec![false; circuit.aig.len()];
    let mut stack: Vec<Lit> = circuit.constraints.clone();
    stack.push(circuit.bad);
    while let Some(lit) = stack.pop() {
        let node = lit.node() as usize;
        if std::mem::replace(&mut marked[node], true) {
            continue;
        }
        if let wedge_logic::aig::Node::And(a, b) = circuit.aig.node(node as u32) {
            stack.extend([a, b]);
        }
        if let Some(index) = latch_of[node] {
            stack.extend(sources(&circuit.latches[index]));
        }
    }
    marked
}

/// What the values of a latch depend on.
fn sources(latch: &Latch) -> impl Iterator<Item = Lit> {
    let reset = match latch.reset {
        Reset::Function(lit) => Some(lit),
        Reset::Const(_) | Reset::Free => None,
    };
    [latch.next].into_iter().chain(reset)
}

fn restrict(circuit: &Circuit, back: &ConeBack) -> Circuit {
    let mut result = Circuit::default();
    let mut image = vec![Lit::FALSE; circuit.aig.len()];
    for &i in &back.inputs {
        image[circuit.inputs[i].node() as usize] = result.add_input();
    }
    for &i in &back.latches {
        image[circuit.latches[i].state.node() as usize] = result.add_latch(Reset::Free);
    }
    let inputs: Vec<Lit> = (0..circuit.aig.num_inputs())
        .map(|i| image[circuit.aig.input(i).node() as usize])
        .collect();
    let mut copy = |lit: &[Lit]| circuit.aig.copy_into(&mut result.aig, lit, &inputs);
    let roots: Vec<Lit> = back.latches.iter().flat_map(|&i| sources(&circuit.latches[i])).collect();
    let mut roots = copy(&roots).into_iter();
    let constraints = copy(&circuit.constraints);
    let bad = copy(&[circuit.bad])[0];
    for (latch, &i) in result.latches.iter_mut().zip(&back.latches) {
        latch.next = roots.next().expect("one next per latch");
        latch.reset = match circuit.latches[i].reset {
            Reset::Function(_) => Reset::Function(roots.next().expect("one per function")),
            reset => reset,
        };
    }
    result.constraints = constraints;
    result.bad = bad;
    result
}

impl ConeBack {
    /// The positions of the kept latches in the original circuit.
    pub fn latches(&self) -> &[usize] {
        &self.latches
    }
    /// The positions of the kept inputs in the original circuit.
    pub fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// The trace of the original circuit that this trace of the reduced one stands for.
    pub fn trace(&self, original: &Circuit, trace: &Trace) -> Trace {
        let mut chosen = vec![None; self.all_latches];
        for (&at, &value) in self.latches.iter().zip(&trace.initial) {
            chosen[at] = Some(value);
        }
        let widen = |values: &Vec<bool>| {
            let mut all = vec![false; self.all_inputs];
            for (&at, &value) in self.inputs.iter().zip(values) {
                all[at] = value;
            }
            all
        };
        Trace {
            initial: first_state(original, &chosen),
            inputs: trace.inputs.iter().map(widen).collect(),
        }
    }

    /// The same set of states, over the latches of the original circuit.
    pub fn predicate(&self, predicate: &Predicate) -> Predicate {
        let mut aig = Aig::with_inputs(self.all_latches);
        let inputs: Vec<Lit> = self.latches.iter().map(|&at| aig.input(at)).collect();
        let root = predicate.aig.copy_into(&mut aig, &[predicate.root], &inputs)[0];
        Predicate { aig, root }
    }
}
