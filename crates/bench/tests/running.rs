//! Runs of small shell scripts: outcomes, limits, interruption and resumption.

use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use wedge_bench::journal::{Header, Journal};
use wedge_bench::{Engine, Expected, Limits, Outcome, Record, Suite, Task, run, runner};

/// Ample time, little memory.
const LIMITS: Limits =
    Limits { time: Duration::from_secs(60), cpu: None, memory: Some(60_000_000), again: None };

fn task(name: &str) -> Task {
    Task { name: name.into(), expected: Expected::Safe, category: "c".into(), ..Task::default() }
}

fn engine(script: &str) -> Engine {
    Engine { name: "sh".into(), arguments: vec!["-c".into(), script.into()] }
}

fn command(engine: &Engine) -> Command {
    let mut command = Command::new("sh");
    command.args(&engine.arguments);
    command
}

fn outcome_within(limits: &Limits, script: &str) -> Record {
    let engine = engine(script);
    let stop = AtomicBool::new(false);
    run::run(command(&engine), &task("t"), &engine, limits, &stop).unwrap()
}

fn outcome(script: &str) -> Record {
    outcome_within(&LIMITS, script)
}

#[test]
fn outcomes() {
    let record = outcome("echo '{\"figures\":{\"bound\":4}}'; echo TRUE");
    assert_eq!((record.outcome, record.figure("bound")), (Outcome::True, Some(4.0)));
    assert_eq!(outcome("echo 'FALSE(bad)'; exit 10").outcome, Outcome::False);
    assert_eq!(outcome("echo 'UNKNOWN(timeout)'; exit 30").outcome, Outcome::Timeout);
    let record = outcome("echo 'first' >&2; echo 'wedge: x.aag:3: bad' >&2; exit 2");
    assert_eq!(record.outcome, Outcome::Crash);
    assert_eq!(record.reason, "exit status 2: wedge: x.aag:3: bad");
    let record = outcome("kill -11 $$");
    assert_eq!((record.outcome, record.reason.as_str()), (Outcome::Crash, "signal 11"));
}

#[test]
fn a_program_that_cannot_be_started() {
    let stop = AtomicBool::new(false);
    let missing = Command::new("/does/not/exist");
    let record = run::run(missing, &task("t"), &engine(""), &LIMITS, &stop).unwrap();
    assert_eq!(record.outcome, Outcome::Crash);
    assert!(record.reason.starts_with("cannot be started"), "{}", record.reason);
}

#[test]
fn a_program_that_ignores_its_time_is_killed_with_its_children() {
    let start = Instant::now();
    let limits = Limits { time: Duration::from_millis(200), cpu: None, memory: None, again: None };
    let record = outcome_within(&limits, "sleep 60 & sleep 60; echo TRUE");
    assert_eq!((record.outcome, record.reason.as_str()), (Outcome::Timeout, "killed"));
    assert!(start.elapsed() < Duration::from_secs(30));
}

/// Waiting costs no processor time; work does, also that of children.
#[test]
fn a_program_that_has_used_up_its_processor_time_is_killed() {
    let limits = Limits { cpu: Some(Duration::from_millis(300)), ..LIMITS };
    let record = outcome_within(&limits, "sh -c 'while :; do :; done'; echo TRUE");
    assert_eq!((record.outcome, record.reason.as_str()), (Outcome::Timeout, "killed"));
    assert!(record.cpu_seconds >= 0.3, "{record:?}");
    assert_eq!(outcome_within(&limits, "sleep 0.5; echo TRUE").outcome, Outcome::True);
}

#[test]
fn a_program_that_ignores_its_memory_is_killed() {
    let record = outcome("head -c 400000000 /dev/zero | tail -c 400000000 | wc -c; echo TRUE");
    assert_eq!(record.outcome, Outcome::Memory, "{record:?}");
    assert!(record.peak_bytes > 60_000_000);
}

/// A suite of six tasks whose runs leave a line in `log`.
fn suite(log: &Path, script: &str) -> Suite {
    let script = format!("echo run >> {}; {script}", log.display());
    Suite {
        name: "n".into(),
        tasks: (0..6).map(|n| task(&format!("t{n}"))).collect(),
        engines: vec![engine(&script)],
        limits: Limits { time: Duration::from_secs(60), cpu: None, memory: None, again: None },
        jobs: 2,
        plans: Default::default(),
    }
}

