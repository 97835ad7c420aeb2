//! The abstract reachability graph: a tree of nodes with coverings.
//!
//! A node has a place and a formula, which every run along the path to it satisfies. A node that is
//! covered by others need not be looked at: what can happen from its states can happen from theirs.
//! A node below a covered one counts as covered, too, and covers nothing.

use super::blocked::{Blocked, PlaceId};
use crate::contract::AutomatonOutcome;
use wedge_logic::Term;
use wedge_model::cfa::CutInvariants;
use wedge_smt::StepId;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(pub u32);

#[derive(Clone, Debug)]
pub struct Node {
    pub place: PlaceId,
    pub formula: Term,
    pub parent: Option<(NodeId, StepId)>,
    pub children: Vec<NodeId>,
    /// The nodes whose states together are all that this one has; none if it is not covered.
    pub covered_by: Vec<NodeId>,
    /// The nodes that this one covers, by itself or with others.
    pub covers: Vec<NodeId>,
    /// Whether all steps from here have been looked at.
    pub is_expanded: bool,
    /// Whether the node was taken out of the graph.
    pub is_removed: bool,
}

pub struct Graph {
    nodes: Vec<Node>,
    /// The nodes at each place, in their order.
    at: Vec<Vec<NodeId>>,
}

impl Graph {
    /// A graph with a node for the entry, where everything is possible.
    pub fn new(blocked: &mut Blocked) -> Graph {
        let mut graph = Graph { nodes: Vec::new(), at: vec![Vec::new(); blocked.places.len()] };
        let always = blocked.store.bool(true);
        graph.push(Blocked::ENTRY, always, None);
        graph
    }

    pub const ROOT: NodeId = NodeId(0);

