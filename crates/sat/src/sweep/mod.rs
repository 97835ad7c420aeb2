//! SAT sweeping: merges nodes of a graph that have the same function (Kuehlmann, Krohm, 1997;
//! Mishchenko et al., "FRAIGs", 2005).
//!
//! Random simulation proposes pairs, a solver confirms or refutes them within a budget, and every
//! refutation becomes a new simulation pattern. Interpolants read off a proof are very
//! redundant, so this shrinks them by large factors; on a well-made circuit it does little.

mod prover;

use crate::random::Random;
use crate::session::{Answer, Interrupt};
pub use prover::Prover;
use rustc_hash::FxHashMap;
use std::time::{Duration, Instant};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// How much work a sweep may do; it returns what it has when the budget is spent.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    pub conflicts_per_query: i32,
    pub time: Duration,
}

/// Words of 64 random patterns to start with.
const WORDS: usize = 8;
/// Nodes of the same signature that a node is compared with.
const ATTEMPTS: usize = 6;
const NONE: u32 = u32::MAX;

/// The roots' cones with equivalent nodes merged. Ensures: the same functions, and no more
/// conjunctions than before.
pub fn sweep(aig: &Aig, roots: &[Lit], budget: Budget, interrupt: &Interrupt) -> (Aig, Vec<Lit>) {
    let deadline = Instant::now() + budget.time;
    let mut interrupt = interrupt.clone();
    interrupt.deadline = Some(interrupt.deadline.map_or(deadline, |d| d.min(deadline)));
    let mut sweeper = Sweeper::new(aig, roots, budget.conflicts_per_query, interrupt);
    for node in 1..aig.len() as u32 {
        if sweeper.cone[node as usize] {
            sweeper.visit(node);
        }
    }
    let merged: Vec<Lit> = roots.iter().map(|&r| sweeper.image(r)).collect();
    let mut result = Aig::with_inputs(aig.num_inputs());
    let inputs: Vec<Lit> = (0..aig.num_inputs()).map(|i| result.input(i)).collect();
    let roots = sweeper.target.copy_into(&mut result, &merged, &inputs);
    (result, roots)
}

struct Sweeper<'a> {
    source: &'a Aig,
    cone: Vec<bool>,
    target: Aig,
    images: Vec<Lit>,
    /// By node: a hash of its values in all patterns, and its value in the first one; values
    /// are compared up to negation.
    signatures: Vec<u64>,
    phases: Vec<bool>,
    fresh: Fresh,
    /// The first and the last node of each class of equal signatures (up to negation).
    classes: FxHashMap<u64, (u32, u32)>,
    /// By node: the next one in its class.
    following: Vec<u32>,
    prover: Prover,
    interrupt: Interrupt,
    random: Random,
    done: bool,
}

/// Patterns from refuted pairs, not yet part of the classes.
struct Fresh {
    inputs: Vec<u64>,
    count: u32,
    /// Values by node; the bits in `simulated` are up to date.
    words: Vec<u64>,
    simulated: u64,
}

