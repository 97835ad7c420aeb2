//! The solver sessions that lifting asks: one step, a state alone, and paths to bad states.

use crate::contract::Context;
use crate::interpolants::add_folded;
use crate::unroll::{Encoder, Steps};
use wedge_sat::Session;
use wedge_smt::words::{self, View};

/// s and s' with C(s) and T(s,s').
pub(super) struct Step {
    pub session: Session,
    pub before: Vec<i32>,
    pub after: Vec<i32>,
    /// ¬P(s)
    pub bad: i32,
    pub over_before: View,
    pub over_after: View,
}

impl Step {
    pub fn new(encoder: &Encoder, context: &Context) -> Step {
        let mut session = Session::light(&context.interrupt());
        let before = encoder.free_state(&mut session);
        let mut frame = encoder.frame(&before);
        encoder.constrain(&mut frame, &mut session);
        let after = encoder.next_state(&mut frame, &mut session);
        let bad = encoder.bad(&mut frame, &mut session);
        let (over_before, over_after) = (View::new(&before), View::new(&after));
        Step { session, before, after, bad, over_before, over_after }
    }

    /// The step by itself, to be asked about facts.
    pub fn asked(&mut self, closes: bool) -> words::AskedStep<'_> {
        let (before, after) = (&mut self.over_before, &mut self.over_after);
        words::AskedStep { session: &mut self.session, before, after, closes }
    }
}

/// A state without a predecessor or a successor.
pub(super) struct Plain {
    pub session: Session,
    pub state: Vec<i32>,
    pub view: View,
}

impl Plain {
    pub fn new(encoder: &Encoder, context: &Context) -> Plain {
        let mut session = Session::light(&context.interrupt());
        let state = encoder.free_state(&mut session);
        let view = View::new(&state);
        Plain { session, state, view }
    }
}

/// T(s₁,s₂) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ (¬P(s₁) ∨ … ∨ ¬P(sₖ))
pub(super) struct Ahead {
    pub bound: usize,
    pub session: Session,
    /// Of s₁.
    pub view: View,
}

impl Ahead {
    pub fn new(encoder: &Encoder, bound: usize, context: &Context) -> Ahead {
        let mut session = Session::light(&context.interrupt());
        let first = encoder.free_state(&mut session);
        let mut steps = Steps::new(encoder, &first);
        steps.extend(bound, &mut session);
        add_folded(&mut session, &steps.bads);
        Ahead { bound, session, view: View::new(&first) }
    }
}
