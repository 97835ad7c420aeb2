//! C programs on the command line: verdicts, messages, traces, witnesses, harnesses, emission.

mod common;

use common::{example, run as wedge};
use std::path::PathBuf;
use std::process::Command;
use tempfile::TempDir;

fn write(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).unwrap();
    path.display().to_string()
}

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void);\n\
    extern unsigned __VERIFIER_nondet_uint(void);\nextern unsigned char __VERIFIER_nondet_uchar(void);\n\
    extern void __VERIFIER_assume(int);\nextern void reach_error(void);\n\
    extern void *malloc(unsigned);\nextern void abort(void);\n";

/// Small programs with their verdicts.
const PROGRAMS: &[(&str, bool, &str)] = &[
    ("straight", true, "int main(void) { int x = 3; if (x != 3) reach_error(); return 0; }"),
    (
        "input",
        false,
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x == 42) reach_error(); return 0; }",
    ),
    (
        "loop",
        true,
        "int main(void) { unsigned i = 0; while (i < 5) i++; if (i != 5) reach_error(); return 0; }",
    ),
    (
        "two loops",
        false,
        "int main(void) { unsigned i = 0, j = 0; while (i < 3) i++; while (j < i) j++; if (i + j == 6) reach_error(); return 0; }",
    ),
    (
        "call",
        true,
        "static int twice(int x) { return x + x; } int main(void) { int x = __VERIFIER_nondet_uchar(); if (twice(x) != 2 * x) reach_error(); return 0; }",
    ),
    (
        "assumption",
        true,
        "int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 5); if (x <= 5) reach_error(); return 0; }",
    ),
    (
        "abort",
        true,
        "int main(void) { int x = __VERIFIER_nondet_int(); if (x) abort(); if (x) reach_error(); return 0; }",
    ),
    ("uninitialised", false, "int main(void) { int x; if (x == 77) reach_error(); return 0; }"),
    (
        "uninitialised in a loop",
        false,
        "int main(void) { int sum = 0; for (int i = 0; i < 3; i++) { int x; if (x == i + 10) sum++; } if (sum == 3) reach_error(); return 0; }",
    ),
    (
        "array",
        false,
        "int main(void) { int a[4]; for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int(); if (a[1] == 5 && a[3] == 7) reach_error(); return 0; }",
    ),
    (
        "pointer",
        true,
        "static void set(int *p) { *p = 1; } int main(void) { int x = 0; set(&x); if (x != 1) reach_error(); return 0; }",
    ),
    (
        "record",
        false,
        "struct s { char c; int n; }; int main(void) { struct s v; v.c = 1; v.n = __VERIFIER_nondet_int(); struct s w = v; if (w.n == 9 && w.c == 1) reach_error(); return 0; }",
    ),
    (
        "heap",
        false,
        "int main(void) { int *p = malloc(sizeof(int)); *p = __VERIFIER_nondet_int(); if (*p == 3) reach_error(); return 0; }",
    ),
    (
        "recursion",
        false,
        "static int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); } int main(void) { if (sum(6) == 21) reach_error(); return 0; }",
    ),
    (
        "safe recursion",
        true,
        "static int sum(int n) { if (n <= 0) return 0; return n + sum(n - 1); } int main(void) { if (sum(6) != 21) reach_error(); return 0; }",
    ),
    (
        "branching recursion",
        false,
        "static int fib(int n) { if (n < 2) return n; return fib(n - 1) + fib(n - 2); } int main(void) { if (fib(5) == 5) reach_error(); return 0; }",
    ),
    ("dead code", true, "int main(void) { return 0; reach_error(); }"),
    (
        "own error",
        false,
        "void __VERIFIER_error(void) { } int main(void) { if (__VERIFIER_nondet_int() > 3) __VERIFIER_error(); return 0; }",
    ),
];

fn check(engine: &str, programs: impl Fn(bool) -> bool) {
    let folder = tempfile::tempdir().unwrap();
    for (name, safe, text) in PROGRAMS.iter().filter(|(_, safe, _)| programs(*safe)) {
        let file = write(&folder, "program.c", &format!("{DECLARATIONS}{text}\n"));
        let run = wedge(&["check", "--engine", engine, "--timeout", "30s", &file]);
        let expected = if *safe { "TRUE" } else { "FALSE(unreach-call)" };
        assert_eq!(run.verdict(), expected, "{engine} on {name}: {}{}", run.stdout, run.stderr);
        assert_eq!(run.status, if *safe { 0 } else { 10 }, "{name}");
    }
}

