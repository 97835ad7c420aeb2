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
//! Each of the four can be switched off. Named differences: the bound grows as in `imc`, and the
//! union is also checked for being inductive.

use crate::bmc::initially_bad;
use crate::contract::{Context, Engine, Outcome, UnknownReason};
use crate::cut::{CutUnrolling, Start};
use crate::imc::Stride;
use crate::reached::Reached;
use crate::strengthen::{Goal, RelativeInduction, pushable_resets};
use crate::unroll::Encoder;
use rustc_hash::FxHashSet;
use std::time::Instant;
use wedge_logic::{Aig, Lit};
use wedge_model::{Circuit, Predicate, Trace};
use wedge_sat::bweak::Clause;
use wedge_sat::{Answer, System};

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
            stride: Stride::One,
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
        let reached = Reached::new(&encoder, context);
        let mut run = Run {
            config: self,
            encoder: &encoder,
            context,
            previous: Vec::new(),
            reached,
            strengthened: false,
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
    reached: Reached,
    /// Some interpolant has more clauses than when it was added to `reached`.
    strengthened: bool,
}

impl Run<'_> {
    /// Figure 6.
    fn compute_reachable(&mut self, bound: usize) -> Result<Attempt, UnknownReason> {
        let context = self.context;
        self.strengthened = true;
        let mut induction = RelativeInduction::new(self.encoder, context);
        let mut goal = Goal::new(self.encoder, bound, context);
        let mut interpolants: Vec<Vec<Clause>> = Vec::new();
        loop {
            let start = match interpolants.last() {
                None => Start::Initial,
                Some(clauses) => Start::Clauses(clauses),
            };
            let mut unrolling =
                CutUnrolling::new(self.encoder, bound, System::McMillan, start, context);
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
                Answer::Unsat => {}
            }
            let clock = Instant::now();
            let interpolant =
                self.interpolant(&mut unrolling, &mut induction, &mut goal, &mut interpolants)?;
            self.record(&interpolant, clock);
            if let Some(invariant) = self.fixed_point(&interpolants, &interpolant)? {
                context.record(|f| f.convergence = interpolants.len() + 1);
                return Ok(Attempt::Fixpoint(invariant));
            }
            induction.add_member(&interpolant);
            interpolants.push(interpolant);
        }
    }

    /// Lines 50 to 58.
    fn interpolant(
        &mut self,
        unrolling: &mut CutUnrolling,
        induction: &mut RelativeInduction,
        goal: &mut Goal,
        interpolants: &mut [Vec<Clause>],
    ) -> Result<Vec<Clause>, UnknownReason> {
        let context = self.context;
        let mut weak: Vec<Clause> = Vec::new();
        if self.config.b_weak {
            let b_weak = unrolling.b_weak_interpolant();
            let b_weak = b_weak.map_err(|e| UnknownReason::Internal(e.to_string()))?;
            context.record(|f| f.add("complete B-weak interpolants", b_weak.complete as u8 as f64));
            weak = b_weak.clauses;
        }
        if self.config.push {
            weak.extend(match interpolants.last() {
                Some(last) => induction.pushable(last, context)?,
                None => pushable_resets(self.encoder.circuit),
            });
        }
        if let Some(earlier) =
            self.previous.get(interpolants.len()).filter(|_| self.config.incremental)
        {
            weak.extend(earlier.iter().cloned());
        }
        let mut weak = without_subsumed(weak);
        let missing = self.find_missing_clauses(&mut weak, induction, goal)?;
        context.record(|f| f.add("strengthening clauses", missing.len() as f64));
        self.strengthened |= !missing.is_empty();
        for clause in missing {
            interpolants.iter_mut().for_each(|i| i.push(clause.clone()));
            weak.push(clause);
        }
        Ok(without_subsumed(weak))
    }

    /// Figure 5: clauses that exclude from `weak` every state that reaches a bad one.
    fn find_missing_clauses(
        &self,
        weak: &mut Vec<Clause>,
        induction: &mut RelativeInduction,
        goal: &mut Goal,
    ) -> Result<Vec<Clause>, UnknownReason> {
        let mut missing = Vec::new();
        goal.begin(weak);
        // Iw(s₁) ∧ C(s₁) ∧ B
        while let Some(state) = goal.state_that_fails(self.context)? {
            let clause = induction.generalize(&state, self.config.generalize, self.context)?;
            goal.exclude(&clause);
            induction.strengthen(&clause);
            missing.push(clause);
        }
        Ok(missing)
    }

    /// Line 59, and the inductive check.
    fn fixed_point(
        &mut self,
        interpolants: &[Vec<Clause>],
        newest: &[Clause],
    ) -> Result<Option<Predicate>, UnknownReason> {
        let latches = self.encoder.circuit.latches.len();
        let reached = &mut self.reached;
        if std::mem::take(&mut self.strengthened) || reached.len() > interpolants.len() {
            reached.clear();
        }
        if reached.is_empty() {
            reached.add(&self.encoder.circuit.initial_states());
        }
        for known in reached.len() - 1..interpolants.len() {
            reached.add(&conjunction(&interpolants[known], latches));
        }
        match reached.closed_by(&conjunction(newest, latches), self.config.inductive_check) {
            Answer::Unsat => Ok(Some(reached.union())),
            Answer::Sat => Ok(None),
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
                "literals in interpolants",
                interpolant.iter().map(Vec::len).sum::<usize>() as f64,
            );
            f.largest_interpolant = f.largest_interpolant.max(interpolant.len() as u64);
        });
    }
}

/// The clauses over latches as a set of states.
pub fn conjunction(clauses: &[Clause], latches: usize) -> Predicate {
    let mut aig = Aig::with_inputs(latches);
    let mut conjuncts = Vec::with_capacity(clauses.len());
    for clause in clauses {
        let lits: Vec<Lit> =
            clause.iter().map(|l| aig.input(l.unsigned_abs() as usize - 1).xor(*l < 0)).collect();
        conjuncts.push(aig.or_all(&lits));
    }
    let root = aig.and_all(&conjuncts);
    Predicate { aig, root }
}

/// The clauses without duplicates and without those that another one subsumes.
pub fn without_subsumed(mut clauses: Vec<Clause>) -> Vec<Clause> {
    clauses.iter_mut().for_each(|c| c.sort_unstable());
    clauses.sort_unstable_by(|a, b| (a.len(), a).cmp(&(b.len(), b)));
    clauses.dedup();
    let signature = |c: &Clause| c.iter().fold(0u64, |s, l| s | 1 << (l.unsigned_abs() % 64));
    let mut kept: Vec<(u64, Clause)> = Vec::with_capacity(clauses.len());
    for clause in clauses {
        let own = signature(&clause);
        let subsumed = kept.iter().any(|(other, k)| {
            other & !own == 0 && k.iter().all(|l| clause.binary_search(l).is_ok())
        });
        if !subsumed {
            kept.push((own, clause));
        }
    }
    kept.into_iter().map(|(_, clause)| clause).collect()
}
