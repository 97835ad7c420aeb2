//! What is wrong with a file, and where: `path:line: cause`.

pub use crate::aiger::ErrorKind;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Btor2Error {
    pub path: String,
    /// The line, counted from 1; `None` if the file as a whole is meant.
    pub line: Option<usize>,
    pub kind: ErrorKind,
    pub cause: String,
}

impl std::fmt::Display for Btor2Error {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.line {
            Some(line) => write!(f, "{}:{line}: {}", self.path, self.cause),
            None => write!(f, "{}: {}", self.path, self.cause),
        }
    }
}

impl std::error::Error for Btor2Error {}

impl Btor2Error {
    pub(super) fn unreadable(path: &str, cause: &dyn std::fmt::Display) -> Btor2Error {
        Btor2Error {
            path: path.to_string(),
            line: None,
            kind: ErrorKind::Unreadable,
            cause: cause.to_string(),
        }
    }
}

/// An error before the file's name and the line are attached.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub kind: ErrorKind,
    pub cause: String,
}

impl Fault {
    pub fn malformed(cause: impl Into<String>) -> Fault {
        Fault { kind: ErrorKind::Malformed, cause: cause.into() }
    }

    pub fn unsupported(cause: impl Into<String>) -> Fault {
        Fault { kind: ErrorKind::Unsupported, cause: cause.into() }
    }

    pub fn at(self, path: &str, line: Option<usize>) -> Btor2Error {
        Btor2Error { path: path.to_string(), line, kind: self.kind, cause: self.cause }
    }
}
