//! Random circuits that are small enough to be enumerated, and the enumeration.

#![allow(dead_code)]

use wedge_logic::aig::word;
use wedge_logic::{Aig, Lit};
use wedge_model::simulate::evaluate;
use wedge_model::{Circuit, Predicate, Reset};

/// Knuth's MMIX generator: the tests are the same in every run.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % bound
    }

    pub fn flip(&mut self) -> bool {
        self.below(2) == 1
    }

    pub fn pick(&mut self, pool: &[Lit]) -> Lit {
        pool[self.below(pool.len())].xor(self.flip())
    }

    /// Adds `count` random gates over `pool` and to it.
    pub fn grow(&mut self, aig: &mut Aig, pool: &mut Vec<Lit>, count: usize) {
        for _ in 0..count {
            let (a, b, c) = (self.pick(pool), self.pick(pool), self.pick(pool));
            pool.push(match self.below(3) {
                0 => aig.and(a, b),
                1 => aig.xor(a, b),
                _ => aig.ite(a, b, c),
            });
        }
    }

    pub fn circuit(&mut self, inputs: usize, latches: usize) -> Circuit {
        let mut circuit = Circuit::default();
        let mut pool = vec![Lit::FALSE];
        for index in 0..latches {
            let reset = self.reset(&mut circuit.aig, &pool, index);
            pool.push(circuit.add_latch(reset));
        }
        pool.extend((0..inputs).map(|_| circuit.add_input()));
        self.grow(&mut circuit.aig, &mut pool, 8);
        for index in 0..latches {
            circuit.latches[index].next = self.pick(&pool);
        }
        let constraints = self.below(3).saturating_sub(1);
        circuit.constraints = (0..constraints).map(|_| self.pick(&pool)).collect();
        circuit.bad = self.pick(&pool);
        let other = self.pick(&pool);
        circuit.bad = circuit.aig.and(circuit.bad, other);
        circuit
    }

    /// A reset over the latches in `pool`, which come before latch `index`.
    fn reset(&mut self, aig: &mut Aig, pool: &[Lit], index: usize) -> Reset {
        match self.below(4) {
            0 => Reset::Free,
            1 if index > 0 => {
                let (a, b) = (self.pick(pool), self.pick(pool));
                match aig.and(a, b) {
                    lit if lit.is_const() => Reset::Const(lit == Lit::TRUE),
                    lit => Reset::Function(lit),
                }
            }
            _ => Reset::Const(self.flip()),
        }
    }
}

pub fn bits(value: usize, count: usize) -> Vec<bool> {
    (0..count).map(|i| value >> i & 1 == 1).collect()
}

pub fn index(bits: &[bool]) -> usize {
    bits.iter().rev().fold(0, |value, &bit| value * 2 + bit as usize)
}

/// Every step of a circuit, by state and input.
pub struct Steps {
    pub states: usize,
    pub inputs: usize,
    initial: Vec<bool>,
    /// Of state and input: whether the constraints hold, whether it is bad, the next state.
    steps: Vec<(bool, bool, usize)>,
}

impl Steps {
    pub fn of(circuit: &Circuit) -> Steps {
        let (latches, inputs) = (circuit.latches.len(), circuit.inputs.len());
        let mut steps = Steps {
            states: 1 << latches,
            inputs: 1 << inputs,
            initial: Vec::new(),
            steps: Vec::new(),
        };
        for state in 0..steps.states {
            let values = bits(state, latches);
            for input in 0..steps.inputs {
                let words = evaluate(circuit, &values, &bits(input, inputs));
                let value = |lit: Lit| word(&words, lit) & 1 == 1;
                let next: Vec<bool> = circuit.latches.iter().map(|l| value(l.next)).collect();
                let constrained = circuit.constraints.iter().all(|&c| value(c));
                steps.steps.push((constrained, value(circuit.bad), index(&next)));
                if input == 0 {
                    let reset = |(l, &v): (&wedge_model::Latch, &bool)| match l.reset {
                        Reset::Const(constant) => v == constant,
                        Reset::Free => true,
                        Reset::Function(lit) => v == value(lit),
                    };
                    steps.initial.push(circuit.latches.iter().zip(&values).all(reset));
                }
            }
        }
        steps
    }

    /// The steps of a state that satisfy the constraints: bad and next.
    pub fn legal(&self, state: usize) -> impl Iterator<Item = (bool, usize)> + '_ {
        let steps = &self.steps[state * self.inputs..(state + 1) * self.inputs];
        steps.iter().filter(|step| step.0).map(|step| (step.1, step.2))
    }

    pub fn is_alive(&self, state: usize) -> bool {
        self.legal(state).next().is_some()
    }

    pub fn is_initial(&self, state: usize) -> bool {
        self.initial[state]
    }

    /// The states that lie on paths.
    pub fn reachable(&self) -> Vec<bool> {
        let initial = |&state: &usize| self.is_initial(state) && self.is_alive(state);
        let mut stack: Vec<usize> = (0..self.states).filter(initial).collect();
        let mut reached = vec![false; self.states];
        while let Some(state) = stack.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                stack.extend(self.legal(state).map(|s| s.1).filter(|&s| self.is_alive(s)));
            }
        }
        reached
    }

    pub fn is_safe(&self) -> bool {
        let reached = self.reachable();
        (0..self.states).all(|s| !reached[s] || self.legal(s).all(|(bad, _)| !bad))
    }
}

/// The set of states with this table.
pub fn predicate(table: &[bool], latches: usize) -> Predicate {
    let mut aig = Aig::with_inputs(latches);
    let mut minterms = Vec::new();
    for (state, _) in table.iter().enumerate().filter(|(_, member)| **member) {
        let lits: Vec<Lit> = (0..latches).map(|i| aig.input(i).xor(state >> i & 1 == 0)).collect();
        minterms.push(aig.and_all(&lits));
    }
    let root = aig.or_all(&minterms);
    Predicate { aig, root }
}
