//! The region of a cut point: the acyclic part of an automaton that runs pass through between
//! this cut point and the next one, with its dominators, post-dominators and the places where
//! variables have to be merged (Cytron et al., 1991).

use super::graph::{Graph, Order, Tree};
use super::live::Liveness;
use super::symbols::Reads;
use super::{Cfa, EdgeId, LocationId, TargetKind};
use rustc_hash::{FxHashMap, FxHashSet};

/// What all regions of an automaton share.
pub(super) struct Context<'a> {
    pub cfa: &'a Cfa,
    pub graph: Graph,
    pub order: Order,
    pub live: Liveness,
    pub reads: Reads,
    pub is_cut: Vec<bool>,
    /// Whether the guards of a location cover all cases, as far as the rewriter can see.
    pub is_total: Vec<bool>,
    pub target_kinds: FxHashMap<LocationId, Vec<TargetKind>>,
}

/// What a node of a region is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NodeKind {
    /// The cut point itself or a location on the way.
    Inner,
    /// A cut point at which the region ends, maybe the one where it begins.
    Exit,
    Target,
}

pub(super) struct Node {
    pub location: LocationId,
    pub kind: NodeKind,
    /// The edges by which the region enters the node, with the nodes from which they come.
    pub incoming: Vec<(EdgeId, u32)>,
    /// The edges of an inner node, with the nodes to which they lead.
    pub outgoing: Vec<(EdgeId, u32)>,
    /// The variables to merge, if there are several incoming edges.
    pub merged: Vec<u32>,
}

/// The nodes are in topological order; the first is the cut point.
pub(super) struct Region {
    pub nodes: Vec<Node>,
    pub dominators: Tree,
    /// The root, one more than there are nodes, stands for the end of the run or of the region.
    post_dominators: Tree,
    /// The nodes below each node in the dominator tree, in topological order.
    pub children: Vec<Vec<u32>>,
}

impl Region {
    pub fn new(context: &Context, cut: LocationId) -> Region {
        let mut nodes = collect(context, cut);
        let dominators = dominators(&nodes);
        let post_dominators = post_dominators(context, &nodes);
        place_merges(&context.live, &context.reads, &mut nodes, &dominators);
        let mut children = vec![Vec::new(); nodes.len()];
        for node in 1..nodes.len() {
            children[dominators.parent(node)].push(node as u32);
        }
        Region { nodes, dominators, post_dominators, children }
    }

    /// Whether every run from `node` comes to `later`.
    pub fn is_inevitable(&self, later: usize, node: usize) -> bool {
        self.post_dominators.is_above(later, node)
    }
}

/// The nodes in topological order with their edges.
fn collect(context: &Context, cut: LocationId) -> Vec<Node> {
    let keys = reach(context, cut);
    let number: FxHashMap<(LocationId, bool), u32> =
        keys.iter().enumerate().map(|(i, &key)| (key, i as u32)).collect();
    let mut nodes: Vec<Node> = keys
        .iter()
        .map(|&(location, ends)| Node {
            location,
            kind: match ends {
                false => NodeKind::Inner,
                true if context.graph.is_target[location.0 as usize] => NodeKind::Target,
                true => NodeKind::Exit,
            },
            incoming: Vec::new(),
            outgoing: Vec::new(),
            merged: Vec::new(),
        })
        .collect();
    for from in 0..nodes.len() {
        if nodes[from].kind != NodeKind::Inner {
            continue;
        }
        for edge in context.graph.outgoing(nodes[from].location) {
            let to = context.cfa.edge(edge).to;
            let to = number[&(to, is_end(context, to))];
            nodes[from].outgoing.push((edge, to));
            nodes[to as usize].incoming.push((edge, from as u32));
        }
    }
    nodes
}

/// The region ends where it enters a cut point or a target.
fn is_end(context: &Context, location: LocationId) -> bool {
    let index = location.0 as usize;
    context.is_cut[index] || context.graph.is_target[index]
}

/// The locations of the region, with whether it ends there: the cut point, those on the way in
/// topological order, the ends. A target that is the entry is an end at once.
fn reach(context: &Context, cut: LocationId) -> Vec<(LocationId, bool)> {
    let begin = (cut, context.graph.is_target[cut.0 as usize]);
    let mut seen = FxHashSet::from_iter([begin]);
    let mut list = vec![begin];
    let mut next = 0;
    while next < list.len() {
        let (location, ends) = list[next];
        next += 1;
        if ends {
            continue;
        }
        for edge in context.graph.outgoing(location) {
            let to = context.cfa.edge(edge).to;
            let key = (to, is_end(context, to));
            if seen.insert(key) {
                list.push(key);
            }
        }
    }
    // No back edge lies inside, so the ranks increase along every edge.
    list.sort_unstable_by_key(|&(location, ends)| (ends, context.order.rank[location.0 as usize]));
    list
}

fn dominators(nodes: &[Node]) -> Tree {
    let mut tree = Tree::new(nodes.len(), 0);
    for (index, node) in nodes.iter().enumerate().skip(1) {
        let before = node.incoming.iter().map(|&(_, from)| from as usize);
        if let Some(parent) = before.reduce(|a, b| tree.common(a, b)) {
            tree.add(index, parent);
        }
    }
    tree
}

fn post_dominators(context: &Context, nodes: &[Node]) -> Tree {
    let end = nodes.len();
    let mut tree = Tree::new(nodes.len() + 1, end);
    for (index, node) in nodes.iter().enumerate().rev() {
        let after = node.outgoing.iter().map(|&(_, to)| to as usize);
        let total = context.is_total[node.location.0 as usize];
        let parent = match after.reduce(|a, b| tree.common(a, b)) {
            Some(parent) if total => parent,
            _ => end,
        };
        tree.add(index, parent);
    }
    tree
}

/// Finds for each node the variables of which different values may arrive there: those assigned
/// on a way that other ways join. Variables that are not live are left out.
pub(super) fn place_merges(live: &Liveness, reads: &Reads, nodes: &mut [Node], dominators: &Tree) {
    let frontiers = frontiers(nodes, dominators);
    let mut merged = FxHashSet::default();
    let mut work = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        for &(edge, _) in &node.incoming {
            for &(variable, _) in &reads.of(edge).updates {
                let new = node.incoming.len() == 1 || merged.insert((index as u32, variable));
                if new && live.is_live(node.location, variable as usize) {
                    work.push((index as u32, variable));
                }
            }
        }
    }
    while let Some((index, variable)) = work.pop() {
        for &join in &frontiers[index as usize] {
            let is_live = live.is_live(nodes[join as usize].location, variable as usize);
            if is_live && merged.insert((join, variable)) {
                work.push((join, variable));
            }
        }
    }
    for (join, variable) in merged {
        if live.is_live(nodes[join as usize].location, variable as usize) {
            nodes[join as usize].merged.push(variable);
        }
    }
    // The order of a hash set is no order.
    nodes.iter_mut().for_each(|node| node.merged.sort_unstable());
}

/// For each node the joins up to which it dominates. A walk upwards stops where an earlier walk
/// for the same join has been.
fn frontiers(nodes: &[Node], dominators: &Tree) -> Vec<Vec<u32>> {
    let mut frontiers: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
    for (index, node) in nodes.iter().enumerate() {
        if node.incoming.len() < 2 {
            continue;
        }
        let top = dominators.parent(index);
        for &(_, from) in &node.incoming {
            let mut runner = from as usize;
            while runner != top && frontiers[runner].last() != Some(&(index as u32)) {
                frontiers[runner].push(index as u32);
                runner = dominators.parent(runner);
            }
        }
    }
    frontiers
}
