//! What is wrong with a file, and where: `path:line: cause` or `path: byte N: cause`.

/// The position of an error: a line (from 1) of a text, an offset (from 0) in a binary file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    File,
    Line(usize),
    Byte(usize),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The operating system did not hand over the contents.
    Unreadable,
    /// The contents are not what the format demands.
    Malformed,
    /// Legal, but outside what Wedge checks.
    Unsupported,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AigerError {
    pub path: String,
    pub place: Place,
    pub kind: ErrorKind,
    pub cause: String,
}

impl std::fmt::Display for AigerError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self.place {
            Place::File => write!(f, "{}: {}", self.path, self.cause),
            Place::Line(line) => write!(f, "{}:{line}: {}", self.path, self.cause),
            Place::Byte(byte) => write!(f, "{}: byte {byte}: {}", self.path, self.cause),
        }
    }
}

impl std::error::Error for AigerError {}

impl AigerError {
    pub(super) fn unreadable(path: &str, cause: &dyn std::fmt::Display) -> AigerError {
        AigerError {
            path: path.to_string(),
            place: Place::File,
            kind: ErrorKind::Unreadable,
            cause: cause.to_string(),
        }
    }
}

/// An error before the file's name and form are attached: all readers count in bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    pub offset: usize,
    pub kind: ErrorKind,
    pub cause: String,
}

impl Fault {
    pub fn malformed(offset: usize, cause: impl Into<String>) -> Fault {
        Fault { offset, kind: ErrorKind::Malformed, cause: cause.into() }
    }

    pub fn unsupported(offset: usize, cause: impl Into<String>) -> Fault {
        Fault { offset, kind: ErrorKind::Unsupported, cause: cause.into() }
    }

    pub fn at_line(self, path: &str, bytes: &[u8]) -> AigerError {
        let before = &bytes[..self.offset.min(bytes.len())];
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        self.at(path, Place::Line(line))
    }

    pub fn at_byte(self, path: &str) -> AigerError {
        let place = Place::Byte(self.offset);
        self.at(path, place)
    }

    fn at(self, path: &str, place: Place) -> AigerError {
        AigerError { path: path.to_string(), place, kind: self.kind, cause: self.cause }
    }
}
