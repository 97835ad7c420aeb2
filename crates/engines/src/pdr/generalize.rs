//! Inductive generalisation: fewer literals in a blocked cube, so that its lemma blocks more.
//!
//! `mic` and `down` are those of Bradley (VMCAI 2011) with the counterexamples to generalisation
//! of Hassan, Bradley and Somenzi, "Better generalization in IC3" (FMCAD 2013), figure 3: a state
//! that keeps a smaller cube from being inductive is, if possible, blocked itself one frame below.

use super::backend::Backend;
use super::config::CtgLimits;
use super::cube::Cube;
use super::{Run, Step};
use wedge_sat::Answer;
use wedge_sat::light::Lit;

impl<B: Backend> Run<'_, B> {
    /// A subset of `cube`, as few literals as can be found, that is inductive relative to the
    /// frame below `frame`.
    ///
    /// Requires: `cube` is, and it excludes the initial states.
    pub(super) fn mic(&mut self, cube: Vec<Lit>, frame: usize, ctg: CtgLimits) -> Step<Vec<Lit>> {
        let mut cube = cube;
        let order = self.dropping_order(&cube, frame);
        let mut required: Vec<Lit> = Vec::new();
        let mut failures = 0;
        for lit in order {
            if cube.len() == 1 || self.config.attempts.is_some_and(|max| failures >= max) {
                break;
            }
            if !cube.contains(&lit) {
                continue;
            }
            let smaller: Vec<Lit> = cube.iter().copied().filter(|&l| l != lit).collect();
            match self.down(smaller, frame, &required, ctg)? {
                Some(found) => {
                    cube = found;
                    failures = 0;
                }
                None => {
                    required.push(lit);
                    failures += 1;
                }
            }
        }
        Ok(cube)
    }

    /// The literals of a cube in the order in which they are tried to be dropped: rarely used
    /// ones first, those of a lemma that blocks the cube in the frame below last; before all, bits
    /// of which signals speak.
    fn dropping_order(&mut self, cube: &[Lit], frame: usize) -> Vec<Lit> {
        let mut order = cube.to_vec();
        if self.config.activity {
            order.sort_by(|a, b| self.activity.of(*a).total_cmp(&self.activity.of(*b)));
        }
        if self.config.parents
            && frame > 1
            && let Some(parent) = self.frames.lemma_at(cube, frame - 1)
        {
            order.sort_by_key(|lit| parent.contains(*lit));
        }
        order.sort_by_key(|&lit| !self.is_covered(lit));
        order
    }

    /// A subset of `cube` that contains `required` and is inductive relative to the frame below
    /// `frame`, if one is found.
    fn down(
        &mut self,
        mut cube: Vec<Lit>,
        frame: usize,
        required: &[Lit],
        ctg: CtgLimits,
    ) -> Step<Option<Vec<Lit>>> {
        let mut ctgs = 0;
        loop {
            if cube.is_empty() || self.meets_initial(&cube)? {
                return Ok(None);
            }
            // F ∧ C ∧ ¬cube ∧ T ∧ cube'
            match self.frames.solvers.predecessor(&cube, frame - 1) {
                Answer::Stopped => return Err(self.context.stop_reason()),
                Answer::Unsat => return self.inductive_core(&cube).map(Some),
                Answer::Sat if ctg.max == 0 || ctg.depth == 0 => return Ok(None),
                Answer::Sat => {}
            }
            let state = self.model_of(&cube);
            if ctgs < ctg.max && frame > 1 && self.block_ctg(&cube, frame, ctg)? {
                ctgs += 1;
                continue;
            }
            ctgs = 0;
            cube.retain(|lit| state.contains(lit));
            if required.iter().any(|lit| !cube.contains(lit)) {
                return Ok(None);
            }
        }
    }

    /// Tries to block the predecessor of `cube` in the last model; true if that was possible.
    fn block_ctg(&mut self, cube: &[Lit], frame: usize, limits: CtgLimits) -> Step<bool> {
        let (ctg, _) = self.lifted_predecessor(cube);
        if self.meets_initial(&ctg)? {
            return Ok(false);
        }
        // F ∧ C ∧ ¬ctg ∧ T ∧ ctg'
        match self.frames.solvers.predecessor(&ctg, frame - 2) {
            Answer::Stopped => return Err(self.context.stop_reason()),
            Answer::Sat => return Ok(false),
            Answer::Unsat => {}
        }
        self.counters.ctgs += 1;
        let core = self.inductive_core(&ctg)?;
        let (core, highest) = self.push_up(core, frame - 1, frame)?;
        let nested = CtgLimits { depth: limits.depth - 1, ..limits };
        let lemma = self.mic(core, highest, nested)?;
        self.add_lemma(Cube::new(lemma), highest);
        Ok(true)
    }

    /// Moves a cube that is blocked in `frame` upwards as far as it stays inductive, but not
    /// beyond `last`; returns the core found on the way and the frame.
    pub(super) fn push_up(
        &mut self,
        mut cube: Vec<Lit>,
        mut frame: usize,
        last: usize,
    ) -> Step<(Vec<Lit>, usize)> {
        while frame < last {
            match self.frames.solvers.predecessor(&cube, frame) {
                Answer::Stopped => return Err(self.context.stop_reason()),
                Answer::Sat => break,
                Answer::Unsat => {}
            }
            cube = self.inductive_core(&cube)?;
            frame += 1;
        }
        Ok((cube, frame))
    }

    /// The literals of the cube that the last refutation needs, and such that keep the initial
    /// states out.
    pub(super) fn inductive_core(&mut self, cube: &[Lit]) -> Step<Vec<Lit>> {
        let mut core = self.frames.solvers.successor_core(cube);
        if !self.meets_initial(&core)? {
            return Ok(core);
        }
        let excluding = cube.iter().copied().filter(|&l| self.excludes_initial(l));
        match excluding.max_by(|a, b| self.activity.of(*a).total_cmp(&self.activity.of(*b))) {
            Some(lit) => core.push(lit),
            None => {
                let answer = self.frames.solvers.initial_state(cube);
                if answer != Answer::Unsat {
                    return Err(self.context.stop_reason());
                }
                let needed = self.frames.solvers.initial_core(cube);
                core.extend(needed.into_iter().filter(|l| !core.contains(l)).collect::<Vec<_>>());
            }
        }
        Ok(core)
    }
}
