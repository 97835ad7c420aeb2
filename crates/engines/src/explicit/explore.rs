//! Exploration: every letter in every reached state.

use super::reached::{Reached, row};
use super::simulator::{LANES, Simulator};
use crate::contract::{Context, UnknownReason};
use crate::pdr::extend::Extended;
use wedge_logic::Lit;
use wedge_logic::aig::word;
use wedge_model::Trace;

/// Gates that are simulated, at all lanes together, before the first lemma, and more for each lemma: a second and a
/// hundredth of one, on a slow machine.
const FIRST_WORK: usize = 50_000_000;
const MORE_WORK: usize = 500_000;
/// States in which a valuation of the inputs is tried to see whether it leads anywhere new.
const TRIED: usize = 4 * LANES;

pub struct Exploration<'a> {
    extended: &'a Extended,
    context: &'a Context,
    simulator: Simulator,
    max_states: usize,
    /// No way has more steps.
    max_bound: Option<usize>,
    /// Gates that may still be simulated.
    work: usize,
    pub reached: Reached,
    pub letters: Vec<Vec<bool>>,
    /// By letter: in how many states it was applied.
    applied: Vec<usize>,
}

/// A reached state and a letter with which it is bad.
pub struct Bad {
    pub state: usize,
    pub letter: Vec<bool>,
}

/// A counterexample, if there is one; an error is the reason to give up.
type Step = Result<Option<Bad>, UnknownReason>;

impl<'a> Exploration<'a> {
    pub fn new(
        extended: &'a Extended,
        context: &'a Context,
        (max_states, max_bound): (usize, Option<usize>),
    ) -> Self {
        Exploration {
            extended,
            context,
            simulator: Simulator::new(&extended.circuit),
            max_states,
            max_bound,
            work: FIRST_WORK,
            reached: Reached::new(extended.circuit.latches.len()),
            letters: Vec::new(),
            applied: Vec::new(),
        }
    }

    /// Adds an initial state; of signals, their definitions say the values.
    pub fn add_initial(&mut self, mut state: Vec<bool>) {
        let circuit = &self.extended.circuit;
        let mut inputs = vec![0; circuit.aig.num_inputs()];
        for (latch, &value) in circuit.latches.iter().zip(&state) {
            if let wedge_logic::aig::Node::Input(input) = circuit.aig.node(latch.state.node()) {
                inputs[input as usize] = if value { u64::MAX } else { 0 };
            }
        }
        let values = circuit.aig.simulate(&inputs);
        let holds = |lit: Lit| word(&values, lit) & 1 == 1;
        for (index, &definition) in self.extended.definitions.iter().enumerate() {
            state[self.extended.latches + index] = holds(definition);
        }
        self.reached.add(row(state.into_iter()), None);
    }

    /// Takes inputs as a letter if they lead from the first states to one that is new.
    pub fn try_letter(&mut self, inputs: &[bool]) -> Step {
        if self.letters.iter().any(|letter| letter == inputs) {
            return Ok(None);
        }
        let before = self.reached.len();
        self.letters.push(inputs.to_vec());
        self.applied.push(0);
        while self.reached.len() == before
            && self.applied[self.letters.len() - 1] < before.min(TRIED)
        {
            if let Some(bad) = self.apply(self.letters.len() - 1)? {
                return Ok(Some(bad));
            }
        }
        if self.reached.len() == before {
            self.letters.pop();
            self.applied.pop();
        }
        Ok(None)
    }

    /// Takes these inputs as a letter, and a step with it from this state before all others.
    pub fn add_letter(&mut self, inputs: Vec<bool>, state: usize) -> Step {
        let letter = match self.letters.iter().position(|letter| *letter == inputs) {
            Some(known) => known,
            None => {
                self.letters.push(inputs);
                self.applied.push(0);
                self.letters.len() - 1
            }
        };
        self.batch(letter, state, state + 1)
    }

    /// Applies all letters in all states, until there are too many of them or it takes too long.
    pub fn explore(&mut self) -> Step {
        self.work += MORE_WORK;
        let mut rests = 0;
        let mut letter = 0;
        while rests < self.letters.len()
            && self.reached.len() < self.max_states
            && self.work > self.simulator.num_gates()
        {
            letter = (letter + 1) % self.letters.len();
            match self.applied[letter] < self.reached.len() {
                true => rests = 0,
                false => rests += 1,
            }
            if rests == 0
                && let Some(bad) = self.apply(letter)?
            {
                return Ok(Some(bad));
            }
        }
        Ok(None)
    }

    /// Applies a letter in the next states that it was not applied in.
    fn apply(&mut self, letter: usize) -> Step {
        let from = self.applied[letter];
        let end = (from / 64 * 64 + LANES).min(self.reached.len());
        self.applied[letter] = end;
        self.batch(letter, from, end)
    }

    /// Applies a letter in the states `from..end`, at most [`LANES`] from the word of the first on.
    fn batch(&mut self, letter: usize, from: usize, end: usize) -> Step {
        if let Some(reason) = self.context.interrupted() {
            return Err(reason);
        }
        self.work = self.work.saturating_sub(self.simulator.num_gates());
        let first = from / 64 * 64;
        let asked = self.reached.present(first, from);
        let steps = self.simulator.step(|l| self.reached.lanes(l, first), &self.letters[letter]);
        let nexts: Vec<_> =
            (0..self.extended.circuit.latches.len()).map(|l| self.simulator.next(l)).collect();
        for state in from..end {
            let (place, bit) = ((state - first) / 64, (state - first) % 64);
            let is_in = |lanes: &[u64]| lanes[place] >> bit & 1 == 1;
            if !is_in(&asked) || !is_in(&steps.legal) {
                continue;
            }
            if is_in(&steps.bad) {
                return Ok(Some(Bad { state, letter: self.letters[letter].clone() }));
            }
            let next = row(nexts.iter().map(|lanes| is_in(lanes)));
            if let Some(bound) = self.max_bound
                && self.reached.depth(state) >= bound
                && !self.reached.contains(&next)
            {
                return Err(UnknownReason::BoundReached(bound));
            }
            self.reached.add(next, Some((state as u32, letter as u32)));
        }
        Ok(None)
    }

    /// The way to a bad state.
    pub fn trace(&self, bad: Bad) -> Trace {
        let mut inputs = vec![bad.letter];
        let mut state = bad.state;
        while let Some((before, letter)) = self.reached.origin(state) {
            inputs.push(self.letters[letter].clone());
            state = before;
        }
        inputs.reverse();
        let initial = (0..self.extended.latches).map(|l| self.reached.value(state, l)).collect();
        Trace { initial, inputs }
    }
}
