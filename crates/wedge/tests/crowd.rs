//! Objects of arbitrary contents: what depends on them is never proved, what does not still is.

mod common;

use common::{run, write};
use std::path::Path;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\n\
    extern void reach_error(void); extern void *malloc(unsigned long);\n\
    #define check(c) do { if (!(c)) reach_error(); } while (0)\n\
    int copy(int x) { return x; }\n";

/// Each program can fail, by way of objects that pointers refer to.
const FAILING: &[&str] = &[
    // A global, written through one pointer and read through another.
    "int g; int main(void) { int *p = &g, *q = &g; *p = copy(1); copy(0); check(*q != 1); return 0; }",
    // A variable of a function that has one body for both calls.
    "int get(int v) { int local = v, *p = &local; *p += 1; return *p; }\n\
     int main(void) { int a = get(1), b = get(5); check(a + b != 8); return 0; }",
    // A field that is written by name and read through a pointer.
    "struct s { int a, b; } s; int main(void) { struct s *p = copy(1) ? &s : 0; s.b = copy(7);\n\
     check(p->b != 7); return 0; }",
    // A field that is written through a pointer and read by name.
    "struct s { int a, b; } s; int main(void) { struct s *p = &s; p->b = copy(7); copy(0);\n\
     check(s.b != 7); return 0; }",
    // Pointers to pointers, and memory that is allocated.
    "int main(void) { int *p = malloc(4), **q = &p; if (!p) return 0; **q = copy(3); copy(0);\n\
     check(*p != 3); return 0; }",
    // Elements of an array.
    "int a[4]; int main(void) { int *p = a; for (int i = 0; i < 4; i++) p[i] = copy(i); copy(0);\n\
     check(a[2] != 2); return 0; }",
    // A pointer to a function that is stored in such an object.
    "int hit; void on(void) { hit = 1; } void off(void) {} void (*f)(void) = off;\n\
     int main(void) { void (**p)(void) = &f; *p = on; copy(0); copy(1); f(); check(!hit); return 0; }",
    // Addresses of such objects differ, and are what they are.
    "int a, b; int main(void) { int *p = copy(1) ? &a : &b, *q = copy(0) ? &a : &b; check(p == q);\n\
     return 0; }",
    "int a; int main(void) { int *p = copy(1) ? &a : 0; check(p != &a); return 0; }",
];

/// None of these can fail, whatever such objects hold.
const HOLDING: &[&str] = &[
    "int g; int main(void) { int *p = &g, x = copy(2); *p = copy(1); check(x == 2); return 0; }",
    "int a[4]; int main(void) { int *p = a, n = 0; for (int i = 0; i < 4; i++) { p[i] = 9; n++; }\n\
     copy(0); check(n == copy(4)); return 0; }",
];

/// This holds, but no longer once the object is one of arbitrary contents.
const FORGOTTEN: &str = "int g; int main(void) { int *p = &g, *q = &g; *p = copy(1); copy(0);\n\
     check(*q == 1); return 0; }";

fn verdict(folder: &Path, text: &str, engine: &str) -> String {
    let file = write(folder, "program.c", &format!("{HEAD}{text}\n")).display().to_string();
    let model = ["--data-model", "LP64", "--expand", "0", "--crowd", "0"];
    let common = ["check", "--engine", engine, "--timeout", "20s", &file];
    run(&[&common[..], &model].concat()).verdict().to_string()
}

#[test]
fn what_depends_on_arbitrary_contents_is_not_proved() {
    let folder = tempfile::tempdir().unwrap();
    for text in FAILING {
        for engine in ["predabs", "bmc"] {
            let found = verdict(folder.path(), text, engine);
            assert!(!found.starts_with("TRUE"), "{engine}: {found} {text}");
        }
    }
}

#[test]
fn what_such_objects_hold_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    assert!(verdict(folder.path(), FORGOTTEN, "predabs").starts_with("UNKNOWN"));
}

#[test]
fn what_does_not_is() {
    let folder = tempfile::tempdir().unwrap();
    for text in HOLDING {
        for engine in ["predabs", "impact", "pdr"] {
            assert_eq!(verdict(folder.path(), text, engine), "TRUE", "{engine}: {text}");
        }
    }
}
