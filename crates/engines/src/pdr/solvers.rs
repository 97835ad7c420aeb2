//! The solvers behind the frames, and the questions PDR asks them.
//!
//! Each solver holds lemmas and, by need, definitions of the transition relation: what a query
//! mentions is loaded when it is first mentioned. With domains, a query decides the cone of what
//! it mentions, the cones of the constraints and the latches of the lemmas: every other
//! definition can be satisfied afterwards.

use super::backend::Backend;
use super::config::{Layout, PdrConfig};
use super::frame_solver::FrameSolver;
use super::transition::Transition;
use std::time::Instant;
use wedge_model::Circuit;
use wedge_sat::light::{Domain, Lit, Query};
use wedge_sat::{Answer, Interrupt};

/// The frame of lemmas that hold in every reachable state.
pub const INFINITY: usize = usize::MAX;

/// Used-up activation literals after which a solver is replaced.
const MAX_WORN: usize = 300;

pub struct Solvers<'t, B> {
    transition: &'t Transition,
    layout: Layout,
    domains: bool,
    partial: bool,
    interrupt: Interrupt,
    /// The initial frame.
    initial: FrameSolver<'t, B>,
    /// Per frame from 1 on, or one for all.
    frames: Vec<FrameSolver<'t, B>>,
    infinity: FrameSolver<'t, B>,
    /// Number of frames from 1 on.
    count: usize,
    last: usize,
    assumptions: Vec<Lit>,
    pub queries: u64,
    pub seconds: f64,
}

impl<'t, B: Backend> Solvers<'t, B> {
    pub fn new(
        circuit: &Circuit,
        transition: &'t Transition,
        config: &PdrConfig,
        interrupt: &Interrupt,
    ) -> Self {
        let resets = circuit.latches.iter().map(|l| l.reset).collect();
        let solver =
            |resets| FrameSolver::new(transition, config.domains, B::new(interrupt), resets);
        Solvers {
            transition,
            layout: config.layout,
            domains: config.domains,
            partial: config.partial,
            interrupt: interrupt.clone(),
            initial: solver(Some(resets)),
            frames: vec![],
            infinity: solver(None),
            count: 0,
            last: 0,
            assumptions: vec![],
            queries: 0,
            seconds: 0.0,
        }
    }

