//! Execution of a circuit on random inputs, 64 runs at a time.
//!
//! It finds errors that many inputs reach, however deep they lie, and proves nothing. A batch of runs is determined by its number, so nothing is recorded: the batch that meets a bad
//! state is run again for its trace. Every other batch is twice as long as the shortest, every
//! fourth four times, and so on. Inputs keep for a while how often they are true, since many
//! circuits are asleep when inputs change all the time. Inputs that violate a constraint are drawn
//! again a few times; then the run ends.

use super::Execute;
use crate::contract::{Context, Engine, Outcome, UnknownReason};
use crate::figures;
use wedge_logic::Lit;
use wedge_logic::aig::{Node, word};
use wedge_model::first::FirstState;
use wedge_model::{Circuit, Trace};
use wedge_sat::random::Random;

/// Steps of the shortest batches.
const SHORTEST: usize = 32;
/// The longest ones are longer by this power of two.
const DOUBLINGS: u32 = 20;
/// Steps for which an input keeps its density.
const PERIOD: usize = 24;
/// How often inputs are drawn for the runs in which they violate a constraint.
const TRIES: usize = 8;
/// Steps between two looks at the clock.
const POLL: usize = 16;
/// Batches when the length of runs is limited, so that there is an end.
const LIMITED_BATCHES: u64 = 500;

impl Engine for Execute {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        let first = FirstState::new(circuit);
        let longest = self.max_bound.map_or(usize::MAX, |bound| bound.saturating_add(1));
        let batches = self.max_bound.map_or(u64::MAX, |_| LIMITED_BATCHES);
        for number in 0..batches {
            let length = SHORTEST << (number + 1).trailing_zeros().min(DOUBLINGS);
            let mut batch = Batch::new(circuit, &first, number);
            let end = batch.run(length.min(longest), context);
            context.record(|figures| {
                figures.bound = figures.bound.max(batch.steps.saturating_sub(1));
                figures.add(figures::EXECUTED_RUNS, 64.0);
                figures.add(figures::EXECUTED_STEPS, 64.0 * batch.steps as f64);
            });
            match end {
                End::Bad(lane) => {
                    return Outcome::Unsafe(retrace(&mut batch, &first, number, lane));
                }
                End::Interrupted(reason) => return Outcome::Unknown(reason),
                End::Nothing => {}
            }
        }
        Outcome::Unknown(UnknownReason::BoundReached(longest - 1))
    }
}

/// How a batch ends.
enum End {
    /// This run is in a bad state.
    Bad(u32),
    Nothing,
    Interrupted(UnknownReason),
}

/// 64 runs, at some step.
struct Batch<'c> {
    circuit: &'c Circuit,
    random: Random,
    /// By input of the circuit: how many random words are combined, and whether by "or".
    densities: Vec<(u32, bool)>,
    /// By input of the graph: the current states and inputs.
    values: Vec<u64>,
    state_places: Vec<usize>,
    input_places: Vec<usize>,
    /// The runs that have kept all constraints so far.
    alive: u64,
    steps: usize,
}

