//! The operators by their names: what a file says against plain arithmetic, on all operands of
//! width 4.

use std::fmt::Write;
use wedge_hw::btor2::parse;
use wedge_logic::{BitVec, Value};
use wedge_model::simulate_words::{evaluator, run};
use wedge_model::{Choice, System};

const N: i64 = 16;

fn signed(a: i64) -> i64 {
    if a >= N / 2 { a - N } else { a }
}

fn outside(value: i64) -> i64 {
    !(-N / 2..N / 2).contains(&value) as i64
}

fn rotate(a: i64, steps: i64) -> i64 {
    a << steps | a >> (4 - steps)
}

fn shifted(a: i64, b: i64) -> i64 {
    if b < 4 { a >> b } else { 0 }
}

type Function = fn(i64, i64) -> i64;

/// Name, width of the result, and function of the unsigned operands.
const BINARY: [(&str, u32, Function); 37] = [
    ("eq", 1, |a, b| (a == b) as i64),
    ("neq", 1, |a, b| (a != b) as i64),
    ("ugt", 1, |a, b| (a > b) as i64),
    ("ugte", 1, |a, b| (a >= b) as i64),
    ("ult", 1, |a, b| (a < b) as i64),
    ("ulte", 1, |a, b| (a <= b) as i64),
    ("sgt", 1, |a, b| (signed(a) > signed(b)) as i64),
    ("sgte", 1, |a, b| (signed(a) >= signed(b)) as i64),
    ("slt", 1, |a, b| (signed(a) < signed(b)) as i64),
    ("slte", 1, |a, b| (signed(a) <= signed(b)) as i64),
    ("and", 4, |a, b| a & b),
    ("nand", 4, |a, b| !(a & b)),
    ("nor", 4, |a, b| !(a | b)),
    ("or", 4, |a, b| a | b),
    ("xnor", 4, |a, b| !(a ^ b)),
    ("xor", 4, |a, b| a ^ b),
    ("rol", 4, |a, b| rotate(a, b % 4)),
    ("ror", 4, |a, b| rotate(a, 4 - b % 4)),
    ("sll", 4, |a, b| a << b),
    ("sra", 4, |a, b| signed(a) >> b),
    ("srl", 4, shifted),
    ("add", 4, |a, b| a + b),
    ("mul", 4, |a, b| a * b),
    ("udiv", 4, |a, b| a.checked_div(b).unwrap_or(-1)),
    ("sdiv", 4, |a, b| {
        signed(a).checked_div(signed(b)).unwrap_or(if signed(a) < 0 { 1 } else { -1 })
    }),
    ("smod", 4, |a, b| match signed(b) {
        0 => a,
        b => (signed(a) % b + b) % b,
    }),
    ("urem", 4, |a, b| a.checked_rem(b).unwrap_or(a)),
    ("srem", 4, |a, b| signed(a).checked_rem(signed(b)).unwrap_or(a)),
    ("sub", 4, |a, b| a - b),
    ("uaddo", 1, |a, b| (a + b >= N) as i64),
    ("saddo", 1, |a, b| outside(signed(a) + signed(b))),
    ("sdivo", 1, |a, b| signed(a).checked_div(signed(b)).map_or(0, outside)),
    ("umulo", 1, |a, b| (a * b >= N) as i64),
    ("smulo", 1, |a, b| outside(signed(a) * signed(b))),
    ("usubo", 1, |a, b| (a < b) as i64),
    ("ssubo", 1, |a, b| outside(signed(a) - signed(b))),
    ("concat", 8, |a, b| a * N + b),
];

const UNARY: [(&str, u32, Function); 11] = [
    ("not", 4, |a, _| !a),
    ("inc", 4, |a, _| a + 1),
    ("dec", 4, |a, _| a - 1),
    ("neg", 4, |a, _| -a),
    ("redand", 1, |a, _| (a == N - 1) as i64),
    ("redor", 1, |a, _| (a != 0) as i64),
    ("redxor", 1, |a, _| a.count_ones() as i64),
    ("uext 4", 8, |a, _| a),
    ("sext 4", 8, |a, _| signed(a)),
    ("slice 2 1", 2, |a, _| a >> 1),
    ("slice 3 3", 1, |a, _| a >> 3),
];

/// The sort with the id w has width w; the operands are 20 and 21; each operator is an output.
fn model() -> System {
    let mut text = String::new();
    for width in [1, 2, 4, 8] {
        let _ = writeln!(text, "{width} sort bitvec {width}");
    }
    text.push_str("20 input 4 a\n21 input 4 b\n");
    let mut id = 30;
    for (name, width, _) in BINARY {
        let _ = writeln!(text, "{id} {name} {width} 20 21\n{} output {id}", id + 1);
        id += 2;
    }
    for (name, width, _) in UNARY {
        let (name, parameters) = name.split_once(' ').unwrap_or((name, ""));
        let _ = writeln!(text, "{id} {name} {width} 20 {parameters}\n{} output {id}", id + 1);
        id += 2;
    }
    parse("operators.btor2", text.as_bytes()).expect("a valid model")
}

#[test]
fn every_operator_on_all_operands() {
    let system = model();
    for (a, b) in (0..N).flat_map(|a| (0..N).map(move |b| (a, b))) {
        let mut choice = Choice::open(&system);
        let value = |v: i64| Some(Value::Bv(BitVec::new(4, v as u64)));
        choice.inputs = vec![value(a), value(b)];
        let trace = run(&system, &[choice]).expect("a run of one step");
        let mut evaluator = evaluator(&system, &trace.steps[0]);
        for ((name, width, function), output) in BINARY.iter().chain(&UNARY).zip(&system.outputs) {
            let wanted = BitVec::new(*width, function(a, b) as u64);
            assert_eq!(evaluator.eval_bv(output.term), Ok(&wanted), "{name} {a} {b}");
        }
    }
}

#[test]
fn boolean_operators_and_choices() {
    let text = "1 sort bitvec 1\n2 input 1 p\n3 input 1 q\n4 iff 1 2 3\n5 implies 1 2 3\n\
        6 ite 1 2 3 -3\n7 output 4\n8 output 5\n9 output 6\n";
    let system = parse("m", text.as_bytes()).expect("a valid model");
    for (p, q) in [(false, false), (false, true), (true, false), (true, true)] {
        let choice = Choice { states: vec![], inputs: vec![Some(p.into()), Some(q.into())] };
        let trace = run(&system, &[choice]).expect("a run of one step");
        let mut evaluator = evaluator(&system, &trace.steps[0]);
        let mut output = |i: usize| evaluator.holds(system.outputs[i].term);
        assert_eq!(output(0), Ok(p == q));
        assert_eq!(output(1), Ok(!p || q));
        assert_eq!(output(2), Ok(if p { q } else { !q }));
    }
}
