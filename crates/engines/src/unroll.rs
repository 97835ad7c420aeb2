//! Copies of the transition relation in a session, one per time step.
//!
//! A latch at time t+1 is the very literal of its next function at time t, so no clauses connect
//! the steps. Constraints are clauses of their step. Where the last step is known beforehand, a
//! step holds only what the later ones need of it.

use crate::interpolants::add_folded;
use wedge_logic::Lit;
use wedge_logic::aig::Node;
use wedge_model::{Circuit, Predicate, Reset, Trace};
use wedge_sat::gates::{Frame, Gates, define_and};
use wedge_sat::session::TRUE;
use wedge_sat::{Session, Sink};

/// A clause over latches as a clause over their literals in some state.
pub fn over_latches(clause: &[i32], latches: &[i32]) -> Vec<i32> {
    let literal = |&l: &i32| latches[l.unsigned_abs() as usize - 1] * l.signum();
    clause.iter().map(literal).collect()
}

/// A circuit prepared for encoding.
pub struct Encoder<'c> {
    pub circuit: &'c Circuit,
    pub gates: Gates,
    /// How many steps before a bad state (or a constraint) the value of each latch matters first.
    distances: Vec<usize>,
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
        let gates = Gates::new(&circuit.aig, &roots);
        Encoder { circuit, gates, distances: distances(circuit) }
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

    /// The latches' literals one step later.
    pub fn next_state(&self, frame: &mut Frame, session: &mut impl Sink) -> Vec<i32> {
        let next = |latch: &wedge_model::Latch| frame.encode(&self.gates, session, latch.next);
        self.circuit.latches.iter().map(next).collect()
    }

    /// The latches whose value matters to what is asked of this and the `steps` next steps.
    pub fn latches_within(&self, steps: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.distances.len()).filter(move |&latch| self.distances[latch] <= steps)
    }

    /// The latches' literals one step later, as far as they matter to what is asked of the
    /// `steps` steps after it; a latch that does not is a new variable.
    pub fn next_state_for(
        &self,
        steps: usize,
        frame: &mut Frame,
        session: &mut impl Sink,
    ) -> Vec<i32> {
        let mut next = Vec::with_capacity(self.distances.len());
        for (latch, &distance) in self.circuit.latches.iter().zip(&self.distances) {
            next.push(match distance <= steps {
                true => frame.encode(&self.gates, session, latch.next),
                false => session.new_var(),
            });
        }
        next
    }

    pub fn bad(&self, frame: &mut Frame, session: &mut impl Sink) -> i32 {
        frame.encode(&self.gates, session, self.circuit.bad)
    }
}

/// Steps from a state s₁, of which only what matters to the bad states is encoded. A bad state may
/// be the last of a path, so once one is reached, later steps need not be legal.
pub struct Steps<'e> {
    pub encoder: &'e Encoder<'e>,
    pub frames: Vec<Frame>,
    /// Some state before the last one is bad.
    reached: i32,
    /// ¬P(s₁), ¬P(s₂), …
    pub bads: Vec<i32>,
}

impl<'e> Steps<'e> {
    pub fn new(encoder: &'e Encoder<'e>, state: &[i32]) -> Steps<'e> {
        Steps { encoder, frames: vec![encoder.frame(state)], reached: -TRUE, bads: Vec::new() }
    }

    /// Encodes the steps up to s_bound.
    pub fn extend(&mut self, bound: usize, session: &mut impl Sink) {
        for step in 0..bound {
            if step > 0 {
                self.connect(step, bound - 1 - step, session);
            }
            if step == self.bads.len() {
                self.ask(step, session);
            }
        }
    }

    /// Gives a step the literals of those latches that matter within so many steps after it.
    fn connect(&mut self, step: usize, after: usize, session: &mut impl Sink) {
        let Encoder { circuit, gates, distances } = self.encoder;
        if step == self.frames.len() {
            self.frames.push(Frame::new(&circuit.aig));
        }
        let (before, now) = self.frames.split_at_mut(step);
        let (before, now) = (&mut before[step - 1], &mut now[0]);
        for (latch, &distance) in circuit.latches.iter().zip(distances) {
            if distance <= after && now.get(latch.state).is_none() {
                now.set(latch.state, before.encode(gates, session, latch.next));
            }
        }
    }

    /// The constraints and ¬P of a step.
    fn ask(&mut self, step: usize, session: &mut impl Sink) {
        let encoder = self.encoder;
        if let (Some(&bad), false) = (self.bads.last(), encoder.circuit.constraints.is_empty()) {
            self.reached = -define_and(session, &mut vec![-self.reached, -bad]);
        }
        let frame = &mut self.frames[step];
        encoder.constrain_unless(self.reached, frame, session);
        self.bads.push(encoder.bad(frame, session));
    }
}

/// The distance of each latch to ¬P and the constraints, along next functions.
fn distances(circuit: &Circuit) -> Vec<usize> {
    let mut distances = vec![usize::MAX; circuit.latches.len()];
    let mut latch_at = vec![usize::MAX; circuit.aig.len()];
    for (index, latch) in circuit.latches.iter().enumerate() {
        latch_at[latch.state.node() as usize] = index;
    }
    let mut seen = vec![false; circuit.aig.len()];
    let mut roots: Vec<u32> = circuit.constraints.iter().map(|c| c.node()).collect();
    roots.push(circuit.bad.node());
    for distance in 0.. {
        let mut stack = std::mem::take(&mut roots);
        if stack.is_empty() {
            break;
        }
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut seen[node as usize], true) {
                continue;
            }
            if let Node::And(a, b) = circuit.aig.node(node) {
                stack.extend([a.node(), b.node()]);
            } else if let Some(latch) = circuit.latches.get(latch_at[node as usize]) {
                distances[latch_at[node as usize]] = distance;
                roots.push(latch.next.node());
            }
        }
    }
    distances
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
