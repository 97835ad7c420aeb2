//! Random runs of a circuit, 64 at a time, which tell what is certainly not equal.
//!
//! A run that violates a constraint ends, and another one starts in its place. All that is
//! observed of a run are its states, the first one included, so every observation is of a state
//! that the inductive argument in [`super::correspond`] has to cover.

use rustc_hash::FxHashSet;
use wedge_logic::Lit;
use wedge_logic::aig::{Node, word};
use wedge_model::Circuit;
use wedge_model::first::FirstState;
use wedge_sat::random::Random;

#[derive(Clone, Copy)]
pub enum Density {
    Few,
    Half,
    Many,
}

impl Density {
    /// A word in which about this share of the bits is true.
    pub fn word(self, random: &mut Random) -> u64 {
        match self {
            Density::Few => random.word() & random.word() & random.word(),
            Density::Half => random.word(),
            Density::Many => random.word() | random.word() | random.word(),
        }
    }
}

/// Steps for which an input keeps its density.
const PERIOD: usize = 32;
/// How often inputs are drawn again for the runs in which they violate a constraint.
const TRIES: usize = 4;
/// Steps before it is asked for the first time whether more of them would tell more.
const MIN_STEPS: usize = 32;

/// 64 runs, at some step.
pub struct Runs<'c> {
    circuit: &'c Circuit,
    first: &'c FirstState,
    random: Random,
    densities: Vec<Density>,
    /// By input of the graph.
    inputs: Vec<u64>,
    state_places: Vec<usize>,
    input_places: Vec<usize>,
    steps: usize,
    /// Simulations of the circuit, at least one per step.
    pub simulations: usize,
}

impl<'c> Runs<'c> {
    pub fn new(circuit: &'c Circuit, first: &'c FirstState) -> Runs<'c> {
        let number = |lit: Lit| match circuit.aig.node(lit.node()) {
            Node::Input(index) => index as usize,
            _ => unreachable!("latches and inputs are inputs of the graph"),
        };
        let mut runs = Runs {
            circuit,
            first,
            random: Random(0x2545_f491_4f6c_dd1d),
            densities: vec![Density::Half; circuit.inputs.len()],
            inputs: vec![0; circuit.aig.num_inputs()],
            state_places: circuit.latches.iter().map(|l| number(l.state)).collect(),
            input_places: circuit.inputs.iter().map(|&i| number(i)).collect(),
            steps: 0,
            simulations: 0,
        };
        let state = runs.initial_state();
        runs.set_state(&state);
        runs
    }

    /// One word per node in the current states, and a step.
    pub fn step(&mut self) -> Vec<u64> {
        if self.steps.is_multiple_of(PERIOD) {
            self.draw_densities();
        }
        self.steps += 1;
        let mut legal = 0;
        let mut words = Vec::new();
        for _ in 0..TRIES {
            self.draw_inputs(!legal);
            self.simulations += 1;
            words = self.circuit.aig.simulate(&self.inputs);
            let constraints = self.circuit.constraints.iter();
            legal = constraints.fold(u64::MAX, |legal, &c| legal & word(&words, c));
            if legal == u64::MAX {
                break;
            }
        }
        self.advance(&words, legal);
        words
    }

    fn draw_densities(&mut self) {
        for density in &mut self.densities {
            *density = match self.random.word() >> 62 {
                0 => Density::Few,
                1 => Density::Many,
                _ => Density::Half,
            };
        }
    }

    /// New inputs in the runs of `mask`.
    fn draw_inputs(&mut self, mask: u64) {
        for (&place, &density) in self.input_places.iter().zip(&self.densities) {
            let word = &mut self.inputs[place];
            *word = *word & !mask | density.word(&mut self.random) & mask;
        }
    }

    fn advance(&mut self, words: &[u64], legal: u64) {
        let next = self.circuit.latches.iter().map(|l| word(words, l.next));
        let mut state: Vec<u64> = next.collect();
        if legal != u64::MAX {
            let initial = self.initial_state();
            for (state, initial) in state.iter_mut().zip(initial) {
                *state = *state & legal | initial & !legal;
            }
        }
        self.set_state(&state);
    }

    fn initial_state(&mut self) -> Vec<u64> {
        let free: Vec<u64> = (0..self.first.aig.num_inputs()).map(|_| self.random.word()).collect();
        let words = self.first.aig.simulate(&free);
        self.first.latches.iter().map(|&lit| word(&words, lit)).collect()
    }

    fn set_state(&mut self, state: &[u64]) {
        for (&place, &word) in self.state_places.iter().zip(state) {
            self.inputs[place] = word;
        }
    }
}

/// What random runs say of each node: a hash of its values up to negation, and its value in the
/// first state of the first run.
pub struct Signatures {
    pub hashes: Vec<u64>,
    pub phases: Vec<bool>,
}

impl Signatures {
    /// Simulates until twice as many steps distinguish no more candidates, or `go_on` ends it.
    pub fn collect(
        runs: &mut Runs,
        candidates: &[u32],
        mut go_on: impl FnMut(&Runs) -> bool,
    ) -> Signatures {
        let words = runs.step();
        let phases: Vec<bool> = words.iter().map(|word| word & 1 == 1).collect();
        let mut signatures = Signatures { hashes: vec![0; words.len()], phases };
        signatures.add(&words);
        let (mut distinct, mut check_at) = (0, MIN_STEPS);
        while go_on(runs) {
            let words = runs.step();
            signatures.add(&words);
            if runs.steps >= check_at {
                let before = std::mem::replace(&mut distinct, signatures.distinct(candidates));
                if before == distinct {
                    break;
                }
                check_at *= 2;
            }
        }
        signatures
    }

    fn distinct(&self, candidates: &[u32]) -> usize {
        let hashes: FxHashSet<u64> =
            candidates.iter().map(|&node| self.hashes[node as usize]).collect();
        hashes.len()
    }

    fn add(&mut self, words: &[u64]) {
        for ((hash, &word), &phase) in self.hashes.iter_mut().zip(words).zip(&self.phases) {
            let word = if phase { !word } else { word };
            *hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }
}
