//! No input makes a reader panic: random bytes, and valid files with something changed.

mod common;

use common::netlists;
use proptest::prelude::*;
use wedge_hw::aiger::{Witness, parse};

/// Whatever is read, and is not too large to be worth it, can be turned into a circuit and back.
fn exercise(bytes: &[u8]) {
    let Ok(model) = parse(bytes, "fuzz") else { return };
    for property in 0..model.properties().len() {
        model.circuit(property).expect("the property exists").check();
    }
    assert!(model.circuit(model.properties().len()).is_none());
    let again = parse(&model.to_binary(), "written").expect("what is written can be read");
    assert_eq!(model.latches.len(), again.latches.len());
    assert!(parse(&model.to_ascii(), "written").is_ok());
}

#[derive(Clone, Debug)]
enum Change {
    Flip(usize, u8),
    Truncate(usize),
    Remove(usize),
    Insert(usize, u8),
    /// Replaces the n-th decimal number of the file.
    Number(usize, u64),
}

fn changes() -> impl Strategy<Value = Change> {
    let number = prop_oneof![0u64..20, any::<u64>(), 1u64 << 30..1 << 34];
    let byte = prop_oneof![any::<u8>(), "[0-9 \naigco.x]".prop_map(|s| s.as_bytes()[0])];
    prop_oneof![
        (any::<usize>(), 0u8..8).prop_map(|(at, bit)| Change::Flip(at, bit)),
        any::<usize>().prop_map(Change::Truncate),
        any::<usize>().prop_map(Change::Remove),
        (any::<usize>(), byte).prop_map(|(at, byte)| Change::Insert(at, byte)),
        (any::<usize>(), number).prop_map(|(nth, number)| Change::Number(nth, number)),
    ]
}

fn apply(bytes: &mut Vec<u8>, change: &Change) {
    let length = bytes.len();
    if length == 0 {
        return;
    }
    match *change {
        Change::Flip(at, bit) => bytes[at % length] ^= 1 << bit,
        Change::Truncate(at) => bytes.truncate(at % length),
        Change::Remove(at) => drop(bytes.remove(at % length)),
        Change::Insert(at, byte) => bytes.insert(at % length, byte),
        Change::Number(nth, number) => replace_number(bytes, nth, number),
    }
}

fn replace_number(bytes: &mut Vec<u8>, nth: usize, number: u64) {
    let digit = |i: usize| bytes[i].is_ascii_digit();
    let starts: Vec<usize> =
        (0..bytes.len()).filter(|&i| digit(i) && (i == 0 || !digit(i - 1))).collect();
    let Some(&start) = starts.get(nth % starts.len().max(1)) else { return };
    let end = (start..bytes.len()).find(|&i| !digit(i)).unwrap_or(bytes.len());
    bytes.splice(start..end, number.to_string().into_bytes());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn random_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        exercise(&bytes);
        exercise(&[b"aag ", bytes.as_slice()].concat());
        exercise(&[b"aig ", bytes.as_slice()].concat());
    }

    #[test]
    fn random_text(text in "aa?[ig] [0-9 \n]{0,80}") {
        exercise(text.as_bytes());
    }

    #[test]
    fn changed_models(
        netlist in netlists(),
        binary in any::<bool>(),
        list in prop::collection::vec(changes(), 1..4),
    ) {
        let mut model = parse(netlist.plain_text().as_bytes(), "plain").unwrap();
        model.bads[0].name = Some("bad".to_string());
        model.comments = vec!["a comment".to_string()];
        let mut bytes = if binary { model.to_binary() } else { model.to_ascii() };
        list.iter().for_each(|change| apply(&mut bytes, change));
        exercise(&bytes);
    }

    #[test]
    fn changed_witnesses(
        netlist in netlists(),
        list in prop::collection::vec(changes(), 0..4),
    ) {
        let model = parse(netlist.plain_text().as_bytes(), "plain").unwrap();
        let (latches, inputs) = ("0".repeat(model.latches.len()), "1".repeat(model.inputs.len()));
        let mut bytes = format!("1\nb0\n{latches}\n{inputs}\n{inputs}\n.\n").into_bytes();
        list.iter().for_each(|change| apply(&mut bytes, change));
        if let Ok(witnesses) = Witness::parse(&bytes, "fuzz", &model) {
            let text: String = witnesses.iter().map(Witness::to_string).collect();
            let again = Witness::parse(text.as_bytes(), "written", &model).unwrap();
            prop_assert_eq!(witnesses, again);
        } else {
            prop_assert!(!list.is_empty());
        }
    }
}
