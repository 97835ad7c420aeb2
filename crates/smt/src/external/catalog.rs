//! The solvers that are known by name.

use std::ffi::OsStr;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

/// How a solver gives interpolants, after the assertions of all parts or of the first ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Interpolants {
    None,
    /// `(get-interpolants A B C)`: all cuts between assertions with these names.
    Sequence,
    /// `(get-interpolant (A B))`: one cut, after assertions with these names.
    Names,
    /// `(get-interpolant (A B))`: one cut, after these interpolation groups.
    Groups,
    /// `(get-interpolant I (not φ))`: between what is asserted and φ.
    Conjecture,
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
    /// More arguments of a process that is asked for interpolants.
    pub interpolating: Vec<String>,
    pub version: Vec<String>,
    /// The logic that it is told.
    pub logic: &'static str,
    pub abilities: Abilities,
}

const PLAIN: Abilities = Abilities { arrays: true, cores: true, interpolants: Interpolants::None };

/// Name, command, more arguments for interpolants, arguments for the version, logic, interpolants.
type Row = (&'static str, &'static str, &'static str, &'static str, &'static str, Interpolants);

/// MathSAT interpolates bit-vectors with its lazy solver only. cvc5 gives unsat cores or
/// interpolants, but not both. OpenSMT has no bit-vectors: it is of use to those who bring terms
/// without, and says so itself to others.
const KNOWN: [Row; 7] = [
    ("z3", "z3 -in -smt2", "", "--version", "ALL", Interpolants::None),
    ("cvc5", "cvc5 --incremental --lang=smt2 -q", "", "--version", "ALL", Interpolants::Conjecture),
    ("bitwuzla", "bitwuzla --lang smt2", "", "--version", "QF_ABV", Interpolants::Names),
    (
        "mathsat",
        "mathsat -input=smt2",
        "-theory.bv.eager=false",
        "-version",
        "QF_ABV",
        Interpolants::Groups,
    ),
    ("yices", "yices-smt2 --incremental", "", "--version", "QF_ABV", Interpolants::None),
    ("opensmt", "opensmt", "", "--version", "ALL", Interpolants::Sequence),
    ("smtinterpol", "smtinterpol -q", "", "-version", "ALL", Interpolants::Sequence),
];

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(String::from).collect()
}

fn entry((name, command, interpolating, version, logic, interpolants): Row) -> Entry {
    let command = words(command);
    Entry {
        name: name.to_string(),
        version: vec![command[0].clone(), version.to_string()],
        command,
        interpolating: words(interpolating),
        logic,
        abilities: Abilities { interpolants, ..PLAIN },
    }
}

/// All solvers with a name.
pub fn known() -> Vec<Entry> {
    KNOWN.into_iter().map(entry).collect()
}

/// The solver with this name, or any command. A path to a known program is that solver, with the
/// arguments that are given or else its own.
pub fn find(name_or_command: &str) -> Entry {
    if let Some(entry) = known().into_iter().find(|entry| entry.name == name_or_command) {
        return entry;
    }
    let command = words(name_or_command);
    let program = command.first().map(Path::new).and_then(Path::file_name);
    let is_it = |entry: &Entry| program == Some(OsStr::new(&entry.command[0]));
    let unknown =
        Entry { version: Vec::new(), ..entry(("", "-", "", "", "ALL", Interpolants::None)) };
    let known = known().into_iter().find(is_it);
    let arguments = known.as_ref().map_or(&[][..], |known| &known.command[1..]);
    let command = match command.as_slice() {
        [program] => [std::slice::from_ref(program), arguments].concat(),
        _ => command,
    };
    let mut entry = known.unwrap_or(unknown);
    if let (Some(asked), Some(program)) = (entry.version.first_mut(), command.first()) {
        asked.clone_from(program);
    }
    Entry { name: name_or_command.to_string(), command, ..entry }
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

/// The file of a program: with a slash it is a path, else it is looked for.
pub(super) fn search(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|path| path.is_file());
    }
    let paths = std::env::var_os("PATH")?;
    std::env::split_paths(&paths).map(|folder| folder.join(program)).find(|path| path.is_file())
}

/// How long a solver may take to say its version.
const PATIENCE: Duration = Duration::from_secs(2);

/// What a solver says about its version.
pub fn version(entry: &Entry) -> String {
    let unknown = || "version unknown".to_string();
    let text = entry.version.split_first().and_then(|(program, args)| printed(program, args));
    let says = |line: &&str| line.chars().any(|c| c.is_ascii_digit());
    let text = text.unwrap_or_default();
    text.lines().find(says).map_or_else(unknown, |line| line.trim().to_string())
}

/// What a program prints, if it does so in time.
fn printed(program: &str, args: &[String]) -> Option<String> {
    let mut command = Command::new(program);
    command.args(args).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = wedge_process::Process::spawn_group(&mut command).ok()?;
    drop(child.take_stdin());
    let mut output = child.take_stdout()?;
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut text = Vec::new();
        let _ = output.read_to_end(&mut text);
        let _ = sender.send(text);
    });
    let text = receiver.recv_timeout(PATIENCE).ok()?;
    Some(String::from_utf8_lossy(&text).into_owned())
}
