//! Lemmas over signals: a blocked cube without the bits of which its signals speak.
//!
//! A cube over comparisons of words is an abstraction of a state, and what blocks it is more
//! likely to last than what blocks some of the state's bits.

use super::Run;
use super::Step;
use super::backend::Backend;
use super::config::CtgLimits;
use wedge_sat::Answer;
use wedge_sat::light::Lit;

impl<B: Backend> Run<'_, B> {
    /// The cube without the bits that some signal reads; none if it has no signals.
    fn without_bits(&self, cube: &[Lit]) -> Option<Vec<Lit>> {
        let has_signals = cube.iter().any(|&l| self.is_signal(l));
        has_signals.then(|| cube.iter().copied().filter(|&l| !self.is_covered(l)).collect())
    }

    /// A subset of the cube's signals that is inductive relative to the last frame, if there is
    /// one: the largest, as in Bradley and Manna (FMCAD 2007), then as small as can be.
    pub(super) fn lasting_lemma(&mut self, cube: &[Lit], last: usize) -> Step<Option<Vec<Lit>>> {
        let Some(mut cube) = self.without_bits(cube) else { return Ok(None) };
        loop {
            if cube.is_empty() || self.meets_initial(&cube)? {
                return Ok(None);
            }
            // F ∧ C ∧ ¬cube ∧ T ∧ cube'
            match self.frames.solvers.predecessor(&cube, last) {
                Answer::Stopped => return Err(self.context.stop_reason()),
                Answer::Sat => {}
                Answer::Unsat => {
                    let core = self.inductive_core(&cube)?;
                    return self.mic(core, last + 1, CtgLimits::NONE).map(Some);
                }
            }
            let state = self.model_of(&cube);
            cube.retain(|lit| state.contains(lit));
        }
    }

    /// A subset of a cube without predecessors in the frame below, with signals in the place of
    /// the bits that they read if they are enough; else the subset that is given.
    pub(super) fn core_with_signals(
        &mut self,
        cube: &[Lit],
        core: Vec<Lit>,
        frame: usize,
    ) -> Step<Vec<Lit>> {
        if !core.iter().any(|&l| self.is_covered(l)) {
            return Ok(core);
        }
        let Some(without) = self.without_bits(cube) else { return Ok(core) };
        if without.is_empty() || self.meets_initial(&without)? {
            return Ok(core);
        }
        // F ∧ C ∧ ¬cube ∧ T ∧ cube'
        match self.frames.solvers.predecessor(&without, frame - 1) {
            Answer::Stopped => Err(self.context.stop_reason()),
            Answer::Sat => Ok(core),
            Answer::Unsat => self.inductive_core(&without),
        }
    }
}
