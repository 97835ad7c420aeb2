//! Trace abstraction (Heizmann, Hoenicke, Podelski: Refinement of Trace Abstraction, SAS 2009;
//! Software Model Checking for People Who Love Automata, CAV 2013; Ultimate Automizer).
//!
//! The automaton of the program is read as one that accepts words over steps: those that lead to a
//! target. As long as there is one, it is a run, and the target is reached, or it is infeasible, and
//! a source of assertions says why. The assertions give a Floyd-Hoare automaton ([`hoare`]) of many
//! infeasible words, which are taken away. When no word is left, what was used to take them away
//! is a proof ([`remaining`]).
//!
//! Words to errors come before words to limits of the model.

mod hoare;
mod remaining;

use crate::automata::{Letter, cheapest, difference, shortest};
use crate::contract::{AutomatonEngine, AutomatonOutcome, Context};
use crate::figures;
use crate::paths::{Going, PathConfig, StepId, Unwinding};
use hoare::FloydHoare;
use remaining::{ERROR, LIMIT, Remaining};
use rustc_hash::{FxHashMap, FxHashSet};
use std::time::Instant;
use wedge_logic::Term;
use wedge_model::Cfa;

/// Which word comes next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    Shortest,
    /// One whose steps have been on few refuted words.
    Fresh,
}

/// Which predicates a Floyd-Hoare automaton has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Enhancement {
    /// The assertions.
    None,
    /// The conjuncts of the assertions.
    Conjuncts,
    /// These, and those of all earlier automata.
    Earlier,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceConfig {
    pub choice: Choice,
    pub enhancement: Enhancement,
    pub subsumption: bool,
    pub minimise: bool,
}

impl Default for TraceConfig {
    fn default() -> TraceConfig {
        TraceConfig {
            choice: Choice::Shortest,
            enhancement: Enhancement::Conjuncts,
            subsumption: true,
            minimise: true,
        }
    }
}

pub struct TraceAbstraction {
    pub config: PathConfig,
}

impl AutomatonEngine for TraceAbstraction {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        let tree = match Unwinding::new(automaton, &self.config, context) {
            Ok(tree) => tree,
            Err(outcome) => return *outcome,
        };
        let mut search = Search {
            remaining: Remaining::all(&tree.blocked),
            predicates: Vec::new(),
            known: FxHashSet::default(),
            uses: FxHashMap::default(),
            last: Vec::new(),
            tree,
        };
        let end = search.refine();
        search.finish(end.is_ok());
        end.err().map_or_else(|| search.tree.proof(), |outcome| *outcome)
    }
}

struct Search<'a> {
    tree: Unwinding<'a>,
    remaining: Remaining,
    /// The predicates of all automata.
    predicates: Vec<Term>,
    known: FxHashSet<Term>,
    /// On how many refuted words a step has been.
    uses: FxHashMap<Letter, u64>,
    last: Vec<StepId>,
}

impl Search<'_> {
    fn refine(&mut self) -> Going<()> {
        while let Some(word) = self.word() {
            let steps: Vec<StepId> = word.iter().map(|letter| StepId(letter.0)).collect();
            let assertions = self.tree.refute_path(&steps)?;
            if steps == self.last {
                let why = "the assertions do not exclude the path that they come from";
                return Err(self.tree.unknown(why.to_string()));
            }
            self.take_away(&steps, &assertions)?;
            self.last = steps;
            word.into_iter().for_each(|letter| *self.uses.entry(letter).or_default() += 1);
        }
        Ok(())
    }

    /// A word that is not refuted yet.
    fn word(&self) -> Option<Vec<Letter>> {
        let automaton = &self.remaining.automaton;
        let cost = |letter: Letter| 1 + self.uses.get(&letter).copied().unwrap_or(0);
        let word = |colour| match self.tree.config.trace.choice {
            Choice::Shortest => shortest(automaton, colour),
            Choice::Fresh => cheapest(automaton, colour, cost),
        };
        word(ERROR).or_else(|| word(LIMIT))
    }

    /// Takes away the words that the Floyd-Hoare automaton of the assertions accepts.
    fn take_away(&mut self, steps: &[StepId], assertions: &[Term]) -> Going<()> {
        let start = Instant::now();
        let (config, context) = (self.tree.config.trace, self.tree.context);
        let more = match config.enhancement {
            Enhancement::Earlier => &self.predicates[..],
            Enhancement::None | Enhancement::Conjuncts => &[],
        };
        let mut automaton =
            FloydHoare::new(&mut self.tree, steps, assertions, config.enhancement, more);
        let mut go_on = || context.interrupted().is_none();
        let minuend = &self.remaining.automaton;
        let found = difference(minuend, &mut automaton, config.subsumption, &mut go_on);
        let new = automaton.predicates().iter().filter(|&&predicate| self.known.insert(predicate));
        self.predicates.extend(new);
        let (states, formulas) = (automaton.len(), automaton.formulas());
        let Some(found) = found else { return Err(self.tree.unknown(String::new())) };
        let blocked = &mut self.tree.blocked;
        self.remaining.replace(blocked, found, |state| formulas[state.index()]);
        if config.minimise {
            self.remaining.minimise(blocked);
        }
        context.record(|f| {
            f.add(figures::ITERATIONS, 1.0);
            f.set(figures::PREDICATES, self.predicates.len() as f64);
            f.add(figures::FLOYD_HOARE_STATES, states as f64);
            let size = self.remaining.automaton.len() as f64;
            let largest = f.get(figures::LARGEST_DIFFERENCE).unwrap_or(0.0);
            f.set(figures::LARGEST_DIFFERENCE, largest.max(size));
            f.add(figures::DIFFERENCE_SECONDS, start.elapsed().as_secs_f64());
            f.bound = f.bound.max(steps.len());
        });
        Ok(())
    }

    fn finish(&mut self, is_proof: bool) {
        if is_proof {
            self.remaining.unfold(&mut self.tree.blocked, &mut self.tree.graph);
        }
        self.tree.finish();
        let seconds = self.tree.triples.solver().seconds();
        self.tree.context.record(|f| {
            f.solver_seconds += seconds;
            f.set(figures::TRIPLES, self.tree.triples.asked as f64);
        });
    }
}
