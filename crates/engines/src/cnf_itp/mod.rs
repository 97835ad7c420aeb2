//! Interpolation-based model checking with small interpolants in CNF.
//!
//! Paper: Vizel, Ryvchin, Nadel, "Efficient Generation of Small Interpolants in CNF", figures 2,
//! 5 and 6. The loop is that of IMC; what differs is how an interpolant is made:
//!
//! 1. A B-weak interpolant is read off the A-part of the refutation (`wedge_sat::bweak`).
//! 2. Clauses of the previous interpolant that hold one step later are pushed into it.
//! 3. The interpolant of the same iteration at the previous bound is conjoined.
//! 4. States in it that still reach a bad state are excluded by clauses, each generalised to be
//!    inductive relative to what is reached so far (B-strengthening); these clauses strengthen
//!    all earlier interpolants too.
//!
//! Each of the four can be switched off. Named differences, each an option: how much the bound
//! grows (`stride`), and the union is also checked for being inductive (`inductive_check`). As in
//! IMC, a recording session serves several queries while they are cheaper than building another.

mod clauses;
mod goal;
mod induction;
mod outside;

use crate::bmc::initially_bad;
use crate::contract::{Context, Engine, Outcome, UnknownReason};
use crate::cut::{CutUnrolling, Start, Stride};
use crate::figures;
use crate::unroll::Encoder;
use clauses::{union, without_subsumed};
use goal::Goal;
use induction::RelativeInduction;
use outside::Inclusion;
use rustc_hash::FxHashSet;
use std::time::Instant;
use wedge_model::{Circuit, Predicate, Trace};
use wedge_sat::bweak::Clause;
use wedge_sat::{Answer, InterpolationSystem};

#[derive(Clone, Debug)]
pub struct CnfItp {
    /// Start from the B-weak interpolant of the refutation; else from "true".
    pub b_weak: bool,
    pub push: bool,
    /// Conjoin the interpolants of the previous bound.
    pub incremental: bool,
    /// Generalise the clauses that exclude states.
    pub generalize: bool,
    pub inductive_check: bool,
    pub stride: Stride,
    pub max_bound: Option<usize>,
}

impl Default for CnfItp {
    fn default() -> CnfItp {
        CnfItp {
            b_weak: true,
            push: true,
            incremental: true,
            generalize: true,
            inductive_check: true,
            stride: Stride::Iterations,
            max_bound: None,
        }
    }
}

enum Attempt {
    Fixpoint(Predicate),
    Counterexample(Trace),
    Spurious(usize),
}

impl Engine for CnfItp {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        if let Some(outcome) = initially_bad(circuit, context) {
            return outcome;
        }
        let encoder = Encoder::new(circuit);
        let mut run = Run {
            config: self,
            encoder: &encoder,
            context,
            previous: Vec::new(),
            induction: RelativeInduction::new(&encoder, context),
            goal: Goal::new(&encoder, context),
            inclusion: Inclusion::new(&encoder, context),
        };
        let mut bound = 1;
        loop {
            if self.max_bound.is_some_and(|limit| bound > limit) {
                return Outcome::Unknown(UnknownReason::BoundReached(bound - 1));
            }
            context.record(|f| f.bound = bound);
            match run.compute_reachable(bound) {
                Ok(Attempt::Fixpoint(invariant)) => return Outcome::Safe(invariant),
                Ok(Attempt::Counterexample(trace)) => return Outcome::Unsafe(trace),
                Ok(Attempt::Spurious(iterations)) => {
                    context.record(|f| f.refinements += 1);
                    bound += match self.stride {
                        Stride::One => 1,
                        Stride::Iterations => iterations,
                    }
                }
                Err(reason) => return Outcome::Unknown(reason),
            }
        }
    }
}

struct Run<'r> {
    config: &'r CnfItp,
    encoder: &'r Encoder<'r>,
    context: &'r Context,
    /// I₁, I₂, … of the previous bound.
    previous: Vec<Vec<Clause>>,
    induction: RelativeInduction,
    goal: Goal<'r>,
    inclusion: Inclusion,
}