#[test]
fn bmc_finds_errors() {
    check("bmc", |safe| !safe);
}

#[test]
fn k_induction_decides_small_programs() {
    check("kind", |_| true);
}

#[test]
fn imc_decides_small_programs() {
    check("imc", |_| true);
}

#[test]
fn the_other_engines_decide_an_example_each_way() {
    for engine in ["ismc", "dar", "cnf-itp", "pdr", "portfolio"] {
        let run = wedge(&["check", "--engine", engine, &example("even_steps.c")]);
        assert_eq!((run.status, run.verdict()), (0, "TRUE"), "{engine}: {}", run.stderr);
        let run = wedge(&["check", "--engine", engine, &example("lost_update.c")]);
        assert_eq!((run.status, run.verdict()), (10, "FALSE(unreach-call)"), "{engine}");
    }
}

#[test]
fn a_trace_tells_inputs_and_assignments() {
    let run = wedge(&["check", "--engine", "bmc", &example("lost_update.c")]);
    assert!(run.stdout.starts_with("Error trace:\n"), "{}", run.stdout);
    for part in ["__VERIFIER_nondet_int() gives ", "balance = ", "lost_update.c:", "error function"]
    {
        assert!(run.stdout.contains(part), "{part} is not in {}", run.stdout);
    }
}

#[test]
fn long_traces_are_cut_unless_wanted() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "int main(void) { int s = 0; for (int i = 0; i < 60; i++) s += i; if (s) reach_error(); }";
    let file = write(&folder, "long.c", &format!("{DECLARATIONS}{text}"));
    let short = wedge(&["check", "--engine", "bmc", &file]);
    assert!(short.stdout.contains("steps left out; --trace shows them"), "{}", short.stdout);
    let long = wedge(&["check", "--engine", "bmc", "--trace", &file]);
    assert!(!long.stdout.contains("left out") && long.stdout.lines().count() > 100);
}

fn yaml(path: &str) -> serde_yaml_ng::Value {
    serde_yaml_ng::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn violation_witnesses_in_both_formats() {
    let folder = tempfile::tempdir().unwrap();
    let new = folder.path().join("witness.yml").display().to_string();
    let model = example("lost_update.c");
    let run = wedge(&["check", "--engine", "bmc", "--witness", &new, &model]);
    assert_eq!(run.status, 10, "{}", run.stderr);
    let witness = yaml(&new);
    let content = witness[0]["content"].as_sequence().unwrap();
    let first = &content[0]["segment"][0]["waypoint"];
    assert_eq!(first["type"], "function_return");
    assert_eq!(first["location"]["line"], 17);
    let last = &content.last().unwrap()["segment"][0]["waypoint"];
    assert_eq!((&last["type"], &last["location"]["line"]), (&"target".into(), &24.into()));
    let old = folder.path().join("witness.graphml").display().to_string();
    wedge(&["check", "--engine", "bmc", "--witness", &old, &model]);
    let text = std::fs::read_to_string(&old).unwrap();
    assert!(text.contains("violation_witness") && text.contains("32bit"), "{text}");
}

#[test]
fn correctness_witnesses_have_loop_invariants() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("witness.yml").display().to_string();
    let run = wedge(&["check", "--engine", "pdr", "--witness", &file, &example("even_steps.c")]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let witness = yaml(&file);
    let invariant = &witness[0]["content"][0]["invariant"];
    assert_eq!(invariant["type"], "loop_invariant");
    assert_eq!(invariant["location"]["line"], 8);
    let value = invariant["value"].as_str().unwrap();
    assert!(value.contains('x'), "{value}");
}

#[test]
fn a_harness_reaches_the_error() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let own = "extern int __VERIFIER_nondet_int(void);\nvoid reach_error(void) { }\n\
        int main(void) { int x = __VERIFIER_nondet_int(); if (x * 3 == 21) { reach_error(); } return 0; }\n";
    let own = write(&folder, "own.c", own);
    for model in [example("lost_update.c"), own] {
        let source = folder.path().join("harness.c").display().to_string();
        let binary = folder.path().join("harness").display().to_string();
        let run = wedge(&["check", "--engine", "bmc", "--harness", &source, &model]);
        assert_eq!(run.status, 10, "{}", run.stderr);
        let compiled = Command::new("cc").args(["-w", "-o", &binary, &source]).output().unwrap();
        let messages = String::from_utf8_lossy(&compiled.stderr).into_owned();
        assert!(compiled.status.success(), "{messages}");
        let ran = Command::new(&binary).output().unwrap();
        assert_eq!(ran.status.code(), Some(107), "{model}");
        assert!(String::from_utf8_lossy(&ran.stdout).contains("the error function is called"));
    }
}

