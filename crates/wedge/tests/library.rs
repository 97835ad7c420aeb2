//! Calls of library functions: input, what is refused, and what is said about functions that nobody
//! knows.

mod common;

use common::run as wedge;
use std::io::Write;
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// Programs that read input, with a condition that some input makes true and one that none does.
const INPUTS: &[(&str, &str, &str)] = &[
    (
        "char b[3]; int r = fgets(b, 3, stdin) != 0;",
        "r && b[0] == 'a' && b[1] == 'b'",
        "r && b[0] == '\\n' && b[1]",
    ),
    ("int c = getchar();", "c == 'b'", "c > 255 || c < -1"),
    (
        "char b[2] = {0}; size_t r = fread(b, 1, 2, stdin);",
        "r == 1 && b[0] == 'a'",
        "r > 2 || (r == 1 && b[1])",
    ),
    (
        "int x = 0, y = 0, r = scanf(\"%d%d\", &x, &y);",
        "r == 1 && x == 7",
        "r < -1 || r > 2 || y && r < 2",
    ),
    ("int x = 0, r = scanf(\"%1d\", &x);", "r && x == 8", "x < 0 || x > 9"),
    ("unsigned char c = 1; scanf(\"%2hhx\", &c);", "c == 0xab", "0"),
    (
        "char w[3] = {1, 1, 1}; int r = scanf(\"%2s\", w);",
        "r == 1 && w[0] == 'a' && w[1] == 'b' && !w[2]",
        "r == 1 && (w[0] == ' ' || w[1] == 10) || r != 1 && w[0] != 1",
    ),
    ("char w[3] = {0}; scanf(\"%2[ab]\", w);", "w[0] == 'b' && w[1] == 'a'", "w[0] == '7'"),
    (
        "char b[3]; int x = 0, r = 0; if (fgets(b, 3, stdin)) r = sscanf(b, \"%d\", &x);",
        "r == 1 && x == 7",
        "x > 99 || x < -9",
    ),
    (
        "char c = 0; int r = scanf(\" %c\", &c);",
        "r == 1 && c == 'b'",
        "r == 1 && (c == ' ' || c == 10)",
    ),
    (
        "int c = getchar(); if (c != EOF) ungetc(c, stdin); int d = fgetc(stdin);",
        "c == 'a' && d == 'a'",
        "c == 'a' && ungetc(EOF, stdin) != EOF",
    ),
    ("int c = fgetc(stdin), d = getc(stdin);", "c == 'a' && d == 'b'", "c > 255 || d < -1"),
    ("int x = 3, r = fscanf(stdin, \"%d\", &x);", "x == 78", "r != 1 && x != 3"),
    (
        "char b[2] = {0}; long r = read(0, b, 2);",
        "r == 2 && b[1] == 'b'",
        "r > 2 || (r < 1 && b[0])",
    ),
];

