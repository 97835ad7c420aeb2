//! Values that were never written, parts of objects, conversions, values that nobody uses, and every
//! check by itself.

mod common;

use common::{run, write};
use tempfile::TempDir;

/// What is checked, the verdict, a statement list that fails, one that holds. `n` is any number.
const TWINS: &[(&str, &str, &str, &str)] = &[
    ("uninitialised", "uninitialised", "int x; return x;", "int x; x = n; return x;"),
    (
        "uninitialised",
        "uninitialised",
        "int x; if (n > 3) x = 1; return n > 2 ? x : 0;",
        "int x; if (n > 3) x = 1; return n > 3 ? x : 0;",
    ),
    (
        "uninitialised",
        "uninitialised",
        "int a[4]; a[0] = 1; a[1] = 2; a[3] = 3; return n >= 0 && n < 4 ? a[n] : 0;",
        "int a[4]; a[0] = 1; a[1] = 2; a[3] = 3; return n >= 0 && n < 4 && n != 2 ? a[n] : 0;",
    ),
    (
        "uninitialised",
        "uninitialised",
        "struct s { int a, b; } s, t; s.a = n; t = s; return t.b;",
        "struct s { int a, b; } s, t; s.a = n; t = s; return t.a;",
    ),
    (
        "uninitialised",
        "uninitialised",
        "int *p = malloc(8); p[0] = n; n = p[1]; free(p);",
        "int *p = calloc(2, 4); p[0] = n; n = p[1]; free(p);",
    ),
    (
        "bounds",
        "valid-deref",
        "int a[2][3] = {0}; return n >= 0 && n < 4 ? a[0][n] : 0;",
        "int a[2][3] = {0}; return n >= 0 && n < 3 ? a[0][n] : 0;",
    ),
    (
        "bounds",
        "valid-deref",
        "struct s { char b[4]; int k; } s = {0}; if (n >= 0 && n <= 4) s.b[n] = 1;",
        "struct s { char b[4]; int k; } s = {0}; if (n >= 0 && n < 4) s.b[n] = 1;",
    ),
    (
        "overflow",
        "no-overflow",
        "double d = n; d = d * 2.0; return (int)d;",
        "double d = n; d = d / 2.0; return (int)d;",
    ),
    (
        "overflow",
        "no-overflow",
        "float f = n; return (unsigned char)f;",
        "float f = n & 255; return (unsigned char)f;",
    ),
    ("bounds", "valid-deref", "int *p = 0; if (n) p = &n; *p;", "int *p = &n; if (n) p = &n; *p;"),
    ("overflow", "no-overflow", "n + 1;", "n & 1;"),
    ("div-by-zero", "div-by-zero", "1 / n;", "if (n) 1 / n;"),
];

fn program(body: &str) -> String {
    format!(
        "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\n\
         int main(void) {{\n  int n = __VERIFIER_nondet_int();\n  {body}\n  return 0;\n}}\n"
    )
}

#[test]
fn each_failure_is_found_and_each_twin_holds() {
    let folder = TempDir::new().unwrap();
    for (check, kind, fails, holds) in TWINS {
        for (body, expected) in [(fails, format!("FALSE({kind})")), (holds, "TRUE".to_string())] {
            let file = write(folder.path(), "twin.c", &program(body)).display().to_string();
            for engine in ["bmc", "pdr"] {
                let arguments = ["check", "--engine", engine, "--check", check, &file];
                assert_eq!(run(&arguments).verdict(), expected, "{engine}: {body}");
            }
        }
    }
}

/// Each alarm is found by executions, too, which know nothing of the encoding.
#[test]
fn executions_find_the_same() {
    let folder = TempDir::new().unwrap();
    for (check, kind, fails, _) in TWINS {
        let file = write(folder.path(), "twin.c", &program(fails)).display().to_string();
        let arguments =
            ["check", "--engine", "execute", "--timeout", "60s", "--check", check, &file];
        assert_eq!(run(&arguments).verdict(), format!("FALSE({kind})"), "{fails}");
    }
}

const SEVERAL: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int unused(int *p) { return *p; }
int main(void) {
  int a[3] = {1, 2, 3};
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 3) return 0;
  int x = a[n];
  assert(x != 2);
  int y = 10 / (x - 3);
  assert(y <= 10);
  assert(n >= 0);
  return 0;
}
";

