//! A reachability sequence: over-approximations of the states after 0, 1, 2, … steps, refined by
//! conjunction (paper 4, section 4.2), with the fixed-point check of its algorithm 2.

use crate::contract::Context;
use wedge_logic::{Aig, Lit};
use wedge_model::Predicate;
use wedge_sat::gates::{Frame, Gates};
use wedge_sat::{Answer, Session};

pub struct Images {
    aig: Aig,
    images: Vec<Lit>,
}

impl Images {
    /// A sequence of one image.
    pub fn new(first: &Predicate) -> Images {
        let mut images =
            Images { aig: Aig::with_inputs(first.aig.num_inputs()), images: Vec::new() };
        images.push(first);
        images
    }

    pub fn len(&self) -> usize {
        self.images.len()
    }

    pub fn push(&mut self, image: &Predicate) {
        let lit = self.import(image);
        self.images.push(lit);
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
    /// before it, counted from `first`. `Err` if interrupted.
    pub fn fixed_point(&self, first: usize, context: &Context) -> Result<Option<usize>, Answer> {
        let gates = Gates::new(&self.aig, &self.images);
        let mut session = Session::light(&context.interrupt());
        let mut frame = Frame::new(&self.aig);
        for index in first..self.images.len() {
            let image = frame.encode(&gates, &mut session, self.images[index]);
            if index > first {
                // imageᵢ(s) ∧ ¬(image₀(s) ∨ … ∨ imageᵢ₋₁(s))
                match session.solve(&[image]) {
                    Answer::Unsat => return Ok(Some(index)),
                    Answer::Sat => {}
                    Answer::Stopped => return Err(Answer::Stopped),
                }
            }
            session.add_clause(&[-image]);
        }
        Ok(None)
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
