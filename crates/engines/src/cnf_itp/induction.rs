//! One step from what is reached: which clause excludes a state soundly (paper 5, section 4.2),
//! which clauses can be pushed, and whether the union is inductive.

use super::outside::Outside;
use crate::contract::{Context, UnknownReason};
use crate::interpolants::add_folded;
use crate::unroll::{Encoder, encode_predicate, over_latches};
use wedge_model::Reset;
use wedge_sat::bweak::Clause;
use wedge_sat::{Answer, LightSession, Sink};

/// Conflicts spent on the question whether the union is inductive: a hint, not a duty.
const INDUCTIVE_CONFLICTS: u64 = 2000;

/// R(s) ∧ T(s,s'), where R is a union of sets in CNF, each behind an activation literal. One
/// session serves all bounds.
pub struct RelativeInduction {
    session: LightSession,
    before: Vec<i32>,
    after: Vec<i32>,
    /// Activation literals: the initial states, then the interpolants.
    members: Vec<i32>,
    /// Switches on "some member holds".
    some_member: i32,
    /// The initial states alone, to ask whether a clause holds in them.
    initial: LightSession,
    initial_latches: Vec<i32>,
    /// The values of latches that no initial state lacks.
    resets: Vec<Option<bool>>,
    /// ¬R(s').
    outside: Outside,
}

impl RelativeInduction {
    pub fn new(encoder: &Encoder, context: &Context) -> RelativeInduction {
        let mut session = LightSession::new(&context.interrupt());
        let before = encoder.free_state(&mut session);
        let mut frame = encoder.frame(&before);
        encoder.constrain(&mut frame, &mut session);
        let after = encoder.next_state(&mut frame, &mut session);
        let first = session.new_var();
        let states = encoder.circuit.initial_states();
        let inside = encode_predicate(&states, &before, &mut session);
        add_folded(&mut session, &[-first, inside]);
        let outside = Outside::new(encoder, &after, &mut session);

        let mut initial = LightSession::new(&context.interrupt());
        let frame = encoder.initial_frame(&mut initial);
        let initial_latches = encoder.state(&frame);
        let constant = |latch: &wedge_model::Latch| match latch.reset {
            Reset::Const(value) => Some(value),
            _ => None,
        };
        let resets = encoder.circuit.latches.iter().map(constant).collect();
        let mut induction = RelativeInduction {
            session,
            before,
            after,
            members: vec![first],
            some_member: first,
            initial,
            initial_latches,
            resets,
            outside,
        };
        induction.renew();
        induction
    }

    /// R becomes the initial states again.
    pub fn restart(&mut self) {
        for member in self.members.drain(1..) {
            self.session.add_clause(&[-member]);
        }
        self.outside.clear(&mut self.session);
        self.renew();
    }

    /// R grows by a set.
    pub fn add_member(&mut self, clauses: &[Clause]) {
        let member = self.session.new_var();
        for clause in clauses {
            let mut clause = over_latches(clause, &self.before);
            clause.push(-member);
            self.session.add_clause(&clause);
        }
        self.members.push(member);
        self.renew();
    }

    fn renew(&mut self) {
        if self.some_member != self.members[0] {
            self.session.add_clause(&[-self.some_member]);
        }
        self.some_member = self.session.new_var();
        let mut clause = self.members.clone();
        clause.push(-self.some_member);
        self.session.add_clause(&clause);
    }

    /// Conjoins a clause, which holds initially, to every member.
    pub fn strengthen(&mut self, clause: &[i32]) {
        let clause = over_latches(clause, &self.before);
        for &member in &self.members {
            self.session.add_clause(&[&clause[..], &[-member]].concat());
        }
    }

    /// Definition 17: the clauses of the last member that it implies one step later.
    pub fn pushable(
        &mut self,
        last: &[Clause],
        context: &Context,
    ) -> Result<Vec<Clause>, UnknownReason> {
        let member = *self.members.last().expect("the initial states");
        let mut open: Vec<(i32, &Clause)> = Vec::with_capacity(last.len());
        for clause in last {
            open.push((self.outside.violation(clause, &mut self.session), clause));
        }
        while !open.is_empty() {
            // Iₙ₋₁(s) ∧ T(s,s') ∧ (¬c₁(s') ∨ ¬c₂(s') ∨ …)
            let violations: Vec<i32> = open.iter().map(|(violation, _)| *violation).collect();
            match self.session.solve_with(&[member], &violations) {
                Answer::Unsat => break,
                Answer::Sat => {
                    let (outside, session) = (&self.outside, &self.session);
                    open.retain(|(_, clause)| !outside.is_violated(clause, session));
                }
                Answer::Stopped => return Err(context.stop_reason()),
            }
        }
        Ok(open.into_iter().map(|(_, clause)| clause.clone()).collect())
    }

