//! Dual approximated reachability (Vizel, Grumberg, Shoham, TACAS 2013).
//!
//! Paper: Beyer, Chien, Jankola, Lee, "A Transferability Study of Interpolation-Based Hardware
//! Model Checking for Software Verification", algorithms 3 and 4.
//!
//! Two reachability sequences grow together: F₀ = I, F₁, … forward from the initial states and
//! B₀ = ¬P, B₁, … backward from the bad ones. If Fᵢ cannot step into Bₙ₋₁₋ᵢ for some i, there is
//! no counterexample of length n, and interpolants of that local fact, which has a single copy of
//! T, strengthen and extend both sequences. Only when no such i exists is the system unrolled
//! from the initial states, step by step, against the backward sequence.
//!
//! Where bad or a constraint reads an input, the circuit is first given a monitor, so that ¬P is
//! a set of states.

use crate::bmc::initially_bad;
use crate::contract::{Context, Engine, Outcome, UnknownReason};
use crate::figures;
use crate::images::Images;
use crate::interpolants::{add_folded, compact, cut_state, record_interpolant, simplify};
use crate::origins::{Goal, Origins};
use crate::recorded::RecordedPath;
use crate::unroll::{Encoder, encode_predicate};
use std::sync::Arc;
use std::time::Instant;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};
use wedge_model::monitor::monitor;
use wedge_model::{Circuit, Predicate, Words};
use wedge_sat::{Answer, InterpolationSystem, Interpolator, Label, Session};

#[derive(Clone, Debug)]
pub struct Dar {
    pub system: InterpolationSystem,
    pub simplify: bool,
    pub check_interpolants: bool,
    /// Lift interpolants to these words.
    pub lift: Option<Arc<Words>>,
    pub max_bound: Option<usize>,
}

impl Default for Dar {
    fn default() -> Dar {
        let system = InterpolationSystem::DualMcMillan;
        Dar { system, simplify: true, check_interpolants: false, lift: None, max_bound: None }
    }
}

impl Engine for Dar {
    fn run(&self, circuit: &Circuit, context: &Context) -> Outcome {
        if let Some(outcome) = initially_bad(circuit, context) {
            return outcome;
        }
        if circuit.constraints.is_empty() && !reads_inputs(circuit, circuit.bad) {
            return self.search(circuit, 0, context).unwrap_or_else(Outcome::Unknown);
        }
        let (monitored, way_back) = monitor(circuit);
        match self.search(&monitored, 1, context) {
            Ok(Outcome::Safe(invariant)) => Outcome::Safe(way_back.predicate(&invariant)),
            Ok(Outcome::Unsafe(trace)) => Outcome::Unsafe(way_back.trace(&trace)),
            Ok(other) => other,
            Err(reason) => Outcome::Unknown(reason),
        }
    }
}

fn reads_inputs(circuit: &Circuit, lit: Lit) -> bool {
    let cone = circuit.aig.cone(&[lit]);
    circuit.inputs.iter().any(|input| cone[input.node() as usize])
}

/// ¬P as a set of states.
///
/// Requires: bad reads no input.
fn bad_states(circuit: &Circuit) -> Predicate {
    let mut aig = Aig::with_inputs(circuit.latches.len());
    let mut inputs = vec![Lit::FALSE; circuit.aig.num_inputs()];
    for (index, latch) in circuit.latches.iter().enumerate() {
        if let Node::Input(input) = circuit.aig.node(latch.state.node()) {
            inputs[input as usize] = aig.input(index);
        }
    }
    let root = circuit.aig.copy_into(&mut aig, &[circuit.bad], &inputs)[0];
    Predicate { aig, root }
}

