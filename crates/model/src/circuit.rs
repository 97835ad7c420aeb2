//! The bit-level transition system that every state engine reads.
//!
//! A state assigns the latches, a step reads the inputs. A path is a sequence of states and
//! inputs in which the first state satisfies every reset, each next state is given by the `next`
//! functions, and every constraint holds in every step, the last one included. The property is
//! violated by a path whose last step satisfies `bad`.

use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// The value of a latch in the first state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reset {
    Const(bool),
    /// Any value.
    Free,
    /// A function of the latches (never of the inputs) in the first state; acyclic.
    Function(Lit),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latch {
    /// The positive literal of the graph's input that stands for the current value.
    pub state: Lit,
    pub next: Lit,
    pub reset: Reset,
}

/// Invariant: the graph's inputs are exactly the `inputs` and the latches' `state`s, each once.
#[derive(Clone, Debug, Default)]
pub struct Circuit {
    pub aig: Aig,
    pub inputs: Vec<Lit>,
    pub latches: Vec<Latch>,
    pub constraints: Vec<Lit>,
    pub bad: Lit,
    /// Those inputs that are none of the model, but values that it leaves open in every step, as far
    /// as that is known. What reduces a circuit need not keep them.
    pub undriven: Vec<Lit>,
}

/// A set of states: a graph whose input i is latch i of the circuit.
#[derive(Clone, Debug)]
pub struct Predicate {
    pub aig: Aig,
    pub root: Lit,
}

/// A concrete path to a bad state: the first state, and the inputs of every step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    pub initial: Vec<bool>,
    /// One vector per step, at least one; the bad state is the one in which the last is read.
    pub inputs: Vec<Vec<bool>>,
}

impl Circuit {
    /// Adds an input to the graph and to the circuit.
    pub fn add_input(&mut self) -> Lit {
        let lit = self.aig.add_input();
        self.inputs.push(lit);
        lit
    }

    /// Adds a latch whose next value is still itself.
    pub fn add_latch(&mut self, reset: Reset) -> Lit {
        let state = self.aig.add_input();
        self.latches.push(Latch { state, next: state, reset });
        state
    }

    /// Asserts the invariants of the type; meant for debug builds and tests.
    pub fn check(&self) {
        let mut seen = vec![false; self.aig.len()];
        for lit in self.inputs.iter().copied().chain(self.latches.iter().map(|l| l.state)) {
            assert!(!lit.is_negated() && !lit.is_const(), "an input is a positive literal");
            assert!(!std::mem::replace(&mut seen[lit.node() as usize], true), "declared twice");
        }
        assert_eq!(self.inputs.len() + self.latches.len(), self.aig.num_inputs());
    }
}

impl Circuit {
    /// The initial states: every latch has its reset value.
    pub fn initial_states(&self) -> Predicate {
        let mut aig = Aig::with_inputs(self.latches.len());
        let mut inputs = vec![Lit::FALSE; self.aig.num_inputs()];
        for (index, latch) in self.latches.iter().enumerate() {
            let Node::Input(input) = self.aig.node(latch.state.node()) else { continue };
            inputs[input as usize] = aig.input(index);
        }
        let mut conjuncts = Vec::new();
        for (index, latch) in self.latches.iter().enumerate() {
            let state = aig.input(index);
            conjuncts.push(match latch.reset {
                Reset::Const(value) => state.xor(!value),
                Reset::Free => continue,
                Reset::Function(lit) => {
                    let wanted = self.aig.copy_into(&mut aig, &[lit], &inputs)[0];
                    aig.iff(state, wanted)
                }
            });
        }
        let root = aig.and_all(&conjuncts);
        Predicate { aig, root }
    }
}

impl Predicate {
    pub fn constant(value: bool, latches: usize) -> Predicate {
        Predicate { aig: Aig::with_inputs(latches), root: value.into() }
    }
}