fn journal(dir: &Path) -> Journal {
    let limits = Limits { time: Duration::from_secs(60), cpu: None, memory: None, again: None };
    Journal::open(dir, &Header::new("n", "sh", &limits), false).unwrap()
}

fn lines(path: &Path) -> usize {
    std::fs::read_to_string(path).unwrap_or_default().lines().count()
}

#[test]
fn finished_runs_are_not_repeated() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let make = |_: &Task, engine: &Engine, _: &Limits| command(engine);
    let stop = AtomicBool::new(false);
    for _ in 0..2 {
        let mut journal = journal(dir.path());
        let results =
            runner::run_suite(suite(&log, "echo TRUE"), &mut journal, &make, &stop).unwrap();
        assert!(results.is_complete());
        assert_eq!(results.iter().filter(|r| r.outcome == Outcome::True).count(), 6);
    }
    assert_eq!(lines(&log), 6);
}

/// A task that one engine solves is left; on others whoever came to the end of its time runs again, once.
#[test]
fn tasks_that_nobody_solves_run_again_for_longer() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let busy = "while :; do :; done";
    let names = ["slow", "quick", "gives-up"];
    let engines = names.map(|name| Engine { name: name.into(), arguments: Vec::new() });
    let make = |task: &Task, engine: &Engine, limits: &Limits| {
        let again = limits.cpu == Some(Duration::from_millis(250));
        let script = match (engine.name.as_str(), task.name.as_str()) {
            ("quick", "t0") => "echo TRUE",
            ("gives-up", _) => "echo 'UNKNOWN(no)'",
            ("slow", "t1") if again => "echo TRUE",
            _ => busy,
        };
        let mut command = Command::new("sh");
        command.args(["-c", &format!("echo run >> {}; {script}", log.display())]);
        command
    };
    let stop = AtomicBool::new(false);
    for _ in 0..2 {
        let mut suite = suite(&log, "");
        suite.tasks.truncate(3);
        suite.tasks[2].engines = Some(vec!["slow".into()]);
        suite.engines = engines.to_vec();
        suite.limits.cpu = Some(Duration::from_millis(50));
        suite.limits.again = Some(Duration::from_millis(250));
        let mut journal = Journal::open(dir.path(), &Header::new("n", "sh", &suite.limits), false);
        let results = runner::run_suite(suite, journal.as_mut().unwrap(), &make, &stop).unwrap();
        assert!(results.is_complete());
        let again = |task: usize, engine: usize| {
            let record = results.records[task][engine].as_ref()?;
            Some((record.outcome, record.again_seconds))
        };
        assert_eq!(again(0, 0), Some((Outcome::Timeout, None)));
        assert_eq!(again(1, 0), Some((Outcome::True, Some(0.25))));
        assert_eq!(again(1, 1), Some((Outcome::Timeout, Some(0.25))));
        assert_eq!(again(1, 2), Some((Outcome::Unknown, None)));
        assert_eq!(again(2, 0), Some((Outcome::Timeout, Some(0.25))));
        assert_eq!(again(2, 1), None);
    }
    assert_eq!(lines(&log), 7 + 3);
}

#[test]
fn an_interrupted_suite_continues() {
    let dir = tempfile::tempdir().unwrap();
    let log = dir.path().join("log");
    let gate = dir.path().join("gate");
    // Two or three runs end; the others wait for a file that is not there yet.
    let script = format!(
        "[ $(wc -l < {0}) -le 3 ] || [ -e {1} ] || sleep 60; echo TRUE",
        log.display(),
        gate.display()
    );
    let make = |_: &Task, engine: &Engine, _: &Limits| command(engine);
    let stop = AtomicBool::new(false);
    let start = Instant::now();
    let results = std::thread::scope(|scope| {
        scope.spawn(|| {
            while lines(&log) < 4 && start.elapsed() < Duration::from_secs(20) {
                std::thread::sleep(Duration::from_millis(10));
            }
            stop.store(true, Ordering::Relaxed);
        });
        runner::run_suite(suite(&log, &script), &mut journal(dir.path()), &make, &stop).unwrap()
    });
    assert!(start.elapsed() < Duration::from_secs(30));
    let done = results.iter().count();
    assert!((2..=3).contains(&done), "{done}");
    std::fs::write(&gate, "").unwrap();
    let before = lines(&log);
    let stop = AtomicBool::new(false);
    let results =
        runner::run_suite(suite(&log, &script), &mut journal(dir.path()), &make, &stop).unwrap();
    assert!(results.is_complete());
    assert_eq!(lines(&log) - before, 6 - done);
}
