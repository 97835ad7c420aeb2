//! How often latches occur in recent lemmas.

use wedge_sat::light::Lit;

const DECAY: f64 = 0.99;
const RESCALE: f64 = 1e100;

pub struct Activity {
    by_latch: Vec<f64>,
    increment: f64,
}

impl Activity {
    pub fn new(latches: usize) -> Activity {
        Activity { by_latch: vec![0.0; latches], increment: 1.0 }
    }

    pub fn of(&self, lit: Lit) -> f64 {
        self.of_latch(lit.var() as usize - 1)
    }

    pub fn of_latch(&self, latch: usize) -> f64 {
        self.by_latch[latch]
    }

    /// Takes note of a new lemma.
    pub fn bump(&mut self, lemma: &[Lit]) {
        for lit in lemma {
            self.by_latch[lit.var() as usize - 1] += self.increment;
        }
        self.increment /= DECAY;
        if self.increment > RESCALE {
            self.by_latch.iter_mut().for_each(|a| *a /= RESCALE);
            self.increment /= RESCALE;
        }
    }
}
