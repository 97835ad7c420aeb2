//! Preprocessing: a smaller circuit with the same verdict, and the way back to the original.
//!
//! | step | place |
//! | --- | --- |
//! | only paths on which what is left open is 0, if that is asked for | [`wedge_model::zero`] |
//! | cone of influence | [`wedge_model::cone`] |
//! | first values of latches that nobody reads | [`wedge_model::idle`] |
//! | inputs that constraints determine, or that are only stored | [`wedge_model::inputs`] |
//! | latches that never change, by ternary simulation | [`wedge_model::ternary`] |
//! | latches and gates that are equal in all reachable states | [`correspond`] |
//! | gates with the same function | [`wedge_sat::sweep`] |
//!
//! The steps are repeated as long as the circuit shrinks and time is left. A trace of the reduced
//! circuit becomes one of the original, and an inductive invariant one of the original: where
//! nodes were merged because they are equal in all reachable states, the equations join it.
//!
//! A proof by k-induction has no such way back after a merge: the original circuit has more
//! states, in which the equations do not hold, and its property need not be k-inductive without
//! them. It is k-inductive together with them ([`Reductions::strengthening`]).
//! [`Config::for_induction`] leaves out the steps that merge, and [`Config::for_simple_paths`] all
//! that remove latches.

mod candidates;
mod classes;
mod config;
mod correspond;
mod explore;
mod reductions;
mod speculate;

use crate::contract::Context;
use crate::figures;
use candidates::Scope;
pub use config::Config;
use correspond::corresponding_nodes;
pub use reductions::{Reductions, StepBack};
use std::time::{Duration, Instant};
use wedge_logic::Lit;
use wedge_logic::aig::Node;
use wedge_model::cone::reduce_to_cone;
use wedge_model::idle::settle_idle_latches;
use wedge_model::inputs::Rewiring;
use wedge_model::merge::{Merges, merge};
use wedge_model::rewire::rewire;
use wedge_model::ternary::constant_latches;
use wedge_model::zero::zeroed;
use wedge_model::{Circuit, Latch, Reset};
use wedge_sat::Interrupt;
use wedge_sat::sweep::{Budget, sweep};

/// Conflicts per question of a sweep.
const SWEEP_CONFLICTS: i32 = 50;
/// Another round follows one that left less than this share of latches or of gates.
const WORTHWHILE: f64 = 0.9;

/// Ensures: the reduced circuit has a path to a bad state iff the original one has (with [`Config::zero`]: only if), and
/// the pipeline maps evidence for either back.
pub fn preprocess(circuit: &Circuit, config: &Config, context: &Context) -> (Circuit, Reductions) {
    let start = Instant::now();
    let mut work = Work::new(circuit, config, context);
    work.run(config);
    context.record(|f| {
        f.add(figures::LATCHES_BEFORE, circuit.latches.len() as f64);
        f.add(figures::LATCHES_AFTER, work.circuit.latches.len() as f64);
        f.add(figures::GATES_BEFORE, circuit.aig.num_ands() as f64);
        f.add(figures::GATES_AFTER, work.circuit.aig.num_ands() as f64);
        f.add(figures::PREPROCESSING_SECONDS, start.elapsed().as_secs_f64());
    });
    (work.circuit, work.pipeline)
}

struct Work {
    circuit: Circuit,
    pipeline: Reductions,
    deadline: Instant,
    interrupt: Interrupt,
    cone: bool,
}

impl Work {
    fn new(circuit: &Circuit, config: &Config, context: &Context) -> Work {
        let now = Instant::now();
        let left = context.deadline().map(|d| d.saturating_duration_since(now));
        let share = left.map(|left| left.mul_f64(config.share));
        let deadline = now + share.into_iter().chain([config.time]).min().expect("not empty");
        let interrupt = Interrupt { deadline: Some(deadline), ..context.interrupt() };
        let circuit = if config.zero { zeroed(circuit) } else { circuit.clone() };
        let pipeline = Reductions::default();
        let mut work = Work { circuit, pipeline, deadline, interrupt, cone: config.cone };
        work.reduce();
        work
    }

    fn run(&mut self, config: &Config) {
        if config.idle && self.goes_on() {
            self.settle();
        }
        for _ in 0..config.rounds {
            let before = self.size();
            if (config.inputs || config.registers) && self.goes_on() {
                self.rewire(config);
            }
            if config.constants && self.goes_on() {
                self.merge(&constant_latches(&self.circuit));
            }
            if config.latches {
                self.correspond(Scope::Latches, 0.4);
            }
            if config.sweep {
                self.sweep(0.5);
            }
            if config.signals && !config.keep_words {
                self.correspond(Scope::Signals, 1.0);
            }
            if !self.shrank_from(before) {
                break;
            }
        }
        if config.signals && config.keep_words {
            self.cone = false;
            self.correspond(Scope::Signals, 1.0);
        }
    }

