//! Pushing lemmas to higher frames, until two frames are equal.

use super::backend::Backend;
use super::cube::Cube;
use super::solvers::INFINITY;
use super::{Run, Step};
use wedge_sat::Answer;

impl<B: Backend> Run<'_, B> {
    /// Pushes lemmas upwards. Returns a frame that is equal to the one before it, if there is.
    pub(super) fn propagate(&mut self) -> Step<Option<usize>> {
        self.frames.renew_solvers();
        for frame in 1..self.frames.last() {
            let mut next = 0;
            while let Some(lemma) = self.frames.next_at(frame, next) {
                let (cube, id) = (lemma.cube.clone(), lemma.id);
                self.push_lemma(cube, id, frame)?;
                next = id + 1;
            }
            if self.frames.is_empty_at(frame) {
                return Ok(Some(frame + 1));
            }
        }
        Ok(None)
    }

    /// Moves a lemma of `frame` to the next one, if it holds there.
    fn push_lemma(&mut self, cube: Cube, id: usize, frame: usize) -> Step<()> {
        if self.config.witnesses && self.frames.has_witness(frame, id) {
            self.counters.pushes_spared += 1;
            return Ok(());
        }
        // F ∧ C ∧ T ∧ cube'
        match self.frames.solvers.predecessor(cube.lits(), frame) {
            Answer::Stopped => return Err(self.context.stop_reason()),
            Answer::Unsat => {}
            Answer::Sat => {
                if self.config.witnesses {
                    let state = self.frames.solvers.model_latches();
                    self.frames.set_witness(frame, id, state);
                }
                return Ok(());
            }
        }
        let core = Cube::new(self.inductive_core(cube.lits())?);
        let forever = self.config.infinity
            && frame + 1 == self.frames.last()
            && self.is_inductive_forever(&core)?;
        self.frames.add(core, if forever { INFINITY } else { frame + 1 });
        Ok(())
    }

    fn is_inductive_forever(&mut self, cube: &Cube) -> Step<bool> {
        match self.frames.solvers.predecessor(cube.lits(), INFINITY) {
            Answer::Stopped => Err(self.context.stop_reason()),
            answer => Ok(answer == Answer::Unsat),
        }
    }
}
