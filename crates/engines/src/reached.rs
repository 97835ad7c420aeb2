//! A growing union of state sets, and the question whether it is closed.
//!
//! Every member of the union is encoded at s and at s'; since the union only grows, "s' is
//! outside" is a set of clauses. They are switched by an activation literal, so that the sessions
//! serve one union after another.

use crate::contract::Context;
use crate::interpolants::add_folded;
use crate::unroll::{Encoder, encode_predicate};
use wedge_logic::{Aig, Lit};
use wedge_model::Predicate;
use wedge_sat::{Answer, Session};

/// Conflicts spent on the question whether the union is inductive: a hint, not a duty.
const INDUCTIVE_CONFLICTS: i32 = 2000;

pub struct Reached {
    session: Session,
    /// The latches of a state without a predecessor.
    plain: Vec<i32>,
    step: Session,
    before: Vec<i32>,
    after: Vec<i32>,
    members: Vec<Predicate>,
    /// The members at s.
    inside: Vec<i32>,
    /// Switch on what is known of the current union, in the two sessions.
    current: i32,
    current_step: i32,
}

impl Reached {
    pub fn new(encoder: &Encoder, context: &Context) -> Reached {
        let mut session = Session::light(&context.interrupt());
        let plain = encoder.free_state(&mut session);
        let mut step = Session::light(&context.interrupt());
        let before = encoder.free_state(&mut step);
        let mut frame = encoder.frame(&before);
        encoder.constrain(&mut frame, &mut step);
        let after = encoder.next_state(&mut frame, &mut step);
        let (current, current_step) = (session.new_var(), step.new_var());
        let (members, inside) = (Vec::new(), Vec::new());
        #[rustfmt::skip]
        let reached = Reached {
            session, plain, step, before, after, members, inside, current, current_step,
        };
        reached
    }

    /// Starts another, empty union.
    pub fn clear(&mut self) {
        self.session.add_clause(&[-self.current]);
        self.step.add_clause(&[-self.current_step]);
        (self.current, self.current_step) = (self.session.new_var(), self.step.new_var());
        self.members.clear();
        self.inside.clear();
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    pub fn add(&mut self, member: &Predicate) {
        let outside = -encode_predicate(member, &self.plain, &mut self.session);
        self.session.add_clause(&[outside, -self.current]);
        let outside = -encode_predicate(member, &self.after, &mut self.step);
        self.step.add_clause(&[outside, -self.current_step]);
        let inside = encode_predicate(member, &self.before, &mut self.step);
        self.inside.push(inside);
        self.members.push(member.clone());
    }

    /// `Unsat` if the union is an invariant: because the image, which covers what the last
    /// member reaches, is contained in it, or (if asked) because it is inductive by itself.
    pub fn closed_by(&mut self, image: &Predicate, inductive_check: bool) -> Answer {
        let image = encode_predicate(image, &self.plain, &mut self.session);
        // image(s) ∧ ¬reached(s)
        match self.session.solve(&[image, self.current]) {
            Answer::Sat if inductive_check => self.is_inductive(),
            answer => answer,
        }
    }

    fn is_inductive(&mut self) -> Answer {
        let active = self.step.new_var();
        let mut clause = self.inside.clone();
        clause.push(-active);
        add_folded(&mut self.step, &clause);
        // reached(s) ∧ T(s,s') ∧ ¬reached(s')
        let answer =
            self.step.solve_limited(&[active, self.current_step], Some(INDUCTIVE_CONFLICTS));
        self.step.add_clause(&[-active]);
        if answer == Answer::Stopped { Answer::Sat } else { answer }
    }

    pub fn union(&self) -> Predicate {
        let latches = self.plain.len();
        let mut aig = Aig::with_inputs(latches);
        let inputs: Vec<Lit> = (0..latches).map(|i| aig.input(i)).collect();
        let roots: Vec<Lit> =
            self.members.iter().map(|m| m.aig.copy_into(&mut aig, &[m.root], &inputs)[0]).collect();
        let root = aig.or_all(&roots);
        Predicate { aig, root }
    }
}
