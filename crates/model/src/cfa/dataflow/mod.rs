//! A data-flow analysis of automata: for each location, what is known about each variable.
//!
//! Its results serve as auxiliary invariants of k-induction (Beyer, Dangl, Wendler, CAV 2015:
//! Boosting k-Induction with Continuously-Refined Invariants). An abstract state gives each
//! variable intervals, known bits and, where it may be a float, an interval of numbers. Edges are
//! evaluated on abstract states (`evaluate`, `arith`, `float`), guards refine them (`refine`,
//! `compare`), and a fixed point with widening and thresholds covers all runs (`solve`).
//!
//! All variables are arbitrary at the entry, and inputs always. Arrays and bit-vectors of more
//! than 64 bits are not followed.

mod arith;
mod compare;
mod env;
mod evaluate;
mod facts;
mod float;
mod range;
mod refine;
mod solve;
mod value;
mod word;

use super::graph::{Graph, Order};
use super::symbols::Symbols;
use super::{Cfa, Liveness, LocationId};
use compare::Comparisons;
use env::Env;
use evaluate::Evaluation;
use solve::{Patience, Solver, States};
use wedge_logic::{Op, Term, TermStore};
use word::{MAX_WIDTH, Thresholds};

/// How much an analysis tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// Widening stops at few constants and soon.
    Quick,
    /// Widening stops at every constant of the program.
    Thorough,
}

impl Precision {
    fn patience(self) -> Patience {
        match self {
            Precision::Quick => Patience { joins: 1, steps: 3, sweeps: 1, work: 3_000_000 },
            Precision::Thorough => Patience { joins: 4, steps: 24, sweeps: 3, work: 40_000_000 },
        }
    }
}

/// What is known at each location.
pub struct Analysis<'a> {
    cfa: &'a Cfa,
    live: Liveness,
    states: States,
}

/// Analyses an automaton; none if that takes too much work or `stop` says so.
pub fn analyse<'a>(
    cfa: &'a Cfa,
    precision: Precision,
    stop: &dyn Fn() -> bool,
) -> Option<Analysis<'a>> {
    let graph = Graph::new(cfa);
    let order = Order::new(cfa, &graph);
    let symbols = Symbols::new(cfa);
    let roots: Vec<Term> = cfa.edges.iter().flat_map(|edge| edge.roots()).collect();
    let comparisons = Comparisons::find(&cfa.terms, &roots);
    let mut solver = Solver {
        cfa,
        graph: &graph,
        order: &order,
        evaluation: Evaluation::new(cfa, &symbols, &comparisons),
        thresholds: thresholds(cfa, &roots, precision),
        patience: precision.patience(),
        stop,
    };
    let states = solver.solve()?;
    Some(Analysis { cfa, live: Liveness::new(cfa), states })
}

/// The constants of comparisons, or all of them.
fn thresholds(cfa: &Cfa, roots: &[Term], precision: Precision) -> Thresholds {
    let terms = &cfa.terms;
    let constant = |term: Term| {
        let value = terms.value(term)?;
        Some((value.width(), value.to_u64()?)).filter(|&(width, _)| width <= MAX_WIDTH)
    };
    let mut constants = Vec::new();
    for term in terms.cone(roots) {
        let compared = matches!(terms.op(term), Op::Eq | Op::Ult | Op::Slt);
        if compared || precision == Precision::Thorough {
            constants.extend(terms.args(term).iter().copied().filter_map(constant));
        }
    }
    Thresholds::new(constants)
}

impl Analysis<'_> {
    pub fn is_reachable(&self, location: LocationId) -> bool {
        self.state(location).is_some()
    }

    fn state(&self, location: LocationId) -> Option<&Env> {
        self.states[location.0 as usize].as_ref()
    }

    /// What is known about the live variables at a location, as terms of width 1; false if it is
    /// never reached. `terms` extends the store of the automaton.
    pub fn facts(&self, terms: &mut TermStore, location: LocationId) -> Vec<Term> {
        let Some(state) = self.state(location) else { return vec![terms.bool(false)] };
        let mut all = Vec::new();
        for index in self.live.live_at(location) {
            if let Some(value) = state.get(index as u32) {
                all.extend(facts::facts(terms, self.cfa.variables[index], value));
            }
        }
        all
    }
}
