//! Who decides whether terms can hold together: Wedge's own solver, bit by bit, or another one that
//! reads them as statements about unbounded integers.

use crate::integers::Integers;
use crate::solver::{Answer, Solver};
use wedge_logic::{Term, TermStore, Value};
use wedge_sat::Interrupt;

pub enum Decider {
    Bits(Box<Solver>),
    Integers(Box<Integers>),
}

impl Decider {
    pub fn bits(interrupt: &Interrupt) -> Decider {
        Decider::Bits(Box::new(Solver::new(interrupt)))
    }

    pub fn check_assuming(&mut self, store: &mut TermStore, terms: &[Term]) -> Answer {
        match self {
            Decider::Bits(solver) => solver.check_assuming(store, terms),
            Decider::Integers(integers) => integers.check(store, terms),
        }
    }

    /// The value of a term in the assignment that the last query found; none for integers, which
    /// need not be values of words.
    pub fn value(&mut self, store: &TermStore, term: Term) -> Option<Value> {
        match self {
            Decider::Bits(solver) => solver.value(store, term),
            Decider::Integers(_) => None,
        }
    }

    /// Limits every following query to so many conflicts, where they can be counted.
    pub fn set_conflicts(&mut self, limit: Option<i32>) {
        match self {
            Decider::Bits(solver) => solver.set_conflicts(limit),
            Decider::Integers(_) => {}
        }
    }

    /// The seconds that queries have taken.
    pub fn seconds(&self) -> f64 {
        match self {
            Decider::Bits(solver) => solver.seconds(),
            Decider::Integers(integers) => integers.seconds,
        }
    }
}
