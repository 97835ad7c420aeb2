//! Concrete execution on the command line: errors with their evidence, the only run as a proof, and
//! what is no proof.

mod common;

use common::{run as wedge, unsafe_at_5};
use std::process::Command;
use tempfile::TempDir;

const DECLARATIONS: &str = "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\
    extern void __VERIFIER_assume(int);\nextern int environment(void);\n";

fn write(folder: &TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, format!("{DECLARATIONS}{text}\n")).unwrap();
    path.display().to_string()
}

fn execute(file: &str, more: &[&str]) -> common::Run {
    wedge(&[&["check", "--engine", "execute", "--timeout", "2s", file], more].concat())
}

/// An error behind a loop that no unrolling reaches soon, and an input.
const DEEP: &str = "int a[100000];\nint main(void) {\n  int i;\n  \
    for (i = 0; i < 100000; i++) a[i] = i;\n  int x = __VERIFIER_nondet_int();\n  \
    __VERIFIER_assume(x > 70000 && x < 100000);\n  if (a[x] == 77777) reach_error();\n  return 0;\n}";

#[test]
fn errors_come_with_story_witness_and_harness() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let file = write(&folder, "deep.c", DEEP);
    let (witness, harness, binary) = (path("w.yml"), path("h.c"), path("h"));
    let run = execute(
        &file,
        &["--timeout", "30s", "--stats", "--witness", &witness, "--harness", &harness],
    );
    assert_eq!((run.status, run.verdict()), (10, "FALSE(unreach-call)"), "{}", run.stderr);
    assert!(run.stdout.contains("__VERIFIER_nondet_int() gives 77777"), "{}", run.stdout);
    assert!(run.stdout.contains("chosen values, replayed"), "{}", run.stdout);
    assert!(run.stdout.contains("execution: runs"), "{}", run.stdout);
    let witness = std::fs::read_to_string(&witness).unwrap();
    assert!(witness.contains("violation_sequence") && witness.contains("result == 77777"));
    let compiled = Command::new("cc").args(["-w", "-o", &binary, &harness]).output().unwrap();
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let ran = Command::new(&binary).output().unwrap();
    assert_eq!(ran.status.code(), Some(107));
    let graph = path("w.graphml");
    execute(&file, &["--timeout", "30s", "--witness", &graph]);
    assert!(std::fs::read_to_string(&graph).unwrap().contains("violation_witness"));
}

#[test]
fn the_only_run_is_a_proof() {
    let folder = tempfile::tempdir().unwrap();
    let witness = folder.path().join("w.yml").display().to_string();
    for (name, text) in [
        (
            "sum.c",
            "int main(void) { unsigned i, s = 0; for (i = 0; i < 3000; i++) s += i;
            if (s != 4498500) reach_error(); return 0; }",
        ),
        (
            "array.c",
            "int a[50]; int main(void) { int i; for (i = 0; i < 50; i++) a[i] = i * i;
            for (i = 0; i < 50; i++) if (a[i] != i * i) reach_error(); return 0; }",
        ),
        (
            "call.c",
            "static int twice(int x) { return 2 * x; } int main(void) { int unused;
            if (twice(4) != 8) reach_error(); return 0; }",
        ),
    ] {
        let file = write(&folder, name, text);
        let run = execute(&file, &["--timeout", "30s", "--stats", "--witness", &witness]);
        assert_eq!((run.status, run.verdict()), (0, "TRUE"), "{name}: {}", run.stderr);
        assert!(run.stdout.contains("the only run ends without an error after"), "{}", run.stdout);
        assert!(std::fs::read_to_string(&witness).unwrap().contains("invariant_set"));
    }
}

#[test]
fn what_is_open_is_no_proof() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, reason) in [
        ("input.c", "int main(void) { int x = __VERIFIER_nondet_int(); return x; }", "timeout"),
        ("local.c", "int main(void) { int x; return x; }", "timeout"),
        ("outside.c", "int main(void) { environment(); return 0; }", "timeout"),
        ("endless.c", "int main(void) { unsigned x = 0; for (;;) x = x * 3 + 1; }", "timeout"),
        (
            "counting.c",
            "int main(void) { unsigned x = 0; for (;;) x++; }",
            "the only run: the run does not end",
        ),
        ("circle.c", "int main(void) { for (;;); }", "the only run: the run does not end"),
        (
            "address.c",
            "int main(void) { int x; return (long)&x % 64 == 3; }",
            "the only run depends on an address as a number",
        ),
        (
            "undefined.c",
            "int main(void) { int *p = 0; return *p; }",
            "the only run: access through a null pointer",
        ),
    ] {
        let file = write(&folder, name, text);
        let run = execute(&file, &[]);
        assert_eq!(run.status, 30, "{name}: {}{}", run.stdout, run.stderr);
        assert!(run.verdict().contains(reason), "{name}: {}", run.stdout);
    }
}

