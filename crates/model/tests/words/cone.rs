//! The cone of influence of circuits, on random systems.

use crate::random_system::{Genes, random_system, random_walk};
use proptest::prelude::*;
use wedge_logic::blast::Limits;
use wedge_logic::{Lit, Sort};
use wedge_model::cone::reduce_to_cone;
use wedge_model::simulate::{ReplayError, evaluate, replay};
use wedge_model::{Circuit, Predicate, Reset, System, Trace, lower};

/// A circuit with latches that its bad state does not read.
fn with_ballast(genes: &mut Genes) -> Circuit {
    let system = random_system(genes);
    let (mut circuit, _) = lower(&system, 0, Limits::default()).expect("small systems");
    let mut reset = Reset::Free;
    for _ in 0..genes.below(4) {
        let latch = circuit.add_latch(reset);
        let input = circuit.add_input();
        let pick = circuit.latches[genes.below(circuit.latches.len())].state;
        let next = circuit.aig.xor(pick, input);
        circuit.latches.last_mut().expect("just added").next = next;
        reset = Reset::Function(!latch);
    }
    circuit
}

fn bits(circuit: &Circuit, state: &[bool], inputs: &[bool], lits: &[Lit]) -> Vec<bool> {
    let nodes = evaluate(circuit, state, inputs);
    lits.iter().map(|&lit| wedge_logic::aig::word(&nodes, lit) & 1 == 1).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(800))]

    #[test]
    fn the_reduced_circuit_behaves_alike(seed in any::<u64>()) {
        let genes = &mut Genes::new(seed);
        let circuit = with_ballast(genes);
        let (reduced, back) = reduce_to_cone(&circuit);
        reduced.check();
        prop_assert!(reduced.latches.len() <= circuit.latches.len());
        let walk = random_walk(&reduced, genes, 4);
        let original = back.trace(&walk);
        let (mut small, mut large) = (walk.initial.clone(), original.initial.clone());
        for (inputs, all) in walk.inputs.iter().zip(&original.inputs) {
            let watched = |c: &Circuit| [&c.constraints[..], &[c.bad]].concat();
            let ours = bits(&reduced, &small, inputs, &watched(&reduced));
            prop_assert_eq!(ours, bits(&circuit, &large, all, &watched(&circuit)));
            let next = |c: &Circuit| c.latches.iter().map(|l| l.next).collect::<Vec<_>>();
            small = bits(&reduced, &small, inputs, &next(&reduced));
            large = bits(&circuit, &large, all, &next(&circuit));
        }
        // Only what a trace must satisfy anyway may be wrong with it, never its resets.
        let verdict = replay(&circuit, &original);
        let reset = matches!(verdict, Err(ReplayError::Reset { .. } | ReplayError::Shape(_)));
        prop_assert!(!reset, "{verdict:?}");
    }
}

#[test]
fn dropped_latches_follow_their_resets_and_predicates_ignore_them() {
    let mut circuit = Circuit::default();
    let dropped = circuit.add_latch(Reset::Const(true));
    let kept = circuit.add_latch(Reset::Free);
    let copy = circuit.add_latch(Reset::Function(!dropped));
    circuit.add_latch(Reset::Function(!copy));
    circuit.add_input();
    circuit.bad = kept;
    let (reduced, back) = reduce_to_cone(&circuit);
    assert_eq!((reduced.latches.len(), reduced.inputs.len()), (1, 0));
    let trace = back.trace(&Trace { initial: vec![true], inputs: vec![vec![]; 2] });
    assert_eq!(trace.initial, vec![true, true, false, true]);
    assert_eq!(trace.inputs, vec![vec![false]; 2]);
    let mut predicate = Predicate::constant(true, 1);
    predicate.root = !predicate.aig.input(0);
    let wide = back.predicate(&predicate);
    assert_eq!(wide.aig.num_inputs(), 4);
    assert!(wide.aig.eval(wide.root, &[true, false, true, true]));
    assert!(!wide.aig.eval(wide.root, &[false, true, false, false]));
}

#[test]
fn constraints_keep_their_cones() {
    let mut system = System::new();
    let a = system.add_state("a", Sort::BOOL);
    let b = system.add_state("b", Sort::BOOL);
    system.states[0].next = Some(a);
    system.states[1].next = Some(b);
    system.add_bad(None, a);
    system.constraints.push(b);
    let (circuit, _) = lower(&system, 0, Limits::default()).expect("a small system");
    assert_eq!(reduce_to_cone(&circuit).0.latches.len(), 2);
}
