//! Other solvers over SMT-LIB 2.
//!
//! Each solver is one long-lived process that is spoken to over pipes ([`process`]); scopes are
//! its own `push` and `pop`. [`catalog`] knows the solvers by name. A solver that is missing,
//! dies, does not answer in time or prints what is no answer gives one [`Trouble`] with its name;
//! its process is ended, and the next query starts another one with the same assertions. Nothing
//! that a solver in trouble has printed counts as an answer. Cores and interpolants of a solver are
//! believed after a check only ([`explain`]).

pub mod catalog;
mod explain;
mod parse;
mod process;
mod session;
mod sexp;

pub use catalog::{Abilities, Entry, Installed, find, installed};
pub(crate) use explain::body;
pub use explain::{Core, Explained};
pub use parse::ParseError;
pub use session::{External, Purpose, Reply};
pub use sexp::Sexp;

use std::fmt;
use std::time::Duration;

/// What went wrong with a solver.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trouble {
    Missing {
        solver: String,
        command: String,
        why: String,
    },
    Died {
        solver: String,
        said: String,
    },
    TimedOut {
        solver: String,
        after: Duration,
    },
    Nonsense {
        solver: String,
        said: String,
    },
    /// Its core or its interpolant is none.
    Wrong {
        solver: String,
        what: &'static str,
        why: String,
    },
    /// The interrupt was raised.
    Stopped {
        solver: String,
    },
    /// The solver has no such ability.
    Unable {
        solver: String,
        what: &'static str,
    },
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Trouble::Missing { solver, command, why } => {
                write!(f, "the solver {solver} cannot be started as '{command}': {why}")
            }
            Trouble::Died { solver, said } if said.is_empty() => {
                write!(f, "the solver {solver} ended without an answer")
            }
            Trouble::Died { solver, said } => {
                write!(f, "the solver {solver} ended without an answer; it said: {said}")
            }
            Trouble::TimedOut { solver, after } => {
                write!(f, "the solver {solver} gave no answer within {:.1} s", after.as_secs_f64())
            }
            Trouble::Nonsense { solver, said } => {
                write!(f, "the solver {solver} gave an answer that cannot be understood: {said}")
            }
            Trouble::Wrong { solver, what, why } => {
                write!(f, "the solver {solver} gave a wrong {what}: {why}")
            }
            Trouble::Stopped { solver } => write!(f, "the solver {solver} was stopped"),
            Trouble::Unable { solver, what } => write!(f, "the solver {solver} has no {what}"),
        }
    }
}

impl std::error::Error for Trouble {}
