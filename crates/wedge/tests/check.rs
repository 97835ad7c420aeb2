//! The command line as a user meets it: verdicts, exit status, evidence files, messages.

mod common;

use common::{example, run as wedge};
use std::path::PathBuf;

/// A file in a fresh folder that lives as long as the first part of the pair.
fn file(name: &str, contents: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, contents).unwrap();
    (folder, path)
}

const ENGINES: [&str; 8] = ["bmc", "kind", "imc", "ismc", "dar", "cnf-itp", "pdr", "portfolio"];

#[test]
fn every_engine_refutes_with_a_witness() {
    let folder = tempfile::tempdir().unwrap();
    let witness = folder.path().join("witness").display().to_string();
    let model = example("leaky_bucket.btor2");
    for engine in ENGINES {
        let run = wedge(&["check", "--engine", engine, "--witness", &witness, &model]);
        assert_eq!((run.status, run.stdout.as_str()), (10, "FALSE(bad)\n"), "{engine}");
        let run = wedge(&["certify", &model, &witness]);
        assert_eq!((run.status, run.stdout.as_str()), (0, "ACCEPTED(witness)\n"), "{engine}");
        std::fs::remove_file(&witness).unwrap();
    }
}

/// As in `wedge check … | head -1`.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    use std::process::Stdio;
    let model = example("leaky_bucket.btor2");
    let mut child = common::wedge(&["check", "--engine", "bmc", "--stats", &model])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Each choice of PDR reaches the engine: verdicts stay, and the figures show the difference.
#[test]
fn pdr_without_its_techniques_stays_right() {
    let choices = [
        "--ctg=never",
        "--ctg=always",
        "--lifting=cone",
        "--lifting=justify",
        "--query-solver=cadical",
        "--frame-solvers=shared",
        "--no-eliminate",
        "--localize=latches",
        "--localize=variables",
        "--localize=updates",
        "--localize=constraints",
        "--no-domains",
        "--no-push-lemmas",
        "--no-push-obligations",
        "--no-infinity",
        "--generalize-attempts=1",
    ];
    let clauses = |options: &[&str]| {
        let run = wedge(
            &[&["check", "-e", "pdr", "--stats", &example("bounded_counter.btor2")], options]
                .concat(),
        );
        assert_eq!(run.status, 0, "{options:?}: {}", run.stdout);
        let line = run.stdout.lines().find(|l| l.starts_with("transition clauses")).unwrap();
        line.split_whitespace().last().unwrap().to_string()
    };
    for choice in choices {
        clauses(&[choice]);
        let run = wedge(&["check", "--engine", "pdr", choice, &example("leaky_bucket.btor2")]);
        assert_eq!((run.status, run.stdout.as_str()), (10, "FALSE(bad)\n"), "{choice}");
    }
    assert_ne!(clauses(&[]), clauses(&["--no-eliminate"]));
}

#[test]
fn every_engine_but_bmc_proves_with_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate").display().to_string();
    let model = example("arbiter.aag");
    for engine in ENGINES.into_iter().filter(|e| *e != "bmc") {
        let run = wedge(&["check", "--engine", engine, "--certificate", &certificate, &model]);
        assert_eq!((run.status, run.stdout.as_str()), (0, "TRUE\n"), "{engine}: {}", run.stderr);
        let run = wedge(&["certify", &model, &certificate]);
        assert_eq!((run.status, run.stdout.as_str()), (0, "ACCEPTED(certificate)\n"), "{engine}");
        std::fs::remove_file(&certificate).unwrap();
    }
}

#[test]
fn a_word_level_proof_has_a_word_level_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = folder.path().join("certificate").display().to_string();
    let model = example("bounded_counter.btor2");
    let run = wedge(&["check", "--engine", "pdr", "--certificate", &certificate, &model]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "TRUE\n"));
    let run = wedge(&["certify", &model, &certificate]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "ACCEPTED(certificate)\n"));
}

#[test]
fn evidence_for_something_else_is_rejected() {
    let folder = tempfile::tempdir().unwrap();
    let witness = folder.path().join("witness").display().to_string();
    std::fs::write(&witness, "1\nb0\n00\n00\n.\n").unwrap();
    let run = wedge(&["certify", &example("arbiter.aag"), &witness]);
    assert_eq!(run.status, 1);
    assert!(run.stdout.starts_with("REJECTED("), "{}", run.stdout);
}

