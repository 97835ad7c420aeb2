//! Random runs of a program with small constants, with the contents of its arrays.

use super::super::dice::Dice;
use super::scale::{Scale, roots};
use crate::cfa::{Block, Exit, SingleLoop};
use rustc_hash::FxHashMap;
use wedge_logic::{ArrayValue, BitVec, Evaluator, Sort, Substitution, Term, TermStore, Value};

/// Steps of all runs and of one.
const MAX_STEPS: usize = 15_000;
const STEPS_PER_RUN: usize = 900;
/// Terms that may be evaluated in all runs.
const WORK: usize = 8_000_000;
/// Inputs that are tried for a step.
const TRIES: usize = 8;
/// Samples that are kept per cut point.
const KEPT: usize = 36;
/// Numbers up to here are small.
const SMALL: u64 = 9;

/// The states that runs have come to, by cut point: the values of all variables.
pub struct Samples {
    pub variables: Vec<Term>,
    pub seen: Vec<Vec<Vec<Value>>>,
}

/// The program that runs are made of, and the way to it.
pub struct Small {
    pub substitution: Substitution,
    pub samples: Samples,
}

impl Small {
    pub fn new(
        terms: &mut TermStore,
        single: &SingleLoop,
        scale: &Scale,
        stop: &dyn Fn() -> bool,
    ) -> Small {
        let mut substitution = scale.substitution(terms, &roots(single));
        let mut image = |term: Term| substitution.apply(terms, term);
        let mut blocks = Vec::new();
        for block in &single.blocks {
            let exits = block.exits.iter().map(|exit| Exit {
                to: exit.to,
                condition: image(exit.condition),
                values: exit.values.iter().map(|&(v, value)| (v, image(value))).collect(),
            });
            let exits = exits.collect();
            blocks.push(Block { cut: block.cut, exits, error: block.error, limit: block.limit });
        }
        let states = single.system.states.iter().map(|state| state.var);
        let variables: Vec<Term> = states.filter(|&var| Some(var) != single.pc).collect();
        let places = variables.iter().enumerate().map(|(place, &v)| (v, place)).collect();
        let seen = vec![Vec::new(); blocks.len()];
        let numbers = blocks.iter().enumerate().map(|(number, block)| (block.cut.0, number));
        let work = terms.cone(&roots(single)).len().max(1);
        let mut runs = Runs {
            numbers: numbers.collect(),
            blocks: &blocks,
            inputs: &single.system.inputs,
            places,
            evaluator: Evaluator::new(terms),
            terms,
            dice: Dice(0x9E37_79B9_7F4A_7C15),
            left: (WORK / work).clamp(1_500, MAX_STEPS),
            samples: Samples { variables, seen },
            counts: vec![0; blocks.len()],
        };
        let mut style = 0;
        while runs.left > 0 && !stop() {
            runs.run(style);
            style += 1;
        }
        let samples = runs.samples;
        Small { substitution, samples }
    }
}

impl Dice {
    fn number(&mut self, style: u64) -> u64 {
        match (style, self.roll() % 8) {
            (0, _) | (1, 0..=5) | (2, 0..=3) => self.roll() % SMALL,
            (2, 4..=5) => (self.roll() % SMALL).wrapping_neg(),
            (3, 0..=3) => self.roll() % 50,
            _ => self.roll() ^ self.roll() << 32,
        }
    }

    fn word(&mut self, width: u32, style: u64) -> BitVec {
        let number = self.number(style);
        BitVec::new(width.min(64), number).zext(width - width.min(64))
    }

    /// Arrays have some first elements and a default.
    fn contents(&mut self, sort: Sort, style: u64) -> Value {
        match sort {
            Sort::Bv(width) => Value::Bv(self.word(width, style)),
            Sort::Array { index, element } => {
                let mut array = ArrayValue::constant(index, self.word(element, 4));
                for place in 0..SMALL.min(1 << index.min(8)) {
                    let element = self.word(element, 2);
                    let place = BitVec::new(index.min(64), place).zext(index - index.min(64));
                    array = array.write(&place, &element);
                }
                Value::Array(array)
            }
        }
    }
}

struct Runs<'a> {
    numbers: FxHashMap<u32, usize>,
    blocks: &'a [Block],
    inputs: &'a [Term],
    places: FxHashMap<Term, usize>,
    evaluator: Evaluator<'a>,
    terms: &'a TermStore,
    dice: Dice,
    /// Steps that may still be taken.
    left: usize,
    samples: Samples,
    /// By cut point how many states were seen.
    counts: Vec<usize>,
}

impl Runs<'_> {
    fn run(&mut self, number: u64) {
        let style = number % 4;
        let variables = self.samples.variables.clone();
        let mut state: Vec<Value> =
            variables.iter().map(|&v| self.dice.contents(self.terms.sort(v), style)).collect();
        let mut cut = 0;
        for step in 0..STEPS_PER_RUN {
            // What is read first says how long the run will be.
            let style = if step == 0 { number % 2 } else { style };
            let Some(next) = self.step(cut, &mut state, style) else {
                self.left = self.left.saturating_sub(1);
                return;
            };
            cut = next;
            self.note(cut, &state);
        }
    }

    /// Goes on to the next cut point, if a way is found.
    fn step(&mut self, cut: usize, state: &mut [Value], style: u64) -> Option<usize> {
        for (&variable, value) in self.samples.variables.iter().zip(state.iter()) {
            self.evaluator.assign(variable, value.clone());
        }
        let blocks = self.blocks;
        for _ in 0..TRIES {
            self.left = self.left.checked_sub(1)?;
            for &input in self.inputs {
                self.evaluator.assign(input, self.dice.contents(self.terms.sort(input), style));
            }
            for exit in &blocks[cut].exits {
                if !self.evaluator.holds(exit.condition).ok()? {
                    continue;
                }
                let mut values = Vec::new();
                for &(variable, value) in &exit.values {
                    values.push((variable, self.evaluator.eval(value).ok()?.clone()));
                }
                for (variable, value) in values {
                    if let Some(&place) = self.places.get(&variable) {
                        state[place] = value;
                    }
                }
                return self.numbers.get(&exit.to.0).copied();
            }
        }
        None
    }

    /// Keeps the first states of a cut point, and then some of the others in their place.
    fn note(&mut self, cut: usize, state: &[Value]) {
        self.counts[cut] += 1;
        let seen = &mut self.samples.seen[cut];
        if seen.len() < KEPT {
            seen.push(state.to_vec());
            return;
        }
        let place = self.dice.roll() as usize % self.counts[cut];
        if place < KEPT {
            seen[place] = state.to_vec();
        }
    }
}