    fn fresh(&self) -> FrameSolver<'t, B> {
        FrameSolver::new(self.transition, self.domains, B::new(&self.interrupt), None)
    }

    /// Opens the next frame, without lemmas.
    pub fn add_frame(&mut self) {
        self.count += 1;
        if self.layout == Layout::PerFrame || self.frames.is_empty() {
            self.frames.push(self.fresh());
        }
        if self.layout == Layout::Shared {
            self.frames[0].add_activation();
        }
    }

    /// Adds the negation of a cube to the frames from `low` to `high`; those below `low` have it.
    pub fn add_lemma(&mut self, cube: &[Lit], low: usize, high: usize) {
        match (self.layout, high) {
            (Layout::PerFrame, _) => {
                let affected = low - 1..high.min(self.frames.len());
                self.frames[affected].iter_mut().for_each(|s| s.add_lemma(cube, None));
            }
            (Layout::Shared, INFINITY) => self.frames[0].add_lemma(cube, None),
            (Layout::Shared, _) => {
                // The clause that was active in the frames below is active in no other.
                self.frames[0].outdated += (low > 1) as usize;
                self.frames[0].add_lemma(cube, Some(high));
            }
        }
        if high == INFINITY {
            self.infinity.add_lemma(cube, None);
        }
    }

    /// Adds a lemma to the solver of this frame alone, which was opened or replaced.
    pub fn restore_lemma(&mut self, cube: &[Lit], frame: usize, solver: usize) {
        match (self.layout, frame) {
            (Layout::Shared, INFINITY) | (Layout::PerFrame, _) => {
                self.frames[solver].add_lemma(cube, None)
            }
            (Layout::Shared, _) => self.frames[solver].add_lemma(cube, Some(frame)),
        }
    }

    /// Whether lemmas that were replaced or activation literals pile up in a frame's solver.
    pub fn is_worn(&self, solver: usize) -> bool {
        self.frames[solver].is_worn(MAX_WORN)
    }

    /// Takes note that so many lemmas of a frame were replaced by stronger ones.
    pub fn note_outdated(&mut self, frame: usize, lemmas: usize) {
        let affected = match self.layout {
            Layout::PerFrame => frame.min(self.frames.len()),
            Layout::Shared => 1,
        };
        self.frames[..affected].iter_mut().for_each(|s| s.outdated += lemmas);
    }

    /// The lowest frame whose lemmas a solver holds; solvers are numbered from 0.
    pub fn lowest_frame(&self, solver: usize) -> usize {
        if self.layout == Layout::Shared { 1 } else { solver + 1 }
    }

    pub fn num_solvers(&self) -> usize {
        self.frames.len()
    }

    /// Replaces a solver by one without lemmas.
    pub fn replace(&mut self, solver: usize) {
        self.frames[solver] = self.fresh();
        if self.layout == Layout::Shared {
            (0..self.count).for_each(|_| self.frames[0].add_activation());
        }
    }

    fn index(&self, frame: usize) -> usize {
        match (self.layout, frame) {
            (_, 0 | INFINITY) => frame,
            (Layout::PerFrame, _) => frame,
            (Layout::Shared, _) => 1,
        }
    }

    fn solver(&mut self, index: usize) -> &mut FrameSolver<'t, B> {
        match index {
            0 => &mut self.initial,
            INFINITY => &mut self.infinity,
            _ => &mut self.frames[index - 1],
        }
    }

    fn ask(&mut self, frame: usize, temporary: &[Lit]) -> Answer {
        self.queries += 1;
        let start = Instant::now();
        self.last = self.index(frame);
        let shared = self.layout == Layout::Shared && frame != 0 && frame != INFINITY;
        let assumptions = std::mem::take(&mut self.assumptions);
        let query = Query {
            assumptions: &assumptions,
            temporary,
            domain: Domain::All,
            partial: self.partial,
        };
        let last = self.last;
        let answer = self.solver(last).ask(query, shared.then_some(frame));
        self.assumptions = assumptions;
        self.seconds += start.elapsed().as_secs_f64();
        answer
    }

    /// F ∧ C ∧ bad
    pub fn bad(&mut self, frame: usize) -> Answer {
        self.assumptions.clear();
        self.assumptions.push(self.transition.bad);
        self.ask(frame, &[])
    }

    /// F ∧ C ∧ ¬cube ∧ T ∧ cube'
    pub fn predecessor(&mut self, cube: &[Lit], frame: usize) -> Answer {
        self.assumptions.clear();
        self.assumptions.extend(cube.iter().map(|&l| self.transition.next_of(l)));
        let excluded: Vec<Lit> = cube.iter().map(|&l| !l).collect();
        self.ask(frame, &excluded)
    }

    /// I ∧ C ∧ cube
    pub fn initial_state(&mut self, cube: &[Lit]) -> Answer {
        self.assumptions.clear();
        self.assumptions.extend_from_slice(cube);
        self.ask(0, &[])
    }

    /// The literals of the cube that the last refuted [`Solvers::predecessor`] needs.
    pub fn successor_core(&mut self, cube: &[Lit]) -> Vec<Lit> {
        let transition = self.transition;
        let last = self.last;
        let solver = self.solver(last);
        cube.iter().copied().filter(|&l| solver.failed(transition.next_of(l))).collect()
    }

    /// The literals of the cube that the last refuted [`Solvers::initial_state`] needs.
    pub fn initial_core(&mut self, cube: &[Lit]) -> Vec<Lit> {
        cube.iter().copied().filter(|&l| self.initial.failed(l)).collect()
    }

    /// The value of a literal in the model of the last query; none if it does not matter.
    pub fn value(&mut self, lit: Lit) -> Option<bool> {
        let last = self.last;
        self.solver(last).value(lit)
    }

    /// What the model of the last query says about latches.
    pub fn model_latches(&mut self) -> Vec<Lit> {
        let last = self.last;
        self.solver(last).model_latches()
    }
}
