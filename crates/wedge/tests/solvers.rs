//! Models and queries for other solvers: `emit --smt2`, `--unroll`, `--dump-queries`, `solvers`.

mod common;

use common::{output, run};
use std::path::PathBuf;
use std::process::Command;

/// A memory of 4 GB: what was written last is read again, unless the property is the wrong way
/// round.
fn memory(is_safe: bool) -> String {
    let compare = if is_safe { "neq" } else { "eq" };
    format!(
        "1 sort bitvec 32\n2 sort bitvec 8\n3 sort array 1 2\n4 sort bitvec 1\n\
         5 state 3 memory\n6 state 1 at\n7 state 2 last\n8 state 4 written\n\
         9 zero 4\n10 init 4 8 9\n\
         11 input 1 index\n12 input 2 element\n13 write 3 5 11 12\n\
         14 next 3 5 13\n15 next 1 6 11\n16 next 2 7 12\n17 one 4\n18 next 4 8 17\n\
         19 read 2 5 6\n20 {compare} 4 19 7\n21 and 4 20 8\n22 bad 21\n"
    )
}

/// A folder that no other test has.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("wedge-solvers-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

fn is_installed(solver: &str) -> bool {
    Command::new(solver).arg("--version").output().is_ok()
}

/// What z3 prints; none if there is no z3. Of its engines for Horn clauses the one that it chooses
/// for words enumerates them.
fn z3(file: &str) -> Option<String> {
    let output = Command::new("z3").args(["-T:60", "fp.engine=spacer", file]).output().ok()?;
    Some(String::from_utf8_lossy(&output.stdout).trim().to_string())
}

#[test]
fn queries_are_written_with_their_answers() {
    let folder = folder("dump");
    let (model, queries) = (folder.join("m.btor2"), folder.join("queries"));
    for (is_safe, engine, verdict) in
        [(true, "kind", "TRUE"), (true, "imc", "TRUE"), (false, "bmc", "FALSE(bad)")]
    {
        std::fs::write(&model, memory(is_safe)).unwrap();
        let run = run(&[
            "check",
            "--engine",
            engine,
            "--dump-queries",
            queries.to_str().unwrap(),
            model.to_str().unwrap(),
        ]);
        assert_eq!(run.verdict(), verdict, "{engine}");
    }
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(&queries).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    let mut answers = std::collections::BTreeSet::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        let status = text.lines().find_map(|line| line.strip_prefix("(set-info :status "));
        let status = status.unwrap().trim_end_matches(')').to_string();
        assert!(text.ends_with("(check-sat)\n"), "{text}");
        if let Some(said) = z3(file.to_str().unwrap()) {
            assert_eq!(said, status, "{}:\n{text}", file.display());
        }
        answers.insert((name_of(file), status));
    }
    let said = |engine: &str, status: &str| answers.contains(&(engine.into(), status.into()));
    assert!(said("bmc", "sat") && said("kind", "unsat") && said("imc", "unsat"), "{answers:?}");
    std::fs::remove_dir_all(&folder).unwrap();
}

/// The engine that asked.
fn name_of(file: &std::path::Path) -> String {
    let stem = file.file_stem().unwrap().to_str().unwrap();
    stem.rsplit_once('-').unwrap().0.to_string()
}

const LOOP: &str = "extern void reach_error(void); extern unsigned nondet(void);
int main(void) {
    unsigned char x = 0, n = nondet();
    if (n > 5) return 0;
    while (x < n) x++;
    if (x BAD) reach_error();
    return 0;
}";

