//! Runs that tell latches apart which have always been alike.
//!
//! Simulation leaves classes of latches that were equal, opposite or constant in all states that it has seen. Here
//! a solver is asked, step by step of an unrolling, for a run after which two of a class differ; such a run is
//! given back, and classes are split by it. Where the solver denies it, the two become one in the
//! graph, so that what they lead to in later steps is one without a question (SAT sweeping over time frames; Kuehlmann,
//! "Dynamic transition relation simplification for bounded property checking", ICCAD 2004). Bounded model checking
//! uses the merged graph (`bmc --sweep`).

use super::Demand;
use std::time::{Duration, Instant};
use wedge_logic::Lit;
use wedge_model::first_state;
use wedge_model::{Circuit, Trace};
use wedge_sat::sweep::Prover;
use wedge_sat::{Answer, Interrupt};

/// Conflicts that a question may cost. Not tuned.
const CONFLICTS: u64 = 100;

/// The class of a latch: the first latch of it, or none if it has never changed, and whether it is opposite to
/// that one, or true.
pub type Class = (Option<usize>, bool);

pub struct Apart<'c> {
    path: Demand<'c>,
    prover: Prover,
    states: Vec<Lit>,
    /// By latch: the first of its class, or none if it may be constant.
    leaders: Vec<Option<u32>>,
    /// By latch: whether it is opposite to what the class is like.
    flips: Vec<bool>,
    /// The latch that is looked at next, in the last step.
    next: usize,
    /// The number of nodes of the graph before the last step, and before the one before it.
    floors: [u32; 2],
}

impl<'c> Apart<'c> {
    /// For runs from this state.
    pub fn new(
        circuit: &'c Circuit,
        first: &[bool],
        classes: &[Class],
        interrupt: &Interrupt,
    ) -> Apart<'c> {
        Apart {
            path: Demand::from_state(circuit, first),
            prover: Prover::new(CONFLICTS, interrupt),
            states: circuit.latches.iter().map(|latch| latch.state).collect(),
            leaders: classes.iter().map(|(leader, _)| leader.map(|l| l as u32)).collect(),
            flips: classes.iter().map(|&(_, flip)| flip).collect(),
            next: 0,
            floors: [0; 2],
        }
    }

    /// For all runs; classes that are expected when what the first states leave open is 0.
    pub fn of_all(circuit: &'c Circuit, interrupt: &Interrupt) -> Apart<'c> {
        let first = first_state(circuit, &vec![None; circuit.latches.len()]);
        let constants: Vec<Class> = first.iter().map(|&value| (None, value)).collect();
        let path = Demand::new(circuit);
        Apart { path, ..Apart::new(circuit, &first, &constants, interrupt) }
    }

    /// Begins with the last step.
    fn begin(&mut self) {
        self.floors = [self.path.graph.len() as u32, self.floors[0]];
    }

    /// The unrolling that the classes are of.
    pub fn path(&mut self) -> &mut Demand<'c> {
        &mut self.path
    }

    /// Only runs on which this literal of the unrolling is true.
    pub fn assume(&mut self, holds: Lit) {
        self.prover.assume(&self.path.graph, holds);
    }

    /// Merges the latches of the last step that are alike in it. Nothing may have been asked of them in this step.
    pub fn merge(&mut self, interrupt: &Interrupt) {
        self.begin();
        for latch in 0..self.states.len() {
            if interrupt.is_raised() {
                return;
            }
            self.ask(latch);
        }
    }

    /// The step that is looked at.
    pub fn step(&self) -> usize {
        self.path.images.len() - 1
    }

    /// Looks for some time; a run that ends in a state in which two latches differ that were alike, and whether they
    /// had ever changed, or nothing when the time is over.
    pub fn look(&mut self, time: Duration) -> Option<(Trace, bool)> {
        let start = Instant::now();
        while start.elapsed() < time && !self.states.is_empty() {
            if self.next == self.states.len() {
                self.next = 0;
                self.constrain();
                self.path.extend();
                self.begin();
            }
            let changed = self.leaders[self.next].is_some();
            if let Some(trace) = self.ask(self.next) {
                return Some((trace, changed));
            }
            self.next += 1;
        }
        None
    }

    /// Only runs that keep the constraints count.
    fn constrain(&mut self) {
        for holds in self.path.constraints() {
            self.prover.assume(&self.path.graph, holds);
        }
    }

    /// Whether a latch differs from its class in the last step: a run to that. If not, it becomes one with it.
    fn ask(&mut self, latch: usize) -> Option<Trace> {
        let step = self.step();
        let like = match self.leaders[latch] {
            None => Lit::FALSE,
            Some(leader) if leader as usize == latch => return None,
            Some(leader) => {
                let leader = leader as usize;
                self.path.image(step, self.states[leader]).xor(self.flips[leader])
            }
        };
        let like = like.xor(self.flips[latch]);
        let image = self.path.image(step, self.states[latch]);
        let graph = &self.path.graph;
        // The same, of the last two steps alone: most of those that are alike are so whatever came before.
        if self.prover.agree_above(graph, self.floors[1], image, like) {
            self.path.images[step].nodes[self.states[latch].node() as usize] = like;
            return None;
        }
        // I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ a(sₖ) ≠ b(sₖ)
        match self.prover.differ(graph, image, like) {
            Answer::Unsat => {
                self.path.images[step].nodes[self.states[latch].node() as usize] = like;
                None
            }
            Answer::Sat => Some(self.split(latch)),
            Answer::Stopped => {
                self.leaders[latch] = Some(latch as u32);
                None
            }
        }
    }

    /// Tells apart what differs in the last answer of the solver; the run to it.
    fn split(&mut self, asked: usize) -> Trace {
        let step = self.step();
        let path = &mut self.path;
        let images: Vec<Lit> = self.states.iter().map(|&state| path.image(step, state)).collect();
        let mut inputs = vec![false; path.graph.len()];
        for (index, value) in self.prover.difference(&path.graph) {
            inputs[path.graph.input(index).node() as usize] = value;
        }
        let values = path.values_under(|node| inputs[node as usize]);
        let value = |lit: Lit| values[lit.node() as usize] != lit.is_negated();
        let constants = self.states.len();
        let before = self.leaders[asked];
        let mut moved: Vec<Option<u32>> = vec![None; constants + 1];
        for latch in 0..self.states.len() {
            let (leader, expected) = match self.leaders[latch] {
                None => (constants, false),
                Some(leader) => {
                    let leader = leader as usize;
                    (leader, value(images[leader]) != self.flips[leader])
                }
            };
            if (value(images[latch]) != self.flips[latch]) != expected {
                let first = *moved[leader].get_or_insert(latch as u32);
                self.leaders[latch] = Some(first);
            }
        }
        // A difference that only values rule out which were found to be constant since.
        if self.leaders[asked] == before {
            self.leaders[asked] = Some(asked as u32);
        }
        path.trace_of(&values)
    }
}
