//! Large arrays: proofs about all their elements, and errors in them that are never proved away.

mod common;

use common::{Run, run};
use tempfile::TempDir;

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void);\n\
    extern void reach_error(void);\nextern void *malloc(unsigned);\n\
    extern void *calloc(unsigned, unsigned);\n";

/// Programs with their verdicts; what is wrong in the second of each kind happens far beyond the
/// reach of unrolling, or in a place that a careless abstraction overlooks.
const PROGRAMS: &[(&str, bool, &str)] = &[
    (
        "init",
        true,
        "int main(void) { int a[100000]; int i; for (i = 0; i < 100000; i++) a[i] = 42; for (i = 0; i < 100000; i++) if (a[i] != 42) reach_error(); return 0; }",
    ),
    (
        "init but the last",
        false,
        "int main(void) { int a[100000]; int i; for (i = 0; i < 99999; i++) a[i] = 42; for (i = 0; i < 100000; i++) if (a[i] != 42) reach_error(); return 0; }",
    ),
    (
        "copy",
        true,
        "int main(void) { int a[5000], b[5000]; int i; for (i = 0; i < 5000; i++) a[i] = __VERIFIER_nondet_int(); for (i = 0; i < 5000; i++) b[i] = a[i]; for (i = 0; i < 5000; i++) if (a[i] != b[i]) reach_error(); return 0; }",
    ),
    (
        "copy, then one more write",
        false,
        "int main(void) { int a[5000], b[5000]; int i; for (i = 0; i < 5000; i++) a[i] = __VERIFIER_nondet_int(); for (i = 0; i < 5000; i++) b[i] = a[i]; a[4321] = 7; for (i = 0; i < 5000; i++) if (a[i] != b[i]) reach_error(); return 0; }",
    ),
    (
        "maximum",
        true,
        "int main(void) { int a[5000]; int i, max; for (i = 0; i < 5000; i++) a[i] = __VERIFIER_nondet_int(); max = a[0]; for (i = 0; i < 5000; i++) if (a[i] > max) max = a[i]; for (i = 0; i < 5000; i++) if (a[i] > max) reach_error(); return 0; }",
    ),
    (
        "maximum of all but the last",
        false,
        "int main(void) { int a[5000]; int i, max; for (i = 0; i < 5000; i++) a[i] = __VERIFIER_nondet_int(); max = a[0]; for (i = 0; i < 4999; i++) if (a[i] > max) max = a[i]; for (i = 0; i < 5000; i++) if (a[i] > max) reach_error(); return 0; }",
    ),
    (
        "records",
        true,
        "struct s { short p; int q; } a[3000]; int main(void) { int i; for (i = 0; i < 3000; i++) { a[i].p = 1; a[i].q = 2; } for (i = 0; i < 3000; i++) if (a[i].p + 1 != a[i].q) reach_error(); return 0; }",
    ),
    (
        "zero at first",
        true,
        "int a[3000]; int main(void) { int i = __VERIFIER_nondet_int(); while (__VERIFIER_nondet_int()) { int k = __VERIFIER_nondet_int(); if (k >= 0 && k < 1000) a[k] = 1; } if (i >= 1000 && i < 3000 && a[i] != 0) reach_error(); return 0; }",
    ),
    (
        "heap of unknown size",
        true,
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 100000) return 0; int *a = malloc(n * sizeof(int)); int i; for (i = 0; i < n; i++) a[i] = i; for (i = 0; i < n; i++) if (a[i] != i) reach_error(); return 0; }",
    ),
    (
        "heap but the last",
        false,
        "int main(void) { int n = __VERIFIER_nondet_int(); if (n < 1 || n > 100000) return 0; int *a = malloc(n * sizeof(int)); int i; for (i = 0; i < n - 1; i++) a[i] = i; for (i = 0; i < n; i++) if (a[i] != i) reach_error(); return 0; }",
    ),
];

/// The run of an engine on a program.
fn check(options: &[&str], body: &str) -> Run {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("program.c");
    std::fs::write(&path, format!("{DECLARATIONS}{body}\n")).unwrap();
    let path = path.display().to_string();
    run(&[&["check"], options, &[&path]].concat())
}

