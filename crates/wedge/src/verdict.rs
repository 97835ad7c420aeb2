//! The three answers, as they are printed and as exit status.

use serde::{Deserialize, Serialize};
use std::fmt;
use wedge_engines::UnknownReason;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    True,
    /// With what is violated: `bad` for a circuit, `unreach-call` for a program.
    False(String),
    /// With the reason why nothing was decided.
    Unknown(String),
}

impl Verdict {
    pub fn exit_status(&self) -> u8 {
        match self {
            Verdict::True => 0,
            Verdict::False(_) => 10,
            Verdict::Unknown(_) => 30,
        }
    }
}

impl Verdict {
    /// Why nothing was decided, if nothing was.
    pub fn reason(&self) -> Option<&str> {
        match self {
            Verdict::Unknown(reason) => Some(reason),
            Verdict::True | Verdict::False(_) => None,
        }
    }
}

/// How the reason begins if a run of the program means nothing.
const UNDEFINED: &str = "undefined behaviour: ";

impl Verdict {
    /// Nothing is said of a program with undefined behaviour of this kind.
    pub fn undefined(what: &str) -> Verdict {
        Verdict::Unknown(format!("{UNDEFINED}{what}"))
    }
}

/// Whether a reason tells more than that time was up.
pub fn is_undefined(reason: &str) -> bool {
    reason.starts_with(UNDEFINED)
}

impl From<UnknownReason> for Verdict {
    fn from(reason: UnknownReason) -> Verdict {
        Verdict::Unknown(reason.to_string())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Verdict::True => write!(f, "TRUE"),
            Verdict::False(what) => write!(f, "FALSE({what})"),
            Verdict::Unknown(reason) => write!(f, "UNKNOWN({reason})"),
        }
    }
}
