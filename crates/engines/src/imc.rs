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
//! iterations of the failed attempt (`stride`), and the union is also checked for being
//! inductive before it is closed under images (`inductive_check`).
//!
//! With `incremental`, one recording session serves a bound: a start set is switched on by an
//! activation literal local to A, the bad states by one local to B, and partial interpolants are
//! kept. Otherwise every query has a session of its own in which the start set is asserted; the
//! proofs are then smaller, and so are the interpolants.

use crate::bmc::initially_bad;
use crate::contract::{Context, Engine, Outcome, UnknownReason};
use crate::interpolants::{add_folded, compact, cut_state, record_interpolant, simplify};
use crate::reached::Reached;
use crate::unroll::{Encoder, Path, encode_predicate};
use std::time::Instant;
use wedge_logic::Aig;
use wedge_model::{Circuit, Predicate, Trace};
use wedge_sat::check::{Flaw, check_interpolant};
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, Interpolator, Label, ProofError, Session, System};

#[derive(Clone, Debug)]
pub struct Imc {
    pub system: System,
    pub direction: Direction,
    pub stride: Stride,
    /// Also try whether the union of the images is already inductive.
    pub inductive_check: bool,
    /// Merge equivalent nodes of interpolants.
    pub simplify: bool,
    /// One session per bound instead of one per query.
    pub incremental: bool,
    /// Check every interpolant with a fresh solver.
    pub check_interpolants: bool,
    pub max_bound: Option<usize>,
}

