//! Accesses to memory of the environment.
//!
//! The automaton gives every read from memory of the environment a value of its own, and forgets what
//! was written there. A run of the program cannot do that: bytes keep their values until they are
//! written. So that somebody can look for values under which a path of the automaton is a run of
//! the program, each location says what the edges from it access.

use super::Encoder;
use super::memory::Access;
use wedge_logic::Term;

/// An access; the terms are over the variables at the location.
#[derive(Clone, Debug)]
pub struct Foreign {
    pub address: Term,
    /// The bits that are read or written.
    pub value: Term,
    pub kind: ForeignKind,
}

#[derive(Clone, Debug)]
pub enum ForeignKind {
    /// Under a condition.
    Read { condition: Term },
    /// Under a condition. In the automaton it leaves objects that are known outside with the second
    /// value; in memory of the environment they would keep the first.
    Write { condition: Term, kept: Vec<(Term, Term)> },
}

impl Encoder<'_, '_> {
    pub(super) fn note_foreign(&mut self, access: &Access, value: Term, kind: ForeignKind) {
        let address = self.address_value(&access.address);
        self.step.foreign.push(Foreign { address, value, kind });
    }
}
