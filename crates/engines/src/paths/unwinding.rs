//! What engines on an abstract reachability graph do alike: take the next node, refute a path to a
//! target, strengthen formulas along it, cover nodes.

use super::arithmetic::{decider, integers};
use super::blocked::Blocked;
use super::config::{Arithmetic, BlockSize, Cover, Order, PathConfig};
use super::export::ReachabilityGraph;
use super::feasible::{Feasibility, Paths};
use super::graph::{Graph, NodeId};
use super::source::{NoAssertions, Source};
use super::sources::source;
use crate::contract::{AutomatonOutcome, Context, Insight, UnknownReason};
use crate::figures;
use std::collections::{BTreeSet, VecDeque};
use std::time::Instant;
use wedge_logic::Term;
use wedge_model::Cfa;
use wedge_sat::Interrupt;
use wedge_smt::{StepId, Triples};

/// How many nodes may cover another one together, the newest of its place.
const TOGETHER: usize = 24;

/// The outcome, if it is known before the graph is complete.
pub type Going<T> = Result<T, Box<AutomatonOutcome>>;

fn ended(reason: UnknownReason) -> Box<AutomatonOutcome> {
    Box::new(AutomatonOutcome::Unknown(reason))
}

fn unsupported(why: String) -> Box<AutomatonOutcome> {
    ended(UnknownReason::Unsupported(why))
}

pub struct Unwinding<'a> {
    pub blocked: Blocked<'a>,
    pub graph: Graph,
    pub triples: Triples,
    pub paths: Paths,
    pub source: Box<dyn Source>,
    /// Nodes that may have to be expanded, oldest first.
    pub open: VecDeque<NodeId>,
    pub config: PathConfig,
    pub context: &'a Context,
    pub interrupt: Interrupt,
    /// Those of graphs for models of the program that were tried before.
    nodes_before: f64,
}

