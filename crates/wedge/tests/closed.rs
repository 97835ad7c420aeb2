//! Closed forms of loops: what they prove, and that what fails is never proved.

mod common;

use common::{run, write};

const HEAD: &str = "extern unsigned __VERIFIER_nondet_uint(void); extern int __VERIFIER_nondet_int(void);\n\
    extern void reach_error(void);\n\
    #define check(c) do { if (!(c)) reach_error(); } while (0)\n";

/// Each program holds with the first text in the place of `@` and fails with the second.
const PROGRAMS: &[(&str, &str, &str)] = &[
    // Steady variables.
    (
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), x = 5, i = 0;\n\
         while (i < n) { i++; x += 3; } check(x == 5 + @ * n); return 0; }",
        "3",
        "2",
    ),
    // A step that only stands still.
    (
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), d = __VERIFIER_nondet_uint(), x = 0,\n\
         i = 0; while (i != n) { i++; x += d; } check(x == n * d + @); return 0; }",
        "0",
        "1",
    ),
    // Down instead of up, and steps that share a factor.
    (
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), x = 0, y = 100;\n\
         while (n > 0) { n--; x += 2; y -= 2; } check(x + y == @); return 0; }",
        "100",
        "102",
    ),
    // Sums of what grows.
    (
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0; if (n > 60000) return 0;\n\
         for (unsigned i = 0; i <= n; i++) s += i; check(2 * s == n * (n + @)); return 0; }",
        "1",
        "2",
    ),
    (
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), s = 0, k = 1;\n\
         for (unsigned i = 0; i < n; i++) { s += k; k += 2; } check(s == n * n + @); return 0; }",
        "0",
        "4",
    ),
    // With signs.
    (
        "int main(void) { int n = __VERIFIER_nondet_int(), s = 0; if (n < 1 || n > 1000) return 0;\n\
         for (int i = 1; i <= n; i++) s += i; check(2 * s == n * (n + @)); return 0; }",
        "1",
        "0",
    ),
    // The loop may stop early: only what holds in every round is known.
    (
        "int main(void) { unsigned n = __VERIFIER_nondet_uint(), x = 0, i = 0;\n\
         while (i < n) { if (__VERIFIER_nondet_int()) break; i++; x += 2; }\n\
         check(x == 2 * @); return 0; }",
        "i",
        "n",
    ),
];

#[test]
fn programs_that_hold_are_proved_and_others_are_not() {
    let folder = tempfile::tempdir().unwrap();
    for (text, holds, fails) in PROGRAMS {
        for (word, is_safe) in [(holds, true), (fails, false)] {
            let text = format!("{HEAD}{}\n", text.replace('@', word));
            let file = write(folder.path(), "program.c", &text).display().to_string();
            let found = run(&["check", "--engine", "closed", "--timeout", "100s", &file]);
            match is_safe {
                true => assert_eq!(found.verdict(), "TRUE", "{text}"),
                false => assert!(found.verdict().starts_with("UNKNOWN"), "{text}"),
            }
        }
    }
}
