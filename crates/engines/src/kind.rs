//! k-induction (Sheeran, Singh, Stålmarck, FMCAD 2000).
//!
//! For growing k, the base case asks for a counterexample of length k, and the step asks whether
//! k good states can be followed by a bad one:
//!
//! ```text
//! base  I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ)
//! step  P(s₀) ∧ T(s₀,s₁) ∧ … ∧ P(sₖ₋₁) ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ)
//! ```
//!
//! When the step is unsatisfiable and the base case was refuted for all smaller lengths, P holds.
//! With `simple_path` the states of the step are required to differ, which makes the method
//! complete; the differences are added only for pairs that a model makes equal.
//!
//! Auxiliary invariants strengthen the step: every state of it is reachable as far as they can
//! tell. They are found by someone else at the same time and picked up between two bounds
//! (Beyer, Dangl, Wendler, CAV 2015).

use crate::auxiliary::Auxiliary;
use crate::bmc::{Ends, exhausted_at};
use crate::contract::{Context, Engine, Outcome, UnknownReason};
use crate::houdini::encode_facts;
use crate::unroll::{Encoder, Path};
use std::sync::Arc;
use std::time::Duration;
use wedge_model::{Circuit, Facts, Predicate};
use wedge_sat::gates::{Frame, define_xor};
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, Session};

#[derive(Clone, Debug, Default)]
pub struct KInduction {
    /// Require the states of an induction step to differ pairwise.
    pub simple_path: bool,
    /// Largest k; none means no limit.
    pub max_bound: Option<usize>,
    /// Where facts about the circuit are found.
    pub auxiliary: Auxiliary,
}

/// The first facts are found soon, and are worth waiting for that long.
const PATIENCE: Duration = Duration::from_millis(300);

impl Engine for KInduction {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        let encoder = Encoder::new(circuit);
        let mut base = Base::new(&encoder, context);
        let mut step = Step::new(&encoder, self.simple_path, context);
        for k in 0.. {
            context.record(|f| f.bound = k);
            // No counterexample shorter than k exists; is there one of length k?
            let is_told = context.bounds().is_told(k);
            match base.extend(is_told) {
                Answer::Sat => return Outcome::Unsafe(base.trace()),
                Answer::Stopped => return Outcome::Unknown(context.stop_reason()),
                Answer::Unsat => {}
            }
            context.bounds().refute(k);
            if !is_told && base.is_exhausted() {
                return exhausted_at(circuit, k);
            }
            if k == 0 {
                self.auxiliary.wait_for(1, PATIENCE);
            }
            if self.max_bound == Some(k) {
                self.auxiliary.wait_for_all(&context.interrupt());
            }
            let news = self.auxiliary.news(step.facts.len());
            news.into_iter().for_each(|facts| step.strengthen(facts));
            let answer = step.extend();
            context.record(|f| {
                f.queries = base.session.queries + step.session.queries;
                f.solver_seconds = base.session.seconds + step.session.seconds;
            });
            match answer {
                Answer::Unsat => {
                    context.record(|f| f.convergence = k);
                    return proved(circuit, k, self.simple_path);
                }
                Answer::Stopped => return Outcome::Unknown(context.stop_reason()),
                Answer::Sat => {}
            }
            if self.max_bound == Some(k) {
                return Outcome::Unknown(UnknownReason::BoundReached(k));
            }
        }
        unreachable!("the loop has no bound")
    }
}

fn assert_facts(facts: &Facts, state: &[i32], session: &mut Session) {
    for fact in encode_facts(facts, state, session) {
        session.add_clause(&[fact]);
    }
}

/// With k = 0 every state that the facts allow is good, which needs no induction.
fn proved(circuit: &Circuit, k: usize, simple_path: bool) -> Outcome {
    match k {
        0 => Outcome::Safe(Predicate::constant(true, circuit.latches.len())),
        _ => Outcome::SafeByInduction { k, simple_path },
    }
}

struct Base<'e> {
    encoder: &'e Encoder<'e>,
    session: Session,
    path: Path,
    frame: Frame,
    length: usize,
    last_bad: i32,
    ends: Ends,
}

