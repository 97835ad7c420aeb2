//! Nodes that are equal in all reachable states: signal correspondence (van Eijk, "Sequential
//! equivalence checking based on structural similarities", IEEE TCAD 2000).
//!
//! Random runs group the latches, and the gates that read no input, into classes of nodes that
//! seem to be equal, up to negation. Of the classes E the greatest refinement is wanted that is
//! inductive:
//!
//! ```text
//! R(s) → E(s)        E(s) ∧ C(s,i) ∧ s' = F(s,i) → E(s')
//! ```
//!
//! The first condition holds by construction: members of a class have the same function of the
//! free latches in the first state, by structure. For the second, every counterexample splits
//! classes, until there is none in a whole round. Constraints, and equations of gates that are
//! not true by structure, are assumed only when a counterexample violates them.
//!
//! A node that reads inputs is never a candidate: an equation of such nodes is no statement about
//! states, and could not become part of an invariant.

use super::candidates::{Scope, first_classes, reads_input};
use super::classes::Classes;
use super::explore::{Density, Runs};
use super::speculate::Speculation;
use std::time::{Duration, Instant};
use wedge_logic::Lit;
use wedge_logic::aig::{Node, word};
use wedge_model::Circuit;
use wedge_model::merge::Merges;
use wedge_sat::random::Random;
use wedge_sat::sweep::Prover;
use wedge_sat::{Answer, Interrupt};

/// Node evaluations spent on random runs.
const SIMULATION: usize = 30_000_000;
const MIN_SIMULATIONS: usize = 64;
const MAX_SIMULATIONS: usize = 2048;
const CONFLICTS: u64 = 100;
/// How often a claim is asked again because its counterexample violates an assumption.
const ATTEMPTS: usize = 12;
/// Assumptions added per counterexample.
const ASSUMPTIONS: usize = 16;

/// The nodes that are found equal to others, within the time given. When time gets short, what
/// only a solver could show is given up, and what holds by structure is kept.
pub fn corresponding_nodes(
    circuit: &Circuit,
    scope: Scope,
    time: Duration,
    interrupt: &Interrupt,
) -> Merges {
    let start = Instant::now();
    let within = |share: f64| Interrupt {
        flag: interrupt.flag.clone(),
        deadline: interrupt.deadline.into_iter().chain([start + time.mul_f64(share)]).min(),
    };
    let mut search = Search::new(circuit, scope, within(0.25), within(0.7));
    loop {
        match search.round() {
            Round::Refined => {}
            Round::Closed => return search.merges(),
            Round::Stopped if search.close(&within(1.0)) => return search.merges(),
            Round::Stopped => return Merges::none(circuit),
        }
    }
}

enum Round {
    /// There were counterexamples, and the classes are finer now.
    Refined,
    /// There was none: the classes are inductive.
    Closed,
    Stopped,
}

struct Search<'c> {
    circuit: &'c Circuit,
    reads_input: Vec<bool>,
    classes: Classes,
    /// By constraint and by node: assumptions that a counterexample once violated.
    needed_constraints: Vec<bool>,
    needed_equations: Vec<bool>,
    random: Random,
    interrupt: Interrupt,
    /// Whether any class was split in this round.
    refined: bool,
}

