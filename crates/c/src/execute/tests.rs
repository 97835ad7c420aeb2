use super::*;
use crate::types::DataModel;
use std::cell::Cell;

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void);\n\
    extern double __VERIFIER_nondet_double(void);\nextern void __VERIFIER_assume(int);\n\
    extern void reach_error(void);\nextern void *malloc(unsigned long);\n\
    extern void free(void *);\nint unknown(int);\nvoid nothing(void);\n";

fn find(text: &str) -> (Finding, Statistics) {
    find_within(30_000, text)
}

/// Searches for a while: as long as it takes to ask this often whether to stop.
fn find_within(questions: u32, text: &str) -> (Finding, Statistics) {
    let text = format!("{DECLARATIONS}{text}");
    let program = crate::load_text(&text, "t.c", DataModel::Lp64).unwrap();
    let asked = Cell::new(0u32);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > questions
    };
    search(&program, &Properties::default(), 7, &stop)
}

fn is_error(text: &str) -> bool {
    matches!(find(text).0, Finding::Error { .. })
}

#[test]
fn simple_inputs_reach_errors() {
    for text in [
        "int main(void) { reach_error(); }",
        "int main(void) { if (__VERIFIER_nondet_int() == -1) reach_error(); }",
        "int main(void) { if (__VERIFIER_nondet_int() == 123456789) reach_error(); }",
        "int main(void) { int x; if (x == 5) reach_error(); }",
        "int main(void) { if (unknown(3) == 77) reach_error(); }",
        "int main(void) { int i; for (i = 0; i < 100000; i++); if (__VERIFIER_nondet_int() == 1)
            reach_error(); }",
        "int main(void) { double d = __VERIFIER_nondet_double(); if (d != d) reach_error(); }",
    ] {
        assert!(is_error(text), "{text}");
    }
}

#[test]
fn inputs_behind_assumptions_and_computed_values_are_found() {
    for text in [
        "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
            __VERIFIER_assume(x > 1000 && x < 1010); __VERIFIER_assume(y == 3 * x + 7);
            if (x == 1005) reach_error(); }",
        "int main(void) { int sum = 0; for (int i = 0; i < 6; i++) {
            int x = __VERIFIER_nondet_int(); if (x != i * 1111) return 0; sum += x; }
            if (sum == 16665) reach_error(); }",
    ] {
        assert!(is_error(text), "{text}");
    }
}

#[test]
fn the_only_run_is_recognised() {
    for text in [
        "int main(void) { int i, s = 0; for (i = 0; i < 50000; i++) s += i; if (s == 3)
            reach_error(); return 0; }",
        "int main(void) { int a[3] = {1, 2, 3}, *p = a; p++; if (*p != 2) reach_error(); return 0; }",
        "int main(void) { int *p = malloc(4), *q = malloc(4); *p = 1; if (p == q || !p)
            reach_error(); free(p); free(q); return 0; }",
        "int main(void) { int unused; __VERIFIER_assume(0); reach_error(); }",
    ] {
        let (finding, _) = find(text);
        assert!(matches!(finding, Finding::OnlyRun { .. }), "{text}: {finding:?}");
    }
}

/// Long runs are made on the swift way, and what it does not say the interpreter does.
#[test]
fn long_only_runs_are_recognised() {
    let body = |last: &str| {
        format!(
            "int main(void) {{ unsigned x = 1, c = 0, i; unsigned char a = 0; for (i = 0; i < 400000u; i++) {{
            x = x * 1664525u + 1013904223u; a += 7; if (x & 65536u) c += a; }} {last} return 0; }}"
        )
    };
    let finding = |last: &str| find(&body(last)).0;
    assert!(
        matches!(finding("if (c == 1) reach_error();"), Finding::OnlyRun { steps, .. } if steps > 1_000_000)
    );
    assert!(matches!(finding("if (c != 1) reach_error();"), Finding::Error { .. }));
    assert!(matches!(finding("x = 1 / (c - c);"), Finding::Stuck(_)));
    let late = "if (__VERIFIER_nondet_int() == 5) reach_error();";
    assert!(matches!(finding(late), Finding::Error { answers, .. } if answers.len() == 1));
    let late = "nothing(); if (c == 1) reach_error();";
    assert!(matches!(finding(late), Finding::Stopped));
}

#[test]
fn what_is_open_is_no_only_run() {
    for text in [
        "int main(void) { int x; return x; }",
        "int main(int argc, char **argv) { return argc; }",
        "int main(void) { return __VERIFIER_nondet_int(); }",
        "int main(void) { nothing(); return 0; }",
        "extern int elsewhere; int main(void) { return elsewhere; }",
        "int f(void) {} int main(void) { return f(); }",
    ] {
        assert!(matches!(find(text).0, Finding::Stopped), "{text}");
    }
}