#[test]
fn circuits_are_executed_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = common::write(folder.path(), "counter.aag", &unsafe_at_5());
    let run = wedge(&["check", "--engine", "execute", &path.display().to_string()]);
    assert_eq!((run.status, run.verdict()), (10, "FALSE(bad)"), "{}", run.stderr);
    let path = common::write(folder.path(), "safe.aag", &common::safe());
    let run = execute(&path.display().to_string(), &["--timeout", "1s"]);
    assert_eq!((run.status, run.verdict()), (30, "UNKNOWN(timeout)"), "{}", run.stderr);
}

/// Loops of 2^31 iterations and more: the error behind an input and such a loop is found, confirmed and
/// written down, and the only run through one is a proof, alone and in a portfolio.
#[test]
fn long_loops_are_no_obstacle() {
    let folder = tempfile::tempdir().unwrap();
    let witness = folder.path().join("w.yml").display().to_string();
    let counted = "int main(void) { unsigned x = 0; while (x < 2147483648u) x++;";
    let input = "int main(void) { int k = __VERIFIER_nondet_int(); unsigned x = 0;
        while (x != 3000000000u) { x += 2; } if (k == 4711) reach_error(); return 0; }";
    for (name, text, verdict) in [
        ("error.c", format!("{counted} reach_error(); }}"), "FALSE(unreach-call)"),
        ("input.c", input.to_string(), "FALSE(unreach-call)"),
        ("proof.c", format!("{counted} if (x != 1u << 31) reach_error(); return 0; }}"), "TRUE"),
    ] {
        let file = write(&folder, name, &text);
        let alone = execute(&file, &["--timeout", "60s", "--stats", "--witness", &witness]);
        assert_eq!(alone.verdict(), verdict, "{name}: {}", alone.stderr);
        let evidence = alone.stdout.lines().find(|line| line.starts_with("evidence")).unwrap();
        let steps = evidence.split(' ').filter_map(|word| word.parse::<u64>().ok()).next();
        assert!(steps.is_some_and(|steps| steps > 1 << 31), "{evidence}");
        assert!(std::fs::metadata(&witness).unwrap().len() < 100_000);
        let is_told = std::fs::read_to_string(&witness).unwrap().contains("result == 4711");
        assert_eq!(is_told, name == "input.c");
        let together = wedge(&["check", "--timeout", "60s", &file]);
        assert_eq!(together.verdict(), verdict, "{name}: {}", together.stderr);
    }
}

#[test]
fn overflow_in_a_long_loop_is_found_where_it_happens() {
    let folder = tempfile::tempdir().unwrap();
    let text = "int main(void) { int x = 0; long long n = 0; while (n < 5000000000ll) { x++; n++; }
        return 0; }";
    let file = write(&folder, "signed.c", text);
    let run = execute(&file, &["--timeout", "60s", "--check", "overflow"]);
    assert_eq!(run.verdict(), "FALSE(no-overflow)", "{}", run.stderr);
    assert!(run.stdout.contains("2147483647 + 1 does not fit"), "{}", run.stdout);
}

/// Who asks for memory safety is told of a pointer that was never written where it is followed, not of
/// what the memory behind it, if there were some, would lead to.
#[test]
fn pointers_that_were_never_written_lead_nowhere_if_memory_safety_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "void *malloc(unsigned long); void free(void *); struct node { int h; struct node *n; };
        int main(void) { struct node *t, *p = malloc(sizeof *p); p->h = __VERIFIER_nondet_int();
          while (p->n) { t = p->n; free(p); p = t; } free(p); return 0; }";
    let file = write(&folder, "list.c", text);
    let property = folder.path().join("memory.prp");
    let checks = ["valid-free", "valid-deref", "valid-memtrack"];
    let lines = checks.map(|name| format!("CHECK( init(main()), LTL(G {name}) )\n"));
    std::fs::write(&property, lines.concat()).unwrap();
    let more = ["--data-model", "LP64", "--property", &property.display().to_string()];
    let verdict = execute(&file, &more).verdict().to_string();
    assert!(verdict == "FALSE(valid-deref)" || verdict.starts_with("UNKNOWN"), "{verdict}");
    let mut arguments = vec!["check", "--engine", "bmc", &file];
    arguments.extend(more);
    assert_eq!(wedge(&arguments).verdict(), "FALSE(valid-deref)");
    // Inputs decide how long the list is, so that the run that is found is made shorter.
    let text =
        "void *malloc(unsigned long); void free(void *); struct node { int h; struct node *n; };
        int main(void) { struct node *t, *a = malloc(sizeof *a), *p = a; int i = 0;
          while (i < 10 && __VERIFIER_nondet_int()) {
            i++; p->h = 1; t = malloc(sizeof *t); p->n = t; p = p->n; }
          p->h = 3; p = a; while (p->h == 1) p = p->n; __VERIFIER_assume(i >= 5);
          p = a; while (p->n) { t = p->n; free(p); p = t; } free(p); return 0; }";
    let file = write(&folder, "longer.c", text);
    let verdict = execute(&file, &more).verdict().to_string();
    assert!(verdict == "FALSE(valid-deref)" || verdict.starts_with("UNKNOWN"), "{verdict}");
}
