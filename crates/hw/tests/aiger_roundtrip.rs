//! What is read is what was written, for any numbering, any order of gates and both forms.

mod common;

use common::{Netlist, netlists, signature, stimuli, trivial_model};
use proptest::prelude::*;
use wedge_hw::aiger::{AigerModel, parse};
use wedge_logic::Lit;

fn names(model: &AigerModel) -> Vec<Option<String>> {
    let inputs = model.inputs.iter().map(|input| input.name.clone());
    let latches = model.latches.iter().map(|latch| latch.name.clone());
    let rest = model.outputs.iter().chain(&model.bads).chain(&model.constraints);
    inputs.chain(latches).chain(rest.map(|property| property.name.clone())).collect()
}

fn assert_same(left: &AigerModel, right: &AigerModel, stimuli: &[u64]) {
    let counts = |m: &AigerModel| [m.inputs.len(), m.latches.len(), m.outputs.len(), m.bads.len()];
    assert_eq!(counts(left), counts(right));
    assert_eq!(signature(left, stimuli), signature(right, stimuli));
    assert_eq!(names(left), names(right));
    assert_eq!(left.comments, right.comments);
}

/// A permutation of the variables 1.. onto numbers with gaps, and of the gates.
fn shuffled(netlist: &Netlist, seed: u64) -> (Vec<u32>, Vec<usize>) {
    let count = 1 + netlist.sources() as usize + netlist.gates.len();
    let key =
        |i: usize| (i as u64 + 1).wrapping_mul(seed | 1).rotate_left(23).wrapping_mul(seed | 1);
    let mut by_key: Vec<usize> = (1..count).collect();
    by_key.sort_by_key(|&i| key(i));
    let mut names = vec![0; count];
    for (rank, &variable) in by_key.iter().enumerate() {
        names[variable] = 3 * rank as u32 + 2;
    }
    let mut order: Vec<usize> = (0..netlist.gates.len()).collect();
    order.sort_by_key(|&i| key(i + 1000));
    (names, order)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn reading_agrees_with_the_netlist(
        netlist in netlists(), words in stimuli(), seed in any::<u64>(),
    ) {
        let words = &words[..netlist.sources() as usize];
        let plain = parse(netlist.plain_text().as_bytes(), "plain").unwrap();
        prop_assert_eq!(signature(&plain, words), netlist.signature(words));
        let (names, order) = shuffled(&netlist, seed);
        let text = netlist.to_text(&names, &order);
        let model = parse(text.as_bytes(), "shuffled").unwrap();
        prop_assert_eq!(signature(&model, words), netlist.signature(words));
        for (index, input) in model.inputs.iter().enumerate() {
            prop_assert_eq!(input.literal, 2 * u64::from(names[1 + index]));
        }
        for (index, latch) in model.latches.iter().enumerate() {
            let variable = names[1 + netlist.inputs as usize + index];
            prop_assert_eq!(latch.literal, 2 * u64::from(variable));
        }
    }

    #[test]
    fn writing_and_reading_keep_the_model(
        netlist in netlists(), words in stimuli(), label in "[ -~]{0,12}",
    ) {
        let words = &words[..netlist.sources() as usize];
        let mut model = parse(netlist.plain_text().as_bytes(), "plain").unwrap();
        for (index, latch) in model.latches.iter_mut().enumerate() {
            latch.name = (index % 2 == 0).then(|| format!("{label}{index}"));
        }
        model.bads[0].name = Some(label.clone());
        model.comments = vec![label, "second line".to_string()];
        let ascii = parse(&model.to_ascii(), "ascii").unwrap();
        assert_same(&model, &ascii, words);
        let binary = parse(&model.to_binary(), "binary").unwrap();
        assert_same(&model, &binary, words);
        // Reading simplifies, by rules that look at two gates: the gates of what is read again may be others, more or fewer.
        prop_assert_eq!(ascii.to_binary(), binary.to_binary());
    }

    #[test]
    fn the_literal_map_follows_the_file(netlist in netlists(), words in stimuli()) {
        let mut model = parse(netlist.plain_text().as_bytes(), "plain").unwrap();
        model.renumber();
        let binary = parse(&model.to_binary(), "binary").unwrap();
        let variables = binary.aig.len() as u64;
        let (here, there) = (model.aig.simulate(&words), binary.aig.simulate(&words));
        for literal in 0..2 * variables {
            let here = model.literals.get(literal).map(|l| wedge_logic::aig::word(&here, l));
            let there = binary.literals.get(literal).map(|l| wedge_logic::aig::word(&there, l));
            prop_assert_eq!(here, there, "literal {}", literal);
        }
        let (mine, theirs) = (model.latches, binary.latches);
        prop_assert!(mine.iter().zip(&theirs).all(|(a, b)| a.literal == b.literal));
    }

    #[test]
    fn a_circuit_survives(netlist in netlists(), words in stimuli()) {
        let model = parse(netlist.plain_text().as_bytes(), "plain").unwrap();
        let circuit = model.circuit(0).unwrap();
        circuit.check();
        let written = AigerModel::from_circuit(&circuit);
        let back = parse(&written.to_binary(), "circuit").unwrap();
        prop_assert_eq!(signature(&written, &words), signature(&back, &words));
        prop_assert_eq!(back.circuit(0).unwrap().latches.len(), circuit.latches.len());
    }
}

#[test]
fn a_name_stays_one_line() {
    let mut model = trivial_model();
    model.bads[0].name = Some("two\nlines".to_string());
    model.comments = vec!["also\r\ntwo".to_string()];
    let back = parse(&model.to_ascii(), "names").unwrap();
    assert_eq!(back.bads[0].name.as_deref(), Some("two lines"));
    assert_eq!(back.comments, ["also  two"]);
}

#[test]
fn the_shortest_header_that_says_it_all() {
    assert_eq!(trivial_model().to_ascii(), b"aag 0 0 0 0 0 1\n0\n");
    let text = b"aag 1 0 1 1 0\n2 3 1\n3\nl0 toggle\nc\nmade by hand\n";
    assert_eq!(parse(text, "toggle").unwrap().to_ascii(), text);
}

/// Gates that are constant, an input or another gate: reading folds them, writing brings them back.
#[test]
fn the_gates_of_a_file_are_written_again() {
    let text = "aag 10 2 1 0 7 1 1\n2\n4\n6 14 18\n20\n17\n8 3 2\n10 4 4\n12 10 2\n14 13 9\n16 4 2\n18 17 5\n20 16 6\n";
    let model = parse(text.as_bytes(), "plain").unwrap();
    assert!(model.aig.num_ands() < 7);
    assert_eq!(String::from_utf8(model.to_ascii()).unwrap(), text);
    // What changes is written as it is now, what nothing depends on any more is left out.
    let mut changed = model.clone();
    changed.latches[0].next = changed.latches[0].state;
    changed.latches[0].reset = Lit::FALSE;
    let text = "aag 5 2 1 0 2 1 1\n2\n4\n6 6\n10\n9\n8 4 2\n10 8 6\n";
    assert_eq!(String::from_utf8(changed.to_ascii()).unwrap(), text);
}
