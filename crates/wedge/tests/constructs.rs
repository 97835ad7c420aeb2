//! Constructs of GNU C and C11 with a meaning of their own. Each has a program that fails and one
//! that holds; none of them has inputs, so the system's compiler says what is right.

mod common;

use common::run as wedge;
use std::process::Command;

const ERROR: &str = "#include <stdlib.h>\nvoid reach_error(void) { _Exit(107); }\n";

/// What the compiled program ends with: 107 at the error.
fn compiled(folder: &std::path::Path, text: &str) -> Option<i32> {
    let (source, error) = (folder.join("program.c"), folder.join("error.c"));
    std::fs::write(&source, format!("extern void reach_error(void);\n{text}\n")).unwrap();
    std::fs::write(&error, ERROR).unwrap();
    let binary = folder.join("program");
    let built =
        Command::new("cc").arg("-w").args([&source, &error]).arg("-o").arg(&binary).status();
    assert!(built.ok()?.success(), "{text}");
    Command::new(binary).status().unwrap().code()
}

fn check(text: &str, engines: &[&str], expected: &str, status: i32) {
    let folder = tempfile::tempdir().unwrap();
    if let Some(code) = compiled(folder.path(), text) {
        assert_eq!(code, status, "{text}");
    }
    let path = folder.path().join("program.c");
    std::fs::write(&path, format!("extern void reach_error(void);\n{text}\n")).unwrap();
    let file = path.display().to_string();
    for engine in engines {
        let arguments =
            ["check", "--data-model", "LP64", "--engine", engine, "--timeout", "60s", &file];
        let run = wedge(&arguments);
        assert_eq!(run.verdict(), expected, "{engine}: {text}\n{}{}", run.stdout, run.stderr);
    }
}

/// A program with `CONDITION` in it: the error is reached under the first, not under the second.
fn pair(text: &str, fails: &str, holds: &str) {
    let with = |condition: &str| text.replace("CONDITION", condition);
    check(&with(fails), &["bmc", "execute"], "FALSE(unreach-call)", 107);
    check(&with(holds), &["kind", "execute"], "TRUE", 0);
}

