//! The three answers, as they are printed and as exit status.
//!
//! TRUE is made from a checked proof and FALSE from a checked run, which only the evidence crate
//! makes; what a portfolio process has decided in this way is read by the portfolio alone.
//!
//! ```compile_fail,E0423
//! let verdict = wedge::Verdict(wedge::Said::True);
//! ```
//!
//! ```compile_fail,E0277
//! let verdict: wedge::Verdict = wedge::Said::True.into();
//! ```

use std::fmt;
use wedge_engines::UnknownReason;
use wedge_evidence::{Checked, Proof, Run};

/// What is said about a property. [`Verdict::said`] tells which it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict(Said);

/// A verdict to be looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    True,
    /// With what is violated: `bad` for a circuit, the name of the property for a program.
    False(String),
    /// With the reason why nothing was decided.
    Unknown(UnknownReason),
}

impl Verdict {
    pub fn said(&self) -> &Said {
        &self.0
    }

    /// What another process of the portfolio has said, on evidence that it has checked.
    pub(crate) fn received(said: Said) -> Verdict {
        Verdict(said)
    }

    pub fn exit_status(&self) -> u8 {
        match self.0 {
            Said::True => 0,
            Said::False(_) => 10,
            Said::Unknown(_) => 30,
        }
    }

    /// Why nothing was decided, if nothing was.
    pub fn reason(&self) -> Option<&UnknownReason> {
        match &self.0 {
            Said::Unknown(reason) => Some(reason),
            Said::True | Said::False(_) => None,
        }
    }
}

impl From<&Checked<Proof>> for Verdict {
    fn from(_: &Checked<Proof>) -> Verdict {
        Verdict(Said::True)
    }
}

impl From<&Checked<Run>> for Verdict {
    fn from(run: &Checked<Run>) -> Verdict {
        Verdict(Said::False(run.violated.clone()))
    }
}

impl From<UnknownReason> for Verdict {
    fn from(reason: UnknownReason) -> Verdict {
        Verdict(Said::Unknown(reason))
    }
}

/// Before anything has been decided.
impl Default for Verdict {
    fn default() -> Verdict {
        UnknownReason::Cancelled.into()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match &self.0 {
            Said::True => write!(f, "TRUE"),
            Said::False(what) => write!(f, "FALSE({what})"),
            Said::Unknown(reason) => write!(f, "UNKNOWN({reason})"),
        }
    }
}
