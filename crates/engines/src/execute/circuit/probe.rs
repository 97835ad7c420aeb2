//! Bounded model checking from one state that simulation has reached (Ho, Shiple, Harer, Kukula, Damiano, Bertacco,
//! Taylor, Long, "Smart simulation using collaborative formal and simulation engines", ICCAD 2000).
//!
//! All latches are constants in the first step, so a few steps more are a small question, however deep the state lies.

use crate::demand::Demand;
use std::time::{Duration, Instant};
use wedge_model::{Circuit, Trace};
use wedge_sat::{Answer, Interrupt, Session};

/// Steps that are looked at. Not tuned.
const STEPS: usize = 16;
/// Conflicts that a question may cost; it is left open then. Not tuned.
const CONFLICTS: i32 = 300;

/// A run from the state to a bad state with `longest` steps at most, if one is found in time.
pub fn probe(
    circuit: &Circuit,
    state: &[bool],
    longest: usize,
    time: Duration,
    interrupt: &Interrupt,
) -> Option<Trace> {
    let start = Instant::now();
    let mut session = Session::new(interrupt);
    let mut path = Demand::from_state(circuit, state);
    for _ in 0..STEPS.min(longest) {
        if start.elapsed() > time {
            break;
        }
        path.constrain(&mut session);
        let bad = path.bad(&mut session);
        // s₀ = s ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ)
        match session.solve_limited(&[bad], Some(CONFLICTS)) {
            Answer::Sat => return Some(path.trace(&mut session)),
            Answer::Unsat => session.add_clause(&[-bad]),
            Answer::Stopped => {}
        }
        path.extend();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use wedge_evidence::check_trace;
    use wedge_logic::Lit;
    use wedge_model::Reset;

    /// A register of eight bits that takes its input; bad is one value of it after another one.
    fn sequence() -> Circuit {
        let mut circuit = Circuit::default();
        let inputs: Vec<Lit> = (0..8).map(|_| circuit.add_input()).collect();
        let states: Vec<Lit> = (0..8).map(|_| circuit.add_latch(Reset::Const(true))).collect();
        let equals = |circuit: &mut Circuit, bits: &[Lit], value: u32| {
            let bits: Vec<Lit> =
                bits.iter().enumerate().map(|(i, bit)| bit.xor(value >> i & 1 == 0)).collect();
            circuit.aig.and_all(&bits)
        };
        for (index, &input) in inputs.iter().enumerate() {
            circuit.latches[index].next = input;
        }
        let (first, second) =
            (equals(&mut circuit, &states, 97), equals(&mut circuit, &inputs, 41));
        circuit.bad = circuit.aig.and(first, second);
        circuit
    }

    #[test]
    fn what_lies_a_few_steps_away_is_found() {
        let circuit = sequence();
        let time = Duration::from_secs(100);
        let probe = |state: u32, longest| {
            let state: Vec<bool> = (0..8).map(|bit| state >> bit & 1 == 1).collect();
            probe(&circuit, &state, longest, time, &Interrupt::default())
        };
        assert_eq!(probe(97, 5).unwrap().inputs.len(), 1);
        let trace = probe(255, 5).unwrap();
        assert_eq!(trace.inputs.len(), 2);
        assert!(check_trace(&circuit, &trace).is_ok());
        assert_eq!(probe(255, 1), None);
    }
}
