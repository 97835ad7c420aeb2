//! The domain of a query, kept in the table of values.
//!
//! A variable outside the domain has the value [`OUTSIDE`], which is greater than zero like
//! [`TRUE`]: whatever skips satisfied clauses above level 0 thereby skips clauses that reach out
//! of the domain, without a second look-up. At level 0 such a variable is unassigned like any
//! other: what follows there holds for every query and is never to be missed.

use super::lit::Var;
use super::{Domain, Solver};

pub(super) const TRUE: i8 = 1;
pub(super) const FALSE: i8 = -1;
/// Unassigned, in the domain or without one.
pub(super) const OPEN: i8 = 0;
/// Unassigned, outside the domain.
pub(super) const OUTSIDE: i8 = 2;

impl Solver {
    /// The value of a variable that is not assigned and not in the domain at hand.
    pub(super) fn default_value(&self) -> i8 {
        if self.restricted { OUTSIDE } else { OPEN }
    }

    /// Exchanges the domain. At level 0.
    pub(super) fn set_domain(&mut self, domain: Domain) {
        match domain {
            Domain::Same => {}
            Domain::All => {
                self.heap_ready &= !self.restricted;
                self.release_domain();
                self.set_restricted(false);
            }
            Domain::Of(vars) => {
                self.release_domain();
                self.set_restricted(true);
                vars.iter().for_each(|&var| self.include(var));
            }
        }
        self.heap_ready &= !self.restricted;
    }

    fn set_restricted(&mut self, restricted: bool) {
        if self.restricted == restricted {
            return;
        }
        let old = self.default_value();
        self.restricted = restricted;
        let new = self.default_value();
        self.values.iter_mut().filter(|value| **value == old).for_each(|value| *value = new);
    }

    /// Adds a variable to the domain.
    pub(super) fn include(&mut self, var: Var) {
        if self.values[2 * var as usize] == OUTSIDE {
            self.set_unassigned(var, OPEN);
            self.domain.push(var);
        }
    }

    fn release_domain(&mut self) {
        if !self.restricted {
            return;
        }
        while let Some(var) = self.domain.pop() {
            if self.values[2 * var as usize] == OPEN {
                self.set_unassigned(var, OUTSIDE);
            }
        }
    }

    fn set_unassigned(&mut self, var: Var, value: i8) {
        self.values[2 * var as usize] = value;
        self.values[2 * var as usize + 1] = value;
    }
}