#[test]
fn emitted_systems_have_the_same_verdict() {
    let folder = tempfile::tempdir().unwrap();
    for (model, expected) in [("even_steps.c", "TRUE"), ("lost_update.c", "FALSE(bad)")] {
        for (flag, name) in [("--btor2", "model.btor2"), ("--aiger", "model.aag")] {
            for blocks in [&[][..], &["--small-blocks"]] {
                let out = folder.path().join(name).display().to_string();
                let model = example(model);
                let mut arguments = vec!["emit", flag, "-o", &out, &model];
                arguments.extend(blocks);
                let run = wedge(&arguments);
                assert_eq!(run.status, 0, "{}", run.stderr);
                let run = wedge(&["check", "--engine", "pdr", &out]);
                assert_eq!(run.verdict(), expected, "{model} {flag} {blocks:?}");
            }
        }
    }
    let run = wedge(&["emit", "--dot", &example("even_steps.c")]);
    assert!(run.stdout.starts_with("digraph"), "{}", run.stdout);
}

#[test]
fn a_certificate_is_about_the_emitted_system() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (model, certificate) = (path("model.btor2"), path("certificate.btor2"));
    let program = example("even_steps.c");
    wedge(&["emit", "--btor2", "-o", &model, &program]);
    let run = wedge(&["check", "--engine", "pdr", "--certificate", &certificate, &program]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let run = wedge(&["certify", &model, &certificate]);
    assert_eq!((run.status, run.stdout.as_str()), (0, "ACCEPTED(certificate)\n"), "{}", run.stderr);
}

