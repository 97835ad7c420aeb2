//! Failing programs whose error needs a value that the program leaves open: each kind of arbitrary
//! value of the encoding has a name under which the interpreter asks for it, so the bounded search
//! alone comes to a confirmed run. And programs that hold whatever those values are.

mod common;

use common::run as wedge;
use tempfile::TempDir;

const HEAD: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern void *malloc(unsigned long); extern void *realloc(void *, unsigned long);
extern void free(void *); extern void *alloca(unsigned long);
extern void *memcpy(void *, const void *, unsigned long);
struct S { int a; char b; };
union U { int a; char b[4]; };
struct N { struct S s; int t[2]; };
struct P { struct S *next; int v; };
struct L { struct L *next; int v; };
struct O { int (*f)(int); struct S (*g)(void); };
";

/// Declarations, the parameters of `main`, and statements that may reach the error.
const FAILING: &[(&str, &str, &str)] = &[
    ("", "int argc, char **argv", "if (argc == 5) reach_error();"),
    ("", "int argc, char **argv", "if (argc == 2 && argv[2] == 0) reach_error();"),
    ("", "int argc, char **argv", "if (argc > 1 && argv[1][0] == 'x') reach_error();"),
    (
        "",
        "int argc, char **argv",
        "if (argc > 2 && argv[1][0] == 'x' && argv[2][0] == 'y' && argv[1][1] == 0) reach_error();",
    ),
    ("", "int argc, char **argv, char **envp", "if (envp[0] && envp[0][0] == 'P') reach_error();"),
    (
        "struct S __VERIFIER_nondet_S(void);",
        "void",
        "struct S s = __VERIFIER_nondet_S(); if (s.a == 7 && s.b == 3) reach_error();",
    ),
    (
        "union U __VERIFIER_nondet_U(void);",
        "void",
        "union U u = __VERIFIER_nondet_U(); if (u.a == 77 && u.b[0] == 77) reach_error();",
    ),
    ("struct S get(void);", "void", "struct S s = get(); if (s.a == 7) reach_error();"),
    (
        "struct S get(void);",
        "void",
        "struct S s = get(), t = get(); if (s.a == 7 && t.a == 9) reach_error();",
    ),
    (
        "struct S get(void);",
        "void",
        "int n = 0; for (int i = 0; i < 3; i++) { struct S s = get(); if (s.a == i + 5) n++; } if (n == 3) reach_error();",
    ),
    (
        "struct N get(void);",
        "void",
        "struct N n = get(); if (n.s.b == 4 && n.t[1] == 8) reach_error();",
    ),
    ("struct S get(void);", "void", "if (get().a == 7) reach_error();"),
    (
        "struct S get(void); int f(struct S s) { return s.a == 7 && s.b == 1; }",
        "void",
        "if (f(get())) reach_error();",
    ),
    (
        "struct S get(void);",
        "void",
        "struct S *p = malloc(sizeof *p); *p = get(); if (p->a == 7) reach_error();",
    ),
    ("struct S get(void); struct S g;", "void", "g = get(); if (g.a == 7) reach_error();"),
    (
        "struct S get(void); struct S f(void) { return get(); }",
        "void",
        "struct S s = f(); if (s.a == 7) reach_error();",
    ),
    (
        "struct P get(void);",
        "void",
        "struct P p = get(); if (p.next && p.next->a == 7) reach_error();",
    ),
    (
        "struct S get(void); struct S g[4];",
        "void",
        "int i = __VERIFIER_nondet_int(); if (i < 0 || i > 3) return 0; g[i] = get(); if (g[2].a == 7) reach_error();",
    ),
    ("", "void", "struct S s, t; t = s; if (t.a == 7) reach_error();"),
    ("int f(struct S s) { return s.a == 7; }", "void", "struct S s; if (f(s)) reach_error();"),
    (
        "",
        "void",
        "struct S s, t; memcpy(&t, &s, sizeof t); if (t.a == 7 && t.b == 2) reach_error();",
    ),
    ("", "void", "union U s, t; t = s; if (t.b[2] == 7) reach_error();"),
    (
        "",
        "void",
        "int n = 0; for (int i = 0; i < 3; i++) { struct S s, t; t = s; if (t.a == i + 3) n++; } if (n == 3) reach_error();",
    ),
    (
        "struct S f(void) { struct S s; s.b = 1; return s; }",
        "void",
        "struct S s = f(); if (s.a == 7 && s.b == 1) reach_error();",
    ),
    ("extern struct S g;", "void", "struct S t = g; if (t.a == 7) reach_error();"),
    (
        "extern struct S g; int f(struct S s) { return s.b == 7; }",
        "void",
        "if (f(g)) reach_error();",
    ),
    (
        "extern struct N g;",
        "void",
        "struct N t; memcpy(&t, &g, sizeof t); if (t.t[1] == 7) reach_error();",
    ),
    (
        "extern int g[10];",
        "void",
        "int s = 0; for (int i = 0; i < 10; i++) s += g[i] == i + 1; if (s == 10) reach_error();",
    ),
    ("extern int g[];", "void", "if (g[3] == 7) reach_error();"),
    ("extern int *g;", "void", "if (g && *g == 7) reach_error();"),
    (
        "",
        "void",
        "int n = 0; for (int i = 0; i < 3; i++) { int *p = malloc(sizeof *p); if (*p == i + 7) n++; } if (n == 3) reach_error();",
    ),
    (
        "",
        "void",
        "struct L *h = 0; for (int i = 0; i < 3; i++) { struct L *n = malloc(sizeof *n); n->next = h; h = n; } int s = 0; int k = 5; for (struct L *p = h; p; p = p->next) s += p->v == k++; if (s == 3) reach_error();",
    ),
    ("", "void", "int *p = malloc(5 * sizeof *p); if (p[0] == 3 && p[4] == 9) reach_error();"),
    (
        "",
        "void",
        "int n = __VERIFIER_nondet_int(); if (n < 1 || n > 5) return 0; int *p = malloc(n * sizeof *p); int s = 0; for (int i = 0; i < n; i++) s += p[i] == i + 1; if (s == 4) reach_error();",
    ),
    ("", "void", "struct S *p = malloc(sizeof *p); struct S s = *p; if (s.a == 7) reach_error();"),
    (
        "",
        "void",
        "int n = 0; for (int i = 0; i < 4; i++) { char *p = malloc(3); n += p[0] == i && p[2] == i + 1; free(p); } if (n == 4) reach_error();",
    ),
    (
        "",
        "void",
        "int *p = malloc(2 * sizeof *p); p[0] = p[1] = 1; p = realloc(p, 4 * sizeof *p); if (p[0] == 1 && p[3] == 7) reach_error();",
    ),
    (
        "",
        "void",
        "int *p = malloc(2 * sizeof *p); p = realloc(p, 4 * sizeof *p); if (p[1] == 6 && p[3] == 7) reach_error();",
    ),
    (
        "",
        "void",
        "int *p = 0; for (int i = 1; i < 4; i++) p = realloc(p, i * sizeof *p); if (p[0] == 1 && p[2] == 7) reach_error();",
    ),
    ("", "void", "char *p = realloc(0, 4); if (p[0] == 1 && p[3] == 7) reach_error();"),
    ("", "void", "int *p = alloca(3 * sizeof *p); if (p[1] == 7) reach_error();"),
    (
        "",
        "void",
        "int n = __VERIFIER_nondet_int(); if (n < 2 || n > 4) return 0; int a[n]; if (a[1] == 7) reach_error();",
    ),
    ("int f(int x) { if (x) return 1; }", "void", "if (f(0) == 7) reach_error();"),
    (
        "int f(int x) { if (x > 5) return 1; }",
        "void",
        "int s = 0; for (int i = 0; i < 3; i++) s += f(i) == i + 10; if (s == 3) reach_error();",
    ),
    (
        "struct S f(int x) { struct S s = {1, 2}; if (x) return s; }",
        "void",
        "struct S s = f(0); if (s.a == 7) reach_error();",
    ),
    ("int *f(int x) { if (x) return 0; }", "void", "int *p = f(0); if (p) reach_error();"),
    ("int (*get(void))(int);", "void", "int (*f)(int) = get(); if (f && f(3) == 7) reach_error();"),
    ("extern int (*f)(int);", "void", "if (f && f(3) == 7) reach_error();"),
    ("extern struct O o;", "void", "if (o.f(3) == 7 && o.g().a == 8) reach_error();"),
    (
        "extern int (*f)(int);",
        "void",
        "int s = 0; for (int i = 0; i < 3; i++) s += f(i) == i + 4; if (s == 3) reach_error();",
    ),
    ("int *get(void);", "void", "int *p = get(); if (*p == 7) reach_error();"),
    ("int *get(void);", "void", "int *p = get(); *p = 7; if (*p == 7) reach_error();"),
    (
        "struct S *get(void);",
        "void",
        "struct S *p = get(); p->a = 7; p->b = 2; if (p->a == 7 && p->b == 2) reach_error();",
    ),
    (
        "int *get(void);",
        "void",
        "int *p = get(), *q = get(); *p = 3; *q = 4; if (p != q && *p == 3 && *q == 4) reach_error();",
    ),
    (
        "struct L *get(void);",
        "void",
        "struct L *p = get(); int n = 0; while (p && n < 3) { if (p->v != n + 5) return 0; n++; p = p->next; } if (n == 3) reach_error();",
    ),
    (
        "struct S *get(void);",
        "void",
        "struct S *p = get(); struct S s = *p; if (s.a == 7 && s.b == 2) reach_error();",
    ),
    ("", "void", "int x; if (x == 7) reach_error();"),
    (
        "",
        "void",
        "int a[40]; int i = __VERIFIER_nondet_int(); if (i < 0 || i >= 40) return 0; if (a[i] == 7 && i == 30) reach_error();",
    ),
    (
        "",
        "void",
        "int s = 0; for (int i = 0; i < 3; i++) { int x; s += x == i + 20; } if (s == 3) reach_error();",
    ),
    // Two reads of one place, each of which needs other bits of it.
    (
        "unsigned *get(void);",
        "void",
        "unsigned *p = get(); if (*p >> 16 == 0x1234) if ((*p & 0xffff) == 0x5678) reach_error();",
    ),
    (
        "struct P *get(void); int other(void);",
        "void",
        "struct P *p = get(); p->v = 7; struct S *s = p->next; int x = s->a; if (other() == 3) \
         if (x % 3 == 1) if (s->a / 3 == 5) if (p->v == 7) reach_error();",
    ),
    // Objects may be at low addresses, and at high ones.
    ("", "void", "char *p = malloc(4); if ((unsigned long)p <= 0xffffffff) reach_error();"),
    ("", "void", "char *p = malloc(4); if ((unsigned long)p > 0xffffffff) reach_error();"),
];

