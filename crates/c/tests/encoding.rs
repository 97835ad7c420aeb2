//! Random programs: the encoding against the interpreter.
//!
//! A program that ends by comparing a digest of all it has computed with what the interpreter
//! found reaches the error in the interpreter; its automaton, run on concrete values, must do so
//! too, and for another digest it must not.

mod digest;
mod generator;

use digest::{Zero, checked};
use generator::{Features, program};
use wedge_c::Properties;
use wedge_c::encode::{Room, encode};
use wedge_c::interp::{Choice, Limits, Oracle, Outcome, run};
use wedge_c::source::Position;
use wedge_c::{DataModel, load_text};
use wedge_model::cfa::{self, TargetKind};

struct Emitted(u64);

impl Oracle for Emitted {
    fn choose(&mut self, _: &Choice) -> u128 {
        0
    }
    fn external_call(&mut self, name: &str, arguments: &[u128], _: Position) {
        assert_eq!(name, "emit");
        self.0 = self.0.wrapping_mul(31).wrapping_add(arguments[0] as u64);
    }
}

/// What the automaton of a program reaches, and whether it leaves numbers made from addresses open.
fn reached(text: &str, model: DataModel, seed: u64) -> (Option<(TargetKind, String)>, bool) {
    let program =
        load_text(text, "program.c", model).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let linear = if seed.is_multiple_of(2) { 64 } else { 0 };
    // In every third program the functions have one body each wherever that is possible.
    let blocks = if seed.is_multiple_of(3) { 0 } else { Room::default().blocks };
    let bounds = Room { depth: 9, stack: 64, linear, blocks, pool: 4, ..Room::default() };
    let encoded = encode(&program, &Properties::default(), bounds)
        .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    encoded.cfa.check().unwrap();
    let mut oracle = Zero(&encoded.cfa.terms);
    let run = cfa::run::follow(&encoded.cfa, &mut oracle, 10_000_000)
        .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
    let target = run.target.map(|index| &encoded.cfa.targets[index]);
    if target.is_none() {
        let last = run.edges.last().and_then(|edge| encoded.cfa.edge(*edge).origin);
        let origin = last.map(|origin| encoded.origins[origin as usize].position);
        let line = origin.and_then(|p| text.lines().nth(p.line as usize - 1));
        eprintln!("seed {seed} ends after {:?}: {}", origin.map(|p| p.line), line.unwrap_or(""));
    }
    let is_open = encoded.notes.iter().any(|note| note.starts_with("the addresses of objects"));
    (target.map(|target| (target.kind, target.name.clone())), is_open)
}

/// Whether the comparison was one: numbers made from addresses are arbitrary in the automaton, and 0
/// does not fit everywhere.
fn compare(seed: u64, model: DataModel) -> bool {
    let text = program(seed, Features { wide: model == DataModel::Lp64 });
    let plain = load_text(&text, "program.c", model).unwrap();
    let mut emitted = Emitted(0);
    let outcome = run(&plain, &Properties::default(), &mut emitted, Limits::default()).outcome;
    assert_eq!(outcome, Outcome::Finished(0), "seed {seed}");
    let (found, is_open) = reached(&checked(&text, emitted.0), model, seed);
    let (other, _) = reached(&checked(&text, emitted.0 ^ 1), model, seed);
    let kind = found.as_ref().map(|(kind, _)| *kind);
    if is_open && (kind != Some(TargetKind::Error) || other.is_some()) {
        return false;
    }
    assert_eq!(kind, Some(TargetKind::Error), "seed {seed}: {found:?}");
    assert_eq!(other, None, "seed {seed}");
    true
}

fn compare_many(model: DataModel, default: u64) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = number("WEDGE_FIRST_SEED").unwrap_or(1);
    let seeds = number("WEDGE_SEEDS").unwrap_or(default);
    let compared = (first..first + seeds).filter(|&seed| compare(seed, model)).count() as u64;
    assert!(2 * compared >= seeds, "only {compared} of {seeds} programs could be compared");
}

#[test]
fn agrees_with_the_interpreter_in_64_bits() {
    compare_many(DataModel::Lp64, 20);
}

#[test]
fn agrees_with_the_interpreter_in_32_bits() {
    compare_many(DataModel::Ilp32, 20);
}
