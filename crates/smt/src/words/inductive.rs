//! Which facts stay true from one step to the next, as long as all of them do.
//!
//! Flanagan and Leino's Houdini (FME 2001): facts that may become false although all of them were
//! true are dropped, until none is left that may. Facts that stay true are more likely to be part
//! of an invariant than others.

use super::set::{Effort, Set, View};
use super::vocabulary::{Fact, Vocabulary};
use wedge_sat::session::{Answer, Session};

/// A step from one state to the next.
pub struct Step<'s> {
    pub session: &'s mut Session,
    pub before: &'s mut View,
    pub after: &'s mut View,
    /// What holds in all steps that are looked at.
    pub assumptions: Vec<i32>,
    pub effort: Effort,
    /// Whether what is chosen should be closed under the step, even if that takes more facts.
    pub closes: bool,
}

/// By fact, whether it is among those that together are closed under the step; none if the effort
/// does not suffice.
pub fn inductive(
    step: &mut Step,
    vocabulary: &mut Vocabulary,
    facts: &[Fact],
) -> Option<Vec<bool>> {
    let mut lits = Vec::with_capacity(facts.len());
    for fact in facts {
        let lit = vocabulary.literal(fact);
        let before = step.before.literal(&vocabulary.aig, lit, step.session);
        lits.push((before, step.after.literal(&vocabulary.aig, lit, step.session)));
    }
    let mut is_in = vec![true; facts.len()];
    loop {
        let inside = || lits.iter().zip(&is_in).filter(|(_, is_in)| **is_in).map(|(lit, _)| *lit);
        let some_fails = step.session.new_var();
        let clause: Vec<i32> = inside().map(|(_, after)| -after).chain([-some_fails]).collect();
        step.session.add_clause(&clause);
        let mut assumptions = step.assumptions.clone();
        assumptions.extend(inside().map(|(before, _)| before));
        let effort = step.effort;
        let mut set =
            Set { session: &mut *step.session, view: &mut *step.before, assumptions, effort };
        // a₁(s) ∧ a₂(s) ∧ … ∧ T(s,s') ∧ (¬a₁(s') ∨ ¬a₂(s') ∨ …)
        let answer = set.solve(&[some_fails]);
        if answer == Answer::Sat {
            for (&(_, after), is_in) in lits.iter().zip(&mut is_in) {
                *is_in &= step.session.value(after);
            }
        }
        step.session.add_clause(&[-some_fails]);
        match answer {
            Answer::Sat => {}
            Answer::Unsat => return Some(is_in),
            Answer::Stopped => return None,
        }
    }
}
