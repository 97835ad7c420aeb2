//! The parts of PDR against exhaustive evaluation of small random circuits.

use super::config::{ExtraSignals, Lifting};
use super::extend::Extended;
use super::initial;
use super::lift::{CubeLifter, Leaf};
use super::transition::Transition;
use wedge_logic::Lit;
use wedge_logic::aig::word;
use wedge_model::simulate::evaluate;
use wedge_model::{Circuit, Reset};
use wedge_sat::light;

/// xorshift64*; the tests need reproducible, not good, randomness.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % bound
    }

    fn pick(&mut self, from: &[Lit]) -> Lit {
        let index = self.below(from.len());
        from[index].xor(self.below(2) == 1)
    }

    fn bits(&mut self, count: usize) -> Vec<bool> {
        (0..count).map(|_| self.below(2) == 1).collect()
    }
}

/// Four latches, two inputs and a number of gates; everything is relevant.
fn random_circuit(random: &mut Random, gates: usize) -> Circuit {
    let mut circuit = Circuit::default();
    for _ in 0..4 {
        circuit.add_latch(Reset::Const(false));
    }
    (0..2).for_each(|_| {
        circuit.add_input();
    });
    let mut pool: Vec<Lit> = circuit.latches.iter().map(|l| l.state).collect();
    pool.extend(&circuit.inputs);
    for _ in 0..gates {
        let (a, b, c) = (random.pick(&pool), random.pick(&pool), random.pick(&pool));
        let gate = match random.below(4) {
            0 => circuit.aig.xor(a, b),
            1 => circuit.aig.ite(a, b, c),
            _ => circuit.aig.and(a, b),
        };
        pool.push(gate);
    }
    for index in 0..circuit.latches.len() {
        circuit.latches[index].next = random.pick(&pool);
    }
    circuit.constraints = vec![random.pick(&pool)];
    let latches: Vec<Lit> = circuit.latches.iter().map(|l| l.state).collect();
    circuit.bad = circuit.aig.and_all(&latches);
    circuit
}

fn bits(number: usize, count: usize) -> Vec<bool> {
    (0..count).map(|i| number >> i & 1 == 1).collect()
}

/// Gives each variable the value that its definition forces, and asserts that there is one.
fn solve_definitions(transition: &Transition, state: &[bool], inputs: &[bool]) -> Vec<bool> {
    let mut values = vec![true];
    values.extend(state.iter().chain(inputs));
    for var in values.len()..transition.num_vars() {
        let satisfied = |value: bool, values: &[bool]| {
            transition.clauses(var as light::Var).all(|clause| {
                let holds = |l: &light::Lit| {
                    let value = values.get(l.var() as usize).copied().unwrap_or(value);
                    value != l.is_negated()
                };
                clause.iter().any(holds)
            })
        };
        let (no, yes) = (satisfied(false, &values), satisfied(true, &values));
        let eliminated = transition.clauses(var as light::Var).next().is_none();
        assert!(eliminated || no != yes, "variable {var} is not a function");
        values.push(yes);
    }
    values
}

#[test]
fn elimination_keeps_the_functions_and_saves_variables() {
    let mut random = Random(21);
    let mut sizes = [0, 0];
    for _ in 0..150 {
        let circuit = random_circuit(&mut random, 12);
        for eliminate in [false, true] {
            let transition = Transition::new(&Extended::new(&circuit, None), eliminate);
            let defined = |v: &usize| transition.clauses(*v as light::Var).next().is_some();
            sizes[eliminate as usize] += (0..transition.num_vars()).filter(defined).count();
            for number in 0..64 {
                let (state, inputs) = (bits(number, 4), bits(number >> 4, 2));
                let values = solve_definitions(&transition, &state, &inputs);
                let value = |l: light::Lit| values[l.var() as usize] != l.is_negated();
                let words = evaluate(&circuit, &state, &inputs);
                let expected = |l: Lit| word(&words, l) & 1 == 1;
                assert_eq!(value(transition.bad), expected(circuit.bad));
                assert_eq!(value(transition.constraints[0]), expected(circuit.constraints[0]));
                for (index, latch) in circuit.latches.iter().enumerate() {
                    let next = transition.next_of(transition.latch(index));
                    assert_eq!(value(next), expected(latch.next));
                }
            }
        }
    }
    assert!(sizes[1] * 2 < sizes[0], "elimination saves too little: {sizes:?}");
}

#[test]
fn lifted_cubes_keep_the_targets() {
    let mut random = Random(22);
    let mut sizes = [0, 0, 0];
    for _ in 0..400 {
        let circuit = random_circuit(&mut random, 20);
        let (state, inputs) = (random.bits(4), random.bits(2));
        let words = evaluate(&circuit, &state, &inputs);
        let target = |lit: Lit| lit.xor(word(&words, lit) & 1 == 0);
        let targets = [target(circuit.latches[0].next), target(circuit.constraints[0])];
        let modes = [Lifting::Cone, Lifting::Justify, Lifting::Ternary];
        let extended = Extended::new(&circuit, None);
        let mut lifter = CubeLifter::new(&extended);
        for (mode, size) in modes.into_iter().zip(&mut sizes) {
            let value = |leaf| match leaf {
                Leaf::Latch(latch) => state[latch],
                Leaf::Input(input) => inputs[input],
            };
            let kept = lifter.lift(
                targets.into_iter(),
                value,
                |latch| latch as f64,
                mode,
                ExtraSignals::None,
            );
            *size += kept.len();
            for other in (0..16).map(|number| bits(number, 4)) {
                let words = evaluate(&circuit, &other, &inputs);
                let alike = kept.iter().all(|&(l, value)| value == state[l] && other[l] == value);
                assert!(!alike || targets.iter().all(|&t| word(&words, t) & 1 == 1));
            }
        }
    }
    assert!(sizes[2] < sizes[1] && sizes[1] < sizes[0], "no mode improves: {sizes:?}");
}

#[test]
fn completed_states_are_initial() {
    let mut random = Random(23);
    for _ in 0..200 {
        let mut circuit = Circuit::default();
        let mut states: Vec<Lit> = vec![circuit.add_latch(Reset::Free)];
        for _ in 0..5 {
            let (a, b) = (random.pick(&states), random.pick(&states));
            let function = circuit.aig.xor(a, b);
            let reset = [Reset::Free, Reset::Const(true), Reset::Function(function)];
            states.push(circuit.add_latch(reset[random.below(3)]));
        }
        // A wish for each free latch, and no word on the others.
        let given: Vec<Option<bool>> = circuit
            .latches
            .iter()
            .map(|l| (l.reset == Reset::Free).then(|| random.below(2) == 1))
            .collect();
        let state = initial::complete(&circuit, &given);
        let initial = circuit.initial_states();
        assert!(initial.aig.eval(initial.root, &state));
        assert!(given.iter().zip(&state).all(|(given, &value)| given.is_none_or(|g| g == value)));
        // Its own values are consistent, hence kept.
        let all: Vec<Option<bool>> = state.iter().map(|&v| Some(v)).collect();
        assert_eq!(initial::complete(&circuit, &all), state);
    }
}