/// The same, but the error cannot be reached.
const HOLDING: &[(&str, &str, &str)] = &[
    ("", "int argc, char **argv", "if (argc < 0) reach_error();"),
    ("", "int argc, char **argv", "if (!argv) reach_error();"),
    ("", "void", "struct S s, t; t = s; if (t.a != s.a) reach_error();"),
    ("extern struct S g;", "void", "struct S t = g; if (t.a != g.a) reach_error();"),
    ("struct S get(void);", "void", "struct S s = get(), t = s; if (t.b != s.b) reach_error();"),
    ("", "void", "int *p = malloc(8); int x = p[1]; if (p[1] != x) reach_error();"),
    (
        "",
        "void",
        "char *p = malloc(2); p[0] = p[1] = 3; p = realloc(p, 4); if (p[1] != 3) reach_error();",
    ),
    ("int f(int x) { if (x) return 1; }", "void", "if (f(1) != 1) reach_error();"),
    ("extern int (*f)(int);", "void", "int x = f(2); if (x > 5 && x < 5) reach_error();"),
];

fn verdict(program: &(&str, &str, &str)) -> String {
    let (declarations, parameters, statements) = program;
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("program.c");
    let text =
        format!("{HEAD}{declarations}\nint main({parameters}) {{ {statements} return 0; }}\n");
    std::fs::write(&path, text).unwrap();
    let file = path.display().to_string();
    let run =
        wedge(&["check", &file, "--engine", "bmc", "--data-model", "LP64", "--timeout", "60s"]);
    run.verdict().to_string()
}

