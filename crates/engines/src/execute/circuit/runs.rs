//! Many runs of a circuit side by side, on random inputs.
//!
//! Everything follows from where the runs begin and from a number, so nothing is recorded: runs that turn out to matter
//! are made again. Inputs keep for a while how often they are true, or their values, since many circuits are
//! asleep when inputs change all the time: a reset that comes in every other step leaves no processor awake. Inputs
//! that violate a constraint are drawn again a few times; then the run ends.

use super::machine::{Bits, Machine};
use wedge_logic::aig::word as bits;
use wedge_model::first::FirstState;
use wedge_sat::random::Random;

/// Steps for which an input keeps its manner.
const PERIOD: usize = 24;
/// How often inputs are drawn for the runs in which they violate a constraint.
const TRIES: usize = 8;

/// How an input behaves for a while.
#[derive(Clone, Copy, Debug)]
enum Manner {
    /// So many random words are combined, by "or" if that is said, else by "and".
    Drawn { words: u32, is_or: bool },
    /// It keeps the value that it has in each run.
    Held,
}

impl Manner {
    fn choose(random: &mut Random, holds: bool) -> Manner {
        let word = random.word();
        match holds && word >> 30 & 3 == 0 {
            true => Manner::Held,
            false => Manner::Drawn {
                words: [1, 1, 2, 3][(word >> 62) as usize],
                is_or: word >> 40 & 1 == 1,
            },
        }
    }
}

/// Where runs begin.
#[derive(Clone, Copy)]
pub enum Start<'a> {
    /// In first states. What is free is random, or in guided runs 0: two copies of a design begin alike then, and
    /// where they differ later is news.
    First(&'a FirstState),
    /// All in the same state, a bit per latch.
    State(&'a [bool]),
}

/// Runs at some step.
pub struct Runs<'m> {
    machine: &'m Machine,
    random: Random,
    /// Whether inputs may keep their values.
    holds: bool,
    manners: Vec<Manner>,
    pub values: Vec<Bits>,
    /// The runs that have kept all constraints so far.
    pub alive: Bits,
    pub steps: usize,
}

impl<'m> Runs<'m> {
    /// The runs with this number from there.
    pub fn new(machine: &'m Machine, start: Start, holds: bool, number: u64) -> Runs<'m> {
        let mut random = Random((number + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let mut values = machine.values();
        match start {
            Start::First(first) => begin(machine, first, holds, &mut random, &mut values),
            Start::State(state) => {
                for (&place, &bit) in machine.states.iter().zip(state) {
                    values[place] = Bits::all(bit);
                }
            }
        }
        let manners = vec![Manner::Held; machine.inputs.len()];
        Runs { machine, random, holds, manners, values, alive: Bits::ALL, steps: 0 }
    }

    /// Draws inputs for the current states and computes every gate; runs that find none end.
    pub fn draw(&mut self) {
        let first = self.steps.is_multiple_of(PERIOD);
        if first {
            for index in 0..self.manners.len() {
                self.manners[index] = Manner::choose(&mut self.random, self.holds);
            }
        }
        let mut legal = Bits::NONE;
        for round in 0..TRIES {
            self.draw_inputs(legal.not(), first || round > 0);
            self.machine.simulate(&mut self.values);
            legal = self.machine.legal(&self.values);
            if self.alive.and(legal.not()) == Bits::NONE {
                break;
            }
        }
        self.alive = self.alive.and(legal);
    }

    /// Takes the same inputs for all runs and computes every gate; if they violate a constraint, all runs end.
    pub fn read(&mut self, inputs: &[bool]) {
        for (&place, &bit) in self.machine.inputs.iter().zip(inputs) {
            self.values[place] = Bits::all(bit);
        }
        self.machine.simulate(&mut self.values);
        self.alive = self.alive.and(self.machine.legal(&self.values));
    }

    /// For these runs; inputs that keep their values only if `all` are wanted.
    fn draw_inputs(&mut self, runs: Bits, all: bool) {
        for (&place, &manner) in self.machine.inputs.iter().zip(&self.manners) {
            let (words, is_or) = match manner {
                Manner::Held if !all => continue,
                Manner::Held => (1, false),
                Manner::Drawn { words, is_or } => (words, is_or),
            };
            let random = &mut self.random;
            let mut draw = || Bits::made(|| random.word());
            let mut drawn = draw();
            for _ in 1..words {
                drawn = if is_or { drawn.or(draw()) } else { drawn.and(draw()) };
            }
            self.values[place] = self.values[place].and(runs.not()).or(drawn.and(runs));
        }
    }

    /// The runs in a bad state.
    pub fn bad(&self) -> Bits {
        self.machine.bad(&self.values).and(self.alive)
    }

    pub fn advance(&mut self) {
        self.machine.advance(&mut self.values);
        self.steps += 1;
    }

    /// The state of a run.
    pub fn state(&self, lane: usize) -> Vec<bool> {
        self.bits(&self.machine.states, lane)
    }

    pub fn inputs(&self, lane: usize) -> Vec<bool> {
        self.bits(&self.machine.inputs, lane)
    }

    fn bits(&self, places: &[usize], lane: usize) -> Vec<bool> {
        places.iter().map(|&place| self.values[place].get(lane)).collect()
    }
}

/// First states: what is free at random, or 0.
fn begin(
    machine: &Machine,
    first: &FirstState,
    zero: bool,
    random: &mut Random,
    values: &mut [Bits],
) {
    for part in 0..Bits::NONE.0.len() {
        let word = |_| if zero { 0 } else { random.word() };
        let free: Vec<u64> = (0..first.aig.num_inputs()).map(word).collect();
        let words = first.aig.simulate(&free);
        for (&place, &lit) in machine.states.iter().zip(&first.latches) {
            values[place].0[part] = bits(&words, lit);
        }
    }
}
