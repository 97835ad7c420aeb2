//! Counterexamples: believed if and only if they replay.

use crate::rejection::Rejection;
use wedge_hw::aiger::{AigerModel, Witness};
use wedge_model::simulate::{ReplayError, replay};
use wedge_model::{Circuit, Trace};

/// Accepts exactly the traces that reach a bad state of `circuit`; returns the states.
pub fn check_trace(circuit: &Circuit, trace: &Trace) -> Result<Vec<Vec<bool>>, ReplayError> {
    replay(circuit, trace)
}

/// Accepts exactly the witnesses whose trace reaches the bad state they name; returns the states
/// of the model's latches.
pub fn check_witness(model: &AigerModel, witness: &Witness) -> Result<Vec<Vec<bool>>, Rejection> {
    let Some(circuit) = model.circuit(witness.property) else {
        let cause = format!("there is no property b{}", witness.property);
        return Err(Rejection::Malformed(cause));
    };
    let mut states = replay(&circuit, &model.circuit_trace(&witness.trace))?;
    states.iter_mut().for_each(|state| state.truncate(model.latches.len()));
    Ok(states)
}
