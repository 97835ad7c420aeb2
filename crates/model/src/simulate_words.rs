//! Runs and replays word-level traces by the concrete evaluator, independently of any blasting.
//!
//! What is free on a path are its [`Choice`]s: the inputs of every step, the first values of the
//! states without `init`, and all later values of the states without `next`. [`run`] computes
//! the trace that follows from them; [`replay`] accepts exactly the traces that are paths to a
//! bad state.

use crate::system::{System, SystemError};
use std::fmt;
use wedge_logic::{Evaluator, Unassigned, Value};

/// The values of one step, in the order of the system's states and inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordStep {
    pub states: Vec<Value>,
    pub inputs: Vec<Value>,
}

/// A concrete path, one entry per step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordTrace {
    pub steps: Vec<WordStep>,
}

/// What is chosen in one step; a free value that is left open counts as 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub states: Vec<Option<Value>>,
    pub inputs: Vec<Option<Value>>,
}

impl Choice {
    /// Everything open.
    pub fn open(system: &System) -> Choice {
        Choice { states: vec![None; system.states.len()], inputs: vec![None; system.inputs.len()] }
    }
}

/// Why a trace is no counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WordReplayError {
    /// The trace or the system is not well-formed.
    Shape(String),
    /// The first value of a state is not its `init`.
    Init {
        state: String,
    },
    /// The value of a state in this step is not what `next` made of the step before.
    Next {
        step: usize,
        state: String,
    },
    Constraint {
        step: usize,
        constraint: usize,
    },
    NotBad {
        step: usize,
    },
}

impl fmt::Display for WordReplayError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            WordReplayError::Shape(what) => write!(f, "{what}"),
            WordReplayError::Init { state } => {
                write!(f, "state '{state}' does not start with its initial value")
            }
            WordReplayError::Next { step, state } => {
                write!(f, "state '{state}' does not have its next value in step {step}")
            }
            WordReplayError::Constraint { step, constraint } => {
                write!(f, "constraint {constraint} is violated in step {step}")
            }
            WordReplayError::NotBad { step } => write!(f, "the last step {step} is not bad"),
        }
    }
}

impl std::error::Error for WordReplayError {}

impl From<Unassigned> for WordReplayError {
    fn from(error: Unassigned) -> WordReplayError {
        WordReplayError::Shape(error.to_string())
    }
}

impl From<SystemError> for WordReplayError {
    fn from(error: SystemError) -> WordReplayError {
        WordReplayError::Shape(error.to_string())
    }
}

/// The trace that follows from the choices. Fails if a choice contradicts what `init` or `next`
/// determines; constraints and bads are not looked at.
pub fn run(system: &System, choices: &[Choice]) -> Result<WordTrace, WordReplayError> {
    let mut trace = WordTrace::default();
    for (step, choice) in choices.iter().enumerate() {
        check_choice(system, step, choice)?;
        let inputs = filled(system, system.inputs.iter().copied(), &choice.inputs);
        let states = match trace.steps.last() {
            None => first_states(system, choice, &inputs)?,
            Some(last) => next_states(system, step, choice, last)?,
        };
        trace.steps.push(WordStep { states, inputs });
    }
    Ok(trace)
}

fn filled(
    system: &System,
    vars: impl Iterator<Item = wedge_logic::Term>,
    values: &[Option<Value>],
) -> Vec<Value> {
    let zero = |var| Value::zero(system.terms.sort(var));
    vars.zip(values).map(|(var, v)| v.clone().unwrap_or_else(|| zero(var))).collect()
}

fn first_states(
    system: &System,
    choice: &Choice,
    inputs: &[Value],
) -> Result<Vec<Value>, WordReplayError> {
    let mut evaluator = Evaluator::new(&system.terms);
    for (&var, value) in system.inputs.iter().zip(inputs) {
        evaluator.assign(var, value.clone());
    }
    let mut values = filled(system, system.states.iter().map(|s| s.var), &choice.states);
    for index in system.init_order()? {
        let state = &system.states[index];
        if let Some(init) = state.init {
            values[index] = evaluator.eval(init)?.clone();
            if choice.states[index].as_ref().is_some_and(|chosen| *chosen != values[index]) {
                let state = system.name(state.var).to_string();
                return Err(WordReplayError::Init { state });
            }
        }
        evaluator.assign(state.var, values[index].clone());
    }
    Ok(values)
}

