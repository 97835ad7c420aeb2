//! Blocking: from a bad state of the last frame back towards the initial states.

use super::backend::Backend;
use super::config::{Ctg, CtgLimits};
use super::cube::Cube;
use super::lift::Leaf;
use super::obligation::StateId;
use super::{Run, Step};
use wedge_model::Trace;
use wedge_sat::Answer;
use wedge_sat::light::Lit;

/// Predecessors of an obligation from which on counterexamples to generalisation are blocked.
const CTG_TROUBLE: f64 = 10.0;
const MAX_CTGS: usize = 5;

impl<B: Backend> Run<'_, B> {
    /// Looks for an initial state that is bad.
    pub(super) fn initial_violation(&mut self) -> Step<Option<Trace>> {
        // I ∧ C ∧ bad
        match self.frames.solvers.bad(0) {
            Answer::Stopped => Err(self.context.stop_reason()),
            Answer::Unsat => Ok(None),
            Answer::Sat => {
                let inputs = self.model_inputs();
                let state = self.model_state();
                Ok(Some(self.trace(state, vec![inputs])))
            }
        }
    }

    /// Blocks all bad states of the last frame; a trace if that is impossible.
    pub(super) fn strengthen(&mut self) -> Step<Option<Trace>> {
        let last = self.frames.last();
        loop {
            // F ∧ C ∧ bad
            match self.frames.solvers.bad(last) {
                Answer::Stopped => return Err(self.context.stop_reason()),
                Answer::Unsat => return Ok(None),
                Answer::Sat => {}
            }
            let (cube, inputs) = self.lifted_bad_state();
            let state = self.states.add(Cube::new(cube), inputs, None);
            self.queue.push(last, state, &self.states);
            if let Some(trace) = self.discharge(last)? {
                return Ok(Some(trace));
            }
            self.queue.clear();
            self.states.clear();
        }
    }

    /// Handles obligations until none is left.
    fn discharge(&mut self, last: usize) -> Step<Option<Trace>> {
        while let Some((frame, id)) = self.queue.pop() {
            self.counters.obligations += 1;
            let cube = self.states.get(id).cube.lits().to_vec();
            if self.frames.block(&self.states.get(id).cube, frame) {
                self.postpone(frame + 1, id, last);
                continue;
            }
            if self.meets_initial(&cube)? {
                return self.trace_from(id).map(Some);
            }
            // F ∧ C ∧ ¬cube ∧ T ∧ cube'
            match self.frames.solvers.predecessor(&cube, frame - 1) {
                Answer::Stopped => return Err(self.context.stop_reason()),
                Answer::Unsat => {
                    let highest = self.learn(&cube, frame, last, self.limits_for(id))?;
                    self.postpone(highest + 1, id, last);
                }
                Answer::Sat if frame == 1 => {
                    let mut inputs = vec![self.model_inputs()];
                    inputs.extend(self.states.inputs_from(id));
                    let state = self.model_state();
                    return Ok(Some(self.trace(state, inputs)));
                }
                Answer::Sat => {
                    let (before, inputs) = self.lifted_predecessor(&cube);
                    let before = self.states.add(Cube::new(before), inputs, Some(id));
                    self.states.add_trouble(id);
                    self.queue.push(frame - 1, before, &self.states);
                    self.queue.push(frame, id, &self.states);
                }
            }
        }
        Ok(None)
    }

    /// An obligation that is met has to be met in later frames, too: it leads to bad.
    fn postpone(&mut self, frame: usize, id: StateId, last: usize) {
        if self.config.push_obligations && frame <= last {
            self.states.ease_trouble(id);
            self.queue.push(frame, id, &self.states);
        }
    }

    fn limits_for(&self, id: StateId) -> CtgLimits {
        match self.config.ctg {
            Ctg::Never => CtgLimits::NONE,
            Ctg::Always(limits) => limits,
            Ctg::Dynamic => {
                let trouble = self.states.trouble_around(id);
                if trouble < CTG_TROUBLE {
                    return CtgLimits::NONE;
                }
                let max = 2 + ((trouble - CTG_TROUBLE) / CTG_TROUBLE) as usize;
                CtgLimits { max: max.min(MAX_CTGS), depth: 1 }
            }
        }
    }

    /// Turns a cube without predecessors in the frame below into a lemma of `frame` or above;
    /// returns its frame.
    fn learn(&mut self, cube: &[Lit], frame: usize, last: usize, limits: CtgLimits) -> Step<usize> {
        let core = self.inductive_core(cube)?;
        if let Some(lemma) = self.lasting_lemma(cube, last)? {
            self.add_lemma(Cube::new(lemma), last);
            return Ok(last);
        }
        let core = self.core_with_signals(cube, core, frame)?;
        let lemma = self.mic(core, frame, limits)?;
        let (lemma, highest) = match self.config.push_lemmas {
            true => self.push_up(lemma, frame, last)?,
            false => (lemma, frame),
        };
        self.add_lemma(Cube::new(lemma), highest);
        Ok(highest)
    }

    /// A cube of states that go to `cube` with the inputs returned, from the last model.
    pub(super) fn lifted_predecessor(&mut self, cube: &[Lit]) -> (Vec<Lit>, Vec<bool>) {
        let circuit = self.circuit;
        let next = |l: &Lit| circuit.latches[l.var() as usize - 1].next.xor(l.is_negated());
        self.lifted(cube.iter().map(next).collect())
    }

    fn lifted_bad_state(&mut self) -> (Vec<Lit>, Vec<bool>) {
        self.lifted(vec![self.circuit.bad])
    }

    fn lifted(&mut self, mut targets: Vec<wedge_logic::Lit>) -> (Vec<Lit>, Vec<bool>) {
        targets.extend(&self.circuit.constraints);
        let (transition, solvers) = (self.transition, &mut self.frames.solvers);
        let value = |leaf: Leaf| {
            let lit = match leaf {
                Leaf::Latch(latch) => transition.latch(latch),
                Leaf::Input(input) => transition.input(input),
            };
            solvers.value(lit) == Some(true)
        };
        let is_covered = &self.extended.is_covered;
        let weight = |latch: usize| {
            let activity = self.activity.of_latch(latch);
            // Bits of which signals speak come before all others.
            let covered = is_covered.get(latch) == Some(&true);
            if covered { -1.0 / (1.0 + activity) } else { activity }
        };
        let lifting = self.config.lifting;
        let extra = self.config.extra_signals;
        let latches = self.lifter.lift(targets.into_iter(), value, weight, lifting, extra);
        let lit = |(latch, value): (usize, bool)| self.transition.latch(latch).xor(!value);
        let cube = latches.into_iter().map(lit).collect();
        (cube, self.model_inputs())
    }

    /// The literals of the cube that are true in the last model or left open by it.
    pub(super) fn model_of(&mut self, cube: &[Lit]) -> Vec<Lit> {
        let solvers = &mut self.frames.solvers;
        cube.iter().copied().filter(|&l| solvers.value(l) != Some(false)).collect()
    }

    fn model_inputs(&mut self) -> Vec<bool> {
        let (transition, solvers) = (self.transition, &mut self.frames.solvers);
        let value = |input| solvers.value(transition.input(input)) == Some(true);
        (0..self.circuit.inputs.len()).map(value).collect()
    }

    /// What the last model says about the latches.
    pub(super) fn model_state(&mut self) -> Vec<Option<bool>> {
        let (transition, solvers) = (self.transition, &mut self.frames.solvers);
        (0..self.circuit.latches.len()).map(|l| solvers.value(transition.latch(l))).collect()
    }

    pub(super) fn excludes_initial(&self, lit: Lit) -> bool {
        self.initial.excludes(lit.var() as usize - 1, !lit.is_negated())
    }

    /// Whether some initial state is in the cube.
    pub(super) fn meets_initial(&mut self, cube: &[Lit]) -> Step<bool> {
        if cube.iter().any(|&l| self.excludes_initial(l)) {
            return Ok(false);
        }
        if !self.initial.has_functions {
            return Ok(true);
        }
        // I ∧ C ∧ cube
        match self.frames.solvers.initial_state(cube) {
            Answer::Stopped => Err(self.context.stop_reason()),
            answer => Ok(answer == Answer::Sat),
        }
    }
}