/// Programs without input, with a condition that holds in all runs and one that fails in some.
const OTHERS: &[(&str, &str, &str)] = &[
    ("int r = rand();", "r >= 0", "r != 77"),
    (
        "int x = __VERIFIER_nondet_int(); char b[12]; int n = sprintf(b, \"%d\", x);",
        "n <= 11 && b[n] == 0 && (x >= 0 || b[0] == '-')",
        "n < 11",
    ),
    (
        "char b[4]; int n = snprintf(b, 4, \"%x\", __VERIFIER_nondet_int());",
        "n >= 1 && n <= 8 && b[n < 3 ? n : 3] == 0",
        "n < 8 || b[0] != 'b'",
    ),
    ("char b[400]; int n = sprintf(b, \"%.1f\", 2.25);", "n > 0", "b[2] != '2'"),
    ("int n = printf(\"%d\", __VERIFIER_nondet_int() & 127);", "n <= 3 && n", "n != -1 && n != 2"),
    ("int r = putchar(65);", "r == 65 || r == -1", "r == 65"),
    (
        "struct timeval t; int r = gettimeofday(&t, 0);",
        "r || t.tv_usec < 1000000",
        "t.tv_usec != 7",
    ),
    ("char *s = strerror(2);", "s", "s[0] != 'N'"),
    (
        "void *p = aligned_alloc(__VERIFIER_nondet_int() ? 64 : 32, 64);",
        "((unsigned long)p & 15) == 0",
        "p == 0",
    ),
    (
        "extern void sincos(double, double *, double *); double s, c; sincos(0.0, &s, &c);",
        "s == 0.0 && c == 1.0",
        "c != 1.0",
    ),
    ("int q; double r = remquo(7.0, 2.0, &q);", "r == -1.0 && (q & 7) == 4", "(q & 7) != 4"),
    ("time_t t = 0, r = time(&t);", "t == r && r >= -1", "t != 77"),
    ("int x = 0; __VERIFIER_nondet_memory(&x, sizeof x);", "x == x", "x != 1234"),
    ("int x = 0, y = 5; __asm__ (\"nop\" : \"=r\"(x) : \"r\"(y));", "y == 5", "x != 1"),
    ("errno = 0; FILE *f = fopen(\"a\", \"r\");", "!f || !errno", "f || errno != ENOENT"),
    ("errno = 0; int d = open(\"a\", 0);", "d < 0 || !errno", "d >= 0 || errno != EACCES"),
    (
        "errno = 0; double x = __VERIFIER_nondet_int(), r = sqrt(x);",
        "x < 0 || errno == 0",
        "errno != EDOM",
    ),
    ("errno = 0; sqrt(-(double)(__VERIFIER_nondet_int() & 1));", "errno != 5", "errno != EDOM"),
    (
        "errno = 0; double r = exp(800.0);",
        "errno == 0 || errno == ERANGE || errno == EDOM",
        "!errno",
    ),
    ("errno = 0; double r = logb(0.0), s = fabs(-1.0);", "errno != 5", "!errno"),
    ("FILE *f = fopen(\"a\", \"r\"), *g = fopen(\"b\", \"r\");", "!f || f != g", "f"),
    (
        "int a[2] = {__VERIFIER_nondet_int(), 4}; qsort(a, 2, sizeof a[0], order);",
        "a[0] <= a[1]",
        "a[0] != 3",
    ),
];

const HEAD: &str = "#include <stdio.h>\n#include <stdlib.h>\n#include <time.h>\n#include <unistd.h>\n\
    #include <errno.h>\n#include <fcntl.h>\n#include <math.h>\n#include <string.h>\n#include <sys/time.h>\n\
    extern void reach_error(void); extern int __VERIFIER_nondet_int(void);\n\
    extern void __VERIFIER_nondet_memory(void *, size_t);\n\
    static int order(const void *a, const void *b)\n\
    { int x = *(const int *)a, y = *(const int *)b; return x < y ? -1 : x > y; }\n";