    fn push(&mut self, place: PlaceId, formula: Term, parent: Option<(NodeId, StepId)>) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            place,
            formula,
            parent,
            children: Vec::new(),
            covered_by: Vec::new(),
            covers: Vec::new(),
            is_expanded: false,
            is_removed: false,
        });
        self.at[place.index()].push(id);
        id
    }

    pub fn add(&mut self, parent: NodeId, step: StepId, place: PlaceId, formula: Term) -> NodeId {
        let id = self.push(place, formula, Some((parent, step)));
        self.node_mut(parent).children.push(id);
        id
    }

    pub fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }

    pub fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node.0 as usize]
    }

    /// All nodes that were ever added.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The nodes in the graph, in their order.
    pub fn ids(&self) -> impl Iterator<Item = NodeId> + '_ {
        (0..self.nodes.len() as u32).map(NodeId).filter(|&id| !self.node(id).is_removed)
    }

    /// The nodes at a place, in their order.
    pub fn at(&self, place: PlaceId) -> impl DoubleEndedIterator<Item = NodeId> + '_ {
        self.at[place.index()].iter().copied().filter(|&id| !self.node(id).is_removed)
    }

    /// The nodes from the root to this one.
    pub fn nodes_to(&self, node: NodeId) -> Vec<NodeId> {
        let parent = |&id: &NodeId| self.node(id).parent.map(|(parent, _)| parent);
        let mut nodes: Vec<NodeId> = std::iter::successors(Some(node), parent).collect();
        nodes.reverse();
        nodes
    }

    /// The steps from the root to this node.
    pub fn steps_to(&self, node: NodeId) -> Vec<StepId> {
        let nodes = self.nodes_to(node).into_iter();
        nodes.filter_map(|id| self.node(id).parent.map(|(_, step)| step)).collect()
    }

    /// Whether the node or one above it is covered.
    pub fn is_covered(&self, node: NodeId) -> bool {
        let parent = |&id: &NodeId| self.node(id).parent.map(|(parent, _)| parent);
        std::iter::successors(Some(node), parent).any(|id| !self.node(id).covered_by.is_empty())
    }

    pub fn is_above(&self, upper: NodeId, lower: NodeId) -> bool {
        let parent = |&id: &NodeId| self.node(id).parent.map(|(parent, _)| parent);
        // Parents are older than their children.
        let mut line = std::iter::successors(Some(lower), parent).take_while(|&id| id >= upper);
        line.any(|id| id == upper)
    }

    /// The node and everything below it.
    pub fn below(&self, node: NodeId) -> Vec<NodeId> {
        let mut all = vec![node];
        let mut next = 0;
        while next < all.len() {
            all.extend(&self.node(all[next]).children);
            next += 1;
        }
        all
    }

    /// Covers a node by others. The nodes that were covered from the covered part lose their covers
    /// and are returned: they must be looked at again.
    pub fn cover(&mut self, node: NodeId, by: &[NodeId]) -> Vec<NodeId> {
        self.node_mut(node).covered_by = by.to_vec();
        for &by in by {
            self.node_mut(by).covers.push(node);
        }
        let mut uncovered = Vec::new();
        for id in self.below(node) {
            uncovered.extend(self.uncover_all(id));
        }
        uncovered
    }

    /// Takes their cover from the nodes that this one covers, and returns them.
    pub fn uncover_all(&mut self, by: NodeId) -> Vec<NodeId> {
        let covered = std::mem::take(&mut self.node_mut(by).covers);
        covered.iter().for_each(|&node| self.uncover(node));
        covered
    }

    /// Takes the cover from a node.
    pub fn uncover(&mut self, node: NodeId) {
        for by in std::mem::take(&mut self.node_mut(node).covered_by) {
            self.node_mut(by).covers.retain(|&covered| covered != node);
        }
    }

    /// Takes a node and everything below it out of the graph; its parent is to be given another
    /// child. Returns the nodes that lose their covers. Panics if it is the root.
    pub fn remove(&mut self, node: NodeId) -> Vec<NodeId> {
        let (parent, _) = self.node(node).parent.expect("the root stays");
        self.node_mut(parent).children.retain(|&child| child != node);
        let mut uncovered = Vec::new();
        for id in self.below(node) {
            self.uncover(id);
            uncovered.extend(self.uncover_all(id));
            self.node_mut(id).is_removed = true;
        }
        uncovered.retain(|&id| !self.node(id).is_removed);
        uncovered
    }

    /// Unfolds nodes with the steps between them, the first of which is the root: a step to a node
    /// that is there already leads to a new one that it covers.
    pub fn unfold(&mut self, nodes: &[(PlaceId, Term)], steps: &[Vec<(StepId, usize)>]) {
        let mut at = vec![None; nodes.len()];
        at[0] = Some(Graph::ROOT);
        let mut open = vec![(0, Graph::ROOT)];
        while let Some((number, node)) = open.pop() {
            for &(step, to) in &steps[number] {
                let (place, formula) = nodes[to];
                let child = self.add(node, step, place, formula);
                match at[to] {
                    Some(known) => {
                        self.cover(child, &[known]);
                    }
                    None => {
                        at[to] = Some(child);
                        open.push((to, child));
                    }
                }
            }
        }
    }

    /// Requires: every node is covered, or all its steps lead to formulas of its children, or
    /// nowhere.
    ///
    /// The formula of a place is what its nodes say together; a place without nodes is either not
    /// reached, or leads to no target.
    pub fn proof(&self, blocked: &mut Blocked) -> AutomatonOutcome {
        self.proof_with(blocked, &[])
    }

    /// The same with more states at some places, where nodes may lead instead of to others.
    ///
    /// Requires: what is more leads only to what is more, and to no target.
    pub fn proof_with(&self, blocked: &mut Blocked, more: &[(PlaceId, Term)]) -> AutomatonOutcome {
        let mut invariants = Vec::new();
        for index in 0..blocked.places.len() {
            let place = PlaceId(index as u32);
            let open = self.at(place).filter(|&id| !self.is_covered(id));
            let more = more.iter().filter(|(at, _)| *at == place).map(|&(_, formula)| formula);
            let formulas = open.map(|id| self.node(id).formula).chain(more);
            let formulas: Vec<Term> = formulas.collect();
            let formula = match formulas.is_empty() && blocked.is_harmless(place) {
                true => blocked.store.bool(true),
                false => blocked.store.or_all(&formulas),
            };
            invariants.push((blocked.place(place).location, formula));
        }
        AutomatonOutcome::Safe(CutInvariants { terms: blocked.store.clone(), invariants })
    }
}