impl Default for Imc {
    fn default() -> Imc {
        Imc {
            system: System::McMillan,
            direction: Direction::Backward,
            stride: Stride::Iterations,
            inductive_check: true,
            simplify: true,
            incremental: false,
            check_interpolants: false,
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

/// How much the bound grows after a spurious hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stride {
    One,
    Iterations,
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
        let mut bound = 1;
        loop {
            if self.max_bound.is_some_and(|limit| bound > limit) {
                return Outcome::Unknown(UnknownReason::BoundReached(bound - 1));
            }
            context.record(|f| f.bound = bound);
            match self.compute_reachable(&encoder, bound, context) {
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

impl Imc {
    fn effective_system(&self) -> System {
        match self.direction {
            Direction::Forward => self.system,
            Direction::Backward => self.system.dual(),
        }
    }

    /// Figure 4 of paper 5: closes the initial states under approximate images.
    fn compute_reachable(
        &self,
        encoder: &Encoder,
        bound: usize,
        context: &Context,
    ) -> Result<Attempt, UnknownReason> {
        let mut unrolling = self.unrolling(encoder, bound, Start::Initial, context);
        let mut reached = Reached::new(encoder, context);
        let mut frontier = encoder.circuit.initial_states();
        for iteration in 0.. {
            // frontier(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ (¬P(s₁) ∨ … ∨ ¬P(sₖ))
            match unrolling.solve(context) {
                Answer::Stopped => return Err(context.stop_reason()),
                Answer::Sat if iteration == 0 => {
                    return Ok(Attempt::Counterexample(unrolling.counterexample()));
                }
                Answer::Sat => return Ok(Attempt::Spurious(iteration)),
                Answer::Unsat => {}
            }
            reached.add(&frontier);
            let interpolant = self.interpolant(&mut unrolling, context)?;
            match reached.closed_by(&interpolant, self.inductive_check) {
                Answer::Unsat => {
                    context.record(|f| f.convergence = iteration + 1);
                    return Ok(Attempt::Fixpoint(reached.union()));
                }
                Answer::Sat => {}
                Answer::Stopped => return Err(context.stop_reason()),
            }
            if self.incremental {
                unrolling.switch_to(&interpolant);
            } else {
                unrolling = self.unrolling(encoder, bound, Start::At(&interpolant), context);
            }
            frontier = interpolant;
        }
        unreachable!("the loop has no bound")
    }

    fn unrolling(
        &self,
        encoder: &Encoder,
        bound: usize,
        start: Start,
        context: &Context,
    ) -> Unrolling {
        let start = if self.incremental { Start::Switched } else { start };
        let mut unrolling = Unrolling::new(encoder, bound, self.effective_system(), start, context);
        if self.incremental {
            unrolling.switch_to(&encoder.circuit.initial_states());
        }
        unrolling
    }

    /// The interpolant of the query just refuted, checked and simplified as configured.
    fn interpolant(
        &self,
        unrolling: &mut Unrolling,
        context: &Context,
    ) -> Result<Predicate, UnknownReason> {
        let clock = Instant::now();
        let internal = |error: String| UnknownReason::Internal(error);
        let raw = unrolling.interpolant().map_err(|e| internal(e.to_string()))?;
        if self.check_interpolants {
            unrolling.check(&raw).map_err(|flaw| internal(format!("interpolant: {flaw:?}")))?;
        }
        let effort = unrolling.last_seconds;
        let interpolant = if self.simplify { simplify(raw, effort, context) } else { raw };
        record_interpolant(&interpolant, clock.elapsed().as_secs_f64(), context);
        Ok(interpolant)
    }
}

/// Where the first step of an unrolling starts.
enum Start<'p> {
    /// In the initial states, which are constants of the encoding.
    Initial,
    At(&'p Predicate),
    /// Where an assumption says; see `switch_to`.
    Switched,
}

/// A recording session with k steps, cut after the first.
struct Unrolling {
    session: Session,
    interpolator: Interpolator,
    /// The graph of all interpolants; its inputs are the latches.
    aig: Aig,
    /// The latches of s₀.
    latches: Vec<i32>,
    /// The latches of s₁.
    cut: Vec<i32>,
    path: Path,
    /// ¬P(s₁), …, ¬P(sₖ).
    bads: Vec<i32>,
    /// What switches on the start set and the bad states.
    assumptions: Vec<i32>,
    last_seconds: f64,
}

impl Unrolling {
    fn new(
        encoder: &Encoder,
        bound: usize,
        system: System,
        start: Start,
        context: &Context,
    ) -> Self {
        let circuit = encoder.circuit;
        let mut session = Session::recording(&context.interrupt());
        let aig = Aig::with_inputs(circuit.latches.len());
        session.set_partition(0);
        let mut first = match start {
            Start::Initial => encoder.initial_frame(&mut session),
            _ => encoder.frame(&encoder.free_state(&mut session)),
        };
        let latches = encoder.state(&first);
        if let Start::At(predicate) = start {
            let inside = encode_predicate(predicate, &latches, &mut session);
            add_folded(&mut session, &[inside]);
        }
        encoder.constrain(&mut first, &mut session);
        let next = encoder.next_state(&mut first, &mut session);
        let (cut, shared) = cut_state(&mut session, &next, &aig);
        let mut labels = vec![Label::A; session.num_vars() as usize + 1];
        shared.iter().for_each(|&(var, lit)| labels[var as usize] = Label::Shared(lit));

        session.set_partition(1);
        let mut path = Path::default();
        path.push(circuit, &first);
        let mut bads = Vec::new();
        let mut state = cut.clone();
        for step in 1..=bound {
            let mut frame = encoder.frame(&state);
            encoder.constrain(&mut frame, &mut session);
            bads.push(encoder.bad(&mut frame, &mut session));
            if step < bound {
                state = encoder.next_state(&mut frame, &mut session);
            }
            path.push(circuit, &frame);
        }
        let mut goal = bads.clone();
        let mut assumptions = Vec::new();
        if matches!(start, Start::Switched) {
            assumptions = vec![TRUE, session.new_var()];
            goal.push(-assumptions[1]);
        }
        add_folded(&mut session, &goal);
        labels.resize(session.num_vars() as usize + 1, Label::B);
        let interpolator = Interpolator::new(system, 1, labels);
        let last_seconds = 0.0;
        #[rustfmt::skip]
        let unrolling = Unrolling {
            session, interpolator, aig, latches, cut, path, bads, assumptions, last_seconds,
        };
        unrolling
    }

    fn solve(&mut self, context: &Context) -> Answer {
        let before = self.session.seconds;
        let answer = self.session.solve(&self.assumptions);
        self.last_seconds = self.session.seconds - before;
        context.record(|f| {
            f.queries += 1;
            f.solver_seconds += self.last_seconds;
        });
        answer
    }

    /// Replaces the start set by a predicate on s₀.
    fn switch_to(&mut self, predicate: &Predicate) {
        self.session.set_partition(0);
        let first_new = self.session.num_vars() + 1;
        let inside = encode_predicate(predicate, &self.latches, &mut self.session);
        let start = self.session.new_var();
        add_folded(&mut self.session, &[-start, inside]);
        for var in first_new..=self.session.num_vars() {
            self.interpolator.set_label(var, Label::A);
        }
        self.assumptions[0] = start;
    }

    fn interpolant(&mut self) -> Result<Predicate, ProofError> {
        let root = self.session.refutation();
        let lit = self.interpolator.interpolate(&self.session.proof(), root, &mut self.aig)?;
        Ok(compact(&self.aig, lit))
    }

    /// A implies the interpolant, which contradicts B, by a fresh solver.
    fn check(&self, interpolant: &Predicate) -> Result<(), Flaw> {
        let proof = self.session.proof();
        let (mut a, mut b) = (proof.originals(|p| p == 0), proof.originals(|p| p == 1));
        if let [start, goal] = self.assumptions[..] {
            a.push(vec![start]);
            b.push(vec![goal]);
        }
        check_interpolant(&a, &b, &interpolant.aig, interpolant.root, &self.cut)
    }

    fn counterexample(&mut self) -> Trace {
        let session = &mut self.session;
        let last = self.bads.iter().position(|&bad| session.value(bad)).expect("a bad step");
        self.path.trace(last + 1, session)
    }
}
