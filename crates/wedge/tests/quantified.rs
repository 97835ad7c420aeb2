//! Loops over arrays that need formulas about all elements: each pattern with a twin in which something is wrong,
//! mostly far away, and that must not be proved.

mod common;

use common::{Run, run};
use tempfile::TempDir;

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void);\n\
    extern void reach_error(void);\nextern void *malloc(unsigned);\n\
    #define any() __VERIFIER_nondet_int()\n#define check(c) if (!(c)) reach_error()\n";

/// A pattern: its name, a program, and what is replaced in it by what to make it wrong.
type Pattern = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const PATTERNS: &[Pattern] = &[
    (
        "a function of the index, changed afterwards",
        "int main(void) { int n = any(); if (n < 1 || n > 1000) return 0; int a[1000]; int i; for (i = 0; i < n; i++) a[i] = 5 * i + 3; for (i = 0; i < n; i++) a[i] = a[i] - 3; for (i = 0; i < n; i++) check(a[i] == 5 * i); return 0; }",
        &[("a[i] - 3", "a[i] - 2"), ("i < n; i++) a[i] = a[i]", "i < n - 1; i++) a[i] = a[i]")],
    ),
    (
        "copied backwards",
        "int main(void) { int a[1000], b[1000]; int i; for (i = 0; i < 1000; i++) a[i] = any(); for (i = 0; i < 1000; i++) b[999 - i] = a[i]; for (i = 0; i < 1000; i++) check(b[999 - i] == a[i]); return 0; }",
        &[("i < 1000; i++) b", "i < 999; i++) b")],
    ),
    (
        "maximum",
        "int main(void) { int a[5000]; int i, m; for (i = 0; i < 5000; i++) a[i] = any(); m = a[0]; for (i = 1; i < 5000; i++) if (a[i] > m) m = a[i]; for (i = 0; i < 5000; i++) check(a[i] <= m); return 0; }",
        &[("i = 1", "i = 2"), ("a[i] > m", "a[i] > 0")],
    ),
    (
        "sum of equal elements",
        "int main(void) { int n = any(); if (n < 1 || n > 100000) return 0; int *a = malloc(sizeof(int) * n); int i, s = 0; for (i = 0; i < n; i++) a[i] = 3; for (i = 0; i < n; i++) s += a[i]; check(s == 3 * n); return 0; }",
        &[("s += a[i]", "if (i != 77) s += a[i]"), ("a[i] = 3", "a[i] = i == 99 ? 2 : 3")],
    ),
    (
        "two indices with a stride",
        "int main(void) { int a[10000], b[10000]; int i, j = 0; for (i = 0; i < 10000; i++) b[i] = any(); for (i = 0; i < 10000; i += 4) { a[j] = b[i]; j++; } j = 0; for (i = 0; i < 10000; i += 4) { check(a[j] == b[4 * j]); j++; } return 0; }",
        &[("a[j] = b[i]", "a[j] = b[i + 1]")],
    ),
    (
        "tiles",
        "int main(void) { int n = any(); if (n < 2 || n > 1000 || n % 4 != 0) return 0; int *a = malloc(sizeof(int) * n); int i; for (i = 1; i <= n / 4; i++) { a[4 * i - 4] = 1; a[4 * i - 3] = any() ? 5 : 7; a[4 * i - 2] = 2; a[4 * i - 1] = 3; } for (i = 0; i < n; i++) check(a[i] > 0); return 0; }",
        &[("= 1; a", "= 2 - i; a"), ("i <= n / 4", "i < n / 4")],
    ),
    (
        "nested loops",
        "int main(void) { int a[300][40], b[300][40]; int i, j; for (i = 0; i < 300; i++) for (j = 0; j < 40; j++) a[i][j] = any(); for (i = 0; i < 300; i++) for (j = 0; j < 40; j++) b[i][j] = a[i][j]; for (i = 0; i < 300; i++) for (j = 0; j < 40; j++) check(b[i][j] == a[i][j]); return 0; }",
        &[
            ("j < 40; j++) b", "j < 39; j++) b"),
            (
                "i < 300; i++) for (j = 0; j < 40; j++) b",
                "i < 299; i++) for (j = 0; j < 40; j++) b",
            ),
        ],
    ),
    (
        "neighbours in order",
        "int main(void) { int n = any(); if (n < 2 || n > 100000) return 0; int a[100000]; int i; for (i = 0; i < n; i++) a[i] = 2 * i + 1; for (i = 1; i < n; i++) check(a[i - 1] < a[i]); return 0; }",
        &[("2 * i + 1", "2 * i - i * (i == 5000)")],
    ),
    (
        "a condition between two arrays",
        "int main(void) { int a[4000], b[4000]; int i; for (i = 0; i < 4000; i++) { a[i] = any(); if (a[i] >= 0) b[i] = a[i]; else b[i] = 0; } for (i = 0; i < 4000; i++) check(b[i] >= 0 && (a[i] < 0 || b[i] == a[i])); return 0; }",
        &[("b[i] = 0", "b[i] = i - 3")],
    ),
    (
        "what passes a filter",
        "int main(void) { int a[4000], b[4000]; int i, j = 0; for (i = 0; i < 4000; i++) a[i] = any(); for (i = 0; i < 4000; i++) if (a[i] > 5) { b[j] = a[i]; j++; } for (i = 0; i < j; i++) check(b[i] > 5); return 0; }",
        &[("a[i] > 5)", "a[i] >= 5)"), ("i < j;", "i <= j && i < 4000;")],
    ),
    (
        "not found before",
        "int main(void) { int a[4000]; int i = 0, j, f = 0, x = any(); for (j = 0; j < 4000; j++) a[j] = any(); while (i < 4000 && !f) { if (a[i] == x) f = 1; else i++; } for (j = 0; j < i; j++) check(a[j] != x); return 0; }",
        &[("j < i;", "j <= i && j < 4000;")],
    ),
    (
        "exchanged",
        "int main(void) { int a[4000], b[4000], c[4000], d[4000]; int i, t; for (i = 0; i < 4000; i++) { a[i] = any(); b[i] = any(); c[i] = a[i]; d[i] = b[i]; } for (i = 0; i < 4000; i++) { t = a[i]; a[i] = b[i]; b[i] = t; } for (i = 0; i < 4000; i++) check(a[i] == d[i] && b[i] == c[i]); return 0; }",
        &[("b[i] = t", "b[i] = a[i]")],
    ),
    (
        "the end of a string",
        "int main(void) { char s[2000]; int i; for (i = 0; i < 1999; i++) s[i] = any() ? 65 : 66; s[1999] = 0; i = 0; while (s[i] != 0) i++; check(i == 1999); return 0; }",
        &[("? 65 : 66", "? 65 : 0")],
    ),
    (
        "a sum that is taken back",
        "int main(void) { int n = any(); if (n < 1 || n > 1000) return 0; int *a = malloc(sizeof(int) * n); int i; long long s = 0; for (i = 0; i < n; i++) a[i] = any(); for (i = 0; i < n; i++) s += a[i]; for (i = 0; i < n; i++) s -= a[i]; check(s == 0); return 0; }",
        &[("i < n; i++) s -=", "i < n - 1; i++) s -="), ("s -= a[i]", "s -= a[i] + (i == 77)")],
    ),
    (
        "the sum of exchanged elements",
        "int main(void) { int a[4000]; int i, t; long long s = 0, u = 0; for (i = 0; i < 4000; i++) a[i] = any(); for (i = 0; i < 4000; i++) s += a[i]; t = a[0]; a[0] = a[2]; a[2] = t; for (i = 0; i < 4000; i++) u += a[i]; check(s == u); return 0; }",
        &[("a[2] = t", "a[3] = t")],
    ),
    (
        "the mean of moved elements",
        "int mean(int *a) { long long s = 0; for (int i = 0; i < 4000; i++) s += a[i]; return s / 4000; } int main(void) { int a[4000]; int i, t, s, u; for (i = 0; i < 4000; i++) a[i] = any(); s = mean(a); t = a[0]; for (i = 0; i < 3999; i++) a[i] = a[i + 1]; a[3999] = t; u = mean(a); check(s == u); return 0; }",
        &[("a[3999] = t;", ""), ("a[3999] = t", "a[3999] = t + 4000")],
    ),
    (
        "the largest of moved elements",
        "int most(int *a) { long long m = 0; for (int i = 0; i < 4000; i++) m = m < a[i] ? a[i] : m; return m; } int main(void) { int a[4000]; int i, t, s, u; for (i = 0; i < 4000; i++) a[i] = any(); s = most(a); t = a[0]; for (i = 0; i < 3999; i++) a[i] = a[i + 1]; a[3999] = t; u = most(a); check(s == u); return 0; }",
        &[("a[3999] = t;", ""), ("i = 0; i < 3999", "i = 1; i < 3999")],
    ),
    (
        "bits of exchanged elements",
        "int main(void) { int a[4000]; int i, t, s = -1, u = -1; for (i = 0; i < 4000; i++) a[i] = any(); for (i = 0; i < 4000; i++) s &= a[i]; t = a[0]; a[0] = a[1]; a[1] = t; for (i = 0; i < 4000; i++) u &= a[i]; check(s == u); return 0; }",
        &[("a[0] = a[1]", "a[0] = a[2]")],
    ),
];

