//! Counterexamples: believed if and only if they replay.

use crate::lasso::check_lasso;
use crate::rejection::Rejection;
use wedge_hw::aiger::{AigerModel, Witness};
use wedge_model::simulate::{ReplayError, first_bad, replay};
use wedge_model::{Circuit, Trace};

/// Accepts exactly the traces that reach a bad state of `circuit`; returns the states.
pub fn check_trace(circuit: &Circuit, trace: &Trace) -> Result<Vec<Vec<bool>>, ReplayError> {
    replay(circuit, trace)
}

/// Accepts exactly the witnesses whose trace reaches every bad state they name, each at its last
/// step or before, and is a lasso for every justice property.
pub fn check_witness(model: &AigerModel, witness: &Witness) -> Result<(), Rejection> {
    if witness.properties.is_empty() {
        return Err(Rejection::Malformed("the witness names no property".to_string()));
    }
    for &property in &witness.properties {
        if let Some(justice) = property.checked_sub(witness.bads) {
            check_lasso(model, justice, &witness.trace)?;
            continue;
        }
        let Some(circuit) = model.circuit(property) else {
            return Err(Rejection::Malformed(format!("there is no property b{property}")));
        };
        replay(&circuit, &first_bad(&circuit, model.circuit_trace(&witness.trace)))?;
    }
    Ok(())
}
