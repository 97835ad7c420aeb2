//! Replays a trace on a circuit, step by step, by plain evaluation.

use crate::circuit::{Circuit, Reset, Trace};
use wedge_logic::Lit;
use wedge_logic::aig::{Node, word};

/// Why a trace is no counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    Shape(String),
    Reset { latch: usize },
    Constraint { step: usize, constraint: usize },
    NotBad { step: usize },
}

impl std::fmt::Display for ReplayError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            ReplayError::Shape(what) => write!(f, "{what}"),
            ReplayError::Reset { latch } => write!(f, "latch {latch} violates its reset"),
            ReplayError::Constraint { step, constraint } => {
                write!(f, "constraint {constraint} is violated in step {step}")
            }
            ReplayError::NotBad { step } => write!(f, "the last step {step} is not bad"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Accepts exactly the traces that are paths of `circuit` to a bad state; returns the states.
pub fn replay(circuit: &Circuit, trace: &Trace) -> Result<Vec<Vec<bool>>, ReplayError> {
    let mut states = path(circuit, trace)?;
    states.pop();
    let (step, inputs) = (trace.inputs.len() - 1, trace.inputs.last());
    let words = evaluate(circuit, &states[step], inputs.map_or(&[], Vec::as_slice));
    match word(&words, circuit.bad) & 1 == 1 {
        true => Ok(states),
        false => Err(ReplayError::NotBad { step }),
    }
}

/// Accepts exactly the traces that are paths of `circuit`; returns the states, the one after the last
/// step included.
pub fn path(circuit: &Circuit, trace: &Trace) -> Result<Vec<Vec<bool>>, ReplayError> {
    check_shape(circuit, trace)?;
    let mut states = vec![trace.initial.clone()];
    for (step, inputs) in trace.inputs.iter().enumerate() {
        let words = evaluate(circuit, &states[step], inputs);
        let value = |lit: Lit| word(&words, lit) & 1 == 1;
        if step == 0 {
            check_resets(circuit, &states[0], value)?;
        }
        if let Some(constraint) = circuit.constraints.iter().position(|&c| !value(c)) {
            return Err(ReplayError::Constraint { step, constraint });
        }
        states.push(circuit.latches.iter().map(|l| value(l.next)).collect());
    }
    Ok(states)
}

/// The trace up to its first bad step, else as it is.
pub fn first_bad(circuit: &Circuit, mut trace: Trace) -> Trace {
    if check_shape(circuit, &trace).is_err() {
        return trace;
    }
    let mut state = trace.initial.clone();
    for step in 0..trace.inputs.len() {
        let words = evaluate(circuit, &state, &trace.inputs[step]);
        let value = |lit: Lit| word(&words, lit) & 1 == 1;
        if value(circuit.bad) {
            trace.inputs.truncate(step + 1);
            break;
        }
        state = circuit.latches.iter().map(|latch| value(latch.next)).collect();
    }
    trace
}

/// The state after a step.
pub fn successor(circuit: &Circuit, state: &[bool], inputs: &[bool]) -> Vec<bool> {
    let words = evaluate(circuit, state, inputs);
    circuit.latches.iter().map(|latch| word(&words, latch.next) & 1 == 1).collect()
}

/// One word per node of the graph in the given state, bit 0 meaningful.
pub fn evaluate(circuit: &Circuit, state: &[bool], inputs: &[bool]) -> Vec<u64> {
    let mut by_node = vec![0u64; circuit.aig.len()];
    for (latch, &value) in circuit.latches.iter().zip(state) {
        by_node[latch.state.node() as usize] = value as u64;
    }
    for (input, &value) in circuit.inputs.iter().zip(inputs) {
        by_node[input.node() as usize] = value as u64;
    }
    let ordered: Vec<u64> = (0..circuit.aig.num_inputs())
        .map(|i| by_node[circuit.aig.input(i).node() as usize])
        .collect();
    circuit.aig.simulate(&ordered)
}

/// The next state as far as the known latches determine it, by three-valued simulation.
pub fn ternary_step(circuit: &Circuit, state: &[Option<bool>]) -> Vec<Option<bool>> {
    let values = ternary_values(circuit, state, &vec![None; circuit.inputs.len()]);
    let at = |lit: Lit| values[lit.node() as usize].map(|value| value != lit.is_negated());
    circuit.latches.iter().map(|latch| at(latch.next)).collect()
}

/// The values of all nodes as far as the known latches and inputs determine them.
pub fn ternary_values(
    circuit: &Circuit,
    state: &[Option<bool>],
    inputs: &[Option<bool>],
) -> Vec<Option<bool>> {
    let mut values: Vec<Option<bool>> = vec![None; circuit.aig.len()];
    for (latch, &value) in circuit.latches.iter().zip(state) {
        values[latch.state.node() as usize] = value;
    }
    for (input, &value) in circuit.inputs.iter().zip(inputs) {
        values[input.node() as usize] = value;
    }
    let at = |values: &[Option<bool>], lit: Lit| {
        values[lit.node() as usize].map(|value| value != lit.is_negated())
    };
    values[0] = Some(false);
    for node in 1..circuit.aig.len() {
        if let Node::And(a, b) = circuit.aig.node(node as u32) {
            values[node] = match (at(&values, a), at(&values, b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            };
        }
    }
    values
}

fn check_shape(circuit: &Circuit, trace: &Trace) -> Result<(), ReplayError> {
    let shape = |ok: bool, what: &str| ok.then_some(()).ok_or(ReplayError::Shape(what.into()));
    shape(!trace.inputs.is_empty(), "the trace has no step")?;
    shape(trace.initial.len() == circuit.latches.len(), "the initial state has the wrong size")?;
    shape(
        trace.inputs.iter().all(|i| i.len() == circuit.inputs.len()),
        "an input vector has the wrong size",
    )
}

fn check_resets(
    circuit: &Circuit,
    state: &[bool],
    value: impl Fn(Lit) -> bool,
) -> Result<(), ReplayError> {
    for (index, latch) in circuit.latches.iter().enumerate() {
        let wanted = match latch.reset {
            Reset::Const(constant) => constant,
            Reset::Free => continue,
            Reset::Function(lit) => value(lit),
        };
        if state[index] != wanted {
            return Err(ReplayError::Reset { latch: index });
        }
    }
    Ok(())
}
