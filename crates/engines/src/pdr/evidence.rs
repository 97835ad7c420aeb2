//! The evidence for a verdict: the invariant of a closed frame, or a path to a bad state.

use super::backend::Backend;
use super::cube::Cube;
use super::obligation::StateId;
use super::{Run, Step, initial};
use wedge_logic::{Aig, Lit};
use wedge_model::{Predicate, Trace};
use wedge_sat::Answer;

impl<B: Backend> Run<'_, B> {
    /// The conjunction of the lemmas of a frame, signals replaced by their definitions.
    pub(super) fn invariant(&self, frame: usize) -> Predicate {
        let (mut aig, latches) = self.extended.over_latches();
        let lemmas = self.frames.lemmas_from(frame);
        let clauses: Vec<Lit> = lemmas.map(|lemma| clause(&mut aig, &latches, lemma)).collect();
        let root = aig.and_all(&clauses);
        Predicate { aig, root }
    }

    /// The lemmas of each frame that are not known to hold in the next one; the last list holds
    /// forever.
    pub(super) fn frame_lemmas(&self) -> Vec<Vec<Predicate>> {
        let predicate = |lemma: &Cube| {
            let (mut aig, latches) = self.extended.over_latches();
            let root = clause(&mut aig, &latches, lemma);
            Predicate { aig, root }
        };
        self.frames.by_frame().map(|lemmas| lemmas.map(predicate).collect()).collect()
    }

    pub(super) fn trace(&self, given: Vec<Option<bool>>, inputs: Vec<Vec<bool>>) -> Trace {
        let mut initial = initial::complete(self.circuit, &given);
        initial.truncate(self.extended.latches);
        Trace { initial, inputs }
    }

    /// A trace from an initial state in the cube of an obligation.
    pub(super) fn trace_from(&mut self, id: StateId) -> Step<Trace> {
        let cube = self.states.get(id).cube.lits().to_vec();
        if self.frames.solvers.initial_state(&cube) != Answer::Sat {
            return Err(self.context.stop_reason());
        }
        let state = self.model_state();
        Ok(self.trace(state, self.states.inputs_from(id)))
    }
}

/// A lemma as a literal of the graph, signals replaced by their definitions.
fn clause(aig: &mut Aig, latches: &[Lit], lemma: &Cube) -> Lit {
    let latch = |l: &wedge_sat::light::Lit| latches[l.var() as usize - 1].xor(!l.is_negated());
    let literals: Vec<Lit> = lemma.lits().iter().map(latch).collect();
    aig.or_all(&literals)
}
