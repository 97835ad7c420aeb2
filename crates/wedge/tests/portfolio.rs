//! The portfolio as a user sees it: answers, evidence, limits, and processes that end.

mod common;

use common::*;
use std::process::Stdio;
use std::time::{Duration, Instant};

#[test]
fn is_the_default_and_answers() {
    let dir = tempfile::tempdir().unwrap();
    let cases = [(safe(), "TRUE", 0), (unsafe_at_5(), "FALSE(bad)", 10)];
    for (circuit, verdict, status) in cases {
        let file = write(dir.path(), "c.aag", &circuit);
        for cores in ["1", "2", "8"] {
            let output = output(&["check", file.to_str().unwrap(), "--json", "--cores", cores]);
            assert_eq!(last_line(&output), verdict);
            assert_eq!(output.status.code(), Some(status));
            let json: serde_json::Value =
                serde_json::from_str(stdout(&output).lines().next().unwrap()).unwrap();
            assert_eq!(json["engine"], "portfolio");
            let winner = json["answered by"].as_str().unwrap();
            let members = json["members"].as_array().unwrap();
            let member = members.iter().find(|m| m["engine"] == winner).unwrap();
            assert_eq!(member["answered"], true);
            assert_eq!(members.iter().filter(|m| m["answered"] == true).count(), 1);
            assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
        }
    }
}

#[test]
fn evidence_and_report_come_through() {
    let dir = tempfile::tempdir().unwrap();
    let path = |name: &str| dir.path().join(name).to_str().unwrap().to_string();
    for (circuit, kind) in [(safe(), "certificate"), (unsafe_at_5(), "witness")] {
        let file = write(dir.path(), "c.aag", &circuit);
        let file = file.to_str().unwrap();
        let (witness, certificate, report) = (path("w"), path("cert.aig"), path("r.html"));
        let flags = ["--witness", &witness, "--certificate", &certificate, "--report", &report];
        let check = output(&[&["check", file, "--stats"], &flags[..]].concat());
        assert!(stdout(&check).contains("answered by"), "{}", stdout(&check));
        let (expected, other) =
            if kind == "witness" { (&witness, &certificate) } else { (&certificate, &witness) };
        let certified = output(&["certify", file, expected]);
        assert_eq!(last_line(&certified), format!("ACCEPTED({kind})"));
        assert!(!std::path::Path::new(other).exists());
        let page = std::fs::read_to_string(&report).unwrap();
        assert!(page.contains("portfolio, answered by"), "{page}");
        assert_eq!(page.contains("\"waveform\":null"), kind == "certificate");
        std::fs::remove_file(expected).unwrap();
    }
}

#[test]
fn several_properties() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.aag", &counter(6, 2, &[3, 4]));
    let file = file.to_str().unwrap();
    let all = output(&["check", file, "--all-properties"]);
    assert_eq!(stdout(&all), "property 0: TRUE\nproperty 1: FALSE(bad)\nFALSE(bad)\n");
    assert_eq!(all.status.code(), Some(10));
    assert_eq!(last_line(&output(&["check", "--property-index", "1", "--", file])), "FALSE(bad)");
    let missing = output(&["check", file, "--property-index", "2"]);
    assert_eq!(missing.status.code(), Some(2));
}

#[test]
fn ends_at_the_timeout() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.aag", &endless());
    let start = Instant::now();
    let output = output(&["check", file.to_str().unwrap(), "--timeout", "1s", "--stats"]);
    assert!(start.elapsed() >= Duration::from_secs(1));
    assert!(start.elapsed() < Duration::from_secs(60));
    assert_eq!(last_line(&output), "UNKNOWN(timeout)");
    assert_eq!(output.status.code(), Some(30));
}

#[test]
fn ends_when_no_engine_can_go_on() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.aag", &endless());
    let output = output(&["check", file.to_str().unwrap(), "--max-bound", "2"]);
    assert_eq!(output.status.code(), Some(30));
    let verdict = last_line(&output);
    assert!(verdict.contains("bound 2 reached"), "{verdict}");
}

#[test]
fn memory_is_limited_for_all_together() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.aag", &endless());
    let output = output(&["check", file.to_str().unwrap(), "--memory", "1MB"]);
    assert_eq!(last_line(&output), "UNKNOWN(out of memory)");
}

/// The portfolio has at least so many engines for circuits, whatever the limit of time.
const MEMBERS: usize = 6;

