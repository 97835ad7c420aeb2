//! The frames F₁ ⊇ … ⊇ Fₖ as lemmas, each kept in the highest frame in which it is known to hold.
//!
//! A lemma is the negation of a cube. Frame i consists of the lemmas stored from i on, the
//! infinite frame included. No stored lemma subsumes another one of the same or a lower frame.

use super::backend::Backend;
use super::cube::Cube;
use super::solvers::{INFINITY, Solvers};
use wedge_sat::light::Lit;

/// The negation of a cube, known to hold in a frame.
pub struct Lemma {
    pub cube: Cube,
    /// Lemmas are numbered in the order in which they were stored.
    pub id: usize,
    /// Why the lemma was not pushed: a state of its frame that has a successor in the cube.
    witness: Option<Witness>,
}

struct Witness {
    state: Vec<Lit>,
    /// The state satisfies all lemmas of the frame with smaller numbers.
    valid_to: usize,
}

pub struct Frames<'t, B> {
    /// Frame i + 1 at i; in each, lemmas are sorted by number.
    lemmas: Vec<Vec<Lemma>>,
    infinity: Vec<Lemma>,
    /// How many lemmas of the infinite frame were ever stored.
    pub found_forever: usize,
    /// All lemmas ever stored, and their frames, by number.
    log: Vec<(Cube, usize)>,
    /// By literal: whether it is in the cube at hand.
    marked: Vec<bool>,
    pub solvers: Solvers<'t, B>,
}

impl<'t, B: Backend> Frames<'t, B> {
    pub fn new(solvers: Solvers<'t, B>, latches: usize) -> Self {
        let marked = vec![false; 2 * (latches + 1)];
        Frames { lemmas: vec![], infinity: vec![], found_forever: 0, log: vec![], marked, solvers }
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
            self.solvers.restore_lemma(lemma.cube.lits(), INFINITY, solver);
        }
        for frame in self.solvers.lowest_frame(solver)..=self.lemmas.len() {
            for lemma in &self.lemmas[frame - 1] {
                self.solvers.restore_lemma(lemma.cube.lits(), frame, solver);
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

    /// Whether no lemma is stored at exactly this frame.
    pub fn is_empty_at(&self, frame: usize) -> bool {
        self.lemmas[frame - 1].is_empty()
    }

    /// The first lemma stored at exactly this frame whose number is at least `id`.
    pub fn next_at(&self, frame: usize, id: usize) -> Option<&Lemma> {
        let lemmas = &self.lemmas[frame - 1];
        lemmas.get(lemmas.partition_point(|lemma| lemma.id < id))
    }

    /// Takes note of a state of the frame with a successor in the cube of a lemma.
    pub fn set_witness(&mut self, frame: usize, id: usize, state: Vec<Lit>) {
        let valid_to = self.log.len();
        if let Some(lemma) = self.lemmas[frame - 1].iter_mut().find(|lemma| lemma.id == id) {
            lemma.witness = Some(Witness { state, valid_to });
        }
    }

    /// Whether it is known why a lemma cannot be pushed: its witness is still in the frame.
    pub fn has_witness(&mut self, frame: usize, id: usize) -> bool {
        let lemmas = &mut self.lemmas[frame - 1];
        let at = lemmas.partition_point(|lemma| lemma.id < id);
        let Some(witness) = lemmas.get_mut(at).and_then(|lemma| lemma.witness.as_mut()) else {
            return false;
        };
        witness.state.iter().for_each(|l| self.marked[l.code() as usize] = true);
        let new = self.log[witness.valid_to..].iter().filter(|(_, stored)| *stored >= frame);
        let excluded = |lit: &Lit| self.marked[(!*lit).code() as usize];
        let valid = new.into_iter().all(|(cube, _)| cube.lits().iter().any(excluded));
        witness.state.iter().for_each(|l| self.marked[l.code() as usize] = false);
        witness.valid_to = self.log.len();
        if !valid {
            lemmas[at].witness = None;
        }
        valid
    }

    /// Whether some lemma of the frame blocks the whole cube.
    pub fn block(&mut self, cube: &Cube, frame: usize) -> bool {
        cube.lits().iter().for_each(|l| self.marked[l.code() as usize] = true);
        let blocked = self.lemmas_from(frame).any(|lemma| self.is_marked(lemma));
        cube.lits().iter().for_each(|l| self.marked[l.code() as usize] = false);
        blocked
    }

    /// A lemma stored at exactly this frame that blocks the whole cube.
    pub fn lemma_at(&mut self, cube: &[Lit], frame: usize) -> Option<&Cube> {
        cube.iter().for_each(|l| self.marked[l.code() as usize] = true);
        let found = self.lemmas[frame - 1].iter().position(|lemma| self.is_marked(&lemma.cube));
        cube.iter().for_each(|l| self.marked[l.code() as usize] = false);
        found.map(|index| &self.lemmas[frame - 1][index].cube)
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
        let lemma = Lemma { cube: cube.clone(), id: self.log.len(), witness: None };
        match frame {
            INFINITY => {
                self.infinity.retain(|old| !cube.is_subset(&old.cube));
                self.infinity.push(lemma);
                self.found_forever += 1;
            }
            _ => self.lemmas[frame - 1].push(lemma),
        }
        self.log.push((cube, frame));
    }

    /// Returns the highest frame from which the very same lemma was removed, or 0.
    fn remove_subsumed(&mut self, cube: &Cube, frame: usize) -> usize {
        let mut known_to = 0;
        for index in 0..frame.min(self.lemmas.len()) {
            let mut outdated = 0;
            self.lemmas[index].retain(|old| {
                let subsumed = cube.is_subset(&old.cube);
                if subsumed && old.cube.len() == cube.len() {
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

    /// The lemmas stored at each frame, those of the infinite one last.
    pub fn by_frame(&self) -> impl Iterator<Item = impl Iterator<Item = &Cube>> {
        let frames = self.lemmas.iter().chain([&self.infinity]);
        frames.map(|lemmas| lemmas.iter().map(|lemma| &lemma.cube))
    }

    /// All lemmas of a frame.
    pub fn lemmas_from(&self, frame: usize) -> impl Iterator<Item = &Cube> {
        let frames = self.lemmas[(frame - 1).min(self.lemmas.len())..].iter();
        frames.flatten().chain(&self.infinity).map(|lemma| &lemma.cube)
    }
}