/// The run of the engine on a program.
fn decide(body: &str, time: &str) -> Run {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("program.c");
    std::fs::write(&path, format!("{DECLARATIONS}{body}\n")).unwrap();
    let path = path.display().to_string();
    run(&["check", "--engine", "forall", "--timeout", time, &path])
}

#[test]
fn patterns_are_proved() {
    for (name, body, _) in PATTERNS {
        let run = decide(body, "120s");
        assert_eq!(run.verdict(), "TRUE", "{name}: {}", run.stderr);
    }
}

#[test]
fn their_twins_are_not() {
    for (name, body, changes) in PATTERNS {
        for (right, wrong) in *changes {
            assert!(body.contains(right), "{name}: {right}");
            let run = decide(&body.replacen(right, wrong, 1), "20s");
            assert_ne!(run.verdict(), "TRUE", "{name}: {wrong}");
            assert!(!run.stderr.contains("INTERNAL"), "{name}: {}", run.stderr);
        }
    }
}

/// The twins are wrong indeed: with 12 elements in the place of many, every error is found.
#[test]
fn twins_have_errors() {
    for (name, body, changes) in PATTERNS {
        for (right, wrong) in *changes {
            let twin = body.replacen(right, wrong, 1);
            let folder = TempDir::new().unwrap();
            let path = folder.path().join("program.c");
            std::fs::write(&path, format!("{DECLARATIONS}{}\n", small(&twin))).unwrap();
            let path = path.display().to_string();
            let found = |engine: &&str| {
                let run = run(&["check", "--engine", engine, "--timeout", "60s", &path]);
                run.verdict() == "FALSE(unreach-call)"
            };
            assert!(["execute", "bmc"].iter().any(found), "{name}: {wrong}\n{}", small(&twin));
        }
    }
}

/// The program with small numbers in the place of large ones.
fn small(body: &str) -> String {
    let mut text = body.to_string();
    let numbers = [
        ("100000", "12"),
        ("10000", "12"),
        ("5000", "7"),
        ("4000", "12"),
        ("3999", "11"),
        ("3000", "12"),
        ("2000", "24"),
        ("1999", "23"),
        ("1000", "12"),
        ("999", "11"),
        ("998", "10"),
        ("900", "9"),
        ("300", "5"),
        ("299", "4"),
        ("40", "3"),
        ("39", "2"),
        ("77", "5"),
        ("99", "6"),
    ];
    for (large, few) in numbers {
        text = text.replace(large, few);
    }
    text
}
