//! Each step on a circuit made for it: what it has to find, and what it must not.

use super::circuits::explore;
use super::{
    Config, Outcome, assert_invariant, check_engine, check_trace, context, preprocess, run,
};
use wedge_logic::Lit;
use wedge_model::{Circuit, Reset};

fn reduce(circuit: &Circuit, config: Config) -> Circuit {
    preprocess(circuit, &config, &context()).0
}

/// A shift register of four bits and its negated copy; bad if they differ by not being opposite.
fn two_registers() -> Circuit {
    let mut circuit = Circuit::default();
    let mut next = [circuit.add_input(); 2];
    next[1] = !next[1];
    let mut equal = Vec::new();
    for _ in 0..4 {
        let states = [false, true].map(|value| circuit.add_latch(Reset::Const(value)));
        for (side, &state) in states.iter().enumerate() {
            circuit.latches.iter_mut().find(|l| l.state == state).unwrap().next = next[side];
        }
        equal.push(circuit.aig.iff(states[0], states[1]));
        next = states;
    }
    circuit.bad = circuit.aig.or_all(&equal);
    circuit
}

#[test]
fn copies_of_latches() {
    let config = Config { latches: true, ..Config::cone_only() };
    assert_eq!(reduce(&two_registers(), config).bad, Lit::FALSE);
    let config = Config { constants: true, sweep: true, ..Config::cone_only() };
    assert_eq!(reduce(&two_registers(), config).latches.len(), 8);
}

#[test]
fn a_copy_that_starts_differently_is_none() {
    let mut circuit = two_registers();
    circuit.latches[0].reset = Reset::Const(true);
    assert!(reduce(&circuit, Config::default()).latches.len() >= 7);
    circuit.latches[0].reset = Reset::Free;
    assert!(reduce(&circuit, Config::default()).latches.len() >= 7);
    circuit.latches[0].reset = Reset::Function(!circuit.latches[1].state);
    assert_eq!(reduce(&circuit, Config::default()).bad, Lit::FALSE);
}

/// A token moves around a ring; two places never have it together, which takes the gates over
/// latches to see.
#[test]
fn gates_over_latches() {
    let mut circuit = Circuit::default();
    let go = circuit.add_input();
    let ring: Vec<Lit> = (0..4).map(|i| circuit.add_latch(Reset::Const(i == 0))).collect();
    for index in 0..4 {
        let next = circuit.aig.ite(go, ring[(index + 3) % 4], ring[index]);
        circuit.latches[index].next = next;
    }
    let mut pairs = Vec::new();
    for i in 0..4 {
        pairs.extend((0..i).map(|j| circuit.aig.and(ring[i], ring[j])));
    }
    circuit.bad = circuit.aig.or_all(&pairs);
    let latches = Config { latches: true, ..Config::cone_only() };
    assert_eq!(reduce(&circuit, latches).latches.len(), 4);
    let signals = Config { signals: true, ..Config::cone_only() };
    assert_eq!(reduce(&circuit, signals).bad, Lit::FALSE);
}

/// Two registers agree only because a constraint makes their inputs agree.
#[test]
fn constraints_are_used() {
    let mut circuit = Circuit::default();
    let inputs = [circuit.add_input(), circuit.add_input()];
    let states = [circuit.add_latch(Reset::Const(false)), circuit.add_latch(Reset::Const(false))];
    let mode = circuit.add_latch(Reset::Free);
    for (latch, &input) in circuit.latches.iter_mut().zip(&inputs) {
        latch.next = circuit.aig.xor(input, mode);
    }
    circuit.bad = circuit.aig.xor(states[0], states[1]);
    let config = Config { latches: true, ..Config::cone_only() };
    assert_eq!(reduce(&circuit, config.clone()).latches.len(), 3);
    let equal = circuit.aig.iff(inputs[0], inputs[1]);
    circuit.constraints.push(equal);
    assert_eq!(reduce(&circuit, config).bad, Lit::FALSE);
}

