//! What has passed its check.
//!
//! Verdicts are made from [`Checked`] values, and only this crate makes those: the functions in
//! [`claims`](crate::claims) are the only way to one.
//!
//! ```
//! use wedge_evidence::{Checked, Proof, claims};
//! use wedge_model::Circuit;
//! // A circuit without bad states, and the claim that no path has more than zero steps.
//! let rejected = claims::exhaustion(&Circuit::default(), 0, &Default::default());
//! assert!(rejected.is_err());
//! ```
//!
//! Nobody else can say that something has been checked:
//!
//! ```compile_fail,E0423
//! use wedge_evidence::{Checked, Proof};
//! let checked: Checked<Proof> = Checked(Proof::Exhaustion { length: 0 });
//! ```
//!
//! ```compile_fail,E0624
//! use wedge_evidence::{Checked, Proof};
//! let checked = Checked::new(Proof::Exhaustion { length: 0 });
//! ```

use std::ops::Deref;
use wedge_c::interp::Answer;
use wedge_model::cfa::{self, CutInvariants, QuantifiedInvariants};
use wedge_model::{Predicate, Trace};

/// A proof or a run that was checked on the model as it was read. It can be looked at, not made or
/// changed.
#[derive(Clone)]
pub struct Checked<T>(T);

impl<T> Checked<T> {
    pub(crate) fn new(value: T) -> Checked<T> {
        Checked(value)
    }
}

impl<T> Deref for Checked<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// Why the property holds.
#[derive(Clone)]
pub enum Proof {
    /// An inductive invariant of the circuit as read.
    Invariant(Predicate),
    /// A formula for each cut point of the automaton.
    Invariants(CutInvariants),
    /// Formulas for each cut point of the automaton, for all values of bound variables.
    Quantified(QuantifiedInvariants),
    /// The property is k-inductive, where the facts hold if there are any; they are inductive.
    Induction { k: usize, simple_path: bool, facts: Option<Predicate> },
    /// No path has more steps, and no step is bad.
    Exhaustion { length: usize },
    /// There is only one run, without a violation, in the interpreter and on the automaton.
    OnlyRun { steps: u64, edges: u64 },
}

/// A run that violates the property.
#[derive(Clone)]
pub struct Run {
    /// `bad` for a circuit, the name of the property for a program.
    pub violated: String,
    pub course: Course,
}

/// What happens in a run.
#[derive(Clone)]
pub enum Course {
    /// A path of the circuit as read. The simulator of the model's own level, or the interpreter of
    /// programs, has come to the same end.
    Trace(Trace),
    /// A run of the automaton, which was replayed in the same way.
    Path(cfa::Run),
    /// The interpreter was given these answers and came to the violation after so many steps.
    Execution { answers: Vec<Answer>, steps: u64 },
}
