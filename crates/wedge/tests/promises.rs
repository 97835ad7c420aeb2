//! What C promises and no more: results of which only the sign or the truth is said, input that has come
//! to its end.

mod common;

use common::{run, write};
use tempfile::TempDir;

const HEAD: &str = "#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
#include <wctype.h>
extern int __VERIFIER_nondet_int(void);
";

fn verdict(body: &str, more: &[&str]) -> String {
    let folder = TempDir::new().unwrap();
    let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
    let file = write(folder.path(), "program.c", &text).display().to_string();
    let usual = ["check", "--timeout", "200s", "--data-model", "LP64", &file];
    run(&[&usual[..], more].concat()).verdict().to_string()
}

/// What holds whatever the library gives, and what holds for some libraries only.
#[test]
fn results_have_the_sign_that_is_promised() {
    for (holds, fails) in [
        ("assert(strcmp(\"c\", \"a\") > 0);", "assert(strcmp(\"c\", \"a\") == 2);"),
        (
            "int r = strcmp(\"a\", \"c\"); assert(r < 0);",
            "int r = strcmp(\"a\", \"c\"); assert(r == -1);",
        ),
        ("assert(!memcmp(\"c\", \"c\", 1));", "assert(memcmp(\"c\", \"a\", 1) < 3);"),
        ("assert(isdigit('5') && !isdigit('x'));", "assert(isdigit('5') == 1);"),
        ("assert(isalpha('x') ? 1 : 0);", "int x = isalpha('x'); assert(x + 1 == 2);"),
        ("assert(wcscmp(L\"b\", L\"a\") > 0);", "assert(wcscmp(L\"b\", L\"a\") == 1);"),
        ("double d = -1; assert(signbit(d));", "double d = -1; assert((signbit)(d) == 1);"),
        ("assert(iswalpha('x') && !iswalpha('5'));", "assert(iswalpha('x') == 1);"),
    ] {
        assert_eq!(verdict(holds, &["--engine", "bmc"]), "TRUE", "{holds}");
        assert_eq!(verdict(fails, &["--engine", "bmc"]), "FALSE(assert)", "{fails}");
    }
}

/// A number that is walked down from an address in many steps is not near the address any more.
#[test]
fn many_steps_lead_from_an_address_to_small_numbers() {
    let walk = |steps: u32, condition: &str| {
        format!(
            "static int x; unsigned a = (unsigned)(uintptr_t)&x; for (int i = 0; i < {steps}; i++) a -= 1024; assert({condition});"
        )
    };
    let ilp32 = ["--engine", "bmc", "--data-model", "ILP32"];
    assert_eq!(verdict(&walk(3, "a % 4 == 0"), &ilp32), "TRUE");
    // Whether a run is confirmed depends on where the interpreter puts objects; it is never proved.
    let found = verdict(&walk(3, "a != 16"), &ilp32);
    assert_ne!(found, "TRUE");
}

/// After its end nothing more comes from a stream, unless the program goes elsewhere.
#[test]
fn the_input_ends_once() {
    let file = "FILE *f = fopen(\"x\", \"r\"); if (!f) return 0;";
    for (body, holds, fails) in [
        (
            "char a[8] = {0}, b[8] = {0}; char *p = fgets(a, 4, stdin), *q = fgets(b, 8, stdin);",
            "p || !q",
            "!(q && a[2] == '\\n' && b[0] == 'y')",
        ),
        (
            "int a[4]; size_t n = fread(a, 4, 2, stdin), m = fread(a, 4, 2, stdin);",
            "n == 2 || !m",
            "!(m == 1 && a[0] == 7)",
        ),
        (
            "FILEchar a[8], *p = fgets(a, 4, f); rewind(f); char *q = fgets(a, 4, f);",
            "!q || q == a",
            "p || !q",
        ),
        (
            "FILEchar a[8], *p = fgets(a, 4, f); fseek(f, 0, SEEK_SET); char *q = fgets(a, 4, f);",
            "!q || q == a",
            "p || !q",
        ),
        (
            "char a[8], *p = fgets(a, 4, stdin); clearerr(stdin); char *q = fgets(a, 4, stdin);",
            "!q || q == a",
            "p || !q",
        ),
        ("int c = getchar(), d = getchar();", "c != EOF || d == EOF", "!(c == 'a' && d == EOF)"),
        ("int c = getc(stdin), d = fgetc(stdin);", "c != EOF || d == EOF", "c == EOF || d != 'z'"),
        (
            "int c = fgetc(stdin); char a[8], *p = fgets(a, 4, stdin);",
            "c != EOF || !p",
            "!(c == 'a' && p && a[0] == 'b')",
        ),
        (
            "int x = 1, y = 1, m = scanf(\"%d\", &x), n = scanf(\"%d %d\", &x, &y);",
            "m != EOF || n == EOF",
            "!(m == 0 && n == EOF)",
        ),
        (
            "int x = 1, m = fscanf(stdin, \"%d\", &x), c = getc(stdin);",
            "m != EOF || c == EOF",
            "!(m == 1 && c == ' ')",
        ),
        (
            "int c = getc(stdin); ungetc('x', stdin); int d = getc(stdin);",
            "c >= EOF && d <= 255",
            "c != EOF || d == EOF",
        ),
        // Another stream has its own end.
        ("FILEchar a[8], *p = fgets(a, 4, f), *q = fgets(a, 4, stdin);", "!q || q == a", "p || !q"),
    ] {
        let with = |condition: &str| {
            let body = body.replace("FILE", if body.starts_with("FILE") { file } else { "FILE" });
            verdict(&format!("{body} assert({condition});"), &["--engine", "bmc"])
        };
        assert_eq!(with(holds), "TRUE", "{body} {holds}");
        assert_eq!(with(fails), "FALSE(assert)", "{body} {fails}");
    }
}

