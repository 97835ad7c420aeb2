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
