//! Reachability, safety and error interpolants together (Tian, Duan, Duan, Ong: More Effective
//! Interpolations in Software Model Checking, ASE 2017).
//!
//! The automaton is unwound depth-first into a tree. Every place has predicates (its reachability
//! interpolants, definition 1), over which new nodes are abstracted. A path to a target that no run
//! takes strengthens its nodes and gives each of its places
//!
//! - reachability interpolants: what runs along the path satisfy,
//! - a safety interpolant ([`safety`], definition 2): from its states no target can be reached, once
//!   it is full, so that a node whose path implies it need not be expanded,
//! - an error interpolant ([`error`], definition 3): from its states a target may be reached, so that
//!   a node whose path implies it is tried with the continuations that gave rise to it,
//! - weights of its branches ([`weights`], section IV-B), which lead the search to where safety
//!   interpolants become full.
//!
//! Where the paper over-approximates, the engine does not rely on it: an error interpolant only
//! proposes paths, and a safety interpolant counts only as long as the safety interpolants that its
//! steps lead to hold there, which is asked of the solver whenever one of them changes. Those that
//! count are part of the proof.

mod error;
mod safety;
#[cfg(test)]
mod tests;
mod weights;

use crate::contract::{AutomatonEngine, AutomatonOutcome, Context};
use crate::figures;
use crate::paths::abstraction::{Abstraction, Predicates, predicates_of};
use crate::paths::{
    Feasibility, Goal, Going, NodeId, Order, PathConfig, PlaceId, StepId, Unwinding,
};
use error::ErrorInterpolants;
use safety::SafetyInterpolants;
use wedge_logic::Term;
use wedge_model::Cfa;
use weights::Weights;

pub struct Interp {
    pub config: PathConfig,
}

impl AutomatonEngine for Interp {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        let mut search = match Search::new(automaton, &self.config, context) {
            Ok(search) => search,
            Err(outcome) => return *outcome,
        };
        let end = search.explore();
        search.tree.finish();
        context.record(|f| {
            f.set(figures::PREDICATES, search.predicates.count() as f64);
            f.set(figures::ABSTRACTIONS, search.abstraction.computed as f64);
        });
        end.err().map_or_else(|| search.proof(), |outcome| *outcome)
    }
}

struct Search<'a> {
    tree: Unwinding<'a>,
    predicates: Predicates,
    abstraction: Abstraction,
    safety: SafetyInterpolants,
    error: ErrorInterpolants,
    weights: Weights,
    /// Nodes that are not expanded because they are safe.
    pruned: Vec<NodeId>,
}