    /// Whether R, the union of the initial states and these sets, is inductive; false also if
    /// that is hard to tell.
    pub fn is_inductive(&mut self, sets: &[Vec<Clause>]) -> bool {
        let mut assumptions = self.outside.assumptions(sets, &mut self.session);
        assumptions.push(self.some_member);
        // R(s) ∧ T(s,s') ∧ ¬R(s')
        self.session.solve_limited(&assumptions, INDUCTIVE_CONFLICTS) == Answer::Unsat
    }

    /// A clause that excludes the state, holds initially and is inductive relative to R; as
    /// short as dropping literals one by one gets it.
    ///
    /// Requires: no member of R reaches the state in one step (lemma 2 of the paper).
    pub fn generalize(
        &mut self,
        state: &[i32],
        drop: bool,
        context: &Context,
    ) -> Result<Clause, UnknownReason> {
        let full: Clause = state.iter().map(|l| -l).collect();
        if !drop {
            return Ok(full);
        }
        let Some(mut clause) = self.shrink(&full, context)? else {
            let cause = "a state that fails has a predecessor in what was reached";
            return Err(UnknownReason::Internal(cause.into()));
        };
        let mut index = 0;
        while index < clause.len() && clause.len() > 1 {
            let mut shorter = clause.clone();
            shorter.remove(index);
            match self.holds_initially(&shorter, context)? {
                true => match self.shrink(&shorter, context)? {
                    Some(shrunk) => {
                        clause = shrunk;
                        index = index.min(clause.len());
                    }
                    None => index += 1,
                },
                false => index += 1,
            }
        }
        Ok(clause)
    }

    /// If R(s) ∧ c(s) ∧ T(s,s') → c(s'), a part of c for which the same query was refuted and
    /// which holds initially.
    fn shrink(
        &mut self,
        clause: &Clause,
        context: &Context,
    ) -> Result<Option<Clause>, UnknownReason> {
        let now = over_latches(clause, &self.before);
        let next: Vec<i32> = over_latches(clause, &self.after).iter().map(|l| -l).collect();
        let assumptions = [&[self.some_member], &next[..]].concat();
        // R(s) ∧ c(s) ∧ T(s,s') ∧ ¬c(s')
        let answer = self.session.solve_with(&assumptions, &now);
        let used: Vec<bool> = match answer {
            Answer::Unsat => next.iter().map(|&l| self.session.failed(l)).collect(),
            _ => Vec::new(),
        };
        match answer {
            Answer::Stopped => return Err(context.stop_reason()),
            Answer::Sat => return Ok(None),
            Answer::Unsat => {}
        }
        let core: Clause =
            clause.iter().zip(&used).filter(|(_, used)| **used).map(|(&l, _)| l).collect();
        if self.holds_initially(&core, context)? {
            return Ok(Some(core));
        }
        self.repair(core, clause, context).map(Some)
    }

    /// Adds literals of `full`, which holds initially, until the core does too.
    fn repair(
        &mut self,
        mut core: Clause,
        full: &Clause,
        context: &Context,
    ) -> Result<Clause, UnknownReason> {
        let agrees = |l: &&i32| self.resets[l.unsigned_abs() as usize - 1] == Some(**l > 0);
        if let Some(&lit) = full.iter().find(agrees) {
            core.push(lit);
            return Ok(core);
        }
        for lit in full {
            if core.contains(lit) {
                continue;
            }
            core.push(*lit);
            if self.holds_initially(&core, context)? {
                return Ok(core);
            }
        }
        Ok(full.clone())
    }

    fn holds_initially(
        &mut self,
        clause: &[i32],
        context: &Context,
    ) -> Result<bool, UnknownReason> {
        let agrees = |l: &i32| self.resets[l.unsigned_abs() as usize - 1] == Some(*l > 0);
        if clause.iter().any(agrees) {
            return Ok(true);
        }
        let negated: Vec<i32> =
            over_latches(clause, &self.initial_latches).iter().map(|l| -l).collect();
        // I(s) ∧ ¬c(s)
        match self.initial.solve(&negated) {
            Answer::Unsat => Ok(true),
            Answer::Sat => Ok(false),
            Answer::Stopped => Err(context.stop_reason()),
        }
    }
}
