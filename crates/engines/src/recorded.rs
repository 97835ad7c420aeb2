//! A recorded unrolling from the initial states, cut between all of its steps.
//!
//! Partition i holds T(sᵢ,sᵢ₊₁), partition 0 also I(s₀), and whatever is asked of sᵢ is switched
//! on by an activation literal of partition i. One refutation yields an interpolant at every cut.

use crate::interpolants::{add_folded, compact, cut_state};
use crate::unroll::{Encoder, Path, encode_predicate};
use rustc_hash::FxHashMap;
use std::ops::Range;
use wedge_logic::{Aig, Lit};
use wedge_model::{Predicate, Trace};
use wedge_sat::check::{Flaw, check_sequence};
use wedge_sat::gates::Frame;
use wedge_sat::interpolate::sequence;
use wedge_sat::{Answer, InterpolationSystem, Interrupt, Label, ProofError, Session};

pub struct RecordedPath<'e> {
    encoder: &'e Encoder<'e>,
    pub session: Session,
    /// What the last query took.
    pub last_seconds: f64,
    path: Path,
    frame: Frame,
    /// The current length: the frame is that of s at this index.
    length: usize,
    /// The first variable of each partition.
    births: Vec<i32>,
    /// The variables of the latches at each cut, with their meaning; cut c is s_c.
    shared: Vec<FxHashMap<i32, Lit>>,
    /// The latches' literals of each state.
    states: Vec<Vec<i32>>,
    inputs: Aig,
    /// Variables of an earlier partition than their number says.
    late: Vec<(Range<i32>, u32)>,
}

impl<'e> RecordedPath<'e> {
    pub fn new(encoder: &'e Encoder, interrupt: &Interrupt) -> RecordedPath<'e> {
        let mut session = Session::recording(interrupt);
        session.set_partition(0);
        let births = vec![session.num_vars() + 1];
        let mut frame = encoder.initial_frame(&mut session);
        let states = vec![encoder.state(&frame)];
        encoder.constrain(&mut frame, &mut session);
        RecordedPath {
            encoder,
            session,
            last_seconds: 0.0,
            path: Path::default(),
            frame,
            length: 0,
            births,
            shared: vec![FxHashMap::default()],
            states,
            inputs: Aig::with_inputs(encoder.circuit.latches.len()),
            late: Vec::new(),
        }
    }

    /// Number of steps.
    pub fn steps(&self) -> usize {
        self.length
    }

    /// One step more: T(sₙ,sₙ₊₁), and the constraints of sₙ₊₁.
    pub fn extend(&mut self) {
        self.session.set_partition(self.length as u32);
        let next = self.encoder.next_state(&mut self.frame, &mut self.session);
        let (cut, shared) = cut_state(&mut self.session, &next, &self.inputs);
        self.path.push(self.encoder.circuit, &self.frame);
        self.length += 1;
        self.session.set_partition(self.length as u32);
        self.births.push(self.session.num_vars() + 1);
        self.shared.push(shared.into_iter().collect());
        self.frame = self.encoder.frame(&cut);
        self.states.push(cut);
        self.encoder.constrain(&mut self.frame, &mut self.session);
    }

    /// An activation literal for ¬P in the last state.
    pub fn bad(&mut self) -> i32 {
        self.session.set_partition(self.length as u32);
        let bad = self.encoder.bad(&mut self.frame, &mut self.session);
        let active = self.session.new_var();
        add_folded(&mut self.session, &[-active, bad]);
        active
    }

    /// An activation literal for a predicate on the state after `steps` steps.
    pub fn predicate_at(&mut self, steps: usize, predicate: &Predicate) -> i32 {
        self.session.set_partition(steps as u32);
        let first_new = self.session.num_vars() + 1;
        let inside = encode_predicate(predicate, &self.states[steps], &mut self.session);
        let active = self.session.new_var();
        add_folded(&mut self.session, &[-active, inside]);
        if steps < self.length {
            self.late.push((first_new..active + 1, steps as u32));
        }
        active
    }

    pub fn solve(&mut self, goal: i32) -> Answer {
        let before = self.session.seconds;
        let answer = self.session.solve(&[goal]);
        self.last_seconds = self.session.seconds - before;
        answer
    }

    /// τ₁, …, τₙ of the refuted query, n the current length.
    pub fn interpolants(
        &mut self,
        system: InterpolationSystem,
    ) -> Result<Vec<Predicate>, ProofError> {
        let root = self.session.refutation();
        let mut aig = self.inputs.clone();
        let parts = self.length as u32 + 1;
        let label = |cut: u32, var: i32| self.label(cut, var);
        let lits = sequence(&self.session.proof(), root, system, parts, label, &mut aig)?;
        Ok(lits.into_iter().map(|lit| compact(&aig, lit)).collect())
    }

    /// Checks that the interpolants are an inductive sequence for the query `goal`, which is
    /// about the state after `steps` steps.
    pub fn check(&self, interpolants: &[Predicate], steps: usize, goal: i32) -> Result<(), Flaw> {
        let proof = self.session.proof();
        let last = self.length as u32;
        let mut parts: Vec<Vec<Vec<i32>>> =
            (0..=last).map(|part| proof.originals(|p| p == part)).collect();
        parts[steps].push(vec![goal]);
        // One graph for all interpolants: the latches of each cut are inputs of their own.
        let latches = self.inputs.num_inputs();
        let mut aig = Aig::with_inputs(latches * interpolants.len());
        let mut lits = Vec::new();
        for (index, interpolant) in interpolants.iter().enumerate() {
            let inputs: Vec<Lit> = (0..latches).map(|l| aig.input(index * latches + l)).collect();
            lits.push(interpolant.aig.copy_into(&mut aig, &[interpolant.root], &inputs)[0]);
        }
        let variables: Vec<i32> = self.states[1..=interpolants.len()].concat();
        check_sequence(&parts, &aig, &lits, &variables)
    }

    /// A variable belongs to the partition it was created in, or to a cut.
    fn label(&self, cut: u32, var: i32) -> Label {
        if let Some(&lit) = self.shared[cut as usize].get(&var) {
            return Label::Shared(lit);
        }
        let after = self.late.partition_point(|(range, _)| range.start <= var);
        let late = self.late[..after].last().filter(|(range, _)| range.contains(&var));
        let before_cut = match late {
            Some(&(_, partition)) => partition < cut,
            None => var < self.births[cut as usize],
        };
        if before_cut { Label::A } else { Label::B }
    }

    pub fn trace(&mut self) -> Trace {
        self.path.push(self.encoder.circuit, &self.frame);
        self.path.trace(self.length, &mut self.session)
    }
}
