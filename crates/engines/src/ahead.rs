//! A search for counterexamples beside an engine that looks for a proof.
//!
//! The queries of an interpolating engine are recorded, which leaves out most of what a solver does
//! between its searches, and they ask about all bad states up to a bound at once. Both are there for
//! the interpolant and make counterexamples harder to find. So bounded model checking on an unrolling
//! of its own ([`Demand`]) has a part of the engine's time, in slices, and goes as deep as it gets.

use crate::contract::Context;
use crate::demand::Demand;
use std::time::{Duration, Instant};
use wedge_model::{Circuit, Trace};
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, Session};

/// The part of the time for the search: one in so many seconds. A guess; on the circuits of
/// docs/hardware-engines.md no other number was tried.
const PART: u32 = 4;
/// Conflicts of one query before the engine has its turn again; the query goes on in the next slice.
/// Not tuned.
const CONFLICTS: i32 = 2000;

pub struct Ahead<'c> {
    session: Session,
    path: Demand<'c>,
    /// ¬P of the last step, if it is not refuted yet.
    open: Option<i32>,
    bound: usize,
    start: Instant,
    used: Duration,
}

impl<'c> Ahead<'c> {
    pub fn new(circuit: &'c Circuit, context: &Context) -> Ahead<'c> {
        let (session, path) = (Session::new(&context.interrupt()), Demand::new(circuit));
        Ahead { session, path, open: None, bound: 0, start: Instant::now(), used: Duration::ZERO }
    }

    /// Uses up what is left of its part of the time; a counterexample if one is found. Where another
    /// engine has come as far, as in a portfolio, the search is left to that one.
    pub fn look(&mut self, context: &Context) -> Option<Trace> {
        if context.bounds().is_told(self.bound) {
            return None;
        }
        while self.used < self.start.elapsed() / PART && context.interrupted().is_none() {
            let clock = Instant::now();
            match self.ask() {
                Answer::Sat => return Some(self.path.trace(&mut self.session)),
                Answer::Unsat => self.extend(context),
                Answer::Stopped => {}
            }
            // All of it: where bad states are impossible by the graph alone, only extending takes time.
            self.used += clock.elapsed();
        }
        None
    }

    /// I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ), within some conflicts.
    fn ask(&mut self) -> Answer {
        let bad = match self.open {
            Some(bad) => bad,
            None => {
                self.path.constrain(&mut self.session);
                self.path.bad(&mut self.session)
            }
        };
        self.open = Some(bad);
        match bad == -TRUE {
            true => Answer::Unsat,
            false => self.session.solve_limited(&[bad], Some(CONFLICTS)),
        }
    }

    fn extend(&mut self, context: &Context) {
        let bad = self.open.take().filter(|&bad| bad != -TRUE);
        bad.into_iter().for_each(|bad| self.session.add_clause(&[-bad]));
        context.bounds().refute(self.bound);
        self.bound += 1;
        self.path.extend();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wedge_model::Reset;

    /// A chain of latches through which a first one travels: the last is bad after as many steps.
    fn chain(length: usize) -> Circuit {
        let mut circuit = Circuit::default();
        for index in 0..=length {
            circuit.add_latch(Reset::Const(index == 0));
        }
        for index in 1..=length {
            circuit.latches[index].next = circuit.latches[index - 1].state;
        }
        circuit.bad = circuit.latches[length].state;
        circuit
    }

    #[test]
    fn a_counterexample_is_found_in_slices() {
        let (circuit, context) = (chain(12), Context::new(None));
        let mut ahead = Ahead::new(&circuit, &context);
        let trace = loop {
            if let Some(trace) = ahead.look(&context) {
                break trace;
            }
        };
        assert_eq!(trace.inputs.len(), 13);
        assert_eq!(context.bounds().own(), Some(11));
    }

    #[test]
    fn what_another_engine_searches_is_left_to_it() {
        let (circuit, context) = (chain(12), Context::new(None));
        let mut ahead = Ahead::new(&circuit, &context);
        context.bounds().tell(5);
        assert!((0..1000).all(|_| ahead.look(&context).is_none()));
        assert_eq!(ahead.bound, 0);
    }
}
