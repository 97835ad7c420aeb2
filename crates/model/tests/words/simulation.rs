//! The word-level simulator on a small counter.

use wedge_logic::{BitVec, Sort, Value};
use wedge_model::simulate_words::{replay, run};
use wedge_model::{Choice, System, SystemError, WordReplayError, WordTrace};

/// Counts up when enabled; `base` is free at first and then kept; `noise` is free in every step
/// but the first. Bad when the count reaches base + 2.
pub fn counter() -> System {
    let mut system = System::new();
    let enable = system.add_input("enable", Sort::BOOL);
    let base = system.add_state("base", Sort::Bv(8));
    let count = system.add_state("count", Sort::Bv(8));
    system.add_state("noise", Sort::Bv(4));
    let terms = &mut system.terms;
    let (plus_one, three) = (terms.inc(count), terms.number(4, 3));
    let two = terms.number(8, 2);
    let target = terms.add(base, two);
    let (next, bad) = (terms.ite(enable, plus_one, count), terms.eq(count, target));
    system.states[0].next = Some(base);
    system.states[1].init = Some(base);
    system.states[1].next = Some(next);
    system.states[2].init = Some(three);
    system.add_bad(Some("reached".into()), bad);
    system
}

fn bv(width: u32, value: u64) -> Option<Value> {
    Some(Value::Bv(BitVec::new(width, value)))
}

fn choices(system: &System) -> Vec<Choice> {
    let mut choices = vec![Choice::open(system); 3];
    choices[0].states[0] = bv(8, 40);
    choices[1].states[2] = bv(4, 9);
    for choice in &mut choices {
        choice.inputs[0] = bv(1, 1);
    }
    choices
}

fn good(system: &System) -> WordTrace {
    run(system, &choices(system)).expect("nothing is contradicted")
}

#[test]
fn a_run_follows_inits_and_nexts() {
    let system = counter();
    assert_eq!(system.check(), Ok(()));
    let trace = good(&system);
    let column = |state: usize| -> Vec<u64> {
        let values = trace.steps.iter().map(|s| s.states[state].bv().to_u64());
        values.collect::<Option<_>>().expect("small numbers")
    };
    assert_eq!(column(0), [40, 40, 40]);
    assert_eq!(column(1), [40, 41, 42]);
    assert_eq!(column(2), [3, 9, 0]);
    assert_eq!(replay(&system, 0, &trace), Ok(()));
}

#[test]
fn contradicting_choices_are_refused() {
    let system = counter();
    let mut wrong = choices(&system);
    wrong[0].states[1] = bv(8, 41);
    assert_eq!(run(&system, &wrong), Err(WordReplayError::Init { state: "count".into() }));
    let mut wrong = choices(&system);
    wrong[2].states[0] = bv(8, 41);
    let error = WordReplayError::Next { step: 2, state: "base".into() };
    assert_eq!(run(&system, &wrong), Err(error));
    let mut wrong = choices(&system);
    wrong[1].inputs[0] = bv(2, 1);
    assert!(matches!(run(&system, &wrong), Err(WordReplayError::Shape(_))));
    let mut wrong = choices(&system);
    wrong[1].inputs.pop();
    assert!(matches!(run(&system, &wrong), Err(WordReplayError::Shape(_))));
}

#[test]
fn every_flaw_of_a_trace_is_found() {
    let mut system = counter();
    let trace = good(&system);
    assert!(matches!(replay(&system, 1, &trace), Err(WordReplayError::Shape(_))));
    assert!(matches!(replay(&system, 0, &WordTrace::default()), Err(WordReplayError::Shape(_))));
    let mut short = trace.clone();
    short.steps.pop();
    assert_eq!(replay(&system, 0, &short), Err(WordReplayError::NotBad { step: 1 }));
    let mut wrong = trace.clone();
    wrong.steps[0].states[1] = Value::Bv(BitVec::new(8, 39));
    let error = replay(&system, 0, &wrong).expect_err("wrong init");
    assert_eq!(error.to_string(), "state 'count' does not start with its initial value");
    let mut wrong = trace.clone();
    wrong.steps[1].states[1] = Value::Bv(BitVec::new(8, 39));
    let error = WordReplayError::Next { step: 1, state: "count".into() };
    assert_eq!(replay(&system, 0, &wrong), Err(error));
    let mut wrong = trace.clone();
    wrong.steps[1].states[2] = Value::Bv(BitVec::new(5, 0));
    assert!(matches!(replay(&system, 0, &wrong), Err(WordReplayError::Shape(_))));
    let terms = &mut system.terms;
    let limit = terms.number(8, 42);
    let constraint = terms.ult(system.states[1].var, limit);
    system.constraints.push(constraint);
    let error = WordReplayError::Constraint { step: 2, constraint: 0 };
    assert_eq!(replay(&system, 0, &trace), Err(error));
}

#[test]
fn broken_systems_are_told_apart() {
    let mut system = counter();
    let count = system.states[1].var;
    system.states[0].init = Some(count);
    let error = system.check().expect_err("base and count read each other");
    assert!(matches!(error, SystemError::CyclicInit { .. }), "{error}");

    let mut system = counter();
    let stray = system.terms.var("stray", Sort::BOOL);
    system.constraints.push(stray);
    assert_eq!(system.check(), Err(SystemError::Undeclared { name: "stray".into() }));

    let mut system = counter();
    system.inputs.push(system.states[0].var);
    assert_eq!(system.check(), Err(SystemError::Declaration { name: "base".into() }));

    let mut system = counter();
    system.states[2].next = Some(system.inputs[0]);
    let error = system.check().expect_err("a next of the wrong sort");
    let text = "the next value of 'noise' has sort 'bitvec 1' instead of 'bitvec 4'";
    assert_eq!(error.to_string(), text);
}

#[test]
fn inits_are_ordered_over_long_chains() {
    let mut system = System::new();
    let count = 50_000;
    for i in 0..count {
        system.add_state(format!("s{i}"), Sort::Bv(4));
    }
    for i in 0..count - 1 {
        let after = system.states[i + 1].var;
        system.states[i].init = Some(system.terms.inc(after));
    }
    let order = system.init_order().expect("no cycle");
    assert_eq!(order, (0..count).rev().collect::<Vec<_>>());
    let mut choice = Choice::open(&system);
    choice.states[count - 1] = bv(4, 5);
    let trace = run(&system, &[choice]).expect("a first state");
    let expected = BitVec::new(4, 5 + count as u64 - 1);
    assert_eq!(trace.steps[0].states[0], Value::Bv(expected));
}
