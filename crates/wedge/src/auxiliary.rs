//! Auxiliary invariants for engines: analyses of the program, one level after the other, whose
//! results are made inductive and posted while the engine works, or found beforehand. What other
//! engines of a portfolio have found is posted as well.

use crate::input::Problem;
use crate::options::Invariants;
use crate::sharing::Shared;
use crate::tuned::{INVARIANTS_SHARE, MAX_HARD_CANDIDATES};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use wedge_engines::Context;
use wedge_engines::auxiliary::Auxiliary;
use wedge_engines::figures;
use wedge_engines::houdini::{Filtered, PATIENT, Patience, QUICK, inductive_facts};
use wedge_engines::preprocess::Reductions;
use wedge_model::Facts;
use wedge_sat::Interrupt;

const STACK: usize = 1 << 28;

/// How many levels of analyses are wanted.
fn levels(wanted: Invariants, problem: &Problem) -> usize {
    match wanted {
        Invariants::None => 0,
        Invariants::Dataflow => problem.analyses.analyses().min(2),
        Invariants::Relations => problem.analyses.analyses(),
    }
}

/// The facts of all levels, each inductive with those before it.
struct Search<'a> {
    problem: &'a Problem,
    context: &'a Context,
    interrupt: &'a Interrupt,
    known: Facts,
    /// Candidates that need more patience.
    hard: Facts,
}

impl<'a> Search<'a> {
    fn new(problem: &'a Problem, context: &'a Context, interrupt: &'a Interrupt) -> Search<'a> {
        let none = Facts::none(problem.circuit.latches.len());
        Search { problem, context, interrupt, known: none.clone(), hard: none }
    }

    /// The new facts of a level.
    fn level(&mut self, level: usize) -> Option<Facts> {
        let start = Instant::now();
        let candidates = self.problem.analyses.analyse(level, self.interrupt)?;
        let count = candidates.roots.len() as f64;
        self.context.record(|figures| figures.add(figures::CANDIDATES, count));
        self.filtered(&candidates, QUICK, start)
    }

    /// New facts among those that have been too hard.
    fn hard(&mut self) -> Option<Facts> {
        let none = Facts::none(self.problem.circuit.latches.len());
        let mut candidates = std::mem::replace(&mut self.hard, none);
        candidates.roots.truncate(MAX_HARD_CANDIDATES);
        match candidates.is_empty() {
            true => None,
            false => self.filtered(&candidates, PATIENT, Instant::now()),
        }
    }

    fn filtered(
        &mut self,
        candidates: &Facts,
        patience: Patience,
        start: Instant,
    ) -> Option<Facts> {
        let circuit = &self.problem.circuit;
        let filtered = inductive_facts(circuit, &self.known, candidates, patience, self.interrupt);
        self.context.record(|figures| {
            let found = filtered.as_ref().map_or(0, |filtered| filtered.facts.roots.len());
            figures.add(figures::FACTS, found as f64);
            figures.add(figures::INVARIANT_SECONDS, start.elapsed().as_secs_f64());
        });
        let Filtered { facts, hard } = filtered?;
        if !hard.is_empty() {
            self.hard.extend(&hard);
        }
        if facts.is_empty() {
            return None;
        }
        self.known.extend(&facts);
        Some(facts)
    }
}

/// The facts that are found before an engine starts.
pub fn beforehand(wanted: Invariants, problem: &Problem, context: &Context) -> Facts {
    let now = Instant::now();
    let left = context.deadline().map(|deadline| deadline.saturating_duration_since(now));
    let time = left.map_or(Duration::from_secs(60), |left| left.mul_f64(INVARIANTS_SHARE));
    let interrupt = Interrupt { deadline: Some(now + time), ..context.interrupt() };
    let mut search = Search::new(problem, context, &interrupt);
    for level in 0..levels(wanted, problem) {
        search.level(level);
    }
    search.hard();
    search.known
}

/// Where facts are posted.
#[derive(Clone)]
struct Boards {
    found: Auxiliary,
    board: Auxiliary,
    way_back: Arc<Reductions>,
}

impl Boards {
    fn post(&self, facts: &Facts) {
        let image = self.way_back.facts(facts);
        // In this order, so that the engine knows nothing that is not kept.
        self.found.post(facts.clone());
        self.board.post(image);
    }
}

/// A search that goes on while an engine works. It ends when this is dropped.
pub struct Meanwhile {
    /// What was found, about the circuit as read.
    found: Auxiliary,
    stop: Arc<AtomicBool>,
}

impl Drop for Meanwhile {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Meanwhile {
    /// Starts the search; `board` gets what is found as facts about the reduced circuit, and so
    /// does what others have found.
    pub fn start(
        wanted: Invariants,
        problem: &Problem,
        way_back: &Arc<Reductions>,
        context: &Context,
        shared: Option<&Shared>,
    ) -> (Meanwhile, Auxiliary) {
        let (found, board) = (Auxiliary::expecting(), Auxiliary::expecting());
        let stop = Arc::new(AtomicBool::new(false));
        let interrupt = Interrupt { flag: stop.clone(), deadline: context.deadline() };
        let search = (problem.clone(), context.clone());
        let boards =
            Boards { found: found.clone(), board: board.clone(), way_back: way_back.clone() };
        let receiver = boards.clone();
        let received =
            shared.and_then(|shared| shared.listen(move |facts, _| receiver.post(facts)));
        received.iter().for_each(|facts| boards.post(facts));
        let poster = shared.map(|shared| shared.poster.clone()).unwrap_or_default();
        let levels = levels(wanted, problem);
        let work = move || {
            let (problem, context) = search;
            let mut search = Search::new(&problem, &context, &interrupt);
            for level in 0..=levels {
                boards.found.news(0).iter().for_each(|facts| search.known.extend(facts));
                let facts = if level < levels { search.level(level) } else { search.hard() };
                if let Some(facts) = facts {
                    boards.post(&facts);
                    poster.post(&search.known);
                }
            }
            boards.board.close();
        };
        let started = std::thread::Builder::new().stack_size(STACK).spawn(work);
        if started.is_err() {
            board.close();
        }
        (Meanwhile { found, stop }, board)
    }

    /// All that was found so far.
    pub fn facts(&self, latches: usize) -> Facts {
        let mut all = Facts::none(latches);
        self.found.news(0).iter().for_each(|facts| all.extend(facts));
        all
    }
}
