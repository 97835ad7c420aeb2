//! Functions with one body for all their calls: the verdicts are those of the expanded program.

mod common;

use common::{run, write};
use std::path::Path;

const HEAD: &str = "extern int __VERIFIER_nondet_int(void);\n\
    extern void reach_error(void);\n\
    #define check(c) do { if (!(c)) reach_error(); } while (0)\n";

/// Each program holds with the first text in the place of `@` and fails with the second.
const PROGRAMS: &[(&str, &str, &str)] = &[
    // Calls return to where they were made, with the result of this call.
    (
        "int twice(int x) { return x + x; }\n\
         int main(void) { int a = twice(3), b = twice(a); int c = twice(b) + twice(1);\n\
         check(a == 6); check(b == 12); check(c == @); return 0; }",
        "26",
        "24",
    ),
    // One body calls another one.
    (
        "int inc(int x) { return x + 1; }\n\
         int add(int x) { int y = inc(x); return inc(y); }\n\
         int main(void) { int n = __VERIFIER_nondet_int(); if (n > 3 || n < 0) return 0;\n\
         int a = add(n), b = inc(n), c = add(b); check(a == n + 2); check(c == n + @); return 0; }",
        "3",
        "2",
    ),
    // Locals have addresses, and each call has new ones.
    (
        "void set(int *p, int v) { *p = v; }\n\
         int get(int v) { int local; set(&local, v); int other = local; set(&other, other + 1);\n\
         return other; }\n\
         int main(void) { int a = get(1), b = get(5), c; set(&c, a + b); check(c == @); return 0; }",
        "8",
        "7",
    ),
    // A variable without a value is arbitrary in every call, whatever the last call has left there.
    (
        "int pick(int known) { int v, *p = &v; if (known) *p = 7; return *p; }\n\
         int main(void) { int a = pick(1), b = pick(@); check(a == 7); check(b == 7); return 0; }",
        "1",
        "0",
    ),
    // Through pointers to functions.
    (
        "int one(int x) { return x + 1; } int two(int x) { return x + 2; }\n\
         int apply(int (*f)(int), int x) { return f(x); }\n\
         int main(void) { int n = __VERIFIER_nondet_int();\n\
         int (*f)(int) = n ? one : two; int a = apply(f, 0), b = apply(one, a) + apply(two, 0);\n\
         check(b == (n ? 4 : @)); return 0; }",
        "5",
        "4",
    ),
    // Recursion around and inside of one body.
    (
        "int inc(int x) { return x + 1; }\n\
         int down(int n) { if (n <= 0) return inc(0); int r = down(n - 1); return inc(r); }\n\
         int both(int n) { return down(n) + inc(n); }\n\
         int main(void) { int a = both(2), b = both(1); check(a == 6); check(b == @); return 0; }",
        "4",
        "5",
    ),
    // In loops, and with nothing returned.
    (
        "int total; void add(int x) { total += x; }\n\
         int main(void) { for (int i = 0; i < 4; i++) { add(1); add(i); } add(10);\n\
         check(total == @); return 0; }",
        "20",
        "21",
    ),
    // A function that does not return in some of its calls.
    (
        "extern void exit(int); int seen;\n\
         void leave(int now) { if (now) exit(0); seen++; }\n\
         int main(void) { leave(0); leave(__VERIFIER_nondet_int()); leave(0); check(seen == @);\n\
         leave(1); reach_error(); return 0; }",
        "3",
        "2",
    ),
    // Allocations in one body are several objects.
    (
        "extern void *malloc(unsigned long); int *make(int v) { int *p = malloc(4); *p = v; return p; }\n\
         int main(void) { int *a = make(1), *b = make(2); check(*a == 1); check(*b == @);\n\
         check(a != b); return 0; }",
        "2",
        "1",
    ),
];

fn verdict(folder: &Path, text: &str, options: &[&str]) -> String {
    let file = write(folder, "program.c", text).display().to_string();
    let common = ["check", "--data-model", "LP64", "--timeout", "200s"];
    run(&[&common[..], options, &[&file]].concat()).verdict().to_string()
}

fn compare(engine: &str) {
    let folder = tempfile::tempdir().unwrap();
    for (text, holds, fails) in PROGRAMS {
        for (number, is_safe) in [(holds, true), (fails, false)] {
            let text = format!("{HEAD}{}\n", text.replace('@', number));
            let wanted = if is_safe { "TRUE" } else { "FALSE(unreach-call)" };
            for expand in ["0", "1000000"] {
                let options = ["--engine", engine, "--expand", expand];
                assert_eq!(verdict(folder.path(), &text, &options), wanted, "{expand}: {text}");
            }
        }
    }
}

#[test]
fn predabs_gives_the_same_verdicts() {
    compare("predabs");
}

#[test]
fn bmc_and_impact_give_the_same_verdicts() {
    compare("bmc");
    compare("impact");
}

/// Whether an access is defined depends on which call an object is of: there bodies are expanded.
#[test]
fn memory_safety_has_a_body_for_every_call() {
    let folder = tempfile::tempdir().unwrap();
    let text = "int *keep; int *get(int set) { int local = 0; if (set) keep = &local; return keep; }\n\
                int main(void) { get(1); return *get(0); }\n";
    let options = ["--engine", "bmc", "--check", "bounds", "--expand", "0"];
    assert_eq!(verdict(folder.path(), text, &options), "FALSE(valid-deref)");
}
