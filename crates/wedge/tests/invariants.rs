//! Auxiliary invariants: programs whose property is not k-inductive for any k, and is so with
//! what analyses find.

mod common;

use common::{run, write};
use std::path::Path;

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void);\n\
    extern void reach_error(void);\n";

/// Nothing in the loop ties i to its bound, so that no number of good steps shows it.
const INTERVAL: &str = "int main(void) { int i = 0; while (__VERIFIER_nondet_int()) { \
    if (i < 100) i++; } if (i > 100) reach_error(); return 0; }";

/// Only a relation between the variables helps.
const RELATION: &str = "int main(void) { unsigned x = 0, y = 0; \
    while (__VERIFIER_nondet_int()) { unsigned d = __VERIFIER_nondet_int(); x += d; y += d; } \
    if (x != y) reach_error(); return 0; }";

const FLOATS: &str = "int main(void) { double x = 0.5; while (__VERIFIER_nondet_int()) { \
    if (x < 100.0) x = x + 0.1; else x = x * 0.5; } \
    if (!(x >= 0.0 && x <= 101.0)) reach_error(); return 0; }";

/// With a bug behind the invariants.
const WRONG: &str = "int main(void) { int i = 0; while (__VERIFIER_nondet_int()) { \
    if (i < 5) i++; } if (i > 4) reach_error(); return 0; }";

fn program(folder: &Path, text: &str) -> String {
    write(folder, "program.c", &format!("{DECLARATIONS}{text}\n")).display().to_string()
}

/// Circuits are not simplified before: latches that are found to be constant would say enough.
fn expect(text: &str, engine: &str, invariants: &str, verdict: &str) {
    let folder = tempfile::tempdir().unwrap();
    let file = program(folder.path(), text);
    let limits = ["--max-bound", "12", "--timeout", "60s", "--no-preprocess"];
    let arguments = ["check", "--engine", engine, "--invariants", invariants, &file];
    let run = run(&[&arguments[..], &limits[..]].concat());
    assert_eq!(run.verdict(), verdict, "{engine}, {invariants}: {text}\n{}", run.stderr);
}

#[test]
fn induction_alone_proves_none_of_them() {
    for text in [INTERVAL, RELATION] {
        expect(text, "kind", "none", "UNKNOWN(bound 12 reached)");
    }
}

#[test]
fn induction_with_intervals() {
    expect(INTERVAL, "kind", "dataflow", "TRUE");
    expect(FLOATS, "kind", "dataflow", "TRUE");
    expect(WRONG, "kind", "dataflow", "FALSE(unreach-call)");
}

#[test]
fn induction_with_relations() {
    expect(RELATION, "kind", "relations", "TRUE");
    expect(WRONG, "kind", "relations", "FALSE(unreach-call)");
}

#[test]
fn other_engines_take_them_too() {
    for engine in ["imc", "ismc", "dar", "cnf-itp", "pdr"] {
        expect(RELATION, engine, "relations", "TRUE");
        expect(WRONG, engine, "dataflow", "FALSE(unreach-call)");
    }
}

#[test]
fn they_are_part_of_witness_and_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let file = program(folder.path(), RELATION);
    let (witness, model, certificate) =
        (path("witness.yml"), path("model.btor2"), path("certificate.btor2"));
    let checked = run(&[
        "check",
        "--engine",
        "kind",
        "--witness",
        &witness,
        "--certificate",
        &certificate,
        &file,
    ]);
    assert_eq!(checked.verdict(), "TRUE", "{}", checked.stderr);
    let text = std::fs::read_to_string(&witness).unwrap();
    assert!(text.contains("loop_invariant") && text.contains("x"), "{text}");
    run(&["emit", "--btor2", "-o", &model, &file]);
    let certified = run(&["certify", &model, &certificate]);
    assert_eq!(certified.stdout, "ACCEPTED(certificate)\n", "{}", certified.stderr);
}
