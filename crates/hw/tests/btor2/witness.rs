//! Witnesses: reading, writing, checking.

use crate::generate::{Genes, random_model};
use crate::roundtrip::random_run;
use proptest::prelude::*;
use wedge_hw::btor2::{Witness, parse};
use wedge_logic::{ArrayValue, BitVec, Sort, Value};
use wedge_model::simulate_words::{WordReplayError, run};
use wedge_model::{Choice, System};

/// A lock that opens on 2, then the initial code; the log remembers what was tried.
fn lock() -> System {
    parse(
        "lock.btor2",
        b"1 sort bitvec 2
2 sort bitvec 1
3 sort array 1 1
4 input 1 key
5 state 1 code
6 zero 2
7 state 2 armed
8 init 2 7 6
9 state 3 log
10 constd 1 2
11 eq 2 4 10
12 next 2 7 11
13 next 1 5 5
14 write 3 9 5 4
15 next 3 9 14
16 eq 2 4 5
17 and 2 7 16
18 bad 17 open
19 bad 7
20 zero 1
21 read 1 9 10
22 neq 2 21 20
23 constraint 22
",
    )
    .expect("a valid model")
}

const GOOD: &str = "sat
b0
#0
0 11 code#0
2 [10] 01 log#0
@0
0 10 key@0
@1
0 11 key@1
.
";

#[test]
fn a_witness_is_read_checked_and_written_again() {
    let system = lock();
    let witness = Witness::parse("w", GOOD.as_bytes(), &system).expect("a valid witness").remove(0);
    assert_eq!((witness.properties.as_slice(), witness.frames.len()), ([0].as_slice(), 2));
    let trace = witness.check(&system).expect("it opens the lock");
    let copy = Witness::from_trace(&system, vec![0], &trace);
    assert_eq!(copy.write(&system).as_deref(), Ok(GOOD));
    let two = GOOD.replace("b0", "b0 b1");
    let witness = Witness::parse("w", two.as_bytes(), &system).expect("a valid witness").remove(0);
    assert!(witness.check(&system).is_ok(), "the second bad is reached too");
}

#[test]
fn what_is_not_listed_is_zero() {
    let system = lock();
    let text = "sat\nb1\n#0\n2 [10] 01\n@0\n0 10\n@1\n.\n";
    let witness = Witness::parse("w", text.as_bytes(), &system).expect("a valid witness").remove(0);
    let trace = witness.check(&system).expect("armed in the second step");
    assert_eq!(trace.steps[1].inputs[0], Value::Bv(BitVec::zero(2)));
    assert_eq!(trace.steps[0].states[0], Value::Bv(BitVec::zero(2)));
}

#[test]
fn claims_that_do_not_hold_are_refused() {
    let system = lock();
    let check = |from: &str, to: &str| {
        let text = GOOD.replace(from, to);
        Witness::parse("w", text.as_bytes(), &system).expect("a readable witness")[0].check(&system)
    };
    assert_eq!(check("0 11 key@1", "0 10 key@1"), Err(WordReplayError::NotBad { step: 1 }));
    let error = WordReplayError::Constraint { step: 0, constraint: 0 };
    assert_eq!(check("2 [10] 01", "2 [11] 01"), Err(error));
    let error = WordReplayError::Init { state: "armed".into() };
    assert_eq!(check("0 11 code#0", "1 1"), Err(error));
}

#[test]
fn broken_witnesses_are_told_apart() {
    let system = lock();
    for (from, to, expected) in [
        ("sat", "unsat", "w:1: the file says 'unsat' and has no path"),
        ("sat", "1", "w:1: 'sat' expected, '1' found"),
        ("b0", "b7", "w:2: 'b7': the model has 2 bads"),
        ("b0", "j0", "w:2: 'j0': the model has 0 justice properties"),
        ("b0", "x", "w:2: 'x' is no property"),
        ("#0\n", "#1\n", "w:3: frame 0 expected, '1' found"),
        ("0 11 code", "9 11 code", "w:4: position 9: the model has 3 states"),
        ("0 11 code", "0 1 code", "w:4: 2 binary digits expected, '1' found"),
        ("0 11 code", "0 1x code", "w:4: 'x' is no digit"),
        ("0 11 code#0", "0", "w:4: the value is missing"),
        ("0 11 code", "x 11 code", "w:4: 'x' is no position"),
        ("0 11 code#0", "0 11\n0 11", "w:5: a second value for the same position"),
        ("0 11 code", "0 [10] 11 code", "w:4: an index for a value that is no array"),
        ("2 [10] 01", "2 01", "w:5: an array value needs an index in brackets"),
        ("2 [10] 01 log#0", "2 [10]", "w:5: the element is missing"),
        ("0 10 key@0", "1 10 key@0", "w:7: position 1: the model has 1 inputs"),
        ("@1", "@2", "w:8: frame 1 expected, '2' found"),
        ("@1", "#1", "w:10: the last frame has no input part"),
        (".\n", "", "w: the witness does not end with a dot"),
        (".\n", ".\nmore", "w:11: unexpected 'more' after the dot"),
        (GOOD, "", "w: the witness is empty"),
        ("#0\n", "", "w:3: a value outside of any frame"),
    ] {
        let text = GOOD.replacen(from, to, 1);
        let error = Witness::parse("w", text.as_bytes(), &system).expect_err(expected);
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn arrays_with_another_default_are_listed_in_full_or_refused() {
    let system = lock();
    let filled = |index, element| Value::Array(ArrayValue::constant(index, BitVec::ones(element)));
    let mut frame = Choice::open(&system);
    frame.states[2] = Some(filled(2, 2));
    let witness = Witness { properties: vec![1], frames: vec![frame.clone()] };
    let text = witness.write(&system).expect("four elements");
    assert_eq!(text.matches("2 [").count(), 4);
    let again = Witness::parse("w", text.as_bytes(), &system).expect("a valid witness").remove(0);
    assert_eq!(again.frames[0].states[2], frame.states[2]);

    let mut large = System::new();
    large.add_state("large", Sort::Array { index: 32, element: 1 });
    let mut frame = Choice::open(&large);
    frame.states[0] = Some(filled(32, 1));
    let witness = Witness { properties: vec![], frames: vec![frame] };
    let error = witness.write(&large).expect_err("four billion ones");
    assert_eq!(error.to_string(), "the array 'large' has too many elements that are not 0");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn written_witnesses_give_the_same_run(seed in any::<u64>()) {
        let system = parse("random", random_model(seed).as_bytes()).expect("a valid model");
        let trace = random_run(&system, &mut Genes::new(seed ^ 0x5555), 4);
        let witness = Witness::from_trace(&system, vec![0], &trace);
        let text = witness.write(&system).expect("small arrays");
        let again = Witness::parse("w", text.as_bytes(), &system).expect("a valid witness").remove(0);
        prop_assert_eq!(run(&system, &again.frames), Ok(trace));
    }
}