#[test]
fn task_definitions_name_files_property_and_data_model() {
    let folder = tempfile::tempdir().unwrap();
    write(&folder, "p.prp", "CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
    let program = "extern void reach_error(void); int main(void) { if (sizeof(long) == 8) reach_error(); return 0; }\n";
    write(&folder, "program.c", program);
    let task = |options: &str| {
        format!(
            "format_version: '2.0'\ninput_files: program.c\nproperties:\n  - property_file: p.prp\n{options}"
        )
    };
    let wide = write(&folder, "wide.yml", &task("options: {language: C, data_model: LP64}\n"));
    let plain = write(&folder, "plain.yml", &task(""));
    let run = wedge(&["check", "--engine", "bmc", "--stats", &wide]);
    assert_eq!(run.verdict(), "FALSE(unreach-call)", "{}", run.stderr);
    assert!(run.stdout.contains("LP64\n"), "{}", run.stdout);
    let run = wedge(&["check", "--engine", "kind", "--stats", &plain]);
    assert_eq!(run.verdict(), "TRUE", "{}", run.stderr);
    assert!(run.stdout.contains("ILP32 (by default)"), "{}", run.stdout);
    let run = wedge(&["check", "--engine", "bmc", "--data-model", "LP64", &plain]);
    assert_eq!(run.verdict(), "FALSE(unreach-call)");
}

#[test]
fn several_files_are_linked() {
    let folder = tempfile::tempdir().unwrap();
    let main = "extern int get(void); extern void reach_error(void);\n\
        int main(void) { if (get() == 5) reach_error(); return 0; }\n";
    let main = write(&folder, "main.c", main);
    let other = write(&folder, "other.c", "static int x = 5; int get(void) { return x; }\n");
    let run = wedge(&["check", "--engine", "bmc", &main, &other]);
    assert_eq!(run.verdict(), "FALSE(unreach-call)", "{}", run.stderr);
}

/// One message that contains this, and status 2.
fn assert_refused(arguments: &[&str], cause: &str) {
    let run = wedge(&[&["check"], arguments].concat());
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{arguments:?}: {}", run.stderr);
    assert!(run.stderr.contains(cause), "{cause} is not in {}", run.stderr);
    assert_eq!(run.stderr.trim_end().lines().count(), 1, "{}", run.stderr);
}

#[test]
fn what_cannot_be_read_is_one_message() {
    let folder = tempfile::tempdir().unwrap();
    let broken = write(&folder, "broken.c", "int main(void) {\n  return 0 0;\n}\n");
    assert_refused(&[&broken], "broken.c:2:");
    assert_refused(&["no/such/file.c"], "no/such/file.c");
    let empty = write(&folder, "empty.c", "int x;\n");
    assert_refused(&[&empty], "no function `main`");
    let task = write(&folder, "bad.yml", "format_version: '9'\ninput_files: a.c\n");
    assert_refused(&[&task], "format_version");
    let good = example("even_steps.c");
    for (name, text, cause) in
        [("nonsense.prp", "hello\n", "nonsense.prp:1"), ("empty.prp", "\n", "no property")]
    {
        let property = write(&folder, name, text);
        assert_refused(&["--property", &property, &good], cause);
    }
    assert_refused(&[&good, &example("arbiter.aag")], "only C files");
    let circuit = example("arbiter.aag");
    let options: [&[&str]; 4] = [
        &["--objects", "2"],
        &["--arrays", "cells"],
        &["--invariants", "dataflow"],
        &["--ignore-undefined"],
    ];
    for option in options {
        let cause = format!("{} is for C programs only", option[0]);
        assert_refused(&[option, &[&circuit]].concat(), &cause);
    }
}

#[test]
fn what_cannot_be_modelled_is_unknown_with_its_place() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "int main(void) {\n  int x = 0;\n  int nested(void) { return x; }\n  return nested();\n}\n";
    let file = write(&folder, "nested.c", text);
    let run = wedge(&["check", "--engine", "bmc", &file]);
    assert_eq!(run.status, 30, "{}{}", run.stdout, run.stderr);
    assert!(run.stdout.starts_with("UNKNOWN(unsupported: "), "{}", run.stdout);
    assert!(run.stdout.contains("nested.c:"), "{}", run.stdout);
}

/// Where an object lies, and what a pointer that is never set refers to, is not the program's to
/// decide; a proof must not rest on it.
#[test]
fn what_depends_on_the_environment_is_no_proof() {
    let folder = TempDir::new().unwrap();
    for (index, body) in [
        "int *p = malloc(4); if ((unsigned long)p <= 2012) reach_error(); return 0;",
        "int *p; int v = *p; if (v == 7) reach_error(); return 0;",
        "struct t { int x; struct t *q; } *p = malloc(8); if (p->q->x == 1) reach_error(); return 0;",
        "static struct t { int x; struct t *q; } s; if (s.q->x == 1) reach_error(); return 0;",
        "struct t { int x; struct t *q; } *p = malloc(8); p->q->x = 1; reach_error(); return 0;",
    ]
    .iter()
    .enumerate()
    {
        let text = format!("{DECLARATIONS}int main(void) {{ {body} }}\n");
        let file = write(&folder, &format!("environment{index}.c"), &text);
        let run = wedge(&["check", "--engine", "imc", &file]);
        assert_ne!(run.verdict(), "TRUE", "{body}");
        assert_ne!(run.status, 2, "{body}: {}", run.stderr);
    }
}

#[test]
fn a_program_without_meaning_is_not_proved() {
    let folder = TempDir::new().unwrap();
    let text = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void); int *p;
        int main(void) { int n = 0; while (__VERIFIER_nondet_int()) { n = *p; }
        if (n != n) reach_error(); return 0; }";
    let file = write(&folder, "null.c", text);
    for engine in ["kind", "imc", "portfolio"] {
        // A portfolio goes on looking for an error.
        let time = if engine == "portfolio" { "10s" } else { "60s" };
        let run = wedge(&["check", "--engine", engine, "--timeout", time, &file]);
        let verdict = run.verdict();
        let wanted = "UNKNOWN(undefined behaviour: access through a null pointer at ";
        assert!(verdict.starts_with(wanted) && verdict.ends_with("null.c:2:75)"), "{verdict}");
        let run = wedge(&["check", "--engine", engine, "--ignore-undefined", &file]);
        assert_eq!(run.verdict(), "TRUE");
    }
}

