//! k-induction against enumeration of paths, directly and as a certificate circuit.

mod common;

use common::{Random, Steps, predicate};
use wedge_evidence::{
    Condition, Rejection, check_certificate, check_exhaustion, check_induction,
    check_strengthened_induction, induction_certificate,
};
use wedge_hw::aiger::{AigerModel, parse};
use wedge_sat::Interrupt;

/// Whether `good` more steps that are not bad can follow on `path`, and then a bad one. On simple
/// paths no state may repeat.
fn leads_to_bad(steps: &Steps, path: &mut Vec<usize>, good: usize, simple: bool) -> bool {
    let state = *path.last().expect("paths begin somewhere");
    if good == 0 {
        return steps.legal(state).any(|(bad, _)| bad);
    }
    let nexts: Vec<usize> = steps.legal(state).filter(|step| !step.0).map(|step| step.1).collect();
    nexts.into_iter().any(|next| {
        if simple && path.contains(&next) {
            return false;
        }
        path.push(next);
        let found = leads_to_bad(steps, path, good - 1, simple);
        path.pop();
        found
    })
}

fn violated(steps: &Steps, k: usize, simple: bool) -> Option<Condition> {
    let from =
        |state: usize, good: usize, simple| leads_to_bad(steps, &mut vec![state], good, simple);
    let mut initial = (0..steps.states).filter(|&state| steps.is_initial(state));
    if initial.any(|state| (0..k).any(|good| from(state, good, false))) {
        return Some(Condition::Base);
    }
    (0..steps.states).any(|state| from(state, k, simple)).then_some(Condition::Step)
}

#[test]
fn agrees_with_enumeration() {
    let mut random = Random(11);
    let (mut accepted, mut by_simple_paths, mut beyond_one) = (0, 0, 0);
    for round in 0..3000 {
        let (inputs, latches) = (random.below(2), 2 + random.below(2));
        let circuit = random.circuit(inputs, latches);
        let steps = Steps::of(&circuit);
        let mut shortest = None;
        for k in 1..=4 {
            for simple in [false, true] {
                let found = check_induction(&circuit, k, simple, &Interrupt::default());
                let found = found.as_ref().err().and_then(Rejection::condition);
                assert_eq!(found, violated(&steps, k, simple), "round {round}, k = {k}");
                assert!(found.is_some() || steps.is_safe(), "accepted means safe");
                if found.is_none() && shortest.is_none() {
                    shortest = Some((k, simple));
                }
            }
        }
        accepted += shortest.is_some() as usize;
        by_simple_paths += matches!(shortest, Some((_, true))) as usize;
        beyond_one += matches!(shortest, Some((2.., _))) as usize;
    }
    let counts = (accepted, by_simple_paths, beyond_one);
    assert!(accepted > 100 && by_simple_paths > 5 && beyond_one > 20, "{counts:?}");
}

/// Whether a path has more than `length` steps, and no step of any path is bad.
fn goes_on(steps: &Steps, length: usize) -> bool {
    let mut states: Vec<usize> = (0..steps.states).filter(|&s| steps.is_initial(s)).collect();
    for _ in 0..=length {
        let mut next: Vec<usize> =
            states.iter().flat_map(|&s| steps.legal(s)).map(|step| step.1).collect();
        next.sort_unstable();
        next.dedup();
        states = next;
    }
    !states.is_empty()
}

/// Paths that end are accepted exactly if they do and none is bad.
#[test]
fn exhaustion_agrees_with_enumeration() {
    let mut random = Random(17);
    let mut accepted = 0;
    for round in 0..6000 {
        let (inputs, latches) = (random.below(2), 2 + random.below(2));
        let circuit = random.circuit(inputs, latches);
        let steps = Steps::of(&circuit);
        for length in 0..4 {
            let found = check_exhaustion(&circuit, length, &Interrupt::default());
            let expected = !goes_on(&steps, length) && steps.is_safe();
            assert_eq!(found.is_ok(), expected, "round {round}, {length} steps");
            accepted += (length > 0 && expected) as usize;
        }
    }
    assert!(accepted > 50, "{accepted}");
}

/// The certificate is accepted exactly if the property is k-inductive.
#[test]
fn certificates_stand_for_k_induction() {
    let mut random = Random(12);
    let mut seen = [0; 2];
    for round in 0..300 {
        let (inputs, latches) = (random.below(2), 1 + random.below(3));
        let circuit = random.circuit(inputs, latches);
        let model = AigerModel::from_circuit(&circuit);
        for k in 1..=3 {
            let wanted = check_induction(&circuit, k, false, &Interrupt::default()).is_ok();
            let certificate = induction_certificate(&model, 0, k, None).unwrap();
            let certificate = parse(&certificate.to_binary(), "certificate").unwrap();
            let found = check_certificate(&model, &certificate, 0, &Interrupt::default());
            assert_eq!(found.is_ok(), wanted, "round {round}, k = {k}: {found:?}");
            seen[wanted as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 100), "{seen:?}");
}

/// With the reachable states as facts every property that holds is 1-inductive, and no other is.
#[test]
fn certificates_have_facts() {
    let mut random = Random(21);
    let mut seen = [0; 2];
    for round in 0..200 {
        let (inputs, latches) = (random.below(2), 1 + random.below(3));
        let circuit = random.circuit(inputs, latches);
        let model = AigerModel::from_circuit(&circuit);
        let steps = Steps::of(&circuit);
        let facts = predicate(&steps.reachable(), latches);
        for k in 1..=2 {
            let wanted = steps.is_safe();
            let checked =
                check_strengthened_induction(&circuit, &facts, k, false, &Interrupt::default());
            assert_eq!(checked.is_ok(), wanted, "round {round}, k = {k}: {checked:?}");
            let certificate = induction_certificate(&model, 0, k, Some(&facts)).unwrap();
            let certificate = parse(&certificate.to_binary(), "certificate").unwrap();
            let found = check_certificate(&model, &certificate, 0, &Interrupt::default());
            assert_eq!(found.is_ok(), wanted, "round {round}, k = {k}: {found:?}");
            seen[wanted as usize] += 1;
        }
    }
    assert!(seen.iter().all(|&count| count > 50), "{seen:?}");
}
