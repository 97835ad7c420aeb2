//! Small programs, sorted by what becomes of them.
//!
//! `finished` programs check themselves and return 0; the system's compiler must agree where there
//! is one. The others say in their first lines what to expect: the place where they end (`at`), the
//! kind of undefined behaviour (`what`) or the error message, and which `inputs`, `others` (values
//! for everything else that is arbitrary) and data `model` they want.

use std::path::{Path, PathBuf};
use std::process::Command;
use wedge_c::Properties;
use wedge_c::interp::{Choice, ChoiceKind, Inputs, Limits, Oracle, Outcome, run};
use wedge_c::source::Position;
use wedge_c::{DataModel, load, typed};

/// Inputs from a list, one value for everything else.
struct Prepared {
    inputs: Inputs,
    others: u128,
}

impl Oracle for Prepared {
    fn choose(&mut self, choice: &Choice) -> u128 {
        match choice.kind {
            ChoiceKind::Input(_) => self.inputs.choose(choice),
            _ => self.others,
        }
    }
}

/// A program with the lines that say what to expect.
struct Case {
    path: PathBuf,
    text: String,
}

impl Case {
    fn header(&self, key: &str) -> Option<&str> {
        let lines = self.text.lines().map_while(|line| line.strip_prefix("//! "));
        lines.filter_map(|line| line.split_once(": ")).find(|(k, _)| *k == key).map(|(_, v)| v)
    }

    fn models(&self) -> Vec<DataModel> {
        match self.header("model") {
            Some("ILP32") => vec![DataModel::Ilp32],
            Some("LP64") => vec![DataModel::Lp64],
            _ => vec![DataModel::Ilp32, DataModel::Lp64],
        }
    }

    fn outcome(&self, model: DataModel) -> Outcome {
        let program = load(&[&self.path], model).unwrap_or_else(|error| panic!("{error}"));
        typed::check(&program).unwrap_or_else(|what| panic!("{}: {what}", self.path.display()));
        let numbers = self.header("inputs").unwrap_or("").split_whitespace();
        let values = numbers.map(|text| text.parse::<i64>().unwrap() as u128);
        let others = self.header("others").map_or(0x5a, |text| text.parse().unwrap());
        let mut oracle = Prepared { inputs: Inputs::new(values), others };
        run(&program, &Properties::default(), &mut oracle, Limits::default()).outcome
    }

    /// Checks the line and column where a run ended.
    fn check_place(&self, position: Position) {
        if let Some(at) = self.header("at") {
            let found = format!("{}:{}", position.line, position.column);
            assert_eq!(found, at, "{}", self.path.display());
        }
    }
}

/// What a directory of the test programs contains, apart from headers.
fn entries(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(directory);
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_none_or(|extension| extension != "h"));
    paths.sort();
    assert!(!paths.is_empty());
    paths
}

fn cases(kind: &str) -> Vec<Case> {
    let read = |path: PathBuf| Case { text: std::fs::read_to_string(&path).unwrap(), path };
    entries(kind).into_iter().map(read).collect()
}

/// Runs all programs of a kind in all their data models; `place` picks the position out of the
/// expected outcome.
fn check_all(kind: &str, place: impl Fn(&Case, &Outcome) -> Option<Position>) {
    for case in cases(kind) {
        for model in case.models() {
            let outcome = case.outcome(model);
            let name = case.path.display();
            let Some(position) = place(&case, &outcome) else {
                panic!("{name} ({}): {outcome:?}", model.name());
            };
            case.check_place(position);
        }
    }
}

#[test]
fn finished() {
    check_all("finished", |_, outcome| match outcome {
        Outcome::Finished(0) => Some(Position::default()),
        _ => None,
    });
}

/// Programs that need the system's preprocessor and its headers.
#[test]
fn included() {
    if Command::new("cc").arg("--version").output().is_err() {
        println!("skipped: there is no cc");
        return;
    }
    check_all("included", |_, outcome| match outcome {
        Outcome::Finished(0) => Some(Position::default()),
        _ => None,
    });
}

/// Programs of several files, in both orders.
#[test]
fn linked() {
    for directory in entries("linked") {
        let name = directory.display().to_string();
        let mut paths = entries(&name);
        for model in [DataModel::Ilp32, DataModel::Lp64] {
            for _ in 0..2 {
                paths.reverse();
                let program = load(&paths, model).unwrap_or_else(|error| panic!("{error}"));
                typed::check(&program).unwrap_or_else(|what| panic!("{name}: {what}"));
                let outcome = run(
                    &program,
                    &Properties::default(),
                    &mut Inputs::default(),
                    Limits::default(),
                )
                .outcome;
                assert_eq!(outcome, Outcome::Finished(0), "{name}");
            }
        }
    }
}

#[test]
fn error() {
    check_all("error", |_, outcome| match outcome {
        Outcome::Violated(violation) => Some(violation.position),
        _ => None,
    });
}

#[test]
fn aborted() {
    check_all("aborted", |_, outcome| match outcome {
        Outcome::Aborted(position) => Some(*position),
        _ => None,
    });
}

#[test]
fn assume() {
    check_all("assume", |_, outcome| match outcome {
        Outcome::AssumeFailed(position) => Some(*position),
        _ => None,
    });
}

#[test]
fn undefined() {
    check_all("undefined", |case, outcome| match outcome {
        Outcome::UndefinedBehaviour(what, position) => {
            (Some(what.to_string().as_str()) == case.header("what")).then_some(*position)
        }
        _ => None,
    });
}

/// Checks the messages for programs that cannot be used, named in their first line.
fn check_messages(kind: &str) {
    for case in cases(kind) {
        let first = case.text.lines().next().unwrap().strip_prefix("//! ").unwrap();
        let Err(error) = load(&[&case.path], DataModel::Lp64) else {
            panic!("{} is accepted", case.path.display());
        };
        let message = error.to_string();
        let shown = message.replace(&format!("{}:", case.path.display()), "");
        assert_eq!(shown, first, "{}", case.path.display());
    }
}

#[test]
fn rejected() {
    check_messages("rejected");
}

#[test]
fn unsupported() {
    check_messages("unsupported");
}

#[test]
fn missing_files_have_a_message() {
    let error = load(&["no/such/file.c"], DataModel::Lp64).unwrap_err();
    assert!(error.to_string().starts_with("no/such/file.c: cannot be read: "), "{error}");
}

/// The programs that check themselves also pass when compiled.
#[test]
fn finished_programs_pass_when_compiled() {
    let directory = std::env::temp_dir().join(format!("wedge-programs-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    for case in cases("finished").iter().filter(|c| c.models().contains(&DataModel::Lp64)) {
        let executable = directory.join("program");
        let compiled = Command::new("cc")
            .args(["-w", "-fwrapv", "-fno-strict-aliasing", "-m64", "-o"])
            .args([&executable, &case.path])
            .arg("-lm")
            .status();
        match compiled {
            Ok(status) => assert!(status.success(), "{}", case.path.display()),
            Err(_) => {
                println!("skipped: there is no cc");
                return;
            }
        }
        let status = Command::new(&executable).status().unwrap();
        assert_eq!(status.code(), Some(0), "{}", case.path.display());
    }
    std::fs::remove_dir_all(&directory).unwrap();
}