/// A portfolio at work on a circuit without end, with its members once all are there.
fn running(directory: &std::path::Path, extra: &[&str]) -> (std::process::Child, Vec<u32>) {
    let file = write(directory, "c.aag", &endless());
    let mut command = wedge(&[&["check", file.to_str().unwrap()], extra].concat());
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    eventually("all members are started", || members(child.id()).len() >= MEMBERS);
    let members = members(child.id());
    (child, members)
}

/// Members of a portfolio, whose processes are called after their engines.
fn members(parent: u32) -> Vec<u32> {
    let names: Vec<String> = engines().map(|engine| format!("wedge {engine}")).collect();
    children(parent).into_iter().filter(|&pid| names.contains(&process_name(pid))).collect()
}

fn engines() -> impl Iterator<Item = &'static str> {
    wedge_engines::registry::engines().map(|engine| engine.name)
}

fn process_name(pid: u32) -> String {
    let name = std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default();
    name.trim_end().to_string()
}

/// Without the process that makes them, members are started as programs that read the model. It has
/// to die before it has made all of them, which takes a few tries.
#[test]
fn members_do_without_the_nursery() {
    let dir = tempfile::tempdir().unwrap();
    let file = write(dir.path(), "c.aag", &endless());
    let is_program = |pid: &u32| arguments(*pid).contains(&"--member".to_string());
    let tries = 50;
    let found = (0..tries).any(|_| {
        let mut command = wedge(&["check", file.to_str().unwrap(), "--cores", "1"]);
        let mut parent = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let is_nursery = |pid: &u32| process_name(*pid) == "wedge nursery";
        let nursery = || children(parent.id()).into_iter().find(is_nursery);
        eventually("there is a nursery", || nursery().is_some());
        nursery().into_iter().for_each(|pid| signal(pid, "KILL"));
        let programs = || children(parent.id()).iter().any(is_program);
        eventually("all members are started", || {
            programs() || members(parent.id()).len() >= MEMBERS
        });
        let found = programs();
        parent.kill().unwrap();
        parent.wait().unwrap();
        found
    });
    assert!(found, "the nursery was always faster");
}

#[test]
fn no_more_engines_run_than_there_are_cores() {
    let dir = tempfile::tempdir().unwrap();
    let (mut parent, _) = running(dir.path(), &["--cores", "1", "--timeout", "60s"]);
    for _ in 0..20 {
        // A member is started before the schedule is looked at again, so allow for changes.
        eventually("at most one member is not stopped", || {
            members(parent.id()).iter().filter(|&&pid| state(pid) != Some('T')).count() <= 1
        });
        std::thread::sleep(Duration::from_millis(20));
    }
    parent.kill().unwrap();
    parent.wait().unwrap();
}

/// Shells start background jobs with SIGINT ignored, which programs inherit.
fn interrupts_are_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap().trim();
    u64::from_str_radix(ignored, 16).unwrap() & 0b10 != 0
}

#[test]
fn members_die_with_the_parent_even_when_stopped() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["KILL", "TERM", "INT"] {
        if name == "INT" && interrupts_are_ignored() {
            continue;
        }
        let (mut parent, members) = running(dir.path(), &["--cores", "2"]);
        eventually("some member is stopped", || members.iter().any(|&m| state(m) == Some('T')));
        signal(parent.id(), name);
        parent.wait().unwrap();
        eventually("all members are gone", || members.iter().all(|&m| state(m).is_none()));
    }
}

#[test]
fn a_crash_costs_only_that_engine() {
    let dir = tempfile::tempdir().unwrap();
    let (parent, members) = running(dir.path(), &["--cores", "2", "--timeout", "4s", "--stats"]);
    let runs_pdr = |pid: &&u32| process_name(**pid) == "wedge pdr";
    let pdr = *members.iter().find(runs_pdr).unwrap();
    signal(pdr, "ABRT");
    let output = parent.wait_with_output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    // There are several variants of it, whose processes have one name.
    assert!(errors.contains("the engine pdr"), "{errors}");
    assert!(errors.contains("ended with signal 6"), "{errors}");
    assert_eq!(last_line(&output), "UNKNOWN(timeout)");
    let stats = stdout(&output);
    let mut lines = stats.lines().filter(|line| line.trim_start().starts_with("pdr"));
    assert!(lines.any(|line| line.contains("ended with signal 6")), "{stats}");
}