impl Dar {
    /// Algorithm 3 of paper 4, from line 8. The circuit tells of bad states so many steps late.
    fn search(
        &self,
        circuit: &Circuit,
        delay: usize,
        context: &Context,
    ) -> Result<Outcome, UnknownReason> {
        let encoder = Encoder::new(circuit);
        let mut run = Run {
            config: self,
            context,
            path: RecordedPath::new(&encoder, &context.interrupt()),
            local: Local::new(&encoder, self.system, context),
            forward: Images::new(&circuit.initial_states()),
            backward: Images::new(&bad_states(circuit)),
            lifter: Origins::new(&self.lift, &encoder, context),
        };
        run.local.strengthen_forward(0, &run.forward.get(0));
        run.local.strengthen_backward(0, &run.backward.get(0));
        loop {
            if let Some(invariant) = run.fixed_point(circuit)? {
                return Ok(Outcome::Safe(invariant));
            }
            let length = run.forward.len();
            context.record(|f| {
                f.bound = length;
                f.add(figures::ITERATIONS, 1.0);
            });
            let index = match run.smallest_unsat_index()? {
                Some(index) => index,
                None => match run.strengthen_globally()? {
                    Some(steps) => steps - 1,
                    None => return Ok(Outcome::Unsafe(run.path.trace())),
                },
            };
            context.bounds().refute(length - delay);
            run.strengthen_pairwise(index)?;
            if self.max_bound == Some(length) {
                return Err(UnknownReason::BoundReached(length));
            }
        }
    }
}

struct Run<'r> {
    config: &'r Dar,
    context: &'r Context,
    /// The unrolling of the global stage; it only grows.
    path: RecordedPath<'r>,
    local: Local,
    forward: Images,
    backward: Images,
    lifter: Option<Origins<'r>>,
}

