//! Counterexamples are accepted only if they replay.

mod common;

use common::{Random, Steps, bits};
use wedge_evidence::{Rejection, check_trace, check_witness};
use wedge_hw::aiger::{AigerModel, Witness, parse};
use wedge_model::simulate::ReplayError;
use wedge_model::{Circuit, Trace};

fn check(model: &AigerModel, text: &str) -> Result<(), Rejection> {
    let witnesses = Witness::parse(text.as_bytes(), "w", model).unwrap();
    witnesses.iter().try_for_each(|witness| check_witness(model, witness))
}

/// Two latches shift the input, which must not be 0 twice in a row; bad 0 when both are set,
/// bad 1 when none is.
fn shift() -> AigerModel {
    let text = "aag 6 1 2 0 3 2 1\n2\n4 2\n6 4\n8\n10\n13\n8 4 6\n10 5 7\n12 3 5\n";
    parse(text.as_bytes(), "shift").unwrap()
}

#[test]
fn good_and_bad_witnesses() {
    let good = "1\nb0\n00\n1\n1\n1\n.\n";
    assert_eq!(check(&shift(), good), Ok(()));
    assert_eq!(check(&shift(), &good.replace("b0", "b0b1")), Ok(()), "bad 1 in the first step");
    let other = "1\nb1\n00\n1\n.\n";
    assert_eq!(check(&shift(), &format!("{good}{other}")), Ok(()), "two witnesses");
    assert!(check(&shift(), &format!("{other}{}", good.replace("1\n1\n1", "1\n1"))).is_err());
    assert!(check(&shift(), "1\nb1\n00\n1\n.\n").is_ok());
    for (text, expected) in [
        ("1\nb0\n00\n1\n1\n.\n", ReplayError::NotBad { step: 1 }),
        ("1\nb0\n10\n1\n1\n.\n", ReplayError::Reset { latch: 0 }),
        ("1\nb0\n00\n0\n1\n1\n.\n", ReplayError::Constraint { step: 0, constraint: 0 }),
        ("1\nb1\n00\n0\n.\n", ReplayError::Constraint { step: 0, constraint: 0 }),
    ] {
        assert_eq!(check(&shift(), text), Err(Rejection::Replay(expected)));
    }
}

#[test]
fn resets_that_read_inputs_are_checked() {
    let model = parse(b"aag 2 1 1 0 0 1\n2\n4 4 3\n4\n", "m").unwrap();
    assert_eq!(check(&model, "1\nb0\n1\n0\n1\n.\n"), Ok(()));
    assert!(check(&model, "1\nb0\n1\n1\n1\n.\n").is_err());
}

#[test]
fn a_property_that_does_not_exist() {
    let trace = Trace { initial: vec![false; 2], inputs: vec![vec![true]] };
    let rejection =
        check_witness(&shift(), &Witness { properties: vec![2], bads: 3, trace }).unwrap_err();
    assert_eq!(rejection.to_string(), "there is no property b2");
}

/// Whether some trace of this many steps is accepted.
fn has_trace(circuit: &Circuit, steps: usize) -> bool {
    let (latches, inputs) = (circuit.latches.len(), circuit.inputs.len());
    (0..1usize << (latches + inputs * steps)).any(|number| {
        let input = |step: usize| bits(number >> (latches + inputs * step), inputs);
        let initial = bits(number, latches);
        check_trace(circuit, &Trace { initial, inputs: (0..steps).map(input).collect() }).is_ok()
    })
}

#[test]
fn accepted_traces_exist_exactly_for_unsafe_circuits() {
    let mut random = Random(3);
    let mut unsafe_circuits = 0;
    for _ in 0..150 {
        let circuit = random.circuit(1, 2);
        let found = (1..=4).any(|steps| has_trace(&circuit, steps));
        assert_eq!(found, !Steps::of(&circuit).is_safe());
        unsafe_circuits += found as usize;
    }
    assert!((20..130).contains(&unsafe_circuits), "{unsafe_circuits} of 150 are unsafe");
}
