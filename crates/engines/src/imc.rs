//! Interpolation-based model checking (McMillan, CAV 2003).
//!
//! Papers: Beyer, Lee, Wendler, "Interpolation and SAT-Based Model Checking Revisited",
//! algorithms 1 and 2; Vizel, Ryvchin, Nadel, "Efficient Generation of Small Interpolants in
//! CNF", figures 3 and 4 (there called ITP).
//!
//! For a bound k the unrolled system is cut after its first step:
//!
//! ```text
//! A = frontier(s₀) ∧ T(s₀,s₁)        B = T(s₁,s₂) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ (¬P(s₁) ∨ … ∨ ¬P(sₖ))
//! ```
//!
//! The interpolant over-approximates the image of the frontier and cannot reach a bad state in
//! k−1 steps; it becomes the next frontier. When it adds nothing to the union of its
//! predecessors, that union is an inductive invariant. When A ∧ B is satisfiable from a frontier
//! that is not the initial states, the bound grows.
//!
//! Named differences from the papers, each an option: the bound grows by the number of
//! iterations of the failed attempt (`stride`), the union is also checked for being inductive
//! before it is closed under images (`inductive_check`), interpolants are swept (`simplify`) and
//! lose what proofs do not need of them (`reduce`), the smallest of three systems can be taken
//! (`smallest`), and counterexamples are also searched for beside the queries (`ahead`).
//!
//! A recording session can serve all queries of a bound: a start set is switched on by an
//! activation literal local to A, the bad states by one local to B, and partial interpolants are
//! kept. Or every query has a session of its own in which the start set is asserted; the proofs
//! are then smaller, and so are the interpolants. By default (`Reuse::Adaptive`) a session is
//! kept as long as its queries are cheaper than building another.

use crate::ahead::Ahead;
use crate::bmc::initially_bad;
use crate::contract::{Context, Engine, Insight, Outcome, UnknownReason};
use crate::cut::{CutUnrolling, Start, Stride};
use crate::figures;
use crate::interpolants::{record_interpolant, simplify};
use crate::origins::Origins;
use crate::reached::Reached;
use crate::reduction::{Reduce, Reducer};
use crate::unroll::Encoder;
use std::sync::Arc;
use std::time::Instant;
use wedge_model::{Circuit, Predicate, Trace, Words};
use wedge_sat::{Answer, InterpolationSystem};

const ALL_SYSTEMS: [InterpolationSystem; 3] =
    [InterpolationSystem::McMillan, InterpolationSystem::Pudlak, InterpolationSystem::DualMcMillan];

#[derive(Clone, Debug)]
pub struct Imc {
    pub system: InterpolationSystem,
    /// Take the smallest interpolant of all systems, whichever `system` says.
    pub smallest: bool,
    pub direction: Direction,
    pub stride: Stride,
    /// Also try whether the union of the images is already inductive.
    pub inductive_check: bool,
    /// Merge equivalent nodes of interpolants.
    pub simplify: bool,
    /// Drop parts of interpolants that proofs do not need.
    pub reduce: Reduce,
    pub reuse: Reuse,
    /// Give a part of the time to bounded model checking.
    pub ahead: bool,
    /// Check every interpolant with a fresh solver.
    pub check_interpolants: bool,
    /// Lift interpolants to these words.
    pub lift: Option<Arc<Words>>,
    pub max_bound: Option<usize>,
}

impl Default for Imc {
    fn default() -> Imc {
        Imc {
            system: InterpolationSystem::McMillan,
            smallest: false,
            direction: Direction::Backward,
            stride: Stride::Iterations,
            inductive_check: true,
            simplify: true,
            reduce: Reduce::Strengthen,
            reuse: Reuse::Adaptive,
            ahead: true,
            check_interpolants: false,
            lift: None,
            max_bound: None,
        }
    }
}

/// Whether interpolants are derived as itp(A, B) or as ¬itp(B, A) (paper 1, section 4.5).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    Forward,
    Backward,
}

/// When a recording session serves more than one query.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reuse {
    Never,
    Adaptive,
    /// One session per bound.
    Always,
}

/// How an attempt with a fixed bound ends.
enum Attempt {
    Fixpoint(Predicate),
    Counterexample(Trace),
    /// A frontier reached a bad state after so many interpolants.
    Spurious(usize),
}

