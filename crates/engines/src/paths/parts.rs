//! A path as a sequence of formulas, one per step, over copies of variables.
//!
//! A variable gets a new copy where a step assigns it, so that neighbouring parts share just the
//! copies that are current between them. Going backwards first, assignments that nothing later
//! reads are left out.

use super::blocked::Blocked;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Substitution, Term, TermStore};
use wedge_smt::StepId;

pub struct Parts {
    pub terms: Vec<Term>,
    /// For each cut, before the first part and after each, the variables that have copies.
    current: Vec<FxHashMap<Term, Term>>,
}

impl Parts {
    pub fn cuts(&self) -> usize {
        self.current.len()
    }

    /// A formula over the copies at a cut as one over the variables of the automaton.
    pub fn named(&self, store: &mut TermStore, cut: usize, formula: Term) -> Term {
        let pairs = self.current[cut].iter().map(|(&variable, &copy)| (copy, variable));
        Substitution::new(pairs).apply(store, formula)
    }
}

/// The parts of a path, with these guards of its steps; `before` joins the first part, and `after`,
/// over the variables at the end, is a part more.
pub fn parts(
    blocked: &mut Blocked,
    steps: &[StepId],
    guards: &[Term],
    before: Option<Term>,
    after: Option<Term>,
) -> Parts {
    let assigned = relevant(blocked, steps, guards, after);
    let mut now: FxHashMap<Term, Term> = FxHashMap::default();
    let mut parts = Parts { terms: Vec::new(), current: vec![now.clone()] };
    for (place, (&step, assigned)) in steps.iter().zip(assigned).enumerate() {
        let step = blocked.step(step).clone();
        let copies = step.inputs.iter().map(|&input| (input, blocked.copy(input, place)));
        let copies: Vec<(Term, Term)> = copies.collect();
        let pairs = now.iter().map(|(&variable, &copy)| (variable, copy)).chain(copies);
        let mut substitution = Substitution::new(pairs);
        let mut all = Vec::new();
        all.extend(before.filter(|_| place == 0));
        all.push(substitution.apply(&mut blocked.store, guards[place]));
        for &(variable, value) in &assigned {
            let value = substitution.apply(&mut blocked.store, value);
            let copy = blocked.copy(variable, place);
            now.insert(variable, copy);
            all.push(blocked.store.eq(copy, value));
        }
        parts.terms.push(blocked.store.and_all(&all));
        parts.current.push(now.clone());
    }
    if let Some(after) = after {
        let pairs = now.iter().map(|(&variable, &copy)| (variable, copy));
        let last = Substitution::new(pairs).apply(&mut blocked.store, after);
        parts.terms.push(last);
    }
    parts
}

/// The whole guards of steps.
pub fn guards(blocked: &Blocked, steps: &[StepId]) -> Vec<Term> {
    steps.iter().map(|&step| blocked.step(step).guard).collect()
}

/// For each step the assignments of which something later reads the result.
fn relevant(
    blocked: &Blocked,
    steps: &[StepId],
    guards: &[Term],
    after: Option<Term>,
) -> Vec<Vec<(Term, Term)>> {
    let store = &blocked.store;
    let mut needed: FxHashSet<Term> = store.free_vars(after.as_slice()).into_iter().collect();
    let mut relevant = Vec::new();
    for (&step, &guard) in steps.iter().zip(guards).rev() {
        let step = blocked.step(step);
        let read = step.updates.iter().filter(|(variable, _)| needed.contains(variable));
        let read: Vec<(Term, Term)> = read.copied().collect();
        read.iter().for_each(|(variable, _)| {
            needed.remove(variable);
        });
        let values = read.iter().map(|&(_, value)| value);
        let roots: Vec<Term> = values.chain([guard]).collect();
        needed.extend(store.free_vars(&roots));
        relevant.push(read);
    }
    relevant.reverse();
    relevant
}
