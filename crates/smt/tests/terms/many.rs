//! Many random queries against z3: terms of all operators over words of any width, arrays and
//! floats. z3 gets a hundred queries per process, as complete scripts with `(reset)` between them;
//! floats are printed in its own theory of floats, so that lowering is compared as well.

use crate::external::solver;
use crate::generator::{Generator, Kinds};
use crate::solver::{ARRAY, SMALL_ARRAY, run};
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;
use wedge_logic::{Sort, Term, float};
use wedge_sat::Interrupt;
use wedge_sat::random::Random;
use wedge_smt::{Answer, Solver};

/// Milliseconds that z3 may take for a query; queries beyond are not compared.
const LIMIT: u32 = 300;
const SILENCE: Duration = Duration::from_secs(3);
const CONFLICTS: i32 = 2000;
const PER_SESSION: usize = 10;
const PER_PROCESS: usize = 100;

struct Query {
    seed: u64,
    answer: Answer,
    script: String,
}

#[derive(Default)]
struct Counts {
    agreed: usize,
    satisfiable: usize,
    /// One of the two gave up.
    open: usize,
}

/// Small widths are frequent, as hard queries say least per second.
fn sorts(seed: u64, kinds: Kinds) -> Vec<Sort> {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let mut pick = |n: u64| {
        (0..3).for_each(|_| {
            random.word();
        });
        (random.word() >> 20) % n
    };
    let mut width = || match pick(20) {
        0..=9 => 1 + pick(8) as u32,
        10..=17 => 1 + pick(20) as u32,
        18 => 20 + pick(16) as u32,
        _ if pick(10) == 0 => 64 + pick(70) as u32,
        _ => 30 + pick(35) as u32,
    };
    let mut sorts: Vec<Sort> = (0..3).map(|_| Sort::Bv(width())).collect();
    sorts.push(Sort::BOOL);
    if kinds.arrays {
        sorts.push(Sort::Array { index: width(), element: width().min(16) });
        sorts.push(Sort::Array { index: width().min(8), element: width() });
    }
    sorts
}

/// Queries of one incremental session.
fn session(seed: u64, kinds: Kinds) -> Vec<Query> {
    let mut generator = Generator::new(seed, &sorts(seed, kinds));
    let variables = generator.variables.clone();
    let mut solver = Solver::new(&Interrupt::default());
    solver.set_conflicts(Some(CONFLICTS));
    let query = |number: usize| {
        // Terms of the last queries return in some of the next ones, but do not grow for ever.
        if number % 3 == 2 {
            generator.focus(&variables);
        }
        let steps = 3 + generator.pick(6);
        (0..steps).for_each(|_| generator.step(kinds));
        let count = 1 + generator.pick(3);
        let query: Vec<Term> = (0..count).map(|_| generator.condition()).collect();
        let answer = solver.check_assuming(&mut generator.store, &query);
        let script = float::script(&generator.store, &query);
        Query { seed, answer, script }
    };
    (0..PER_SESSION).map(query).collect()
}

/// What z3 answers, by query. Its own limit does not hold while it simplifies, so a process that
/// is silent for long is ended, and another one gets the queries after the one in question.
fn ask_z3(queries: &[Query]) -> Vec<String> {
    let mut answers = Vec::new();
    while answers.len() < queries.len() {
        let lines = ask_process(&queries[answers.len()..]);
        answers.extend(lines);
        if answers.len() < queries.len() {
            answers.push("timeout".to_string());
        }
    }
    answers
}

