//! The loop-free part of an automaton that lies between a cut point and the next ones.

use crate::rejection::Rejection;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_model::Cfa;
use wedge_model::cfa::{EdgeId, LocationId};

/// What a run that has left the cut point can come to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The cut point where the region begins.
    Start,
    Inner,
    /// A cut point, maybe the same again.
    Cut,
    Target,
}

pub struct Node {
    pub location: LocationId,
    pub kind: Kind,
    /// Where the edges into this node come from.
    pub incoming: Vec<(usize, EdgeId)>,
}

/// The nodes from which a cut point or a target can be reached, each after all from which it can
/// be reached; the start is the first one.
pub struct Region {
    pub nodes: Vec<Node>,
}

/// The automaton with what every region asks for.
pub struct Plan<'a> {
    pub cfa: &'a Cfa,
    pub outgoing: Vec<Vec<EdgeId>>,
    pub cuts: FxHashSet<LocationId>,
    pub targets: FxHashSet<LocationId>,
}

impl<'a> Plan<'a> {
    pub fn new(cfa: &'a Cfa, cuts: FxHashSet<LocationId>) -> Plan<'a> {
        let targets = cfa.targets.iter().map(|target| target.location).collect();
        let mut outgoing = cfa.outgoing();
        // No run takes an edge whose guard is the constant false.
        let never = |&id: &EdgeId| cfa.terms.value(cfa.edge(id).guard).is_some_and(|v| v.is_zero());
        outgoing.iter_mut().for_each(|edges| edges.retain(|id| !never(id)));
        Plan { cfa, outgoing, cuts, targets }
    }

    fn kind(&self, location: LocationId) -> Kind {
        match (self.targets.contains(&location), self.cuts.contains(&location)) {
            (true, _) => Kind::Target,
            (false, true) => Kind::Cut,
            (false, false) => Kind::Inner,
        }
    }

    /// Fails if the automaton has a cycle there that avoids the cut points.
    pub fn region(&self, start: LocationId) -> Result<Region, Rejection> {
        let mut nodes = self.reachable(start);
        let is_needed = leads_to_an_end(&nodes);
        let order = self.sorted(&nodes, &is_needed)?;
        let place: FxHashMap<usize, usize> = order.iter().copied().zip(0..).collect();
        let mut sorted = Vec::with_capacity(order.len());
        for &old in &order {
            let mut incoming = std::mem::take(&mut nodes[old].incoming);
            incoming.iter_mut().for_each(|(from, _)| *from = place[from]);
            sorted.push(Node { incoming, ..nodes[old] });
        }
        Ok(Region { nodes: sorted })
    }

    /// All nodes, the start first.
    fn reachable(&self, start: LocationId) -> Vec<Node> {
        let mut nodes = vec![Node { location: start, kind: Kind::Start, incoming: Vec::new() }];
        // The start is not listed: who comes back to it comes to a cut point.
        let mut known: FxHashMap<LocationId, usize> = FxHashMap::default();
        let mut from = 0;
        while from < nodes.len() {
            let (location, kind) = (nodes[from].location, nodes[from].kind);
            let ends = matches!(kind, Kind::Cut | Kind::Target);
            for &id in self.outgoing[location.0 as usize].iter().filter(|_| !ends) {
                let to = self.cfa.edge(id).to;
                let next = *known.entry(to).or_insert_with(|| {
                    let kind = self.kind(to);
                    nodes.push(Node { location: to, kind, incoming: Vec::new() });
                    nodes.len() - 1
                });
                nodes[next].incoming.push((from, id));
            }
            from += 1;
        }
        nodes
    }

    /// The needed nodes in topological order.
    fn sorted(&self, nodes: &[Node], is_needed: &[bool]) -> Result<Vec<usize>, Rejection> {
        let mut successors = vec![Vec::new(); nodes.len()];
        let mut open = vec![0usize; nodes.len()];
        for (to, node) in nodes.iter().enumerate().filter(|(to, _)| is_needed[*to]) {
            open[to] = node.incoming.len();
            node.incoming.iter().for_each(|&(from, _)| successors[from].push(to));
        }
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&node) = order.get(next) {
            next += 1;
            for &to in &successors[node] {
                open[to] -= 1;
                if open[to] == 0 {
                    order.push(to);
                }
            }
        }
        match open.iter().position(|&count| count > 0) {
            None => Ok(order),
            Some(node) => {
                let location = nodes[node].location.0;
                let cause = format!("a cycle through location {location} has no cut point");
                Err(Rejection::Malformed(cause))
            }
        }
    }
}

/// For each node whether a run that is there can come to a cut point or a target; the start always
/// counts.
fn leads_to_an_end(nodes: &[Node]) -> Vec<bool> {
    let mut is_needed = vec![false; nodes.len()];
    let ends = |&node: &usize| matches!(nodes[node].kind, Kind::Cut | Kind::Target);
    let mut stack: Vec<usize> = (0..nodes.len()).filter(ends).collect();
    while let Some(node) = stack.pop() {
        if !std::mem::replace(&mut is_needed[node], true) {
            stack.extend(nodes[node].incoming.iter().map(|&(from, _)| from));
        }
    }
    is_needed[0] = true;
    is_needed
}
