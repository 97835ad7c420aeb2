//! Witnesses that somebody has written, read: formats 2.0 and 2.1 in YAML ([`yaml`]) and 1.0 in
//! GraphML ([`graphml`]). What is malformed is said with its line and field.

mod graphml;
mod yaml;

use wedge_c::DataModel;

/// A witness, independently of its syntax.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    pub about: About,
    pub content: Content,
}

/// What a witness says about itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// `1.0`, `2.0` or `2.1`.
    pub version: String,
    /// The program's files, with their hashes where there are any.
    pub files: Vec<(String, Option<String>)>,
    pub specification: Option<String>,
    pub data_model: Option<DataModel>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    Correctness(Vec<Invariant>),
    Violation(Vec<Segment>),
}

/// A place in the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    pub file: Option<String>,
    pub line: u32,
    /// 0 if it is not given.
    pub column: u32,
    pub function: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// At a loop, or else before a statement.
    pub is_loop: bool,
    pub location: Location,
    /// A C expression.
    pub value: String,
    /// The line of the witness.
    pub line: u32,
}

/// What a run passes before it comes to the next segment, and what it does not pass before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    pub avoid: Vec<Waypoint>,
    pub follow: Waypoint,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub location: Location,
    /// The line of the witness.
    pub line: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// This C expression is true before the statement.
    Assumption(String),
    /// The condition of an `if` or loop is decided this way.
    Branching(bool),
    /// A function is called.
    Enter,
    /// A function returns, and this expression over `\result` is true.
    Return(String),
    Target,
}

/// Why a file is no witness that can be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// It does not follow its format: the line, or 0, and the cause with its field.
    Malformed { line: u32, cause: String },
    /// It does, but says something that is not understood here.
    Unsupported(String),
}

impl Unreadable {
    fn at(line: u32, cause: impl Into<String>) -> Unreadable {
        Unreadable::Malformed { line, cause: cause.into() }
    }
}

/// Reads a witness in whatever format it is in.
pub fn read(text: &str) -> Result<Read, Unreadable> {
    match text.trim_start().starts_with('<') {
        true => graphml::read(text),
        false => yaml::read(text),
    }
}

/// `ILP32` and `LP64`, and how GraphML calls them.
fn data_model(name: &str) -> Option<DataModel> {
    match name {
        "ILP32" | "32bit" => Some(DataModel::Ilp32),
        "LP64" | "64bit" => Some(DataModel::Lp64),
        _ => None,
    }
}
