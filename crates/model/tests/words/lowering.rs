//! Lowering on examples: what becomes a latch, what an input, and the way back.

use crate::simulation::counter;
use wedge_logic::blast::Limits;
use wedge_logic::{BitVec, BlastError, Sort, Value};
use wedge_model::lower::LowerError;
use wedge_model::simulate_words::replay as replay_words;
use wedge_model::{Predicate, Reset, System, Trace, lower, simulate};

#[test]
fn a_counterexample_comes_back() {
    let system = counter();
    let (circuit, back) = lower(&system, 0, Limits::default()).expect("a small system");
    circuit.check();
    // The noise influences nothing; base and count are latches.
    assert_eq!((circuit.latches.len(), circuit.inputs.len()), (16, 1));
    assert_eq!(circuit.latches[3].reset, Reset::Free);
    assert!(matches!(circuit.latches[8].reset, Reset::Function(_)));
    let base: Vec<bool> = BitVec::new(8, 40).bits().collect();
    let trace = Trace { initial: base.repeat(2), inputs: vec![vec![true]; 3] };
    simulate::replay(&circuit, &trace).expect("two steps up");
    let words = back.trace(&system, &trace).expect("the trace fits");
    assert_eq!(replay_words(&system, 0, &words), Ok(()));
    assert_eq!(words.steps[2].states[1], Value::Bv(BitVec::new(8, 42)));
    let short = Trace { initial: base, inputs: vec![vec![true]; 3] };
    assert!(back.trace(&system, &short).is_err());
}

/// A state that starts with an input: the input must be the one of the first step.
fn started_by_input() -> System {
    let mut system = System::new();
    let start = system.add_input("start", Sort::Bv(3));
    let kept = system.add_state("kept", Sort::Bv(3));
    let ticks = system.add_state("ticks", Sort::Bv(2));
    let terms = &mut system.terms;
    let (zero, later, five) = (terms.zero(2), terms.number(2, 1), terms.number(3, 5));
    let (same, ticked) = (terms.eq(kept, start), terms.eq(ticks, later));
    let (is_five, next) = (terms.eq(kept, five), terms.inc(ticks));
    let bad = terms.and_all(&[same, ticked, is_five]);
    system.states[0].init = Some(start);
    system.states[0].next = Some(kept);
    system.states[1].init = Some(zero);
    system.states[1].next = Some(next);
    system.add_bad(None, bad);
    system
}

#[test]
fn inputs_that_inits_read_are_held_in_latches() {
    let system = started_by_input();
    let (circuit, back) = lower(&system, 0, Limits::default()).expect("a small system");
    circuit.check();
    assert_eq!((circuit.latches.len(), circuit.inputs.len()), (8, 3));
    assert!(circuit.undriven.is_empty(), "it is an input of the model");
    // Latches: start, kept, ticks. The circuit's inputs give start one step later.
    let five = [true, false, true];
    let initial: Vec<bool> = [&five[..], &five[..], &[false, false]].concat();
    let trace = Trace { initial, inputs: vec![five.to_vec(), vec![false; 3]] };
    simulate::replay(&circuit, &trace).expect("bad in the second step");
    let words = back.trace(&system, &trace).expect("the trace fits");
    assert_eq!(replay_words(&system, 0, &words), Ok(()));
    assert_eq!(words.steps[1].inputs[0], Value::Bv(BitVec::new(3, 5)));
    let wrong = Trace { initial: vec![false; 8], inputs: vec![vec![false; 3]; 2] };
    assert_eq!(simulate::replay(&circuit, &wrong), Err(simulate::ReplayError::NotBad { step: 1 }));
}

#[test]
fn states_without_next_are_free_after_their_first_value() {
    let mut system = System::new();
    let state = system.add_state("s", Sort::Bv(2));
    let was = system.add_state("was", Sort::Bv(2));
    let terms = &mut system.terms;
    let (one, two) = (terms.number(2, 1), terms.number(2, 2));
    let (was_one, is_two) = (terms.eq(was, one), terms.eq(state, two));
    let bad = terms.and(was_one, is_two);
    system.states[0].init = Some(one);
    system.states[1].next = Some(state);
    system.states[1].init = Some(two);
    system.add_bad(None, bad);
    let (circuit, back) = lower(&system, 0, Limits::default()).expect("a small system");
    assert_eq!((circuit.latches.len(), circuit.inputs.len()), (4, 2));
    assert_eq!(circuit.undriven, circuit.inputs);
    let initial = vec![true, false, false, true];
    let trace = Trace { initial, inputs: vec![vec![false, true], vec![false, false]] };
    simulate::replay(&circuit, &trace).expect("1, then 2");
    let words = back.trace(&system, &trace).expect("the trace fits");
    assert_eq!(replay_words(&system, 0, &words), Ok(()));
}

#[test]
fn states_without_first_and_next_values_are_undriven_inputs() {
    let mut system = System::new();
    let input = system.add_input("i", Sort::Bv(1));
    let open = system.add_state("open", Sort::Bv(2));
    let two = system.terms.number(2, 2);
    let is_two = system.terms.eq(open, two);
    let bad = system.terms.and(input, is_two);
    system.add_bad(None, bad);
    let (circuit, _) = lower(&system, 0, Limits::default()).expect("a small system");
    assert_eq!((circuit.latches.len(), circuit.inputs.len()), (0, 3));
    assert_eq!(circuit.undriven, circuit.inputs[1..]);
}

#[test]
fn constant_states_disappear_and_return_in_predicates() {
    let mut system = System::new();
    let limit = system.add_state("limit", Sort::Bv(4));
    let derived = system.add_state("derived", Sort::Bv(4));
    let count = system.add_state("count", Sort::Bv(4));
    let terms = &mut system.terms;
    let (seven, zero, sum) = (terms.number(4, 7), terms.zero(4), terms.inc(limit));
    let (next, bad) = (terms.inc(count), terms.eq(count, derived));
    system.states[0].init = Some(seven);
    system.states[0].next = Some(limit);
    system.states[1].init = Some(sum);
    system.states[1].next = Some(sum);
    system.states[2].init = Some(zero);
    system.states[2].next = Some(next);
    system.add_bad(None, bad);
    let (circuit, back) = lower(&system, 0, Limits::default()).expect("a small system");
    assert_eq!((circuit.latches.len(), circuit.inputs.len()), (4, 0));
    let everything = Predicate::constant(true, 4);
    let term = back.predicate(&mut system, &everything);
    let terms = &mut system.terms;
    let eight = terms.number(4, 8);
    let (first, second) = (terms.eq(limit, seven), terms.eq(derived, eight));
    assert_eq!(term, terms.and(first, second));
}

#[test]
fn limits_hold_before_anything_is_built() {
    let mut system = System::new();
    let wide: Vec<_> =
        (0..1000).map(|i| system.add_state(format!("w{i}"), Sort::Bv(60_000))).collect();
    let bits: Vec<_> = wide.iter().map(|&w| system.terms.redor(w)).collect();
    let bad = system.terms.or_all(&bits);
    system.add_bad(None, bad);
    let error = lower(&system, 0, Limits::default()).expect_err("sixty million latches");
    assert_eq!(error, LowerError::Blast(BlastError::TooManyNodes { limit: 1 << 24 }));
    let error = lower(&system, 3, Limits::default()).expect_err("one property only");
    assert_eq!(error.to_string(), "there is no bad state property 3; the system has 1");
}
