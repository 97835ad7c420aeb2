//! A model as the file states it, and the circuit an engine gets to see.
//!
//! The graph holds the file's gates after folding, so several variables of the file may share a
//! literal. Names, the file's own literals and its gates are kept: witnesses, certificates and
//! reports speak in them.

use super::resets::depends_on;
use super::stated::Stated;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use wedge_logic::{Aig, Lit};
use wedge_model::{Circuit, Reset, Trace};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    pub lit: Lit,
    /// The even literal that names the input in the file.
    pub literal: u64,
    pub name: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Latch {
    /// The positive literal of the graph's input that stands for the current value.
    pub state: Lit,
    pub next: Lit,
    /// The value in the first state, a function of inputs and latches; `state` itself means any.
    pub reset: Lit,
    /// The even literal that names the latch in the file.
    pub literal: u64,
    pub name: Option<String>,
}

/// An output, a bad state or a constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    pub lit: Lit,
    pub name: Option<String>,
}

/// A justice property: infinite paths on which each of these literals, and every fairness
/// constraint, is true infinitely often.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Justice {
    pub lits: Vec<Lit>,
    pub name: Option<String>,
}

/// The graph literal of every variable that the file defines.
#[derive(Clone, Debug)]
pub enum LiteralMap {
    /// Indexed by variable.
    Dense(Vec<Lit>),
    /// ASCII files may skip variables.
    Sparse(FxHashMap<u64, Lit>),
}

impl LiteralMap {
    /// The graph literal that stands for a literal of the file.
    pub fn get(&self, literal: u64) -> Option<Lit> {
        let variable = literal / 2;
        let lit = match self {
            LiteralMap::Dense(lits) => lits.get(usize::try_from(variable).ok()?),
            LiteralMap::Sparse(lits) => lits.get(&variable),
        };
        lit.map(|lit| lit.xor(literal % 2 == 1))
    }
}

/// Invariants: the graph's inputs are exactly the `inputs` and the latches' `state`s, each once;
/// resets are acyclic.
#[derive(Clone, Debug)]
pub struct AigerModel {
    pub aig: Aig,
    pub inputs: Vec<Input>,
    pub latches: Vec<Latch>,
    pub outputs: Vec<Property>,
    pub bads: Vec<Property>,
    pub constraints: Vec<Property>,
    pub justice: Vec<Justice>,
    pub fairness: Vec<Property>,
    pub comments: Vec<String>,
    pub literals: LiteralMap,
    /// The gates of the file, which are written again if there are any.
    pub stated: Option<Arc<Stated>>,
}

impl AigerModel {
    /// What is to be shown unreachable: the bad states, or the outputs of a file that has neither bad
    /// states nor justice properties.
    pub fn properties(&self) -> &[Property] {
        if self.outputs_are_bad() { &self.outputs } else { &self.bads }
    }

    pub fn outputs_are_bad(&self) -> bool {
        self.bads.is_empty() && self.justice.is_empty()
    }

    /// The circuit without a property.
    pub fn without_property(&self) -> Circuit {
        self.circuit_with(Lit::FALSE)
    }

    /// The latches that the paths of a justice property depend on: through its literals, the fairness
    /// constraints and the constraints. The others follow a path without a say in it.
    pub fn latches_behind(&self, justice: &Justice) -> Vec<bool> {
        let properties = self.fairness.iter().chain(&self.constraints).map(|p| p.lit);
        let mut roots: Vec<Lit> = justice.lits.iter().copied().chain(properties).collect();
        let mut behind = vec![false; self.latches.len()];
        loop {
            let cone = self.aig.cone(&roots);
            let before = behind.clone();
            for (index, latch) in self.latches.iter().enumerate() {
                if cone[latch.state.node() as usize] && !behind[index] {
                    behind[index] = true;
                    roots.extend([latch.next, latch.reset]);
                }
            }
            if behind == before {
                return behind;
            }
        }
    }

    /// The model whose only property is that none of these is violated. Requires that they are
    /// there.
    pub fn any_of(&self, properties: &[usize]) -> AigerModel {
        let mut model = self.clone();
        let lits: Vec<Lit> = properties.iter().map(|&p| self.properties()[p].lit).collect();
        let any = vec![Property { lit: model.aig.or_all(&lits), name: None }];
        match self.outputs_are_bad() {
            true => model.outputs = any,
            false => model.bads = any,
        }
        model
    }

    /// The circuit of one property, `None` if there is no such property.
    ///
    /// Its inputs and latches are the model's, in this order. Where a reset reads inputs, which a
    /// circuit does not know, one more latch follows that is true in the first step only: the
    /// resets in question become constraints of that step. [`AigerModel::trace`] is the way back.
    pub fn circuit(&self, property: usize) -> Option<Circuit> {
        Some(self.circuit_with(self.properties().get(property)?.lit))
    }

    fn circuit_with(&self, bad: Lit) -> Circuit {
        let reads_input = self.latches_reset_by_inputs();
        let latches = self.latches.iter().zip(&reads_input).map(|(latch, &reads_input)| {
            let reset = if reads_input { Reset::Free } else { latch.reset() };
            wedge_model::Latch { state: latch.state, next: latch.next, reset }
        });
        let mut circuit = Circuit {
            aig: self.aig.clone(),
            inputs: self.inputs.iter().map(|input| input.lit).collect(),
            latches: latches.collect(),
            constraints: self.constraints.iter().map(|constraint| constraint.lit).collect(),
            bad,
            undriven: Vec::new(),
        };
        if reads_input.contains(&true) {
            self.constrain_first_step(&mut circuit, &reads_input);
        }
        circuit
    }

    /// For every latch, whether its reset depends on an input directly (not through the reset of
    /// another latch).
    pub fn latches_reset_by_inputs(&self) -> Vec<bool> {
        let constant = |latch: &Latch| latch.reset.is_const() || latch.reset == latch.state;
        if self.latches.iter().all(constant) {
            return vec![false; self.latches.len()];
        }
        let depends = depends_on(&self.aig, self.inputs.iter().map(|input| input.lit));
        self.latches.iter().map(|latch| depends[latch.reset.node() as usize]).collect()
    }

    fn constrain_first_step(&self, circuit: &mut Circuit, reads_input: &[bool]) {
        let first = circuit.add_latch(Reset::Const(true));
        let index = circuit.latches.len() - 1;
        circuit.latches[index].next = Lit::FALSE;
        let mut equal = Vec::new();
        for (latch, _) in self.latches.iter().zip(reads_input).filter(|(_, reads)| **reads) {
            equal.push(circuit.aig.iff(latch.state, latch.reset));
        }
        let resets = circuit.aig.and_all(&equal);
        let constraint = circuit.aig.implies(first, resets);
        circuit.constraints.push(constraint);
    }

    /// A trace of [`AigerModel::circuit`] as one of the model: the first-step latch is dropped.
    pub fn trace(&self, trace: &Trace) -> Trace {
        let mut trace = trace.clone();
        trace.initial.truncate(self.latches.len());
        trace
    }

    /// A trace of the model as one of [`AigerModel::circuit`].
    pub fn circuit_trace(&self, trace: &Trace) -> Trace {
        let mut trace = trace.clone();
        if self.latches_reset_by_inputs().contains(&true) {
            trace.initial.push(true);
        }
        trace
    }
}

impl Latch {
    fn reset(&self) -> Reset {
        match self.reset {
            Lit::FALSE => Reset::Const(false),
            Lit::TRUE => Reset::Const(true),
            lit if lit == self.state => Reset::Free,
            lit => Reset::Function(lit),
        }
    }
}
