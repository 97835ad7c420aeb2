//! The certificate of an inductive invariant of a word-level model: the model with the stronger
//! property P' = Inv ∧ P, restricted to what this property and the constraints depend on.

use super::check::property_of;
use super::ids::VariableIds;
use crate::rejection::Rejection;
use rustc_hash::FxHashSet;
use wedge_hw::btor2;
use wedge_logic::{BitVec, Evaluator, Op, Sort, Substitution, Term, Value};
use wedge_model::{Named, State, System};

/// Arrays up to this index width are compared element by element.
const MAX_SPELLED_INDEX: u32 = 10;

/// The text of the certificate of one property. `model` is the system as it was read, and
/// `invariant` a term of width 1 over its variables.
pub fn word_certificate(
    model: &System,
    ids: &VariableIds,
    property: usize,
    invariant: Term,
) -> Result<String, Rejection> {
    let mut certificate = model.clone();
    let bad = strengthened(&mut certificate, property, invariant)?;
    finish(certificate, ids.clone(), bad)
}

/// The violation of Inv ∧ P.
pub(super) fn strengthened(
    system: &mut System,
    property: usize,
    invariant: Term,
) -> Result<Term, Rejection> {
    let bad = property_of(system, property)?;
    if system.terms.sort(invariant) != Sort::BOOL {
        return Err(Rejection::Malformed("the invariant is not of width 1".to_string()));
    }
    let invariant = spell_out(system, invariant)?;
    let violated = system.terms.not(invariant);
    Ok(system.terms.or(bad, violated))
}

/// Makes `bad` the property, drops what it does not need, names the variables of the model after
/// their ids and writes the result. Variables beyond those with an id keep their names.
pub(super) fn finish(
    mut certificate: System,
    mut ids: VariableIds,
    bad: Term,
) -> Result<String, Rejection> {
    certificate.bads = vec![Named { name: None, term: bad }];
    certificate.outputs.clear();
    (certificate.justice, certificate.fairness) = (Vec::new(), Vec::new());
    restrict(&mut certificate, &mut ids);
    rename(&mut certificate, &ids);
    match btor2::write(&certificate) {
        Ok(written) => Ok(written.text),
        Err(error) => {
            Err(Rejection::Malformed(format!("the certificate cannot be written: {error}")))
        }
    }
}

/// Keeps the inputs and states that the bads and the constraints depend on.
pub(super) fn restrict(system: &mut System, ids: &mut VariableIds) {
    let mut needed = FxHashSet::default();
    let mut roots: Vec<Term> = system.constraints.clone();
    roots.extend(system.bads.iter().map(|bad| bad.term));
    loop {
        let found = system.terms.free_vars(&roots);
        let new: FxHashSet<Term> = found.into_iter().filter(|&var| needed.insert(var)).collect();
        let states = system.states.iter().filter(|state| new.contains(&state.var));
        roots = states.flat_map(|state| [state.init, state.next]).flatten().collect();
        if roots.is_empty() {
            break;
        }
    }
    keep(&mut ids.inputs, &system.inputs, |var| needed.contains(var));
    keep(&mut ids.states, &system.states, |state| needed.contains(&state.var));
    system.inputs.retain(|var| needed.contains(var));
    system.states.retain(|state| needed.contains(&state.var));
}

/// Drops the ids of what is not wanted.
fn keep<T>(ids: &mut Vec<u64>, items: &[T], wanted: impl Fn(&T) -> bool) {
    let kept = ids.iter().zip(items).filter(|(_, item)| wanted(item)).map(|(&id, _)| id);
    *ids = kept.collect();
}

/// Gives every variable that has an id the name `=<id>`.
fn rename(system: &mut System, ids: &VariableIds) {
    let mut pairs = Vec::new();
    for (var, id) in system.inputs.iter_mut().zip(&ids.inputs) {
        let named = system.terms.var(format!("={id}"), system.terms.sort(*var));
        pairs.push((std::mem::replace(var, named), named));
    }
    for (state, id) in system.states.iter_mut().zip(&ids.states) {
        let named = system.terms.var(format!("={id}"), system.terms.sort(state.var));
        pairs.push((std::mem::replace(&mut state.var, named), named));
    }
    let mut substitution = Substitution::new(pairs);
    let terms = &mut system.terms;
    for State { init, next, .. } in &mut system.states {
        *init = init.map(|term| substitution.apply(terms, term));
        *next = next.map(|term| substitution.apply(terms, term));
    }
    for constraint in &mut system.constraints {
        *constraint = substitution.apply(terms, *constraint);
    }
    for bad in &mut system.bads {
        bad.term = substitution.apply(terms, bad.term);
    }
}

/// Replaces comparisons with constant arrays by comparisons of all elements: BTOR2 has constant
/// arrays only as initial values, about which an inductive step knows nothing.
fn spell_out(system: &mut System, term: Term) -> Result<Term, Rejection> {
    let mut pairs = Vec::new();
    for comparison in system.terms.cone(&[term]) {
        if let Some((array, constant)) = constant_comparison(system, comparison) {
            pairs.push((comparison, compare_elements(system, array, &constant)?));
        }
    }
    Ok(system.terms.substitute(term, &pairs))
}

/// An array term and the value it is compared with.
fn constant_comparison(system: &System, term: Term) -> Option<(Term, Value)> {
    let args = system.terms.args(term);
    if system.terms.op(term) != Op::Eq || !system.terms.sort(args[0]).is_array() {
        return None;
    }
    let constant = |term: Term| Evaluator::new(&system.terms).eval(term).ok().cloned();
    match (constant(args[0]), constant(args[1])) {
        (Some(value), _) => Some((args[1], value)),
        (None, Some(value)) => Some((args[0], value)),
        (None, None) => None,
    }
}

fn compare_elements(system: &mut System, array: Term, value: &Value) -> Result<Term, Rejection> {
    let (Sort::Array { index, .. }, Value::Array(value)) = (system.terms.sort(array), value) else {
        return Err(Rejection::Malformed("an array is compared with a word".to_string()));
    };
    if index > MAX_SPELLED_INDEX {
        let cause = format!("the certificate would list an array with 2^{index} elements");
        return Err(Rejection::Malformed(cause));
    }
    let terms = &mut system.terms;
    let mut facts = Vec::new();
    for at in (0..1u64 << index).map(|at| BitVec::new(index, at)) {
        let element = terms.constant(value.read(&at).clone());
        let at = terms.constant(at);
        let read = terms.read(array, at);
        facts.push(terms.eq(read, element));
    }
    Ok(terms.and_all(&facts))
}