#[test]
fn gates_of_the_same_function() {
    let mut circuit = Circuit::default();
    let input = circuit.add_input();
    let states = [circuit.add_latch(Reset::Free), circuit.add_latch(Reset::Free)];
    let xor = circuit.aig.xor(states[0], states[1]);
    let left = circuit.aig.xor(xor, input);
    let xor = circuit.aig.xor(states[1], input);
    let right = circuit.aig.xor(xor, states[0]);
    circuit.latches[0].next = left;
    circuit.latches[1].next = right;
    circuit.bad = circuit.aig.and(states[0], states[1]);
    let reduced = reduce(&circuit, Config { sweep: true, ..Config::cone_only() });
    assert_eq!(reduced.latches[0].next, reduced.latches[1].next);
    assert_eq!(reduced.latches.len(), 2);
}

/// Two latches that hardly ever start differently, too rarely for random runs to see it.
#[test]
fn a_rare_first_value() {
    let mut circuit = Circuit::default();
    let free: Vec<Lit> = (0..24).map(|_| circuit.add_latch(Reset::Free)).collect();
    let all = circuit.aig.and_all(&free);
    let rare = circuit.add_latch(Reset::Function(all));
    let never = circuit.add_latch(Reset::Const(false));
    circuit.latches[0].next = rare;
    circuit.bad = circuit.aig.and(rare, !never);
    let (reduced, pipeline) = preprocess(&circuit, &Config::default(), &context());
    let Outcome::Unsafe(trace) = run("bmc", &reduced) else { panic!("a bad first state") };
    check_trace(&circuit, &pipeline.trace(&trace)).unwrap();
}

/// The gate that the reset function of a latch names equals that latch in all reachable states.
/// Replacing it there would make the latch its own first value.
#[test]
fn a_reset_function_that_equals_its_latch() {
    let mut circuit = Circuit::default();
    let input = circuit.add_input();
    let a = circuit.add_latch(Reset::Free);
    let b = circuit.add_latch(Reset::Free);
    let both = circuit.aig.and(a, b);
    let c = circuit.add_latch(Reset::Function(both));
    circuit.latches[0].next = input;
    circuit.latches[1].next = a;
    circuit.latches[2].next = circuit.aig.and(input, a);
    let other = circuit.aig.and(b, input);
    let bad = circuit.aig.xor(c, both);
    circuit.bad = circuit.aig.and(bad, other);
    let reduced = reduce(&circuit, Config { signals: true, ..Config::cone_only() });
    assert_eq!(reduced.bad, Lit::FALSE);
    circuit.bad = circuit.aig.and(c, input);
    let reduced = reduce(&circuit, Config { signals: true, ..Config::cone_only() });
    assert!(reduced.latches.iter().any(|l| matches!(l.reset, Reset::Function(_))));
}

/// An input is set, another one equated with a latch, both by one constraint.
#[test]
fn inputs_that_constraints_determine() {
    let mut circuit = Circuit::default();
    let [set, equal, free] = [(); 3].map(|_| circuit.add_input());
    let state = circuit.add_latch(Reset::Free);
    circuit.latches[0].next = circuit.aig.ite(set, equal, free);
    let iff = circuit.aig.iff(equal, !state);
    circuit.constraints.push(circuit.aig.and(set, iff));
    circuit.bad = circuit.aig.and(state, equal);
    let reduced = reduce(&circuit, Config { inputs: true, ..Config::cone_only() });
    assert_eq!(reduced.bad, Lit::FALSE);
    assert!(reduced.inputs.is_empty() && reduced.constraints.is_empty());
}

/// Two inputs that determine each other are replaced once, not twice.
#[test]
fn inputs_that_determine_each_other() {
    let mut circuit = Circuit::default();
    let inputs = [(); 3].map(|_| circuit.add_input());
    let state = circuit.add_latch(Reset::Const(false));
    let cycle = [(0, 1), (1, 2), (2, 0)].map(|(a, b)| circuit.aig.iff(inputs[a], inputs[b]));
    circuit.constraints.extend(cycle);
    circuit.latches[0].next = circuit.aig.and_all(&inputs);
    circuit.bad = state;
    let reduced = reduce(&circuit, Config { inputs: true, ..Config::cone_only() });
    assert_eq!(reduced.inputs.len(), 1);
    assert!(reduced.constraints.is_empty());
}

