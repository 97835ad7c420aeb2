//! The invariant checker against enumeration.

mod common;

use common::{Random, Steps, predicate};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use wedge_evidence::{Condition, Rejection, check_invariant};
use wedge_logic::Lit;
use wedge_model::{Circuit, Predicate, Reset};
use wedge_sat::Interrupt;

fn check(circuit: &Circuit, invariant: &Predicate) -> Result<(), Rejection> {
    check_invariant(circuit, invariant, &Interrupt::default())
}

/// The first condition that the set violates, straight from the definitions.
fn violated(steps: &Steps, set: &[bool]) -> Option<Condition> {
    let alive = |s: &usize| steps.is_alive(*s);
    if (0..steps.states).filter(alive).any(|s| steps.is_initial(s) && !set[s]) {
        return Some(Condition::Initiation);
    }
    let members = || (0..steps.states).filter(|&s| set[s]);
    let leaves = |s: usize| steps.legal(s).any(|(_, next)| !set[next] && steps.is_alive(next));
    if members().any(leaves) {
        return Some(Condition::Consecution);
    }
    members().any(|s| steps.legal(s).any(|(bad, _)| bad)).then_some(Condition::Safety)
}

#[test]
fn agrees_with_enumeration() {
    let mut random = Random(1);
    let mut seen = [0; 4];
    for _ in 0..600 {
        let (inputs, latches) = (random.below(3), random.below(4));
        let circuit = random.circuit(inputs, latches);
        circuit.check();
        let steps = Steps::of(&circuit);
        let mut set = steps.reachable();
        if steps.is_safe() {
            assert_eq!(check(&circuit, &predicate(&set, latches)), Ok(()));
        }
        for _ in 0..6 {
            let found = check(&circuit, &predicate(&set, latches));
            let wanted = violated(&steps, &set);
            assert_eq!(found.as_ref().err().and_then(Rejection::condition), wanted);
            seen[match wanted {
                None => 0,
                Some(Condition::Initiation) => 1,
                Some(Condition::Consecution) => 2,
                _ => 3,
            }] += 1;
            if let Err(Rejection::Refuted { state, condition }) = found {
                let member = set[common::index(&state)];
                assert_eq!(member, condition != Condition::Initiation);
            }
            let flipped = random.below(set.len());
            set[flipped] ^= true;
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "every outcome is exercised: {seen:?}");
}

/// A latch that keeps its value and a constraint; without the constraint it is unsafe.
fn constrained() -> Circuit {
    let mut circuit = Circuit::default();
    let latch = circuit.add_latch(Reset::Free);
    let input = circuit.add_input();
    circuit.constraints = vec![circuit.aig.iff(latch, input), !input];
    circuit.bad = latch;
    circuit
}

#[test]
fn constraints_of_the_last_step_count() {
    let circuit = constrained();
    assert_eq!(check(&circuit, &Predicate::constant(true, 1)), Ok(()));
    let mut free = circuit.clone();
    free.constraints.clear();
    let rejection = check(&free, &Predicate::constant(true, 1)).unwrap_err();
    assert_eq!(rejection, Rejection::Refuted { condition: Condition::Safety, state: vec![true] });
    assert_eq!(rejection.to_string(), "the safety condition does not hold");
}

#[test]
fn an_invariant_over_other_latches_is_refused() {
    let rejection = check(&constrained(), &Predicate::constant(true, 2)).unwrap_err();
    let message = "the invariant is over 2 latches, the circuit has 1";
    assert_eq!(rejection.to_string(), message);
}

/// Two multipliers with swapped operands: far beyond what a solver does in a moment.
fn hard() -> (Circuit, Predicate) {
    let mut circuit = Circuit::default();
    let a: Vec<Lit> = (0..20).map(|_| circuit.add_latch(Reset::Free)).collect();
    let b: Vec<Lit> = (0..20).map(|_| circuit.add_latch(Reset::Free)).collect();
    let (left, right) = (multiply(&mut circuit, &a, &b), multiply(&mut circuit, &b, &a));
    let differ: Vec<Lit> = left.iter().zip(&right).map(|(&l, &r)| circuit.aig.xor(l, r)).collect();
    circuit.bad = circuit.aig.or_all(&differ);
    (circuit, Predicate::constant(true, 40))
}

fn multiply(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let aig = &mut circuit.aig;
    let mut sum = vec![Lit::FALSE; a.len()];
    for (shift, &bit) in b.iter().enumerate() {
        let mut carry = Lit::FALSE;
        for index in shift..a.len() {
            let addend = aig.and(a[index - shift], bit);
            let half = aig.xor(sum[index], addend);
            let (both, ripple) = (aig.and(sum[index], addend), aig.and(half, carry));
            sum[index] = aig.xor(half, carry);
            carry = aig.or(both, ripple);
        }
    }
    sum
}

#[test]
fn a_check_can_be_stopped() {
    let (circuit, invariant) = hard();
    let start = Instant::now();
    let deadline = Some(start + Duration::from_millis(300));
    let interrupt = Interrupt { deadline, ..Interrupt::default() };
    assert_eq!(check_invariant(&circuit, &invariant, &interrupt), Err(Rejection::Stopped));
    let flag = Arc::new(AtomicBool::new(true));
    let interrupt = Interrupt { flag, deadline: None };
    assert_eq!(check_invariant(&circuit, &invariant, &interrupt), Err(Rejection::Stopped));
    assert!(start.elapsed() < Duration::from_secs(60));
}
