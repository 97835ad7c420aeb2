//! Random circuits that are small enough to be enumerated and full of redundancy: copies of
//! latches, constants, gates with the same function, constraints of every kind, all resets.

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

    fn pick(&mut self, pool: &[Lit]) -> Lit {
        let lit = pool[self.below(pool.len())];
        lit.xor(self.below(2) == 1)
    }

    fn grow(&mut self, aig: &mut Aig, pool: &mut Vec<Lit>, count: usize) {
        for _ in 0..count {
            let (a, b, c) = (self.pick(pool), self.pick(pool), self.pick(pool));
            pool.push(match self.below(4) {
                0 => aig.xor(a, b),
                1 => aig.ite(a, b, c),
                _ => aig.and(a, b),
            });
        }
    }

    pub fn circuit(&mut self) -> Circuit {
        let mut circuit = Circuit::default();
        let mut pool: Vec<Lit> = (0..1 + self.below(2)).map(|_| circuit.add_input()).collect();
        let inputs = pool.len();
        let own = 2 + self.below(3);
        for _ in 0..own {
            let reset = self.reset(&mut circuit.aig, &pool[inputs..]);
            pool.push(circuit.add_latch(reset));
        }
        let copies: Vec<(usize, bool)> =
            (0..self.below(3)).map(|_| (self.below(own), self.below(2) == 1)).collect();
        for &(latch, negated) in &copies {
            let reset = self.reset_of_copy(&circuit, latch, negated);
            pool.push(circuit.add_latch(reset));
        }
        let gates = 4 + self.below(14);
        self.grow(&mut circuit.aig, &mut pool, gates);
        for latch in 0..own {
            circuit.latches[latch].next = self.next(&mut circuit, latch, &pool);
        }
        for (index, &(latch, negated)) in copies.iter().enumerate() {
            circuit.latches[own + index].next = circuit.latches[latch].next.xor(negated);
        }
        self.constrain(&mut circuit, &pool);
        let few: Vec<Lit> = (0..3).map(|_| self.pick(&pool)).collect();
        circuit.bad = circuit.aig.and_all(&few);
        circuit.check();
        circuit
    }

    fn reset(&mut self, aig: &mut Aig, latches: &[Lit]) -> Reset {
        match self.below(6) {
            0 => Reset::Free,
            1 if !latches.is_empty() => {
                let (a, b) = (self.pick(latches), self.pick(latches));
                match aig.xor(a, b) {
                    lit if lit.is_const() => Reset::Const(lit == Lit::TRUE),
                    lit => Reset::Function(lit),
                }
            }
            2 => Reset::Const(true),
            _ => Reset::Const(false),
        }
    }

    fn reset_of_copy(&mut self, circuit: &Circuit, latch: usize, negated: bool) -> Reset {
        match circuit.latches[latch].reset {
            Reset::Const(value) => Reset::Const(value != negated),
            Reset::Function(lit) if self.below(2) == 1 => Reset::Function(lit.xor(negated)),
            _ => Reset::Function(circuit.latches[latch].state.xor(negated)),
        }
    }

    /// Now and then a latch keeps its value, or only ever loses it, or takes an input.
    fn next(&mut self, circuit: &mut Circuit, latch: usize, pool: &[Lit]) -> Lit {
        let state = circuit.latches[latch].state;
        match self.below(8) {
            0 => state,
            1 => {
                let other = self.pick(pool);
                circuit.aig.and(state, other)
            }
            2 => circuit.inputs[self.below(circuit.inputs.len())],
            _ => self.pick(pool),
        }
    }

    fn constrain(&mut self, circuit: &mut Circuit, pool: &[Lit]) {
        let input = circuit.inputs[0];
        let (a, b) = (self.pick(pool), self.pick(pool));
        let constraint = match self.below(9) {
            0 => circuit.aig.or(a, b),
            1 => circuit.aig.iff(input, a),
            2 => circuit.aig.and(input, a),
            3 => input.xor(self.below(2) == 1),
            4 => {
                let both = circuit.aig.or(a, b);
                circuit.constraints.push(both);
                self.pick(pool)
            }
            _ => return,
        };
        circuit.constraints.push(constraint);
    }
}

pub fn bits(value: usize, count: usize) -> Vec<bool> {
    (0..count).map(|i| value >> i & 1 == 1).collect()
}

fn number(bits: &[bool]) -> usize {
    bits.iter().enumerate().map(|(i, &b)| (b as usize) << i).sum()
}

/// What explicit search finds.
pub struct Reachable {
    pub is_unsafe: bool,
    /// The states that lie on paths.
    pub states: Predicate,
}

pub fn explore(circuit: &Circuit) -> Reachable {
    let latches = circuit.latches.len();
    let mut stack: Vec<usize> = (0..1 << latches).filter(|&s| is_initial(circuit, s)).collect();
    let mut reached = vec![false; 1 << latches];
    let mut is_unsafe = false;
    while let Some(state) = stack.pop() {
        let steps: Vec<(bool, usize)> =
            (0..1 << circuit.inputs.len()).filter_map(|i| step(circuit, state, i)).collect();
        if !steps.is_empty() && !std::mem::replace(&mut reached[state], true) {
            is_unsafe |= steps.iter().any(|(bad, _)| *bad);
            stack.extend(steps.iter().map(|(_, next)| next));
        }
    }
    Reachable { is_unsafe, states: table(&reached, latches) }
}

/// What a state and inputs lead to: nothing if a constraint fails, else (bad, next state).
fn step(circuit: &Circuit, state: usize, inputs: usize) -> Option<(bool, usize)> {
    let state = bits(state, circuit.latches.len());
    let words = evaluate(circuit, &state, &bits(inputs, circuit.inputs.len()));
    let value = |lit: Lit| word(&words, lit) & 1 == 1;
    let next: Vec<bool> = circuit.latches.iter().map(|l| value(l.next)).collect();
    let legal = circuit.constraints.iter().all(|&c| value(c));
    legal.then(|| (value(circuit.bad), number(&next)))
}

fn is_initial(circuit: &Circuit, state: usize) -> bool {
    let state = bits(state, circuit.latches.len());
    let words = evaluate(circuit, &state, &vec![false; circuit.inputs.len()]);
    circuit.latches.iter().zip(&state).all(|(latch, &value)| match latch.reset {
        Reset::Const(wanted) => value == wanted,
        Reset::Free => true,
        Reset::Function(lit) => value == (word(&words, lit) & 1 == 1),
    })
}

fn table(members: &[bool], latches: usize) -> Predicate {
    let mut aig = Aig::with_inputs(latches);
    let mut minterms = Vec::new();
    for state in (0..members.len()).filter(|&state| members[state]) {
        let lits: Vec<Lit> = (0..latches).map(|i| aig.input(i).xor(state >> i & 1 == 0)).collect();
        minterms.push(aig.and_all(&lits));
    }
    let root = aig.or_all(&minterms);
    Predicate { aig, root }
}
