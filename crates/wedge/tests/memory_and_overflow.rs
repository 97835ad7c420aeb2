//! Overflow, memory safety and leaks: programs that fail, each with a twin that holds. Where the
//! compiler has sanitizers they say the same.

mod common;

use common::run as wedge;
use std::path::Path;
use std::process::Command;

/// What is checked, the verdict that names it, and two versions of a program, of which the first
/// fails. `X` stands for a number that the compiler must not see through.
struct Twins {
    check: &'static str,
    verdict: &'static str,
    fails: &'static str,
    holds: &'static str,
    /// Whether sanitizers report it.
    sanitized: bool,
}

const fn twins(
    check: &'static str,
    verdict: &'static str,
    fails: &'static str,
    holds: &'static str,
) -> Twins {
    Twins { check, verdict, fails, holds, sanitized: true }
}

const OVERFLOW: &str = "FALSE(no-overflow)";
const DEREF: &str = "FALSE(valid-deref)";
const FREE: &str = "FALSE(valid-free)";

const ALL: &[Twins] = &[
    twins("overflow", OVERFLOW, "return (X + 2147483647) / 2;", "return (X + 2147483646) / 2;"),
    twins(
        "overflow",
        OVERFLOW,
        "return (-X - 2147483647 - X) / 3;",
        "return (-X - 2147483647) / 3;",
    ),
    twins(
        "overflow",
        OVERFLOW,
        "return (65536 * X * 32768) / 3;",
        "return (65536 * X * 32767) / 3;",
    ),
    twins(
        "overflow",
        OVERFLOW,
        "int y = -2147483647 - X; return -y;",
        "int y = -2147483647; return -y * X;",
    ),
    twins(
        "overflow",
        OVERFLOW,
        "int y = -2147483647 - X; return y / -X;",
        "int y = -2147483647; return y / -X;",
    ),
    twins(
        "pointer",
        DEREF,
        "int *(*f)(void) = X ? 0 : global; return *f();",
        "int *(*f)(void) = X ? global : 0; return *f();",
    ),
    twins(
        "unreachable",
        "FALSE(unreachable)",
        "if (X) __builtin_unreachable();",
        "if (!X) __builtin_unreachable();",
    ),
    twins("overflow", OVERFLOW, "return X << 31;", "return X << 30;"),
    Twins {
        sanitized: false,
        ..twins(
            "overflow",
            OVERFLOW,
            "return (2147483647 + 1 - 23) / (X + 1);",
            "enum { LAST = 1 << 31 }; static int next = 2147483647 + 1; return LAST == next * X;",
        )
    },
    Twins {
        sanitized: false,
        ..twins(
            "overflow",
            OVERFLOW,
            "return (int)1e10 / (X + 1);",
            "static int most = -(-2147483647 - 1); return most / (X + 1);",
        )
    },
    twins(
        "overflow",
        OVERFLOW,
        "int i = 2147483646; while (i >= X) i++; return i;",
        "unsigned i = 2147483646; while (i >= X) i++; return i;",
    ),
    twins(
        "overflow",
        OVERFLOW,
        "long long y = 4611686018427387904; return (y * (X + 1)) / 3;",
        "long long y = 4611686018427387903; return (y * (X + 1)) / 3;",
    ),
    twins("div-by-zero", "FALSE(div-by-zero)", "return 10 / (X - 1);", "return 10 / X;"),
    twins("div-by-zero", "FALSE(div-by-zero)", "return 10 % (X - 1);", "return 10 % X;"),
    twins("shift", "FALSE(shift)", "return 1 << (31 + X);", "return 1 << (29 + X);"),
    twins("bounds", DEREF, "int a[4] = {0}; return a[X + 3];", "int a[5] = {0}; return a[X + 3];"),
    twins(
        "bounds",
        DEREF,
        "char *p = malloc(9 + X); p[10] = 1; free(p);",
        "char *p = malloc(9 + X); p[9] = 1; free(p);",
    ),
    twins(
        "bounds",
        DEREF,
        "int *p = malloc(10 * sizeof *p); for (int i = 0; i <= 9 + X; i++) p[i] = i; free(p);",
        "int *p = malloc(10 * sizeof *p); for (int i = 0; i < 9 + X; i++) p[i] = i; free(p);",
    ),
    twins(
        "pointer",
        DEREF,
        "int x = X, *p = x > 0 ? 0 : &x; return *p;",
        "int x = X, *p = x > 0 ? &x : 0; return *p - 1;",
    ),
    twins(
        "pointer",
        DEREF,
        "int *p = malloc(4); *p = X; free(p); return *p;",
        "int *p = malloc(4); *p = X; int y = *p; free(p); return y - 1;",
    ),
    twins(
        "pointer",
        DEREF,
        "char a[4], b[8] = \"12345\"; strcpy(a, b); return a[0];",
        "char a[6], b[8] = \"12345\"; strcpy(a, b); return a[0];",
    ),
    twins(
        "pointer",
        DEREF,
        "char a[4]; memset(a, 1, 4 + X); return a[0] - 1;",
        "char a[4]; memset(a, 1, 3 + X); return a[0] - 1;",
    ),
    twins(
        "pointer",
        DEREF,
        "int *p = realloc(malloc(4), 4 + 4 * X); p[2] = 1; free(p);",
        "int *p = realloc(malloc(4), 4 + 4 * X); p[1] = 1; free(p);",
    ),
    Twins {
        sanitized: false,
        ..twins("pointer", DEREF, "int *p = local(); return *p;", "int *p = global(); return *p;")
    },
    twins(
        "free",
        FREE,
        "int *p = malloc(4); free(p); free(p);",
        "int *p = malloc(4); free(p); p = 0; free(p);",
    ),
    twins("free", FREE, "int *p = malloc(8); free(p + X);", "int *p = malloc(8); free(p + X - 1);"),
    twins("free", FREE, "int x = X; int *p = &x; free(p);", "int *p = malloc(X); free(p);"),
    Twins {
        sanitized: false,
        ..twins(
            "leak",
            "FALSE(valid-memtrack)",
            "int *p = malloc(4); *p = X; kept = 0;",
            "kept = malloc(4); *kept = X;",
        )
    },
    Twins {
        sanitized: false,
        ..twins(
            "leak",
            "FALSE(valid-memtrack)",
            "struct n *l = 0; for (int i = 0; i < 2; i++) { struct n *k = malloc(sizeof *k); k->next = l; l = k; } list = l; list->next = 0;",
            "struct n *l = 0; for (int i = 0; i < 2; i++) { struct n *k = malloc(sizeof *k); k->next = l; l = k; } list = l;",
        )
    },
    Twins {
        sanitized: false,
        ..twins(
            "leak",
            "FALSE(valid-memtrack)",
            "int *p = malloc(4); p = 0; while (X) { }",
            "int *p = malloc(4); while (X) { *p = 1; }",
        )
    },
    Twins {
        sanitized: false,
        ..twins(
            "cleanup",
            "FALSE(valid-memcleanup)",
            "kept = malloc(4); *kept = X;",
            "kept = malloc(4); *kept = X; free(kept);",
        )
    },
    Twins {
        sanitized: false,
        ..twins(
            "cleanup",
            "FALSE(valid-memcleanup)",
            "kept = malloc(4); if (X) exit(0); free(kept);",
            "kept = malloc(4); if (!X) exit(0); free(kept);",
        )
    },
];

