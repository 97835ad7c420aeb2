//! What C leaves open or undefined: order of evaluation, addresses, arithmetic without a result.
//! Every construct has a program that can fail and one that cannot.

mod common;

use common::run as wedge;

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void);\n\
    extern unsigned __VERIFIER_nondet_uint(void);\nextern double __VERIFIER_nondet_double(void);\n\
    extern void abort(void);\nextern void reach_error(void);\nextern void *malloc(unsigned);\n";

/// The verdicts of engines on a program.
fn check(text: &str, engines: &[&str], expected: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.c");
    std::fs::write(&path, format!("{DECLARATIONS}{text}\n")).unwrap();
    let file = path.display().to_string();
    for engine in engines {
        let run = wedge(&["check", "--engine", engine, "--timeout", "60s", &file]);
        let is_right = run.verdict().starts_with(expected);
        assert!(is_right, "{engine}: {text}\n{}{}", run.stdout, run.stderr);
    }
}

fn fails(text: &str) {
    check(text, &["bmc", "kind", "execute"], "FALSE(unreach-call)");
}

fn holds(text: &str) {
    check(text, &["kind", "pdr"], "TRUE");
}

#[test]
fn operands_are_evaluated_in_any_order() {
    let f = "int x = 1; int f(void) { x = 5; return 10; }\n";
    for (wanted, open) in [(11, true), (15, true), (12, false)] {
        let text = format!("{f}int main(void) {{ if (x + f() == {wanted}) reach_error(); }}");
        if open {
            fails(&text)
        } else {
            holds(&text)
        }
        let text = format!("{f}int main(void) {{ if (f() + x == {wanted}) reach_error(); }}");
        if open {
            fails(&text)
        } else {
            holds(&text)
        }
        let text = format!("{f}int main(void) {{ x += f(); if (x == {wanted}) reach_error(); }}");
        if open { fails(&text) } else { holds(&text) }
    }
}

#[test]
fn arguments_are_evaluated_in_any_order() {
    let log = "int log = 0; int f(int n) { log = log * 10 + n; return n; }\n\
        int g(int a, int b, int c) { return a + b + c; }\n";
    for (wanted, open) in [(123, true), (321, true), (231, true), (122, false)] {
        let main = format!("g(f(1), f(2), f(3)); if (log == {wanted}) reach_error();");
        let text = format!("{log}int main(void) {{ {main} }}");
        if open { fails(&text) } else { holds(&text) }
    }
    // The values are those of their places, whatever the order.
    let h = "int h(int a, int b) { return a * 10 + b; }";
    holds(&format!("{log}{h} int main(void) {{ if (h(f(1), f(2)) != 12) reach_error(); }}"));
}

#[test]
fn the_left_side_may_come_last() {
    let f = "int i = 0; int a[2]; int f(void) { i = 1; return 7; }\n";
    fails(&format!("{f}int main(void) {{ a[i] = f(); if (a[0] == 7) reach_error(); }}"));
    fails(&format!("{f}int main(void) {{ a[i] = f(); if (a[1] == 7) reach_error(); }}"));
    holds(&format!("{f}int main(void) {{ a[i] = f(); if (a[0] + a[1] != 7) reach_error(); }}"));
}

#[test]
fn an_end_may_come_before_an_error() {
    let text = "int f(void) { abort(); return 0; } int g(void) { reach_error(); return 0; }\n";
    fails(&format!("{text}int main(void) {{ return f() + g(); }}"));
    fails(&format!("{text}int main(void) {{ return g() + f(); }}"));
    holds(&format!("{text}int main(void) {{ return f() && g(); }}"));
}

#[test]
fn what_is_sequenced_stays_in_order() {
    let f = "int x = 1; int f(void) { x = 5; return 10; } int g(int a) { return a; }\n";
    holds(&format!("{f}int main(void) {{ if ((x, f(), x) != 5) reach_error(); }}"));
    holds(&format!("{f}int main(void) {{ int y = f() ? x : 0; if (y != 5) reach_error(); }}"));
    holds(&format!("{f}int main(void) {{ if (f() && x != 5) reach_error(); }}"));
    holds(&format!("{f}int main(void) {{ x = f(); if (x != 10) reach_error(); }}"));
    holds(&format!("{f}int y; int main(void) {{ if (y + f() != 10) reach_error(); }}"));
}