/// Another line comes after one that has ended, and none after the end.
#[test]
fn lines_follow_lines_that_end() {
    let line = "char *l = 0; size_t n = 0; ssize_t k = getline(&l, &n, stdin);";
    let next = "ssize_t m = getline(&l, &n, stdin);";
    for (rest, expected) in [
        (
            "if (k < 1) return 0; char last = l[k - 1]; NEXT assert(last != '\\n' || m != 1 || l[0] != 'x');",
            "FALSE(assert)",
        ),
        ("if (k != -1) return 0; NEXT assert(m == -1);", "TRUE"),
        ("if (k == -1) return 0; NEXT assert(m == -1);", "FALSE(assert)"),
    ] {
        let body = format!("{line} {}", rest.replace("NEXT", next));
        assert_eq!(verdict(&body, &["--engine", "kind"]), expected, "{body}");
    }
}

#[test]
fn texts_of_the_environment_have_a_bound_that_is_said() {
    let folder = TempDir::new().unwrap();
    let body = "char *s = getenv(\"HOME\"); if (s && s[0] == 'a') assert(s[0] != 'HERE');";
    for (text, expected) in [("b", "TRUE"), ("a", "FALSE(assert)")] {
        let body = body.replace("HERE", text);
        let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
        let file = write(folder.path(), "program.c", &text).display().to_string();
        let found = run(&["check", "--timeout", "200s", "--stats", "--data-model", "LP64", &file]);
        assert_eq!(found.verdict(), expected, "{}", found.stderr);
    }
}

/// Functions that are made of others: allocated text, and wide characters of the C locale.
#[test]
fn allocated_texts_and_wide_characters() {
    for (body, holds, fails) in [
        (
            "char *s; int x = __VERIFIER_nondet_int() & 1023, n = asprintf(&s, \"v=%d\", x);",
            "n >= 3 && n <= 6 && s[0] == 'v' && s[n] == 0",
            "n != 5",
        ),
        (
            "wint_t c = __VERIFIER_nondet_int();",
            "!iswdigit(c) || c >= '0' && c <= '9'",
            "!iswupper(c)",
        ),
        (
            "wint_t c = __VERIFIER_nondet_int();",
            "towupper(c) == c || towupper(c) == c - 32",
            "towlower(c) == c",
        ),
        (
            "wchar_t w[8]; size_t n = mbstowcs(w, \"abc\", 8);",
            "n == 3 && w[2] == L'c' && !w[3]",
            "n == 4",
        ),
        (
            "char b[8]; size_t n = wcstombs(b, L\"abc\", 8);",
            "n == 3 && b[2] == 'c' && !b[3]",
            "b[1] == 'c'",
        ),
    ] {
        let with = |condition: &str| {
            verdict(&format!("{body} assert({condition});"), &["--engine", "bmc"])
        };
        assert_eq!(with(holds), "TRUE", "{body} {holds}");
        assert_eq!(with(fails), "FALSE(assert)", "{body} {fails}");
    }
    let beyond = verdict("wchar_t w[8]; mbstowcs(w, \"\\xe4\", 8);", &["--engine", "bmc"]);
    assert!(beyond.starts_with("UNKNOWN(unsupported"), "{beyond}");
}
