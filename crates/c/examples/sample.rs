//! Runs C programs on random inputs and counts how the runs end: `sample [--lp64] [--runs N]
//! [--steps N] FILE…`.

use std::collections::BTreeMap;
use wedge_c::Properties;
use wedge_c::interp::{Choice, Limits, Oracle, Outcome, run};
use wedge_c::{DataModel, load};

/// Small numbers, boundaries and arbitrary bits.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

impl Oracle for Random {
    fn choose(&mut self, _: &Choice) -> u128 {
        match self.next() % 4 {
            0 => self.next() as u128 % 10,
            1 => (self.next() as u128 % 4).wrapping_sub(2),
            2 => 1 << (self.next() % 64),
            _ => self.next() as u128,
        }
    }
}

fn main() {
    let (mut model, mut runs, mut steps) = (DataModel::Ilp32, 20, 100_000);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--lp64" => model = DataModel::Lp64,
            "--ilp32" => model = DataModel::Ilp32,
            "--runs" => runs = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(runs),
            "--steps" => steps = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(steps),
            path => sample(path, model, runs, steps),
        }
    }
}

fn sample(path: &str, model: DataModel, runs: u64, steps: u64) {
    let program = match load(&[path], model) {
        Ok(program) => program,
        Err(error) => return println!("{error}"),
    };
    let mut ends: BTreeMap<String, u64> = BTreeMap::new();
    for seed in 1..=runs {
        let limits = Limits { steps, ..Limits::default() };
        let outcome =
            run(&program, &Properties::default(), &mut Random(seed * 0x9e37_79b9), limits).outcome;
        let name = match outcome {
            Outcome::Violated(_) => "ERROR".to_string(),
            Outcome::Finished(_) => "finished".to_string(),
            Outcome::Aborted(_) => "aborted".to_string(),
            Outcome::AssumeFailed(_) => "assume".to_string(),
            Outcome::StepLimit => "limit".to_string(),
            Outcome::Unsupported(what, at) => {
                format!("unsupported {what} {}", program.files.show(at))
            }
            Outcome::UndefinedBehaviour(what, at) => {
                format!("undefined: {what} {}", program.files.show(at))
            }
        };
        *ends.entry(name).or_default() += 1;
    }
    println!("{path}: {ends:?}");
}
