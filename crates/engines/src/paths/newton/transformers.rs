//! Strongest postconditions and weakest preconditions along a trace (paper 2, sections 3, 4.2, 5).
//!
//! Projection to live variables is done at each position before the next is computed. The result is
//! that of the paper, which projects in the end: a variable that is not live is not read before it
//! is assigned, so that the next assertion is the same whether its value is known or not.

use super::super::blocked::Blocked;
use super::super::source::NoAssertions;
use super::quantifiers::Quantifiers;
use super::trace::{Statements, Trace};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Op, Substitution, Term, TermStore};

/// Variables that stand for others under quantifiers.
#[derive(Default)]
pub struct Bound {
    other: FxHashMap<Term, Term>,
}

impl Bound {
    /// The variable that stands for this one.
    fn of(&mut self, store: &mut TermStore, variable: Term) -> Term {
        *self.other.entry(variable).or_insert_with(|| {
            let name = format!("{}@other", store.name(variable).unwrap_or_default());
            store.var(name, store.sort(variable))
        })
    }
}

/// Definition 3.1 with, if `live`, definition 5.2: φ₀ = true, φᵢ₊₁ = post(φᵢ, stᵢ₊₁).
///
/// Requires: the trace is infeasible.
pub fn posts(
    blocked: &mut Blocked,
    trace: &Trace,
    live: bool,
    bound: &mut Bound,
    quantifiers: &mut Quantifiers,
) -> Result<Vec<Term>, NoAssertions> {
    let future = live.then(|| trace.future_live(&blocked.store));
    let mut sequence = vec![blocked.store.bool(true)];
    for (place, step) in trace.steps.iter().enumerate() {
        if place + 1 == trace.steps.len() {
            // The trace is infeasible.
            sequence.push(blocked.store.bool(false));
            break;
        }
        let live = future.as_ref().map(|future| &future[place + 1]);
        let (body, mut gone) = post(&mut blocked.store, sequence[place], step, live, bound);
        if let Some(live) = live {
            gone.extend(dead(&blocked.store, body, live, &gone));
        }
        let rest = |blocked: &mut Blocked| trace.rest(blocked, place + 1);
        sequence.push(quantifiers.exists(blocked, &gone, body, rest)?);
    }
    Ok(sequence)
}

/// ∃ old, inputs. φ(old) ∧ guard(old) ∧ x = e(old), as body and quantified variables. Variables that
/// are not live afterwards need no equation.
fn post(
    store: &mut TermStore,
    phi: Term,
    step: &Statements,
    live: Option<&FxHashSet<Term>>,
    bound: &mut Bound,
) -> (Term, Vec<Term>) {
    let assigned: FxHashSet<Term> = step.assigned().collect();
    let (known, others) = definitions(store, phi, &assigned);
    let mut gone = step.inputs.clone();
    let mut old = Vec::new();
    for variable in step.assigned() {
        let value = known.get(&variable).copied().unwrap_or_else(|| {
            let other = bound.of(store, variable);
            gone.push(other);
            other
        });
        old.push((variable, value));
    }
    let mut before = Substitution::new(old);
    let mut all = Vec::new();
    for &conjunct in others.iter().chain(&step.guard) {
        all.push(before.apply(store, conjunct));
    }
    for &(variable, value) in &step.updates {
        if let Some(value) = value
            && live.is_none_or(|live| live.contains(&variable))
        {
            let value = before.apply(store, value);
            all.push(store.eq(variable, value));
        }
    }
    (store.and_all(&all), gone)
}

/// Conjuncts x = t for assigned variables x, where t reads none of them, as values; and the other
/// conjuncts. This is destructive equality resolution of all old values at once, which is the usual
/// case and would take long one by one.
fn definitions(
    store: &TermStore,
    phi: Term,
    assigned: &FxHashSet<Term>,
) -> (FxHashMap<Term, Term>, Vec<Term>) {
    let mut known = FxHashMap::default();
    let mut others = Vec::new();
    for conjunct in store.conjuncts(phi) {
        let defined = match (store.op(conjunct), store.args(conjunct)) {
            (Op::Eq, &[a, b]) => [(a, b), (b, a)].into_iter().find(|&(x, value)| {
                let is_free = || !store.free_vars(&[value]).iter().any(|v| assigned.contains(v));
                assigned.contains(&x) && !known.contains_key(&x) && is_free()
            }),
            _ => None,
        };
        match defined {
            Some((variable, value)) => {
                known.insert(variable, value);
            }
            None => others.push(conjunct),
        }
    }
    (known, others)
}

/// Definition 4.6 with, if `live`, definition 5.2: φₙ = false, φᵢ = wp(φᵢ₊₁, stᵢ₊₁).
///
/// Requires: the trace is infeasible.
pub fn pres(
    blocked: &mut Blocked,
    trace: &Trace,
    live: bool,
    bound: &mut Bound,
    quantifiers: &mut Quantifiers,
) -> Result<Vec<Term>, NoAssertions> {
    let past = live.then(|| trace.past_live(&blocked.store));
    let mut backwards = vec![blocked.store.bool(false)];
    for (place, step) in trace.steps.iter().enumerate().rev() {
        if place == 0 {
            // The trace is infeasible.
            backwards.push(blocked.store.bool(true));
            break;
        }
        let phi = backwards[backwards.len() - 1];
        let (body, mut gone) = not_pre(&mut blocked.store, phi, step, bound);
        if let Some(past) = &past {
            gone.extend(dead(&blocked.store, body, &past[place], &gone));
        }
        let before = |blocked: &mut Blocked| reached(blocked, trace, place, bound);
        let negated = quantifiers.exists(blocked, &gone, body, before)?;
        backwards.push(blocked.store.not(negated));
    }
    backwards.reverse();
    Ok(backwards)
}

/// The negation of ∀ inputs, new. guard → φ[x ↦ e, y ↦ new], as body and quantified variables.
fn not_pre(
    store: &mut TermStore,
    phi: Term,
    step: &Statements,
    bound: &mut Bound,
) -> (Term, Vec<Term>) {
    let mut gone = step.inputs.clone();
    let mut pairs = Vec::new();
    for &(variable, value) in &step.updates {
        let value = value.unwrap_or_else(|| {
            let new = bound.of(store, variable);
            gone.push(new);
            new
        });
        pairs.push((variable, value));
    }
    let after = Substitution::new(pairs).apply(store, phi);
    let mut all = step.guard.clone();
    all.push(store.not(after));
    (store.and_all(&all), gone)
}

/// The states after so many steps, over the variables and over copies that stand for earlier values.
fn reached(blocked: &mut Blocked, trace: &Trace, steps: usize, bound: &mut Bound) -> Term {
    let (formula, indexed) = trace.beginning(blocked, steps);
    let mut pairs = Vec::new();
    for (variable, copy) in indexed.newest() {
        // The first value of the variable gets the name that is bound elsewhere only.
        pairs.push((variable, bound.of(&mut blocked.store, copy)));
        pairs.push((copy, variable));
    }
    Substitution::new(pairs).apply(&mut blocked.store, formula)
}

/// The variables of a formula that are not live and not quantified yet.
fn dead(store: &TermStore, body: Term, live: &FxHashSet<Term>, gone: &[Term]) -> Vec<Term> {
    let mut dead = store.free_vars(&[body]);
    dead.retain(|variable| !live.contains(variable) && !gone.contains(variable));
    dead
}