impl Run<'_> {
    /// Line 12: ⋁Fᵢ, or the complement of ⋁Bᵢ, is an invariant if the sequence converged.
    fn fixed_point(&mut self, circuit: &Circuit) -> Result<Option<Predicate>, UnknownReason> {
        let stopped = |_| self.context.stop_reason();
        if let Some(index) = self.forward.fixed_point(self.context).map_err(stopped)? {
            self.context.record(|f| f.convergence = index);
            let nothing = Predicate::constant(false, circuit.latches.len());
            return Ok(Some(self.forward.union(0, index, &nothing)));
        }
        if let Some(index) = self.backward.fixed_point(self.context).map_err(stopped)? {
            self.context.record(|f| {
                f.convergence = index;
                f.add(figures::BACKWARD_FIXED_POINT, 1.0);
            });
            let nothing = Predicate::constant(false, circuit.latches.len());
            let union = self.backward.union(0, index, &nothing);
            return Ok(Some(Predicate { root: !union.root, aig: union.aig }));
        }
        Ok(None)
    }

    /// Line 13: the smallest i for which Fᵢ(s) ∧ T(s,s') ∧ Bₙ₋₁₋ᵢ(s') is unsatisfiable.
    fn smallest_unsat_index(&mut self) -> Result<Option<usize>, UnknownReason> {
        let length = self.forward.len();
        for index in 0..length {
            match self.local.solve(index, length - 1 - index, self.context) {
                Answer::Unsat => return Ok(Some(index)),
                Answer::Sat => {}
                Answer::Stopped => return Err(self.context.stop_reason()),
            }
        }
        Ok(None)
    }

    /// Lines 14 to 28: the smallest i for which I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sᵢ₋₁,sᵢ) ∧ Bₙ₋ᵢ(sᵢ) is
    /// unsatisfiable; its interpolants refine the forward sequence. `None` if there is a
    /// counterexample of length n.
    fn strengthen_globally(&mut self) -> Result<Option<usize>, UnknownReason> {
        let context = self.context;
        context.record(|f| f.add(figures::GLOBAL_STRENGTHENINGS, 1.0));
        let length = self.forward.len();
        for steps in 1..=length {
            while self.path.steps() < steps {
                self.path.extend();
            }
            let goal = self.path.predicate_at(steps, &self.backward.get(length - steps));
            let answer = self.path.solve(goal);
            let seconds = self.path.last_seconds;
            context.record(|f| {
                f.queries += 1;
                f.solver_seconds += seconds;
            });
            match answer {
                Answer::Stopped => return Err(context.stop_reason()),
                Answer::Sat if steps == length => return Ok(None),
                Answer::Sat => {}
                Answer::Unsat => {
                    self.refine_forward(steps, goal)?;
                    return Ok(Some(steps));
                }
            }
        }
        unreachable!("the last query is the exact one")
    }

    /// Lines 25 to 27.
    fn refine_forward(&mut self, steps: usize, goal: i32) -> Result<(), UnknownReason> {
        let mut clock = Instant::now();
        let internal = |error: String| UnknownReason::Internal(error);
        let mut sequence = self
            .path
            .interpolants(self.config.system)
            .map_err(|error| internal(error.to_string()))?;
        if self.config.check_interpolants {
            self.path
                .check(&sequence, steps, goal)
                .map_err(|flaw| internal(format!("sequence: {flaw:?}")))?;
        }
        if let Some(lifter) = &mut self.lifter {
            let goal = self.backward.get(self.forward.len() - steps);
            let forward = &self.forward;
            let image = |index: usize| (index < forward.len()).then(|| forward.get(index));
            sequence.truncate(steps);
            sequence = lifter.sequence(sequence, image, Goal::States(&goal), self.context);
        }
        let last = steps.min(self.forward.len() - 1);
        for (index, interpolant) in sequence.into_iter().take(last).enumerate() {
            let effort = self.path.last_seconds / steps as f64;
            let interpolant = self.prepare(interpolant, effort, &mut clock);
            self.forward.refine(index + 1, &interpolant);
            self.local.strengthen_forward(index + 1, &interpolant);
        }
        Ok(())
    }

    fn prepare(&self, interpolant: Predicate, effort: f64, clock: &mut Instant) -> Predicate {
        let interpolant = match self.config.simplify {
            true => simplify(interpolant, effort, self.context),
            false => interpolant,
        };
        record_interpolant(&interpolant, clock.elapsed().as_secs_f64(), self.context);
        *clock = Instant::now();
        interpolant
    }

    /// Algorithm 4: from the local fact at `index`, both sequences are refined and extended.
    fn strengthen_pairwise(&mut self, index: usize) -> Result<(), UnknownReason> {
        let length = self.forward.len();
        let latches = self.forward.get(0).aig.num_inputs();
        self.forward.push(&Predicate::constant(true, latches));
        for j in index..length {
            let interpolant = self.local_interpolant(j, length - 1 - j, Side::Forward)?;
            self.forward.refine(j + 1, &interpolant);
            self.local.strengthen_forward(j + 1, &interpolant);
        }
        self.backward.push(&Predicate::constant(true, latches));
        for j in length - 1 - index..length {
            let interpolant = self.local_interpolant(length - 1 - j, j, Side::Backward)?;
            self.backward.refine(j + 1, &interpolant);
            self.local.strengthen_backward(j + 1, &interpolant);
        }
        Ok(())
    }

    /// itp(Fᵢ(s) ∧ T(s,s'), Bⱼ(s')) or itp(Bⱼ(s') ∧ T(s,s'), Fᵢ(s)).
    fn local_interpolant(
        &mut self,
        i: usize,
        j: usize,
        side: Side,
    ) -> Result<Predicate, UnknownReason> {
        match self.local.solve(i, j, self.context) {
            Answer::Unsat => {}
            Answer::Stopped => return Err(self.context.stop_reason()),
            Answer::Sat => {
                let cause = format!("F{i} reaches B{j} although it was shown not to");
                return Err(UnknownReason::Internal(cause));
            }
        }
        let mut clock = Instant::now();
        let raw = self
            .local
            .interpolant(side, self.config.check_interpolants)
            .map_err(UnknownReason::Internal)?;
        let interpolant = self.prepare(raw, self.local.last_seconds, &mut clock);
        let Some(lifter) = &mut self.lifter else { return Ok(interpolant) };
        let (from, to) = (self.forward.get(i), self.backward.get(j));
        Ok(match side {
            Side::Forward => lifter.forward(interpolant, &from, &to, self.context),
            Side::Backward => lifter.backward(interpolant, &from, &to, self.context),
        })
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Forward,
    Backward,
}

/// One recorded copy of T(s,s'), with both sequences attached by activation literals.
///
/// Partition 0 holds the forward images at s, partition 1 the step, partition 2 the backward
/// images at s'. A proof is cut after partition 1 for forward interpolants, before it for
/// backward ones.
struct Local {
    session: Session,
    before: Vec<i32>,
    after: Vec<i32>,
    forward: Vec<i32>,
    backward: Vec<i32>,
    /// Cut after partition 1: interpolants over s'.
    over_after: Interpolator,
    /// Cut before partition 1: interpolants over s.
    over_before: Interpolator,
    aig: Aig,
    assumptions: [i32; 2],
    last_seconds: f64,
}

