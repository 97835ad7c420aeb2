//! A proof on an automaton: a formula for each cut point, or several with quantifiers.

use super::LocationId;
use wedge_logic::folds::Fold;
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

/// The terms that take the place of bound variables in an instance of formulas.
pub type Instance = Vec<(Term, Term)>;

/// Formulas for each cut point, each of which is said to hold for all values of the bound variables.
/// Otherwise the claim is that of [`CutInvariants`].
#[derive(Clone)]
pub struct QuantifiedInvariants {
    /// Extends the terms of the automaton.
    pub terms: TermStore,
    /// No variables of the automaton.
    pub bound: Vec<Term>,
    /// No location occurs twice; formulas have width 1.
    pub invariants: Vec<(LocationId, Vec<Term>)>,
    /// For each cut point instances, over the variables there, that the proof of what comes next needs.
    pub instances: Vec<(LocationId, Vec<Instance>)>,
    /// What words in formulas stand for that are neither variables of the automaton nor bound.
    pub folds: Vec<Fold>,
    /// For each cut point values of the counters of folds, over the variables there, that the same proof needs.
    pub probes: Vec<(LocationId, Vec<Term>)>,
}
