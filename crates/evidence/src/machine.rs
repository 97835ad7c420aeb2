//! The transition system that the checks read: a circuit whose resets may read inputs and whose
//! registers may take any value in a next step, as the file formats allow.

use wedge_hw::aiger::AigerModel;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};
use wedge_model::{Circuit, Reset};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Register {
    /// The positive literal of the graph's input that stands for the current value.
    pub state: Lit,
    /// The value in the next step; `None` means any.
    pub next: Option<Lit>,
    /// The value in the first state, a function of inputs and registers; `None` means any.
    pub reset: Option<Lit>,
}

/// Invariant: the graph's inputs are exactly the `inputs` and the registers' `state`s.
#[derive(Clone, Debug)]
pub struct Machine<'a> {
    pub aig: &'a Aig,
    pub inputs: Vec<Lit>,
    pub registers: Vec<Register>,
    pub constraints: Vec<Lit>,
    pub bad: Lit,
}

impl<'a> From<&'a Circuit> for Machine<'a> {
    fn from(circuit: &'a Circuit) -> Machine<'a> {
        let register = |latch: &wedge_model::Latch| {
            let reset = match latch.reset {
                Reset::Const(value) => Some(value.into()),
                Reset::Free => None,
                Reset::Function(lit) => Some(lit),
            };
            Register { state: latch.state, next: Some(latch.next), reset }
        };
        Machine {
            aig: &circuit.aig,
            inputs: circuit.inputs.clone(),
            registers: circuit.latches.iter().map(register).collect(),
            constraints: circuit.constraints.clone(),
            bad: circuit.bad,
        }
    }
}

impl<'a> Machine<'a> {
    /// The machine of one property of a model, `None` if there is no such property.
    pub fn of_model(model: &'a AigerModel, property: usize) -> Option<Machine<'a>> {
        let register = |latch: &wedge_hw::aiger::Latch| {
            let reset = (latch.reset != latch.state).then_some(latch.reset);
            Register { state: latch.state, next: Some(latch.next), reset }
        };
        Some(Machine {
            aig: &model.aig,
            inputs: model.inputs.iter().map(|input| input.lit).collect(),
            registers: model.latches.iter().map(register).collect(),
            constraints: model.constraints.iter().map(|constraint| constraint.lit).collect(),
            bad: model.properties().get(property)?.lit,
        })
    }

    /// Whether no reset depends, directly or through resets of other registers, on its own
    /// register. Only then is every choice of inputs and free registers the start of a path.
    ///
    /// Kahn's algorithm on gates and registers: a register waits for its reset, a gate for its
    /// fan-ins.
    pub fn resets_are_acyclic(&self) -> bool {
        let edges = self.reset_edges();
        let mut waiting = vec![0u32; self.aig.len()];
        let mut readers = vec![Vec::new(); self.aig.len()];
        for &(reader, read) in &edges {
            waiting[reader as usize] += 1;
            readers[read as usize].push(reader);
        }
        let mut ready: Vec<u32> =
            (0..self.aig.len() as u32).filter(|&node| waiting[node as usize] == 0).collect();
        let mut visited = 0;
        while let Some(node) = ready.pop() {
            visited += 1;
            for &reader in &readers[node as usize] {
                waiting[reader as usize] -= 1;
                if waiting[reader as usize] == 0 {
                    ready.push(reader);
                }
            }
        }
        visited == self.aig.len()
    }

    /// Pairs of a node and a node it reads when the first state is computed.
    fn reset_edges(&self) -> Vec<(u32, u32)> {
        let mut edges = Vec::new();
        for node in 0..self.aig.len() as u32 {
            if let Node::And(a, b) = self.aig.node(node) {
                edges.extend([(node, a.node()), (node, b.node())]);
            }
        }
        for register in &self.registers {
            edges.extend(register.reset.map(|reset| (register.state.node(), reset.node())));
        }
        edges
    }
}
