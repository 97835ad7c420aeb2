//! Runs with and without leaps are the same.

use crate::interp::{Choice, ChoiceKind, Limits, Oracle, Outcome, Run, run};
use crate::property::Property;
use crate::typed::Program;
use crate::types::DataModel;
use crate::violation::Properties;

struct Zeros(bool);

impl Oracle for Zeros {
    fn choose(&mut self, choice: &Choice) -> u128 {
        matches!(choice.kind, ChoiceKind::Input(_)) as u128
    }

    fn may_leap(&self) -> bool {
        self.0
    }
}

fn load(text: &str) -> Program {
    let text =
        format!("extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n{text}");
    crate::load_text(&text, "t.c", DataModel::Lp64)
        .unwrap_or_else(|error| panic!("{error:?} {text}"))
}

fn properties(name: &str) -> Properties {
    Properties::new(vec![Property::named(name).unwrap()]).unwrap()
}

fn execute<'p>(
    program: &'p Program,
    properties: &Properties,
    leaps: bool,
    limits: Limits,
) -> Run<'p> {
    run(program, properties, &mut Zeros(leaps), limits)
}

/// How many steps were made many at a time, in a run that is the same without that.
fn leapt(text: &str, properties: &Properties, trace: usize) -> u64 {
    let program = load(text);
    let limits = Limits { steps: 60_000, trace, ..Limits::default() };
    let [with, without] = [true, false].map(|leaps| execute(&program, properties, leaps, limits));
    assert_eq!(without.leapt, 0);
    assert_eq!(with.outcome, without.outcome, "{text}");
    if with.outcome != Outcome::StepLimit {
        assert_eq!(with.steps, without.steps, "{text}");
        assert_eq!(with.detail, without.detail, "{text}");
        // A long trace may be cut off at a leap.
        let [a, b] = [&with, &without].map(|run| run.trace.show(&program));
        assert!(b.ends_with(&a), "{text}");
        assert!(trace > 50 || a == b, "{text}");
        let [a, b] = [&with, &without].map(|run| run.trace.dropped + run.trace.events.len() as u64);
        assert_eq!(a, b, "{text}");
    }
    with.leapt
}

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    fn one<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const TYPES: &[&str] = &[
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
];
const RELATIONS: &[&str] = &["<", "<=", ">", ">=", "==", "!="];
const STEPS: &[&str] =
    &["1", "-1", "2", "-3", "7", "100", "-1000", "65537", "40503", "2654435769u", "0"];
const BEGINS: &[&str] = &[
    "0",
    "1",
    "-5",
    "100",
    "-100",
    "126",
    "254",
    "30000",
    "65000",
    "100000",
    "-100000",
    "2147480000",
    "-2147480000",
    "4294960000u",
];

/// A variable, or sometimes a number.
fn operand(numbers: &mut Numbers) -> &'static str {
    match numbers.below(4) {
        0 => numbers.one(BEGINS),
        _ => numbers.one(&["a", "b", "c", "d", "g"]),
    }
}

fn update(numbers: &mut Numbers) -> String {
    let variable = numbers.one(&["a", "b", "c", "g"]);
    let (step, operand) = (numbers.one(STEPS), operand(numbers));
    match numbers.below(9) {
        0..=3 => format!("{variable} += {step};"),
        4 => format!("{variable} -= d;"),
        5 => format!("{variable} = {operand};"),
        6 => format!("{variable} += {operand};"),
        7 => format!("{variable} = {variable} + add({operand}, {step});"),
        _ => format!("{{ int t = {operand}; {variable} -= t + {step}; }}"),
    }
}

fn condition(numbers: &mut Numbers) -> String {
    let (left, right) = (operand(numbers), operand(numbers));
    format!("{left} {} {right}", numbers.one(RELATIONS))
}

