//! Preprocessing on random circuits, against explicit-state search and the evidence checkers:
//! verdicts stay, traces and invariants find their way back.

mod circuits;
mod examples;

use circuits::{Random, explore};
use std::time::Duration;
use wedge_engines::kind::KInduction;
use wedge_engines::preprocess::{Config, Reductions, preprocess};
use wedge_engines::registry::{self, Options};
use wedge_engines::{Context, Engine, Outcome};
use wedge_evidence::{check_induction, check_invariant, check_strengthened_induction, check_trace};
use wedge_logic::Lit;
use wedge_model::{Circuit, Predicate};
use wedge_sat::Interrupt;

fn context() -> Context {
    Context::new(Some(Duration::from_secs(30)))
}

/// Every step alone, and all together.
fn configs() -> Vec<Config> {
    let none = Config::cone_only();
    vec![
        Config { inputs: true, ..none.clone() },
        Config { registers: true, ..none.clone() },
        Config { constants: true, ..none.clone() },
        Config { latches: true, ..none.clone() },
        Config { signals: true, ..none.clone() },
        Config { sweep: true, ..none.clone() },
        none,
        Config::default(),
    ]
}

fn run(engine: &str, circuit: &Circuit) -> Outcome {
    let options = Options { max_bound: Some(60), ..Options::default() };
    registry::find(engine).unwrap().on_circuit(&options).unwrap().run(circuit, &context())
}

fn assert_invariant(circuit: &Circuit, pipeline: &Reductions, invariant: &Predicate, what: &str) {
    let invariant = pipeline.predicate(invariant);
    let checked = check_invariant(circuit, &invariant, &Interrupt::default());
    assert!(checked.is_ok(), "{what}: {checked:?} for {circuit:?}");
}

/// Runs an engine on the reduced circuit; its claim has to hold for the original.
fn check_engine(engine: &str, circuit: &Circuit, config: &Config, expected_unsafe: bool) {
    let (reduced, pipeline) = preprocess(circuit, config, &context());
    match run(engine, &reduced) {
        Outcome::Unsafe(trace) => {
            assert!(expected_unsafe, "{engine} claims a counterexample: {circuit:?}");
            check_trace(circuit, &pipeline.trace(&trace)).unwrap();
        }
        Outcome::Safe(invariant) => {
            assert!(!expected_unsafe, "{engine} claims a proof: {circuit:?}");
            assert_invariant(circuit, &pipeline, &invariant, engine);
        }
        other => panic!("{engine}: {other:?} for {circuit:?}"),
    }
}

#[test]
fn evidence_finds_its_way_back() {
    let mut random = Random(11);
    let (mut safe, mut merged) = (0, 0);
    for _ in 0..400 {
        let circuit = random.circuit();
        let reachable = explore(&circuit);
        safe += !reachable.is_unsafe as usize;
        for config in configs() {
            let (reduced, pipeline) = preprocess(&circuit, &config, &context());
            reduced.check();
            merged += pipeline.strengthening().is_some() as usize;
            let found = explore(&reduced);
            assert_eq!(found.is_unsafe, reachable.is_unsafe, "{config:?} on {circuit:?}");
            if !found.is_unsafe {
                assert_invariant(&circuit, &pipeline, &found.states, "reachable states");
            }
        }
        for engine in ["pdr", "imc"] {
            check_engine(engine, &circuit, &Config::default(), reachable.is_unsafe);
        }
    }
    assert!(safe > 100 && safe < 300, "{safe} of 400 are safe");
    assert!(merged > 400, "{merged} merges");
}

/// What was used to merge is an inductive invariant in itself.
#[test]
fn the_strengthening_is_inductive() {
    let mut random = Random(12);
    for _ in 0..300 {
        let mut circuit = random.circuit();
        let (_, pipeline) = preprocess(&circuit, &Config::default(), &context());
        if let Some(strengthening) = pipeline.strengthening() {
            circuit.bad = Lit::FALSE;
            let checked = check_invariant(&circuit, &strengthening, &Interrupt::default());
            assert!(checked.is_ok(), "{checked:?} for {circuit:?}");
        }
    }
}

/// Without merges a proof by k-induction needs no way back.
#[test]
fn induction_is_preserved() {
    let mut random = Random(13);
    let mut proofs = [0, 0];
    for _ in 0..300 {
        let circuit = random.circuit();
        for simple_path in [false, true] {
            let config = match simple_path {
                false => Config::for_induction(),
                true => Config::for_simple_paths(),
            };
            let (reduced, pipeline) = preprocess(&circuit, &config, &context());
            assert!(pipeline.strengthening().is_none());
            let engine = KInduction { simple_path, max_bound: Some(60), ..KInduction::default() };
            if let Outcome::SafeByInduction { k, .. } = engine.run(&reduced, &context()) {
                let checked = check_induction(&circuit, k, simple_path, &Interrupt::default());
                assert!(checked.is_ok(), "{checked:?} for {circuit:?}");
                proofs[simple_path as usize] += 1;
            }
        }
    }
    assert!(proofs.iter().all(|&proofs| proofs > 20), "{proofs:?} proofs by induction");
}

/// After merges a proof by k-induction is one of the original together with what they rest on.
#[test]
fn induction_is_preserved_with_the_strengthening() {
    let mut random = Random(15);
    let mut proofs = [0, 0];
    for round in 0..6000 {
        let circuit = random.circuit();
        // Small circuits are often merged to nothing; then there is nothing to prove.
        let latches = Config { signals: false, constants: round % 4 > 1, ..Config::for_words() };
        let config = if round % 2 == 0 { latches } else { Config::for_words() };
        let (reduced, pipeline) = preprocess(&circuit, &config, &context());
        let engine = KInduction { max_bound: Some(60), ..KInduction::default() };
        let Outcome::SafeByInduction { k, .. } = engine.run(&reduced, &context()) else { continue };
        let interrupt = Interrupt::default();
        let strengthening = pipeline.strengthening();
        let checked = match &strengthening {
            Some(facts) => check_strengthened_induction(&circuit, facts, k, false, &interrupt),
            None => check_induction(&circuit, k, false, &interrupt),
        };
        assert!(checked.is_ok(), "{checked:?} for {circuit:?}");
        proofs[strengthening.is_some() as usize] += 1;
    }
    assert!(proofs.iter().all(|&proofs| proofs > 10), "{proofs:?} proofs by induction");
}

/// With no time at all the circuit is still a correct one.
#[test]
fn no_time_and_cancelled() {
    let mut random = Random(14);
    for round in 0..60 {
        let circuit = random.circuit();
        let config = Config { time: Duration::from_micros(round * 10), ..Config::default() };
        let context = context();
        if round % 3 == 0 {
            context.cancel();
        }
        let (reduced, pipeline) = preprocess(&circuit, &config, &context);
        let (found, expected) = (explore(&reduced), explore(&circuit));
        assert_eq!(found.is_unsafe, expected.is_unsafe);
        if !found.is_unsafe {
            assert_invariant(&circuit, &pipeline, &found.states, "reachable states");
        }
    }
}
