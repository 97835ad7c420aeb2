//! Values of terms in a satisfying assignment, computed when they are asked for.
//!
//! Only the variables take their values from the solver; everything else is computed from them
//! by the evaluator's rules, so that a value never rests on the blasting of a term.

use rustc_hash::FxHashMap;
use wedge_logic::{Term, TermStore, Value, eval};

/// Values known so far. Variables that are not known are asked for by a function.
#[derive(Clone, Debug, Default)]
pub struct Assignment {
    values: FxHashMap<Term, Value>,
}

impl Assignment {
    /// Gives a term its value.
    pub fn set(&mut self, term: Term, value: Value) {
        self.values.insert(term, value);
    }

    pub fn get(&self, term: Term) -> Option<&Value> {
        self.values.get(&term)
    }

    /// The value of a term; `leaf` gives the values of variables that have none yet.
    pub fn value(
        &mut self,
        store: &TermStore,
        term: Term,
        mut leaf: impl FnMut(Term) -> Value,
    ) -> Value {
        let mut stack = vec![term];
        while let Some(&term) = stack.last() {
            if self.values.contains_key(&term) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let unknown = |arg: &&Term| !self.values.contains_key(arg);
            stack.extend(store.args(term).iter().filter(unknown));
            if stack.len() > before {
                continue;
            }
            let value = match store.is_var(term) {
                true => leaf(term),
                false => eval::compute(store, term, |arg| &self.values[&arg]),
            };
            self.values.insert(term, value);
            stack.pop();
        }
        self.values[&term].clone()
    }
}
