//! The frames F₁ ⊇ … ⊇ Fₖ as lemmas, each kept in the highest frame in which it is known to hold.
//!
//! A lemma is the negation of a cube. Frame i consists of the lemmas stored from i on, the
//! infinite frame included. No stored lemma subsumes another one of the same or a lower frame.

use super::backend::Backend;
use super::cube::Cube;
use super::solvers::{INFINITY, Solvers};

pub struct Frames<'t, B> {
    /// Frame i + 1 at i.
    lemmas: Vec<Vec<Cube>>,
    infinity: Vec<Cube>,
    /// By literal: whether it is in the cube at hand.
    marked: Vec<bool>,
    pub solvers: Solvers<'t, B>,
}

impl<'t, B: Backend> Frames<'t, B> {
    pub fn new(solvers: Solvers<'t, B>, latches: usize) -> Self {
        let marked = vec![false; 2 * (latches + 1)];
        Frames { lemmas: vec![], infinity: vec![], marked, solvers }
    }

    /// The number of the last frame.
    pub fn last(&self) -> usize {
        self.lemmas.len()
    }

    pub fn open(&mut self) {
        let solvers = self.solvers.num_solvers();
        self.lemmas.push(vec![]);
        self.solvers.add_frame();
        for solver in solvers..self.solvers.num_solvers() {
            self.restore(solver);
        }
    }

    fn restore(&mut self, solver: usize) {
        for lemma in &self.infinity {
            self.solvers.restore_lemma(lemma.lits(), INFINITY, solver);
        }
        for frame in self.solvers.lowest_frame(solver)..=self.lemmas.len() {
            for lemma in &self.lemmas[frame - 1] {
                self.solvers.restore_lemma(lemma.lits(), frame, solver);
            }
        }
    }

    /// Replaces solvers that carry too much of the past.
    pub fn renew_solvers(&mut self) {
        for solver in 0..self.solvers.num_solvers() {
            if self.solvers.is_worn(solver) {
                self.solvers.replace(solver);
                self.restore(solver);
            }
        }
    }

    /// The lemmas stored at exactly this frame.
    pub fn at(&self, frame: usize) -> &[Cube] {
        &self.lemmas[frame - 1]
    }

    /// Whether some lemma of the frame blocks the whole cube.
    pub fn block(&mut self, cube: &Cube, frame: usize) -> bool {
        cube.lits().iter().for_each(|l| self.marked[l.code() as usize] = true);
        let blocked = self.lemmas_from(frame).any(|lemma| self.is_marked(lemma));
        cube.lits().iter().for_each(|l| self.marked[l.code() as usize] = false);
        blocked
    }

    fn is_marked(&self, lemma: &Cube) -> bool {
        lemma.lits().iter().all(|l| self.marked[l.code() as usize])
    }

    /// Stores a lemma, unless it is there; it replaces what it subsumes.
    pub fn add(&mut self, cube: Cube, frame: usize) {
        if self.block(&cube, frame) {
            return;
        }
        let known_to = self.remove_subsumed(&cube, frame);
        self.solvers.add_lemma(cube.lits(), known_to + 1, frame);
        match frame {
            INFINITY => {
                self.infinity.retain(|old| !cube.is_subset(old));
                self.infinity.push(cube);
            }
            _ => self.lemmas[frame - 1].push(cube),
        }
    }

    /// Returns the highest frame from which the very same lemma was removed, or 0.
    fn remove_subsumed(&mut self, cube: &Cube, frame: usize) -> usize {
        let mut known_to = 0;
        for index in 0..frame.min(self.lemmas.len()) {
            let mut outdated = 0;
            self.lemmas[index].retain(|old| {
                let subsumed = cube.is_subset(old);
                if subsumed && old.len() == cube.len() {
                    known_to = index + 1;
                } else {
                    outdated += subsumed as usize;
                }
                !subsumed
            });
            self.solvers.note_outdated(index + 1, outdated);
        }
        known_to
    }

    /// All lemmas of a frame.
    pub fn lemmas_from(&self, frame: usize) -> impl Iterator<Item = &Cube> {
        let frames = self.lemmas[(frame - 1).min(self.lemmas.len())..].iter();
        frames.flatten().chain(&self.infinity)
    }

    pub fn num_lemmas(&self) -> usize {
        self.lemmas.iter().map(Vec::len).sum::<usize>() + self.infinity.len()
    }
}