#[test]
fn inputs_behind_an_exclusive_or() {
    let mut circuit = Circuit::default();
    let [mask, other] = [(); 2].map(|_| circuit.add_input());
    let state = circuit.add_latch(Reset::Const(false));
    let hidden = circuit.add_latch(Reset::Const(false));
    let rest = circuit.aig.and(hidden, other);
    let masked = circuit.aig.xor(mask, rest);
    circuit.latches[0].next = circuit.aig.and(masked, !state);
    circuit.latches[1].next = circuit.aig.or(hidden, other);
    circuit.bad = circuit.aig.and(state, masked);
    let reduced = reduce(&circuit, Config { inputs: true, ..Config::cone_only() });
    assert_eq!((reduced.latches.len(), reduced.inputs.len()), (1, 1));
    // A second reader of the mask keeps it as it is.
    circuit.bad = circuit.aig.and(circuit.bad, mask);
    let reduced = reduce(&circuit, Config { inputs: true, ..Config::cone_only() });
    assert_eq!((reduced.latches.len(), reduced.inputs.len()), (2, 2));
}

#[test]
fn latches_that_store_inputs() {
    let mut circuit = Circuit::default();
    let inputs = [(); 3].map(|_| circuit.add_input());
    let free = circuit.add_latch(Reset::Free);
    let zero = circuit.add_latch(Reset::Const(false));
    let one = circuit.add_latch(Reset::Const(true));
    let sum = circuit.add_latch(Reset::Function(free));
    circuit.latches.iter_mut().zip(inputs).for_each(|(latch, input)| latch.next = input);
    circuit.latches[1].next = !inputs[1];
    circuit.latches[3].next = circuit.aig.ite(zero, one, sum);
    circuit.bad = circuit.aig.and(sum, free);
    let config = Config { registers: true, ..Config::cone_only() };
    let reduced = reduce(&circuit, config.clone());
    // The latch that a reset reads stays; the two with constant resets need one for the first step.
    assert_eq!((reduced.latches.len(), reduced.inputs.len()), (3, 3));
    circuit.latches[3].reset = Reset::Const(false);
    assert_eq!(reduce(&circuit, config).latches.len(), 2);
}

/// A latch that stores an input is false in the first step, and only then is it looked at.
#[test]
fn a_stored_input_in_the_first_step() {
    let mut circuit = Circuit::default();
    let input = circuit.add_input();
    let stored = circuit.add_latch(Reset::Const(false));
    let started = circuit.add_latch(Reset::Const(false));
    circuit.latches[0].next = input;
    circuit.latches[1].next = Lit::TRUE;
    circuit.bad = circuit.aig.and(stored, !started);
    let config = Config { registers: true, ..Config::cone_only() };
    let (reduced, pipeline) = preprocess(&circuit, &config, &context());
    assert_eq!(reduced.inputs.len(), 1);
    for engine in ["pdr", "imc"] {
        let Outcome::Safe(invariant) = run(engine, &reduced) else { panic!("it is safe") };
        assert_invariant(&circuit, &pipeline, &invariant, engine);
    }
    let reachable = explore(&reduced);
    assert_invariant(&circuit, &pipeline, &reachable.states, "reachable states");
    circuit.bad = circuit.aig.and(stored, started);
    check_engine("bmc", &circuit, &config, true);
}

#[test]
fn figures_are_recorded() {
    let context = context();
    preprocess(&two_registers(), &Config::default(), &context);
    let figures = context.figures();
    let figure = |name: &str| figures.extra.iter().find(|(n, _)| n == name).map(|(_, v)| *v);
    assert_eq!(figure("latches before preprocessing"), Some(8.0));
    assert_eq!(figure("latches after preprocessing"), Some(0.0));
    assert!(figure("preprocessing seconds").is_some_and(|s| s > 0.0));
}
