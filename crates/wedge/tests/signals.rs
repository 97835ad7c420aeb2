//! Comparisons of words as literals of PDR: loops whose invariants are no small clauses over bits.

mod common;

use common::run as wedge;
use std::path::Path;

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void);\n\
    extern unsigned __VERIFIER_nondet_uint(void);\nextern void reach_error(void);\n";

/// Safe programs, which are out of reach over bits alone.
const LOOPS: &[(&str, &str)] = &[
    (
        "upto",
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n) i++; if (i != n) reach_error(); return 0; }",
    ),
    (
        "nested",
        "int main(void) { int n = __VERIFIER_nondet_int(), m = __VERIFIER_nondet_int(), i = 0;
           if (n < 0 || m < 0) return 0;
           while (i < n) { int j = 0; while (j < m) { if (i >= n) reach_error(); j++; } i++; }
           if (i != n) reach_error(); return 0; }",
    ),
];

fn check(folder: &Path, name: &str, text: &str, options: &[&str]) -> String {
    let file = folder.join(format!("{name}.c"));
    std::fs::write(&file, format!("{DECLARATIONS}{text}")).unwrap();
    let file = file.display().to_string();
    let run = wedge(&[&["check", "--engine", "pdr", &file], options].concat());
    format!("{}{}", run.stdout, run.stderr)
}

#[test]
fn loops_are_proved_with_signals_only() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in LOOPS {
        let check = |options: &[&str]| {
            // With first values for all variables, bits take longer for a frame.
            let shared = ["--max-bound", "20", "--timeout", "60s", "--stats", "--no-preprocess"];
            check(folder.path(), name, text, &[&shared, options].concat())
        };
        let with = check(&["--signals", "64", "--extra-signals", "all"]);
        assert!(with.ends_with("TRUE\n"), "{name}: {with}");
        assert!(with.contains("lemmas with signals"), "{name}: {with}");
        let without = check(&["--signals", "none"]);
        assert!(without.contains("\nUNKNOWN(bound 20 reached)\n"), "{name}: {without}");
    }
}

#[test]
fn violations_are_found_with_signals() {
    let folder = tempfile::tempdir().unwrap();
    let text = "int main(void) { unsigned n = __VERIFIER_nondet_uint(), i = 0; while (i < n) { i++; if (i == 7 && n == 9) reach_error(); } return 0; }";
    for extra in ["none", "implied", "all"] {
        let options = ["--signals", "64", "--timeout", "30s", "--extra-signals", extra];
        let found = check(folder.path(), "hit", text, &options);
        assert!(found.ends_with("FALSE(unreach-call)\n"), "{extra}: {found}");
    }
}

#[test]
fn a_number_of_signals_is_a_number_or_none() {
    let run = wedge(&["check", "--engine", "pdr", "--signals", "few", "x.aag"]);
    assert_eq!(run.status, 2);
    assert!(run.stderr.contains("expected a number or none"), "{}", run.stderr);
}
