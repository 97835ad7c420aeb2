//! Lazy predicate abstraction with adjustable blocks (Henzinger, Jhala, Majumdar, Sutre: Lazy
//! Abstraction, POPL 2002; Henzinger, Jhala, Majumdar, McMillan: Abstractions from Proofs, POPL 2004;
//! Beyer, Keremoglu, Wendler: Predicate Abstraction with Adjustable-Block Encoding, FMCAD 2010).
//!
//! Every place has predicates, and the formula of a node is the abstraction, over the predicates of
//! its place, of what its parent and the step from there allow. Where a node cannot exclude that its
//! block leads to a target, the path to it is asked for a run; if there is none, assertions along the
//! path give new predicates. The first node on the path that was made without one of them is the
//! pivot: it is made again, and what was below it is thrown away; the rest of the graph stays.

use crate::contract::{AutomatonEngine, AutomatonOutcome, Context};
use crate::figures;
use crate::paths::abstraction::{Abstraction, Grain, Predicates, predicates_of};
use crate::paths::{Goal, Going, NodeId, PathConfig, PlaceId, StepId, Unwinding};
use wedge_logic::Term;
use wedge_model::Cfa;

pub struct PredicateAbstraction {
    pub config: PathConfig,
}

impl AutomatonEngine for PredicateAbstraction {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        let tree = match Unwinding::new(automaton, &self.config, context) {
            Ok(tree) => tree,
            Err(outcome) => return *outcome,
        };
        let mut search = Search {
            predicates: Predicates::new(&tree.blocked, self.config.scope),
            abstraction: Abstraction::new(self.config.domain, &tree.interrupt),
            used: vec![0],
            tree,
        };
        let end = search.explore();
        search.tree.finish();
        context.record(|f| {
            f.set(figures::PREDICATES, search.predicates.count() as f64);
            f.set(figures::ABSTRACTIONS, search.abstraction.computed as f64);
        });
        let tree = &mut search.tree;
        end.err().map_or_else(|| tree.proof(), |outcome| *outcome)
    }
}

struct Search<'a> {
    tree: Unwinding<'a>,
    predicates: Predicates,
    abstraction: Abstraction,
    /// How many predicates of its place a node was made with.
    used: Vec<usize>,
}

impl Search<'_> {
    fn explore(&mut self) -> Going<()> {
        while let Some(node) = self.tree.next_open()? {
            if !self.tree.close(node) {
                self.expand(node)?;
            }
        }
        Ok(())
    }

    fn expand(&mut self, node: NodeId) -> Going<()> {
        let place = self.tree.graph.node(node).place;
        for step in self.tree.blocked.place(place).steps.clone() {
            match self.tree.blocked.step(step).to {
                Goal::Place(to) => self.add(node, step, to),
                Goal::Target(_) => {
                    if !self.tree.excludes(node, step) {
                        return self.refine(node, step);
                    }
                }
            }
        }
        self.tree.expanded(node);
        Ok(())
    }

    /// The node to which a step leads, if it leads anywhere.
    fn add(&mut self, parent: NodeId, step: StepId, to: PlaceId) {
        let predicates = self.predicates.at(to);
        if self.abstraction.add(&mut self.tree, parent, (step, to), predicates).is_some() {
            self.used.push(predicates.len());
        }
    }

    /// Takes up predicates that exclude the path, and makes its pivot again.
    fn refine(&mut self, node: NodeId, last: StepId) -> Going<()> {
        let assertions = self.tree.refute(node, last)?;
        let nodes = self.tree.graph.nodes_to(node);
        let grain = self.tree.config.grain;
        let pivot = match self.take_up(&nodes, &assertions, grain) {
            // The atoms of an assertion do not always make it up again.
            None if grain == Grain::Atoms => self.take_up(&nodes, &assertions, Grain::Whole),
            pivot => pivot,
        };
        let Some(pivot) = pivot else {
            self.strengthen(node, &nodes, &assertions);
            return Ok(());
        };
        let place = self.tree.graph.node(pivot).place;
        let (parent, step) = self.tree.graph.node(pivot).parent.expect("the root has no formula");
        let uncovered = self.tree.graph.remove(pivot);
        self.tree.reopen(&uncovered);
        self.add(parent, step, place);
        Ok(())
    }

    /// Excludes the path where its nodes have all predicates and are too coarse nevertheless, as many
    /// predicates are not abstracted together: the assertions themselves join the formulas.
    fn strengthen(&mut self, node: NodeId, nodes: &[NodeId], assertions: &[Term]) {
        for (&node, &assertion) in nodes.iter().zip(assertions) {
            self.tree.strengthen(node, assertion);
        }
        self.tree.close_along(nodes);
        if !self.tree.is_settled(node) {
            self.tree.open.push_back(node);
        }
    }

    /// Adds the predicates of assertions to the places of their nodes; returns the first node that
    /// was made without one of them.
    fn take_up(&mut self, nodes: &[NodeId], assertions: &[Term], grain: Grain) -> Option<NodeId> {
        let mut pivot = None;
        for (&node, &assertion) in nodes.iter().zip(assertions).skip(1) {
            let place = self.tree.graph.node(node).place;
            for predicate in predicates_of(&mut self.tree.blocked.store, assertion, grain) {
                let used = self.used[node.0 as usize];
                if !self.predicates.has(place, used, predicate) {
                    pivot = pivot.or(Some(node));
                }
                self.predicates.add(&self.tree.blocked, place, predicate);
            }
        }
        pivot
    }
}
