//! Lassos: paths whose last step leads back to an earlier one, and so stand for infinite paths. One is
//! believed if it replays, if the loop is closed, and if every condition of the justice property and
//! every fairness constraint holds somewhere on the loop.
//!
//! The loop has to be closed for the variables that the property depends on; the others follow the path
//! without a say in it. Readers of witness files look at all of them, so before a lasso is written its
//! loop is repeated until these come back as well, which they do at some time as their number is finite.

use crate::rejection::Rejection;
use wedge_hw::aiger::{AigerModel, Justice};
use wedge_logic::aig::word;
use wedge_logic::{Lit, Value};
use wedge_model::simulate::{evaluate, path, successor};
use wedge_model::simulate_words::{evaluator, word_path};
use wedge_model::{System, Trace, WordReplayError, WordStep, WordTrace};

/// Steps that a lasso may have after its loop was repeated.
const MAX_STEPS: usize = 1 << 16;

fn no_loop() -> Rejection {
    Rejection::Malformed("the last step does not lead back to an earlier state".to_string())
}

fn no_justice(index: usize) -> Rejection {
    Rejection::Malformed(format!("there is no justice property {index}"))
}

/// A value per latch or condition, step by step.
type Rows = Vec<Vec<bool>>;

/// Of the conditions, one that does not hold in the loop.
fn missing(holds: &[Vec<bool>], first: usize) -> Option<usize> {
    let conditions = holds.first().map_or(0, Vec::len);
    (0..conditions).find(|&condition| holds[first..].iter().all(|step| !step[condition]))
}

fn demand_all(holds: &[Vec<bool>], first: usize) -> Result<(), Rejection> {
    match missing(holds, first) {
        None => Ok(()),
        Some(condition) => Err(Rejection::Malformed(format!(
            "condition {condition} of the justice property does not hold in the loop"
        ))),
    }
}

/// Accepts exactly the lassos of an AIGER model that satisfy a justice property; returns the step in
/// which the loop begins.
pub fn check_lasso(model: &AigerModel, justice: usize, trace: &Trace) -> Result<usize, Rejection> {
    let property = model.justice.get(justice).ok_or_else(|| no_justice(justice))?;
    let (states, holds) = conditions(model, property, trace)?;
    let behind = model.latches_behind(property);
    let needed = |state: &Vec<bool>| -> Vec<bool> {
        state.iter().zip(&behind).filter(|(_, behind)| **behind).map(|(value, _)| *value).collect()
    };
    let end = needed(states.last().ok_or_else(no_loop)?);
    // Of several equal states the first one makes the largest loop.
    let first = states[..trace.inputs.len()].iter().position(|state| needed(state) == end);
    let first = first.ok_or_else(no_loop)?;
    demand_all(&holds, first)?;
    Ok(first)
}

/// The states of a path, the one after it included, and which conditions hold in its steps.
fn conditions(
    model: &AigerModel,
    justice: &Justice,
    trace: &Trace,
) -> Result<(Rows, Rows), Rejection> {
    let circuit = model.without_property();
    let states = path(&circuit, &model.circuit_trace(trace))?;
    let lits: Vec<Lit> =
        justice.lits.iter().copied().chain(model.fairness.iter().map(|fair| fair.lit)).collect();
    let holds = states.iter().zip(&trace.inputs).map(|(state, inputs)| {
        let words = evaluate(&circuit, state, inputs);
        lits.iter().map(|&lit| word(&words, lit) & 1 == 1).collect()
    });
    Ok((states.clone(), holds.collect()))
}

/// The lasso with its loop, which begins in this step, repeated until all latches come back, if they do
/// so soon.
pub fn closed_lasso(model: &AigerModel, lasso: &Trace, first: usize) -> Option<Trace> {
    let circuit = model.without_property();
    let latches = |state: &[bool]| state[..model.latches.len()].to_vec();
    let mut states = path(&circuit, &model.circuit_trace(lasso)).ok()?;
    let mut state = states.pop()?;
    let mut beginnings = vec![latches(&states[first])];
    let round = &lasso.inputs[first..];
    let mut closed = lasso.clone();
    while !beginnings.contains(&latches(&state)) {
        if closed.inputs.len() + round.len() > MAX_STEPS {
            return None;
        }
        beginnings.push(latches(&state));
        for inputs in round {
            state = successor(&circuit, &state, inputs);
        }
        closed.inputs.extend_from_slice(round);
    }
    Some(closed)
}

/// Accepts exactly the lassos of a word-level system that satisfy a justice property; returns the step
/// in which the loop begins.
pub fn check_word_lasso(
    system: &System,
    justice: usize,
    trace: &WordTrace,
) -> Result<usize, Rejection> {
    let property = system.justice.get(justice).ok_or_else(|| no_justice(justice))?;
    word_path(system, trace)?;
    let behind = system.states_behind(property);
    let last = trace.steps.last().ok_or_else(no_loop)?;
    let after = following(system, last, last)?;
    let comes_back = |step: &WordStep| {
        let mut pairs = step.states.iter().zip(&after.states).zip(&system.states).zip(&behind);
        pairs.all(|(((a, b), state), &behind)| !behind || state.next.is_none() || a == b)
    };
    let first = trace.steps.iter().position(comes_back).ok_or_else(no_loop)?;
    let mut holds = Vec::new();
    for step in &trace.steps {
        let mut evaluator = evaluator(system, step);
        let mut row = Vec::new();
        for &term in property.terms.iter().chain(&system.fairness) {
            row.push(evaluator.holds(term).map_err(WordReplayError::from)?);
        }
        holds.push(row);
    }
    demand_all(&holds, first)?;
    Ok(first)
}

/// The step after this one, with the inputs of another one, and its values of states without `next`.
fn following(system: &System, step: &WordStep, free: &WordStep) -> Result<WordStep, Rejection> {
    let mut evaluator = evaluator(system, step);
    let mut following = free.clone();
    for (index, state) in system.states.iter().enumerate() {
        if let Some(next) = state.next {
            let value = evaluator.eval(next).map_err(WordReplayError::from)?;
            following.states[index] = value.clone();
        }
    }
    Ok(following)
}

/// The lasso with its loop, which begins in this step, repeated until all states come back, if they do
/// so soon.
pub fn closed_word_lasso(system: &System, lasso: &WordTrace, first: usize) -> Option<WordTrace> {
    let states = |step: &WordStep| -> Vec<Value> {
        let determined = system.states.iter().zip(&step.states).filter(|(s, _)| s.next.is_some());
        determined.map(|(_, value)| value.clone()).collect()
    };
    let round = &lasso.steps[first..];
    let mut beginnings = vec![states(round.first()?)];
    let mut closed = lasso.clone();
    loop {
        let end = following(system, closed.steps.last()?, &round[0]).ok()?;
        if beginnings.contains(&states(&end)) {
            return Some(closed);
        }
        if closed.steps.len() + round.len() > MAX_STEPS {
            return None;
        }
        beginnings.push(states(&end));
        closed.steps.push(end);
        for free in &round[1..] {
            let step = following(system, closed.steps.last()?, free).ok()?;
            closed.steps.push(step);
        }
    }
}
