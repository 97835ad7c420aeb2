//! Interpolation-sequence-based model checking (Vizel and Grumberg, FMCAD 2009).
//!
//! Paper: Beyer, Chien, Jankola, Lee, "A Transferability Study of Interpolation-Based Hardware
//! Model Checking for Software Verification", algorithms 1 and 2.
//!
//! BMC with exactly k steps; each refutation gives one interpolant per step,
//!
//! ```text
//! I(s₀) ∧ T(s₀,s₁) | T(s₁,s₂) | … | T(sₖ₋₁,sₖ) | ¬P(sₖ)      ⊤, τ₁, …, τₖ, ⊥
//! ```
//!
//! and τᵢ refines the i-th image by conjunction. The property is proved when an image is
//! contained in the union of those before it.

use crate::bmc::initially_bad;
use crate::contract::{Context, Engine, Insight, Outcome, UnknownReason};
use crate::images::Images;
use crate::interpolants::{record_interpolant, simplify};
use crate::origins::{Goal, Origins};
use crate::recorded::RecordedPath;
use crate::unroll::Encoder;
use std::sync::Arc;
use std::time::Instant;
use wedge_model::{Circuit, Predicate, Words};
use wedge_sat::{Answer, InterpolationSystem};

#[derive(Clone, Debug)]
pub struct Ismc {
    pub system: InterpolationSystem,
    /// Merge equivalent nodes of interpolants.
    pub simplify: bool,
    /// Check every sequence with a fresh solver.
    pub check_interpolants: bool,
    /// Lift interpolants to these words.
    pub lift: Option<Arc<Words>>,
    pub max_bound: Option<usize>,
}

impl Default for Ismc {
    fn default() -> Ismc {
        let system = InterpolationSystem::DualMcMillan;
        Ismc { system, simplify: true, check_interpolants: false, lift: None, max_bound: None }
    }
}

impl Engine for Ismc {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        if let Some(outcome) = initially_bad(circuit, context) {
            return outcome;
        }
        self.search(circuit, context).unwrap_or_else(Outcome::Unknown)
    }
}

impl Ismc {
    /// Algorithm 1 of paper 4, from line 8.
    fn search(&self, circuit: &Circuit, context: &Context) -> Result<Outcome, UnknownReason> {
        let encoder = Encoder::new(circuit);
        let mut path = RecordedPath::new(&encoder, &context.interrupt());
        let mut lifter = Origins::new(&self.lift, &encoder, context);
        let mut images = Images::new(&Predicate::constant(false, circuit.latches.len()));
        loop {
            path.extend();
            let bound = path.steps();
            let goal = path.bad();
            // I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ)
            let answer = path.solve(goal);
            context.record(|f| {
                f.bound = bound;
                f.queries = path.session.queries;
                f.solver_seconds = path.session.seconds;
            });
            match answer {
                Answer::Sat => return Ok(Outcome::Unsafe(path.trace())),
                Answer::Stopped => return Err(context.stop_reason()),
                Answer::Unsat => context.bounds().refute(bound),
            }
            self.refine(&mut images, &mut path, goal, &mut lifter, context)?;
            match images.fixed_point(context) {
                Ok(Some(index)) => {
                    context.record(|f| f.convergence = index);
                    return Ok(Outcome::Safe(images.union(1, index, &circuit.initial_states())));
                }
                Ok(None) => {}
                Err(_) => return Err(context.stop_reason()),
            }
            if self.max_bound == Some(bound) {
                return Err(UnknownReason::BoundReached(bound));
            }
        }
    }

    /// Lines 15 to 18: refines the images by an interpolation sequence and adds one.
    fn refine(
        &self,
        images: &mut Images,
        path: &mut RecordedPath,
        goal: i32,
        lifter: &mut Option<Origins>,
        context: &Context,
    ) -> Result<(), UnknownReason> {
        let mut clock = Instant::now();
        let internal = |error: String| UnknownReason::Internal(error);
        let mut sequence = path.interpolants(self.system).map_err(|e| internal(e.to_string()))?;
        if self.check_interpolants {
            path.check(&sequence, path.steps(), goal)
                .map_err(|flaw| internal(format!("sequence: {flaw:?}")))?;
        }
        if let Some(lifter) = lifter {
            let image = |index: usize| (index < images.len()).then(|| images.get(index));
            sequence = lifter.sequence(sequence, image, Goal::Bad, context);
        }
        let effort = path.last_seconds / sequence.len() as f64;
        for (index, interpolant) in sequence.into_iter().enumerate() {
            if let Some(reason) = context.interrupted() {
                return Err(reason);
            }
            let interpolant =
                if self.simplify { simplify(interpolant, effort, context) } else { interpolant };
            record_interpolant(&interpolant, clock.elapsed().as_secs_f64(), context);
            context.tell(&Insight::Interpolant(&interpolant));
            clock = Instant::now();
            match index + 1 < images.len() {
                true => images.refine(index + 1, &interpolant),
                false => images.push(&interpolant),
            }
        }
        Ok(())
    }
}
