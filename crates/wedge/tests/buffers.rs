//! Buffers of some thousand bytes with symbolic indices: what is written decides what is read, and
//! elements that nobody touches cost nothing. Each program holds with one text in place of `HERE` and
//! fails with another one; `bmc` and the default command decide both.

mod common;

use common::{run, write};
use tempfile::TempDir;

const HEAD: &str = "#include <assert.h>
#include <stdlib.h>
#include <string.h>
#define N 4096
extern unsigned __VERIFIER_nondet_uint(void);
static unsigned any(void) { unsigned i = __VERIFIER_nondet_uint(); if (i >= N) exit(0); return i; }
";

/// Name, program, what makes it hold and what makes it fail.
const SHAPES: &[(&str, &str, &str, &str)] = &[
    (
        "writes",
        "char b[N]; int main(void) { unsigned last = 0; for (int k = 0; k < 20; k++) { last = any(); b[last] = k; }
         assert(b[last] == HERE); char c = b[any()]; assert(c >= 0 && c < 20); }",
        "19",
        "18",
    ),
    (
        "sum of reads",
        "char b[N]; int main(void) { int s = 0; for (int k = 0; k < 12; k++) b[any()] = 1;
         for (int k = 0; k < 12; k++) s += b[any()]; assert(s <= HERE); }",
        "12",
        "11",
    ),
    (
        "cleared by a loop",
        "int main(void) { char b[N]; for (int i = 0; i < N; i++) b[i] = 0;
         for (int k = 0; k < 20; k++) b[any()] = k; assert(b[any()] < HERE); }",
        "20",
        "19",
    ),
    (
        "in a record",
        "struct P { int len; unsigned char buf[N]; int tag; } p; int main(void) { p.tag = 7;
         for (int k = 0; k < 20; k++) { p.buf[any()] = __VERIFIER_nondet_uint() & 15; p.len++; }
         assert(p.tag == 7 && p.len == 20 && p.buf[any()] < HERE); }",
        "16",
        "15",
    ),
    (
        "filled",
        "int main(void) { unsigned char b[N]; memset(b, 5, N); for (int k = 0; k < 8; k++) b[any()]++;
         unsigned char c = b[any()]; assert(c >= 5 && c <= HERE); }",
        "13",
        "12",
    ),
    (
        "two buffers",
        "unsigned char a[N], b[N]; int main(void) { for (int k = 0; k < 20; k++) { unsigned i = any(); a[i] = k; b[i] = a[i] + 1; }
         unsigned j = any(); assert(b[j] == a[j] + 1 || HERE); }",
        "(a[j] == 0 && b[j] == 0)",
        "a[j] == 1",
    ),
    (
        "allocated",
        "int main(void) { unsigned char *b = malloc(N); memset(b, 0, N); for (int k = 0; k < 20; k++) b[any()] = k + 1;
         assert(b[any()] <= HERE); }",
        "20",
        "19",
    ),
    (
        "a ring",
        "unsigned char q[N]; int main(void) { unsigned head = any(), tail = head;
         for (int k = 0; k < 20; k++) { q[tail] = k; tail = (tail + 1) % N; }
         for (int k = 0; k < 20; k++) { assert(q[head] == k); head = (head + 1) % N; } assert(HERE); }",
        "head == tail",
        "head != tail",
    ),
    (
        "copied",
        "unsigned char a[N], b[N]; int main(void) { for (int k = 0; k < 20; k++) a[any()] = 3; memcpy(b, a, N);
         unsigned i = any(), j = any(); b[i] = 9; assert(i == j || b[j] == a[j]); assert(HERE); }",
        "b[i] == 9",
        "a[i] != 3",
    ),
    (
        "records copied",
        "struct P { int len; char buf[N]; } p, q; int main(void) { p.len = 3; for (int k = 0; k < 20; k++) p.buf[any()] = 1;
         q = p; unsigned j = any(); assert(q.len == 3 && q.buf[j] == p.buf[j] && q.buf[j] HERE); }",
        "< 2",
        "!= 1",
    ),
    (
        "filled in part",
        "unsigned char b[N]; int main(void) { memset(b, 1, N); memset(b + 100, 2, 1000); unsigned j = any();
         assert(b[j] == (j >= 100 && j < HERE ? 2 : 1)); }",
        "1100",
        "1101",
    ),
    (
        "words in bytes",
        "unsigned char b[N]; int main(void) { unsigned i = any() & ~3u; *(unsigned *)(b + i) = 0x04030201u;
         for (int k = 0; k < 5; k++) { unsigned j = any(); if (j / 4 != i / 4) b[j] = 9; }
         assert(*(unsigned *)(b + i) == HERE); }",
        "0x04030201u",
        "0x04030202u",
    ),
];

fn check(engine: &[&str]) {
    let folder = TempDir::new().unwrap();
    for (name, program, holds, fails) in SHAPES {
        for (text, expected) in [(holds, "TRUE"), (fails, "FALSE(assert)")] {
            let text = HEAD.to_string() + &program.replace("HERE", text);
            let file = write(folder.path(), "program.c", &text).display().to_string();
            let found = run(&[&["check", "--timeout", "200s", &file], engine].concat());
            assert_eq!(found.verdict(), expected, "{name}\n{text}\n{}", found.stderr);
        }
    }
}

#[test]
fn bmc_decides_buffers() {
    check(&["--engine", "bmc"]);
}

#[test]
fn the_default_command_decides_buffers() {
    check(&[]);
}

/// Without bounds there is no end of the paths, and the abstractions of arrays prove what they can.
#[test]
fn errors_in_loops_without_bounds_are_found() {
    let folder = TempDir::new().unwrap();
    let program = "char b[N]; int main(void) { unsigned n = 0; while (__VERIFIER_nondet_uint()) { b[any()] = 1; n++; }
        char c = b[any()]; assert(c HERE); }";
    let text = HEAD.to_string() + &program.replace("HERE", "== 0");
    let file = write(folder.path(), "program.c", &text).display().to_string();
    let found = run(&["check", "--timeout", "100s", "--engine", "bmc", &file]);
    assert_eq!(found.verdict(), "FALSE(assert)", "{}", found.stderr);
}