#[test]
fn horn_clauses_and_unrollings_have_the_right_answers() {
    let folder = folder("emit");
    let (program, script) = (folder.join("p.c"), folder.join("p.smt2"));
    // Clauses are satisfiable where the program is safe; an unrolling where an error is near.
    for (bad, more, expected) in [
        ("> 5", &[][..], "sat"),
        ("== 3", &[], "unsat"),
        ("> 5", &["--facts"], "sat"),
        ("== 3", &["--facts"], "unsat"),
        ("> 5", &["--unroll", "4"], "unsat"),
        ("== 3", &["--unroll", "2"], "unsat"),
        ("== 3", &["--unroll", "4"], "sat"),
    ] {
        std::fs::write(&program, LOOP.replace("BAD", bad)).unwrap();
        let mut arguments = vec!["emit", "--smt2", program.to_str().unwrap()];
        arguments.extend(["-o", script.to_str().unwrap()]);
        arguments.extend(more);
        let run = run(&arguments);
        assert_eq!((run.status, run.stderr.as_str()), (0, ""));
        let text = std::fs::read_to_string(&script).unwrap();
        let is_unrolled = more.contains(&"--unroll");
        assert_eq!(text.starts_with("(set-logic HORN)"), !is_unrolled);
        // What the analysis knows: x is at most n, which is at most 5.
        let knows = text.contains("#x05") || text.contains("#b101");
        assert!(knows || !more.contains(&"--facts"), "{text}");
        if let Some(said) = z3(script.to_str().unwrap()) {
            assert_eq!(said, expected, "x {bad}, {more:?}:\n{text}");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// A recursion without bound, of which a model has a few levels.
const DEEP: &str = "extern void reach_error(void); extern unsigned nondet(void);
unsigned down(unsigned n) { unsigned *p = &n; return *p == 0 ? BASE : down(*p - 1); }
int main(void) { if (down(nondet()) != 7) reach_error(); return 0; }";

/// With a limit, a solver's answer is about the program in one direction only, which is chosen.
#[test]
fn a_model_with_limits_is_written_only_with_their_meaning() {
    let folder = folder("limits");
    let (program, script) = (folder.join("p.c"), folder.join("p.smt2"));
    for (base, limits, expected) in [
        ("7", "error", "unsat"),
        ("7", "ignore", "sat"),
        ("8", "error", "unsat"),
        ("8", "ignore", "unsat"),
    ] {
        std::fs::write(&program, DEEP.replace("BASE", base)).unwrap();
        let plain = ["emit", "--smt2", program.to_str().unwrap()];
        let refused = run(&plain);
        assert_eq!((refused.status, refused.stdout.as_str()), (2, ""));
        let names_limit = refused.stderr.contains("down") && refused.stderr.contains("--limits");
        assert!(names_limit, "{}", refused.stderr);
        let chosen = ["--limits", limits, "-o", script.to_str().unwrap()];
        let written = run(&[&plain[..], &chosen].concat());
        assert_eq!((written.status, written.stderr.as_str()), (0, ""));
        if let Some(said) = z3(script.to_str().unwrap()) {
            assert_eq!(said, expected, "{base} with --limits {limits}");
        }
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn solvers_are_listed() {
    let listed = run(&["solvers"]);
    assert_eq!(listed.status, 0);
    for solver in ["z3", "cvc5", "bitwuzla", "mathsat", "yices", "opensmt", "smtinterpol"] {
        let line = listed.stdout.lines().find(|line| line.starts_with(solver)).expect(solver);
        if solver == "z3" && is_installed("z3") {
            assert!(line.contains("Z3 version") && line.contains("unsat cores"), "{line}");
        }
    }
    // Without a search path nothing is installed.
    let nothing = common::wedge(&["solvers"]).env("PATH", "").output().unwrap();
    let text = common::stdout(&nothing);
    assert_eq!(text.lines().filter(|line| line.ends_with("not installed")).count(), 7, "{text}");
    assert_eq!(output(&["solvers", "more"]).status.code(), Some(2));
}

/// Engines on circuits say what they need; the portfolio decides on words.
#[test]
fn arrays_without_a_circuit_are_decided_on_words() {
    let folder = folder("words");
    let model = folder.join("m.btor2");
    std::fs::write(&model, memory(true)).unwrap();
    let file = model.to_str().unwrap();
    for engine in ["ismc", "dar", "cnf-itp", "pdr"] {
        let run = run(&["check", "--engine", engine, file]);
        let expected = format!("UNKNOWN({engine} needs a circuit, the array memory has");
        assert!(run.verdict().starts_with(&expected), "{}", run.verdict());
    }
    assert_eq!(run(&["check", "--timeout", "60s", file]).verdict(), "TRUE");
    std::fs::remove_dir_all(&folder).unwrap();
}