#[test]
fn properties_of_all_elements_are_proved() {
    for (name, _, body) in PROGRAMS.iter().filter(|(_, safe, _)| *safe) {
        let proves = |engine: &&str| {
            let run = check(&["--engine", engine, "--timeout", "60s"], body);
            assert!(!run.stderr.contains("INTERNAL"), "{name}: {}", run.stderr);
            run.verdict() == "TRUE"
        };
        assert!(["imc", "pdr"].iter().any(proves), "{name}");
    }
}

#[test]
fn wrong_elements_are_not_proved_away() {
    for (name, _, body) in PROGRAMS.iter().filter(|(_, safe, _)| !*safe) {
        let run = check(&["--engine", "pdr", "--arrays", "cells", "--timeout", "2s"], body);
        assert_ne!(run.verdict(), "TRUE", "{name}");
        assert!(!run.stderr.contains("INTERNAL"), "{name}: {}", run.stderr);
    }
}

/// An error that depends on no element is found in the abstraction and confirmed by the program.
#[test]
fn errors_beside_arrays_are_found() {
    let body = "int main(void) { int a[5000]; int i = __VERIFIER_nondet_int(); a[7] = i; if (i > 5 && i < 5000 && a[7] == 9) reach_error(); return 0; }";
    for arrays in ["cells", "auto"] {
        let run = check(&["--engine", "imc", "--arrays", arrays, "--timeout", "30s"], body);
        assert_eq!(run.verdict(), "FALSE(unreach-call)", "{arrays}: {}", run.stderr);
    }
}

/// A buffer that a loop clears before indices from outside are written and read: the loop is one step
/// of the model.
#[test]
fn a_loop_that_clears_a_buffer_is_one_step() {
    let program = |loop_: &str, wrong: &str| {
        let mut text = format!("char a[4096]; int main(void) {{ unsigned i; int s = 0; {loop_}\n");
        for _ in 0..20 {
            text += "a[(unsigned)__VERIFIER_nondet_int() % 4096] = __VERIFIER_nondet_int() & 1;\n";
        }
        for _ in 0..20 {
            text += "s += a[(unsigned)__VERIFIER_nondet_int() % 4096];\n";
        }
        text + &format!("if ({wrong}) reach_error(); return 0; }}")
    };
    let clears = "for (i = 0; i < 4096; i++) a[i] = 0;";
    for (loop_, wrong, expected) in [
        (clears, "s > 20 || s < 0 || i != 4096", "TRUE"),
        (clears, "s == 20 && i == 4096", "FALSE(unreach-call)"),
        ("i = 0; while (i != 4096) { a[i] = 0; i++; }", "s > 20 || i != 4096", "TRUE"),
    ] {
        let text = program(loop_, wrong);
        let run = check(&["--engine", "bmc", "--timeout", "60s"], &text);
        assert_eq!(run.verdict(), expected, "{loop_} {wrong}\n{}", run.stderr);
    }
    // What looks alike and is another loop.
    for (setting, wrong) in [
        ("a[0] = 3; for (i = 1; i < 70; i++) a[i] = 0;", "a[0] == 3"),
        ("a[69] = 3; for (i = 0; i < 69; i++) a[i] = 0;", "a[69] == 3"),
        ("b[5] = 3; for (i = 0; i < 70; i++) a[i] = 0;", "b[5] == 3 && i == 70"),
        ("a[7] = 3; for (i = 0; i < 70; i++) { if (i == 7) continue; a[i] = 0; }", "a[7] == 3"),
        ("unsigned *p = &i; a[7] = 3; for (i = 0; i < 70; i++) a[i] = 0;", "*p == 70 && !a[7]"),
        ("i = 9; a[7] = 3; goto in; for (i = 0; i < 70; i++) { in: a[i] = 0; }", "a[7] == 3"),
    ] {
        let text = format!(
            "char a[70], b[70]; int main(void) {{ unsigned i; {setting} if ({wrong}) reach_error(); \
             return 0; }}"
        );
        let run = check(&["--engine", "execute", "--timeout", "60s"], &text);
        assert_eq!(run.verdict(), "FALSE(unreach-call)", "{setting}");
        let run = check(&["--engine", "bmc", "--timeout", "60s"], &text);
        assert_eq!(run.verdict(), "FALSE(unreach-call)", "{setting}");
    }
}
