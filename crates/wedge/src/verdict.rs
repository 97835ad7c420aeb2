//! The three answers, as they are printed and as exit status.

use std::fmt;
use wedge_engines::UnknownReason;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    True,
    False,
    Unknown(UnknownReason),
}

impl Verdict {
    pub fn exit_status(&self) -> u8 {
        match self {
            Verdict::True => 0,
            Verdict::False => 10,
            Verdict::Unknown(_) => 30,
        }
    }

    /// Prints the verdict and exits, whatever other threads are doing.
    pub fn end_process(&self) -> ! {
        println!("{self}");
        std::process::exit(self.exit_status().into())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Verdict::True => write!(f, "TRUE"),
            Verdict::False => write!(f, "FALSE(bad)"),
            Verdict::Unknown(reason) => write!(f, "UNKNOWN({reason})"),
        }
    }
}