#[test]
fn the_place_of_objects_is_open() {
    let two = "int a, b; int main(void) { int *p = &a, *q = &b;";
    for comparison in ["p < q", "p > q"] {
        // Either may be the case, so nothing is proved; the interpreter knows one of them.
        let text = format!("{two} if ({comparison}) reach_error(); }}");
        not_proved(&text);
    }
    not_proved("int a, b; int main(void) { if (&a - &b == 3) reach_error(); }");
    holds("int a[4]; int main(void) { int *p = a, *q = a + 3; if (p >= q) reach_error(); }");
    holds("int a[4]; int main(void) { int *p = a, *q = a + 3; if (q - p != 3) reach_error(); }");
    holds("int a; int main(void) { if ((unsigned)&a & 3) reach_error(); }");
    holds(
        "int a; int main(void) { unsigned p = (unsigned)&a | 1; int *q = (int *)(p & ~1u); *q = 3;
         if (a != 3) reach_error(); }",
    );
}

#[test]
fn numbers_made_from_addresses_are_open() {
    let two = "int a, b; int main(void) { unsigned x = (unsigned)&a, y = (unsigned)&b;";
    for condition in ["x < y", "x > y", "(x + 400) / 8 % 7 == 1", "x == 8192", "x / 8 % 7 == 3"] {
        not_proved(&format!("{two} if ({condition}) reach_error(); }}"));
    }
    for condition in ["x > y", "x < y", "(x >> 5) & 1"] {
        check(
            &format!("{two} if ({condition}) reach_error(); }}"),
            &["bmc"],
            "FALSE(unreach-call)",
        );
    }
    for condition in ["x == y", "x & 3", "x == 0", "x / 8 % 7 > 6", "x + 8 - x != 8"] {
        holds(&format!("{two} if ({condition}) reach_error(); }}"));
    }
    not_proved("int a; int main(void) { if (((unsigned)&a >> 3) % 7 == 3) reach_error(); }");
    let array = "int a[4]; int main(void) { unsigned x = (unsigned)&a[0], y = (unsigned)&a[3];";
    holds(&format!("{array} if (y - x != 12 || x > y) reach_error(); }}"));
    not_proved(
        "int a; int main(void) { int *p = &a; unsigned char *c = (unsigned char *)&p;
        if (c[1] == 7) reach_error(); }",
    );
}

#[test]
fn sums_of_addresses_may_leave_their_objects() {
    let two = "int a, b; int main(void) { unsigned x = (unsigned)&a, y = (unsigned)&b;";
    for condition in [
        "x + 4 == y + 400",
        "x + 4 == y",
        "x - y == 4096",
        "x - 100000 < 100",
        "!(x - 100000)",
        "x - 100000 == 0",
        "x + __VERIFIER_nondet_uint() % 2 * 400 == y",
        "(_Bool)(x - 100000) == 0",
    ] {
        not_proved(&format!("{two} if ({condition}) reach_error(); }}"));
    }
    let number = "unsigned n = __VERIFIER_nondet_uint(); if (n > 4000000000u)";
    not_proved(&format!("{two} {number} if (x == n) reach_error(); }}"));
    for condition in [
        "x + 4 == x + 400",
        "x + 8 - 8 != x",
        "x + 4 == 0",
        "!x",
        "x + 1 == y - y",
        "x - 100000 == x",
    ] {
        holds(&format!("{two} if ({condition}) reach_error(); }}"));
    }
}

#[test]
fn pointers_to_different_objects_may_be_equal_at_their_ends() {
    for text in [
        "int a[1], b[1]; int main(void) { if (a + 1 == b) reach_error(); }",
        "int a[1], b[1]; int main(void) { int *p = a, *q = b; p++; if (!(p != q)) reach_error(); }",
        "int main(void) { char *s = \"ab\", *t = \"ab\"; if (s != t) reach_error(); }",
        "int main(void) { char *s = \"xab\", *t = \"ab\"; if (s + 1 == t) reach_error(); }",
        "int a; int main(void) { unsigned n = __VERIFIER_nondet_uint();
        if (n > 4000000000u && (int *)n == &a) reach_error(); }",
        "int a; int main(void) { long long x = (unsigned)&a; if (x == 32772) reach_error(); }",
        "int a; int main(void) { long long x = (int)&a; if (x < 0) reach_error(); }",
    ] {
        not_proved(text);
    }
    for text in [
        "int a[1], b[1]; int main(void) { if (a == b) reach_error(); }",
        "int a[2], b[2]; int main(void) { if (a + 1 == b) reach_error(); }",
        "int a[4]; int main(void) { int n = 0; for (int *p = a + 4; p != a; p--) n++;
        if (n != 4) reach_error(); }",
        "int main(void) { char *s = \"ab\", *t = s; if (s != t || s + 1 != t + 1) reach_error(); }",
        "int main(void) { char *s = \"ab\", *t = \"cd\"; if (s == t) reach_error(); }",
        "int a; int main(void) { long long x = (unsigned)&a; if (x == 0 || x & 3) reach_error(); }",
        "int a; int main(void) { long long x = (unsigned)&a; int *p = (int *)(unsigned)x; *p = 3;
        if (a != 3) reach_error(); }",
    ] {
        holds(text);
    }
}