    fn size(&self) -> (usize, usize) {
        (self.circuit.latches.len(), self.circuit.aig.num_ands())
    }

    /// Whether another round is worth its time.
    fn shrank_from(&self, before: (usize, usize)) -> bool {
        let (latches, gates) = self.size();
        (latches as f64) < WORTHWHILE * before.0 as f64
            || (gates as f64) < WORTHWHILE * before.1 as f64
    }

    /// Whether there is time, and something left to reduce.
    fn goes_on(&self) -> bool {
        !self.interrupt.is_raised() && !self.circuit.bad.is_const()
    }

    /// A share of the time that is left.
    fn time(&self, share: f64) -> Duration {
        self.deadline.saturating_duration_since(Instant::now()).mul_f64(share)
    }

    fn correspond(&mut self, scope: Scope, share: f64) {
        if self.goes_on() {
            let time = self.time(share);
            self.merge(&corresponding_nodes(&self.circuit, scope, time, &self.interrupt));
        }
    }

    fn settle(&mut self) {
        if let Some((circuit, way_back)) = settle_idle_latches(&self.circuit) {
            self.pipeline.push(StepBack::Idle(way_back), circuit.latches.len());
            self.circuit = circuit;
        }
    }

    fn rewire(&mut self, config: &Config) {
        let rewiring = Rewiring::find(&self.circuit, config.inputs, config.registers);
        if rewiring.count() > 0 {
            let (circuit, way_back) = rewire(&self.circuit, &rewiring);
            self.pipeline.push(StepBack::Rewire(way_back), circuit.latches.len());
            self.circuit = circuit;
            self.reduce();
        }
    }

    fn merge(&mut self, merges: &Merges) {
        if merges.count() > 0 {
            let (circuit, way_back) = merge(&self.circuit, merges);
            self.pipeline.push(StepBack::Merge(way_back), circuit.latches.len());
            self.circuit = circuit;
            self.reduce();
        }
    }

    fn reduce(&mut self) {
        if !self.cone {
            return;
        }
        let (circuit, way_back) = reduce_to_cone(&self.circuit);
        self.pipeline.push(StepBack::Cone(way_back), circuit.latches.len());
        self.circuit = circuit;
    }

    fn sweep(&mut self, share: f64) {
        if self.goes_on() {
            let budget = Budget { conflicts_per_query: SWEEP_CONFLICTS, time: self.time(share) };
            self.circuit = swept(&self.circuit, budget, &self.interrupt);
            self.reduce();
        }
    }
}

/// The circuit with gates of the same function merged. Inputs and latches stay as they are.
fn swept(circuit: &Circuit, budget: Budget, interrupt: &Interrupt) -> Circuit {
    let mut roots: Vec<Lit> = circuit.latches.iter().map(|latch| latch.next).collect();
    roots.extend(&circuit.constraints);
    roots.push(circuit.bad);
    let (aig, images) = sweep(&circuit.aig, &roots, budget, interrupt);
    let input = |lit: Lit| match circuit.aig.node(lit.node()) {
        Node::Input(index) => aig.input(index as usize),
        _ => unreachable!("inputs and latches are inputs of the graph"),
    };
    let inputs = circuit.inputs.iter().map(|&lit| input(lit)).collect();
    let latch =
        |(latch, &next): (&Latch, &Lit)| Latch { state: input(latch.state), next, ..*latch };
    let latches: Vec<Latch> = circuit.latches.iter().zip(&images).map(latch).collect();
    let constraints = images[latches.len()..images.len() - 1].to_vec();
    let bad = images[images.len() - 1];
    let mut swept = Circuit { aig, inputs, latches, constraints, bad, undriven: Vec::new() };
    copy_resets(circuit, &mut swept);
    swept
}

/// Reset functions are copied as they are: merged with gates of the same function that read
/// more latches, they could become cyclic.
fn copy_resets(circuit: &Circuit, swept: &mut Circuit) {
    let inputs: Vec<Lit> = (0..swept.aig.num_inputs()).map(|i| swept.aig.input(i)).collect();
    let function = |latch: &Latch| match latch.reset {
        Reset::Function(lit) => Some(lit),
        _ => None,
    };
    let roots: Vec<Lit> = circuit.latches.iter().filter_map(function).collect();
    let copies = circuit.aig.copy_into(&mut swept.aig, &roots, &inputs);
    let functions = swept.latches.iter_mut().filter(|l| function(l).is_some());
    for (latch, copy) in functions.zip(copies) {
        latch.reset = Reset::Function(copy);
    }
}