impl<'a> Sweeper<'a> {
    fn new(source: &'a Aig, roots: &[Lit], conflicts: i32, interrupt: Interrupt) -> Sweeper<'a> {
        let mut random = Random(0x9e37_79b9_7f4a_7c15);
        let phases = vec![false; source.len()];
        let mut sweeper = Sweeper {
            source,
            cone: source.cone(roots),
            images: vec![Lit::FALSE; source.len()],
            fresh: Fresh::new(source, &mut random),
            classes: FxHashMap::default(),
            following: vec![NONE; source.len()],
            prover: Prover::new(conflicts.max(1) as u64, &interrupt),
            target: Aig::with_inputs(source.num_inputs()),
            signatures: vec![0; source.len()],
            done: false,
            phases,
            interrupt,
            random,
        };
        for index in 0..WORDS {
            sweeper.simulate(index);
        }
        sweeper.join_class(0);
        sweeper
    }

    /// Adds 64 random patterns, every second time with few or with many true inputs.
    fn simulate(&mut self, index: usize) {
        let random = &mut self.random;
        let input = |_| match index % 4 {
            1 => random.word() & random.word() & random.word(),
            3 => random.word() | random.word() | random.word(),
            _ => random.word(),
        };
        let inputs: Vec<u64> = (0..self.source.num_inputs()).map(input).collect();
        let words = self.source.simulate(&inputs);
        if index == 0 {
            self.phases = words.iter().map(|word| word & 1 == 1).collect();
        }
        self.refine(&words);
    }

    fn refine(&mut self, words: &[u64]) {
        for ((hash, &word), &phase) in self.signatures.iter_mut().zip(words).zip(&self.phases) {
            let word = if phase { !word } else { word };
            *hash = (hash.rotate_left(5) ^ word).wrapping_mul(0x517c_c1b7_2722_0a95);
        }
    }

    fn image(&self, lit: Lit) -> Lit {
        self.images[lit.node() as usize].xor(lit.is_negated())
    }

    fn visit(&mut self, node: u32) {
        let image = match self.source.node(node) {
            Node::Const => Lit::FALSE,
            Node::Input(index) => self.target.input(index as usize),
            Node::And(a, b) => {
                let (a, b) = (self.image(a), self.image(b));
                self.target.and(a, b)
            }
        };
        self.images[node as usize] = image;
        self.done |= self.interrupt.is_raised();
        if !self.done && !image.is_const() && !self.merge(node, image) {
            self.join_class(node);
        }
    }

    /// Looks for an earlier node with the same function. True if the node needs no class.
    fn merge(&mut self, node: u32, image: Lit) -> bool {
        let class = self.classes.get(&self.signatures[node as usize]);
        let mut other = class.map_or(NONE, |class| class.0);
        for _ in 0..ATTEMPTS {
            if other == NONE {
                return false;
            }
            let candidate = self.images[other as usize]
                .xor(self.phases[node as usize] != self.phases[other as usize]);
            if candidate == image {
                return true;
            }
            if self.agree(node, other) {
                match self.prover.differ(&self.target, image, candidate) {
                    Answer::Unsat => {
                        self.images[node as usize] = candidate;
                        return true;
                    }
                    Answer::Sat if self.learn_pattern(node) => return false,
                    Answer::Sat => {}
                    // What is hard here is hard with the other candidates, too.
                    Answer::Stopped => return true,
                }
            }
            other = self.following[other as usize];
        }
        true
    }

    fn join_class(&mut self, node: u32) {
        let signature = self.signatures[node as usize];
        let class = self.classes.entry(signature).or_insert((node, node));
        if class.1 != node {
            self.following[class.1 as usize] = node;
            class.1 = node;
        }
    }

    /// Whether the fresh patterns allow two nodes to be equal, up to their phases.
    fn agree(&self, node: u32, other: u32) -> bool {
        let flip =
            if self.phases[node as usize] != self.phases[other as usize] { u64::MAX } else { 0 };
        let words = &self.fresh.words;
        (words[node as usize] ^ words[other as usize] ^ flip) & self.fresh.simulated == 0
    }

    /// The model of a refuted pair becomes a pattern. True if that rebuilt the classes, which
    /// the 64th one does.
    fn learn_pattern(&mut self, upto: u32) -> bool {
        let bit = 1u64 << self.fresh.count;
        for (index, value) in self.prover.difference(&self.target) {
            let word = &mut self.fresh.inputs[index];
            *word = if value { *word | bit } else { *word & !bit };
        }
        self.fresh.count += 1;
        // A simulation costs as much as many queries; so they get rarer as patterns gather.
        if self.fresh.count.is_power_of_two() {
            self.fresh.words = self.source.simulate(&self.fresh.inputs);
            self.fresh.simulated = u64::MAX >> (64 - self.fresh.count);
        }
        if self.fresh.count < 64 {
            return false;
        }
        let fresh = std::mem::replace(&mut self.fresh, Fresh::new(self.source, &mut self.random));
        self.refine(&fresh.words);
        self.rebuild(upto);
        true
    }

    /// Sorts the nodes before `upto` into classes anew; merged ones are found by their images.
    fn rebuild(&mut self, upto: u32) {
        self.classes.clear();
        self.following.fill(NONE);
        let mut seen = vec![false; self.target.len()];
        for node in 0..upto {
            let image = self.images[node as usize].node() as usize;
            let relevant = node == 0 || self.cone[node as usize];
            if relevant && !std::mem::replace(&mut seen[image], true) {
                self.join_class(node);
            }
        }
    }
}

impl Fresh {
    /// What a refutation leaves open is random.
    fn new(source: &Aig, random: &mut Random) -> Fresh {
        let inputs = (0..source.num_inputs()).map(|_| random.word()).collect();
        Fresh { inputs, count: 0, words: vec![0; source.len()], simulated: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_hidden_equivalences_and_keeps_functions() {
        let mut seed = 5u64;
        let mut random = move |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % n
        };
        let budget = Budget { conflicts_per_query: 1000, time: Duration::from_secs(5) };
        let (mut before, mut after) = (0, 0);
        for _ in 0..60 {
            let mut aig = Aig::with_inputs(5);
            let mut pool: Vec<Lit> = (0..5).map(|i| aig.input(i)).collect();
            for _ in 0..60 {
                let (a, b) = (pool[random(pool.len())], pool[random(pool.len())]);
                let (a, b) = (a.xor(random(2) == 1), b.xor(random(2) == 1));
                pool.push(aig.and(a, b));
            }
            let roots = [pool[pool.len() - 1], !pool[pool.len() - 2]];
            let (swept, images) = sweep(&aig, &roots, budget, &Interrupt::default());
            before += aig.cone_ands(&roots);
            after += swept.num_ands();
            for bits in 0..32u32 {
                let inputs: Vec<bool> = (0..5).map(|i| bits >> i & 1 == 1).collect();
                for (root, image) in roots.iter().zip(&images) {
                    assert_eq!(aig.eval(*root, &inputs), swept.eval(*image, &inputs));
                }
            }
        }
        assert!(after * 10 < before * 9, "{after} of {before} gates left");
    }
}