#[test]
fn addresses_are_the_choice_of_implementations() {
    for text in [
        "int main(void) { int x; return (int)(long)&x; }",
        "int main(void) { int x, y, *p = &x, *q = &y; return p < q; }",
        "int main(void) { int x, y, *p = &x, *q = &y; return p - q; }",
        "int main(void) { int a[2], b[2], *p = a + 2, *q = b; return p == q; }",
        "int main(void) { int x, *p = &x; return *(unsigned char *)&p; }",
        "int main(void) { int *p = malloc(4); free(p); int *q = malloc(4); return p == q; }",
        "int main(void) { const char *a = \"x\", *b = \"x\"; return a == b; }",
        "int main(void) { union { int *p; long n; } u; int x; u.p = &x; return u.n; }",
    ] {
        let (finding, _) = find(text);
        assert!(matches!(finding, Finding::Unspecified(..)), "{text}: {finding:?}");
    }
}

#[test]
fn undefined_behaviour_ends_the_only_run_without_an_answer() {
    for text in [
        "int main(void) { int *p = 0; return *p; }",
        "int main(void) { int a[2] = {0}; int i = 2; return a[i]; }",
        "int main(void) { int z = 0; return 1 / z; }",
    ] {
        assert!(matches!(find(text).0, Finding::Stuck(_)), "{text}");
    }
}

#[test]
fn the_same_seed_finds_the_same() {
    let text = "int main(void) { int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
        if (x > 10 && y * x == 7777) reach_error(); }";
    let answers = |(finding, statistics): (Finding, Statistics)| match finding {
        Finding::Error { answers, .. } => Some((answers, statistics.runs)),
        _ => None,
    };
    assert_eq!(answers(find(text)), answers(find(text)));
}

#[test]
fn an_endless_search_is_stopped() {
    let text = "int main(void) { int x = 0; for (;;) x += __VERIFIER_nondet_int(); }";
    let (finding, statistics) = find_within(500, text);
    assert!(matches!(finding, Finding::Stopped));
    assert!(statistics.runs > 1 && statistics.steps > 1000);
    let text = "int main(void) { unsigned x = 0; for (;;) x = x * 3 + 1; }";
    assert!(matches!(find_within(500, text).0, Finding::Stopped));
}

#[test]
fn a_circle_of_jumps_is_seen() {
    let (finding, statistics) = find("int main(void) { for (;;); }");
    assert!(matches!(finding, Finding::Stuck(Outcome::StepLimit)), "{finding:?}");
    assert!(statistics.steps < 10);
    let (finding, statistics) = find("int main(void) { unsigned x = 0; for (;;) x++; }");
    assert!(matches!(finding, Finding::Stuck(Outcome::StepLimit)), "{finding:?}");
    assert!(statistics.steps < 1000);
}

/// A lock with a long code: every wrong input ends the run, or throws it back to the start.
#[test]
fn walks_find_their_way_through_states() {
    let lock = |wrong: &str| {
        let code = [3, 1, 4, 1, 5, 2, 6, 5, 3, 5, 2, 4, 6, 1, 3, 2, 6, 4];
        let steps = code.iter().enumerate();
        let steps = steps.map(|(at, key)| format!("if (s == {at} && k == {key}) s = {};", at + 1));
        let steps: String = steps.map(|step| step + " else ").collect();
        format!(
            "int s = 0; int main(void) {{ while (1) {{ int k = __VERIFIER_nondet_int();
            if (k != 1 && k != 2 && k != 3 && k != 4 && k != 5 && k != 6) return 0;
            {steps} {wrong}; if (s == {}) reach_error(); }} }}",
            code.len()
        )
    };
    assert!(is_error(&lock("return 1")));
    assert!(is_error(&lock("s = 0")));
}

fn doubt_of(text: &str) -> Option<Doubt> {
    let text = format!("{DECLARATIONS}{text}");
    doubt(&crate::load_text(&text, "t.c", DataModel::Ilp32).unwrap(), &Properties::default(), 7)
}

#[test]
fn undefined_behaviour_of_the_program_speaks_against_proofs() {
    for (text, wanted) in [
        ("int *p; int main(void) { return *p; }", Undefined::NullDereference),
        (
            "struct s { int a, b; } *p; int main(void) { while (1) switch (__VERIFIER_nondet_int())
            { case 1: if (!unknown(1)) p = malloc(8); break; case 2: return p->b; } }",
            Undefined::NullDereference,
        ),
        (
            "int a[4]; int main(void) { return a[__VERIFIER_nondet_int() & 7]; }",
            Undefined::OutOfBounds,
        ),
        ("int main(void) { return 1 / __VERIFIER_nondet_int(); }", Undefined::DivisionByZero),
        // Behind a write to memory of the environment.
        (
            "int *get(void); int main(void) { int *p = get(); *p = 1; return 1 / (*p - *p); }",
            Undefined::DivisionByZero,
        ),
        // Behind a test for an error code, of either kind.
        (
            "struct s { int n; } *get(void), *p; int main(void) { struct s *handle = get();
            if ((unsigned long)handle > 2012) return 0; return p->n; }",
            Undefined::NullDereference,
        ),
        (
            "struct s { int n; } *get(void), *p; int main(void) { struct s *handle = get();
            if ((unsigned long)handle >= (unsigned long)-4095) return 0; handle->n = 1;
            return p->n; }",
            Undefined::NullDereference,
        ),
    ] {
        let found = doubt_of(text);
        assert!(
            matches!(found, Some(Doubt::Undefined(what, _)) if what == wanted),
            "{text}: {found:?}"
        );
    }
    let error = "int main(void) { if (__VERIFIER_nondet_int() == 3) reach_error(); }";
    assert!(matches!(doubt_of(error), Some(Doubt::Error { .. })));
}