#[test]
fn unrolling_proves_where_every_path_ends() {
    let folder = TempDir::new().unwrap();
    let text = "int main(void) { unsigned i, s = 0, n = __VERIFIER_nondet_int();\n\
        for (i = 0; i < 5 && i < n; i++) s += i; if (s > 10) reach_error(); return 0; }\n";
    let file = write(&folder, "ends.c", &format!("{DECLARATIONS}{text}"));
    let run = wedge(&["check", "--engine", "bmc", "--stats", &file]);
    assert_eq!(run.verdict(), "TRUE", "{}", run.stdout);
    assert!(run.stdout.contains("every path ends within"), "{}", run.stdout);
    let wrong = format!("{DECLARATIONS}{}", text.replace("s > 10", "s > 9"));
    let run = wedge(&["check", "--engine", "bmc", &write(&folder, "error.c", &wrong)]);
    assert_eq!(run.verdict(), "FALSE(unreach-call)", "{}", run.stdout);
}

/// Objects beyond those of a pool are forgotten where that is enough for a proof, and never
/// taken to hold less than they do.
#[test]
fn allocations_without_bound() {
    let folder = TempDir::new().unwrap();
    let list = "struct n { int v; struct n *next; };\n";
    let cases = [
        (
            "int lock = 0; while (__VERIFIER_nondet_int()) { int *p = malloc(4); *p = 1;\n\
          if (lock) reach_error(); lock = 1; if (*p) lock = 0; lock = 0; }",
            "TRUE",
        ),
        (
            "struct n *h = 0; int i; for (i = 0; i < 9; i++) { struct n *p = calloc(1, 8);\n\
          p->v = i; p->next = h; h = p; } if (h->v == 8) reach_error();",
            "FALSE(unreach-call)",
        ),
        (
            "struct n *h = 0; int i; for (i = 0; i < 9; i++) { struct n *p = malloc(8);\n\
          p->v = i; p->next = h; h = p; } while (h->next) h = h->next;\n\
          if (h->v == 0) reach_error();",
            "FALSE(unreach-call)",
        ),
        (
            "unsigned n = __VERIFIER_nondet_int(); char *p = malloc(n); if (n > 1000) { p[999] = 7;\n\
          if (p[999] == 7) reach_error(); }",
            "FALSE(unreach-call)",
        ),
    ];
    for (index, (body, expected)) in cases.iter().enumerate() {
        let text = format!("{DECLARATIONS}{list}int main(void) {{ {body} return 0; }}\n");
        let file = write(&folder, &format!("allocations{index}.c"), &text);
        for engine in ["imc", "kind", "pdr"] {
            // An error may be too deep for the engine, which then runs until it is stopped.
            let time = if *expected == "TRUE" { "60s" } else { "10s" };
            let run = wedge(&["check", "--engine", engine, "--timeout", time, &file]);
            let verdict = run.verdict();
            assert!(verdict == *expected || run.status == 30, "{engine}: {verdict} for {body}");
            assert!(verdict == *expected || *expected != "TRUE", "{engine}: {verdict} for {body}");
        }
    }
}

