//! Pointers to variables that have ended and live again, and pointers that walk out of their objects.
//!
//! The runs that are tried before a proof find most such errors, so each of them depends on a number
//! that runs do not guess: only the model tells.

mod common;

use common::{run, write};
use std::path::Path;

const DEREF: &str = "FALSE(valid-deref)";

fn verdict(folder: &Path, text: &str) -> String {
    let text = format!(
        "#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\
         extern int __VERIFIER_nondet_int(void);\n\
         #define HIT (((unsigned)m * 265443577u >> 12) == 0x5a5a5u)\n{text}\n"
    );
    let file = write(folder, "program.c", &text).display().to_string();
    let options = ["check", "--engine", "pdr", "--check", "bounds", "--timeout", "200s"];
    run(&[&options[..], &[&file]].concat()).verdict().to_string()
}

/// A program in which `old` uses a pointer that a life before has kept, and where it does so before or
/// after the present life has kept its own.
fn use_of_old_pointers(before: &str, keep: &str, old: &str, is_function: bool) -> [String; 2] {
    let programs = [format!("{old} {keep}"), format!("{keep} {old}")];
    programs.map(|body| match is_function {
        true => format!(
            "{before}\nstatic int f(int m) {{ int x = 1, r = 0; {body} return r; }}\n\
             int main(void) {{ int m = __VERIFIER_nondet_int(), r = 0;\n\
             for (int i = 0; i < 2; i++) r += f(m);\n return r; }}"
        ),
        false => format!(
            "{before}\nint main(void) {{ int m = __VERIFIER_nondet_int(), r = 0;\n\
             for (int i = 0; i < 2; i++) {{ int x = i; {body} }}\n return r; }}"
        ),
    })
}

#[test]
fn a_pointer_to_an_old_life_is_not_one_to_the_new() {
    let folder = tempfile::tempdir().unwrap();
    let record = "static struct { int *p; int n; } kept;";
    for (before, keep, old) in [
        (record, "kept.p = &x;", "if (kept.p && HIT) r = *kept.p;"),
        ("static int *kept[100];", "kept[7] = &x;", "if (kept[7] && HIT) r = *kept[7];"),
        ("static uintptr_t kept;", "kept = (uintptr_t)&x;", "if (kept && HIT) r = *(int *)kept;"),
        ("static int *kept;", "kept = &x;", "if (kept && HIT) r = *kept;"),
    ] {
        for is_function in [false, true] {
            let [fails, holds] = use_of_old_pointers(before, keep, old, is_function);
            assert_eq!(verdict(folder.path(), &fails), DEREF, "{fails}");
            assert_eq!(verdict(folder.path(), &holds), "TRUE", "{holds}");
        }
    }
}

/// Parameters, arrays of variable length, `alloca`, and blocks that a `return` leaves.
#[test]
fn whatever_ends_with_a_call_is_another_object_in_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let old = "if (kept.p && HIT) r = *kept.p;";
    for (own, keep) in [
        ("", "kept.p = &m;"),
        ("int a[n]; a[0] = 1;", "kept.p = a;"),
        ("int *a = __builtin_alloca(n * 4); a[0] = 1;", "kept.p = a;"),
        ("{ int x = n;", "kept.p = &x; if (n > 1) return r; }"),
    ] {
        let closed = if own.starts_with('{') { "" } else { "return r;" };
        let in_front = match own.starts_with('{') {
            true => format!("{old} {own} {keep} return r;"),
            false => format!("{own} {old} {keep} {closed}"),
        };
        let behind = match own.starts_with('{') {
            true => format!("{own} kept.p = &x; {old} if (n > 1) return r; }} return r;"),
            false => format!("{own} {keep} {old} {closed}"),
        };
        for (body, expected) in [(in_front, DEREF), (behind, "TRUE")] {
            let text = format!(
                "static struct {{ int *p; int n; }} kept;\n\
                 static int f(int m, int n) {{ int r = 0; {body} }}\n\
                 int main(void) {{ int m = __VERIFIER_nondet_int(), r = 0;\n\
                 for (int i = 0; i < 2; i++) r += f(m, i + 2);\n return r; }}"
            );
            assert_eq!(verdict(folder.path(), &text), expected, "{text}");
        }
    }
}

#[test]
fn small_steps_do_not_lead_into_another_object() {
    let folder = tempfile::tempdir().unwrap();
    for (start, steps, expected) in [
        ("HIT ? a : b", "p++; p++; p++;", "TRUE"),
        ("HIT ? a : b", "p++; p++; p++; p++; p++; p++; p++; p++;", DEREF),
        ("HIT ? b + 3 : a + 3", "p--; p--; p--;", "TRUE"),
        ("HIT ? b : a", "p--; p--; p--; p--; p--;", DEREF),
        // By way of a place where no object is.
        ("HIT ? a : b", "if (m > 0) p += 6; else p += 9; p += 2;", DEREF),
        ("HIT ? a : b", "p = (int *)((uintptr_t)p + 12);", "TRUE"),
    ] {
        let text = format!(
            "static int a[4], b[4];\nint main(void) {{ int m = __VERIFIER_nondet_int();\n\
             int *p = {start}; {steps} if (HIT) *p = 1; return 0; }}"
        );
        assert_eq!(verdict(folder.path(), &text), expected, "{text}");
    }
    // What is computed with integers is confirmed by no run, but it is not proved either.
    let text = "static int a[4], b[4];\nint main(void) { int m = __VERIFIER_nondet_int();\n\
                int *p = HIT ? a : b; p = (int *)((uintptr_t)p + 32); if (HIT) *p = 1; return 0; }";
    assert_ne!(verdict(folder.path(), text), "TRUE", "{text}");
}
