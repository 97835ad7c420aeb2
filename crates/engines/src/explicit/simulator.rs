//! Simulation of a circuit in many states at once, one bit of a word per state.
//!
//! Only what the steps, the constraints and the bad state read is evaluated. Four words side by side are what
//! the vector units of most processors take in one instruction.

use wedge_logic::Lit;
use wedge_logic::aig::Node;
use wedge_model::Circuit;

/// Words per value.
const WORDS: usize = 4;
/// States per simulation.
pub const LANES: usize = 64 * WORDS;

/// A bit of each of the states.
pub type Lanes = [u64; WORDS];

pub struct Simulator {
    /// Where each latch, and each input, has its value.
    latches: Vec<usize>,
    inputs: Vec<usize>,
    /// Where each gate has its value, and its operands: twice their places, plus one if negated.
    gates: Vec<(u32, [u32; 2])>,
    nexts: Vec<u32>,
    constraints: Vec<u32>,
    bad: u32,
    values: Vec<Lanes>,
}

/// What a letter leads to.
pub struct Steps {
    /// The states in which the constraints hold.
    pub legal: Lanes,
    /// Those of them that are bad.
    pub bad: Lanes,
}

impl Simulator {
    pub fn new(circuit: &Circuit) -> Simulator {
        let mut roots: Vec<Lit> = circuit.latches.iter().map(|latch| latch.next).collect();
        roots.extend(&circuit.constraints);
        roots.push(circuit.bad);
        let cone = circuit.aig.cone(&roots);
        let code = |lit: Lit| lit.node() * 2 + lit.is_negated() as u32;
        let gate = |node: usize| match circuit.aig.node(node as u32) {
            Node::And(a, b) if cone[node] => Some((node as u32, [code(a), code(b)])),
            _ => None,
        };
        Simulator {
            latches: circuit.latches.iter().map(|latch| latch.state.node() as usize).collect(),
            inputs: circuit.inputs.iter().map(|input| input.node() as usize).collect(),
            gates: (0..circuit.aig.len()).filter_map(gate).collect(),
            nexts: circuit.latches.iter().map(|latch| code(latch.next)).collect(),
            constraints: circuit.constraints.iter().map(|&lit| code(lit)).collect(),
            bad: code(circuit.bad),
            values: vec![[0; WORDS]; circuit.aig.len()],
        }
    }

    pub fn num_gates(&self) -> usize {
        self.gates.len()
    }

    /// Takes a step from all states, whose latches `state` gives, with the same inputs.
    pub fn step(&mut self, state: impl Fn(usize) -> Lanes, letter: &[bool]) -> Steps {
        for (latch, &place) in self.latches.iter().enumerate() {
            self.values[place] = state(latch);
        }
        for (&place, &value) in self.inputs.iter().zip(letter) {
            self.values[place] = [if value { u64::MAX } else { 0 }; WORDS];
        }
        for &(place, [a, b]) in &self.gates {
            let (a, b) = (value(&self.values, a), value(&self.values, b));
            self.values[place as usize] = both(a, b);
        }
        let all = [u64::MAX; WORDS];
        let legal = self.constraints.iter().fold(all, |all, &c| both(all, value(&self.values, c)));
        Steps { legal, bad: both(legal, value(&self.values, self.bad)) }
    }

    /// The value of a latch after the last step.
    pub fn next(&self, latch: usize) -> Lanes {
        value(&self.values, self.nexts[latch])
    }
}

#[inline]
fn value(values: &[Lanes], code: u32) -> Lanes {
    let flip = 0u64.wrapping_sub(u64::from(code & 1));
    values[(code >> 1) as usize].map(|word| word ^ flip)
}

#[inline]
fn both(a: Lanes, b: Lanes) -> Lanes {
    std::array::from_fn(|word| a[word] & b[word])
}
