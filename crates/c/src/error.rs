//! What can go wrong between a file and a typed program.
//!
//! Inside the front end a failure is a [`Fault`]: a cause and a position, cheap to pass upwards.
//! At the border of the crate it becomes an [`Error`], which names the file and prints as
//! `file:line:column: cause`.

use crate::source::{Files, Position};
use std::fmt;

/// Why an input cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The file cannot be read.
    Unreadable(String),
    /// Not C: the text does not follow the grammar.
    Syntax(String),
    /// Follows the grammar, but breaks a rule of the language.
    Invalid(String),
    /// Valid C that this front end does not model; the text names the construct.
    Unsupported(String),
    /// The preprocessor failed or is missing.
    Preprocessor(String),
    /// A task definition or property file that cannot be understood.
    Task(String),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Cause::Unreadable(why) => write!(f, "cannot be read: {why}"),
            Cause::Syntax(what) => write!(f, "syntax error: {what}"),
            Cause::Unsupported(what) => write!(f, "unsupported: {what}"),
            Cause::Invalid(what) | Cause::Preprocessor(what) | Cause::Task(what) => {
                f.write_str(what)
            }
        }
    }
}

/// A failure inside the front end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub cause: Cause,
    pub position: Position,
}

impl Fault {
    pub fn syntax(position: Position, what: impl Into<String>) -> Fault {
        Fault { cause: Cause::Syntax(what.into()), position }
    }
    pub fn invalid(position: Position, what: impl Into<String>) -> Fault {
        Fault { cause: Cause::Invalid(what.into()), position }
    }
    pub fn unsupported(position: Position, what: impl Into<String>) -> Fault {
        Fault { cause: Cause::Unsupported(what.into()), position }
    }

    pub fn named(self, files: &Files) -> Error {
        let Position { file, line, column, .. } = self.position;
        Error { file: files.name(file).to_string(), line, column, cause: self.cause }
    }
}

/// A failure with its place. Line 0 stands for the file as a whole, column 0 for the whole line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub cause: Cause,
}

impl Error {
    /// A failure that concerns a file as a whole.
    pub fn whole_file(file: impl fmt::Display, cause: Cause) -> Error {
        Error { file: file.to_string(), line: 0, column: 0, cause }
    }

    /// Whether the input is valid but beyond what is modelled.
    pub fn is_unsupported(&self) -> bool {
        matches!(self.cause, Cause::Unsupported(_))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:", self.file)?;
        if self.line > 0 {
            write!(f, "{}:", self.line)?;
        }
        if self.column > 0 {
            write!(f, "{}:", self.column)?;
        }
        write!(f, " {}", self.cause)
    }
}

impl std::error::Error for Error {}

/// Something that was accepted but deserves mention, such as an `asm` statement that has no effect
/// here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    pub position: Position,
    pub what: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_print_like_compilers_do() {
        let cause = Cause::Unsupported("nested function".into());
        let error = Error { file: "a.c".into(), line: 3, column: 7, cause };
        assert_eq!(error.to_string(), "a.c:3:7: unsupported: nested function");
        let error = Error::whole_file("b.c", Cause::Unreadable("no such file".into()));
        assert_eq!(error.to_string(), "b.c: cannot be read: no such file");
    }
}
