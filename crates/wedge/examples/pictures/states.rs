//! A circuit with so few states that all of them can be looked at.

use std::error::Error;
use wedge_hw::btor2;
use wedge_logic::blast::Limits;
use wedge_model::cfa::Cfa;
use wedge_model::simulate::evaluate;
use wedge_model::{Circuit, Predicate, System, lower};

/// A set of states: bit n is state n.
pub type States = u64;

pub struct Machine {
    pub circuit: Circuit,
    pub automaton: Cfa,
    /// The name of the only register.
    pub register: String,
    pub count: usize,
    pub initial: States,
    pub bad: States,
}

impl Machine {
    pub fn read(path: &str) -> Result<Machine, Box<dyn Error>> {
        let system: System = btor2::parse(path, &std::fs::read(path)?)?;
        let (circuit, _) = lower::lower(&system, 0, Limits::default())?;
        let automaton = Cfa::from_system(&system, 0)?;
        let [state] = system.states.as_slice() else {
            return Err("a picture is of one register".into());
        };
        let register = system.terms.name(state.var).unwrap_or("state").to_string();
        let bits = circuit.latches.len();
        if bits > 5 || circuit.inputs.len() > 4 {
            return Err("a register of at most five bits and four inputs can be drawn".into());
        }
        let mut machine =
            Machine { circuit, automaton, register, count: 1 << bits, initial: 0, bad: 0 };
        machine.initial = machine.states_of(&machine.circuit.initial_states());
        machine.bad = machine.bad_states();
        Ok(machine)
    }

    /// The states in which a predicate about the latches holds.
    pub fn states_of(&self, predicate: &Predicate) -> States {
        let inputs: Vec<u64> =
            (0..self.circuit.latches.len()).map(|latch| self.with_bit(latch)).collect();
        let words = predicate.aig.simulate(&inputs);
        let root = words[predicate.root.node() as usize];
        let root = if predicate.root.is_negated() { !root } else { root };
        root & self.all()
    }

    /// All states.
    pub fn all(&self) -> States {
        (1 << self.count) - 1
    }

    /// The states whose number has this bit.
    fn with_bit(&self, bit: usize) -> States {
        (0..self.count).filter(|state| state >> bit & 1 == 1).map(|state| 1 << state).sum()
    }

    /// Every value of the inputs, and of the gates under them.
    fn steps(&self, state: usize) -> impl Iterator<Item = Vec<u64>> + '_ {
        let bits = |number: usize, count: usize| -> Vec<bool> {
            (0..count).map(|bit| number >> bit & 1 == 1).collect()
        };
        let inputs = self.circuit.inputs.len();
        let state = bits(state, self.circuit.latches.len());
        (0..1 << inputs).map(move |input| evaluate(&self.circuit, &state, &bits(input, inputs)))
    }

    fn bad_states(&self) -> States {
        let value = |gates: &[u64]| self.value(gates, self.circuit.bad);
        let is_bad = |state: &usize| self.steps(*state).any(|gates| value(&gates));
        (0..self.count).filter(is_bad).map(|state| 1 << state).sum()
    }

    fn value(&self, gates: &[u64], lit: wedge_logic::Lit) -> bool {
        (gates[lit.node() as usize] & 1 == 1) ^ lit.is_negated()
    }

    /// The states that come after these.
    pub fn image(&self, states: States) -> States {
        let inside = (0..self.count).filter(|state| states >> state & 1 == 1);
        let next = |gates: Vec<u64>| {
            let latches = self.circuit.latches.iter().enumerate();
            let bits = latches.filter(|(_, latch)| self.value(&gates, latch.next));
            1 << bits.map(|(bit, _)| 1usize << bit).sum::<usize>()
        };
        inside.flat_map(|state| self.steps(state)).map(next).fold(0, |all, state: u64| all | state)
    }

    /// The states that runs come to.
    pub fn reachable(&self) -> States {
        let mut reached = self.initial;
        loop {
            let more = reached | self.image(reached);
            if more == reached {
                return reached;
            }
            reached = more;
        }
    }

    /// The states from which a bad one can be reached.
    pub fn doomed(&self) -> States {
        let mut doomed = self.bad;
        loop {
            let before = |state: &usize| self.image(1 << state) & doomed != 0;
            let more = doomed | (0..self.count).filter(before).map(|s| 1u64 << s).sum::<u64>();
            if more == doomed {
                return doomed;
            }
            doomed = more;
        }
    }
}
