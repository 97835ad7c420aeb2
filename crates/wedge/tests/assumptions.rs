//! What is assumed by option: of functions that nobody knows, and of allocations. Each program has a
//! condition that fails in some run and one that holds in all.

mod common;

use common::run as wedge;

fn verdict(text: &str, options: &[&str], engine: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.c");
    std::fs::write(&path, format!("extern void reach_error(void);\n{text}\n")).unwrap();
    let file = path.display().to_string();
    let mut arguments = vec!["check", &file, "--engine", engine, "--timeout", "60s"];
    arguments.extend(options);
    wedge(&arguments).verdict().to_string()
}

/// With the option the first condition can be true; the second one cannot.
fn pair(text: &str, options: &[&str], possible: &str, impossible: &str) {
    let with = |condition: &str| text.replace("CONDITION", condition);
    let found = verdict(&with(possible), options, "bmc");
    assert_eq!(found, "FALSE(unreach-call)", "{text}: {possible}");
    assert_eq!(verdict(&with(possible), &[], "kind"), "TRUE", "{text}: {possible}, no option");
    assert_eq!(verdict(&with(impossible), options, "kind"), "TRUE", "{text}: {impossible}");
}

#[test]
fn functions_that_nobody_knows_may_change_what_they_reach() {
    let havoc = ["--undefined-functions", "havoc"];
    let end = "if (CONDITION) reach_error(); return 0; }";
    for (text, possible, impossible) in [
        ("int g = 1; extern void f(void); int main(void) { f();", "g == 5", "g != g"),
        (
            "extern void f(int *); int main(void) { int x = 1, y = 1; f(&x);",
            "x == 5 && y == 1",
            "y != 1",
        ),
        // What was given to an earlier call is known.
        (
            "extern void f(int *), h(void); int main(void) { int x = 1; f(&x); x = 2; h();",
            "x == 7",
            "0",
        ),
        // Behind pointers, in arrays, on the heap.
        (
            "struct s { struct s *n; int v; }; extern void f(struct s *);
            int main(void) { struct s b = {0, 2}, a = {&b, 1}, c = {0, 3}; f(&a);",
            "b.v == 9 && a.v == 1",
            "c.v != 3",
        ),
        (
            "extern void f(char *); int main(void) { char a[60] = {0}; a[50] = 1; f(a + 3);",
            "a[50] == 7 && a[2] == 3",
            "0",
        ),
        (
            "extern void *malloc(unsigned); extern void f(int *);
            int main(void) { int *p = malloc(8), *q = malloc(4); p[1] = 2; *q = 3; f(p);",
            "p[1] == 4",
            "*q != 3",
        ),
        // Constants stay what they are.
        (
            "const int k = 3; int g; extern void f(const int *); int main(void) { f(&k);",
            "g == 1",
            "k != 3",
        ),
        // Each call for itself, also in loops.
        (
            "int g; extern void f(void);
            int main(void) { int s = 0; for (int i = 0; i < 2; i++) { f(); s = s * 10 + g; }",
            "s == 34",
            "0",
        ),
    ] {
        pair(&format!("{text} {end}"), &havoc, possible, impossible);
    }
}

#[test]
fn allocations_may_fail() {
    let fail = ["--malloc-may-fail"];
    let head = "#include <stdlib.h>\n#include <string.h>\n#include <errno.h>\nint main(void) { ";
    let end = "if (CONDITION) reach_error(); return 0; }";
    for (text, possible, impossible) in [
        ("int *p = malloc(4); if (p) *p = 3;", "!p", "p && *p != 3"),
        ("int *p = calloc(2, 4), *q = calloc(1, 4);", "p && !q", "p && p[1]"),
        (
            "int *p = malloc(4), *q = 0; if (p) { *p = 7; q = realloc(p, 8); }",
            "p && !q && *p == 7",
            "q && *q != 7",
        ),
        ("char *s = strdup(\"ab\");", "!s", "s && s[1] != 'b'"),
        ("void *p = 0; int r = posix_memalign(&p, 16, 4);", "r && !p", "!r && !p"),
        ("errno = 0; void *p = malloc(1);", "!p && errno == ENOMEM", "p && errno"),
        (
            "int n = 0; for (int i = 0; i < 2; i++) if (!malloc(1)) n = n * 2 + i + 1;",
            "n == 4",
            "n > 4",
        ),
    ] {
        pair(&format!("{head}{text} {end}"), &fail, possible, impossible);
    }
    let pointer =
        format!("{head} void *(*f)(size_t) = malloc; void *p = f(4); if (!p) reach_error(); }}");
    let found = verdict(&pointer, &fail, "bmc");
    assert!(found.starts_with("UNKNOWN(unsupported: the address of `malloc`"), "{found}");
}

#[test]
fn a_declaration_that_is_not_the_standards_is_another_function() {
    let text = "extern int swprintf(int *, const int *, ...);
        int main(void) { if (swprintf(0, 0) == 3) reach_error(); }";
    assert_eq!(verdict(text, &[], "bmc"), "FALSE(unreach-call)");
    let standard = "extern int swprintf(int *, unsigned, const int *, ...);
        int main(void) { swprintf(0, 0, 0); }";
    let found = verdict(standard, &[], "bmc");
    assert!(found.starts_with("UNKNOWN(unsupported: swprintf at "), "{found}");
}