fn next_states(
    system: &System,
    step: usize,
    choice: &Choice,
    last: &WordStep,
) -> Result<Vec<Value>, WordReplayError> {
    let mut evaluator = evaluator(system, last);
    let mut values = filled(system, system.states.iter().map(|s| s.var), &choice.states);
    for (index, state) in system.states.iter().enumerate() {
        let Some(next) = state.next else { continue };
        values[index] = evaluator.eval(next)?.clone();
        if choice.states[index].as_ref().is_some_and(|chosen| *chosen != values[index]) {
            let state = system.name(state.var).to_string();
            return Err(WordReplayError::Next { step, state });
        }
    }
    Ok(values)
}

/// An evaluator of the system's terms in one step of a well-formed trace.
pub fn evaluator<'a>(system: &'a System, step: &WordStep) -> Evaluator<'a> {
    let mut evaluator = Evaluator::new(&system.terms);
    let states = system.states.iter().map(|s| s.var).zip(&step.states);
    for (var, value) in states.chain(system.inputs.iter().copied().zip(&step.inputs)) {
        evaluator.assign(var, value.clone());
    }
    evaluator
}

/// Accepts exactly the traces that are paths of `system` to a state of its bad number `bad`.
pub fn replay(system: &System, bad: usize, trace: &WordTrace) -> Result<(), WordReplayError> {
    let property = system.bads.get(bad).ok_or_else(|| shape(format!("there is no bad {bad}")))?;
    word_path(system, trace)?;
    let (step, last) = (trace.steps.len() - 1, trace.steps.last());
    match last.map(|last| evaluator(system, last).holds(property.term)).transpose()? {
        Some(true) => Ok(()),
        _ => Err(WordReplayError::NotBad { step }),
    }
}

/// Accepts exactly the traces that are paths of `system`.
pub fn word_path(system: &System, trace: &WordTrace) -> Result<(), WordReplayError> {
    check_shape(system, trace)?;
    for (step, values) in trace.steps.iter().enumerate() {
        let mut evaluator = evaluator(system, values);
        if step == 0 {
            check_inits(system, &mut evaluator, values)?;
        }
        for (constraint, &term) in system.constraints.iter().enumerate() {
            if !evaluator.holds(term)? {
                return Err(WordReplayError::Constraint { step, constraint });
            }
        }
        if let Some(following) = trace.steps.get(step + 1) {
            check_nexts(system, &mut evaluator, step + 1, following)?;
        }
    }
    Ok(())
}

fn check_inits(
    system: &System,
    evaluator: &mut Evaluator,
    first: &WordStep,
) -> Result<(), WordReplayError> {
    for (state, value) in system.states.iter().zip(&first.states) {
        if let Some(init) = state.init
            && evaluator.eval(init)? != value
        {
            return Err(WordReplayError::Init { state: system.name(state.var).to_string() });
        }
    }
    Ok(())
}

fn check_nexts(
    system: &System,
    evaluator: &mut Evaluator,
    step: usize,
    following: &WordStep,
) -> Result<(), WordReplayError> {
    for (state, value) in system.states.iter().zip(&following.states) {
        if let Some(next) = state.next
            && evaluator.eval(next)? != value
        {
            let state = system.name(state.var).to_string();
            return Err(WordReplayError::Next { step, state });
        }
    }
    Ok(())
}

fn shape(what: String) -> WordReplayError {
    WordReplayError::Shape(what)
}

fn check_shape(system: &System, trace: &WordTrace) -> Result<(), WordReplayError> {
    if trace.steps.is_empty() {
        return Err(shape("the trace has no step".into()));
    }
    for (step, values) in trace.steps.iter().enumerate() {
        let some = |values: &[Value]| values.iter().cloned().map(Some).collect();
        let choice = Choice { states: some(&values.states), inputs: some(&values.inputs) };
        check_choice(system, step, &choice)?;
    }
    Ok(())
}

/// Checks the number and the sorts of the values.
fn check_choice(system: &System, step: usize, choice: &Choice) -> Result<(), WordReplayError> {
    let counts = (choice.states.len(), choice.inputs.len());
    if counts != (system.states.len(), system.inputs.len()) {
        return Err(shape(format!("step {step} has the wrong number of values")));
    }
    let states = system.states.iter().map(|s| s.var).zip(&choice.states);
    for (var, value) in states.chain(system.inputs.iter().copied().zip(&choice.inputs)) {
        if value.as_ref().is_some_and(|v| v.sort() != system.terms.sort(var)) {
            let name = system.name(var);
            return Err(shape(format!("step {step}: the value of '{name}' has the wrong sort")));
        }
    }
    Ok(())
}