impl<'a> Search<'a> {
    fn new(cfa: &'a Cfa, config: &PathConfig, context: &'a Context) -> Going<Search<'a>> {
        let config = PathConfig { order: Order::DepthFirst, shortest: true, ..config.clone() };
        let mut tree = Unwinding::new(cfa, &config, context)?;
        Ok(Search {
            predicates: Predicates::new(&tree.blocked, config.scope),
            abstraction: Abstraction::new(config.domain, &tree.interrupt),
            safety: SafetyInterpolants::new(&mut tree.blocked, config.interpolation),
            error: ErrorInterpolants::new(&tree.blocked),
            weights: Weights::new(&tree.blocked),
            pruned: Vec::new(),
            tree,
        })
    }

    /// Figure 5.
    fn explore(&mut self) -> Going<()> {
        loop {
            self.choose();
            let Some(node) = self.tree.next_open()? else { return Ok(()) };
            if self.is_safe(node) || self.tree.close(node) {
                continue;
            }
            self.look_ahead(node)?;
            self.expand(node)?;
        }
    }

    /// Moves the branch with the largest weight, among those of one node, to the front.
    fn choose(&mut self) {
        if !self.tree.config.interpolants.weights {
            return;
        }
        let parent = |&node: &NodeId| self.tree.graph.node(node).parent;
        let Some(last) = self.tree.open.back() else { return };
        let Some((from, _)) = parent(last) else { return };
        let branches = self.tree.open.iter().rev();
        let branches = branches.take_while(|&node| parent(node).is_some_and(|(p, _)| p == from));
        let weight = |node: &NodeId| parent(node).map(|(_, step)| self.weights.rank(step));
        // The first of those with the largest weight, seen from the front.
        let ranks: Vec<_> = branches.map(weight).collect();
        let Some(best) = ranks.iter().max() else { return };
        let at = ranks.iter().position(|rank| rank == best).expect("it is one of them");
        if at > 0 {
            let place = self.tree.open.len() - 1 - at;
            let node = self.tree.open.remove(place).expect("it is there");
            self.tree.open.push_back(node);
            self.tree.context.record(|f| f.add(figures::WEIGHT_CHOICES, 1.0));
        }
    }

    /// Whether the node need not be expanded: its path implies a safety interpolant that counts.
    fn is_safe(&mut self, node: NodeId) -> bool {
        let place = self.tree.graph.node(node).place;
        if !self.tree.config.interpolants.safety || !self.safety.counts(place) {
            return false;
        }
        let safe = self.safety.formula(place);
        let formula = self.tree.graph.node(node).formula;
        let tree = &mut self.tree;
        if !tree.triples.implication(&mut tree.blocked.store, formula, safe).holds()
            && !self.becomes_safe(node, safe)
        {
            return false;
        }
        self.tree.graph.node_mut(node).is_expanded = true;
        self.pruned.push(node);
        self.tree.context.record(|f| f.add(figures::SAFE_PRUNED, 1.0));
        true
    }

    /// Strengthens the nodes on the path to a node such that it implies the formula, if the path
    /// does. As from a path to a target, their places learn predicates, and they are covered if they
    /// can be: a loop whose exit is always safe would be unwound for ever otherwise, since no path
    /// through it reaches a target from which its head could learn.
    fn becomes_safe(&mut self, node: NodeId, safe: Term) -> bool {
        let tree = &mut self.tree;
        let steps = tree.graph.steps_to(node);
        if !tree.paths.implies(&mut tree.blocked, &steps, safe) {
            return false;
        }
        let always = tree.blocked.store.bool(true);
        let (blocked, interrupt) = (&mut tree.blocked, &tree.interrupt);
        let Some(between) = tree.source.between(blocked, always, &steps, safe, interrupt) else {
            tree.context.record(|f| f.add(figures::SAFE_WITHDRAWN, 1.0));
            return false;
        };
        let nodes = tree.graph.nodes_to(node);
        self.assert_along(&nodes, &between);
        self.tree.close_along(&nodes[..nodes.len() - 1]);
        true
    }

    /// Adds assertions to nodes, and their predicates to the places of these.
    fn assert_along(&mut self, nodes: &[NodeId], assertions: &[Term]) {
        let grain = self.tree.config.grain;
        for (&node, &assertion) in nodes.iter().zip(assertions) {
            let place = self.tree.graph.node(node).place;
            for predicate in predicates_of(&mut self.tree.blocked.store, assertion, grain) {
                self.predicates.add(&self.tree.blocked, place, predicate);
            }
            self.tree.strengthen(node, assertion);
        }
    }

    /// If the path to the node implies its error interpolant, tries the continuations that are known
    /// to lead to a target from there; ends with a run if one is feasible.
    fn look_ahead(&mut self, node: NodeId) -> Going<()> {
        let place = self.tree.graph.node(node).place;
        if !self.tree.config.interpolants.error || self.error.is_empty(place) {
            return Ok(());
        }
        let tree = &mut self.tree;
        let bad = self.error.formula(&mut tree.blocked.store, place);
        let steps = tree.graph.steps_to(node);
        if !tree.paths.implies(&mut tree.blocked, &steps, bad) {
            return Ok(());
        }
        for rest in self.error.continuations(&tree.blocked, place) {
            let whole: Vec<StepId> = steps.iter().copied().chain(rest).collect();
            if let Feasibility::Feasible = tree.paths.check(&mut tree.blocked, &whole) {
                tree.context.record(|f| f.add(figures::ERROR_HITS, 1.0));
                return Err(Box::new(tree.paths.run(&tree.blocked)));
            }
        }
        tree.context.record(|f| f.add(figures::ERROR_WITHDRAWN, 1.0));
        Ok(())
    }

    fn expand(&mut self, node: NodeId) -> Going<()> {
        let place = self.tree.graph.node(node).place;
        let steps = self.tree.blocked.place(place).steps.clone();
        let mut children = Vec::new();
        for step in steps {
            match self.tree.blocked.step(step).to {
                Goal::Place(to) => children.push((step, to)),
                Goal::Target(_) => {
                    if !self.tree.excludes(node, step) {
                        self.learn(node, step)?;
                    }
                    if self.tree.is_settled(node) {
                        // It is expanded when it loses its cover.
                        return Ok(());
                    }
                }
            }
        }
        // The first one is on top of the stack.
        for (step, to) in children.into_iter().rev() {
            let predicates = self.predicates.at(to);
            self.abstraction.add(&mut self.tree, node, (step, to), predicates);
        }
        self.tree.expanded(node);
        Ok(())
    }

    /// Learns from a path to a target that no run takes.
    fn learn(&mut self, node: NodeId, last: StepId) -> Going<()> {
        let assertions = self.tree.refute(node, last)?;
        let nodes = self.tree.graph.nodes_to(node);
        let mut steps = self.tree.graph.steps_to(node);
        steps.push(last);
        self.assert_along(&nodes, &assertions);
        let wanted = self.tree.config.interpolants;
        if wanted.error {
            self.error.update(&mut self.tree, &steps, &assertions);
        }
        if wanted.safety {
            let reached = self.last_reachable(&steps);
            let excluded = self.excluded(&steps[..=reached], assertions[reached]);
            let filled = self.safety.update(&mut self.tree, &steps[..=reached], excluded);
            if wanted.weights {
                self.weights.update(&self.tree.blocked, &self.safety, &steps[..reached], &filled);
            }
            self.withdraw();
        }
        self.tree.close_along(&nodes);
        Ok(())
    }

    /// What runs along a path satisfy before its last step, which none of them takes: an assertion
    /// of the path if it says so, or a new one.
    fn excluded(&mut self, steps: &[StepId], assertion: Term) -> Term {
        let tree = &mut self.tree;
        let never = tree.blocked.store.bool(false);
        let last = steps[steps.len() - 1];
        if tree.triples.triple(&mut tree.blocked.store, assertion, last, never).holds() {
            return assertion;
        }
        let Feasibility::Infeasible(path) = tree.paths.check(&mut tree.blocked, steps) else {
            return assertion;
        };
        match tree.source.assertions(&mut tree.blocked, &path, &tree.interrupt) {
            Ok(assertions) => assertions[steps.len() - 1],
            Err(_) => assertion,
        }
    }

    /// How many steps of an infeasible path a run can take. What goes on from an infeasible
    /// beginning is infeasible, so that halving finds it.
    fn last_reachable(&mut self, steps: &[StepId]) -> usize {
        let tree = &mut self.tree;
        let (mut feasible, mut infeasible) = (0, steps.len());
        while infeasible - feasible > 1 {
            let middle = (feasible + infeasible) / 2;
            match tree.paths.is_feasible(&mut tree.blocked, &steps[..middle]) {
                true => feasible = middle,
                false => infeasible = middle,
            }
        }
        feasible
    }

    /// Nodes that were safe by an interpolant which does not count any more are open again.
    fn withdraw(&mut self) {
        let mut kept = Vec::new();
        for node in std::mem::take(&mut self.pruned) {
            if self.tree.graph.node(node).is_removed {
                continue;
            }
            let (place, formula) =
                (self.tree.graph.node(node).place, self.tree.graph.node(node).formula);
            let safe = self.safety.formula(place);
            let tree = &mut self.tree;
            let counts = self.safety.counts(place)
                && tree.triples.implication(&mut tree.blocked.store, formula, safe).holds();
            if counts {
                kept.push(node);
            } else {
                tree.graph.node_mut(node).is_expanded = false;
                tree.open.push_back(node);
                tree.context.record(|f| f.add(figures::SAFE_WITHDRAWN, 1.0));
            }
        }
        self.pruned = kept;
    }

    /// What the nodes say, and the safety interpolants from those that were pruned on.
    fn proof(&mut self) -> AutomatonOutcome {
        let tree = &mut self.tree;
        let pruned = self.pruned.iter().filter(|&&node| !tree.is_settled(node));
        let pruned: Vec<PlaceId> = pruned.map(|&node| tree.graph.node(node).place).collect();
        let regions = self.safety.regions(&tree.blocked, pruned);
        tree.graph.proof_with(&mut tree.blocked, &regions)
    }
}