#[test]
fn objects_end_with_their_blocks() {
    let ended = "int main(void) { int *p; { int x = 5; p = &x; } if (*p == 5) reach_error(); }";
    check(ended, &["bmc", "kind"], "UNKNOWN(undefined behaviour");
    for (open, closed) in [
        // The pointer leads to a variable of a block that may have ended.
        (
            "int n = __VERIFIER_nondet_int(), g = 1, *p = &g;
            if (n) { int x = 7; p = &x; if (n == 2 && *p == 7) reach_error(); }
            if (!n && *p == 1) { }",
            "int n = __VERIFIER_nondet_int(), g = 1, *p = &g;
            if (n) { int x = 7; p = &x; } if (*p == 7) reach_error();",
        ),
        // The same by `goto`, `break` and `continue`.
        (
            "int *p, n = 0; again: { int x = n; p = &x; n++; if (n < 3) goto again;
            if (*p == 2) reach_error(); }",
            "int *p, n = 0; { int x = 1; p = &x; goto out; } out: if (*p == 1) reach_error();",
        ),
        (
            "int *p = 0, s = 0; for (int i = 0; i < 3; i++) { int x = i; p = &x; s += *p;
            if (i == 1) continue; } if (s == 3) reach_error();",
            "int *p = 0; for (int i = 0; i < 3; i++) { int x = i; p = &x; if (i == 1) break; }
            if (*p == 1) reach_error();",
        ),
        (
            "int v = ({ int x = 4; int *p = &x; *p; }); if (v == 4) reach_error();",
            "int *p; int v = ({ int x = 4; p = &x; x; }); if (*p == 4) reach_error();",
        ),
        // A jump into a block begins it.
        (
            "switch (__VERIFIER_nondet_int()) { int k; case 4: k = 5; int *p = &k;
            if (*p == 5) reach_error(); break; }",
            "int *p; switch (__VERIFIER_nondet_int()) { int k; default: k = 5; p = &k; break; }
            if (*p == 5) reach_error();",
        ),
        // Literals and arrays of variable length.
        (
            "int *p; { p = (int[]){1, 2}; if (p[1] == 2) reach_error(); }",
            "int *p; { p = (int[]){1, 2}; } if (p[1] == 2) reach_error();",
        ),
        (
            "int n = 3; { char a[n]; char *q = a; q[1] = 4; if (q[1] == 4) reach_error(); }",
            "int n = 3; char *q; { char a[n]; q = a; q[1] = 4; } if (q[1] == 4) reach_error();",
        ),
    ] {
        fails(&format!("int main(void) {{ {open} return 0; }}"));
        let text = format!("int main(void) {{ {closed} return 0; }}");
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program.c");
        std::fs::write(&path, format!("{DECLARATIONS}{text}\n")).unwrap();
        let file = path.display().to_string();
        let run = wedge(&["check", "--engine", "kind", "--ignore-undefined", &file]);
        assert_eq!(run.verdict(), "TRUE", "{text}\n{}{}", run.stdout, run.stderr);
    }
}

