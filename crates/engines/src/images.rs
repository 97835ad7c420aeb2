//! A reachability sequence: over-approximations of the states after 0, 1, 2, … steps, refined by
//! conjunction (paper 4, section 4.2), with the fixed-point check of its algorithm 2.

use crate::contract::Context;
use wedge_logic::aig::word;
use wedge_logic::{Aig, Lit};
use wedge_model::Predicate;
use wedge_sat::gates::{Frame, Gates};
use wedge_sat::{Answer, Session};

pub struct Images {
    aig: Aig,
    images: Vec<Lit>,
    /// A state of each image that was outside those before it. They only shrink, so while it is
    /// in its image, the image is not contained in them.
    witnesses: Vec<Option<Vec<bool>>>,
}

impl Images {
    /// A sequence of one image.
    pub fn new(first: &Predicate) -> Images {
        let aig = Aig::with_inputs(first.aig.num_inputs());
        let mut images = Images { aig, images: Vec::new(), witnesses: Vec::new() };
        images.push(first);
        images
    }

    pub fn len(&self) -> usize {
        self.images.len()
    }

    pub fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    pub fn push(&mut self, image: &Predicate) {
        let lit = self.import(image);
        self.images.push(lit);
        self.witnesses.push(None);
    }

    pub fn refine(&mut self, index: usize, by: &Predicate) {
        let lit = self.import(by);
        self.images[index] = self.aig.and(self.images[index], lit);
    }

    pub fn get(&self, index: usize) -> Predicate {
        crate::interpolants::compact(&self.aig, self.images[index])
    }

    fn import(&mut self, predicate: &Predicate) -> Lit {
        let inputs: Vec<Lit> = (0..self.aig.num_inputs()).map(|i| self.aig.input(i)).collect();
        predicate.aig.copy_into(&mut self.aig, &[predicate.root], &inputs)[0]
    }

    /// Algorithm 2 of paper 4: the smallest i ≥ 1 whose image is contained in the union of those
    /// before it. `Err` if interrupted.
    pub fn fixed_point(&mut self, context: &Context) -> Result<Option<usize>, Answer> {
        self.forget_witnesses();
        let gates = Gates::new(&self.aig, &self.images);
        let mut session = Session::light(&context.interrupt());
        let mut frame = Frame::new(&self.aig);
        for index in 0..self.images.len() {
            let image = frame.encode(&gates, &mut session, self.images[index]);
            if index > 0 && self.witnesses[index].is_none() {
                // imageᵢ(s) ∧ ¬(image₀(s) ∨ … ∨ imageᵢ₋₁(s))
                match session.solve(&[image]) {
                    Answer::Unsat => return Ok(Some(index)),
                    Answer::Sat => self.witnesses[index] = Some(self.state(&frame, &mut session)),
                    Answer::Stopped => return Err(Answer::Stopped),
                }
            }
            session.add_clause(&[-image]);
        }
        Ok(None)
    }

    /// Drops the witnesses that a refinement has excluded from their images; 64 at a time.
    fn forget_witnesses(&mut self) {
        for (witnesses, images) in self.witnesses.chunks_mut(64).zip(self.images.chunks(64)) {
            let mut inputs = vec![0u64; self.aig.num_inputs()];
            for (bit, state) in witnesses.iter().enumerate() {
                let state = state.iter().flatten();
                inputs.iter_mut().zip(state).for_each(|(word, &v)| *word |= (v as u64) << bit);
            }
            let words = self.aig.simulate(&inputs);
            for (bit, (witness, &image)) in witnesses.iter_mut().zip(images).enumerate() {
                if word(&words, image) >> bit & 1 == 0 {
                    *witness = None;
                }
            }
        }
    }

    /// The state of the session's model; a latch that was never encoded does not matter.
    fn state(&self, frame: &Frame, session: &mut Session) -> Vec<bool> {
        let literal = |index: usize| frame.get(self.aig.input(index));
        (0..self.aig.num_inputs()).map(|i| literal(i).is_some_and(|l| session.value(l))).collect()
    }

    /// The union of the images `from..to` and another set.
    pub fn union(&mut self, from: usize, to: usize, with: &Predicate) -> Predicate {
        let with = self.import(with);
        let mut lits = self.images[from..to].to_vec();
        lits.push(with);
        let root = self.aig.or_all(&lits);
        crate::interpolants::compact(&self.aig, root)
    }
}
