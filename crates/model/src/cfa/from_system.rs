//! A transition system as an automaton with one loop, so that path engines run on circuits:
//! entry to head sets initial values, head to head is a step, head to error the bad state.

use super::{Cfa, Edge, EdgeId, Run, Target, TargetKind};
use crate::lower::LowerError;
use crate::simulate_words::{WordStep, WordTrace};
use crate::system::System;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Term, Value};

impl Cfa {
    /// The automaton whose error location is reachable if and only if the bad with this place is.
    /// Its variables begin with those of the states, its inputs are those of the system and more.
    /// The two edges that leave the head read the inputs of the same step.
    pub fn from_system(system: &System, bad: usize) -> Result<Cfa, LowerError> {
        let count = system.bads.len();
        let property = system.bads.get(bad).ok_or(LowerError::NoSuchBad { bad, count })?;
        system.check()?;
        let mut cfa = Cfa::new();
        cfa.terms = system.terms.clone();
        cfa.variables = system.states.iter().map(|s| s.var).collect();
        let (head, error) = (cfa.add_location(None), cfa.add_location(None));
        let held = held_inputs(system);
        cfa.inputs = system.inputs.iter().copied().filter(|i| !held.contains(i)).collect();
        let held: Vec<Term> = system.inputs.iter().copied().filter(|i| held.contains(i)).collect();
        cfa.variables.extend(&held);

        let entry = cfa.entry;
        let guard = cfa.terms.bool(true);
        let updates = first_values(&mut cfa, system)?;
        cfa.add_edge(Edge { from: entry, to: head, guard, updates, origin: None });

        let allowed = cfa.terms.and_all(&system.constraints);
        let good = cfa.terms.not(property.term);
        let guard = cfa.terms.and(allowed, good);
        let updates = next_values(&mut cfa, system, &held);
        cfa.add_edge(Edge { from: head, to: head, guard, updates, origin: None });

        let guard = cfa.terms.and(allowed, property.term);
        cfa.add_edge(Edge { from: head, to: error, guard, updates: Vec::new(), origin: None });
        let name = property.name.clone().unwrap_or_else(|| format!("bad {bad}"));
        cfa.targets.push(Target { location: error, kind: TargetKind::Error, name });
        cfa.audit();
        Ok(cfa)
    }
}

/// The trace of the system that a run of its automaton, from the entry to the error, stands for.
/// Inputs that no edge reads are 0.
pub fn word_trace(system: &System, cfa: &Cfa, run: &Run) -> WordTrace {
    let places: FxHashMap<Term, usize> =
        cfa.variables.iter().enumerate().map(|(place, &term)| (term, place)).collect();
    let input_places: FxHashMap<Term, usize> =
        cfa.inputs.iter().enumerate().map(|(place, &term)| (term, place)).collect();
    let reads = |edge: EdgeId| {
        let roots: Vec<Term> = cfa.edge(edge).roots().collect();
        cfa.terms.free_vars(&roots).iter().filter(|t| input_places.contains_key(t)).count()
    };
    let mut counts: FxHashMap<EdgeId, usize> = FxHashMap::default();
    let mut variables = run.initial.clone();
    let mut choices = run.choices.iter();
    let mut trace = WordTrace::default();
    for (number, (&edge, assigned)) in run.edges.iter().zip(&run.assigned).enumerate() {
        let count = *counts.entry(edge).or_insert_with(|| reads(edge));
        let chosen: FxHashMap<usize, &Value> =
            choices.by_ref().take(count).map(|(place, value)| (*place, value)).collect();
        if number > 0 {
            let input = |&input: &Term| match places.get(&input) {
                Some(&held) => variables[held].clone(),
                None => {
                    let value = chosen.get(&input_places[&input]);
                    value.map_or_else(|| zero(system, input), |value| (*value).clone())
                }
            };
            let states = system.states.iter().map(|state| variables[places[&state.var]].clone());
            trace.steps.push(WordStep {
                states: states.collect(),
                inputs: system.inputs.iter().map(input).collect(),
            });
        }
        for (place, value) in assigned {
            variables[*place] = value.clone();
        }
    }
    trace
}

fn zero(system: &System, input: Term) -> Value {
    Value::zero(system.terms.sort(input))
}

/// The inputs that an initial value reads. They must have the same value in the first step, so
/// that they become variables, assigned one step ahead.
fn held_inputs(system: &System) -> FxHashSet<Term> {
    let inits: Vec<Term> = system.states.iter().filter_map(|s| s.init).collect();
    let read: FxHashSet<Term> = system.terms.free_vars(&inits).into_iter().collect();
    system.inputs.iter().copied().filter(|input| read.contains(input)).collect()
}

fn next_input(cfa: &mut Cfa, variable: Term) -> Term {
    let name = cfa.terms.name(variable).unwrap_or_default().to_string();
    cfa.add_input(format!("{name}'"), cfa.terms.sort(variable))
}

/// Initial values, each in terms of what is arbitrary at the entry.
fn first_values(cfa: &mut Cfa, system: &System) -> Result<Vec<(Term, Term)>, LowerError> {
    // What has no initial value is arbitrary at the entry and keeps its value, as do the variables
    // that hold inputs.
    let mut known: FxHashMap<Term, Term> = FxHashMap::default();
    let mut values: Vec<(Term, Term)> = Vec::new();
    for index in system.init_order()? {
        let state = &system.states[index];
        let Some(init) = state.init else { continue };
        let read = cfa.terms.free_vars(&[init]);
        let pairs: Vec<_> = read.iter().filter_map(|t| Some((*t, *known.get(t)?))).collect();
        let value = cfa.terms.substitute(init, &pairs);
        known.insert(state.var, value);
        values.push((state.var, value));
    }
    Ok(values)
}

fn next_values(cfa: &mut Cfa, system: &System, held: &[Term]) -> Vec<(Term, Term)> {
    let mut updates = Vec::new();
    for state in &system.states {
        let value = match state.next {
            Some(next) => next,
            None => next_input(cfa, state.var),
        };
        updates.push((state.var, value));
    }
    for &input in held {
        updates.push((input, next_input(cfa, input)));
    }
    updates
}