/// Objects that are chosen arbitrarily stand for all, whichever of them would show an error.
#[test]
fn chosen_objects_stand_for_all() {
    let folder = TempDir::new().unwrap();
    let program = |first: &str, middle: &str, last: &str, twice: &str| {
        format!(
            "{DECLARATIONS}struct n {{ int v; struct n *next; }};\n\
            int main(void) {{ struct n *h = malloc(8), *p = h; h->v = {first}; h->next = 0;\n\
            while (__VERIFIER_nondet_int()) {{ p->next = malloc(8); p = p->next; p->v = {middle};\n\
            p->next = 0; }} p->v = {last}; p = h;\n\
            while (p) {{ {twice} if (p->v <= 0) reach_error(); p = p->next; }} return 0; }}"
        )
    };
    let change = "if (p->next && p->next->v == 4) p->v = p->next->v - 4;";
    let cases = [
        (program("1", "2", "3", ""), true),
        (program("0", "2", "p == h ? 0 : 3", ""), false),
        (program("1", "0", "3", ""), false),
        (program("1", "2", "p == h", "if (p == h) p->v = 1;"), false),
        (program("1", "4", "3", change), false),
        (program("1", "2", "3", change), true),
    ];
    for (index, (text, is_safe)) in cases.iter().enumerate() {
        let file = write(&folder, &format!("chosen{index}.c"), text);
        for (objects, engine) in [("1", "pdr"), ("2", "pdr"), ("1", "imc"), ("2", "bmc")] {
            // Proofs are the matter of pdr.
            if *is_safe && engine != "pdr" {
                continue;
            }
            let arguments = ["check", "--engine", engine, "--objects", objects];
            // Two objects may be needed for a proof.
            let may_fail = *is_safe && objects == "1";
            let time = if may_fail { "5s" } else { "60s" };
            let run = wedge(&[&arguments[..], &["--timeout", time, &file]].concat());
            match (run.verdict(), is_safe) {
                ("TRUE", true) | ("FALSE(unreach-call)", false) => {}
                _ if run.status == 30 && may_fail => {}
                (other, _) => panic!("{engine} with {objects}: {other} for {text}"),
            }
        }
    }
}

/// A write through a pointer from outside changes what is known there, and nothing else.
#[test]
fn writes_from_outside_change_what_is_known_there() {
    let folder = TempDir::new().unwrap();
    let outside = "struct s { int *p; int (*f)(void); struct s *q; };\n\
        struct s *get(void); void put(void *p);\n\
        static int hidden, known; static struct s own; static int back(void) { return ++hidden; }\n";
    let cases = [
        ("put(&known); *get()->p = 1; if (hidden) reach_error();", true),
        ("put(&known); *get()->p = 1; if (known) reach_error();", false),
        // By way of an object that is known, or by a write to the environment.
        ("own.p = &known; put(&own); *get()->p = 1; if (known) reach_error();", false),
        ("get()->p = &known; *get()->p = 1; if (known) reach_error();", false),
        (
            "struct s *e = get(); e->q = &own; own.p = &known; *e->q->p = 1; if (known) reach_error();",
            false,
        ),
        ("get()->f(); if (hidden) reach_error();", true),
        ("get()->f = back; get()->f(); if (hidden) reach_error();", false),
        ("if (get()->f()) reach_error();", false),
    ];
    for (index, (body, expected)) in cases.iter().enumerate() {
        let text = format!("{DECLARATIONS}{outside}int main(void) {{ {body} return 0; }}\n");
        let file = write(&folder, &format!("outside{index}.c"), &text);
        for engine in ["bmc", "imc"] {
            let run = wedge(&["check", "--engine", engine, &file]);
            assert_eq!(run.verdict() == "TRUE", *expected, "{engine}: {body}");
            assert_ne!(run.status, 2, "{body}: {}", run.stderr);
        }
    }
}

/// Calls that a stack has no room for are forgotten where that is enough for a proof.
#[test]
fn recursion_of_any_depth() {
    let folder = TempDir::new().unwrap();
    let text = "static int g(int n);\n\
        static int f(int n) { if (n == 0) return 0; int r = g(n - 1) + 1; return r > 3 ? 3 : r; }\n\
        static int g(int n) { if (n == 0) return 0; int r = f(n - 1) + 1; return r > 3 ? 3 : r; }\n\
        int main(void) { int n = __VERIFIER_nondet_int(); if (f(n) == LIMIT) reach_error(); return 0; }\n";
    for (limit, expected) in [("5", "TRUE"), ("3", "FALSE(unreach-call)")] {
        let text = format!("{DECLARATIONS}{}", text.replace("LIMIT", limit));
        let file = write(&folder, &format!("deep{limit}.c"), &text);
        for engine in ["imc", "kind", "pdr"] {
            let run = wedge(&["check", "--engine", engine, "--timeout", "30s", &file]);
            assert_eq!(run.verdict(), expected, "{engine}: {}", run.stderr);
        }
    }
}

