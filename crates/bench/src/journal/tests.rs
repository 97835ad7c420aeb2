//! What journals keep and refuse.

use super::*;
use crate::record::Outcome;
use crate::tasks::Expected;
use std::time::Duration;

fn header() -> Header {
    let limits =
        Limits { time: Duration::from_secs(20), cpu: None, memory: Some(1 << 30), again: None };
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
        again_seconds: None,
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

const SECOND: Shard = Shard { index: 2, count: 3 };

/// A part with these tasks, made by a process of its own.
fn part(directory: &Path, tasks: &[&str]) {
    let mut journal = Journal::open_part(directory, &header(), SECOND).unwrap();
    tasks.iter().for_each(|task| journal.append(record(task)).unwrap());
}

fn names(records: &[Record]) -> Vec<&str> {
    records.iter().map(|record| record.task.as_str()).collect()
}

#[test]
fn parts_are_taken_in_once() {
    let dir = tempfile::tempdir().unwrap();
    let mut journal = Journal::open(dir.path(), &header(), false).unwrap();
    journal.append(record("here")).unwrap();
    part(dir.path(), &["x", "y"]);
    // A second attempt, by a machine that had not seen the first.
    part(dir.path(), &["y", "z", "here"]);
    assert_eq!(names(&journal.absorb().unwrap()), ["x", "y", "z"]);
    assert_eq!(names(&journal.absorb().unwrap()), [""; 0]);
    part(dir.path(), &["late"]);
    assert_eq!(names(&journal.absorb().unwrap()), ["late"]);
    drop(journal);
    let text = std::fs::read_to_string(dir.path().join(FILE)).unwrap();
    assert_eq!(text.lines().count(), 6);
    // A shard knows what all others have found.
    let shard = Journal::open_part(dir.path(), &header(), SECOND).unwrap();
    for name in ["here", "x", "y", "z", "late"] {
        assert!(shard.find(&engine("a"), &task(name, Expected::Unknown)).is_some(), "{name}");
    }
    Journal::open(dir.path(), &header(), true).unwrap();
    assert_eq!(std::fs::read_dir(dir.path().join("parts")).unwrap().count(), 0);
}

#[test]
fn the_end_of_a_part_may_be_missing_or_unreadable() {
    let dir = tempfile::tempdir().unwrap();
    part(dir.path(), &["x", "y"]);
    let path = dir.path().join("parts/2-of-3.1.jsonl");
    let bytes = std::fs::read(&path).unwrap();
    let end_of_x = bytes.len() - serde_json::to_vec(&record("y")).unwrap().len() - 1;
    for length in [end_of_x, end_of_x + 9, bytes.len() - 1] {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let mut journal = Journal::open(dir.path(), &header(), true).unwrap();
        std::fs::write(&path, &bytes[..length]).unwrap();
        assert_eq!(names(&journal.absorb().unwrap()), ["x"]);
        // The rest arrives.
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(names(&journal.absorb().unwrap()), ["y"]);
    }
    let mut holes = bytes.clone();
    holes[end_of_x + 3..end_of_x + 20].fill(0);
    let mut journal = Journal::open(dir.path(), &header(), true).unwrap();
    std::fs::write(&path, &holes).unwrap();
    assert_eq!(names(&journal.absorb().unwrap()), ["x"]);
    // What is followed by other lines is not on its way.
    holes.extend_from_slice(&bytes[end_of_x..]);
    std::fs::write(&path, &holes).unwrap();
    let error = journal.absorb().unwrap_err().to_string();
    assert!(error.contains("2-of-3.1.jsonl:3: damaged result"), "{error}");
    for start in [&b""[..], &bytes[..5]] {
        std::fs::write(&path, start).unwrap();
        assert!(Journal::open_part(dir.path(), &header(), SECOND).is_ok());
    }
}

#[test]
fn parts_of_another_program_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    part(dir.path(), &["x"]);
    let other = Header { program: "program 2".into(), ..header() };
    let refused = Journal::open(dir.path(), &other, false).err().unwrap().to_string();
    assert!(refused.contains("parts/2-of-3.1.jsonl: the results were made with another program"));
}

#[test]
fn results_elsewhere_are_merged() {
    let [one, two] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let mut journal = Journal::open(one.path(), &header(), false).unwrap();
    Journal::open(two.path(), &header(), false).unwrap().append(record("x")).unwrap();
    part(two.path(), &["x", "y"]);
    assert_eq!(names(&journal.merge(&header(), two.path()).unwrap()), ["x", "y"]);
    let file = two.path().join("parts/2-of-3.1.jsonl");
    assert_eq!(names(&journal.merge(&header(), &file).unwrap()), [""; 0]);
    assert!(journal.merge(&header(), &two.path().join("gone")).is_err());
}

#[test]
fn a_property_is_the_same_from_another_folder() {
    let same = |a: &str, b: &str| same_file(Some(Path::new(a)), Some(Path::new(b)));
    assert!(same("/x/c/properties/p.prp", "./c/properties/p.prp"));
    assert!(!same("a/properties/p.prp", "b/properties/p.prp"));
    assert!(same_file(None, None) && !same_file(None, Some(Path::new("p.prp"))));
}
