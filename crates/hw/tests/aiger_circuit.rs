//! The circuit of a model has the paths of the file, also where resets read inputs.

mod common;

use common::{Netlist, netlists};
use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use wedge_hw::aiger::parse;
use wedge_model::simulate::{evaluate, replay};
use wedge_model::{Circuit, Reset, Trace};

fn bits(value: usize, count: usize) -> Vec<bool> {
    (0..count).map(|i| value >> i & 1 == 1).collect()
}

/// The length of a shortest path to bad state 0, by the format's definition.
fn distance_in_netlist(netlist: &Netlist) -> Option<usize> {
    let (inputs, latches) = (netlist.inputs as usize, netlist.latches.len());
    let mut layer: BTreeSet<usize> = (0..1 << latches).collect();
    let mut seen = BTreeSet::new();
    for step in 0.. {
        let mut next_layer = BTreeSet::new();
        for &state in &layer {
            for input in 0..1usize << inputs {
                let sources = [bits(input, inputs), bits(state, latches)].concat();
                let words: Vec<u64> = sources.iter().map(|&b| b as u64).collect();
                let signature: Vec<bool> =
                    netlist.signature(&words).iter().map(|w| w & 1 == 1).collect();
                let (values, rest) = signature.split_at(2 * latches);
                let (_, rest) = rest.split_at(netlist.outputs.len());
                let (bads, constraints) = rest.split_at(netlist.bads.len());
                let is_reset = (0..latches).all(|l| values[2 * l + 1] == bits(state, latches)[l]);
                if step == 0 && !is_reset || constraints.contains(&false) {
                    continue;
                }
                if bads[0] {
                    return Some(step);
                }
                let next = (0..latches).map(|l| (values[2 * l] as usize) << l).sum();
                if seen.insert(next) {
                    next_layer.insert(next);
                }
            }
        }
        if next_layer.is_empty() {
            return None;
        }
        layer = next_layer;
    }
    None
}

/// A shortest trace to the bad state of a circuit, by breadth-first search.
fn shortest_trace(circuit: &Circuit) -> Option<Trace> {
    let (inputs, latches) = (circuit.inputs.len(), circuit.latches.len());
    let mut traces: BTreeMap<Vec<bool>, Trace> = (0..1 << latches)
        .map(|state| bits(state, latches))
        .filter(|state| satisfies_resets(circuit, state))
        .map(|state| (state.clone(), Trace { initial: state, inputs: Vec::new() }))
        .collect();
    let mut seen: BTreeSet<Vec<bool>> = traces.keys().cloned().collect();
    while !traces.is_empty() {
        let mut longer = BTreeMap::new();
        for (state, trace) in &traces {
            for input in (0..1 << inputs).map(|input| bits(input, inputs)) {
                let words = evaluate(circuit, state, &input);
                let value = |lit| wedge_logic::aig::word(&words, lit) & 1 == 1;
                if !circuit.constraints.iter().all(|&c| value(c)) {
                    continue;
                }
                let mut trace = trace.clone();
                trace.inputs.push(input);
                if value(circuit.bad) {
                    return Some(trace);
                }
                let next: Vec<bool> = circuit.latches.iter().map(|l| value(l.next)).collect();
                if seen.insert(next.clone()) {
                    longer.insert(next, trace);
                }
            }
        }
        traces = longer;
    }
    None
}

/// Resets of a circuit never read inputs, so any input will do.
fn satisfies_resets(circuit: &Circuit, state: &[bool]) -> bool {
    let words = evaluate(circuit, state, &vec![false; circuit.inputs.len()]);
    circuit.latches.iter().zip(state).all(|(latch, &value)| match latch.reset {
        Reset::Const(constant) => value == constant,
        Reset::Free => true,
        Reset::Function(lit) => value == (wedge_logic::aig::word(&words, lit) & 1 == 1),
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn circuits_have_the_paths_of_the_file(netlist in netlists()) {
        let model = parse(netlist.plain_text().as_bytes(), "plain").unwrap();
        let circuit = model.circuit(0).unwrap();
        circuit.check();
        let trace = shortest_trace(&circuit);
        prop_assert_eq!(
            trace.as_ref().map(|trace| trace.inputs.len() - 1),
            distance_in_netlist(&netlist)
        );
        if let Some(trace) = trace {
            prop_assert!(replay(&circuit, &trace).is_ok());
            prop_assert_eq!(model.trace(&trace).initial.len(), model.latches.len());
        }
    }
}

#[test]
fn a_reset_that_reads_an_input_adds_the_first_step_latch() {
    let model = parse(b"aag 2 1 1 1 0\n2\n4 4 3\n4\n", "m").unwrap();
    let circuit = model.circuit(0).unwrap();
    assert_eq!(circuit.latches.len(), 2);
    assert_eq!(circuit.latches[0].reset, Reset::Free);
    let trace = |input| Trace { initial: vec![true, true], inputs: vec![vec![input]] };
    assert!(replay(&circuit, &trace(false)).is_ok());
    assert!(replay(&circuit, &trace(true)).is_err());
    assert_eq!(model.trace(&trace(false)).initial, [true]);
}

#[test]
fn a_reset_that_reads_latches_needs_none() {
    let model = parse(b"aag 3 0 2 1 1\n2 2 2\n4 4 6\n4\n6 3 3\n", "m").unwrap();
    let circuit = model.circuit(0).unwrap();
    assert_eq!(circuit.latches[1].reset, Reset::Function(!circuit.latches[0].state));
    assert_eq!(circuit.latches.len(), 2);
}

#[test]
fn outputs_are_bad_only_without_a_bad_section() {
    let outputs = parse(b"aag 1 1 0 2 0\n2\n2\n3\n", "m").unwrap();
    assert_eq!(outputs.properties().len(), 2);
    let bads = parse(b"aag 1 1 0 2 0 1\n2\n2\n3\n0\n", "m").unwrap();
    assert_eq!(bads.properties(), bads.bads);
    assert_eq!(bads.circuit(0).unwrap().bad, wedge_logic::Lit::FALSE);
}