fn program(body: &str, x: &str) -> String {
    let body = body.replace('X', x);
    format!(
        "#include <stdlib.h>\n#include <string.h>\nstruct n {{ struct n *next; }};\n\
         int *kept, shared = 0;\nstruct n *list;\nextern int one(void);\n\
         int *local(void) {{ int x = 0; int *p = &x; return p; }}\n\
         int *global(void) {{ return &shared; }}\n\
         int main(void) {{ int one_here = {}; if (one_here != 1) return 0; {body}\n  return 0; }}\n",
        if x == "one_here" { "one()" } else { "1" }
    )
}

fn verdict(folder: &Path, text: &str, check: &str, engine: &str) -> String {
    let file = folder.join("program.c");
    std::fs::write(&file, text).unwrap();
    let file = file.display().to_string();
    let run = wedge(&["check", "--engine", engine, "--check", check, "--timeout", "60s", &file]);
    run.verdict().to_string()
}

#[test]
fn each_failure_is_found_and_each_twin_holds() {
    let folder = tempfile::tempdir().unwrap();
    for Twins { check, verdict: expected, fails, holds, .. } in ALL {
        for engine in ["bmc", "pdr"] {
            let found = verdict(folder.path(), &program(fails, "one_here"), check, engine);
            assert_eq!(&found, expected, "{engine}: {fails}");
        }
        let found = verdict(folder.path(), &program(holds, "one_here"), check, "pdr");
        assert_eq!(found, "TRUE", "{holds}");
    }
}

