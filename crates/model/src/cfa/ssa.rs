//! Static single assignment for a whole automaton: for each edge, which assignments or merges
//! the variables that it reads come from.
//!
//! Dominators are computed without the back edges, which is right if every back edge leads to a
//! dominator of its source; automata that are not reducible in this sense are declined. Merges
//! are placed for live variables only, so that what is said about reads by assignments to dead
//! variables must not be relied upon.

use super::graph::{Graph, Order, Tree};
use super::live::Liveness;
use super::region::{Node, NodeKind, place_merges};
use super::symbols::Reads;
use super::{Cfa, EdgeId, LocationId};

/// The number of a definition.
pub(super) type ValueId = u32;
/// What variables hold at the entry.
pub(super) const INITIAL: ValueId = 0;

/// A merge of one variable where several edges meet.
pub(super) struct Phi {
    pub location: LocationId,
    pub value: ValueId,
    pub variable: u32,
    pub arguments: Vec<(EdgeId, ValueId)>,
}

pub(super) struct Ssa {
    /// How many definitions there are.
    pub values: usize,
    /// For each edge the variables that its guard and its updates read, with their definitions.
    pub reads: Vec<Vec<(u32, ValueId)>>,
    /// For each edge the definition that its first update is; the others follow.
    pub first: Vec<ValueId>,
    pub phis: Vec<Phi>,
    /// For each location its merges, by their places in `phis`.
    pub phis_at: Vec<Vec<u32>>,
}

impl Ssa {
    /// None if the automaton is not reducible.
    pub fn new(
        cfa: &Cfa,
        graph: &Graph,
        order: &Order,
        live: &Liveness,
        reads: &Reads,
    ) -> Option<Ssa> {
        let mut nodes = nodes(cfa, graph, order);
        let dominators = dominators(&nodes)?;
        place_merges(live, reads, &mut nodes, &dominators);
        let mut ssa = Ssa {
            values: 1,
            reads: vec![Vec::new(); cfa.edges.len()],
            first: Vec::with_capacity(cfa.edges.len()),
            phis: Vec::new(),
            phis_at: vec![Vec::new(); cfa.locations.len()],
        };
        for edge in 0..cfa.edges.len() {
            ssa.first.push(ssa.values as ValueId);
            ssa.values += reads.of(EdgeId(edge as u32)).updates.len();
        }
        for node in &nodes {
            for &variable in &node.merged {
                ssa.phis_at[node.location.0 as usize].push(ssa.phis.len() as u32);
                let value = ssa.values as ValueId;
                let location = node.location;
                ssa.phis.push(Phi { location, value, variable, arguments: Vec::new() });
                ssa.values += 1;
            }
        }
        Renaming {
            reads,
            nodes: &nodes,
            current: vec![INITIAL; cfa.variables.len()],
            ssa: &mut ssa,
        }
        .walk(&dominators);
        Some(ssa)
    }
}

/// All reachable locations, in the order of their ranks.
fn nodes(cfa: &Cfa, graph: &Graph, order: &Order) -> Vec<Node> {
    let rank = |location: LocationId| order.rank[location.0 as usize];
    let node = |&location: &LocationId| {
        let outgoing = graph.outgoing(location).map(|e| (e, rank(cfa.edge(e).to)));
        let incoming = graph.incoming(location).map(|e| (e, rank(cfa.edge(e).from)));
        Node {
            location,
            kind: NodeKind::Inner,
            incoming: incoming.filter(|&(_, from)| from != super::graph::UNREACHED).collect(),
            outgoing: outgoing.collect(),
            merged: Vec::new(),
        }
    };
    order.postorder.iter().rev().map(node).collect()
}

fn dominators(nodes: &[Node]) -> Option<Tree> {
    let mut tree = Tree::new(nodes.len(), 0);
    for (index, node) in nodes.iter().enumerate().skip(1) {
        let before = node.incoming.iter().map(|&(_, from)| from as usize);
        let parent = before.filter(|&from| from < index).reduce(|a, b| tree.common(a, b))?;
        tree.add(index, parent);
    }
    let edges =
        nodes.iter().enumerate().flat_map(|(to, n)| n.incoming.iter().map(move |e| (e, to)));
    let mut back = edges.filter(|&(&(_, from), to)| from as usize >= to);
    back.all(|(&(_, from), to)| tree.is_above(to, from as usize)).then_some(tree)
}

/// A walk over the dominator tree that knows the definitions in force.
struct Renaming<'a> {
    reads: &'a Reads,
    nodes: &'a [Node],
    current: Vec<ValueId>,
    ssa: &'a mut Ssa,
}

enum Visit {
    Enter(usize),
    Leave(usize),
}

impl Renaming<'_> {
    fn walk(&mut self, dominators: &Tree) {
        let mut children = vec![Vec::new(); self.nodes.len()];
        for node in 1..self.nodes.len() {
            children[dominators.parent(node)].push(node);
        }
        let mut log: Vec<(u32, ValueId)> = Vec::new();
        let mut stack = vec![Visit::Enter(0)];
        while let Some(visit) = stack.pop() {
            match visit {
                Visit::Leave(length) => {
                    for (variable, value) in log.drain(length..).rev() {
                        self.current[variable as usize] = value;
                    }
                }
                Visit::Enter(node) => {
                    stack.push(Visit::Leave(log.len()));
                    for (variable, value) in self.definitions(node) {
                        log.push((variable, self.current[variable as usize]));
                        self.current[variable as usize] = value;
                    }
                    self.edges(node);
                    stack.extend(children[node].iter().map(|&child| Visit::Enter(child)));
                }
            }
        }
    }

    /// What is defined where the node begins.
    fn definitions(&self, node: usize) -> Vec<(u32, ValueId)> {
        let node = &self.nodes[node];
        match node.incoming[..] {
            [(edge, _)] => {
                let updates = self.reads.of(edge).updates.iter().enumerate();
                let first = self.ssa.first[edge.0 as usize];
                updates.map(|(i, &(variable, _))| (variable, first + i as u32)).collect()
            }
            _ => {
                let phis = self.ssa.phis_at[node.location.0 as usize].iter();
                let phis = phis.map(|&phi| &self.ssa.phis[phi as usize]);
                phis.map(|phi| (phi.variable, phi.value)).collect()
            }
        }
    }

    /// Notes what the edges of a node read and what they bring to merges.
    fn edges(&mut self, node: usize) {
        for &(edge, to) in &self.nodes[node].outgoing {
            let reads = self.reads.of(edge);
            let values = reads.updates.iter().flat_map(|(_, reads)| reads);
            let mut read: Vec<u32> = reads.guard.iter().chain(values).copied().collect();
            read.sort_unstable();
            read.dedup();
            let current = |&v: &u32| (v, self.current[v as usize]);
            self.ssa.reads[edge.0 as usize] = read.iter().map(current).collect();
            let to = &self.nodes[to as usize];
            if to.incoming.len() < 2 || to.merged.is_empty() {
                continue;
            }
            let first = self.ssa.first[edge.0 as usize];
            let updates: rustc_hash::FxHashMap<u32, ValueId> =
                reads.updates.iter().enumerate().map(|(i, u)| (u.0, first + i as u32)).collect();
            for &phi in &self.ssa.phis_at[to.location.0 as usize] {
                let phi = &mut self.ssa.phis[phi as usize];
                let kept = self.current[phi.variable as usize];
                let value = updates.get(&phi.variable).copied().unwrap_or(kept);
                phi.arguments.push((edge, value));
            }
        }
    }
}
