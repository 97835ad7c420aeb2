//! Which states of an approximate interpolant still reach a bad one (paper 5, section 4.2).

use crate::contract::{Context, UnknownReason};
use crate::unroll::{Encoder, Steps, over_latches};
use wedge_sat::bweak::Clause;
use wedge_sat::{Answer, Session};

/// B of the cut unrolling: T(s₁,s₂) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ (¬P(s₁) ∨ … ∨ ¬P(sₖ)), over s₁. One
/// session serves all bounds.
pub struct Goal<'e> {
    steps: Steps<'e>,
    session: Session,
    latches: Vec<i32>,
    /// The latches on whose value in s₁ the bad states depend, counted from 1.
    relevant: Vec<i32>,
    /// Switches on ¬P(s₁) ∨ … ∨ ¬P(sₖ).
    bad: i32,
    /// Switches on the clauses of the current interpolant.
    active: i32,
}

impl<'e> Goal<'e> {
    pub fn new(encoder: &'e Encoder, context: &Context) -> Goal<'e> {
        let mut session = Session::light(&context.interrupt());
        let latches = encoder.free_state(&mut session);
        let steps = Steps::new(encoder, &latches);
        let (bad, active) = (session.new_var(), session.new_var());
        Goal { steps, session, latches, relevant: Vec::new(), bad, active }
    }

    /// Unrolls to this bound, which is larger than the one before.
    pub fn extend(&mut self, bound: usize) {
        self.steps.extend(bound, &mut self.session);
        let within = self.steps.encoder.latches_within(bound - 1);
        self.relevant = within.map(|latch| latch as i32 + 1).collect();
        self.session.add_clause(&[-self.bad]);
        self.bad = self.session.new_var();
        let mut clause = self.steps.bads.clone();
        clause.push(-self.bad);
        crate::interpolants::add_folded(&mut self.session, &clause);
    }

    /// Starts with another interpolant.
    pub fn begin(&mut self, clauses: &[Clause]) {
        self.session.add_clause(&[-self.active]);
        self.active = self.session.new_var();
        clauses.iter().for_each(|clause| self.exclude(clause));
    }

    pub fn exclude(&mut self, clause: &[i32]) {
        let mut clause = over_latches(clause, &self.latches);
        clause.push(-self.active);
        self.session.add_clause(&clause);
    }

    /// A state of the interpolant from which a bad one is reached, as a cube over those latches
    /// that matter to it: all states of the cube reach a bad one.
    pub fn state_that_fails(&mut self, context: &Context) -> Result<Option<Clause>, UnknownReason> {
        match self.session.solve(&[self.bad, self.active]) {
            Answer::Unsat => Ok(None),
            Answer::Stopped => Err(context.stop_reason()),
            Answer::Sat => {
                let session = &mut self.session;
                let literal = |&i: &i32| {
                    let value = session.value(self.latches[i as usize - 1]);
                    if value { i } else { -i }
                };
                Ok(Some(self.relevant.iter().map(literal).collect()))
            }
        }
    }
}
