//! Queries as text, for somebody who wants to keep them.
//!
//! Solvers are made in many places, by engines, by triples and by checks of evidence; so there is
//! one observer per process, and it is told every query when it is answered. Without an observer
//! nothing is printed.

use crate::solver::Answer;
use std::sync::OnceLock;
use wedge_logic::{Term, TermStore, smtlib};

/// What the observer is told.
pub struct Query {
    /// A script of SMT-LIB 2 that any solver can read; it says what was answered.
    pub script: String,
    pub status: Status,
}

impl Query {
    fn new(text: String, status: Status) -> Query {
        let script = format!("{text}(set-info :status {})\n(check-sat)\n", status.word());
        Query { script, status }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    Sat,
    Unsat,
    Unknown,
}

impl Status {
    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Status::Sat => "sat",
            Status::Unsat => "unsat",
            Status::Unknown => "unknown",
        }
    }
}

impl From<&Answer> for Status {
    fn from(answer: &Answer) -> Status {
        match answer {
            Answer::Sat => Status::Sat,
            Answer::Unsat => Status::Unsat,
            Answer::Unknown(_) => Status::Unknown,
        }
    }
}

pub type Observer = Box<dyn Fn(&Query) + Send + Sync>;

static OBSERVER: OnceLock<Observer> = OnceLock::new();

/// From now on the observer is told every query of this process. False if there is one already,
/// which stays.
pub fn observe(observer: Observer) -> bool {
    OBSERVER.set(observer).is_ok()
}

/// A query about terms was answered.
pub(crate) fn tell(
    store: &TermStore,
    terms: impl IntoIterator<Item = Term>,
    status: impl Into<Status>,
) {
    if let Some(observer) = OBSERVER.get() {
        let terms: Vec<Term> = terms.into_iter().collect();
        observer(&Query::new(smtlib::script(store, &terms), status.into()));
    }
}

/// A query was answered that consists of these commands.
pub(crate) fn tell_lines<'a>(commands: impl Iterator<Item = &'a String>, status: Status) {
    if let Some(observer) = OBSERVER.get() {
        let text = commands.map(|command| format!("{command}\n")).collect();
        observer(&Query::new(text, status));
    }
}
