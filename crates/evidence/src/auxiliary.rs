//! Checks a proof by k-induction that rests on auxiliary invariants.
//!
//! The facts have to be inductive by themselves, so that they hold in every state on every path.
//! Then the paths of the circuit are those on which they hold in every step, and the property has
//! to be k-inductive on these:
//!
//! ```text
//! initiation    R(s) ∧ C(s,i)                            → F(s)
//! consecution   F(s) ∧ C(s,i) ∧ s' = T(s,i) ∧ C(s',i')   → F(s')
//! base, step    as for the circuit with the constraint C ∧ F
//! ```

use crate::induction::check_induction;
use crate::invariant::check_invariant;
use crate::rejection::Rejection;
use wedge_logic::Lit;
use wedge_model::{Circuit, Predicate};
use wedge_sat::Interrupt;

/// Accepts exactly if the facts are inductive and the property is k-inductive where they hold,
/// `k` ≥ 1.
pub fn check_strengthened_induction(
    circuit: &Circuit,
    facts: &Predicate,
    k: usize,
    simple_path: bool,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    let mut anything_goes = circuit.clone();
    anything_goes.bad = Lit::FALSE;
    check_invariant(&anything_goes, facts, interrupt)?;
    let mut constrained = circuit.clone();
    let states: Vec<Lit> = constrained.latches.iter().map(|latch| latch.state).collect();
    let holds = facts.aig.copy_into(&mut constrained.aig, &[facts.root], &states)[0];
    constrained.constraints.push(holds);
    check_induction(&constrained, k, simple_path, interrupt)
}