impl<'c> Batch<'c> {
    fn new(circuit: &'c Circuit, first: &FirstState, number: u64) -> Batch<'c> {
        let place = |lit: Lit| match circuit.aig.node(lit.node()) {
            Node::Input(index) => index as usize,
            _ => unreachable!("latches and inputs are inputs of the graph"),
        };
        let mut random = Random((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let free: Vec<u64> = (0..first.aig.num_inputs()).map(|_| random.word()).collect();
        let words = first.aig.simulate(&free);
        let state_places: Vec<usize> = circuit.latches.iter().map(|l| place(l.state)).collect();
        let mut values = vec![0; circuit.aig.num_inputs()];
        for (&place, &lit) in state_places.iter().zip(&first.latches) {
            values[place] = word(&words, lit);
        }
        Batch {
            circuit,
            random,
            densities: vec![(1, false); circuit.inputs.len()],
            values,
            state_places,
            input_places: circuit.inputs.iter().map(|&i| place(i)).collect(),
            alive: u64::MAX,
            steps: 0,
        }
    }

    fn run(&mut self, length: usize, context: &Context) -> End {
        while self.steps < length && self.alive != 0 {
            if self.steps.is_multiple_of(POLL)
                && let Some(reason) = context.interrupted()
            {
                return End::Interrupted(reason);
            }
            let words = self.draw_and_simulate();
            let bad = word(&words, self.circuit.bad) & self.alive;
            if bad != 0 {
                return End::Bad(bad.trailing_zeros());
            }
            self.advance(&words);
        }
        End::Nothing
    }

    /// Inputs for the current states, and every node under them; runs that find none end.
    fn draw_and_simulate(&mut self) -> Vec<u64> {
        if self.steps.is_multiple_of(PERIOD) {
            for density in &mut self.densities {
                let word = self.random.word();
                *density = ([1, 1, 2, 3][(word >> 62) as usize], word >> 40 & 1 == 1);
            }
        }
        let mut legal = 0;
        let mut words = Vec::new();
        for _ in 0..TRIES {
            self.draw_inputs(!legal);
            words = self.circuit.aig.simulate(&self.values);
            let constraints = self.circuit.constraints.iter();
            legal = constraints.fold(u64::MAX, |legal, &c| legal & word(&words, c));
            if legal & self.alive == self.alive {
                break;
            }
        }
        self.alive &= legal;
        words
    }

    fn draw_inputs(&mut self, runs: u64) {
        for (&place, &(count, is_or)) in self.input_places.iter().zip(&self.densities) {
            let mut drawn = self.random.word();
            for _ in 1..count {
                let more = self.random.word();
                drawn = if is_or { drawn | more } else { drawn & more };
            }
            self.values[place] = self.values[place] & !runs | drawn & runs;
        }
    }

    fn advance(&mut self, words: &[u64]) {
        for (latch, &place) in self.circuit.latches.iter().zip(&self.state_places) {
            self.values[place] = word(words, latch.next);
        }
        self.steps += 1;
    }

    fn bits(&self, places: &[usize], lane: u32) -> Vec<bool> {
        places.iter().map(|&place| self.values[place] >> lane & 1 == 1).collect()
    }
}

/// The run of a batch that is in a bad state, from the beginning.
fn retrace(found: &mut Batch, first: &FirstState, number: u64, lane: u32) -> Trace {
    let mut batch = Batch::new(found.circuit, first, number);
    let initial = batch.bits(&batch.state_places, lane);
    let mut inputs = Vec::with_capacity(found.steps + 1);
    loop {
        let words = batch.draw_and_simulate();
        inputs.push(batch.bits(&batch.input_places, lane));
        if batch.steps == found.steps {
            return Trace { initial, inputs };
        }
        batch.advance(&words);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use wedge_evidence::check_trace;
    use wedge_model::Reset;

    /// A counter of so many bits that counts while the input is true; bad when all are true.
    fn counter(bits: usize, reset: Reset) -> Circuit {
        let mut circuit = Circuit::default();
        let enable = circuit.add_input();
        let states: Vec<Lit> = (0..bits).map(|_| circuit.add_latch(reset)).collect();
        let mut carry = enable;
        for (index, &state) in states.iter().enumerate() {
            circuit.latches[index].next = circuit.aig.xor(state, carry);
            carry = circuit.aig.and(state, carry);
        }
        circuit.bad = circuit.aig.and_all(&states);
        circuit
    }

    fn run(circuit: &Circuit) -> Outcome {
        Execute::default().run(circuit, &Context::new(Some(Duration::from_millis(300))))
    }

    #[test]
    fn deep_errors_are_found_and_replayed() {
        for reset in [Reset::Const(false), Reset::Free] {
            let circuit = counter(10, reset);
            let Outcome::Unsafe(trace) = run(&circuit) else { panic!("no counterexample") };
            assert!(check_trace(&circuit, &trace).is_ok());
        }
    }

    #[test]
    fn constraints_hold_in_every_step() {
        let mut circuit = counter(4, Reset::Const(false));
        let (enable, low) = (circuit.inputs[0], circuit.latches[0].state);
        let other = circuit.add_input();
        let agree = circuit.aig.iff(other, low);
        circuit.constraints = vec![agree];
        let Outcome::Unsafe(trace) = run(&circuit) else { panic!("no counterexample") };
        assert!(check_trace(&circuit, &trace).is_ok());
        circuit.constraints.push(!enable);
        assert!(matches!(run(&circuit), Outcome::Unknown(UnknownReason::Timeout)));
    }

    #[test]
    fn a_bound_is_kept() {
        let engine = Execute { max_bound: Some(5) };
        let outcome = engine.run(&counter(4, Reset::Const(false)), &Context::new(None));
        assert!(matches!(outcome, Outcome::Unknown(UnknownReason::BoundReached(5))));
    }
}