#[test]
fn sanitizers_agree() {
    let folder = tempfile::tempdir().unwrap();
    let (source, other, binary) =
        (folder.path().join("p.c"), folder.path().join("one.c"), folder.path().join("p"));
    std::fs::write(&other, "int one(void) { return 1; }\n").unwrap();
    for Twins { fails, holds, sanitized, .. } in ALL.iter().filter(|twins| twins.sanitized) {
        for (body, is_wrong) in [(fails, *sanitized), (holds, false)] {
            std::fs::write(&source, program(body, "one_here")).unwrap();
            let built = Command::new("cc")
                .args(["-w", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"])
                .args([&source, &other])
                .arg("-o")
                .arg(&binary)
                .status();
            if !built.is_ok_and(|status| status.success()) {
                eprintln!("no compiler with sanitizers: nothing is compared");
                return;
            }
            let run = Command::new(&binary).env("ASAN_OPTIONS", "detect_leaks=0").output().unwrap();
            let errors = String::from_utf8_lossy(&run.stderr);
            let reported = errors.contains("runtime error") || errors.contains("AddressSanitizer");
            assert_eq!(reported, is_wrong, "{body}\n{errors}");
        }
    }
}

#[test]
fn names_of_checks_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.c");
    std::fs::write(&file, program("return X;", "1")).unwrap();
    let run = wedge(&["check", "--check", "overfow", &file.display().to_string()]);
    assert!(run.stderr.contains("--check overfow: expected all, or some of"), "{}", run.stderr);
    let run = wedge(&["check", "--check", "all", &file.display().to_string()]);
    assert_eq!(run.verdict(), "TRUE", "{}", run.stderr);
}

#[test]
fn counterexamples_say_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("program.c");
    let says = |body: &str, check: &str, wanted: &str| {
        std::fs::write(&file, program(body, "1")).unwrap();
        let file = file.display().to_string();
        let run = wedge(&["check", "--engine", "bmc", "--check", check, &file]);
        assert!(run.stdout.contains(wanted) || run.stderr.contains(wanted), "{}", run.stdout);
    };
    says(
        "int a[10]; a[9 + X] = 1;",
        "bounds",
        "invalid access to memory: write of 4 bytes at offset 40 of `a`, which has 40 bytes",
    );
    says("int a[10] = {0}; return a[10 * X];", "bounds", "read of 4 bytes at offset 40 of `a`");
    says("char *p = malloc(3); free(p); *p = X;", "pointer", ", which was freed at");
    says("int *p = 0; *p = X;", "pointer", "write of 4 bytes at a null pointer");
    says("return *local() * X;", "pointer", "of `x` of `local`, which does not exist any more");
    says(
        "int a[2][3] = {{0}}; return a[0][3 * X];",
        "bounds",
        "at element 3 of `a[0]`, which has 3",
    );
    says("char *p = malloc(3); free(p + X);", "free", "offset 1 of the object allocated at");
    says("char *p = malloc(3); free(p); free(p + X - 1);", "free", "already");
    says("int a = X; free(&a);", "free", "`a` is freed, which was not allocated");
    says("return 2147483647 + X;", "overflow", "2147483647 + 1 does not fit `int`");
    says("double d = X * 1e10; return (int)d;", "overflow", "becomes a number of `int`");
    says("return 7 / (X - 1);", "div-by-zero", "7 / 0");
    says("return 1 << (X + 31);", "shift", "1 << 32 in type `int`");
    says("kept = malloc(4);", "cleanup", "is not freed");
    says("int *p = malloc(4); p = 0;", "leak", "nothing leads to the object allocated at");
}

#[test]
fn a_variable_of_a_block_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    for (body, expected) in [
        ("int *p; { int x = 1; p = &x; } return *p;", DEREF),
        ("int *p; { int x = 1; p = &x; return *p; }", "TRUE"),
        ("char *p; int n = one(); if (n < 1) return 0; { char v[n]; p = v; } return *p;", DEREF),
    ] {
        let found = verdict(folder.path(), &program(body, "one_here"), "pointer", "pdr");
        assert_eq!(found, expected, "{body}");
    }
}