impl<'e> Base<'e> {
    fn new(encoder: &'e Encoder, context: &Context) -> Base<'e> {
        let mut session = Session::new(&context.interrupt());
        let frame = encoder.initial_frame(&mut session);
        let (path, ends) = (Path::default(), Ends::default());
        Base { encoder, session, path, frame, length: 0, last_bad: -TRUE, ends }
    }

    /// I(s₀) ∧ T(s₀,s₁) ∧ … ∧ ¬P(sₙ) for the next n, of which it may be told that it has no model.
    fn extend(&mut self, is_told: bool) -> Answer {
        if self.length > 0 {
            let next = self.encoder.next_state(&mut self.frame, &mut self.session);
            self.path.push(self.encoder.circuit, &self.frame);
            self.frame = self.encoder.frame(&next);
        }
        self.encoder.constrain(&mut self.frame, &mut self.session);
        self.last_bad = self.encoder.bad(&mut self.frame, &mut self.session);
        self.length += 1;
        let answer = match is_told {
            true => Answer::Unsat,
            false => self.session.solve(&[self.last_bad]),
        };
        if answer == Answer::Unsat {
            self.session.add_clause(&[-self.last_bad]);
        }
        answer
    }

    /// No path has this length.
    fn is_exhausted(&mut self) -> bool {
        self.ends.look(self.length - 1, &mut self.session)
    }

    fn trace(&mut self) -> wedge_model::Trace {
        self.path.push(self.encoder.circuit, &self.frame);
        self.path.trace(self.length - 1, &mut self.session)
    }
}

struct Step<'e> {
    encoder: &'e Encoder<'e>,
    session: Session,
    frame: Frame,
    states: Vec<Vec<i32>>,
    simple_path: bool,
    /// What is asserted in every state.
    facts: Vec<Arc<Facts>>,
}

impl<'e> Step<'e> {
    fn new(encoder: &'e Encoder, simple_path: bool, context: &Context) -> Step<'e> {
        let mut session = Session::new(&context.interrupt());
        let state = encoder.free_state(&mut session);
        let frame = encoder.frame(&state);
        Step { encoder, session, frame, states: vec![state], simple_path, facts: Vec::new() }
    }

    /// Asserts facts in all states so far and in those to come.
    fn strengthen(&mut self, facts: Arc<Facts>) {
        for state in &self.states {
            assert_facts(&facts, state, &mut self.session);
        }
        self.facts.push(facts);
    }

    /// P(s₀) ∧ T(s₀,s₁) ∧ … ∧ P(sₖ₋₁) ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ), then one state more.
    fn extend(&mut self) -> Answer {
        self.encoder.constrain(&mut self.frame, &mut self.session);
        let bad = self.encoder.bad(&mut self.frame, &mut self.session);
        let mut answer = self.session.solve(&[bad]);
        while self.simple_path && answer == Answer::Sat && self.separate_equal_states() {
            answer = self.session.solve(&[bad]);
        }
        if answer == Answer::Sat {
            self.session.add_clause(&[-bad]);
            let next = self.encoder.next_state(&mut self.frame, &mut self.session);
            self.frame = self.encoder.frame(&next);
            for facts in &self.facts {
                assert_facts(facts, &next, &mut self.session);
            }
            self.states.push(next);
        }
        answer
    }

    /// Adds sᵢ ≠ sⱼ for every pair that the model makes equal; false if there is none.
    fn separate_equal_states(&mut self) -> bool {
        let session = &mut self.session;
        let values: Vec<Vec<bool>> =
            self.states.iter().map(|s| s.iter().map(|&l| session.value(l)).collect()).collect();
        let mut first = rustc_hash::FxHashMap::default();
        let mut pairs = Vec::new();
        for (index, value) in values.iter().enumerate() {
            match first.get(value) {
                Some(&earlier) => pairs.push((earlier, index)),
                None => {
                    first.insert(value, index);
                }
            }
        }
        for &(i, j) in &pairs {
            let differences: Vec<i32> = (0..self.states[i].len())
                .map(|l| define_xor(session, self.states[i][l], self.states[j][l]))
                .collect();
            session.add_clause(&differences);
        }
        !pairs.is_empty()
    }
}