impl Local {
    fn new(encoder: &Encoder, system: InterpolationSystem, context: &Context) -> Local {
        let mut session = Session::recording(&context.interrupt());
        let aig = Aig::with_inputs(encoder.circuit.latches.len());
        session.set_partition(1);
        let before = encoder.free_state(&mut session);
        let mut frame = encoder.frame(&before);
        let next = encoder.next_state(&mut frame, &mut session);
        let (after, shared) = cut_state(&mut session, &next, &aig);
        let mut over_after = vec![Label::A; session.num_vars() as usize + 1];
        shared.iter().for_each(|&(var, lit)| over_after[var as usize] = Label::Shared(lit));
        let mut over_before = vec![Label::B; session.num_vars() as usize + 1];
        for (index, &var) in before.iter().enumerate() {
            over_before[var as usize] = Label::Shared(aig.input(index));
        }
        Local {
            session,
            before,
            after,
            forward: Vec::new(),
            backward: Vec::new(),
            over_after: Interpolator::new(system, 2, over_after),
            // τ with B ∧ T → τ and τ ∧ F unsatisfiable is the negated interpolant of (F, T ∧ B).
            over_before: Interpolator::new(system.dual(), 1, over_before),
            aig,
            assumptions: [0; 2],
            last_seconds: 0.0,
        }
    }

    fn strengthen_forward(&mut self, index: usize, by: &Predicate) {
        let first_new = self.session.num_vars() + 1;
        self.session.set_partition(0);
        attach(&mut self.session, &mut self.forward, index, by, &self.before);
        self.label_new(first_new, Label::A);
    }

    fn strengthen_backward(&mut self, index: usize, by: &Predicate) {
        let first_new = self.session.num_vars() + 1;
        self.session.set_partition(2);
        attach(&mut self.session, &mut self.backward, index, by, &self.after);
        self.label_new(first_new, Label::B);
    }

    fn label_new(&mut self, first: i32, label: Label) {
        for var in first..=self.session.num_vars() {
            self.over_after.set_label(var, label);
            self.over_before.set_label(var, label);
        }
    }

    /// Fᵢ(s) ∧ T(s,s') ∧ Bⱼ(s')
    fn solve(&mut self, i: usize, j: usize, context: &Context) -> Answer {
        self.assumptions = [self.forward[i], self.backward[j]];
        let before = self.session.seconds;
        let answer = self.session.solve(&self.assumptions);
        self.last_seconds = self.session.seconds - before;
        context.record(|f| {
            f.queries += 1;
            f.solver_seconds += self.last_seconds;
        });
        answer
    }

    fn interpolant(&mut self, side: Side, check: bool) -> Result<Predicate, String> {
        let root = self.session.refutation();
        let proof = self.session.proof();
        let lit = match side {
            Side::Forward => self.over_after.interpolate(&proof, root, &mut self.aig),
            Side::Backward => self.over_before.interpolate(&proof, root, &mut self.aig).map(|i| !i),
        };
        let interpolant = compact(&self.aig, lit.map_err(|error| error.to_string())?);
        if check {
            self.check(side, &interpolant)?;
        }
        Ok(interpolant)
    }

    fn check(&self, side: Side, interpolant: &Predicate) -> Result<(), String> {
        let proof = self.session.proof();
        let (mut forward, step) = (proof.originals(|p| p == 0), proof.originals(|p| p == 1));
        let mut backward = proof.originals(|p| p == 2);
        forward.push(vec![self.assumptions[0]]);
        backward.push(vec![self.assumptions[1]]);
        let (a, b, variables) = match side {
            Side::Forward => ([forward, step].concat(), backward, &self.after),
            Side::Backward => ([backward, step].concat(), forward, &self.before),
        };
        let (aig, root) = (&interpolant.aig, interpolant.root);
        wedge_sat::check::check_interpolant(&a, &b, aig, root, variables)
            .map_err(|flaw| format!("local interpolant: {flaw:?}"))
    }
}

/// Makes the activation literal of image `index` imply one more predicate on these latches.
fn attach(
    session: &mut Session,
    active: &mut Vec<i32>,
    index: usize,
    predicate: &Predicate,
    latches: &[i32],
) {
    while active.len() <= index {
        active.push(session.new_var());
    }
    let inside = encode_predicate(predicate, latches, session);
    add_folded(session, &[-active[index], inside]);
}
