//! Signals as additional latches (Dureja, Gurfinkel, Ivrii, Vizel, FMCAD 2021).
//!
//! Each signal becomes a latch after those of the circuit. It has no state of its own: in every
//! solver its definition comes with it, its next value is the definition over the next values,
//! and no gate reads it. So cubes and lemmas may mention it like any latch, and in an invariant
//! it is replaced by its definition.

use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};
use wedge_model::{Circuit, Reset, Signals};

pub struct Extended {
    /// The circuit with a latch for each signal behind its own.
    pub circuit: Circuit,
    /// How many latches the circuit itself has.
    pub latches: usize,
    /// The definition of each signal: a positive literal of a gate that reads latches only.
    pub definitions: Vec<Lit>,
    /// By latch: whether a signal reads it.
    pub is_covered: Vec<bool>,
}

impl Extended {
    pub fn new(circuit: &Circuit, signals: Option<&Signals>) -> Extended {
        let latches = circuit.latches.len();
        let mut extended = Extended {
            circuit: circuit.clone(),
            latches,
            definitions: Vec::new(),
            is_covered: vec![false; latches],
        };
        if let Some(signals) = signals.filter(|s| s.aig.num_inputs() == latches) {
            extended.add(circuit, signals);
        }
        extended
    }

    fn add(&mut self, circuit: &Circuit, signals: &Signals) {
        let aig = &mut self.circuit.aig;
        let now: Vec<Lit> = circuit.latches.iter().map(|l| l.state).collect();
        let next: Vec<Lit> = circuit.latches.iter().map(|l| l.next).collect();
        let definitions = signals.aig.copy_into(aig, &signals.roots, &now);
        let nexts = signals.aig.copy_into(aig, &signals.roots, &next);
        for (definition, next) in definitions.into_iter().zip(nexts) {
            let positive = Lit::new(definition.node(), false);
            let is_gate = matches!(self.circuit.aig.node(definition.node()), Node::And(..));
            if !is_gate || self.definitions.contains(&positive) {
                continue;
            }
            self.definitions.push(positive);
            let index = self.circuit.latches.len();
            self.circuit.add_latch(Reset::Free);
            self.circuit.latches[index].next = next.xor(definition.is_negated());
        }
        let cone = self.circuit.aig.cone(&self.definitions);
        for (covered, latch) in self.is_covered.iter_mut().zip(&circuit.latches) {
            *covered = cone[latch.state.node() as usize];
        }
    }

    /// The definition of a latch that is a signal.
    pub fn definition(&self, latch: usize) -> Option<Lit> {
        self.definitions.get(latch.checked_sub(self.latches)?).copied()
    }

    pub fn is_signal(&self, latch: usize) -> bool {
        latch >= self.latches
    }

    /// All latches, signals by their definitions, over a graph whose inputs are the circuit's
    /// own latches.
    pub fn over_latches(&self) -> (Aig, Vec<Lit>) {
        let mut aig = Aig::with_inputs(self.latches);
        let mut inputs = vec![Lit::FALSE; self.circuit.aig.num_inputs()];
        for (index, latch) in self.circuit.latches[..self.latches].iter().enumerate() {
            if let Node::Input(input) = self.circuit.aig.node(latch.state.node()) {
                inputs[input as usize] = aig.input(index);
            }
        }
        let mut latches: Vec<Lit> = (0..self.latches).map(|index| aig.input(index)).collect();
        latches.extend(self.circuit.aig.copy_into(&mut aig, &self.definitions, &inputs));
        (aig, latches)
    }
}