/// What one process answers before it is silent for too long.
fn ask_process(queries: &[Query]) -> Vec<String> {
    let mut child = Command::new("z3")
        .args(["-in", "-smt2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("z3 starts");
    let mut input = child.stdin.take().expect("piped");
    let mut text = String::new();
    for query in queries {
        text += &format!("(set-option :timeout {LIMIT})\n{}", query.script);
        text += "(check-sat)\n(reset)\n";
    }
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = BufReader::new(child.stdout.take().expect("piped"));
    let (sender, lines) = channel();
    let reader = std::thread::spawn(move || {
        output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
    });
    let mut answers = Vec::new();
    while answers.len() < queries.len()
        && let Ok(line) = lines.recv_timeout(SILENCE)
    {
        answers.push(line);
    }
    drop(lines);
    let _ = child.kill();
    let _ = child.wait();
    let _ = (writer.join(), reader.join());
    answers
}

/// Panics on the first disagreement.
fn compare(queries: &[Query], counts: &mut Counts) {
    let answers = ask_z3(queries);
    assert_eq!(answers.len(), queries.len(), "{answers:?}");
    for (query, said) in queries.iter().zip(answers) {
        let expected = match said.as_str() {
            "sat" => Answer::Sat,
            "unsat" => Answer::Unsat,
            "unknown" | "timeout" => {
                counts.open += 1;
                continue;
            }
            _ => panic!("seed {}: z3 says {said}\n{}", query.seed, query.script),
        };
        match &query.answer {
            Answer::Unknown(_) => counts.open += 1,
            answer => {
                assert_eq!(answer, &expected, "seed {}:\n{}", query.seed, query.script);
                counts.agreed += 1;
                counts.satisfiable += (expected == Answer::Sat) as usize;
            }
        }
    }
}

/// Compares until so many queries agree.
fn many(name: &str, first: u64, wanted: usize, kinds: Kinds) {
    if solver("z3").is_none() {
        return;
    }
    let (mut counts, mut seed) = (Counts::default(), first);
    let mut shown = 0;
    while counts.agreed < wanted {
        let mut queries = Vec::new();
        while queries.len() < PER_PROCESS.min(wanted) {
            queries.extend(session(seed, kinds));
            seed += 1;
        }
        compare(&queries, &mut counts);
        if counts.agreed / 1000 > shown {
            shown = counts.agreed / 1000;
            println!("{name}: {} queries agree", counts.agreed);
        }
        assert!(counts.open < 1000 + counts.agreed, "most queries are answered");
    }
    let Counts { agreed, satisfiable, open } = counts;
    println!("{name}: {agreed} agree, {satisfiable} of them satisfiable; {open} not compared");
    assert!(satisfiable > agreed / 20 && satisfiable < agreed - agreed / 20);
}

const WORDS: Kinds = Kinds { arrays: false, floats: false };
const ARRAYS: Kinds = Kinds { arrays: true, floats: false };
const ALL: Kinds = Kinds { arrays: true, floats: true };

#[test]
fn queries_agree_with_z3() {
    many("words", 0, 100, WORDS);
    many("arrays", 1000, 100, ARRAYS);
    many("floats", 2000, 30, ALL);
}

/// The long run has four parts, 100,000 queries together:
/// `cargo test --release -p wedge-smt --test terms -- --ignored --nocapture long_run`.
#[test]
#[ignore = "half an hour"]
fn long_run_against_brute_force() {
    let words = [Sort::Bv(3), Sort::Bv(3), Sort::BOOL];
    let floats = Kinds { arrays: false, floats: true };
    let mut brute = run(0..4000, &words, WORDS);
    brute += run(4000..8000, &[Sort::Bv(2), Sort::BOOL, SMALL_ARRAY], ARRAYS);
    brute += run(8000..11000, &[Sort::Bv(2), ARRAY, ARRAY], ARRAYS);
    brute += run(11000..11500, &[Sort::Bv(8), Sort::BOOL], floats);
    println!("brute force: {brute} queries agree");
}

#[test]
#[ignore = "half an hour"]
fn long_run_of_words() {
    many("words", 100_000, 8_000, WORDS);
}

#[test]
#[ignore = "half an hour"]
fn long_run_of_arrays() {
    many("arrays", 200_000, 8_000, ARRAYS);
}

#[test]
#[ignore = "half an hour"]
fn long_run_of_floats() {
    many("floats", 300_000, 8_000, ALL);
}