#[test]
fn every_check_has_a_verdict_of_its_own() {
    let folder = TempDir::new().unwrap();
    let file = write(folder.path(), "several.c", SEVERAL).display().to_string();
    let check = ["check", "--all-properties", "--check", "assert,bounds,div-by-zero", &file];
    let found = run(&check);
    assert_eq!(found.verdict().split('(').next(), Some("FALSE"), "{}", found.stdout);
    let row = |line: u32, kind: &str| {
        let place = format!("several.c:{line}:");
        let mut rows = found.stdout.lines();
        let row = rows.find(|row| row.contains(&place) && row.contains(kind)).unwrap_or("");
        row.split_whitespace().nth(2).unwrap_or("").to_string()
    };
    assert_eq!(row(8, "valid-deref"), "FALSE", "{}", found.stdout);
    assert_eq!(row(9, "assert"), "FALSE");
    assert_eq!(row(10, "div-by-zero"), "FALSE");
    assert_eq!((row(11, "assert"), row(12, "assert")), ("TRUE".into(), "TRUE".into()));
    assert!(found.stdout.contains("`unused` is never called"), "{}", found.stdout);
    let json = run(&[&check[..], &["--json"]].concat());
    let line = json.stdout.lines().next().unwrap_or("");
    let value: serde_json::Value = serde_json::from_str(line).unwrap();
    let checks = value["checks"].as_array().unwrap();
    let count = |verdict: &str| {
        checks
            .iter()
            .filter(|c| c["verdict"].as_str().is_some_and(|v| v.starts_with(verdict)))
            .count()
    };
    assert_eq!((count("FALSE"), count("UNKNOWN")), (3, 0), "{line}");
    assert!(count("TRUE") >= 2, "{line}");
}

const NEVER: &str = "#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int clamp(int x) { return x < 0 ? 0 : x > 9 ? 9 : x; }
int main(void) {
  int a[10] = {0};
  int x = clamp(__VERIFIER_nondet_int());
  assert(x < 10);
  if (x * 3 == 100 - 1 - x) {
    x = x + 1;
    assert(x > 0);
    a[x] = 1;
  }
  if (x == 7)
    assert(a[7] == 0);
  return 0;
}
";

#[test]
fn checks_and_code_that_no_run_comes_to_are_named() {
    let folder = TempDir::new().unwrap();
    let file = write(folder.path(), "never.c", NEVER).display().to_string();
    let found = run(&["check", "--all-properties", "--check", "assert,bounds", &file]);
    assert_eq!(found.verdict(), "TRUE", "{}", found.stdout);
    let is_vacuous = |line: u32, kind: &str| {
        let place = format!("never.c:{line}:");
        let row = found.stdout.lines().find(|row| row.contains(&place) && row.contains(kind));
        row.unwrap_or_else(|| panic!("{line} {kind}: {}", found.stdout))
            .ends_with("no run comes here")
    };
    assert!(is_vacuous(10, "assert") && is_vacuous(11, "valid-deref"), "{}", found.stdout);
    assert!(!is_vacuous(7, "assert") && !is_vacuous(14, "assert"), "{}", found.stdout);
    let is_named = |row: &str| row.contains("never.c:9:") && row.contains("from here on");
    assert!(found.stdout.lines().any(is_named), "{}", found.stdout);
}

/// A run that violates a check ends there, also where it is asked which code runs come to.
#[test]
fn a_check_that_fails_does_not_hide_code_that_no_run_comes_to() {
    let text = "#include <stdlib.h>\n\
                extern int __VERIFIER_nondet_int(void);\n\
                int main(void) {\n int n = __VERIFIER_nondet_int();\n if (n < 0 || n > 4) return 0;\n\
                if (n > 4) n = 1 / (n - n);\n char *p = malloc(4);\n\
                if (n == 2) { free(p); p[0] = 1; }\n free(p);\n return n;\n}\n";
    let folder = TempDir::new().unwrap();
    let file = write(folder.path(), "failing.c", text).display().to_string();
    let found = run(&["check", "--all-properties", "--check", "bounds,div-by-zero", &file]);
    assert_eq!(found.verdict(), "FALSE(valid-deref)", "{}", found.stdout);
    let rows = |wanted: &str| found.stdout.lines().filter(|row| row.contains(wanted)).count();
    assert_eq!(rows("no run comes here"), 1, "{}", found.stdout);
    // Functions of headers that nothing calls are no news.
    assert_eq!(rows("is never called"), 0, "{}", found.stdout);
}
