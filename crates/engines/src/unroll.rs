//! Copies of the transition relation in a session, one per time step.
//!
//! A latch at time t+1 is the very literal of its next function at time t, so no clauses connect
//! the steps. Constraints are clauses of their step.

use crate::interpolants::add_folded;
use wedge_logic::Lit;
use wedge_model::{Circuit, Predicate, Reset, Trace};
use wedge_sat::gates::{Frame, Gates, define_and};
use wedge_sat::session::TRUE;
use wedge_sat::{Session, Sink};

/// A circuit prepared for encoding.
pub struct Encoder<'c> {
    pub circuit: &'c Circuit,
    pub gates: Gates,
}

impl<'c> Encoder<'c> {
    pub fn new(circuit: &'c Circuit) -> Encoder<'c> {
        let mut roots: Vec<Lit> = circuit.latches.iter().map(|l| l.next).collect();
        roots.extend(&circuit.constraints);
        roots.push(circuit.bad);
        roots.extend(circuit.latches.iter().filter_map(|l| match l.reset {
            Reset::Function(lit) => Some(lit),
            _ => None,
        }));
        Encoder { circuit, gates: Gates::new(&circuit.aig, &roots) }
    }

    /// A time step whose latches have the given literals.
    pub fn frame(&self, latches: &[i32]) -> Frame {
        let mut frame = Frame::new(&self.circuit.aig);
        for (latch, &lit) in self.circuit.latches.iter().zip(latches) {
            frame.set(latch.state, lit);
        }
        frame
    }

    /// The latches' literals in a frame.
    pub fn state(&self, frame: &Frame) -> Vec<i32> {
        let literal = |l: &wedge_model::Latch| frame.get(l.state).expect("latches have literals");
        self.circuit.latches.iter().map(literal).collect()
    }

    /// New variables for all latches.
    pub fn free_state(&self, session: &mut impl Sink) -> Vec<i32> {
        self.circuit.latches.iter().map(|_| session.new_var()).collect()
    }

    /// The first time step: constant resets are constants, functions are encoded in place.
    pub fn initial_frame(&self, session: &mut impl Sink) -> Frame {
        let circuit = self.circuit;
        let mut frame = Frame::new(&circuit.aig);
        for latch in &circuit.latches {
            match latch.reset {
                Reset::Const(value) => frame.set(latch.state, if value { TRUE } else { -TRUE }),
                Reset::Free => frame.set(latch.state, session.new_var()),
                Reset::Function(_) => {}
            }
        }
        // Reset functions read other latches, so they are resolved in dependency order.
        for latch in reset_order(circuit) {
            if let Reset::Function(lit) = circuit.latches[latch].reset {
                let value = frame.encode(&self.gates, session, lit);
                frame.set(circuit.latches[latch].state, value);
            }
        }
        frame
    }

    /// Asserts the constraints of a time step.
    pub fn constrain(&self, frame: &mut Frame, session: &mut impl Sink) {
        self.constrain_unless(-TRUE, frame, session);
    }

    /// Asserts the constraints of a time step, unless the literal holds.
    fn constrain_unless(&self, excuse: i32, frame: &mut Frame, session: &mut impl Sink) {
        for &constraint in &self.circuit.constraints {
            let lit = frame.encode(&self.gates, session, constraint);
            add_folded(session, &[lit, excuse]);
        }
    }

    /// Encodes the steps 1 to `bound` from a state and returns ¬P(s₁), …, ¬P(s_bound): a bad
    /// state may be the last of a path, so once one is reached, later steps need not be legal.
    pub fn encode_steps(
        &self,
        state: &[i32],
        bound: usize,
        session: &mut impl Sink,
        mut visit: impl FnMut(&Frame),
    ) -> Vec<i32> {
        let mut state = state.to_vec();
        let mut bads = Vec::new();
        let mut reached = -TRUE;
        for step in 1..=bound {
            let mut frame = self.frame(&state);
            self.constrain_unless(reached, &mut frame, session);
            let bad = self.bad(&mut frame, session);
            bads.push(bad);
            if step < bound {
                state = self.next_state(&mut frame, session);
                if !self.circuit.constraints.is_empty() {
                    reached = -define_and(session, &mut vec![-reached, -bad]);
                }
            }
            visit(&frame);
        }
        bads
    }

    /// The latches' literals one step later.
    pub fn next_state(&self, frame: &mut Frame, session: &mut impl Sink) -> Vec<i32> {
        let next = |latch: &wedge_model::Latch| frame.encode(&self.gates, session, latch.next);
        self.circuit.latches.iter().map(next).collect()
    }

    pub fn bad(&self, frame: &mut Frame, session: &mut impl Sink) -> i32 {
        frame.encode(&self.gates, session, self.circuit.bad)
    }
}

/// What is needed of consecutive frames to read a trace from a model.
#[derive(Default)]
pub struct Path {
    initial: Vec<i32>,
    inputs: Vec<Vec<i32>>,
}

impl Path {
    /// Appends a frame of which nothing more will be encoded.
    pub fn push(&mut self, circuit: &Circuit, frame: &Frame) {
        // What was never encoded does not matter for the model: any constant will do.
        let lit = |input: Lit| frame.get(input).unwrap_or(-TRUE);
        if self.inputs.is_empty() {
            self.initial = circuit.latches.iter().map(|l| lit(l.state)).collect();
        }
        self.inputs.push(circuit.inputs.iter().map(|&i| lit(i)).collect());
    }

    /// The path of the session's model, up to the step `last`.
    pub fn trace(&self, last: usize, session: &mut Session) -> Trace {
        let mut values = |lits: &[i32]| lits.iter().map(|&l| session.value(l)).collect();
        let initial = values(&self.initial);
        Trace { initial, inputs: self.inputs[..=last].iter().map(|step| values(step)).collect() }
    }
}

/// Latches ordered such that a reset function reads only earlier ones (or ones without one).
fn reset_order(circuit: &Circuit) -> Vec<usize> {
    let functions: Vec<usize> = (0..circuit.latches.len())
        .filter(|&l| matches!(circuit.latches[l].reset, Reset::Function(_)))
        .collect();
    let mut order = Vec::new();
    let mut done = vec![false; circuit.aig.len()];
    for latch in &circuit.latches {
        done[latch.state.node() as usize] = !matches!(latch.reset, Reset::Function(_));
    }
    let mut open = functions;
    while !open.is_empty() {
        let ready = |&l: &usize| {
            let Reset::Function(lit) = circuit.latches[l].reset else { return true };
            let cone = circuit.aig.cone(&[lit]);
            circuit.latches.iter().all(|m| {
                let node = m.state.node() as usize;
                !cone[node] || done[node]
            })
        };
        let (now, later): (Vec<usize>, Vec<usize>) = open.iter().partition(|l| ready(l));
        assert!(!now.is_empty(), "reset functions are acyclic");
        now.iter().for_each(|&l| done[circuit.latches[l].state.node() as usize] = true);
        order.extend(now);
        open = later;
    }
    order
}

/// Adds clauses that make the result equivalent to `predicate` over these latches.
pub fn encode_predicate(predicate: &Predicate, latches: &[i32], session: &mut impl Sink) -> i32 {
    let gates = Gates::new(&predicate.aig, &[predicate.root]);
    let mut frame = Frame::new(&predicate.aig);
    for (index, &lit) in latches.iter().enumerate() {
        frame.set(predicate.aig.input(index), lit);
    }
    frame.encode(&gates, session, predicate.root)
}
