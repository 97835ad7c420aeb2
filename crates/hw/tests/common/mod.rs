//! Random AIGER models for the tests: a netlist in the file's own terms, which evaluates itself
//! without the reader and prints itself with any numbering and gate order.

#![allow(dead_code)]

use proptest::prelude::*;
use wedge_hw::aiger::{AigerModel, LiteralMap, Property};
use wedge_logic::aig::word;
use wedge_logic::{Aig, Lit};

/// Literals are those of the binary form: variable 0 is the constant, then inputs, latches, gates.
#[derive(Clone, Debug)]
pub struct Netlist {
    pub inputs: u32,
    /// Next and reset.
    pub latches: Vec<(u32, u32)>,
    pub gates: Vec<(u32, u32)>,
    pub outputs: Vec<u32>,
    pub bads: Vec<u32>,
    pub constraints: Vec<u32>,
}

impl Netlist {
    /// Any numbers become a netlist: literals are taken modulo what may stand there. Resets depend
    /// on inputs and earlier latches only, directly or through gates, so that they are acyclic.
    pub fn from_numbers(inputs: u32, latches: u32, numbers: &[Vec<u32>; 5]) -> Netlist {
        let [gates, nexts, outputs, bads, constraints] = numbers;
        let sources = 1 + inputs + latches;
        let gate = |(index, pair): (usize, &[u32])| {
            let bound = 2 * (sources + index as u32);
            (pair[0] % bound, pair[1] % bound)
        };
        let gates: Vec<_> = gates.chunks_exact(2).enumerate().map(gate).collect();
        let bound = 2 * (sources + gates.len() as u32);
        let all = |list: &[u32]| list.iter().map(|n| n % bound).collect::<Vec<_>>();
        let highest = highest_sources(inputs + latches, &gates);
        let latch = |index: u32| {
            let number = |i: u32| nexts.get(i as usize).copied().unwrap_or(i);
            let own = 2 * (1 + inputs + index);
            let reset = match number(2 * index + 1) % 5 {
                0 => 0,
                1 => 1,
                2 => own,
                _ => {
                    let below = (0..bound).filter(|&l| highest[l as usize / 2] < own / 2);
                    let below: Vec<u32> = below.collect();
                    below[number(2 * index + 1) as usize / 5 % below.len()]
                }
            };
            (number(2 * index) % bound, reset)
        };
        Netlist {
            inputs,
            latches: (0..latches).map(latch).collect(),
            gates,
            outputs: all(outputs),
            bads: all(bads),
            constraints: all(constraints),
        }
    }

    pub fn sources(&self) -> u32 {
        self.inputs + self.latches.len() as u32
    }

    /// One word per variable; `sources` holds those of inputs and latches.
    pub fn simulate(&self, sources: &[u64]) -> Vec<u64> {
        let mut words = vec![0u64];
        words.extend_from_slice(sources);
        for &(a, b) in &self.gates {
            words.push(value(&words, a) & value(&words, b));
        }
        words
    }

    /// The words of next, reset (per latch), outputs, bads and constraints, in this order.
    pub fn signature(&self, sources: &[u64]) -> Vec<u64> {
        let words = self.simulate(sources);
        let latches = self.latches.iter().flat_map(|&(next, reset)| [next, reset]);
        let rest = self.outputs.iter().chain(&self.bads).chain(&self.constraints).copied();
        latches.chain(rest).map(|literal| value(&words, literal)).collect()
    }

    /// The ASCII form with variable v renamed to `names[v]` and gates in the order `order`.
    pub fn to_text(&self, names: &[u32], order: &[usize]) -> String {
        let name = |literal: u32| names[literal as usize / 2] * 2 + literal % 2;
        let max = names.iter().max().copied().unwrap_or(0);
        let mut text = format!(
            "aag {max} {} {} {} {} {} {}\n",
            self.inputs,
            self.latches.len(),
            self.outputs.len(),
            self.gates.len(),
            self.bads.len(),
            self.constraints.len()
        );
        for input in 0..self.inputs {
            text += &format!("{}\n", name(2 * (1 + input)));
        }
        for (index, &(next, reset)) in self.latches.iter().enumerate() {
            let state = 2 * (1 + self.inputs + index as u32);
            text += &format!("{} {} {}\n", name(state), name(next), name(reset));
        }
        for &literal in self.outputs.iter().chain(&self.bads).chain(&self.constraints) {
            text += &format!("{}\n", name(literal));
        }
        for &index in order {
            let (a, b) = self.gates[index];
            let lhs = 2 * (1 + self.sources() + index as u32);
            text += &format!("{} {} {}\n", name(lhs), name(a), name(b));
        }
        text
    }

    pub fn plain_text(&self) -> String {
        let names: Vec<u32> = (0..=self.sources() + self.gates.len() as u32).collect();
        self.to_text(&names, &(0..self.gates.len()).collect::<Vec<_>>())
    }
}

/// For every variable, the largest input or latch it depends on.
fn highest_sources(sources: u32, gates: &[(u32, u32)]) -> Vec<u32> {
    let mut highest: Vec<u32> = (0..=sources).collect();
    for &(a, b) in gates {
        highest.push(highest[a as usize / 2].max(highest[b as usize / 2]));
    }
    highest
}

fn value(words: &[u64], literal: u32) -> u64 {
    words[literal as usize / 2] ^ if literal % 2 == 1 { u64::MAX } else { 0 }
}

/// The same words as [`Netlist::signature`], from a model.
pub fn signature(model: &AigerModel, sources: &[u64]) -> Vec<u64> {
    let mut by_node = vec![0; model.aig.len()];
    let states = model.latches.iter().map(|latch| latch.state);
    for (lit, &word) in model.inputs.iter().map(|input| input.lit).chain(states).zip(sources) {
        by_node[lit.node() as usize] = word;
    }
    let ordered: Vec<u64> =
        (0..model.aig.num_inputs()).map(|i| by_node[model.aig.input(i).node() as usize]).collect();
    let words = model.aig.simulate(&ordered);
    let latches = model.latches.iter().flat_map(|latch| [latch.next, latch.reset]);
    let rest = model.outputs.iter().chain(&model.bads).chain(&model.constraints);
    latches.chain(rest.map(|property| property.lit)).map(|lit| word(&words, lit)).collect()
}

/// A model with the constant as its only content; its bad state is unreachable.
pub fn trivial_model() -> AigerModel {
    AigerModel {
        aig: Aig::new(),
        inputs: Vec::new(),
        latches: Vec::new(),
        outputs: Vec::new(),
        bads: vec![Property { lit: Lit::FALSE, name: None }],
        constraints: Vec::new(),
        justice: Vec::new(),
        fairness: Vec::new(),
        comments: Vec::new(),
        literals: LiteralMap::Dense(vec![Lit::FALSE]),
        stated: None,
    }
}

prop_compose! {
    pub fn netlists()(
        inputs in 0u32..5,
        latches in 0u32..6,
        gates in prop::collection::vec(any::<u32>(), 0..60),
        nexts in prop::collection::vec(any::<u32>(), 12),
        outputs in prop::collection::vec(any::<u32>(), 0..3),
        bads in prop::collection::vec(any::<u32>(), 1..3),
        constraints in prop::collection::vec(any::<u32>(), 0..3),
    ) -> Netlist {
        Netlist::from_numbers(inputs, latches, &[gates, nexts, outputs, bads, constraints])
    }
}

/// Words for up to 16 inputs and latches.
pub fn stimuli() -> impl Strategy<Value = Vec<u64>> {
    prop::collection::vec(any::<u64>(), 16)
}