impl Engine for Imc {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        if let Some(outcome) = initially_bad(circuit, context) {
            return outcome;
        }
        let encoder = Encoder::new(circuit);
        let mut reached = Reached::new(&encoder, context);
        let mut lifter = Origins::new(&self.lift, &encoder, context);
        let mut reducer = Reducer::new(&encoder, self.reduce);
        // It knows no bound.
        let looks_ahead = self.ahead && self.max_bound.is_none();
        let mut ahead = looks_ahead.then(|| Ahead::new(circuit, context));
        let mut bound = 1;
        loop {
            if self.max_bound.is_some_and(|limit| bound > limit) {
                return Outcome::Unknown(UnknownReason::BoundReached(bound - 1));
            }
            context.record(|f| f.bound = bound);
            context.tell(&Insight::Bound(bound));
            let beside = (&mut lifter, &mut ahead);
            let sets = (&mut reached, &mut reducer);
            match self.compute_reachable(&encoder, bound, sets, beside, context) {
                Ok(Attempt::Fixpoint(invariant)) => {
                    context.tell(&Insight::FixedPoint(&invariant));
                    return Outcome::Safe(invariant);
                }
                Ok(Attempt::Counterexample(trace)) => return Outcome::Unsafe(trace),
                Ok(Attempt::Spurious(iterations)) => {
                    context.record(|f| f.refinements += 1);
                    context.tell(&Insight::Spurious);
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

impl Imc {
    /// The systems that interpolants are taken from, seen from A.
    fn systems(&self) -> Vec<InterpolationSystem> {
        if self.smallest {
            return ALL_SYSTEMS.to_vec();
        }
        match self.direction {
            Direction::Forward => vec![self.system],
            Direction::Backward => vec![self.system.dual()],
        }
    }

    /// Figure 4 of paper 5: closes the initial states under approximate images.
    fn compute_reachable(
        &self,
        encoder: &Encoder,
        bound: usize,
        (reached, reducer): (&mut Reached, &mut Reducer),
        (lifter, ahead): (&mut Option<Origins>, &mut Option<Ahead>),
        context: &Context,
    ) -> Result<Attempt, UnknownReason> {
        let mut unrolling = self.unrolling(encoder, bound, context);
        reached.clear();
        let mut frontier = encoder.circuit.initial_states();
        for iteration in 0.. {
            if let Some(trace) = ahead.as_mut().and_then(|ahead| ahead.look(context)) {
                return Ok(Attempt::Counterexample(trace));
            }
            // frontier(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ (¬P(s₁) ∨ … ∨ ¬P(sₖ))
            match unrolling.solve(context) {
                Answer::Stopped => return Err(context.stop_reason()),
                Answer::Sat if iteration == 0 => {
                    return Ok(Attempt::Counterexample(unrolling.counterexample()));
                }
                Answer::Sat => return Ok(Attempt::Spurious(iteration)),
                Answer::Unsat if iteration == 0 => context.bounds().refute(bound),
                Answer::Unsat => {}
            }
            reached.add(&frontier);
            let mut interpolant =
                self.interpolant(&mut unrolling, (&frontier, bound), reducer, context)?;
            if let Some(lifter) = lifter {
                interpolant = lifter.image(interpolant, &frontier, bound, context);
            }
            context.tell(&Insight::Interpolant(&interpolant));
            match reached.closed_by(&interpolant, self.inductive_check) {
                Answer::Unsat => {
                    context.record(|f| f.convergence = iteration + 1);
                    return Ok(Attempt::Fixpoint(reached.union()));
                }
                Answer::Sat => {}
                Answer::Stopped => return Err(context.stop_reason()),
            }
            self.restart(&mut unrolling, encoder, bound, &interpolant, context);
            frontier = interpolant;
        }
        unreachable!("the loop has no bound")
    }

    /// The unrolling for the first query of a bound.
    fn unrolling(&self, encoder: &Encoder, bound: usize, context: &Context) -> CutUnrolling {
        let systems = &self.systems();
        if self.reuse != Reuse::Always {
            return CutUnrolling::new(encoder, bound, systems, Start::Initial, context);
        }
        let mut unrolling = CutUnrolling::new(encoder, bound, systems, Start::Switched, context);
        unrolling.switch_to(&encoder.circuit.initial_states());
        unrolling
    }

    /// Lets the next query start from `frontier`, in the same session or in another one.
    fn restart(
        &self,
        unrolling: &mut CutUnrolling,
        encoder: &Encoder,
        bound: usize,
        frontier: &Predicate,
        context: &Context,
    ) {
        let cheap = unrolling.last_seconds <= unrolling.build_seconds;
        let keep = match self.reuse {
            Reuse::Never => false,
            Reuse::Adaptive => cheap,
            Reuse::Always => true,
        };
        if !keep {
            let (systems, start) = (&self.systems(), Start::At(frontier));
            *unrolling = CutUnrolling::new(encoder, bound, systems, start, context);
            return;
        }
        if !unrolling.is_switched() {
            let (systems, start) = (&self.systems(), Start::Switched);
            *unrolling = CutUnrolling::new(encoder, bound, systems, start, context);
        }
        unrolling.switch_to(frontier);
    }

    /// The interpolant of the query just refuted, checked and simplified as configured.
    fn interpolant(
        &self,
        unrolling: &mut CutUnrolling,
        (frontier, bound): (&Predicate, usize),
        reducer: &mut Reducer,
        context: &Context,
    ) -> Result<Predicate, UnknownReason> {
        let clock = Instant::now();
        let internal = |error: String| UnknownReason::Internal(error);
        let raw = unrolling.interpolant().map_err(|e| internal(e.to_string()))?;
        if self.check_interpolants {
            unrolling.check(&raw).map_err(|flaw| internal(format!("interpolant: {flaw:?}")))?;
        }
        let effort = unrolling.last_seconds;
        context.record(|f| f.add(figures::RAW_ANDS, raw.aig.num_ands() as f64));
        let swept = if self.simplify { simplify(raw, effort, context) } else { raw };
        context.record(|f| f.add(figures::SWEPT_ANDS, swept.aig.num_ands() as f64));
        let interpolant = reducer.reduce(swept, frontier, bound, context);
        if self.check_interpolants {
            let checked = unrolling.check(&interpolant);
            checked.map_err(|flaw| internal(format!("reduced interpolant: {flaw:?}")))?;
        }
        record_interpolant(&interpolant, clock.elapsed().as_secs_f64(), context);
        Ok(interpolant)
    }
}