#[test]
fn freed_places_may_be_used_again() {
    let text = "extern void free(void *); extern void *realloc(void *, unsigned);
        int main(void) { int *p = malloc(4); unsigned x = (unsigned)p;";
    let again = format!("{text} free(p); int *q = malloc(4);");
    let moved = format!("{text} int *q = realloc(p, 8);");
    for condition in ["(unsigned)q == x", "(unsigned)q != x"] {
        for start in [&again, &moved] {
            let text = format!("{start} if ({condition}) reach_error(); }}");
            check(&text, &["bmc"], "FALSE(unreach-call)");
        }
    }
    holds(&format!("{text} int *q = malloc(4); if (p == q) reach_error(); free(p); free(q); }}"));
}

/// No engine proves the program.
fn not_proved(text: &str) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("program.c");
    std::fs::write(&path, format!("{DECLARATIONS}{text}\n")).unwrap();
    let file = path.display().to_string();
    for engine in ["bmc", "kind", "execute"] {
        let run = wedge(&["check", "--engine", engine, "--timeout", "2s", &file]);
        assert_ne!(run.verdict(), "TRUE", "{engine}: {text}\n{}{}", run.stdout, run.stderr);
    }
}

#[test]
fn arithmetic_without_a_result_ends_a_run() {
    let main = |guard: &str, effect: &str| {
        format!("int main(void) {{ {guard} {{ {effect} reach_error(); }} return 0; }}")
    };
    let cases = [
        (
            "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x == -2147483647 - 1 && y < 0)",
            "if (y >= -1)",
            "x = x / y;",
        ),
        (
            "int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); if (x == -2147483647 - 1 && y < 0)",
            "if (y >= -1)",
            "x = x % y;",
        ),
        ("int x = __VERIFIER_nondet_int(); if (x > 30)", "if (x > 31)", "int y = 1 << x; x = y;"),
        ("int x = __VERIFIER_nondet_int(); if (x < 1)", "if (x < 0)", "int y = 8 >> x; x = y;"),
    ];
    for (open, narrow, effect) in cases {
        check(&main(open, effect), &["bmc", "kind"], "FALSE(unreach-call)");
        check(&main(&format!("{open} {narrow}"), effect), &["kind"], "TRUE");
    }
}

#[test]
fn literals_are_not_modified() {
    let text = "int main(void) { char *s = \"ab\"; s[0] = 'x'; reach_error(); }";
    check(text, &["bmc", "kind"], "UNKNOWN(undefined behaviour: write to a read-only object");
    fails("int main(void) { char s[] = \"ab\"; s[0] = 'x'; if (s[0] == 'x') reach_error(); }");
}

#[test]
fn parts_of_subscripts_calls_and_lists_are_evaluated_in_any_order() {
    let subscript = "int i; int a[3] = {1, 2, 3}; int next(void) { return i++; }\n\
        int *array(void) { i = 2; return a; }\nint main(void) { if (array()[next()] == WANTED)";
    let callee = "int i; int f(int x) { return x; }\nint (*pick(void))(int) { i = 5; return f; }\n\
        int value(void) { return i; }\nint main(void) { if (pick()(value()) == WANTED)";
    let list = "int i; int next(void) { return ++i; }\n\
        int main(void) { int a[2] = {next(), next()}; if (a[0] * 10 + a[1] == WANTED)";
    let records = "int i; struct p { int a; struct { int b, c; } in; };\n\
        int next(void) { return ++i; }\nint main(void) {\n\
        struct p p = {.in = {next(), 7}, .a = next()}; if (p.a * 10 + p.in.b == WANTED)";
    for (text, open, closed) in
        [(subscript, [1, 3], 2), (callee, [0, 5], 1), (list, [12, 21], 11), (records, [12, 21], 22)]
    {
        let program = |wanted: i32| {
            format!("{} reach_error(); return 0; }}", text.replace("WANTED", &wanted.to_string()))
        };
        open.iter().for_each(|&wanted| fails(&program(wanted)));
        holds(&program(closed));
    }
}