fn program(folder: &TempDir, setting: &str, wrong: &str) -> String {
    let path = folder.path().join("program.c");
    let text =
        format!("{HEAD}int main(void) {{ {setting} if ({wrong}) reach_error(); return 0; }}\n");
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

fn verdict(file: &str) -> String {
    let run =
        wedge(&["check", file, "--engine", "bmc", "--data-model", "LP64", "--timeout", "60s"]);
    run.verdict().to_string()
}

/// Whether the compiled program reaches the error for some input of at most two characters; none
/// without a compiler.
fn some_input_fails(folder: &TempDir, file: &str) -> Option<bool> {
    let executable = folder.path().join("program");
    let support = folder.path().join("support.c");
    let text = "void _exit(int); void reach_error(void) { _exit(7); }
        int __VERIFIER_nondet_int(void) { return 0; }
        void __VERIFIER_nondet_memory(void *p, unsigned long n) { }";
    std::fs::write(&support, text).unwrap();
    let mut compiler = Command::new("cc");
    compiler.arg("-w").arg("-o").arg(&executable).arg(file).arg(&support);
    assert!(compiler.status().ok()?.success(), "{file} does not compile");
    let letters = ["", "a", "b", "\n", "7", "8", " "];
    let mut inputs: Vec<String> = letters.iter().map(|letter| letter.to_string()).collect();
    inputs.extend(letters.iter().flat_map(|a| letters.iter().map(move |b| format!("{a}{b}"))));
    Some(inputs.iter().any(|input| {
        let mut child = Command::new(&executable).stdin(Stdio::piped()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait().unwrap().code() == Some(7)
    }))
}

#[test]
fn input_is_arbitrary_and_has_the_right_shape() {
    let folder = TempDir::new().unwrap();
    for (setting, possible, impossible) in INPUTS {
        let file = program(&folder, setting, possible);
        assert!(some_input_fails(&folder, &file).unwrap_or(true), "{setting} {possible}");
        assert_eq!(verdict(&file), "FALSE(unreach-call)", "{setting} {possible}");
        let file = program(&folder, setting, impossible);
        assert!(!some_input_fails(&folder, &file).unwrap_or(false), "{setting} {impossible}");
        assert_eq!(verdict(&file), "TRUE", "{setting} {impossible}");
    }
}

#[test]
fn results_are_arbitrary_within_what_is_said_of_them() {
    let folder = TempDir::new().unwrap();
    for (setting, holds, fails) in OTHERS {
        let file = program(&folder, setting, &format!("!({holds})"));
        assert_eq!(verdict(&file), "TRUE", "{setting} {holds}");
        let file = program(&folder, setting, &format!("!({fails})"));
        assert_eq!(verdict(&file), "FALSE(unreach-call)", "{setting} {fails}");
    }
}

#[test]
fn functions_for_the_end_run_in_order() {
    let folder = TempDir::new().unwrap();
    for (registered, expected) in [
        ("atexit(look); if (argc > 1) atexit(set);", "FALSE(unreach-call)"),
        ("if (argc > 1) atexit(set); atexit(look);", "TRUE"),
        ("at_quick_exit(look); set(); exit(1);", "TRUE"),
        ("at_quick_exit(look); set(); quick_exit(1);", "FALSE(unreach-call)"),
        ("atexit(look); set(); _Exit(1);", "TRUE"),
    ] {
        let path = folder.path().join("program.c");
        let text = format!(
            "#include <stdlib.h>\nextern void reach_error(void); int n;
            void look(void) {{ if (n) reach_error(); }} void set(void) {{ n = 1; }}
            int main(int argc, char **argv) {{ {registered} return 0; }}"
        );
        std::fs::write(&path, text).unwrap();
        assert_eq!(verdict(&path.display().to_string()), expected, "{registered}");
    }
}

/// What a file handle refers to belongs to the library.
#[test]
fn an_open_file_is_no_leak() {
    let folder = TempDir::new().unwrap();
    let property = folder.path().join("property.prp");
    std::fs::write(&property, "CHECK( init(main()), LTL(G valid-memtrack) )").unwrap();
    let property = property.display().to_string();
    for (setting, expected) in [
        ("FILE *f = fopen(\"a\", \"r\"); if (f) fclose(f);", "TRUE"),
        ("char *p = malloc(3); p = 0;", "FALSE(valid-memtrack)"),
    ] {
        let file = program(&folder, setting, "0");
        let run = wedge(&["check", &file, "--engine", "bmc", "--property", &property]);
        assert_eq!(run.verdict(), expected, "{setting}");
    }
}

/// The texts are of any length up to the one that is documented.
#[test]
fn the_environment_has_texts() {
    let folder = TempDir::new().unwrap();
    let setting = "char *e = getenv(\"HOME\");";
    let found = verdict(&program(&folder, setting, "e && e[0] == 'x'"));
    assert_eq!(found, "FALSE(unreach-call)");
    let found = verdict(&program(&folder, setting, "e == (char *)1"));
    assert_eq!(found, "TRUE");
}

#[test]
fn what_is_not_modelled_is_refused_where_it_is_reached() {
    let folder = TempDir::new().unwrap();
    for (call, name) in [
        ("void *x; scanf(\"%p\", &x);", "scanf"),
        ("int x; char f[] = \"%d\"; scanf(f, &x);", "scanf"),
        ("char b[9], *f = \"a\"; sprintf(b, f);", "sprintf"),
        ("void *p; int n; printf(\"%p%n\", p, &n);", "printf"),
        (
            "extern int __VERIFIER_nondet_frob(void); __VERIFIER_nondet_frob();",
            "__VERIFIER_nondet_frob",
        ),
        ("fork();", "fork"),
    ] {
        let reached = verdict(&program(&folder, call, "0"));
        assert!(reached.starts_with(&format!("UNKNOWN(unsupported: {name} at ")), "{reached}");
        let guarded = format!("if (__VERIFIER_nondet_int() != 0 && 0) {{ {call} }}");
        assert_eq!(verdict(&program(&folder, &guarded, "0")), "TRUE", "{call}");
    }
}

#[test]
fn functions_that_nobody_knows_are_named() {
    let folder = TempDir::new().unwrap();
    let file = program(&folder, "extern int frob(int);", "frob(1) == 3");
    let run = wedge(&["check", &file, "--engine", "bmc", "--timeout", "60s"]);
    assert_eq!(run.verdict(), "FALSE(unreach-call)");
    assert!(run.stderr.contains("`frob` is not defined"), "{}", run.stderr);
    let refused = wedge(&[
        "check",
        &file,
        "--engine",
        "bmc",
        "--undefined-functions",
        "refuse",
        "--timeout",
        "60s",
    ]);
    assert!(
        refused.verdict().starts_with("UNKNOWN(unsupported: frob at "),
        "{}",
        refused.verdict()
    );
}

/// What a program gets from those who start it: how many texts, and then none.
#[test]
fn arguments_have_a_shape() {
    let folder = TempDir::new().unwrap();
    for (body, expected) in [
        ("if (argc < 0 || argv[argc]) reach_error();", "TRUE"),
        ("for (int i = 0; i < 3 && argv[i]; i++) if (i >= argc) reach_error();", "TRUE"),
        ("if (argc > 1 && !argv[1]) reach_error();", "TRUE"),
        ("char **a = argv; argv++; argc = 7; if (a[0] == argv[0]) argc = 0;", "TRUE"),
        ("if (argc > 1) { argv[1] = 0; if (!argv[1]) reach_error(); }", "FALSE(unreach-call)"),
        ("if (argc == 0) reach_error();", "FALSE(unreach-call)"),
        ("if (argc > 1 && atoi(argv[1]) == 42) reach_error();", "FALSE(unreach-call)"),
        ("if (argc > 2 && !strcmp(argv[2], \"-v\")) reach_error();", "FALSE(unreach-call)"),
        (
            "int n = 0; while (*argv) { argv++; n++; if (n == 3) break; } if (n == 2 && argc != 2) reach_error();",
            "TRUE",
        ),
    ] {
        let path = folder.path().join("program.c");
        let text = format!("{HEAD}int main(int argc, char **argv) {{ {body} return 0; }}");
        std::fs::write(&path, text).unwrap();
        assert_eq!(verdict(&path.display().to_string()), expected, "{body}");
    }
}

/// All engines of the default command refuse with the same words.
#[test]
fn the_default_command_names_what_is_refused() {
    let folder = TempDir::new().unwrap();
    for (call, name) in [
        ("fork();", "fork"),
        ("extern int thrd_create(); thrd_create();", "thrd_create"),
        (
            "extern int getrandom(void *, size_t, unsigned); char b[4]; getrandom(b, 4, 0);",
            "getrandom",
        ),
    ] {
        let file = program(&folder, call, "0");
        let run = wedge(&["check", &file, "--data-model", "LP64", "--timeout", "60s"]);
        let expected = format!("UNKNOWN(unsupported: {name} at ");
        assert!(run.verdict().starts_with(&expected), "{}", run.verdict());
    }
}
