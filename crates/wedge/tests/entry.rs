//! `--function`: a function as the entry, with arbitrary arguments; and the names that other tools
//! have for assumptions and assertions.

mod common;

use common::{run, write};
use std::process::Command;
use tempfile::TempDir;

const TEXT: &str = "void assert(int);
struct node { int v; struct node *next; };
typedef struct { int a; unsigned b : 3; double d; } thing;
union either { int number; char *text; };
static int total;
static const int limit = 3;
int sum(struct node *n, int most) {
  int s = 0;
  while (n && most > 0) { s += n->v & 0xff; n = n->next; most--; }
  assert(s != 300);
  return s;
}
int deref(int *p, int i) { return p[i]; }
int checked(int *p, unsigned i) { return p && i < 3 ? p[i] : 0; }
int things(thing t, thing *u) { if (u) assert(!(u->b == 5 && t.d > 2.5)); return 0; }
int member(union either *e, int which) { return which ? e->number : *e->text; }
int through(int (*f)(int)) { if (f) assert(f(3) != 9); return 0; }
int globals(void) { assert(total == 0); return 0; }
int constants(void) { assert(limit == 3); return 0; }
void frees(struct node *n) { void free(void *); if (n) { free(n->next); free(n); } }
void frees_half(struct node *n) { void free(void *); free(n); }
int main(void) { return globals(); }
";

fn verdict(folder: &TempDir, arguments: &[&str]) -> String {
    let file = write(folder.path(), "entry.c", TEXT).display().to_string();
    let mut all = vec!["check", &file, "--timeout", "120s"];
    all.extend(arguments);
    run(&all).verdict().to_string()
}

#[test]
fn arguments_are_arbitrary() {
    let folder = TempDir::new().unwrap();
    let expected: &[(&[&str], &str)] = &[
        (&["--function", "sum"], "FALSE(assert)"),
        (&["--function", "sum", "--max-depth", "1"], "TRUE"),
        (&["--function", "deref", "--check", "bounds"], "FALSE(valid-deref)"),
        (&["--function", "checked", "--check", "bounds"], "FALSE(valid-deref)"),
        (&["--function", "things"], "FALSE(assert)"),
        (&["--function", "member", "--check", "bounds"], "FALSE(valid-deref)"),
        (&["--function", "through"], "FALSE(assert)"),
        (&["--function", "globals"], "TRUE"),
        (&["--function", "globals", "--arbitrary-globals"], "FALSE(assert)"),
        (&["--function", "constants", "--arbitrary-globals"], "TRUE"),
        (&["--arbitrary-globals"], "FALSE(assert)"),
        (&["--function", "main"], "TRUE"),
        (&["--function", "frees", "--check", "bounds,free,leak", "--engine", "bmc"], "TRUE"),
        (&["--function", "frees_half", "--check", "leak"], "FALSE(valid-memtrack)"),
    ];
    for (arguments, expected) in expected {
        assert_eq!(verdict(&folder, arguments), *expected, "{arguments:?}");
    }
}

#[test]
fn unknown_functions_are_named_with_those_that_exist() {
    let folder = TempDir::new().unwrap();
    let file = write(folder.path(), "entry.c", TEXT).display().to_string();
    let output = common::output(&["check", &file, "--function", "nothing"]);
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).to_string();
    assert!(message.contains("no function `nothing` is defined; there are"), "{message}");
    assert!(message.contains("checked") && message.contains("things"), "{message}");
}

/// The test that is made of an alarm fails in the function, too.
#[test]
fn tests_give_the_arguments() {
    let folder = TempDir::new().unwrap();
    let file = write(folder.path(), "entry.c", TEXT).display().to_string();
    for function in ["sum", "things"] {
        let harness = folder.path().join(format!("{function}.test.c"));
        let test = harness.display().to_string();
        let arguments = ["check", &file, "--function", function, "--harness", &test];
        let found = run(&[&arguments[..], &["--data-model", "LP64"]].concat());
        assert_eq!(found.verdict(), "FALSE(assert)", "{function}");
        let program = folder.path().join(function);
        let compiled = Command::new("cc").arg("-w").arg("-o").arg(&program).arg(&harness).status();
        if !compiled.is_ok_and(|status| status.success()) {
            panic!("{}", std::fs::read_to_string(&harness).unwrap());
        }
        let status = Command::new(&program).output().unwrap().status.code();
        assert_eq!(status, Some(107), "{function}");
    }
}

#[test]
fn names_of_other_tools_are_understood_by_option() {
    let folder = TempDir::new().unwrap();
    let text = |condition: &str| {
        format!(
            "void __CPROVER_assume(int); void __CPROVER_assert(int, const char *);
             int __VERIFIER_nondet_int(void); void __builtin_assume(int);
             int main(void) {{
               int x = __VERIFIER_nondet_int();
               __CPROVER_assume(x > 3);
               __builtin_assume(x < 6);
               __CPROVER_assert({condition}, \"range\");
             }}"
        )
    };
    for (condition, expected) in [("x == 4 || x == 5", "TRUE"), ("x == 4", "FALSE(assert)")] {
        let file = write(folder.path(), "aliases.c", &text(condition)).display().to_string();
        assert_eq!(run(&["check", &file, "--aliases"]).verdict(), expected);
    }
}
