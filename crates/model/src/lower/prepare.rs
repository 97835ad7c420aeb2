//! What is lowered: the cone of the property, without states that are constants in disguise and
//! without operators on floats.

use crate::system::{State, System};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::float;
use wedge_logic::{Evaluator, Substitution, Term, TermStore, Value};

/// Rounds of replacing constant states, each of which may expose more of them.
const MAX_ROUNDS: usize = 16;

/// A system restricted to what one property needs.
pub(super) struct Prepared {
    /// A copy to build terms in; the variables are those of the original.
    pub system: System,
    /// The inputs in the cone, in their order.
    pub inputs: Vec<Term>,
    /// The positions of the states in the cone, in their order.
    pub state_positions: Vec<usize>,
    pub constraints: Vec<Term>,
    pub bad: Term,
    /// The states that were replaced by their only value.
    pub constants: Vec<(Term, Value)>,
}

impl Prepared {
    /// The states in the cone.
    pub fn states(&self) -> impl Iterator<Item = &State> {
        self.state_positions.iter().map(|&i| &self.system.states[i])
    }

    /// The inputs and states in the cone.
    pub fn variables(&self) -> impl Iterator<Item = Term> {
        self.inputs.iter().copied().chain(self.states().map(|s| s.var))
    }

    /// The terms that are lowered.
    pub fn roots(&self) -> Vec<Term> {
        let states = self.states().flat_map(|s| [s.init, s.next]).flatten();
        states.chain(self.constraints.iter().copied()).chain([self.bad]).collect()
    }

    /// Rewrites every term that is lowered.
    pub fn map(&mut self, mut change: impl FnMut(&mut TermStore, Term) -> Term) {
        let terms = &mut self.system.terms;
        for &position in &self.state_positions {
            let state = &mut self.system.states[position];
            state.init = state.init.map(|t| change(terms, t));
            state.next = state.next.map(|t| change(terms, t));
        }
        for constraint in &mut self.constraints {
            *constraint = change(terms, *constraint);
        }
        self.bad = change(terms, self.bad);
    }
}

/// Requires that the system passes its check and has such a bad.
pub(super) fn prepare(system: &System, bad: usize) -> Prepared {
    let mut prepared = Prepared {
        inputs: Vec::new(),
        state_positions: Vec::new(),
        constraints: system.constraints.clone(),
        bad: system.bads[bad].term,
        constants: Vec::new(),
        system: system.clone(),
    };
    restrict(&mut prepared);
    for _ in 0..MAX_ROUNDS {
        let constants = constant_states(&prepared);
        if constants.is_empty() {
            break;
        }
        replace(&mut prepared, constants);
        restrict(&mut prepared);
    }
    let mut lowering = float::Lowering::new();
    prepared.map(|terms, term| lowering.lower(terms, term));
    restrict(&mut prepared);
    prepared
}

/// Keeps the states and inputs that the bad state and the constraints depend on.
fn restrict(prepared: &mut Prepared) {
    let system = &prepared.system;
    let position: FxHashMap<Term, usize> =
        system.states.iter().enumerate().map(|(i, s)| (s.var, i)).collect();
    let mut seen = FxHashSet::default();
    let mut stack = prepared.constraints.clone();
    stack.push(prepared.bad);
    while let Some(term) = stack.pop() {
        if seen.insert(term) {
            stack.extend_from_slice(system.terms.args(term));
            let state = position.get(&term).map(|&i| &system.states[i]);
            stack.extend(state.into_iter().flat_map(|s| [s.init, s.next]).flatten());
        }
    }
    prepared.inputs = system.inputs.iter().copied().filter(|v| seen.contains(v)).collect();
    prepared.state_positions =
        (0..system.states.len()).filter(|&i| seen.contains(&system.states[i].var)).collect();
}

/// States that start with a constant and keep it.
fn constant_states(prepared: &Prepared) -> Vec<(Term, Value)> {
    let terms = &prepared.system.terms;
    let mut evaluator = Evaluator::new(terms);
    let constant = |state: &State| {
        let (init, next) = (state.init?, state.next?);
        if next != state.var && next != init {
            return None;
        }
        // A term that can be evaluated without any variable is closed.
        Some((state.var, evaluator.eval(init).ok()?.clone()))
    };
    prepared.states().filter_map(constant).collect()
}

fn replace(prepared: &mut Prepared, constants: Vec<(Term, Value)>) {
    let terms = &mut prepared.system.terms;
    let pairs: Vec<(Term, Term)> =
        constants.iter().map(|(var, value)| (*var, terms.value_term(value))).collect();
    let mut substitution = Substitution::new(pairs);
    prepared.map(|terms, term| substitution.apply(terms, term));
    prepared.constants.extend(constants);
}
