//! Random programs: the interpreter against the system's C compiler.

mod generator;

use generator::{Features, program};
use std::path::{Path, PathBuf};
use std::process::Command;
use wedge_c::Properties;
use wedge_c::interp::{Choice, Limits, Oracle, Outcome, run};
use wedge_c::source::Position;
use wedge_c::{DataModel, load_text};

/// Defines `emit` for programs that run on the C library.
const HOSTED: &str =
    "#include <stdio.h>\nvoid emit(unsigned long long x) { printf(\"%llu\\n\", x); }\n";

/// Defines `emit`, and what else the compiler may need, for 32-bit programs without a C library.
const FREESTANDING: &str = include_str!("generator/freestanding.c");

/// Collects what the program emits, with the lines.
#[derive(Default)]
struct Emitted(Vec<(u64, u32)>);

impl Oracle for Emitted {
    fn choose(&mut self, _: &Choice) -> u128 {
        0x5a5a_5a5a_5a5a_5a5a_5a5a_5a5a_5a5a_5a5a
    }
    fn external_call(&mut self, name: &str, arguments: &[u128], at: Position) {
        assert_eq!(name, "emit");
        self.0.push((arguments[0] as u64, at.line));
    }
}

/// A directory of this test run.
struct Workshop {
    directory: PathBuf,
    model: DataModel,
}

impl Workshop {
    fn new(model: DataModel) -> Workshop {
        let name = format!("wedge-differential-{}-{}", model.name(), std::process::id());
        let directory = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&directory).unwrap();
        let support = match model {
            DataModel::Lp64 => HOSTED,
            DataModel::Ilp32 => FREESTANDING,
        };
        std::fs::write(directory.join("support.c"), support).unwrap();
        Workshop { directory, model }
    }

    fn flags(&self) -> &'static [&'static str] {
        match self.model {
            DataModel::Lp64 => &["-m64"],
            DataModel::Ilp32 => &[
                "-m32",
                "-nostdlib",
                "-static",
                "-ffreestanding",
                "-fno-pie",
                "-no-pie",
                "-fno-stack-protector",
            ],
        }
    }

    /// Whether programs can be compiled and run for this data model at all.
    fn works(&self) -> bool {
        let file = self.directory.join("hello.c");
        let text = "extern void emit(unsigned long long); int main(void) { emit(7); return 0; }";
        std::fs::write(&file, text).unwrap();
        self.compiled(&file) == Some(vec![7])
    }

    /// What the compiled program emits.
    fn compiled(&self, file: &Path) -> Option<Vec<u64>> {
        let executable = self.directory.join("program");
        let status = Command::new("cc")
            .args(["-w", "-O0", "-fwrapv", "-fno-strict-aliasing"])
            .args(self.flags())
            .arg("-o")
            .arg(&executable)
            .arg(file)
            .arg(self.directory.join("support.c"))
            .output()
            .ok()?;
        if !status.status.success() {
            eprintln!("{}", String::from_utf8_lossy(&status.stderr));
            return None;
        }
        let output = Command::new(&executable).output().ok()?;
        let text = String::from_utf8(output.stdout).ok()?;
        output.status.success().then(|| text.lines().filter_map(|line| line.parse().ok()).collect())
    }

    fn compare(&self, seed: u64) {
        let text = program(seed, Features { wide: self.model == DataModel::Lp64 });
        let file = self.directory.join("program.c");
        std::fs::write(&file, &text).unwrap();
        let expected = self.compiled(&file);
        let expected = expected.unwrap_or_else(|| panic!("seed {seed} does not compile or run"));
        let program = load_text(&text, "program.c", self.model)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        wedge_c::typed::check(&program).unwrap_or_else(|what| panic!("seed {seed}: {what}"));
        let mut emitted = Emitted::default();
        let outcome =
            run(&program, &Properties::default(), &mut emitted, Limits::default()).outcome;
        assert_eq!(outcome, Outcome::Finished(0), "seed {seed}");
        for (expected, (found, line)) in expected.iter().zip(&emitted.0) {
            assert_eq!(found, expected, "seed {seed}, line {line}");
        }
        assert_eq!(expected.len(), emitted.0.len(), "seed {seed}");
    }

    /// Compares as many programs as `WEDGE_SEEDS` says, from `WEDGE_FIRST_SEED` on.
    fn compare_many(&self, default: u64) {
        if !self.works() {
            println!("skipped: cc cannot build programs for {}", self.model.name());
            return;
        }
        let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
        let first: u64 = number("WEDGE_FIRST_SEED").unwrap_or(1);
        for seed in first..first + number("WEDGE_SEEDS").unwrap_or(default) {
            self.compare(seed);
        }
    }
}

impl Drop for Workshop {
    fn drop(&mut self) {
        // After a failure the last program is left for inspection.
        if !std::thread::panicking() {
            let _ = std::fs::remove_dir_all(&self.directory);
        }
    }
}

#[test]
fn agrees_with_the_compiler_in_64_bits() {
    Workshop::new(DataModel::Lp64).compare_many(60);
}

#[test]
fn agrees_with_the_compiler_in_32_bits() {
    Workshop::new(DataModel::Ilp32).compare_many(40);
}
