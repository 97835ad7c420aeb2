//! An unrolling of k steps, recorded and cut after the first: the A and B of IMC and CNF-ITP.

use crate::contract::Context;
use crate::interpolants::{add_folded, compact, cut_state};
use crate::unroll::{Encoder, Path, Steps, encode_predicate, over_latches};
use rustc_hash::FxHashMap;
use std::time::Instant;
use wedge_logic::Aig;
use wedge_model::{Predicate, Trace};
use wedge_sat::bweak::{BWeak, b_weak_interpolant};
use wedge_sat::check::{Flaw, check_interpolant};
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, InterpolationSystem, Interpolator, Label, ProofError, Session};

/// Where the first step of an unrolling starts.
#[derive(Clone, Copy)]
pub enum Start<'p> {
    /// In the initial states, which are constants of the encoding.
    Initial,
    At(&'p Predicate),
    /// In the states that satisfy all clauses; latch i is the variable i + 1.
    Clauses(&'p [Vec<i32>]),
    /// Where an assumption says; see `switch_to`.
    Switched,
}

/// How much the bound grows after a spurious hit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stride {
    One,
    Iterations,
}

/// A recording session with k steps, cut after the first.
pub struct CutUnrolling {
    pub session: Session,
    /// One per system; the first also knows the labels for all.
    interpolators: Vec<Interpolator>,
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
    pub last_seconds: f64,
    /// What it took to build the session.
    pub build_seconds: f64,
}

impl CutUnrolling {
    pub fn new(
        encoder: &Encoder,
        bound: usize,
        systems: &[InterpolationSystem],
        start: Start,
        context: &Context,
    ) -> Self {
        let clock = Instant::now();
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
        if let Start::Clauses(clauses) = start {
            for clause in clauses {
                session.add_clause(&over_latches(clause, &latches));
            }
        }
        encoder.constrain(&mut first, &mut session);
        let next = encoder.next_state_for(bound - 1, &mut first, &mut session);
        let (cut, shared) = cut_state(&mut session, &next, &aig);
        let mut labels = vec![Label::A; session.num_vars() as usize + 1];
        shared.iter().for_each(|&(var, lit)| labels[var as usize] = Label::Shared(lit));

        session.set_partition(1);
        let mut path = Path::default();
        path.push(circuit, &first);
        let mut steps = Steps::new(encoder, &cut);
        steps.extend(bound, &mut session);
        steps.frames.iter().for_each(|frame| path.push(circuit, frame));
        let bads = steps.bads;
        let mut goal = bads.clone();
        let mut assumptions = Vec::new();
        if matches!(start, Start::Switched) {
            assumptions = vec![TRUE, session.new_var()];
            goal.push(-assumptions[1]);
        }
        add_folded(&mut session, &goal);
        labels.resize(session.num_vars() as usize + 1, Label::B);
        let interpolator = |&system| Interpolator::new(system, 1, labels.clone());
        let interpolators = systems.iter().map(interpolator).collect();
        let (last_seconds, build_seconds) = (0.0, clock.elapsed().as_secs_f64());
        #[rustfmt::skip]
        let unrolling = CutUnrolling {
            session, interpolators, aig, latches, cut, path, bads, assumptions, last_seconds,
            build_seconds,
        };
        unrolling
    }

    pub fn solve(&mut self, context: &Context) -> Answer {
        let before = self.session.seconds;
        let answer = self.session.solve(&self.assumptions);
        self.last_seconds = self.session.seconds - before;
        context.record(|f| {
            f.queries += 1;
            f.solver_seconds += self.last_seconds;
        });
        answer
    }

    /// Whether the start set can be replaced.
    pub fn is_switched(&self) -> bool {
        !self.assumptions.is_empty()
    }

    /// Replaces the start set by a predicate on s₀.
    pub fn switch_to(&mut self, predicate: &Predicate) {
        self.session.set_partition(0);
        let first_new = self.session.num_vars() + 1;
        let inside = encode_predicate(predicate, &self.latches, &mut self.session);
        let start = self.session.new_var();
        add_folded(&mut self.session, &[-start, inside]);
        for var in first_new..=self.session.num_vars() {
            self.interpolators.iter_mut().for_each(|i| i.set_label(var, Label::A));
        }
        self.assumptions[0] = start;
    }

    /// Replaces the start set by the states that satisfy all clauses.
    pub fn switch_to_clauses(&mut self, clauses: &[Vec<i32>]) {
        self.session.set_partition(0);
        // What the last start set switched on is satisfied for good.
        if self.assumptions[0] != TRUE {
            self.session.add_clause(&[-self.assumptions[0]]);
        }
        let start = self.session.new_var();
        self.interpolators.iter_mut().for_each(|i| i.set_label(start, Label::A));
        for clause in clauses {
            let mut clause = over_latches(clause, &self.latches);
            clause.push(-start);
            self.session.add_clause(&clause);
        }
        self.assumptions[0] = start;
    }

    /// The interpolant of the query just refuted: of those of its systems the smallest.
    pub fn interpolant(&mut self) -> Result<Predicate, ProofError> {
        let root = self.session.refutation();
        let mut smallest: Option<Predicate> = None;
        for interpolator in &mut self.interpolators {
            let lit = interpolator.interpolate(&self.session.proof(), root, &mut self.aig)?;
            let found = compact(&self.aig, lit);
            let known = smallest.as_ref().map_or(usize::MAX, |s| s.aig.num_ands());
            if found.aig.num_ands() < known {
                smallest = Some(found);
            }
        }
        Ok(smallest.expect("an unrolling has a system"))
    }

    /// The B-weak interpolant of the query just refuted, over the latches.
    pub fn b_weak_interpolant(&mut self) -> Result<BWeak, ProofError> {
        let root = self.session.refutation();
        let label = |var: i32| self.interpolators[0].label(var);
        let mut weak =
            b_weak_interpolant(&self.session.proof(), root, 1, &self.assumptions, label)?;
        let latch_of: FxHashMap<i32, i32> =
            self.cut.iter().zip(1..).map(|(&l, i)| (l.abs(), if l < 0 { -i } else { i })).collect();
        for lit in weak.clauses.iter_mut().flatten() {
            *lit = latch_of[&lit.abs()] * lit.signum();
        }
        Ok(weak)
    }

    /// A implies the interpolant, which contradicts B, by a fresh solver.
    pub fn check(&self, interpolant: &Predicate) -> Result<(), Flaw> {
        let proof = self.session.proof();
        let (mut a, mut b) = (proof.originals(|p| p == 0), proof.originals(|p| p == 1));
        if let [start, goal] = self.assumptions[..] {
            a.push(vec![start]);
            b.push(vec![goal]);
        }
        check_interpolant(&a, &b, &interpolant.aig, interpolant.root, &self.cut)
    }

    pub fn counterexample(&mut self) -> Trace {
        let session = &mut self.session;
        let last = self.bads.iter().position(|&bad| session.value(bad)).expect("a bad step");
        self.path.trace(last + 1, session)
    }
}
