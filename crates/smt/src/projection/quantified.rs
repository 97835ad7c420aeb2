//! A formula that stays quantified, decided by instantiation.

use super::Limits;
use crate::solver::{Answer, Solver, Why};
use crate::triples::{Counterexample, Verdict};
use std::rc::Rc;
use wedge_logic::{Term, TermStore, Value};
use wedge_sat::Interrupt;

/// ∃ variables. body
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Quantified {
    /// Distinct from all variables that are not quantified.
    pub variables: Vec<Term>,
    pub body: Term,
}

impl Quantified {
    /// The formula, if nothing is quantified.
    pub fn plain(&self) -> Option<Term> {
        self.variables.is_empty().then_some(self.body)
    }

    /// φ → ∃ variables. body, by instances of the body: those that models of φ need.
    ///
    /// A counterexample is a state of φ in which no values of the variables satisfy the body.
    pub fn implied_by(
        &self,
        store: &mut TermStore,
        phi: Term,
        limits: &Limits,
        interrupt: &Interrupt,
    ) -> Verdict {
        let mut outside = limited(limits, interrupt);
        let mut inside = limited(limits, interrupt);
        // φ ∧ ¬body[x ↦ t₁] ∧ ¬body[x ↦ t₂] ∧ …
        outside.assert(store, phi);
        // body, at one state after the other
        inside.assert(store, self.body);
        let free: Vec<Term> = store.free_vars(&[phi, self.body]);
        let free: Vec<Term> = free.into_iter().filter(|v| !self.variables.contains(v)).collect();
        for _ in 0..=limits.instances {
            match outside.check(store) {
                Answer::Unsat => return Verdict::Holds,
                Answer::Unknown(why) => return Verdict::Unknown(why),
                Answer::Sat => {}
            }
            let state: Vec<(Term, Value)> =
                free.iter().filter_map(|&v| Some((v, outside.value(store, v)?))).collect();
            let here: Vec<Term> = state.iter().map(|(v, value)| is(store, *v, value)).collect();
            match inside.check_assuming(store, &here) {
                Answer::Unsat => {
                    return Verdict::Fails(Rc::new(Counterexample { values: state }));
                }
                Answer::Unknown(why) => return Verdict::Unknown(why),
                Answer::Sat => {}
            }
            let mut instance = Vec::new();
            for &variable in &self.variables {
                let value = inside.value(store, variable).expect("a model was found");
                instance.push((variable, store.value_term(&value)));
            }
            let instance = store.substitute(self.body, &instance);
            let missed = store.not(instance);
            outside.assert(store, missed);
        }
        Verdict::Unknown(Why::Stopped)
    }
}

fn limited(limits: &Limits, interrupt: &Interrupt) -> Solver {
    let mut solver = Solver::new(interrupt);
    solver.set_conflicts(Some(limits.conflicts));
    solver
}

fn is(store: &mut TermStore, variable: Term, value: &Value) -> Term {
    let value = store.value_term(value);
    store.eq(variable, value)
}
