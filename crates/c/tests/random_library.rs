//! Random programs that use the library, against the system's compiler and library: what the
//! compiled program emits is what the interpreter emits for some order of operands, and the
//! automaton, which has models of its own, comes to the same number.

mod generator;

use std::path::{Path, PathBuf};
use std::process::Command;
use wedge_c::encode::{Room, encode};
use wedge_c::interp::{Choice, ChoiceKind, Limits, Oracle, Outcome, run};
use wedge_c::source::Position;
use wedge_c::{DataModel, Properties, load};
use wedge_logic::{Term, TermStore, Value};
use wedge_model::cfa::{self, EdgeId, LocationId, TargetKind};

const SUPPORT: &str = "#include <stdio.h>
    #include <stdlib.h>
    void emit(unsigned long long x) { printf(\"%llu\\n\", x); }
    void reach_error(void) { _Exit(7); }
    int __VERIFIER_nondet_int(void) { return 0; }
    struct part { short x; char t[6]; };
    struct whole { int n; struct part p[2]; union { int i; unsigned char c[4]; } u; };
    struct part __VERIFIER_nondet_part(void) { struct part p = {0}; return p; }
    struct whole any_whole(void) { struct whole w = {0}; return w; }\n";

/// How the programs are compiled.
const MANNERS: [&[&str]; 4] = [
    &["-O0"],
    &["-O2"],
    &["-O0", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    &["-O2", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
];

/// Inputs are 0; orders are chosen by the bits of a number.
struct Ordered {
    orders: u64,
    asked: u32,
    emitted: Vec<u64>,
}

impl Oracle for Ordered {
    fn choose(&mut self, choice: &Choice) -> u128 {
        if choice.kind != ChoiceKind::Input("__wedge_order") {
            return 0;
        }
        self.asked += 1;
        u128::from(self.orders >> (self.asked - 1).min(63) & 1)
    }
    fn external_call(&mut self, name: &str, arguments: &[u128], _: Position) {
        assert!(matches!(name, "emit" | "any_whole"), "{name}");
        if name == "emit" {
            self.emitted.push(arguments[0] as u64);
        }
    }
}

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

struct Workshop(PathBuf);

impl Workshop {
    fn write(&self, seed: u64, wrong: Option<(bool, u64)>) -> PathBuf {
        let path = self.0.join("program.c");
        std::fs::write(&path, generator::library::program(seed, wrong)).unwrap();
        path
    }

    /// What the compiled program emits; none without a compiler that can do it.
    fn compiled(&self, path: &Path, manner: &[&str]) -> Option<Vec<u64>> {
        let executable = self.0.join("program");
        let compiled = Command::new("cc")
            // What GCC computes beforehand is not what the library does: "%.0hhx" of 256.
            .args(["-w", "-D_GNU_SOURCE", "-fno-builtin-sprintf", "-fno-builtin-snprintf", "-o"])
            .args([&executable, path, &self.0.join("support.c")])
            .args(manner)
            .status();
        if !compiled.ok()?.success() {
            return None;
        }
        let output = Command::new(&executable).output().ok()?;
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(String::from_utf8(output.stdout).ok()?.lines().map(|l| l.parse().unwrap()).collect())
    }

    fn interpreted(&self, path: &Path) -> Vec<Vec<u64>> {
        let program = load(&[path], DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"));
        let mut all = Vec::new();
        let mut orders = 0;
        loop {
            let mut oracle = Ordered { orders, asked: 0, emitted: Vec::new() };
            let run = run(&program, &Properties::default(), &mut oracle, Limits::default());
            assert_eq!(run.outcome, Outcome::Finished(0));
            all.push(oracle.emitted);
            orders += 1;
            if orders >> oracle.asked.min(10) != 0 {
                return all;
            }
        }
    }

    /// Whether the automaton reaches the error; nothing if the model ends before.
    fn encoded(&self, path: &Path) -> Option<bool> {
        let program = load(&[path], DataModel::Lp64).unwrap_or_else(|error| panic!("{error}"));
        let encoded = encode(&program, &Properties::default(), Room { pool: 4, ..Room::default() });
        let encoded = encoded.unwrap_or_else(|error| panic!("{error}"));
        let mut oracle = Zero(&encoded.cfa.terms);
        let run = cfa::run::follow(&encoded.cfa, &mut oracle, 1_000_000).unwrap();
        match run.target.map(|index| encoded.cfa.targets[index].kind) {
            None => Some(false),
            Some(TargetKind::Error) => Some(true),
            Some(_) => None,
        }
    }

    fn compare(&self, seed: u64, manners: &[&[&str]]) {
        let path = self.write(seed, None);
        let allowed = self.interpreted(&path);
        for manner in manners {
            match self.compiled(&path, manner) {
                Some(found) => assert!(
                    allowed.contains(&found),
                    "seed {seed} {manner:?}: {found:?} is none of {allowed:?}"
                ),
                None => println!("there is no C compiler for {manner:?}"),
            }
        }
        // Numbers made from addresses are arbitrary in the automaton, and not every choice fits.
        if std::fs::read_to_string(&path).unwrap().contains("(unsigned long)p") {
            return;
        }
        let last = *allowed[0].last().unwrap();
        for is_equal in [false, true] {
            let path = self.write(seed, Some((is_equal, last)));
            if let Some(reached) = self.encoded(&path) {
                assert_eq!(reached, is_equal, "seed {seed}: {last}");
            }
        }
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // After a failure the last program is left for inspection.
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}

/// As many programs as `WEDGE_SEEDS` says, from `WEDGE_FIRST_SEED` on, and then in all manners.
#[test]
fn the_library_does_what_the_system_does() {
    let directory = std::env::temp_dir().join(format!("wedge-library-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join("support.c"), SUPPORT).unwrap();
    let workshop = Workshop(directory);
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let first: u64 = number("WEDGE_FIRST_SEED").unwrap_or(1);
    let count: Option<u64> = number("WEDGE_SEEDS");
    for seed in first..first + count.unwrap_or(8) {
        let manners = if count.is_some() { &MANNERS[..] } else { &MANNERS[..1] };
        workshop.compare(seed, manners);
    }
}