#[test]
fn recursion_without_bound_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let text = "static int f(int n) { if (n <= 0) return 0; return n + f(n - 1); }\n\
        int main(void) { int n = __VERIFIER_nondet_int(); if (f(n) == -7) reach_error(); return 0; }\n";
    let file = write(&folder, "deep.c", &format!("{DECLARATIONS}{text}"));
    let run = wedge(&["check", "--engine", "kind", "--timeout", "5s", &file]);
    assert_eq!(run.status, 30, "{}", run.stdout);
    // Without anything to do after the call, it is a loop.
    let text = text.replace("n + f(n - 1)", "f(n - 1)");
    let file = write(&folder, "tail.c", &format!("{DECLARATIONS}{text}"));
    let run = wedge(&["check", "--engine", "kind", "--timeout", "60s", &file]);
    assert_eq!(run.verdict(), "TRUE", "{}", run.stderr);
}

#[test]
fn figures_tell_the_size_of_the_model() {
    let run = wedge(&["check", "--engine", "kind", "--json", &example("even_steps.c")]);
    let line = run.stdout.lines().next().unwrap();
    let json: serde_json::Value = serde_json::from_str(line).unwrap();
    let extra = json["figures"]["extra"].as_array().unwrap();
    let names: Vec<&str> = extra.iter().map(|pair| pair[0].as_str().unwrap()).collect();
    for name in ["model: locations", "model: edges", "model: state bits", "model: latches"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert_eq!(json["data model"], "ILP32 (by default)");
}

#[test]
fn explanations_show_formulas_and_interpolants() {
    let run = wedge(&["check", "--engine", "imc", "--explain", &example("even_steps.c")]);
    for part in
        ["Prefix from the entry", "Loop from", "Suffix from", "interpolant: ", "Fixed point: "]
    {
        assert!(run.stdout.contains(part), "{part} is not in {}", run.stdout);
    }
    assert_eq!(run.verdict(), "TRUE");
}

#[test]
fn limits_hold_for_programs_too() {
    let folder = tempfile::tempdir().unwrap();
    let text = "int main(void) { unsigned x = 0, y = 0; while (__VERIFIER_nondet_int()) { x = x * 5 + 3; y = y * 7 + x; if (x * y * y == 0x12345677u && (x ^ y) == 0x1001u) reach_error(); } return 0; }";
    let file = write(&folder, "hard.c", &format!("{DECLARATIONS}{text}"));
    let start = std::time::Instant::now();
    let run = wedge(&["check", "--engine", "bmc", "--timeout", "500ms", &file]);
    assert!(start.elapsed().as_secs() < 60);
    assert_eq!((run.status, run.verdict()), (30, "UNKNOWN(timeout)"), "{}", run.stderr);
    assert!(PathBuf::from(file).exists());
}

/// Results of functions that are not computed: proofs from their ranges, alarms only where the
/// machine's own results lead to the error, too.
#[test]
fn ranges_of_functions_prove_and_do_not_alarm() {
    let folder = tempfile::tempdir().unwrap();
    let check = |name: &str, condition: &str, expected: &str| {
        let text = format!(
            "{DECLARATIONS}double sin(double); int fesetround(int);\nint main(void) {{\n  double x = \
             __VERIFIER_nondet_uchar(); double y = sin(x);\n  if ({condition}) reach_error();\n  \
             return 0;\n}}\n"
        );
        let file = write(&folder, name, &text);
        let run = wedge(&["check", "--engine", "bmc", "--stats", &file]);
        assert!(run.verdict().starts_with(expected), "{name}: {}{}", run.stdout, run.stderr);
        assert!(run.stdout.contains("`sin` is not computed"), "{}", run.stdout);
    };
    check("range.c", "y > 1 || y < -1", "TRUE");
    check("zero.c", "x == 0 && y == 0", "FALSE");
    check("special.c", "x == 1 && y < 0.5", "UNKNOWN(inexact library function: a result of `sin`");
    check("mode.c", "fesetround(0x800) == 0 && x / 3 * 3 < x", "TRUE");
}
