//! An engine is a file and an entry: the example with engines of its own, from the command line.

mod common;

use common::example;
use std::path::PathBuf;
use std::process::Command;

/// The example program, which cargo builds beside the tests.
fn toy() -> Command {
    let wedge = PathBuf::from(env!("CARGO_BIN_EXE_wedge"));
    let folder = wedge.parent().expect("the program is in a folder");
    Command::new(folder.join("examples/toy_engines"))
}

/// The last line of the output, and everything on standard error.
fn verdict(arguments: &[&str]) -> (String, String) {
    let output = toy().arg("check").args(arguments).output().expect("the example was built");
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    (text.lines().last().unwrap_or_default().to_string(), errors)
}

fn written(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    let path = path.display().to_string();
    (folder, path)
}

const FAILING: &str = "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
    int main(void) { while (1) { if (!(__VERIFIER_nondet_int() & 1)) reach_error(); } }\n";
const HOLDING: &str = "extern void reach_error(void);\nint main(void) { return 0; }\n";
/// A latch that is true from the second step on, and bad then.
const AIGER: &str = "aag 1 0 1 1 0\n2 1\n2\n";
/// The same without a bad state.
const AIGER_SAFE: &str = "aag 1 0 1 1 0\n2 1\n0\n";
const BTOR2: &str = "1 sort bitvec 4\n2 zero 1\n3 one 1\n4 state 1 count\n5 init 1 4 2\n\
    6 add 1 4 3\n7 next 1 4 6\n8 constd 1 9\n9 sort bitvec 1\n10 eq 9 4 8\n11 bad 10\n";

#[test]
fn engines_of_both_levels_run_on_all_formats() {
    let (_c, program) = written("fails.c", FAILING);
    let (_a, aiger) = written("fails.aag", AIGER);
    let (_b, btor2) = written("fails.btor2", BTOR2);
    for engine in ["coin", "straight"] {
        for (file, expected) in
            [(&program, "FALSE(unreach-call)"), (&aiger, "FALSE(bad)"), (&btor2, "FALSE(bad)")]
        {
            let (found, errors) = verdict(&["--engine", engine, file]);
            assert_eq!(found, expected, "{engine} on {file}: {errors}");
        }
    }
}

#[test]
fn proofs_on_automata_are_checked_and_published() {
    let (_c, program) = written("holds.c", HOLDING);
    let certificate = format!("{program}.certificate");
    let arguments = ["--engine", "straight", "--certificate", &certificate, &program];
    assert_eq!(verdict(&arguments).0, "TRUE");
    let system = format!("{program}.btor2");
    assert!(toy().args(["emit", "--btor2", &program, "-o", &system]).status().unwrap().success());
    let output = toy().args(["certify", &system, &certificate]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), "ACCEPTED(certificate)");
    // The edge to the error is there, though it is never taken.
    let (_folder, aiger) = written("holds.aag", AIGER_SAFE);
    assert_eq!(verdict(&["--engine", "straight", &aiger]).0, "UNKNOWN(bound 10000 reached)");
}

#[test]
fn the_command_line_offers_them() {
    let output = toy().args(["check", "--help"]).output().unwrap();
    let help = String::from_utf8(output.stdout).unwrap();
    for text in ["coin", "straight", "--tosses", "Options of coin"] {
        assert!(help.contains(text), "the help has no {text}");
    }
    let (_, errors) = verdict(&["--engine", "coin", "--tosses", "many", &example("arbiter.aag")]);
    assert!(errors.contains("--tosses") && errors.contains("expected a number"), "{errors}");
}

#[test]
fn a_witness_of_a_run_on_an_automaton_is_accepted() {
    let (folder, btor2) = written("fails.btor2", BTOR2);
    let witness = folder.path().join("w.wit").display().to_string();
    let (found, _) = verdict(&["--engine", "straight", "--witness", &witness, &btor2]);
    assert_eq!(found, "FALSE(bad)");
    let output = toy().args(["certify", &btor2, &witness]).output().unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap().trim(), "ACCEPTED(witness)");
}