#[test]
fn the_environment_makes_no_faults_while_doubts_are_sought() {
    for text in [
        // Pointers from outside can be read, and are not null.
        "int *get(void); int main(void) { int *p = get(); return *p; }",
        "struct s { struct s *next; int n; } *get(void);
        int main(void) { struct s *p = get(); while (p->n) p = p->next; return p->n; }",
        "extern int *shared; int main(void) { return *shared; }",
        "int main(void) { int *p; return *p; }",
        // What was written there is read again, and different objects lie apart.
        "int *get(void); int main(void) { int *p = get(); *p = 1; return 1 / *p; }",
        "struct s { int a[64]; } *get(void); int b[4]; int main(void) {
        struct s *p = get(), *q = get(); p->a[4] = 4; return b[q->a[0]]; }",
        // No machine has this array.
        "int main(void) { unsigned n = __VERIFIER_nondet_int(); if (n < 2) return 0; int a[n];
        a[n - 1] = 1; return a[n - 1]; }",
        "int main(void) { for (;;); }",
        "int main(void) { int x = 0; for (;;) x += __VERIFIER_nondet_int() & 1; }",
    ] {
        assert_eq!(doubt_of(text), None, "{text}");
    }
}

/// A driver's probe: what the environment gives is read, written and compared.
#[test]
fn errors_behind_memory_of_the_environment_are_found() {
    for text in [
        "int *get(void); int main(void) { int *p = get(); if (p && *p == 7) reach_error(); }",
        "int *get(void); int main(void) { int *p = get(); if (!p) return 0; *p = 3;
        if (*p == 3) reach_error(); }",
        "struct s { int n; struct s *next; } *get(void);
        int main(void) { struct s *p = get(); if (!p || !p->next) return 0;
        p->next->n = p->n + 1; if (p->next->n == p->n + 1) reach_error(); }",
        "struct s { unsigned a : 3, b : 7; } *get(void); int main(void) { struct s *p = get();
        if (!p || p->b != 5) return 0; p->a = 3; if (p->a == 3 && p->b == 5) reach_error(); }",
        "void *get(void); int main(void) { void *p = get(); if (!p) return 0;
        if ((unsigned long)p > 2012) return 0; reach_error(); }",
    ] {
        assert!(is_error(text), "{text}");
    }
    // A pointer into the first page is not followed.
    let text = "int *get(void); int main(void) { int *p = get(); int x = *p;
        if ((unsigned long)p < 4096) reach_error(); return x; }";
    assert!(matches!(find_within(20_000, text).0, Finding::Stopped));
}

/// Inputs that do not matter are left out of the run that is found.
#[test]
fn runs_to_errors_are_made_short() {
    let text = "int __VERIFIER_nondet_int(void); void reach_error(void);
        int main(void) { int i = 0, seen = 0;
        while (__VERIFIER_nondet_int()) { int x = __VERIFIER_nondet_int();
            if (x > 2000000000) seen++; if (seen == 3) reach_error(); i++; } return 0; }";
    let program = crate::load_text(text, "t.c", crate::DataModel::Ilp32).unwrap();
    for seed in 0..4 {
        let Finding::Error { answers, .. } =
            search(&program, &Properties::default(), seed, &|| false).0
        else {
            panic!("there is an error");
        };
        let values: Vec<u128> = answers.iter().map(|answer| answer.bits).collect();
        // Three iterations, each with a decision and a large number.
        assert_eq!(values.len(), 6, "{values:?}");
        assert!(values.iter().step_by(2).all(|&decision| decision == 1), "{values:?}");
    }
}

#[test]
fn errors_behind_long_loops_are_found() {
    for text in [
        "int main(void) { unsigned x = 0; while (x < 2147483648u) x++; reach_error(); }",
        "int main(void) { unsigned k = __VERIFIER_nondet_int(), x = 0; while (x < 2147483648u) x++;
            if (k == 77) reach_error(); return 0; }",
        "int main(void) { int k = __VERIFIER_nondet_int(); int x = 0, y = 0;
            while (x < 1 << 27) { if (x < 1 << 26) y++; else y--; x++; }
            if (k > y) if (k < y + 9) reach_error(); return 0; }",
    ] {
        let (finding, statistics) = find(text);
        assert!(matches!(finding, Finding::Error { steps, .. } if steps > 1 << 27), "{finding:?}");
        assert!(statistics.steps < 2_000_000, "{statistics:?}");
    }
}