#[test]
fn weak_symbols_without_definition_are_null() {
    let function = "extern int w(void) __attribute__((weak));
        int main(void) { if (CONDITION) reach_error(); return 0; }";
    pair(function, "!w", "w");
    pair(function, "w == 0", "w && w() == 3");
    let object = "extern int w __attribute__((weak));
        int main(void) { if (CONDITION) reach_error(); return 0; }";
    pair(object, "!&w", "&w");
    let defined = "extern int w(void); int main(void) { if (CONDITION) reach_error(); return 0; }
        __attribute__((weak)) int w(void) { return 3; }";
    pair(defined, "w && w() == 3", "!w || w() != 3");
    let reference = "static int w(void) __attribute__((weakref(\"target\")));
        int main(void) { if (CONDITION) reach_error(); return 0; }";
    pair(reference, "!w", "w");
    let found = "int target(void) { return 4; }
        static int w(void) __attribute__((weakref(\"target\")));
        int main(void) { if (CONDITION) reach_error(); return 0; }";
    pair(found, "w && w() == 4", "!w || w() != 4");
}

#[test]
fn labels_for_the_linker_name_functions() {
    let text = "int foo(void) __asm__(\"bar\"); int bar(void) { return 3; }
        int main(void) { if (CONDITION) reach_error(); return 0; }";
    pair(text, "foo() == 3", "foo() != 3");
}

#[test]
fn labels_have_addresses() {
    let table = "int main(void) { static void *t[] = {&&a, &&b, &&c}; int n = 0, i = 0;
        a: n += 1; i++; goto *t[i]; b: n += 10; i++; goto *t[i];
        c: if (CONDITION) reach_error(); return 0; }";
    pair(table, "n == 11", "n != 11");
    let local =
        "int f(int k) { void *t[] = {&&one, &&two}; goto *t[k]; one: return 1; two: return 2; }
        int main(void) { if (CONDITION) reach_error(); return 0; }";
    pair(local, "f(0) == 1 && f(1) == 2", "f(0) != 1 || f(1) != 2");
    pair("int main(void) { void *p = &&l; l: if (CONDITION) reach_error(); return 0; }", "p", "!p");
}

#[test]
fn constructors_run_before_main() {
    let order = "int x; __attribute__((constructor(202))) void f(void) { x = x * 10 + 2; }
        __attribute__((constructor)) static void h(void) { x = x * 10 + 3; }
        __attribute__((constructor(201))) void g(void) { x = x * 10 + 1; }
        int main(void) { if (CONDITION) reach_error(); return 0; }";
    pair(order, "x == 123", "x != 123");
    // The body of `main` begins with a loop.
    let head = "int x; __attribute__((constructor)) void f(void) { x++; }
        int main(void) { while (x < 4) x++; if (CONDITION) reach_error(); return 0; }";
    pair(head, "x == 4", "x != 4");
}

#[test]
fn destructors_run_after_main() {
    let returns =
        "int x; __attribute__((destructor)) void f(void) { if (CONDITION) reach_error(); }
        int main(void) { x = 3; return 0; }";
    pair(returns, "x == 3", "x != 3");
    let exits = "extern void exit(int); int x;
        __attribute__((destructor(201))) void f(void) { if (CONDITION) reach_error(); }
        __attribute__((destructor)) void g(void) { x++; }
        int main(void) { x = 3; exit(0); }";
    pair(exits, "x == 4", "x != 4");
}

#[test]
fn destructors_run_after_what_is_registered() {
    let text = "extern int atexit(void (*)(void)); int x;
        __attribute__((destructor)) void d(void) { x = x * 10 + 3; if (CONDITION) reach_error(); }
        __attribute__((destructor)) void e(void) { x = x * 10 + 4; }
        void f(void) { x = x * 10 + 2; } void g(void) { x = x * 10 + 1; }
        __attribute__((constructor)) void c(void) { atexit(f); }
        int main(void) { atexit(g); return 0; }";
    pair(text, "x == 1243", "x != 1243");
}

#[test]
fn variables_are_cleaned_up() {
    let text = "int n; void c(int *p) { n = n * 10 + *p; }
        int f(void) { int x __attribute__((cleanup(c))) = 1;
            { int y __attribute__((cleanup(c))) = 2; }
            int z __attribute__((cleanup(c))) = 3; return n; }
        int main(void) { int r = f();
            for (int i = 0; i < 2; i++) { int k __attribute__((cleanup(c))) = i;
                if (i == 0) continue; break; }
            if (CONDITION) reach_error(); return 0; }";
    pair(text, "r == 2 && n == 23101", "r != 2 || n != 23101");
    let end = "void c(int *p) { if (CONDITION) reach_error(); }
        int main(void) { int x __attribute__((cleanup(c))) = 4; x = 5; return 0; }";
    pair(end, "*p == 5", "*p != 5");
}

#[test]
fn atomics_of_one_thread() {
    let text = "#include <stdatomic.h>
        atomic_int a; _Atomic int b; _Atomic(int) c; atomic_flag f = ATOMIC_FLAG_INIT;
        int main(void) { int e = 0; atomic_init(&a, 0);
            int first = atomic_compare_exchange_strong(&a, &e, 5); e = 3;
            int second = atomic_compare_exchange_strong(&a, &e, 7);
            atomic_store(&b, 4); int old = atomic_exchange(&b, 9); old += 16 * atomic_fetch_or(&b, 6);
            int flags = atomic_flag_test_and_set(&f); flags += 2 * atomic_flag_test_and_set(&f);
            atomic_flag_clear(&f); flags += 4 * atomic_flag_test_and_set(&f);
            c = 3; c += 4; atomic_thread_fence(memory_order_seq_cst);
            atomic_fetch_sub_explicit(&a, 1, memory_order_relaxed);
            int is_right = first == 1 && second == 0 && e == 5 && a == 4 && b == 15 && c == 7
                && old == 4 + 16 * 9 && flags == 2 && atomic_load(&a) == 4;
            if (CONDITION) reach_error(); return 0; }";
    pair(text, "is_right", "!is_right");
}

#[test]
fn vectors_work_by_elements() {
    let text = "typedef int four __attribute__((vector_size(16)));
        four f(four x) { return x * x; }
        int main(void) { four a = {1, 2, 3, 4}, b = {10}; a += f(a) - b; int i = 2; a[i] = 7;
            four c = a > 6; if (CONDITION) reach_error(); return 0; }";
    pair(
        text,
        "a[0] == -8 && a[1] == 6 && a[2] == 7 && a[3] == 20 && c[1] == 0 && c[2] == -1",
        "a[0] != -8 || a[1] != 6 || a[2] != 7 || a[3] != 20 || c[1] || c[2] != -1",
    );
}
