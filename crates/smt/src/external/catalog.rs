//! The solvers that are known by name.

use std::path::PathBuf;
use std::process::{Command, Stdio};

/// How a solver gives interpolants.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interpolants {
    None,
    /// `(get-interpolants A B C)` over the names of assertions.
    Names,
    /// `(get-interpolant (A B))` over the interpolation groups of assertions.
    Groups,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Abilities {
    pub arrays: bool,
    pub cores: bool,
    pub interpolants: Interpolants,
}

/// A solver, how it is started and what it can.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    pub name: String,
    pub command: Vec<String>,
    pub version: Vec<String>,
    pub abilities: Abilities,
}

fn entry(name: &str, command: &[&str], version: &[&str], abilities: Abilities) -> Entry {
    let words = |words: &[&str]| words.iter().map(|word| word.to_string()).collect();
    Entry { name: name.to_string(), command: words(command), version: words(version), abilities }
}

const PLAIN: Abilities = Abilities { arrays: true, cores: true, interpolants: Interpolants::None };

/// All solvers with a name.
pub fn known() -> Vec<Entry> {
    let by_names = Abilities { interpolants: Interpolants::Names, ..PLAIN };
    let by_groups = Abilities { interpolants: Interpolants::Groups, ..PLAIN };
    vec![
        entry("z3", &["z3", "-in", "-smt2"], &["z3", "--version"], PLAIN),
        entry(
            "cvc5",
            &["cvc5", "--incremental", "--lang=smt2", "-q"],
            &["cvc5", "--version"],
            PLAIN,
        ),
        entry("bitwuzla", &["bitwuzla"], &["bitwuzla", "--version"], PLAIN),
        entry("mathsat", &["mathsat", "-input=smt2"], &["mathsat", "-version"], by_groups),
        entry(
            "yices",
            &["yices-smt2", "--incremental"],
            &["yices-smt2", "--version"],
            Abilities { arrays: true, cores: true, interpolants: Interpolants::None },
        ),
        entry("opensmt", &["opensmt", "-i"], &["opensmt", "--version"], by_names),
        entry("smtinterpol", &["smtinterpol", "-q"], &["smtinterpol", "-version"], by_names),
    ]
}

/// The solver with this name, or any command.
pub fn find(name_or_command: &str) -> Entry {
    if let Some(entry) = known().into_iter().find(|entry| entry.name == name_or_command) {
        return entry;
    }
    let command: Vec<String> = name_or_command.split_whitespace().map(String::from).collect();
    Entry { name: name_or_command.to_string(), command, version: Vec::new(), abilities: PLAIN }
}

/// A solver that was found on this machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Installed {
    pub entry: Entry,
    pub path: PathBuf,
    /// The first line that says a version.
    pub version: String,
}

/// Which of the known solvers are on the search path.
pub fn installed() -> Vec<Installed> {
    let on_path = |entry: Entry| {
        let path = search(&entry.command[0])?;
        let version = version(&entry);
        Some(Installed { entry, path, version })
    };
    known().into_iter().filter_map(on_path).collect()
}

fn search(program: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// What a solver says about its version.
pub fn version(entry: &Entry) -> String {
    let unknown = || "version unknown".to_string();
    let Some((program, args)) = entry.version.split_first() else { return unknown() };
    let output = Command::new(program).args(args).stdin(Stdio::null()).output();
    let Ok(output) = output else { return unknown() };
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    let says = |line: &&str| line.chars().any(|c| c.is_ascii_digit());
    text.lines().find(says).map_or_else(unknown, |line| line.trim().to_string())
}
