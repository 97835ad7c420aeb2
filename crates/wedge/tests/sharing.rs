//! What members of a portfolio tell one another, seen from outside: a member is driven over its
//! standard input, and verdicts do not depend on the exchange.

mod common;

use common::*;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{ChildStdin, Stdio};

/// The messages of a member of which one is sought, and its standard input, which has to live as
/// long as the member should.
struct Member {
    child: std::process::Child,
    input: ChildStdin,
    output: BufReader<std::process::ChildStdout>,
}

impl Member {
    fn start(file: &Path, engine: &str, extra: &[&str]) -> Member {
        let arguments = ["check", file.to_str().unwrap(), "--engine", engine, "--member", "0"];
        let mut command = wedge(&[&arguments[..], extra].concat());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        let input = child.stdin.take().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        Member { child, input, output }
    }

    fn tell(&mut self, message: &Value) {
        writeln!(self.input, "{message}").unwrap();
    }

    /// The content of the next message with this name; none if there is no such message.
    fn next(&mut self, name: &str) -> Option<Value> {
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            let mut message: Value = serde_json::from_str(&line).unwrap();
            if let Some(content) = message.get_mut(name) {
                return Some(content.take());
            }
        }
    }

    /// The verdict, and how many facts and bounds were received.
    fn answer(mut self) -> (Value, f64, f64) {
        let mut message = self.next("Answer").unwrap();
        let answer = message["answer"].take();
        let figure = |name: &str| {
            let extra = answer["figures"]["extra"].as_array().unwrap().iter();
            let mut found = extra.filter(|pair| pair[0] == name);
            found.next().map_or(0.0, |pair| pair[1].as_f64().unwrap())
        };
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        (message["verdict"].take(), figure("shared: facts"), figure("shared: bounds"))
    }
}

/// The key of a model that unrolling does not decide, from what another member says about it.
fn key_of(file: &Path) -> Value {
    let mut bmc = Member::start(file, "bmc", &["--timeout", "60s", "--no-preprocess"]);
    let share = bmc.next("Share").unwrap();
    assert!(share["news"]["Bound"].is_u64(), "{share}");
    bmc.child.kill().unwrap();
    bmc.child.wait().unwrap();
    share["model"].clone()
}

/// One fact as a literal: latch n is the variable n + 1.
fn fact(key: &Value, root: u32) -> Value {
    let latches = &key["latches"];
    json!({ "model": key, "news": { "Facts": { "latches": latches, "gates": [], "roots": [root] } } })
}

const NOT_BIT_0: u32 = 3;
const BIT_0: u32 = 2;

/// The counter has only even values, but no number of steps shows that: odd ones go round in a
/// circle, and the counter may stay where it is. Preprocessing would find that.
#[test]
fn induction_uses_a_fact_that_was_received() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.aag", &safe());
    let key = key_of(&file);
    let mut kind = Member::start(&file, "kind", &["--timeout", "60s", "--no-preprocess"]);
    kind.tell(&fact(&key, NOT_BIT_0));
    let (verdict, facts, _) = kind.answer();
    assert_eq!((verdict, facts), (json!("True"), 1.0));
}

#[test]
fn messages_that_do_not_concern_the_model_change_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.aag", &safe());
    let key = key_of(&file);
    let mut other = key.clone();
    other["digest"] = json!(key["digest"].as_u64().unwrap() ^ 1);
    let whole = fact(&key, NOT_BIT_0).to_string();
    let mut kind = Member::start(&file, "kind", &["--max-bound", "20", "--no-preprocess"]);
    kind.tell(&fact(&other, NOT_BIT_0));
    kind.tell(&fact(&key, 1000));
    kind.tell(&json!({ "model": key, "news": "Rumour" }));
    kind.input.write_all(&whole.as_bytes()[..whole.len() - 3]).unwrap();
    kind.input.write_all(b"\n\xff\xff\n").unwrap();
    let (verdict, facts, bounds) = kind.answer();
    assert_eq!((verdict, facts, bounds), (json!({ "Unknown": { "BoundReached": 20 } }), 0.0, 0.0));
}

#[test]
fn without_sharing_nothing_is_taken_or_sent() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.aag", &safe());
    let key = key_of(&file);
    let extra = ["--max-bound", "20", "--no-sharing", "--no-preprocess"];
    let mut kind = Member::start(&file, "kind", &extra);
    kind.tell(&fact(&key, NOT_BIT_0));
    assert_eq!(kind.answer().0, json!({ "Unknown": { "BoundReached": 20 } }));
    let mut bmc = Member::start(&file, "bmc", &["--max-bound", "20", "--no-sharing"]);
    assert!(bmc.next("Share").is_none());
    bmc.child.wait().unwrap();
}

/// Lies cost the answer, which no check accepts.
#[test]
fn lies_are_not_believed() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.aag", &endless());
    let key = key_of(&file);
    let bound = json!({ "model": key, "news": { "Bound": 1000 } });
    let (odd, even) = (fact(&key, BIT_0), fact(&key, NOT_BIT_0));
    let cases = [("bmc", &bound), ("kind", &bound), ("kind", &odd), ("pdr", &even), ("imc", &even)];
    let start = |(engine, lie): &(&str, &Value)| {
        let mut member = Member::start(&file, engine, &["--timeout", "2s"]);
        member.tell(lie);
        member
    };
    let members: Vec<Member> = cases.iter().map(start).collect();
    for (member, (engine, lie)) in members.into_iter().zip(cases) {
        let (verdict, facts, bounds) = member.answer();
        assert_ne!(verdict, json!("True"), "{engine}: {lie}");
        assert_eq!(facts + bounds, 1.0, "{engine}: {lie}");
    }
}

/// A fact as a constraint makes the bad state unreachable for every engine that takes it.
#[test]
fn every_prover_takes_facts() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.aag", &safe());
    let key = key_of(&file);
    for engine in ["pdr", "imc", "ismc", "dar", "cnf-itp"] {
        let mut member = Member::start(&file, engine, &["--timeout", "60s", "--no-preprocess"]);
        member.tell(&fact(&key, NOT_BIT_0));
        let (verdict, ..) = member.answer();
        assert_eq!(verdict, json!("True"), "{engine}");
    }
}

#[test]
fn verdicts_do_not_depend_on_sharing() {
    let files = ["arbiter.aag", "bounded_counter.btor2", "leaky_bucket.btor2"];
    let programs = ["even_steps.c", "lost_update.c"];
    for name in files.iter().chain(&programs) {
        let file = example(name);
        let verdict = |extra: &[&str]| {
            let run = run(&[&["check", &file, "--timeout", "60s"], extra].concat());
            run.verdict().to_string()
        };
        let shared = verdict(&[]);
        assert!(shared == "TRUE" || shared.starts_with("FALSE"), "{name}: {shared}");
        assert_eq!(shared, verdict(&["--no-sharing"]), "{name}");
    }
}

/// Standard input of the portfolio is not that of its members.
#[test]
fn a_portfolio_needs_no_input() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.aag", &safe());
    let arguments = ["check", file.to_str().unwrap(), "--json", "--timeout", "60s"];
    let output = wedge(&arguments).stdin(Stdio::null()).output().unwrap();
    assert_eq!(last_line(&output), "TRUE");
    let json: Value = serde_json::from_str(stdout(&output).lines().next().unwrap()).unwrap();
    assert!(json["members"].as_array().unwrap().iter().all(|m| m["shared_facts"].is_u64()));
}
