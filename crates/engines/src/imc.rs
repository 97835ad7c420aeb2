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
//! One recording session serves a bound: a start set is switched on by an activation literal
//! local to A, the bad states by one local to B, and partial interpolants are kept.

use crate::contract::{Context, Engine, Outcome};
use crate::reached::Reached;
use crate::unroll::{Encoder, Path, encode_predicate};
use wedge_logic::{Aig, Lit};
use wedge_model::{Circuit, Predicate, Reset, Trace};
use wedge_sat::gates::Frame;
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, Interpolator, Label, Session, System};

#[derive(Clone, Debug)]
pub struct Imc {
    pub system: System,
    pub direction: Direction,
    pub stride: Stride,
    /// Also try whether the union of the images is already inductive.
    pub inductive_check: bool,
}

impl Default for Imc {
    fn default() -> Imc {
        Imc {
            system: System::McMillan,
            direction: Direction::Backward,
            stride: Stride::Iterations,
            inductive_check: true,
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
    Stopped(Outcome),
}

impl Engine for Imc {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        if let Some(outcome) = initially_bad(circuit, context) {
            return outcome;
        }
        let encoder = Encoder::new(circuit);
        let mut bound = 1;
        loop {
            context.record(|f| f.bound = bound);
            match self.compute_reachable(&encoder, bound, context) {
                Attempt::Fixpoint(invariant) => return Outcome::Safe(invariant),
                Attempt::Counterexample(trace) => return Outcome::Unsafe(trace),
                Attempt::Stopped(outcome) => return outcome,
                Attempt::Spurious(iterations) => {
                    bound += match self.stride {
                        Stride::One => 1,
                        Stride::Iterations => iterations.max(1),
                    }
                }
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
    fn compute_reachable(&self, encoder: &Encoder, bound: usize, context: &Context) -> Attempt {
        let mut unrolling = Unrolling::new(encoder, bound, self.effective_system(), context);
        let mut reached = Reached::new(encoder, context);
        let mut frontier = encoder.circuit.initial_states();
        let mut start = unrolling.start_at_initial();
        for iteration in 0.. {
            // frontier(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ (¬P(s₁) ∨ … ∨ ¬P(sₖ))
            let answer = unrolling.session.solve(&[start, unrolling.goal]);
            unrolling.record(context);
            match answer {
                Answer::Stopped => {
                    return Attempt::Stopped(Outcome::Unknown(context.stop_reason()));
                }
                Answer::Sat if iteration == 0 => {
                    return Attempt::Counterexample(unrolling.counterexample());
                }
                Answer::Sat => return Attempt::Spurious(iteration),
                Answer::Unsat => {}
            }
            reached.add(&frontier);
            let interpolant = match unrolling.interpolant(context) {
                Ok(interpolant) => interpolant,
                Err(error) => return Attempt::Stopped(Outcome::internal(error)),
            };
            match reached.closed_by(&interpolant, self.inductive_check) {
                Answer::Unsat => {
                    context.record(|f| f.convergence = iteration + 1);
                    return Attempt::Fixpoint(reached.union());
                }
                Answer::Sat => {}
                Answer::Stopped => {
                    return Attempt::Stopped(Outcome::Unknown(context.stop_reason()));
                }
            }
            start = unrolling.start_at(&interpolant);
            frontier = interpolant;
        }
        unreachable!("the loop has no bound")
    }
}

/// I(s₀) ∧ ¬P(s₀), the one case that the unrolling does not cover.
pub fn initially_bad(circuit: &Circuit, context: &Context) -> Option<Outcome> {
    let bmc = crate::bmc::Bmc { max_bound: Some(0) };
    match bmc.run(circuit, context) {
        Outcome::Unknown(crate::contract::UnknownReason::BoundReached(_)) => None,
        decided => Some(decided),
    }
}

/// A recording session with k steps, cut after the first.
struct Unrolling<'e> {
    encoder: &'e Encoder<'e>,
    session: Session,
    interpolator: Interpolator,
    /// The graph of all interpolants; its inputs are the latches.
    aig: Aig,
    /// The latches of s₀.
    latches: Vec<i32>,
    first: Frame,
    path: Path,
    /// ¬P(s₁), …, ¬P(sₖ).
    bads: Vec<i32>,
    /// Switches on their disjunction.
    goal: i32,
}

impl<'e> Unrolling<'e> {
    fn new(encoder: &'e Encoder, bound: usize, system: System, context: &Context) -> Self {
        let circuit = encoder.circuit;
        let mut session = Session::recording(&context.interrupt());
        let aig = Aig::with_inputs(circuit.latches.len());
        session.set_partition(0);
        let latches = encoder.free_state(&mut session);
        let mut first = encoder.frame(&latches);
        encoder.constrain(&mut first, &mut session);
        let next = encoder.next_state(&mut first, &mut session);
        let (cut, shared) = cut_state(&mut session, &next, &aig);
        let mut labels = vec![Label::A; session.num_vars() as usize + 1];
        shared.iter().for_each(|&(var, lit)| labels[var as usize] = Label::Shared(lit));

        session.set_partition(1);
        let mut path = Path::default();
        path.push(circuit, &first);
        let mut bads = Vec::new();
        let mut state = cut;
        for step in 1..=bound {
            let mut frame = encoder.frame(&state);
            encoder.constrain(&mut frame, &mut session);
            bads.push(encoder.bad(&mut frame, &mut session));
            if step < bound {
                state = encoder.next_state(&mut frame, &mut session);
            }
            path.push(circuit, &frame);
        }
        let goal = session.new_var();
        let mut clause: Vec<i32> = bads.iter().copied().filter(|&b| b != -TRUE).collect();
        if !clause.contains(&TRUE) {
            clause.push(-goal);
            session.add_clause(&clause);
        }
        labels.resize(session.num_vars() as usize + 1, Label::B);
        let interpolator = Interpolator::new(system, 1, labels);
        Unrolling { encoder, session, interpolator, aig, latches, first, path, bads, goal }
    }

    /// An activation literal for I(s₀).
    fn start_at_initial(&mut self) -> i32 {
        self.session.set_partition(0);
        let first_new = self.session.num_vars() + 1;
        let start = self.session.new_var();
        for (index, latch) in self.encoder.circuit.latches.iter().enumerate() {
            let state = self.latches[index];
            match latch.reset {
                Reset::Free => {}
                Reset::Const(value) => {
                    self.session.add_clause(&[-start, if value { state } else { -state }]);
                }
                Reset::Function(lit) => {
                    let value = self.first.encode(&self.encoder.gates, &mut self.session, lit);
                    add_folded(&mut self.session, &[-start, -state, value]);
                    add_folded(&mut self.session, &[-start, state, -value]);
                }
            }
        }
        self.label_new_variables(first_new);
        start
    }

    /// An activation literal for a predicate on s₀.
    fn start_at(&mut self, predicate: &Predicate) -> i32 {
        self.session.set_partition(0);
        let first_new = self.session.num_vars() + 1;
        let root = encode_predicate(predicate, &self.latches, &mut self.session);
        let start = self.session.new_var();
        add_folded(&mut self.session, &[-start, root]);
        self.label_new_variables(first_new);
        start
    }

    fn label_new_variables(&mut self, first: i32) {
        for var in first..=self.session.num_vars() {
            self.interpolator.set_label(var, Label::A);
        }
    }

    /// The interpolant of the query just refuted.
    fn interpolant(&mut self, context: &Context) -> Result<Predicate, wedge_sat::ProofError> {
        let clock = std::time::Instant::now();
        let root = self.session.refutation();
        let lit = self.interpolator.interpolate(&self.session.proof(), root, &mut self.aig)?;
        let predicate = compact(&self.aig, lit);
        let size = predicate.aig.num_ands() as u64;
        context.record(|f| {
            f.interpolation_seconds += clock.elapsed().as_secs_f64();
            f.interpolants += 1;
            f.interpolant_ands += size;
            f.largest_interpolant = f.largest_interpolant.max(size);
        });
        Ok(predicate)
    }

    fn counterexample(&mut self) -> Trace {
        let session = &mut self.session;
        let last = self.bads.iter().position(|&bad| session.value(bad)).expect("a bad step");
        self.path.trace(last + 1, session)
    }

    fn record(&mut self, context: &Context) {
        let (queries, seconds) = (self.session.queries, self.session.seconds);
        (self.session.queries, self.session.seconds) = (0, 0.0);
        context.record(|f| {
            f.queries += queries;
            f.solver_seconds += seconds;
        });
    }
}

/// Literals for the latches of s₁ that a B-side may use, and the shared variables with their
/// meaning. Where several latches would share a variable, or a latch is constant, a variable of
/// its own keeps the cut a plain renaming of the latches.
pub fn cut_state(session: &mut Session, next: &[i32], aig: &Aig) -> (Vec<i32>, Vec<(i32, Lit)>) {
    let mut taken = rustc_hash::FxHashSet::default();
    let mut cut = Vec::with_capacity(next.len());
    let mut shared = Vec::with_capacity(next.len());
    for (index, &lit) in next.iter().enumerate() {
        let literal = if lit.abs() == TRUE || !taken.insert(lit.abs()) {
            let copy = session.new_var();
            add_folded(session, &[-copy, lit]);
            add_folded(session, &[copy, -lit]);
            copy
        } else {
            lit
        };
        cut.push(literal);
        shared.push((literal.abs(), aig.input(index).xor(literal < 0)));
    }
    (cut, shared)
}

/// Adds a clause whose literals may be constants.
pub fn add_folded(session: &mut Session, clause: &[i32]) {
    if !clause.contains(&TRUE) {
        let clause: Vec<i32> = clause.iter().copied().filter(|&l| l != -TRUE).collect();
        session.add_clause(&clause);
    }
}

/// The cone of a literal as a graph of its own.
pub fn compact(aig: &Aig, root: Lit) -> Predicate {
    let mut target = Aig::with_inputs(aig.num_inputs());
    let inputs: Vec<Lit> = (0..aig.num_inputs()).map(|i| target.input(i)).collect();
    let root = aig.copy_into(&mut target, &[root], &inputs)[0];
    Predicate { aig: target, root }
}