impl<'a> Unwinding<'a> {
    /// The entry alone.
    pub fn new(cfa: &'a Cfa, config: &PathConfig, context: &'a Context) -> Going<Unwinding<'a>> {
        let size = config.blocks.unwrap_or(BlockSize::Loops);
        let mut blocked = Blocked::new(cfa, size, config.prune).map_err(ended)?;
        if config.facts {
            blocked.add_facts(&|| context.interrupted().is_some());
        }
        let interrupt = context.interrupt();
        let decider = decider(config, &mut blocked, &interrupt).map_err(unsupported)?;
        let integers = integers(config, &interrupt).map_err(unsupported)?;
        let nodes_before = context.figures().get(figures::NODES).unwrap_or(0.0);
        Ok(Unwinding {
            graph: Graph::new(&mut blocked),
            triples: blocked.triples(decider),
            paths: Paths::new(&interrupt).over(integers),
            source: source(config, &mut blocked, context).map_err(unsupported)?,
            blocked,
            open: VecDeque::from([Graph::ROOT]),
            config: config.clone(),
            context,
            interrupt,
            nodes_before,
        })
    }

    /// The next node that is neither expanded nor covered nor removed.
    pub fn next_open(&mut self) -> Going<Option<NodeId>> {
        loop {
            if let Some(reason) = self.context.interrupted() {
                return Err(ended(reason));
            }
            let next = match self.config.order {
                Order::DepthFirst => self.open.pop_back(),
                Order::BreadthFirst => self.open.pop_front(),
            };
            let Some(next) = next else { return Ok(None) };
            let node = self.graph.node(next);
            if !node.is_expanded && !node.is_removed && !self.graph.is_covered(next) {
                return Ok(Some(next));
            }
        }
    }

    /// {φ_node} step {false}
    pub fn excludes(&mut self, node: NodeId, step: StepId) -> bool {
        let never = self.blocked.store.bool(false);
        let formula = self.graph.node(node).formula;
        self.triples.triple(&mut self.blocked.store, formula, step, never).holds()
    }

    /// Assertions along the path to a node and by a step to a target: one for each node on it. Ends
    /// with a run if there is one.
    pub fn refute(&mut self, node: NodeId, last: StepId) -> Going<Vec<Term>> {
        let mut steps = self.graph.steps_to(node);
        steps.push(last);
        let mut assertions = self.refute_path(&steps)?;
        assertions.pop();
        Ok(assertions)
    }

    /// Assertions along a path from the entry to a target: one before and one after each step. Ends
    /// with a run if there is one.
    pub fn refute_path(&mut self, steps: &[StepId]) -> Going<Vec<Term>> {
        let infeasible = match self.paths.check(&mut self.blocked, steps) {
            Feasibility::Feasible => return Err(Box::new(self.paths.run(&self.blocked))),
            Feasibility::Infeasible(path) if self.config.shortest => {
                self.paths.shortest(&mut self.blocked, path)
            }
            Feasibility::Infeasible(path) => path,
            Feasibility::Overapproximated => return Err(ended(UnknownReason::Overapproximated)),
            Feasibility::Unknown(why) => return Err(self.unknown(why.to_string())),
        };
        let start = Instant::now();
        let found = self.source.assertions(&mut self.blocked, &infeasible, &self.interrupt);
        let seconds = start.elapsed().as_secs_f64();
        let assertions = match found {
            Ok(assertions) => assertions,
            Err(NoAssertions::Stopped) => {
                return Err(ended(self.context.stop_reason()));
            }
            Err(NoAssertions::NotFound(why)) => return Err(self.unknown(why)),
        };
        let sizes = assertions.iter().map(|&assertion| self.blocked.store.size(&[assertion]));
        let nodes: usize = sizes.sum();
        self.context.record(|f| {
            f.refinements += 1;
            f.interpolants += assertions.len() - 2;
            f.add(figures::ASSERTION_NODES, nodes as f64);
            f.interpolation_seconds += seconds;
        });
        Ok(assertions)
    }

    /// What the graph proves, of words or of integers.
    ///
    /// Requires: as for [`Graph::proof`].
    pub fn proof(&mut self) -> AutomatonOutcome {
        let claim = self.graph.proof(&mut self.blocked);
        match (claim, &self.config.arithmetic) {
            (AutomatonOutcome::Safe(proof), Arithmetic::Integers { .. }) => {
                AutomatonOutcome::SafeForIntegers(proof)
            }
            (claim, _) => claim,
        }
    }

    /// The outcome where something was not found, for this reason if it is not the time.
    pub fn unknown(&self, why: String) -> Box<AutomatonOutcome> {
        ended(self.context.interrupted().unwrap_or(UnknownReason::Unsupported(why)))
    }

    /// Adds an assertion to the formula of a node. Nodes that it does not cover any more are open.
    /// Returns whether the formula has changed.
    pub fn strengthen(&mut self, node: NodeId, assertion: Term) -> bool {
        let store = &mut self.blocked.store;
        let formula = self.graph.node(node).formula;
        if self.triples.implication(store, formula, assertion).holds() {
            return false;
        }
        self.graph.node_mut(node).formula = store.and(formula, assertion);
        for covered in self.graph.node(node).covers.clone() {
            let formula = self.graph.node(covered).formula;
            if !self.triples.implication(&mut self.blocked.store, formula, assertion).holds() {
                self.graph.uncover(covered);
                self.reopen(&[covered]);
            }
        }
        if self.blocked.is_false(self.graph.node(node).formula) {
            self.cut_off(node);
        }
        true
    }

    /// Takes away what lies below a node that is not reached.
    fn cut_off(&mut self, node: NodeId) {
        for child in self.graph.node(node).children.clone() {
            let uncovered = self.graph.remove(child);
            self.reopen(&uncovered);
        }
    }

    /// What lies below these nodes counts again.
    pub fn reopen(&mut self, nodes: &[NodeId]) {
        for &node in nodes {
            let open = self.graph.below(node);
            self.open.extend(open.into_iter().filter(|&id| !self.graph.node(id).is_expanded));
        }
    }

    /// The older nodes of its place that may cover a node.
    pub fn older(&self, node: NodeId) -> Vec<NodeId> {
        let place = self.graph.node(node).place;
        let older = self.graph.at(place).take_while(|&other| other < node);
        older.filter(|&other| !self.graph.is_covered(other)).collect()
    }

    /// Covers a node by an older one if that is possible: φ_node → φ_older; or by several together.
    ///
    /// Nodes that were covered from below it lose their covers, and are covered by others at once if
    /// they can be, the oldest first: covering a node takes covers only from younger ones, so that
    /// each is looked at once. The youngest first would count through all combinations (2,100,000
    /// covers among 978 nodes of one driver).
    pub fn close(&mut self, node: NodeId) -> bool {
        let Some(covering) = self.covering(node) else { return false };
        let mut uncovered = BTreeSet::from_iter(self.cover(node, &covering));
        while let Some(next) = uncovered.pop_first() {
            if self.is_settled(next) {
                continue;
            }
            match self.covering(next) {
                Some(covering) => uncovered.extend(self.cover(next, &covering)),
                None => self.reopen(&[next]),
            }
        }
        true
    }

    fn cover(&mut self, node: NodeId, by: &[NodeId]) -> Vec<NodeId> {
        let together = by.len() > 1;
        self.context.record(|f| {
            f.add(figures::COVERED, 1.0);
            if together {
                f.add(figures::COVERED_TOGETHER, 1.0);
            }
        });
        self.graph.cover(node, by)
    }

    /// The nodes that may cover a node: one, or several together.
    fn covering(&mut self, node: NodeId) -> Option<Vec<NodeId>> {
        let formula = self.graph.node(node).formula;
        if self.blocked.is_false(formula) {
            return None;
        }
        let mut older = self.older(node);
        older.reverse();
        let store = &mut self.blocked.store;
        let single = older.iter().copied().find(|&older| {
            let weaker = self.graph.node(older).formula;
            self.triples.implication(store, formula, weaker).holds()
        });
        if let Some(older) = single {
            return Some(vec![older]);
        }
        if self.config.cover == Cover::One || older.len() < 2 {
            return None;
        }
        older.truncate(TOGETHER);
        let formulas: Vec<Term> =
            older.iter().map(|&older| self.graph.node(older).formula).collect();
        let any = store.or_all(&formulas);
        // φ_node → φ₁ ∨ φ₂ ∨ …
        self.triples.implication(store, formula, any).holds().then_some(older)
    }

    /// Covers the first node along a path that can be covered.
    pub fn close_along(&mut self, nodes: &[NodeId]) {
        for &node in nodes {
            let known = self.graph.node(node);
            if known.is_removed || !known.covered_by.is_empty() || self.close(node) {
                return;
            }
        }
    }

    /// Whether a node need not be expanded now: it is covered, or not in the graph any more.
    pub fn is_settled(&self, node: NodeId) -> bool {
        self.graph.node(node).is_removed || self.graph.is_covered(node)
    }

    /// Marks a node as one whose steps have all been looked at.
    pub fn expanded(&mut self, node: NodeId) {
        self.graph.node_mut(node).is_expanded = true;
        let depth = self.graph.nodes_to(node).len() - 1;
        self.context.record(|f| {
            f.bound = f.bound.max(depth);
            f.set(figures::NODES, self.explored());
        });
    }

    /// How many nodes were made in all.
    fn explored(&self) -> f64 {
        self.nodes_before + self.graph.len() as f64
    }

    /// Records the figures and shows the graph to those who want to see it.
    pub fn finish(&self) {
        let queries = self.triples.asked + self.paths.solver.figures.queries;
        let seconds = self.paths.solver.seconds();
        self.context.record(|f| {
            f.queries += queries;
            f.solver_seconds += seconds;
            f.set(figures::NODES, self.explored());
            f.set(figures::PLACES, self.blocked.places.len() as f64);
        });
        let graph = || ReachabilityGraph::new(&self.blocked, &self.graph);
        self.context.tell(&Insight::Graph(&graph));
    }
}
