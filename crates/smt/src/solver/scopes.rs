//! Scopes of assertions, by activation literals.

use super::Solver;
use wedge_logic::{BlastError, Lit, Term};

/// An assertion that cores speak of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Name(pub usize);

/// What a query assumes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unit {
    pub term: Term,
    /// Without floats and arrays.
    pub plain: Term,
    pub literal: Lit,
    /// None for an assumption.
    pub name: Option<Name>,
}

pub(super) struct Scope {
    /// Assertions of the scope hold where this literal does.
    pub activation: Lit,
    /// The assertions without names.
    pub terms: Vec<Term>,
    /// The plain terms of them.
    pub roots: Vec<Term>,
    pub named: Vec<Unit>,
    /// Why an assertion of this scope is missing.
    pub too_large: Option<BlastError>,
}

impl Scope {
    pub fn new(activation: Lit) -> Scope {
        Scope {
            activation,
            terms: Vec::new(),
            roots: Vec::new(),
            named: Vec::new(),
            too_large: None,
        }
    }
}

impl Solver {
    /// Opens a scope: what is asserted from now on is forgotten when it is left.
    pub fn push(&mut self) {
        self.forget();
        let activation = self.encoding.aig.add_input();
        self.scopes.push(Scope::new(activation));
    }

    /// Leaves the innermost scope. Panics if there is none.
    pub fn pop(&mut self) {
        assert!(self.scopes.len() > 1, "a scope was opened before it is left");
        self.forget();
        let scope = self.scopes.pop().expect("just counted");
        self.backend.add_clause(vec![!scope.activation]);
    }
}
