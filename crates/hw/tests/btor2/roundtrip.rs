//! Writing and reading again gives the same behaviour.

use crate::generate::{Genes, random_model};
use proptest::prelude::*;
use wedge_hw::btor2::{Origin, WriteError, parse, write};
use wedge_logic::{ArrayValue, BitVec, Sort, Value};
use wedge_model::simulate_words::{evaluator, run};
use wedge_model::{Choice, System, WordTrace};

pub fn random_value(sort: Sort, genes: &mut Genes) -> Value {
    match sort {
        Sort::Bv(width) => Value::Bv(BitVec::new(width, genes.next())),
        Sort::Array { index, element } => {
            let array = ArrayValue::constant(index, BitVec::new(element, genes.next()));
            let (at, value) =
                (BitVec::new(index, genes.next()), BitVec::new(element, genes.next()));
            Value::Array(array.write(&at, &value))
        }
    }
}

/// A random path of the system, whether or not the constraints hold.
pub fn random_run(system: &System, genes: &mut Genes, steps: usize) -> WordTrace {
    let mut choices = vec![Choice::open(system); steps];
    for (step, choice) in choices.iter_mut().enumerate() {
        for (slot, &var) in choice.inputs.iter_mut().zip(&system.inputs) {
            *slot = Some(random_value(system.terms.sort(var), genes));
        }
        for (slot, state) in choice.states.iter_mut().zip(&system.states) {
            if (if step == 0 { state.init } else { state.next }).is_none() {
                *slot = Some(random_value(system.terms.sort(state.var), genes));
            }
        }
    }
    run(system, &choices).expect("only free values are chosen")
}

/// Checks that a run of the first is one of its copy, with the same observations.
fn compare(system: &System, genes: &mut Genes) {
    let written = write(system).expect("a writable system");
    let copy = parse("copy", written.text.as_bytes()).expect(&written.text);
    assert_eq!(copy.states.len(), written.states.len());
    assert_eq!(copy.inputs.len(), written.inputs.len());
    let trace = random_run(system, genes, 5);
    let choices: Vec<Choice> = trace
        .steps
        .iter()
        .map(|step| {
            let (states, inputs) = written.arrange(&step.states, &step.inputs);
            Choice { states, inputs: inputs.into_iter().map(Some).collect() }
        })
        .collect();
    let copied = run(&copy, &choices).expect("the same values are possible");
    for (step, twin) in trace.steps.iter().zip(&copied.steps) {
        let (mut ours, mut theirs) = (evaluator(system, step), evaluator(&copy, twin));
        let watched = |s: &System| {
            let named = s.bads.iter().chain(&s.outputs).map(|n| n.term);
            named.chain(s.constraints.iter().copied()).collect::<Vec<_>>()
        };
        for (a, b) in watched(system).into_iter().zip(watched(&copy)) {
            assert_eq!(ours.eval(a), theirs.eval(b), "{}", written.text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_copy_behaves_alike(seed in any::<u64>()) {
        let system = parse("random", random_model(seed).as_bytes()).expect("a valid model");
        compare(&system, &mut Genes::new(seed ^ 0xabcdef));
    }
}

#[test]
fn names_and_order_are_kept() {
    let text = "1 sort bitvec 4\n2 input 1 a\n3 state 1 b\n4 state 1 c\n5 sort bitvec 1\n\
        6 ult 5 2 3\n7 bad 6 low\n8 output 4 c_out\n9 next 1 3 2\n";
    let system = parse("m", text.as_bytes()).expect("a valid model");
    let written = write(&system).expect("a writable system");
    assert_eq!(written.states, [Origin::State(0), Origin::State(1)]);
    let copy = parse("copy", written.text.as_bytes()).expect("a valid model");
    let names = |s: &System| s.states.iter().map(|t| s.name(t.var).to_string()).collect::<Vec<_>>();
    assert_eq!(names(&copy), names(&system));
    assert_eq!(
        (copy.bads[0].name.as_deref(), copy.outputs[0].name.as_deref()),
        (Some("low"), Some("c_out"))
    );
    assert_eq!(write(&copy).map(|w| w.text), Ok(written.text), "writing is a fixed point");
}

/// What the format cannot say directly: inputs in initial values, initial values that read later
/// states, constant arrays inside of terms, and names with blanks.
#[test]
fn systems_beyond_the_format() {
    let mut system = System::new();
    let byte = Sort::Bv(8);
    let array = Sort::Array { index: 2, element: 8 };
    let start = system.add_input("the start", byte);
    let first = system.add_state("first", byte);
    let second = system.add_state("second", byte);
    let memory = system.add_state(";memory", array);
    let terms = &mut system.terms;
    let (sum, zero, one) = (terms.add(second, start), terms.zero(8), terms.number(2, 1));
    let empty = terms.const_array(2, zero);
    let filled = terms.const_array(2, start);
    let (init, next) = (terms.write(empty, one, second), terms.write(filled, one, first));
    let read = terms.read(memory, one);
    let bad = terms.eq(read, start);
    system.states[0].init = Some(sum);
    system.states[1].next = Some(first);
    system.states[2].init = Some(init);
    system.states[2].next = Some(next);
    system.add_bad(Some("a bad one".into()), bad);
    let written = write(&system).expect("a writable system");
    let order: Vec<Origin> =
        written.states.iter().copied().filter(|o| *o != Origin::Constant).collect();
    assert_eq!(order, [Origin::Input(0), Origin::State(1), Origin::State(0), Origin::State(2)]);
    assert!(written.inputs.is_empty());
    compare(&system, &mut Genes::new(5));
}

#[test]
fn an_array_of_terms_may_be_too_large_to_write() {
    let mut system = System::new();
    let value = system.add_input("value", Sort::BOOL);
    let sort = Sort::Array { index: 32, element: 1 };
    system.add_state("array", sort);
    let filled = system.terms.const_array(32, value);
    system.states[0].next = Some(filled);
    assert_eq!(write(&system), Err(WriteError::ArrayOfTerms { sort }));
}
