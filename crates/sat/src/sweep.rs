//! SAT sweeping: merges nodes of a graph that have the same function (Kuehlmann, Krohm, 1997;
//! Mishchenko et al., "FRAIGs", 2005).
//!
//! Random simulation proposes pairs, a solver confirms or refutes them within a budget, and every
//! refutation becomes a new simulation pattern. Interpolants read off a proof are very
//! redundant, so this shrinks them by large factors; on a well-made circuit it does little.

use crate::session::{Answer, Interrupt, Session, TRUE};
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

/// The roots' cones with equivalent nodes merged. Ensures: the same functions, and no more
/// conjunctions than before.
pub fn sweep(aig: &Aig, roots: &[Lit], budget: Budget, interrupt: &Interrupt) -> (Aig, Vec<Lit>) {
    let mut sweeper = Sweeper::new(aig, roots, interrupt);
    let deadline = Instant::now() + budget.time;
    for node in 1..aig.len() as u32 {
        if sweeper.cone[node as usize] {
            sweeper.visit(node, budget.conflicts_per_query, deadline);
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
    /// Simulation values: `patterns[w][node]`.
    patterns: Vec<Vec<u64>>,
    /// Patterns from refuted pairs, not yet part of the classes: inputs and node values.
    fresh_inputs: Vec<u64>,
    fresh: Vec<u64>,
    num_fresh: u32,
    /// The first node of each class of equal signatures (up to negation).
    classes: FxHashMap<u64, u32>,
    session: Session,
    /// The solver's literal of each target node, 0 where it has none.
    encoded: Vec<i32>,
    done: bool,
}

impl<'a> Sweeper<'a> {
    fn new(source: &'a Aig, roots: &[Lit], interrupt: &Interrupt) -> Sweeper<'a> {
        let mut seed = 0x9e37_79b9_7f4a_7c15u64;
        let mut random = move || {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            seed
        };
        let mut patterns = Vec::new();
        for _ in 0..WORDS {
            let inputs: Vec<u64> = (0..source.num_inputs()).map(|_| random()).collect();
            patterns.push(source.simulate(&inputs));
        }
        let target = Aig::with_inputs(source.num_inputs());
        let mut sweeper = Sweeper {
            source,
            cone: source.cone(roots),
            images: vec![Lit::FALSE; source.len()],
            fresh_inputs: vec![0; source.num_inputs()],
            fresh: vec![0; source.len()],
            num_fresh: 0,
            classes: FxHashMap::default(),
            session: Session::light(interrupt),
            encoded: vec![-TRUE],
            done: false,
            patterns,
            target,
        };
        sweeper.classes.insert(sweeper.signature(0), 0);
        sweeper
    }

    fn image(&self, lit: Lit) -> Lit {
        self.images[lit.node() as usize].xor(lit.is_negated())
    }

    fn visit(&mut self, node: u32, conflicts: i32, deadline: Instant) {
        let image = match self.source.node(node) {
            Node::Const => Lit::FALSE,
            Node::Input(index) => self.target.input(index as usize),
            Node::And(a, b) => {
                let (a, b) = (self.image(a), self.image(b));
                self.target.and(a, b)
            }
        };
        self.images[node as usize] = image;
        self.done |= Instant::now() >= deadline;
        if self.done || image.is_const() {
            return;
        }
        let signature = self.signature(node);
        let Some(&other) = self.classes.get(&signature) else {
            self.classes.insert(signature, node);
            return;
        };
        let flip = self.phase(node) != self.phase(other);
        let candidate = self.images[other as usize].xor(flip);
        let agree = (self.fresh[node as usize] ^ self.fresh[other as usize])
            == if flip { u64::MAX } else { 0 };
        if candidate == image || !(agree || self.num_fresh == 0) {
            return;
        }
        match self.equivalent(image, candidate, conflicts) {
            Answer::Unsat => self.images[node as usize] = candidate,
            Answer::Sat => self.learn_pattern(node),
            Answer::Stopped => {}
        }
    }

    /// The value in the first pattern: signatures are compared up to negation.
    fn phase(&self, node: u32) -> bool {
        self.patterns[0][node as usize] & 1 == 1
    }

    fn signature(&self, node: u32) -> u64 {
        let flip = if self.phase(node) { u64::MAX } else { 0 };
        let mix = |hash: u64, w: &Vec<u64>| {
            (hash.rotate_left(5) ^ w[node as usize] ^ flip).wrapping_mul(0x517c_c1b7_2722_0a95)
        };
        self.patterns.iter().fold(0, mix)
    }

    /// image ≠ candidate
    fn equivalent(&mut self, image: Lit, candidate: Lit, conflicts: i32) -> Answer {
        let (a, b) = (self.encode(image), self.encode(candidate));
        match self.session.solve_limited(&[a, -b], Some(conflicts)) {
            Answer::Unsat => self.session.solve_limited(&[-a, b], Some(conflicts)),
            answer => answer,
        }
    }

    fn encode(&mut self, root: Lit) -> i32 {
        self.encoded.resize(self.target.len(), 0);
        let mut stack = vec![root.node()];
        while let Some(&node) = stack.last() {
            if self.encoded[node as usize] != 0 {
                stack.pop();
                continue;
            }
            self.encoded[node as usize] = match self.target.node(node) {
                Node::Const => -TRUE,
                Node::Input(_) => self.session.new_var(),
                Node::And(a, b) => {
                    let before = stack.len();
                    stack.extend(
                        [a, b].map(Lit::node).iter().filter(|&&n| self.encoded[n as usize] == 0),
                    );
                    if stack.len() > before {
                        continue;
                    }
                    let (a, b) = (self.literal(a), self.literal(b));
                    let gate = self.session.new_var();
                    self.session.add_clause(&[-gate, a]);
                    self.session.add_clause(&[-gate, b]);
                    self.session.add_clause(&[gate, -a, -b]);
                    gate
                }
            };
        }
        self.literal(root)
    }

    fn literal(&self, lit: Lit) -> i32 {
        let literal = self.encoded[lit.node() as usize];
        if lit.is_negated() { -literal } else { literal }
    }

    /// The model of a refuted pair becomes a pattern. The 64th one rebuilds the classes.
    fn learn_pattern(&mut self, upto: u32) {
        let bit = 1u64 << self.num_fresh;
        for index in 0..self.source.num_inputs() {
            let node = self.target.input(index).node();
            let literal = self.encoded.get(node as usize).copied().unwrap_or(0);
            if literal != 0 && self.session.value(literal) {
                self.fresh_inputs[index] |= bit;
            }
        }
        self.num_fresh += 1;
        self.fresh = self.source.simulate(&self.fresh_inputs);
        if self.num_fresh == 64 {
            self.patterns.push(std::mem::take(&mut self.fresh));
            self.fresh = vec![0; self.source.len()];
            self.fresh_inputs.fill(0);
            self.num_fresh = 0;
            self.rebuild(upto);
        }
    }

    fn rebuild(&mut self, upto: u32) {
        self.classes.clear();
        for node in (0..=upto).filter(|&n| n == 0 || self.cone[n as usize]) {
            self.classes.entry(self.signature(node)).or_insert(node);
        }
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
