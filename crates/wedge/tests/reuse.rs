//! Memory that is used again: a new object may be where one was that has ended, and may not be where one
//! lives. Each program has a condition that some placement of objects makes true, and one that none does.

mod common;

use common::{run, write};
use tempfile::TempDir;

const HEAD: &str = "#define _GNU_SOURCE
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
";

fn verdict(program: &str, condition: &str, more: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    let (top, body) = program.split_once("MAIN").unwrap_or(("", program));
    let text = format!(
        "{HEAD}{top}\nint main(void) {{ {body} if ({condition}) reach_error(); return 0; }}\n"
    );
    let file = write(folder.path(), "program.c", &text).display().to_string();
    let usual = ["check", "--engine", "bmc", "--timeout", "200s", "--data-model", "LP64", &file];
    run(&[&usual[..], more].concat()).verdict().to_string()
}

fn check(programs: &[(&str, &str, &str)]) {
    for (program, possible, impossible) in programs {
        let found = verdict(program, possible, &[]);
        assert_eq!(found, "FALSE(unreach-call)", "{program}: {possible}");
        let found = verdict(program, impossible, &[]);
        assert_eq!(found, "TRUE", "{program}: {impossible}");
    }
}

#[test]
fn allocated_memory_is_used_again() {
    check(&[
        ("int *p = malloc(4), *s = malloc(4); free(p); int *q = malloc(4);", "p == q", "s == q"),
        (
            "int *p = malloc(4); uintptr_t a = (uintptr_t)p; free(p); int *q = malloc(4);",
            "(uintptr_t)q == a",
            "q == 0",
        ),
        (
            "int *p = malloc(4); uintptr_t a = (uintptr_t)p; free(p); int *q = malloc(4);",
            "(int *)a == q",
            "q == 0",
        ),
        // Both have existed at the same time.
        (
            "int *p = malloc(4), *q = malloc(4); uintptr_t a = (uintptr_t)p; free(p);",
            "(uintptr_t)q != a",
            "(uintptr_t)q == a || p == q",
        ),
        // The first of several, and into a larger block.
        (
            "char *a = malloc(8), *b = malloc(8); free(a); free(b); char *c = malloc(8);",
            "c == a",
            "a == b",
        ),
        ("char *a = malloc(400); free(a); char *c = malloc(8);", "c == a", "!c"),
        // In the table of a map a dead key is found again.
        (
            "struct entry { void *key; int value; }; MAIN
            struct entry t[2] = {{malloc(4), 1}, {malloc(4), 2}}; free(t[0].key);
            void *n = malloc(4); int v = 0; for (int i = 0; i < 2; i++) if (t[i].key == n) v = t[i].value;",
            "v == 1",
            "v == 2",
        ),
        // The ABA problem.
        (
            "_Atomic(int *) top; MAIN int *a = malloc(4); top = a; int *e = a; free(a);
            int *b = malloc(4); top = b; int ok = atomic_compare_exchange_strong(&top, &e, (int *)0);",
            "ok",
            "ok && top",
        ),
        (
            "uintptr_t last = 0; int n = 0; for (int i = 0; i < 2; i++) { int *p = malloc(4);
            n += (uintptr_t)p == last; last = (uintptr_t)p; free(p); }",
            "n == 1",
            "n == 2",
        ),
        (
            "void *t[3]; for (int i = 0; i < 3; i++) { t[i] = malloc(4); if (i == 1) free(t[i]); }",
            "t[1] == t[2]",
            "t[0] == t[1] || t[0] == t[2]",
        ),
    ]);
}

#[test]
fn objects_are_moved_or_stay() {
    check(&[
        ("int *p = malloc(4), *s = malloc(4); int *q = realloc(p, 400);", "p == q", "q == s"),
        ("int *p = malloc(4); int *q = realloc(p, 400);", "p != q", "!q"),
        (
            "int *p = malloc(4); uintptr_t a = (uintptr_t)p; int *q = realloc(p, 400);",
            "(uintptr_t)q == a",
            "!q",
        ),
        (
            "int *p = malloc(4); uintptr_t a = (uintptr_t)p; int *q = realloc(p, 400);",
            "(uintptr_t)q != a",
            "!q",
        ),
        ("int *p = malloc(4); int *q = reallocarray(p, 4, 4);", "p == q", "!q"),
    ]);
}

#[test]
fn variables_share_a_place_on_the_stack() {
    check(&[
        (
            "int g; MAIN uintptr_t a; int r, s; { int x = g; a = (uintptr_t)&x; }
            { int y = g; r = (uintptr_t)&y == a; s = &y == &g; }",
            "r",
            "s",
        ),
        (
            "int z = 1, *a; { int x = 1; a = &x; } int r, s; { int y = 2; r = &y == a; s = &z == a; }",
            "r",
            "s",
        ),
        // The outer one goes on to live.
        (
            "int x = 1; uintptr_t a = (uintptr_t)&x; int r; { int y = 2; r = (uintptr_t)&y == a; }",
            "!r",
            "r",
        ),
        (
            "uintptr_t last; int f(int d) { int x = d; uintptr_t m = (uintptr_t)&x; int r = m == last;
            last = m; return r; } MAIN int r = f(1); r = f(2);",
            "r",
            "r > 1",
        ),
        (
            "uintptr_t last; int f(int d) { int x = d; uintptr_t m = (uintptr_t)&x; int r = 0;
            if (d > 0) r = f(d - 1); r += m == last; last = m; return r; } MAIN int r = f(1);",
            "!r",
            "r > 2",
        ),
        (
            "uintptr_t a = 0; int n = 0; for (int i = 0; i < 2; i++) { int x = i;
            n += (uintptr_t)&x == a; a = (uintptr_t)&x; }",
            "n == 1",
            "n > 1",
        ),
        (
            "uintptr_t a = 0; int n = 0; for (int i = 0; i < 2; i++) { int k = 3; int v[k]; v[0] = i;
            n += (uintptr_t)v == a; a = (uintptr_t)v; }",
            "n == 1",
            "n > 1",
        ),
    ]);
}

/// Numbers made of addresses are equal where the objects are one: literals may share their storage.
#[test]
fn literals_share_their_storage_as_numbers_too() {
    let program =
        "const char *a = \"ab\", *b = \"xab\"; uintptr_t x = (uintptr_t)a, y = (uintptr_t)b;";
    assert_ne!(verdict(program, "x == y + 1", &[]), "TRUE");
    let same = "uintptr_t x = (uintptr_t)\"ab\", y = (uintptr_t)\"ab\";";
    assert_ne!(verdict(same, "x == y", &[]), "TRUE");
    assert_ne!(verdict(same, "x != y", &[]), "TRUE");
}

/// Where memory is checked there is a bit for each object anyway.
#[test]
fn the_same_holds_where_memory_is_checked() {
    let program = "int *p = malloc(4), *s = malloc(4); free(p); int *q = malloc(4);
        int r = p == q, t = s == q; free(q); free(s);";
    for (condition, expected) in [("r", "FALSE(unreach-call)"), ("t", "TRUE")] {
        let more = ["--check", "unreach-call,bounds,free"];
        assert_eq!(verdict(program, condition, &more), expected, "{condition}");
    }
}