#[test]
fn errors_that_need_arbitrary_values_are_confirmed() {
    assert!(FAILING.len() >= 49);
    for program in FAILING {
        assert_eq!(verdict(program), "FALSE(unreach-call)", "{program:?}");
    }
}

#[test]
fn arbitrary_values_stay_what_they_are() {
    for program in HOLDING {
        assert_eq!(verdict(program), "TRUE", "{program:?}");
    }
}

/// A record of the environment that the program writes and reads again.
const RECORD: &str = "struct s { int mode; int n; }; struct s *get(void); int nondet(void);\n\
    struct s *used(void) { struct s *c = get(), *d = get(); if (!c) return 0;\n\
    if (nondet()) c->mode = 0; else c->mode = 1;\n\
    if (c->mode) c->n = 1; else { d->n = 2; c->n = 2; } return c; }\n";

/// The path of an engine leaves open what nothing depends on; the run chooses it such that memory of
/// the environment keeps its contents.
#[test]
fn records_of_the_environment_are_one_memory() {
    let fails = "struct s *c = used(); if (c && c->n == 2 && c->mode == 0) reach_error();";
    assert_eq!(verdict(&(RECORD, "void", fails)), "FALSE(unreach-call)");
}

/// What an implementation cannot do is not confirmed: strings of `main` end with a null pointer,
/// and memory of the environment keeps what is written to it.
#[test]
fn impossible_environments_are_no_counterexamples() {
    let programs = [
        ("", "int argc, char **argv", "if (argc < 9 && argv[argc]) reach_error();"),
        ("", "int argc, char **argv", "if (argc > 1 && !argv[1]) reach_error();"),
        ("int *get(void);", "void", "int *p = get(); *p = 7; if (*p != 7) reach_error();"),
        ("int *get(void);", "void", "int *p = get(); if (*p != *p) reach_error();"),
        ("int *get(void);", "void", "int *p = get(); if (*p == 1) if (*p == 2) reach_error();"),
        (RECORD, "void", "struct s *c = used(); if (c && c->n == 2 && c->mode) reach_error();"),
    ];
    for program in &programs {
        assert!(!verdict(program).starts_with("FALSE"), "{program:?}");
    }
}
