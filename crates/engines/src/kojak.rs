//! Splitting via interpolants (Ermis, Hoenicke, Podelski: Splitting via Interpolants, VMCAI 2012;
//! Ultimate Kojak).
//!
//! The nodes of a graph are places with formulas; those of one place divide its states among them.
//! In the beginning every place is one node. A path to a target, if no run takes it, has assertions,
//! and every node on it is split into the states that satisfy its assertion and those that do not.
//! An edge is dropped where no state of its source steps to a state of its destination. When the
//! targets are cut off, no run leaves the nodes that are still reached.
//!
//! Edges are copied when a node is split, and looked at when they are on a path to a target.

use crate::contract::{AutomatonEngine, AutomatonOutcome, Context};
use crate::figures;
use crate::paths::{Goal, Going, PathConfig, PlaceId, StepId, Unwinding};
use std::collections::VecDeque;
use wedge_logic::Term;
use wedge_model::Cfa;
use wedge_model::cfa::TargetKind;

pub struct Kojak {
    pub config: PathConfig,
}

impl AutomatonEngine for Kojak {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        let tree = match Unwinding::new(automaton, &self.config, context) {
            Ok(tree) => tree,
            Err(outcome) => return *outcome,
        };
        let mut search = Search::new(tree);
        let end = search.refine();
        search.finish(end.is_ok());
        end.err().map_or_else(|| search.tree.proof(), |outcome| *outcome)
    }
}

struct Node {
    place: PlaceId,
    formula: Term,
    edges: Vec<Edge>,
    /// The nodes with edges to this one.
    from: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Edge {
    step: StepId,
    to: Option<usize>,
    /// Whether a state of the source may step to one of the destination as they are now.
    is_checked: bool,
}

/// The edges of a path: a node, and the place among its edges.
type Path = Vec<(usize, usize)>;

struct Search<'a> {
    tree: Unwinding<'a>,
    /// The first is that of the entry.
    nodes: Vec<Node>,
    dropped: u64,
}