impl Run<'_> {
    /// Figure 6.
    fn compute_reachable(&mut self, bound: usize) -> Result<Attempt, UnknownReason> {
        let context = self.context;
        self.induction.restart();
        self.inclusion.clear();
        self.goal.extend(bound);
        let mut interpolants: Vec<Vec<Clause>> = Vec::new();
        let mut unrolling = self.unrolling(bound, Start::Initial);
        loop {
            // Iₙ₋₁(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ (¬P(s₁) ∨ … ∨ ¬P(sₖ))
            match unrolling.solve(context) {
                Answer::Stopped => return Err(context.stop_reason()),
                Answer::Sat if interpolants.is_empty() => {
                    return Ok(Attempt::Counterexample(unrolling.counterexample()));
                }
                Answer::Sat => {
                    let iterations = interpolants.len();
                    self.previous = interpolants;
                    return Ok(Attempt::Spurious(iterations));
                }
                Answer::Unsat if interpolants.is_empty() => context.bounds().refute(bound),
                Answer::Unsat => {}
            }
            let clock = Instant::now();
            let interpolant = self.interpolant(&mut unrolling, &mut interpolants)?;
            self.record(&interpolant, clock);
            if self.is_closed(&interpolants, &interpolant)? {
                context.record(|f| f.convergence = interpolants.len() + 1);
                let initial = self.encoder.circuit.initial_states();
                return Ok(Attempt::Fixpoint(union(&initial, &interpolants)));
            }
            self.induction.add_member(&interpolant);
            self.restart(&mut unrolling, bound, &interpolant);
            interpolants.push(interpolant);
        }
    }

    fn unrolling(&self, bound: usize, start: Start) -> CutUnrolling {
        CutUnrolling::new(
            self.encoder,
            bound,
            &[InterpolationSystem::McMillan],
            start,
            self.context,
        )
    }

    /// Lets the next query start from the interpolant.
    fn restart(&self, unrolling: &mut CutUnrolling, bound: usize, interpolant: &[Clause]) {
        if unrolling.last_seconds > unrolling.build_seconds {
            *unrolling = self.unrolling(bound, Start::Clauses(interpolant));
            return;
        }
        if !unrolling.is_switched() {
            *unrolling = self.unrolling(bound, Start::Switched);
        }
        unrolling.switch_to_clauses(interpolant);
    }

    /// Lines 50 to 58.
    fn interpolant(
        &mut self,
        unrolling: &mut CutUnrolling,
        interpolants: &mut [Vec<Clause>],
    ) -> Result<Vec<Clause>, UnknownReason> {
        let context = self.context;
        let mut weak: Vec<Clause> = Vec::new();
        let mut adequate = false;
        if self.config.b_weak {
            let b_weak = unrolling.b_weak_interpolant();
            let b_weak = b_weak.map_err(|e| UnknownReason::Internal(e.to_string()))?;
            context.record(|f| f.add(figures::COMPLETE_B_WEAK, b_weak.complete as u8 as f64));
            (weak, adequate) = (b_weak.clauses, b_weak.complete);
        }
        if let Some(last) = interpolants.last().filter(|_| self.config.push) {
            weak.extend(self.induction.pushable(last, context)?);
        }
        if let Some(earlier) =
            self.previous.get(interpolants.len()).filter(|_| self.config.incremental)
        {
            weak.extend(earlier.iter().cloned());
        }
        let mut weak = without_subsumed(weak);
        if adequate {
            return Ok(weak);
        }
        let missing = self.find_missing_clauses(&weak)?;
        context.record(|f| f.add(figures::STRENGTHENING_CLAUSES, missing.len() as f64));
        for clause in missing {
            interpolants.iter_mut().for_each(|i| i.push(clause.clone()));
            weak.push(clause);
        }
        Ok(without_subsumed(weak))
    }

    /// Figure 5: clauses that exclude from `weak` every state that reaches a bad one.
    fn find_missing_clauses(&mut self, weak: &[Clause]) -> Result<Vec<Clause>, UnknownReason> {
        let mut missing = Vec::new();
        self.goal.begin(weak);
        // Iw(s₁) ∧ C(s₁) ∧ B
        while let Some(state) = self.goal.state_that_fails(self.context)? {
            let drop = self.config.generalize;
            let clause = self.induction.generalize(&state, drop, self.context)?;
            self.goal.exclude(&clause);
            self.induction.strengthen(&clause);
            missing.push(clause);
        }
        Ok(missing)
    }

    /// Line 59, and the inductive check.
    fn is_closed(
        &mut self,
        interpolants: &[Vec<Clause>],
        newest: &[Clause],
    ) -> Result<bool, UnknownReason> {
        match self.inclusion.ask(newest, interpolants) {
            Answer::Unsat => Ok(true),
            Answer::Sat => {
                Ok(self.config.inductive_check && self.induction.is_inductive(interpolants))
            }
            Answer::Stopped => Err(self.context.stop_reason()),
        }
    }

    fn record(&self, interpolant: &[Clause], clock: Instant) {
        let latches: FxHashSet<u32> =
            interpolant.iter().flatten().map(|l| l.unsigned_abs()).collect();
        self.context.record(|f| {
            f.interpolants += 1;
            f.interpolation_seconds += clock.elapsed().as_secs_f64();
            f.interpolant_clauses += interpolant.len() as u64;
            f.interpolant_atoms += latches.len() as u64;
            f.add(
                figures::INTERPOLANT_LITERALS,
                interpolant.iter().map(Vec::len).sum::<usize>() as f64,
            );
            f.largest_interpolant = f.largest_interpolant.max(interpolant.len() as u64);
        });
    }
}
