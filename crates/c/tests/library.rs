//! Library functions: programs in `tests/library` that check what the library gives.
//!
//! Every `CHECK(condition)` holds; that is what the system's compiler and library must say as well,
//! where there is one. Each of them makes two programs: one in which all hold, and one in which
//! its condition is taken to be wrong, so that exactly there the error is reached. The interpreter
//! and the automaton, which share no model of these functions, are asked about all of them.

use std::path::{Path, PathBuf};
use std::process::Command;
use wedge_c::encode::{Room, encode};
use wedge_c::interp::{Choice, Limits, Oracle, Outcome, run};
use wedge_c::typed::Program;
use wedge_c::{DataModel, Properties, load};
use wedge_logic::{Term, TermStore, Value};
use wedge_model::cfa::{self, EdgeId, LocationId, TargetKind};

/// Everything that is left open is 0.
struct Zero<'a>(&'a TermStore);

impl cfa::run::Oracle for Zero<'_> {
    fn initial(&mut self, variable: Term) -> Value {
        Value::zero(self.0.sort(variable))
    }
    fn input(&mut self, input: Term) -> Value {
        Value::zero(self.0.sort(input))
    }
    fn taken(&mut self, _: EdgeId, _: &[Term]) {}
    fn reached(&mut self, _: LocationId) -> bool {
        true
    }
}

struct Zeros;

impl Oracle for Zeros {
    fn choose(&mut self, _: &Choice) -> u128 {
        0
    }
}

/// A directory for the programs of this test.
struct Workshop(PathBuf);

impl Workshop {
    fn new(name: &str) -> Workshop {
        let directory = std::env::temp_dir().join(format!("wedge-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        Workshop(directory)
    }

    /// The program in which one condition, or none, is taken to be wrong.
    fn write(&self, name: &str, text: &str, wrong: usize) -> PathBuf {
        let path = self.0.join(format!("{name}-{wrong}.c"));
        let head = format!(
            "extern void reach_error(void);\n\
             #define CHECK(c) do {{ if (!(c) == (__COUNTER__ != {wrong})) reach_error(); }} while (0)\n"
        );
        std::fs::write(&path, head + text).unwrap();
        path
    }

    /// The status of the compiled program; 7 if the error is reached. None without a compiler.
    fn status(&self, path: &Path) -> Option<i32> {
        let support = self.0.join("support.c");
        std::fs::write(&support, "void _exit(int); void reach_error(void) { _exit(7); }").unwrap();
        let executable = self.0.join("program");
        let compiled = Command::new("cc")
            .args(["-w", "-O0", "-fno-builtin", "-o"])
            .args([&executable, path, &support])
            .args(["-lm", "-lpthread"])
            .status();
        if !compiled.ok()?.success() {
            panic!("{} does not compile", path.display());
        }
        Command::new(executable).status().ok()?.code()
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn interpreted(program: &Program) -> Outcome {
    run(program, &Properties::default(), &mut Zeros, Limits::default()).outcome
}

/// What the automaton reaches: nothing, the error, or the end of the model.
fn encoded(program: &Program) -> Option<(TargetKind, String)> {
    let bounds = Room { pool: 4, ..Room::default() };
    let encoded =
        encode(program, &Properties::default(), bounds).unwrap_or_else(|error| panic!("{error}"));
    let mut oracle = Zero(&encoded.cfa.terms);
    let run = cfa::run::follow(&encoded.cfa, &mut oracle, 1_000_000).unwrap();
    let origins = run.edges.iter().rev().filter_map(|edge| encoded.cfa.edge(*edge).origin);
    let line = origins.map(|origin| encoded.origins[origin as usize].position.line).next();
    let target = run.target.map(|index| &encoded.cfa.targets[index]);
    target.map(|target| (target.kind, format!("{} in line {line:?}", target.name)))
}

fn check(name: &str) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/library");
    let text = std::fs::read_to_string(directory.join(format!("{name}.c"))).unwrap();
    let workshop = Workshop::new(name);
    let checks = text.matches("CHECK(").count();
    let holding = workshop.write(name, &text, checks);
    match workshop.status(&holding) {
        Some(status) => assert_eq!(status, 0, "{name} as compiled"),
        None => println!("there is no C compiler"),
    }
    let program = load(&[&holding], DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(interpreted(&program), Outcome::Finished(0), "{name}");
    assert_eq!(encoded(&program), None, "{name}");
    for wrong in 0..checks {
        let path = workshop.write(name, &text, wrong);
        let program = load(&[&path], DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"));
        let outcome = interpreted(&program);
        assert!(matches!(outcome, Outcome::Violated(_)), "{name} {wrong}: {outcome:?}");
        let reached = encoded(&program).map(|(kind, _)| kind);
        assert_eq!(reached, Some(TargetKind::Error), "{name} {wrong}");
    }
}

#[test]
fn numbers() {
    check("numbers");
}

#[test]
fn tokens() {
    check("tokens");
}

#[test]
fn strings_and_memory() {
    check("strings");
}

#[test]
fn characters_and_mathematics() {
    check("characters");
}

#[test]
fn formats_that_are_passed_on() {
    check("wrapped");
}

#[test]
fn wide_characters() {
    check("wide");
}

#[test]
fn sorting_and_searching() {
    check("sort");
}

#[test]
fn calls_once() {
    check("once");
}

#[test]
fn memory_and_errors() {
    check("memory");
}

#[test]
fn numbers_printed_into_memory() {
    check("print_numbers");
}

#[test]
fn texts_printed_into_memory() {
    check("print_texts");
}

#[test]
fn buffers_lists_and_counts() {
    check("print_buffers");
}

#[test]
fn the_end_and_signals() {
    check("late");
    check("quick");
}

#[test]
fn tables_and_neighbours() {
    check("tables");
}

#[test]
fn reading_from_texts() {
    check("scan");
}

/// With the variable `WEDGE_WRITE` the page is written anew.
#[test]
fn the_page_of_the_documentation_is_that_of_the_tables() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/library.md");
    let page = wedge_c::library::table();
    if std::env::var_os("WEDGE_WRITE").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    assert!(std::fs::read_to_string(&path).unwrap() == page, "docs/library.md is out of date");
}