impl<'c> Search<'c> {
    fn new(
        circuit: &'c Circuit,
        scope: Scope,
        simulation: Interrupt,
        interrupt: Interrupt,
    ) -> Search<'c> {
        let reads_input = reads_input(circuit);
        let limit = (SIMULATION / circuit.aig.len()).clamp(MIN_SIMULATIONS, MAX_SIMULATIONS);
        let go_on = |runs: &Runs| runs.simulations < limit && !simulation.is_raised();
        let classes = first_classes(circuit, scope, &reads_input, go_on);
        Search {
            circuit,
            reads_input,
            classes,
            needed_constraints: vec![false; circuit.constraints.len()],
            needed_equations: vec![false; circuit.aig.len()],
            random: Random(0x9e37_79b9_7f4a_7c15),
            interrupt,
            refined: false,
        }
    }

    /// Asks for a counterexample to every equation, with all of them assumed one step before.
    fn round(&mut self) -> Round {
        self.refined = false;
        let mut speculation = Speculation::new(self.circuit, &self.classes, &self.reads_input);
        let mut prover = self.prover(&mut speculation);
        for index in 0..self.classes.candidates().len() {
            let node = self.classes.candidates()[index];
            while let Some(other) = self.classes.representative(node) {
                if self.interrupt.is_raised() {
                    return Round::Stopped;
                }
                if self.is_kept(node, other, &mut speculation, &mut prover) {
                    break;
                }
            }
        }
        if self.refined { Round::Refined } else { Round::Closed }
    }

    /// A prover that assumes what was needed before.
    fn prover(&self, speculation: &mut Speculation) -> Prover {
        let mut prover = Prover::new(CONFLICTS, &self.interrupt);
        for (index, _) in self.needed_constraints.iter().enumerate().filter(|(_, n)| **n) {
            prover.assume(&speculation.aig, speculation.constraints[index]);
        }
        for index in 0..speculation.equations.len() {
            let equation = speculation.equations[index];
            if self.needed_equations[equation.node as usize] {
                let assumption = speculation.assumption(equation);
                prover.assume(&speculation.aig, assumption);
            }
        }
        prover
    }

    /// Whether two members of a class are equal in the second step. If not, or if that cannot be
    /// decided, they are in different classes afterwards.
    fn is_kept(
        &mut self,
        node: u32,
        other: u32,
        speculation: &mut Speculation,
        prover: &mut Prover,
    ) -> bool {
        let sides = [node, other].map(|n| speculation.next(n, &self.classes));
        for _ in 0..ATTEMPTS {
            match prover.differ(&speculation.aig, sides[0], sides[1]) {
                Answer::Unsat => return true,
                Answer::Stopped => break,
                Answer::Sat => {}
            }
            let spurious = self.refute(speculation, prover);
            if self.classes.representative(node) != Some(other) {
                return false;
            }
            if !spurious {
                break;
            }
        }
        self.classes.separate(node);
        self.refined = true;
        false
    }

    /// Splits classes by what follows the state of the prover's model, and states like it.
    /// Returns whether the model violates assumptions, which the prover knows from now on.
    fn refute(&mut self, speculation: &mut Speculation, prover: &mut Prover) -> bool {
        let inputs = self.runs_like_model(speculation, prover);
        let words = self.circuit.aig.simulate(&inputs);
        let constraints = self.circuit.constraints.iter();
        let legal = constraints.fold(u64::MAX, |legal, &c| legal & word(&words, c));
        let legal = legal & self.classes.agreement(&words);
        let next = self.next_words(&words);
        self.refined |= self.classes.refine_by(&next, legal);
        self.assume_violated(&words, speculation, prover)
    }

    /// 64 states and inputs of the circuit: the prover's model, completed at random, in the first
    /// half of them, and variations of it in the second. Members of a class of latches agree.
    fn runs_like_model(&mut self, speculation: &Speculation, prover: &Prover) -> Vec<u64> {
        const SECOND_HALF: u64 = u64::MAX << 32;
        let count = self.circuit.aig.num_inputs();
        let mut inputs: Vec<u64> = (0..count).map(|_| self.random.word()).collect();
        for (index, value) in prover.difference(&speculation.aig) {
            let flips = Density::Few.word(&mut self.random) & SECOND_HALF;
            inputs[index] = if value { !flips } else { flips };
        }
        let mut agreeing = inputs.clone();
        for latch in &self.circuit.latches {
            let image = speculation.now(latch.state);
            let value = match speculation.aig.node(image.node()) {
                Node::Input(index) => inputs[index as usize],
                _ => 0,
            };
            if let Node::Input(index) = self.circuit.aig.node(latch.state.node()) {
                let flip = if image.is_negated() { u64::MAX } else { 0 };
                agreeing[index as usize] = value ^ flip;
            }
        }
        agreeing
    }

    /// The nodes one step later.
    fn next_words(&mut self, words: &[u64]) -> Vec<u64> {
        let mut inputs = vec![0; self.circuit.aig.num_inputs()];
        for latch in &self.circuit.latches {
            if let Node::Input(index) = self.circuit.aig.node(latch.state.node()) {
                inputs[index as usize] = word(words, latch.next);
            }
        }
        self.circuit.aig.simulate(&inputs)
    }

    /// Assumes constraints and equations that are violated in the first run; false if none is.
    fn assume_violated(
        &mut self,
        words: &[u64],
        speculation: &mut Speculation,
        prover: &mut Prover,
    ) -> bool {
        let mut assumptions = Vec::new();
        for (index, &constraint) in self.circuit.constraints.iter().enumerate() {
            if word(words, constraint) & 1 == 0 && assumptions.len() < ASSUMPTIONS {
                self.needed_constraints[index] = true;
                assumptions.push(speculation.constraints[index]);
            }
        }
        for index in 0..speculation.equations.len() {
            let equation = speculation.equations[index];
            if equation.is_violated(words) && assumptions.len() < ASSUMPTIONS {
                self.needed_equations[equation.node as usize] = true;
                assumptions.push(speculation.assumption(equation));
            }
        }
        assumptions.iter().for_each(|&lit| prover.assume(&speculation.aig, lit));
        !assumptions.is_empty()
    }

    /// Refines the classes to a fixed point that holds by structure; false if time ran out.
    fn close(&mut self, interrupt: &Interrupt) -> bool {
        while !interrupt.is_raised() {
            let speculation = Speculation::new(self.circuit, &self.classes, &self.reads_input);
            let next: Vec<Lit> = (0..self.circuit.aig.len() as u32)
                .map(|node| speculation.next(node, &self.classes))
                .collect();
            if !self.classes.refine(|node| next[node as usize]) {
                return true;
            }
        }
        false
    }

    fn merges(&self) -> Merges {
        let mut merges = Merges::none(self.circuit);
        for &node in self.classes.candidates() {
            if let Some(other) = self.classes.representative(node) {
                merges.replace(node, Lit::new(other, self.classes.opposite(node, other)));
            }
        }
        merges
    }
}