fn random_loop(numbers: &mut Numbers) -> String {
    let mut text = String::new();
    let types = [0; 5].map(|_| numbers.one(TYPES));
    let begins = [0; 5].map(|_| numbers.one(BEGINS));
    text += &format!(
        "{} g = {}; int add({} x, int y) {{ return x + y; }}\n",
        types[0],
        begins[0],
        numbers.one(TYPES)
    );
    text += "int main(void) {\n";
    for (index, name) in ["a", "b", "c", "d"].iter().enumerate() {
        text += &format!("  {} {name} = {};\n", types[index + 1], begins[index + 1]);
    }
    text += &format!("  while ({}) {{\n", condition(numbers));
    for _ in 0..1 + numbers.below(3) {
        text += &format!("    {}\n", update(numbers));
    }
    if numbers.below(3) == 0 {
        text += &format!(
            "    if ({}) {} else {}\n",
            condition(numbers),
            update(numbers),
            update(numbers)
        );
    }
    if numbers.below(4) == 0 {
        text += &format!("    if ({}) break;\n", condition(numbers));
    }
    text += "  }\n  return (int)(a + 3 * b + 7 * c + 11 * g);\n}\n";
    text
}

#[test]
fn random_loops_end_as_without_leaps() {
    let mut numbers = Numbers(21);
    let all = [Properties::default(), properties("overflow")];
    let mut leaps = [0; 2];
    for round in 0..400 {
        let text = random_loop(&mut numbers);
        let trace = [0, 1, 50, 5000][round % 4];
        leaps[round / 4 % 2] += (leapt(&text, &all[round / 4 % 2], trace) > 0) as u32;
    }
    assert!(leaps.iter().all(|&leaps| leaps > 20), "{leaps:?}");
}

/// The status of a program whose run takes a leap of at least so many steps.
fn end(text: &str, properties: &Properties, least: u64) -> Outcome {
    let program = load(text);
    let limits = Limits { steps: u64::MAX, ..Limits::default() };
    let run = execute(&program, properties, true, limits);
    assert!(run.leapt >= least, "{} of {}: {text}", run.leapt, run.steps);
    run.outcome
}

#[test]
fn long_loops_are_short() {
    let usual = Properties::default();
    for (text, status) in [
        ("unsigned x = 0; while (x < 4294967295u) x++; return x == 4294967295u;", 1),
        (
            "unsigned long s = 0; for (unsigned i = 0; i < 2147483648u; i++) s += i;
            return s == 2147483648ul * 2147483647ul / 2;",
            1,
        ),
        (
            "unsigned x = 5; unsigned n = 0; while (x != 4) { x += 2654435769u; n++; }
            return n * 2654435769u == 4294967295u;",
            1,
        ),
        (
            "long x = 0; int n = 0; do { x += 3; if (x > 3000000000) break; n++; } while (1);
            return n == 1000000000;",
            1,
        ),
        (
            "unsigned i, j, c = 0; for (i = 0; i < 3000; i++) for (j = 0; j < 1000000; j++) c += j;
            return c == 3000 * (unsigned)499999500000ul;",
            1,
        ),
        ("int last = -1, i = 0; while (last < 1000000000) { last = i; i++; } return i - last;", 1),
    ] {
        let text = format!("int main(void) {{ {text} }}");
        assert_eq!(end(&text, &usual, 1 << 30), Outcome::Finished(status), "{text}");
    }
}

#[test]
fn overflow_ends_a_run_where_it_happens() {
    let text =
        "int main(void) { int x = 0; long n = 0; while (n >= 0) { x += 2; n++; } return 0; }";
    let found = end(text, &properties("overflow"), 1 << 30);
    assert!(matches!(found, Outcome::Violated(_)), "{found:?}");
    let text = "int main(void) { int s = 0, i; for (i = 0; i < 70000; i++) s += i; return 0; }";
    let found = end(text, &properties("overflow"), 1 << 10);
    assert!(matches!(found, Outcome::Violated(_)), "{found:?}");
}

#[test]
fn loops_without_end_and_without_closed_form() {
    let usual = Properties::default();
    let endless = "int main(void) { unsigned x = 1; while (x != 0) x += 2; return 0; }";
    assert_eq!(end(endless, &usual, 0), Outcome::StepLimit);
    for body in ["x = x * 3 + 1;", "x ^= 5; i++;", "x += __VERIFIER_nondet_int();", "a[i % 3]++;"] {
        let text = format!(
            "int main(void) {{ unsigned x = 0; int a[3] = {{ 0 }};
            for (int i = 0; i < 9999; i++) {{ {body} }} return x + a[1]; }}"
        );
        assert_eq!(leapt(&text, &usual, 10), 0, "{text}");
    }
}
