//! Infinite paths as finite ones (Biere, Artho, Schuppan: "Liveness Checking as Safety Checking",
//! FMICS 2002).
//!
//! A finite system has a path on which conditions hold infinitely often if and only if it has one that
//! comes back to a state, such that each condition holds somewhere on the loop. So a new input `save`
//! guesses the step in which the loop begins: the state of that step is kept in shadow variables, and a
//! flag per condition says whether it has held since. It is bad if the state is the one that was kept
//! and all flags are set. Every engine for safety decides that, and a counterexample is a lasso: the
//! path up to the step before the bad one, whose last step leads back to the step of `save`.
//!
//! Only the states that the conditions and the constraints depend on are kept and compared. The others
//! follow from them and from inputs, and can do no harm: an infinite path needs them to have some value,
//! not to repeat. A state without `next` need not repeat either, as it may take its value again.

use crate::simulate_words::WordTrace;
use crate::system::{Justice, Named, State, System};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Sort, Term, Value};

/// A justice property as a bad state.
#[derive(Clone)]
pub struct Liveness {
    /// The system with what was added behind its own inputs and states; its only bad is number 0.
    pub system: System,
    /// How many inputs and states the system had.
    inputs: usize,
    states: usize,
}

impl System {
    /// Requires that the justice property is there.
    pub fn liveness(&self, justice: usize) -> Liveness {
        let behind = self.states_behind(&self.justice[justice]);
        let mut system = self.clone();
        let conditions: Vec<Term> =
            self.justice[justice].terms.iter().chain(&self.fairness).copied().collect();
        let save = system.add_input("loop.save", Sort::BOOL);
        let saved = system.flag("loop.saved");
        let in_loop = system.terms.or(saved, save);
        system.set_next(saved, in_loop);
        let is_new = system.terms.not(saved);
        let begins = system.terms.and(save, is_new);

        let mut closed = vec![saved];
        for (position, state) in self.states.iter().enumerate() {
            if !behind[position] || state.next.is_none() {
                continue;
            }
            let sort = system.terms.sort(state.var);
            let name = format!("loop.{}", system.name(state.var));
            let shadow = system.add_state(name, sort);
            let zero = system.terms.value_term(&Value::zero(sort));
            let kept = system.terms.ite(begins, state.var, shadow);
            *system.states.last_mut().expect("just added") =
                State { var: shadow, init: Some(zero), next: Some(kept) };
            closed.push(system.terms.eq(state.var, shadow));
        }
        for (number, &condition) in conditions.iter().enumerate() {
            let seen = system.flag(&format!("loop.seen{number}"));
            let now = system.terms.and(in_loop, condition);
            let next = system.terms.or(seen, now);
            system.set_next(seen, next);
            closed.push(seen);
        }
        let bad = system.terms.and_all(&closed);
        let name = self.justice[justice].name.clone();
        system.bads = vec![Named { name, term: bad }];
        (system.justice, system.fairness) = (Vec::new(), Vec::new());
        system.outputs.clear();
        Liveness { system, inputs: self.inputs.len(), states: self.states.len() }
    }

    /// A state that is false at first.
    fn flag(&mut self, name: &str) -> Term {
        let var = self.add_state(name, Sort::BOOL);
        let init = Some(self.terms.bool(false));
        *self.states.last_mut().expect("just added") = State { var, init, next: None };
        var
    }

    fn set_next(&mut self, var: Term, next: Term) {
        let state = self.states.iter_mut().find(|state| state.var == var);
        state.expect("a state of the system").next = Some(next);
    }

    /// For every state, whether the infinite paths of a justice property depend on it: through its
    /// terms, the fairness constraints or the constraints.
    pub fn states_behind(&self, justice: &Justice) -> Vec<bool> {
        let position: FxHashMap<Term, usize> =
            self.states.iter().enumerate().map(|(index, state)| (state.var, index)).collect();
        let mut behind = vec![false; self.states.len()];
        let mut seen = FxHashSet::default();
        let mut stack: Vec<Term> = justice.terms.clone();
        stack.extend(self.fairness.iter().chain(&self.constraints));
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                stack.extend_from_slice(self.terms.args(term));
                if let Some(&index) = position.get(&term) {
                    behind[index] = true;
                    let state = &self.states[index];
                    stack.extend([state.init, state.next].into_iter().flatten());
                }
            }
        }
        behind
    }
}

impl Liveness {
    /// The path of the system that a path to the bad state stands for: its last step leads back to an
    /// earlier one.
    pub fn lasso(&self, trace: &WordTrace) -> WordTrace {
        let mut lasso = trace.clone();
        lasso.steps.pop();
        for step in &mut lasso.steps {
            step.inputs.truncate(self.inputs);
            step.states.truncate(self.states);
        }
        lasso
    }
}
