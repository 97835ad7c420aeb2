//! The two questions of B-strengthening (paper 5, section 4.2): which states of an approximate
//! interpolant still fail, and which clause excludes them soundly.

use crate::contract::{Context, UnknownReason};
use crate::cut::over_latches;
use crate::interpolants::add_folded;
use crate::unroll::Encoder;
use rustc_hash::FxHashMap;
use wedge_model::simulate::ternary_step;
use wedge_model::{Circuit, Reset};
use wedge_sat::bweak::Clause;
use wedge_sat::{Answer, LightSession, Session, Sink};

/// The resets that still hold after one step, as unit clauses; found by three-valued simulation,
/// since a circuit may have thousands of them.
pub fn pushable_resets(circuit: &Circuit) -> Vec<Clause> {
    let resets: Vec<Option<bool>> = circuit
        .latches
        .iter()
        .map(|latch| match latch.reset {
            Reset::Const(value) => Some(value),
            _ => None,
        })
        .collect();
    let next = ternary_step(circuit, &resets);
    (1..)
        .zip(resets.iter().zip(&next))
        .filter(|(_, (reset, next))| reset.is_some() && reset == next)
        .map(|(latch, (reset, _))| vec![if *reset == Some(true) { latch } else { -latch }])
        .collect()
}

/// B of the cut unrolling: T(s₁,s₂) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ (¬P(s₁) ∨ … ∨ ¬P(sₖ)), over s₁.
pub struct Goal {
    session: Session,
    latches: Vec<i32>,
    /// Switches on the clauses of the current interpolant.
    active: i32,
}

impl Goal {
    pub fn new(encoder: &Encoder, bound: usize, context: &Context) -> Goal {
        let mut session = Session::light(&context.interrupt());
        let latches = encoder.free_state(&mut session);
        let bads = encoder.encode_steps(&latches, bound, &mut session, |_| {});
        add_folded(&mut session, &bads);
        let active = session.new_var();
        Goal { session, latches, active }
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

    /// A state of the interpolant from which a bad one is reached, as a cube over the latches.
    pub fn state_that_fails(&mut self, context: &Context) -> Result<Option<Clause>, UnknownReason> {
        match self.session.solve(&[self.active]) {
            Answer::Unsat => Ok(None),
            Answer::Stopped => Err(context.stop_reason()),
            Answer::Sat => {
                let session = &mut self.session;
                let literal = |(&l, i): (&i32, i32)| if session.value(l) { i } else { -i };
                Ok(Some(self.latches.iter().zip(1..).map(literal).collect()))
            }
        }
    }
}

/// R(s) ∧ T(s,s'), where R is a union of sets in CNF, each behind an activation literal.
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
    /// The literals that imply the violation of a clause at s'.
    violations: FxHashMap<Clause, i32>,
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
        let inside = crate::unroll::encode_predicate(&states, &before, &mut session);
        add_folded(&mut session, &[-first, inside]);

        let mut initial = LightSession::new(&context.interrupt());
        let frame = encoder.initial_frame(&mut initial);
        let initial_latches = encoder.state(&frame);
        let mut induction = RelativeInduction {
            session,
            before,
            after,
            members: vec![first],
            some_member: first,
            initial,
            initial_latches,
            violations: FxHashMap::default(),
        };
        induction.renew();
        induction
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
        let mut open: Vec<(i32, &Clause)> =
            last.iter().map(|clause| (self.violation(clause), clause)).collect();
        while !open.is_empty() {
            // Iₙ₋₁(s) ∧ T(s,s') ∧ (¬c₁(s') ∨ ¬c₂(s') ∨ …)
            let violations: Vec<i32> = open.iter().map(|(violation, _)| *violation).collect();
            match self.session.solve_with(&[member], &violations) {
                Answer::Unsat => break,
                Answer::Sat => {
                    let session = &self.session;
                    let fails = |c: &Clause| {
                        over_latches(c, &self.after).iter().all(|&l| session.value(-l))
                    };
                    open.retain(|(_, clause)| !fails(clause));
                }
                Answer::Stopped => return Err(context.stop_reason()),
            }
        }
        Ok(open.into_iter().map(|(_, clause)| clause.clone()).collect())
    }

    /// A literal that implies ¬c(s').
    fn violation(&mut self, clause: &Clause) -> i32 {
        let after = over_latches(clause, &self.after);
        if let [lit] = after[..] {
            return -lit;
        }
        if let Some(&violation) = self.violations.get(clause) {
            return violation;
        }
        let violation = self.session.new_var();
        for lit in after {
            self.session.add_clause(&[-violation, -lit]);
        }
        self.violations.insert(clause.clone(), violation);
        violation
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
