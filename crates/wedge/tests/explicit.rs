//! Explicit-state search: state machines that it proves, and their twins that fail.

mod common;

use common::{run, write};

const HEAD: &str = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n";

/// Each program holds with the first text in the place of `@` and fails with the second.
const MACHINES: &[(&str, &str, &str)] = &[
    // A lock that opens after 3, 1, 2, and forgets at any other letter.
    (
        "int main(void) { int s = 10;\n\
         while (1) { int i = __VERIFIER_nondet_int(); if (i < 1 || i > 3) return 0;\n\
         if (s == 10 && i == 3) s = 27; else if (s == 27 && i == 1) s = 5;\n\
         else if (s == 5 && i == 2) s = 90; else if (s != 90) s = 10;\n\
         if (s == @) reach_error(); } }",
        "6",
        "90",
    ),
    // Two machines in step with each other.
    (
        "int main(void) { int a = 0, b = 7;\n\
         while (1) { int i = __VERIFIER_nondet_int();\n\
         if (i == 1 && a == 0) { a = 1; b = 8; } else if (i == 2 && a == 1) { a = 2; b = 9; }\n\
         else if (i == 3 && a == 2) { a = 0; b = 7; }\n\
         if (a == 2 && b == @) reach_error(); } }",
        "8",
        "9",
    ),
    // Letters far apart from one another, and a state that is read only later.
    (
        "int main(void) { int s = __VERIFIER_nondet_int(), t = 0; if (s < 2 || s > 4) return 0;\n\
         while (1) { int i = __VERIFIER_nondet_int();\n\
         if (i == 1000000 && t == 0) t = s; else if (i == -7 && t > 2) t = t - 1;\n\
         if (t == @) reach_error(); } }",
        "1",
        "4",
    ),
];

#[test]
fn state_machines_and_their_twins() {
    let dir = tempfile::tempdir().unwrap();
    for (number, (text, holds, fails)) in MACHINES.iter().enumerate() {
        for (value, verdict) in [(holds, "TRUE"), (fails, "FALSE(unreach-call)")] {
            let text = format!("{HEAD}{}", text.replace('@', value));
            let file = write(dir.path(), &format!("machine{number}.c"), &text);
            for states in ["300000", "2"] {
                let engine = ["--engine", "explicit", "--max-states", states, "--timeout", "30s"];
                let found = run(&[&["check", file.to_str().unwrap()], &engine[..]].concat());
                assert_eq!(found.verdict(), verdict, "{number}, {value}: {}", found.stdout);
            }
        }
    }
}
