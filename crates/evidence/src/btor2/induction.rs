//! The certificate of a k-inductive property of a word-level model.
//!
//! As on the bit level, the last k−1 steps are remembered in extra states. The property says that
//! what is remembered is a good path which is complete or began in an initial state; that is
//! inductive in one step. Good are the steps that are not bad and satisfy an auxiliary invariant,
//! for instance that states which the lowering replaced by constants have these values.

use super::certificate::{finish, restrict, strengthened};
use super::ids::VariableIds;
use crate::rejection::Rejection;
use wedge_logic::{Sort, Substitution, Term};
use wedge_model::{Named, System};

/// The text of the certificate, `k` ≥ 1. `model` is the system as it was read, and `invariant` a
/// term of width 1 over its variables; its conjunction with the property is k-inductive.
pub fn word_induction_certificate(
    model: &System,
    ids: &VariableIds,
    property: usize,
    k: usize,
    invariant: Term,
) -> Result<String, Rejection> {
    let (mut model, mut ids) = (model.clone(), ids.clone());
    let bad = strengthened(&mut model, property, invariant)?;
    model.bads = vec![Named { name: None, term: bad }];
    restrict(&mut model, &mut ids);
    // Without variables every step is the same, and without a shared one there is no mapping.
    let k = if model.inputs.is_empty() && model.states.is_empty() { 1 } else { k };
    let mut certificate = model.clone();
    let mut later = Moment::now(&model, &mut certificate);
    let mut facts = vec![certificate.terms.not(bad)];
    for age in 1..k {
        let earlier = remember(&model, &mut certificate, &later, age);
        facts.push(consistent(&model, &mut certificate, &later, &earlier));
        later = earlier;
    }
    let holds = certificate.terms.and_all(&facts);
    let bad = certificate.terms.not(holds);
    finish(certificate, ids, bad)
}

/// A step that the certificate knows: now, or remembered.
struct Moment {
    /// The values of the model's inputs and states.
    inputs: Vec<Term>,
    states: Vec<Term>,
    /// Whether there was such a step already.
    valid: Term,
}

impl Moment {
    fn now(model: &System, certificate: &mut System) -> Moment {
        Moment {
            inputs: model.inputs.clone(),
            states: model.states.iter().map(|state| state.var).collect(),
            valid: certificate.terms.bool(true),
        }
    }

    /// From the model's terms to their values at this moment.
    fn substitution(&self, model: &System) -> Substitution {
        let states = model.states.iter().map(|state| state.var).zip(self.states.iter().copied());
        Substitution::new(
            model.inputs.iter().copied().zip(self.inputs.iter().copied()).chain(states),
        )
    }
}

/// States that hold in each step what `later` was one step before.
fn remember(model: &System, certificate: &mut System, later: &Moment, age: usize) -> Moment {
    let mut state = |name: String, sort: Sort, next: Term| {
        let var = certificate.add_state(name, sort);
        certificate.states.last_mut().expect("just added").next = Some(next);
        var
    };
    let mut inputs = Vec::new();
    for (&var, &next) in model.inputs.iter().zip(&later.inputs) {
        inputs.push(state(format!("past{age}_{}", model.name(var)), model.terms.sort(var), next));
    }
    let mut states = Vec::new();
    for (original, &next) in model.states.iter().zip(&later.states) {
        let (name, sort) = (model.name(original.var), model.terms.sort(original.var));
        states.push(state(format!("past{age}_{name}"), sort, next));
    }
    let valid = state(format!("past{age}_valid"), Sort::BOOL, later.valid);
    let never = certificate.terms.bool(false);
    certificate.states.last_mut().expect("just added").init = Some(never);
    Moment { inputs, states, valid }
}

/// A valid earlier step is good and leads to the later one; the first valid step is initial.
fn consistent(model: &System, certificate: &mut System, later: &Moment, earlier: &Moment) -> Term {
    let terms = &mut certificate.terms;
    let mut before = earlier.substitution(model);
    let mut after = later.substitution(model);
    let mut good = vec![later.valid];
    for &constraint in &model.constraints {
        good.push(before.apply(terms, constraint));
    }
    for bad in &model.bads {
        let bad = before.apply(terms, bad.term);
        good.push(terms.not(bad));
    }
    let mut initial = Vec::new();
    for (state, &value) in model.states.iter().zip(&later.states) {
        if let Some(next) = state.next {
            let next = before.apply(terms, next);
            good.push(terms.eq(next, value));
        }
        if let Some(init) = state.init {
            let init = after.apply(terms, init);
            initial.push(terms.eq(init, value));
        }
    }
    let (good, initial) = (terms.and_all(&good), terms.and_all(&initial));
    let begins = terms.implies(later.valid, initial);
    terms.ite(earlier.valid, good, begins)
}