/// What C23 and GNU C add: each with a condition that is false, as `cc` says too.
const ADDED: &[(&str, &str)] = &[
    (
        "struct s { int a, b; }; int f(struct s s) { return s.a + s.b; }
        int main(void) { int r = f((struct s){});",
        "r != 0",
    ),
    (
        "[[nodiscard]] int f(void) { return 1; }
        int main(void) { [[maybe_unused]] int x = f();
        switch (x) { case 1: x = 2; [[fallthrough]]; case 2: x++; }",
        "x != 3",
    ),
    (
        "typedef union { int *i; const char *c; } t __attribute__((transparent_union));
        typedef union __attribute__((transparent_union)) { int *i; float *f; } u;
        int f(t t) { return *t.i; } int h(u t) { return *t.i; }
        int main(void) { int x = 5; int r = f(&x) + h(&x);",
        "r != 10",
    ),
    ("int main(void) { const int x = 1; int r = _Generic(x, long: 1, int: 2);", "r != 2"),
    ("int main(void) { int x = 1; int r = _Generic(x, const int: 1, default: 2);", "r != 2"),
    (
        "int main(void) { const char *p = 0; char *q = 0;
        int r = _Generic(p, char *: 1, const char *: 2) * 10 + _Generic(q, const char *: 1, char *: 2);",
        "r != 22",
    ),
    (
        "typedef const int c; int f(c *p, int *const q) {
        return _Generic(p, int *: 1, default: 2) * 10 + _Generic(q, int *: 3, const int *: 4); }
        int main(void) { int x = 0, a[2]; c y = 1; int r = f(&y, &x) * 100;
        r += _Generic(&x, const int *: 1, int *: 2) * 10 + _Generic(a + 1, int *: 5, default: 6);",
        "r != 2325",
    ),
    (
        "int main(void) { char **p = 0; int r = _Generic(\"s\", const char *: 1, char *: 2)
        + _Generic(*p, char *: 20, default: 10) + _Generic((const void *)0, void *: 1, default: 100);",
        "r != 122",
    ),
];

#[test]
fn what_newer_standards_and_gnu_c_add_is_understood() {
    let folder = tempfile::tempdir().unwrap();
    for (setting, wrong) in ADDED {
        holds(&format!("{setting} if ({wrong}) reach_error(); return 0; }}"));
        check(
            &format!("{setting} if (!({wrong})) reach_error(); return 0; }}"),
            &["bmc", "execute"],
            "FALSE(unreach-call)",
        );
        let source = folder.path().join("run.c");
        let executable = folder.path().join("run");
        std::fs::write(&source, format!("{setting} return {wrong}; }}\n")).unwrap();
        let compiler = std::process::Command::new("cc")
            .args(["-std=gnu2x", "-w", "-o"])
            .args([&executable, &source])
            .status();
        if compiler.is_ok_and(|status| status.success()) {
            let status = std::process::Command::new(&executable).status().unwrap();
            assert!(status.success(), "{setting}: the compiler disagrees");
        }
    }
}

#[test]
fn what_changes_meaning_and_is_not_modelled_is_refused_by_name() {
    for (text, name) in [
        (
            "struct __attribute__((scalar_storage_order(\"big-endian\"))) s { int a; };
            int main(void) { struct s s; s.a = 1; if (*(char *)&s == 1) reach_error(); }",
            "scalar_storage_order",
        ),
        ("[[gnu::packed]] struct s { int a; }; int main(void) { }", "packed"),
        (
            "struct s { const char *p; } s; int main(void) { if (_Generic(s.p, char *: 1, default: 0))
            reach_error(); }",
            "_Generic",
        ),
        ("double _Complex z; int main(void) { }", "complex"),
        ("int main(void) { _Float16 x = 1; return x != 1; }", "`_Float16`"),
        (
            "int main(void) { int k = 1; int f(int a) { return a + k; } if (f(1) == 2) reach_error(); }",
            "nested function `f`",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program.c");
        std::fs::write(&path, format!("{DECLARATIONS}{text}\n")).unwrap();
        let run = wedge(&["check", &path.display().to_string()]);
        let verdict = run.verdict();
        assert!(verdict.starts_with("UNKNOWN(unsupported"), "{text}: {verdict}");
        assert!(verdict.contains(name), "{text}: {verdict}");
    }
}

#[test]
fn pointers_do_not_outlive_a_time_of_a_block() {
    let text = "int main(void) { int *p = 0; for (int i = 0; i < 2; i++) { int x = i;
        if (CONDITION) *p = 9; p = &x; } return 0; }";
    for (condition, expected) in [
        ("i == 1", "FALSE(valid-deref)"),
        ("i == 2", "TRUE"),
        ("p && *p == 7", "FALSE(valid-deref)"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program.c");
        std::fs::write(&path, text.replace("CONDITION", condition)).unwrap();
        let file = path.display().to_string();
        for engine in ["bmc", "kind"] {
            let run = wedge(&["check", "--engine", engine, "--check", "pointer", &file]);
            assert_eq!(run.verdict(), expected, "{condition}\n{}{}", run.stdout, run.stderr);
        }
    }
}