#[test]
fn limits_give_unknown_with_a_reason() {
    let model = example("bounded_counter.btor2");
    let run = wedge(&["check", "--engine", "bmc", "--max-bound", "3", &model]);
    assert_eq!((run.status, run.stdout.as_str()), (30, "UNKNOWN(bound 3 reached)\n"));
    let run = wedge(&["check", "--engine", "bmc", "--timeout", "200ms", &model]);
    assert_eq!((run.status, run.stdout.as_str()), (30, "UNKNOWN(timeout)\n"));
    let run = wedge(&["check", "--engine", "imc", "--memory", "1MB", &model]);
    assert_eq!((run.status, run.stdout.as_str()), (30, "UNKNOWN(out of memory)\n"));
}

#[test]
fn several_properties() {
    // The latch stays 0: output 0 is it, output 1 its negation.
    let (_folder, path) = file("two.aag", b"aag 1 0 1 2 0\n2 2 0\n2\n3\no0 low\n");
    let path = path.display().to_string();
    let run = wedge(&["check", "--engine", "pdr", "--all-properties", &path]);
    assert_eq!(run.stdout, "property 0 (low): TRUE\nproperty 1: FALSE(bad)\nFALSE(bad)\n");
    assert_eq!(run.status, 10);
    let default = wedge(&["check", "--engine", "pdr", &path]);
    assert_eq!((default.status, default.stdout), (run.status, run.stdout));
    let run = wedge(&["check", "--engine", "pdr", "--property-index", "1", &path]);
    assert_eq!((run.status, run.stdout.as_str()), (10, "FALSE(bad)\n"));
    let run = wedge(&["check", "--property-index", "2", &path]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("there is no property 2"), "{}", run.stderr);
}

#[test]
fn figures_for_people_and_programs() {
    let model = example("arbiter.aag");
    let run = wedge(&["check", "--engine", "imc", "--stats", &model]);
    assert!(run.stdout.contains("interpolants") && run.stdout.ends_with("\nTRUE\n"));
    let run = wedge(&["check", "--engine", "imc", "--json", &model]);
    let line = run.stdout.lines().next().unwrap();
    let json: serde_json::Value = serde_json::from_str(line).unwrap();
    assert_eq!(json["verdict"], "TRUE");
    assert!(json["figures"]["queries"].as_u64().unwrap() > 0);
}

#[test]
fn a_report_is_a_page_with_the_counterexample() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("page.html");
    let model = example("leaky_bucket.btor2");
    wedge(&["check", "--engine", "bmc", "--report", page.to_str().unwrap(), &model]);
    let page = std::fs::read_to_string(page).unwrap();
    assert!(page.contains("FALSE(bad)") && page.contains("\"name\":\"inflow\""), "{page}");
}

/// One message that names the file and the cause, and status 2.
fn assert_refused(name: &str, contents: &[u8], cause: &str) {
    let (_folder, path) = file(name, contents);
    let run = wedge(&["check", path.to_str().unwrap()]);
    assert_eq!(run.status, 2, "{name}: {}", run.stdout);
    assert_eq!(run.stdout, "");
    assert!(run.stderr.contains(name) && run.stderr.contains(cause), "{}", run.stderr);
    assert_eq!(run.stderr.trim_end().lines().count(), 1, "{}", run.stderr);
}

#[test]
fn unreadable_input_is_one_message_and_status_2() {
    assert_refused("empty.aig", b"", "empty");
    assert_refused("huge.aig", b"aig 4000000000 0 0 1 4000000000\n0\n", "");
    assert_refused("cut.aag", b"aag 3 1 0 1 1\n2\n", ":");
    assert_refused("cycle.aag", b"aag 2 0 0 1 2\n2\n2 4 1\n4 2 1\n", "cycl");
    assert_refused("none.aag", b"aag 1 1 0 0 0\n2\n", "no property");
    assert_refused("sort.btor2", b"1 sort bitvec 0\n", ":1:");
    assert_refused("ids.btor2", b"1 sort bitvec 1\n2 bad 7\n", ":2:");
    assert_refused("none.btor2", b"1 sort bitvec 1\n", "no property");
    assert_refused("what.txt", b"hello\n", "unknown format");
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("directory.aig");
    std::fs::create_dir(&directory).unwrap();
    let run = wedge(&["check", directory.to_str().unwrap()]);
    assert_eq!(run.status, 2);
    let run = wedge(&["check", "no/such/file.aig"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("no/such/file.aig"));
}

#[test]
fn bad_usage_is_status_2() {
    assert_eq!(wedge(&["check"]).status, 2);
    assert_eq!(wedge(&["check", "--engine", "magic", "x.aig"]).status, 2);
    assert_eq!(wedge(&["check", "--timeout", "soon", "x.aig"]).status, 2);
}
