//! Objects of any length, and pointers that leave theirs.

mod common;

use common::{run, write};
use std::path::Path;

const DEREF: &str = "FALSE(valid-deref)";

fn verdict(folder: &Path, body: &str, engine: &str) -> String {
    let text = format!(
        "#include <stdlib.h>\n\
         extern int __VERIFIER_nondet_int(void);\n\
         extern char __VERIFIER_nondet_char(void);\n\
         static char first[16], second[16];\n\
         int main(void) {{ int n = __VERIFIER_nondet_int(); if (n < 1) n = 1;\n{body}\n return 0; }}\n"
    );
    let file = write(folder, "program.c", &text).display().to_string();
    let relations = ["--engine", engine, "--invariants", "relations", "--timeout", "200s"];
    run(&[&["check", "--check", "bounds"], &relations[..], &[&file]].concat()).verdict().to_string()
}

/// The first holds, the second fails.
fn twins(cases: &[(&str, &str)]) {
    let folder = tempfile::tempdir().unwrap();
    for (holds, fails) in cases {
        assert_eq!(verdict(folder.path(), holds, "pdr"), "TRUE", "{holds}");
        assert_eq!(verdict(folder.path(), fails, "bmc"), DEREF, "{fails}");
    }
}

#[test]
fn arrays_of_any_length_are_proved() {
    twins(&[
        (
            "char *a = __builtin_alloca(n); for (int i = 0; i < n; i++) a[i] = 1;",
            "char *a = __builtin_alloca(n); for (int i = 0; i <= n; i++) a[i] = 1;",
        ),
        (
            "char *a = malloc(n), *s = a + n; while (s > a) *--s = 1;",
            "char *a = malloc(n), *s = a + n; while (s >= a) *--s = 1;",
        ),
    ]);
}

#[test]
fn the_end_of_a_string_of_any_length_is_known() {
    let fill = "char *a = __builtin_alloca(n), *s = a;\n\
                for (int i = 0; i < n - 1; i++) a[i] = __VERIFIER_nondet_char();";
    twins(&[(
        &format!("{fill} a[n - 1] = 0; while (*s) s++;"),
        &format!("{fill} a[n - 1] = __VERIFIER_nondet_char(); while (*s) s++;"),
    )]);
}

/// Where the model has the other object, the program may have nothing.
#[test]
fn a_pointer_does_not_jump_into_another_object() {
    let two = "int c = n == 1; char *p = c ? first : second; if (!c) return 0;";
    let any = "char *a = malloc(n), *b = malloc(n), *p = n == 1 ? a : b;\n\
               if (p == b || n > 100) return 0;";
    let pool = "int *t[2]; for (int i = 0; i < 2; i++) t[i] = malloc(4 * sizeof(int));\n\
                int *p = t[n == 1 ? 0 : 1];\n if (n != 1) return 0;";
    let by =
        |number: &str| format!("int i = __VERIFIER_nondet_int(); if (i != {number}) return 0;");
    let folder = tempfile::tempdir().unwrap();
    for (start, inside, beyond, sum) in [
        (two, "15", "32", "p += i; *p = 1;"),
        (any, "0", "0x40000000", "p += i; *p = 1;"),
        (any, "0", "0x40000000", "p[i] = 1;"),
        (pool, "3", "8", "p += i; *p = 1;"),
    ] {
        for (number, expected) in [(inside, "TRUE"), (beyond, DEREF)] {
            let body = format!("{start} {} {sum}", by(number));
            assert_eq!(verdict(folder.path(), &body, "pdr"), expected, "{body}");
        }
    }
}
