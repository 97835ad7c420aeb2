//! A proof on an automaton: a formula for each cut point.

use super::LocationId;
use wedge_logic::{Term, TermStore};

/// Formulas over the variables of an automaton, one for each cut point. Every cycle of the
/// automaton goes through a cut point, and the entry is one. The claim is that a run which comes
/// to a cut point satisfies its formula there, and that no run comes to a target.
#[derive(Clone)]
pub struct CutInvariants {
    /// The terms of the automaton, in which the formulas are written.
    pub terms: TermStore,
    /// No location occurs twice; formulas have width 1.
    pub invariants: Vec<(LocationId, Term)>,
}
