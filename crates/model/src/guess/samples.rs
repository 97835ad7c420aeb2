//! States that random runs of a transition system reach.
//!
//! Inputs are mostly small numbers, which more programs react to than to random bits. What is read
//! before the first loop is often 0, as flags are. A step that violates a constraint is tried again
//! with other inputs some times, then the run ends.

use super::dice::Dice;
use crate::cfa::SingleLoop;
use crate::system::System;
use rustc_hash::FxHashMap;
use wedge_logic::{BitVec, Evaluator, Sort, Term, TermStore, Value};

/// Terms that may be evaluated in all runs.
const WORK: usize = 20_000_000;
const MAX_STEPS: usize = 4_000;
const STEPS_PER_RUN: usize = 60;
const TRIES: usize = 6;
/// Samples that are kept per cut point.
const KEPT: usize = 240;
/// Of a run the first steps are all kept, of the others one in so many.
const FIRST: usize = 8;
const LATER: usize = 4;
/// The style of inputs that may be flags.
const FLAGS: u64 = 5;

pub struct Samples {
    /// By state variable its place.
    places: FxHashMap<Term, usize>,
    /// By cut point the states seen there, each given by the values of all state variables.
    seen: Vec<Vec<Vec<u64>>>,
}

impl Dice {
    /// A number, most often a small one, of a sort without arrays.
    fn value(&mut self, sort: Sort, style: u64) -> Value {
        let Sort::Bv(width) = sort else { return Value::zero(sort) };
        let small = self.roll() % 12;
        let number = match (style, self.roll() % 8) {
            (0, _) | (FLAGS, 0..=3) => 0,
            (1 | FLAGS, _) | (2, 0..=4) => small,
            (2, 5) => small.wrapping_neg(),
            (3, 0..=3) => self.roll() % 300,
            _ => self.roll() ^ self.roll() << 32,
        };
        Value::Bv(BitVec::new(width.min(64), number).zext(width - width.min(64)))
    }
}

impl Samples {
    pub fn draw(single: &SingleLoop, pc: Term, stop: &dyn Fn() -> bool) -> Samples {
        let system = &single.system;
        let places = system.states.iter().enumerate().map(|(i, s)| (s.var, i)).collect();
        let mut samples = Samples { places, seen: vec![Vec::new(); single.cuts.len()] };
        let work = system.terms.cone(&system.roots()).len().max(1);
        let steps = (WORK / work).min(MAX_STEPS);
        let mut runs = Runs {
            system,
            evaluator: Evaluator::new(&system.terms),
            dice: Dice(0x9E37_79B9_7F4A_7C15),
            left: steps,
        };
        let mut number = 0;
        while runs.left > 0 && !stop() {
            let style = number % 5;
            let first = if number % 2 == 1 { FLAGS } else { style };
            runs.run(first, style, |state| samples.note(pc, state));
            number += 1;
        }
        samples
    }

    fn note(&mut self, pc: Term, state: &[Value]) {
        let number = |value: &Value| match value {
            Value::Bv(value) => value.to_u64().unwrap_or(0),
            Value::Array(_) => 0,
        };
        let cut = self.places.get(&pc).map_or(0, |&place| number(&state[place]) as usize);
        let Some(seen) = self.seen.get_mut(cut).filter(|seen| seen.len() < KEPT) else { return };
        let values: Vec<u64> = state.iter().map(number).collect();
        if !seen.contains(&values) {
            seen.push(values);
        }
    }

    /// The values of a variable at a cut point, one per sample; none if there is no sample.
    pub fn values(&self, cut: usize, variable: Term) -> Option<Vec<u64>> {
        let (&place, seen) = (self.places.get(&variable)?, self.seen.get(cut)?);
        (!seen.is_empty()).then(|| seen.iter().map(|values| values[place]).collect())
    }
}

impl Samples {
    /// The values of a term at a cut point, one per sample; none if there is no sample, or if it does not
    /// speak of numbers in states only.
    pub fn evaluate(&self, terms: &TermStore, cut: usize, term: Term) -> Option<Vec<u64>> {
        let seen = self.seen.get(cut).filter(|seen| !seen.is_empty())?;
        let mut places = Vec::new();
        for variable in terms.free_vars(&[term]) {
            let Sort::Bv(width @ 1..=64) = terms.sort(variable) else { return None };
            places.push((variable, width, *self.places.get(&variable)?));
        }
        let mut evaluator = Evaluator::new(terms);
        let mut values = Vec::with_capacity(seen.len());
        for state in seen {
            for &(variable, width, place) in &places {
                evaluator.assign(variable, Value::Bv(BitVec::new(width, state[place])));
            }
            let Value::Bv(value) = evaluator.eval(term).ok()? else { return None };
            values.push(value.to_u64()?);
        }
        Some(values)
    }
}

struct Runs<'a> {
    system: &'a System,
    evaluator: Evaluator<'a>,
    dice: Dice,
    /// Steps that may still be taken.
    left: usize,
}

impl Runs<'_> {
    /// One run from an initial state, with inputs of one style in the first step and of another
    /// afterwards; `note` sees states after it.
    fn run(&mut self, first: u64, style: u64, mut note: impl FnMut(&[Value])) {
        let terms = &self.system.terms;
        let mut state: Vec<Value> = Vec::new();
        for s in &self.system.states {
            // The only initial value there is is the constant of the program counter.
            let init = s.init.and_then(|init| terms.value(init)).cloned().map(Value::Bv);
            state.push(match init {
                Some(value) => value,
                None => self.dice.value(terms.sort(s.var), style),
            });
        }
        for step in 0..STEPS_PER_RUN {
            let Some(next) = self.step(&state, if step == 0 { first } else { style }) else {
                self.left = self.left.saturating_sub(1);
                return;
            };
            state = next;
            if step < FIRST || step.is_multiple_of(LATER) {
                note(&state);
            }
        }
    }

    /// A successor, if one is found.
    fn step(&mut self, state: &[Value], style: u64) -> Option<Vec<Value>> {
        for (s, value) in self.system.states.iter().zip(state) {
            self.evaluator.assign(s.var, value.clone());
        }
        for _ in 0..TRIES {
            self.left = self.left.checked_sub(1)?;
            for &input in &self.system.inputs {
                let value = self.dice.value(self.system.terms.sort(input), style);
                self.evaluator.assign(input, value);
            }
            let mut legal = true;
            for &constraint in &self.system.constraints {
                legal &= self.evaluator.holds(constraint).ok()?;
            }
            if legal {
                return self.successor(style);
            }
            if self.system.inputs.is_empty() {
                break;
            }
        }
        None
    }

    fn successor(&mut self, style: u64) -> Option<Vec<Value>> {
        let mut next = Vec::with_capacity(self.system.states.len());
        for state in &self.system.states {
            next.push(match state.next {
                Some(term) => self.evaluator.eval(term).ok()?.clone(),
                None => self.dice.value(self.system.terms.sort(state.var), style),
            });
        }
        Some(next)
    }
}
