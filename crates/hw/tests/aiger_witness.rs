//! Reading and writing stimulus files.

use wedge_hw::aiger::{AigerModel, Witness, parse};
use wedge_model::Trace;
use wedge_model::simulate::replay;

/// Two latches shift the input; bad when both are set.
fn shift() -> AigerModel {
    parse(b"aag 4 1 2 0 1 1\n2\n4 2\n6 4\n8\n8 4 6\n", "shift").unwrap()
}

fn message(text: &str) -> String {
    Witness::parse(text.as_bytes(), "w", &shift()).expect_err("the witness is wrong").to_string()
}

#[test]
fn a_witness_is_read_written_and_replayed() {
    let text = "1\nb0\n00\n1\n1\n0\n.\n";
    let witness = Witness::parse(text.as_bytes(), "w", &shift()).unwrap().remove(0);
    let inputs = vec![vec![true], vec![true], vec![false]];
    assert_eq!(witness.trace, Trace { initial: vec![false, false], inputs });
    assert_eq!(witness.to_string(), text);
    assert!(replay(&shift().circuit(0).unwrap(), &witness.trace).is_ok());
}

#[test]
fn unknown_values_are_zero_and_the_last_newline_is_optional() {
    let witness = Witness::parse(b"1\r\nb0\r\nxx\r\n1\r\nx\r\n.", "w", &shift()).unwrap().remove(0);
    assert_eq!(witness.to_string(), "1\nb0\n00\n1\n0\n.\n");
}

#[test]
fn a_model_without_latches_and_inputs_has_empty_lines() {
    let model = parse(b"aag 0 0 0 1 0\n1\n", "true").unwrap();
    let witness = Witness::parse(b"1\nb0\n\n\n.\n", "w", &model).unwrap().remove(0);
    assert_eq!(witness.trace, Trace { initial: vec![], inputs: vec![vec![]] });
    assert_eq!(witness.to_string(), "1\nb0\n\n\n.\n");
}

#[test]
fn wrong_witnesses() {
    for (text, expected) in [
        ("", "w:1: expected the status line '1', but the file ends"),
        ("0\n", "w:1: status 0 claims that there is no counterexample, not a witness"),
        ("2\n", "w:1: status 2 means unknown, so there is no witness"),
        ("u5\n1\nb0\n", "w:1: expected the status line '1', found 'u5'"),
        ("1\n", "w:2: expected the property line 'b<i>', but the file ends"),
        ("1\nb0b1\n", "w:2: there is no property b1: the model has 1"),
        ("1\nb\n", "w:2: expected a property 'b<i>', found 'b'"),
        ("1\nb1\n", "w:2: there is no property b1: the model has 1"),
        (
            "1\nb99999999999999999999\n",
            "w:2: expected a property 'b<i>', found 'b9999999999999999999...'",
        ),
        ("1\nb0\n", "w:3: expected the initial latch values, but the file ends"),
        ("1\nb0\n0\n", "w:3: expected 2 latch values, found 1"),
        ("1\nb0\n02\n", "w:3: latch values are 0, 1 or x, but the line is '02'"),
        ("1\nb0\n00\n.\n", "w:4: the witness has no step: expected input values before '.'"),
        ("1\nb0\n00\n1\n", "w:5: expected input values or the final '.', but the file ends"),
        ("1\nb0\n00\n1\n11\n.\n", "w:5: expected 1 input values, found 2"),
        ("1\nj0\n", "w:2: there is no property j0: the model has 0"),
        ("1\nb0\n00\n1\n.\n\n1\nb0\n", "w:9: expected the initial latch values, but the file ends"),
        ("1\nb0\n00\n1\n.\nnoise\n", "w:6: expected the status line '1', found 'noise'"),
    ] {
        assert_eq!(message(text), expected, "for {text:?}");
    }
}

#[test]
fn several_witnesses_of_several_properties() {
    // Bad when both latches are set, or the first one; justice that it is set again and again.
    let text = b"aag 4 1 2 0 1 2 0 1\n2\n4 2\n6 4\n8\n4\n1\n4\n8 4 6\n";
    let model = parse(text, "shift").unwrap();
    let text = "1\nb0b1\n00\n1\n1\n0\n.\n1\nj0\n00\n1\n1\n.\n";
    let witnesses = Witness::parse(text.as_bytes(), "w", &model).unwrap();
    let properties: Vec<&[usize]> = witnesses.iter().map(|w| w.properties.as_slice()).collect();
    assert_eq!(properties, [&[0, 1][..], &[2]]);
    let again: String = witnesses.iter().map(Witness::to_string).collect();
    assert_eq!(again, text);
}
