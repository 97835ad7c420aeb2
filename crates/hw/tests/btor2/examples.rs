//! Small models and what they mean.

use wedge_hw::btor2::{parse, read, write};
use wedge_logic::blast::Limits;
use wedge_logic::{BitVec, Sort, Value};
use wedge_model::simulate_words::{evaluator, run};
use wedge_model::{Choice, System, lower};

fn model(text: &str) -> System {
    parse("test.btor2", text.as_bytes()).expect("a valid model")
}

const COUNTER: &str = "\
; counts to five
1 sort bitvec 3
2 zero 1
3 state 1 count ; where it is
4 init 1 3 2
5 one 1
6 add 1 3 5
7 sort bitvec 1
8 input 7 enable
9 ite 1 8 6 3
10 next 1 3 9
11 constd 1 5
12 eq 7 3 11
13 bad 12 five
14 output 3
15 constraint -12
";

#[test]
fn a_counter() {
    let system = model(COUNTER);
    assert_eq!(system.name(system.states[0].var), "count");
    assert_eq!(system.name(system.inputs[0]), "enable");
    assert_eq!(system.bads[0].name.as_deref(), Some("five"));
    assert_eq!((system.bads.len(), system.constraints.len(), system.outputs.len()), (1, 1, 1));
    let mut choices = vec![Choice::open(&system); 6];
    for choice in &mut choices {
        choice.inputs[0] = Some(true.into());
    }
    let trace = run(&system, &choices).expect("a run");
    for (step, values) in trace.steps.iter().enumerate() {
        let mut evaluator = evaluator(&system, values);
        assert_eq!(evaluator.holds(system.bads[0].term), Ok(step == 5));
        assert_eq!(evaluator.holds(system.constraints[0]), Ok(step != 5));
    }
    assert!(lower(&system, 0, Limits::default()).is_ok());
}

#[test]
fn constants_in_all_notations() {
    let text = "1 sort bitvec 8\n2 const 1 00101010\n3 constd 1 42\n4 consth 1 2a\n\
        5 constd 1 -214\n6 ones 1\n7 constd 1 -1\n8 consth 1 fF\n9 constd 1 0000255\n";
    let outputs: String = (2..=9).map(|id| format!("{} output {id}\n", id + 100)).collect();
    let error = parse("test.btor2", format!("{text}{outputs}").as_bytes());
    assert!(error.is_err(), "-214 does not fit into 8 bits");
    let text = text.replace("-214", "-86");
    let system = model(&format!("{text}{outputs}"));
    let values: Vec<u64> = system
        .outputs
        .iter()
        .map(|o| system.terms.value(o.term).and_then(BitVec::to_u64).expect("a constant"))
        .collect();
    assert_eq!(values, [42, 42, 42, 170, 255, 255, 255, 255]);
}

#[test]
fn arrays_with_and_without_initial_values() {
    let system = model(
        "1 sort bitvec 2\n2 sort bitvec 4\n3 sort array 1 2\n4 constd 2 9\n5 state 3 filled\n\
         6 init 3 5 4\n7 state 3 copied\n8 init 3 7 5\n9 state 3 free\n10 input 1 at\n\
         11 read 2 7 10\n12 write 3 9 10 11\n13 next 3 9 12\n14 sort bitvec 1\n15 eq 14 7 5\n16 bad 15\n",
    );
    let sort = Sort::Array { index: 2, element: 4 };
    assert!(system.states.iter().all(|s| system.terms.sort(s.var) == sort));
    let mut choices = vec![Choice::open(&system); 2];
    choices[0].inputs[0] = Some(Value::Bv(BitVec::new(2, 3)));
    let trace = run(&system, &choices).expect("a run");
    let three = BitVec::new(2, 3);
    assert_eq!(trace.steps[0].states[1].array().read(&three), &BitVec::new(4, 9));
    assert_eq!(trace.steps[0].states[2].array().read(&three), &BitVec::zero(4));
    assert_eq!(trace.steps[1].states[2].array().read(&three), &BitVec::new(4, 9));
}

#[test]
fn names_are_made_where_none_are_given() {
    let system = model("1 sort bitvec 1\n2 input 1\n3 state 1\n4 bad 3\n");
    assert_eq!(system.name(system.inputs[0]), "input2");
    assert_eq!(system.name(system.states[0].var), "state3");
    assert_eq!(system.bads[0].name, None);
}

#[test]
fn blank_lines_comments_and_odd_spacing() {
    let system =
        model("\n  ; nothing\n\t1  sort\tbitvec 1 ; one bit\r\n2 input 1 a;b\n\n3 bad -2 ;\n");
    assert_eq!(system.name(system.inputs[0]), "a;b");
    assert_eq!(system.bads[0].name.as_deref(), None);
    assert_eq!(model("").bads.len(), 0);
}

#[test]
fn files_are_read_and_missing_ones_named() {
    let dir = std::env::temp_dir().join(format!("wedge-btor2-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory for the test");
    let path = dir.join("counter.btor2");
    std::fs::write(&path, COUNTER).expect("a file for the test");
    assert_eq!(read(&path).map(|s| s.states.len()), Ok(1));
    let missing = dir.join("missing.btor2");
    let error = read(&missing).map(|_| ()).expect_err("there is no such file");
    assert!(error.to_string().starts_with(&missing.display().to_string()), "{error}");
    std::fs::remove_dir_all(&dir).expect("the directory of the test");
}

/// Ten times the lines take about ten times as long, not a hundred times.
#[test]
fn time_to_read_grows_with_the_lines() {
    let seconds = |lines: usize| {
        let mut text = String::from("1 sort bitvec 32\n2 sort bitvec 1\n3 state 1\n4 input 1\n");
        for i in 5..lines {
            let op = ["add", "xor", "sub", "and"][i % 4];
            let (left, right) = (i - 1 - i % 3 % (i - 4).min(3), 3 + i % 2);
            text.push_str(&format!("{i} {op} 1 {left} {right}\n"));
        }
        let last = lines - 1;
        text.push_str(&format!("{lines} redor 2 {last}\n{} bad {lines}\n", lines + 1));
        text.push_str(&format!("{} next 1 3 {last}\n", lines + 2));
        let once = || {
            let start = std::time::Instant::now();
            assert!(model(&text).terms.len() > lines / 2);
            start.elapsed().as_secs_f64()
        };
        (0..5).map(|_| once()).fold(f64::INFINITY, f64::min)
    };
    let (small, large) = (seconds(10_000), seconds(100_000));
    assert!(large < 50.0 * small, "{small} s, then {large} s");
}

#[test]
fn justice_and_fairness_make_a_round_trip() {
    let text = "1 sort bitvec 1\n2 input 1 go\n3 state 1 on\n4 next 1 3 2\n5 fair 2\n\
                6 justice 2 3 2 blinks\n7 not 1 3\n8 justice 1 -3\n9 justice 0\n";
    let system = parse("m", text.as_bytes()).unwrap();
    let shape = |system: &System| -> Vec<(Option<String>, usize)> {
        system.justice.iter().map(|j| (j.name.clone(), j.terms.len())).collect()
    };
    assert_eq!(shape(&system), [(Some("blinks".to_string()), 2), (None, 1), (None, 0)]);
    assert_eq!(system.fairness.len(), 1);
    let copy = parse("copy", write(&system).unwrap().text.as_bytes()).unwrap();
    assert_eq!((shape(&copy), copy.fairness.len()), (shape(&system), 1));
}