impl<'a> Search<'a> {
    fn new(tree: Unwinding<'a>) -> Search<'a> {
        let blocked = &tree.blocked;
        let node = |(place, index): (&crate::paths::Place, u32)| Node {
            place: PlaceId(index),
            formula: place.facts,
            edges: Vec::new(),
            from: Vec::new(),
        };
        let mut nodes: Vec<Node> = blocked.places.iter().zip(0..).map(node).collect();
        for (step, id) in blocked.steps.iter().zip((0..).map(StepId)) {
            let to = match step.to {
                Goal::Place(to) => Some(to.index()),
                Goal::Target(_) => None,
            };
            nodes[step.from.index()].edges.push(Edge { step: id, to, is_checked: false });
            if let Some(to) = to {
                nodes[to].from.push(step.from.index());
            }
        }
        nodes.iter_mut().for_each(|node| node.from.dedup());
        Search { tree, nodes, dropped: 0 }
    }

    fn refine(&mut self) -> Going<()> {
        while let Some(path) = self.path() {
            if let Some(reason) = self.tree.context.interrupted() {
                return Err(Box::new(AutomatonOutcome::Unknown(reason)));
            }
            if self.drop_edges(&path) {
                continue;
            }
            let steps: Vec<StepId> =
                path.iter().map(|&(n, e)| self.nodes[n].edges[e].step).collect();
            let assertions = self.tree.refute_path(&steps)?;
            self.split_along(&path, &assertions);
            self.tree.context.record(|f| {
                f.add(figures::ITERATIONS, 1.0);
                f.bound = f.bound.max(steps.len());
                f.set(figures::SPLIT_NODES, self.nodes.len() as f64);
            });
        }
        Ok(())
    }

    /// A shortest path to an error, or to a limit if there is none.
    fn path(&self) -> Option<Path> {
        let mut reached: Vec<Option<(usize, usize)>> = vec![None; self.nodes.len()];
        let mut open = VecDeque::from([0]);
        let mut limit = None;
        while let Some(number) = open.pop_front() {
            for (place, edge) in self.nodes[number].edges.iter().enumerate() {
                match edge.to {
                    Some(0) => {}
                    Some(to) if reached[to].is_none() => {
                        reached[to] = Some((number, place));
                        open.push_back(to);
                    }
                    Some(_) => {}
                    None => {
                        let goal = self.tree.blocked.step(edge.step).to;
                        if goal == Goal::Target(TargetKind::Error) {
                            return Some(back(&reached, (number, place)));
                        }
                        limit = limit.or(Some((number, place)));
                    }
                }
            }
        }
        limit.map(|last| back(&reached, last))
    }

    /// Drops the edges of a path that no step takes; returns whether there is one.
    fn drop_edges(&mut self, path: &Path) -> bool {
        let mut dropped = Vec::new();
        for &(number, place) in path {
            let Edge { step, to, is_checked } = self.nodes[number].edges[place];
            if is_checked {
                continue;
            }
            let store = &mut self.tree.blocked.store;
            let outside = match to {
                Some(to) => store.not(self.nodes[to].formula),
                None => store.bool(false),
            };
            let formula = self.nodes[number].formula;
            // {φ} step {¬ψ}
            if self.tree.triples.triple(store, formula, step, outside).holds() {
                dropped.push((number, place));
            } else {
                self.nodes[number].edges[place].is_checked = true;
            }
        }
        for &(number, place) in &dropped {
            self.nodes[number].edges.swap_remove(place);
        }
        self.dropped += dropped.len() as u64;
        !dropped.is_empty()
    }

    /// Splits the nodes of a path, each of which is on it once, and drops the edges that the
    /// assertions exclude.
    fn split_along(&mut self, path: &Path, assertions: &[Term]) {
        let edges: Vec<(usize, Edge)> =
            path.iter().map(|&(n, e)| (n, self.nodes[n].edges[e])).collect();
        for (&(from, edge), &assertion) in edges.iter().zip(&assertions[1..]) {
            let Some(to) = edge.to.filter(|_| !self.tree.blocked.is_false(assertion)) else {
                // No state with the assertion before it takes this step.
                self.drop_edge(from, edge.step, edge.to);
                return;
            };
            let formula = self.nodes[to].formula;
            let store = &mut self.tree.blocked.store;
            if self.tree.triples.implication(store, formula, assertion).holds() {
                continue;
            }
            let other = self.split(to, assertion);
            self.drop_edge(from, edge.step, Some(other));
        }
    }

    fn drop_edge(&mut self, from: usize, step: StepId, to: Option<usize>) {
        self.nodes[from].edges.retain(|edge| edge.step != step || edge.to != to);
        self.dropped += 1;
    }

    /// Restricts a node to an assertion; returns the new node with its other states.
    fn split(&mut self, number: usize, assertion: Term) -> usize {
        let store = &mut self.tree.blocked.store;
        let Node { place, formula, .. } = self.nodes[number];
        let not = store.not(assertion);
        let other = self.nodes.len();
        self.nodes[number].formula = store.and(formula, assertion);
        self.nodes.push(Node {
            place,
            formula: store.and(formula, not),
            edges: self.nodes[number].edges.clone(),
            from: self.nodes[number].from.clone(),
        });
        for from in self.nodes[number].from.clone().into_iter().chain([other]) {
            let edges = &mut self.nodes[from].edges;
            let here = |edge: &&mut Edge| edge.to == Some(number);
            edges.iter_mut().filter(here).for_each(|edge| edge.is_checked = false);
            let copies = edges.iter().filter(|edge| edge.to == Some(number));
            let copies: Vec<Edge> = copies.map(|&e| Edge { to: Some(other), ..e }).collect();
            edges.extend(copies);
        }
        for node in [number, other] {
            self.nodes[node].edges.iter_mut().for_each(|edge| edge.is_checked = false);
            for edge in self.nodes[node].edges.clone() {
                if let Some(to) = edge.to.filter(|&to| !self.nodes[to].from.contains(&node)) {
                    self.nodes[to].from.push(node);
                }
            }
        }
        other
    }

    /// Makes the abstract reachability graph of the nodes that are reached.
    fn unfold(&mut self) {
        let nodes: Vec<(PlaceId, Term)> =
            self.nodes.iter().map(|node| (node.place, node.formula)).collect();
        let steps = |node: &Node| node.edges.iter().filter_map(|e| Some((e.step, e.to?))).collect();
        let steps: Vec<Vec<(StepId, usize)>> = self.nodes.iter().map(steps).collect();
        self.tree.graph.unfold(&nodes, &steps);
    }

    fn finish(&mut self, is_proof: bool) {
        if is_proof {
            self.unfold();
        }
        self.tree.finish();
        let seconds = self.tree.triples.solver().seconds();
        self.tree.context.record(|f| {
            f.solver_seconds += seconds;
            f.set(figures::TRIPLES, self.tree.triples.asked as f64);
            f.set(figures::SPLIT_NODES, self.nodes.len() as f64);
            f.set(figures::DROPPED_EDGES, self.dropped as f64);
        });
    }
}

fn back(reached: &[Option<(usize, usize)>], last: (usize, usize)) -> Path {
    let before = |&(number, _): &(usize, usize)| reached[number];
    let mut path: Path = std::iter::successors(Some(last), before).collect();
    path.reverse();
    path
}
