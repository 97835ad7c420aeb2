//! What journals keep and refuse.

use super::*;
use crate::record::Outcome;
use crate::tasks::Expected;
use std::time::Duration;

fn header() -> Header {
    let limits = Limits { time: Duration::from_secs(20), memory: Some(1 << 30) };
    Header::new("suite", "program 1", &limits)
}

fn engine(argument: &str) -> Engine {
    Engine { name: "e".into(), arguments: vec![argument.into()] }
}

fn task(name: &str, expected: Expected) -> Task {
    Task { name: name.into(), expected, ..Task::default() }
}

fn record(name: &str) -> Record {
    Record {
        engine: "e".into(),
        arguments: vec!["a".into()],
        task: name.into(),
        data_model: None,
        property: None,
        subproperty: None,
        category: String::new(),
        expected: Expected::Unknown,
        outcome: Outcome::True,
        reason: String::new(),
        seconds: 0.5,
        cpu_seconds: 0.25,
        peak_bytes: 7,
        machine: None,
        detail: Some(serde_json::json!({"figures": {"bound": 3}})),
    }
}

#[test]
fn finished_runs_are_found_again() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path(), &header(), false).unwrap();
    journal.append(record("x")).unwrap();
    drop(journal);
    let journal = Journal::open(dir.path(), &header(), false).unwrap();
    let found = journal.find(&engine("a"), &task("x", Expected::Unsafe)).unwrap();
    assert_eq!(found, Record { expected: Expected::Unsafe, ..record("x") });
    assert_eq!(journal.find(&engine("b"), &task("x", Expected::Unknown)), None);
    assert_eq!(journal.find(&engine("a"), &task("y", Expected::Unknown)), None);
}

#[test]
fn a_line_cut_short_anywhere_costs_only_that_run() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path(), &header(), false).unwrap();
    journal.append(record("x")).unwrap();
    let path = dir.path().join(FILE);
    let whole = std::fs::metadata(&path).unwrap().len();
    journal.append(record("y")).unwrap();
    drop(journal);
    let bytes = std::fs::read(&path).unwrap();
    for length in (whole..bytes.len() as u64).step_by(7) {
        std::fs::write(&path, &bytes[..length as usize]).unwrap();
        let mut journal = Journal::open(dir.path(), &header(), false).unwrap();
        assert!(journal.find(&engine("a"), &task("x", Expected::Unknown)).is_some());
        assert!(journal.find(&engine("a"), &task("y", Expected::Unknown)).is_none());
        journal.append(record("y")).unwrap();
        drop(journal);
        assert_eq!(std::fs::read(&path).unwrap(), bytes);
    }
}

#[test]
fn other_conditions_and_damage_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    drop(Journal::open(dir.path(), &header(), false).unwrap());
    let other = Header { program: "program 2".into(), ..header() };
    let refused = Journal::open(dir.path(), &other, false).err().unwrap().to_string();
    assert!(refused.contains("another program") && refused.contains("--fresh"), "{refused}");
    let mut fresh = Journal::open(dir.path(), &other, true).unwrap();
    fresh.append(record("x")).unwrap();
    drop(fresh);
    let path = dir.path().join(FILE);
    let damaged = std::fs::read_to_string(&path).unwrap().replace("\"task\"", "\"tusk\"");
    std::fs::write(&path, damaged).unwrap();
    let error = Journal::open(dir.path(), &other, false).err().unwrap().to_string();
    assert!(error.contains("results.jsonl:2: damaged result"), "{error}");
}

#[test]
fn only_one_process_at_a_time() {
    let dir = tempfile::tempdir().unwrap();
    let _journal = Journal::open(dir.path(), &header(), false).unwrap();
    assert!(Journal::open(dir.path(), &header(), false).is_err());
}
