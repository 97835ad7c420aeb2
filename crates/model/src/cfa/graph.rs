//! What the passes need of graphs: a depth-first order with the heads of loops, and trees that
//! answer questions about common ancestors.
//!
//! Nothing here recurses, since a straight program is as deep as it is long.

use super::{Cfa, EdgeId, LocationId};
use wedge_logic::{BitVec, Term};

/// Lists of numbers, one per index, in one allocation.
pub(super) struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    /// Item `i` goes to the list that `place` gives for it, if any; the order is kept.
    pub fn group(lists: usize, items: usize, place: impl Fn(usize) -> Option<usize>) -> Lists {
        let mut starts = vec![0; lists + 1];
        for list in (0..items).filter_map(&place) {
            starts[list + 1] += 1;
        }
        for list in 0..lists {
            starts[list + 1] += starts[list];
        }
        let mut next = starts.clone();
        let mut sorted = vec![0; starts[lists] as usize];
        for item in 0..items {
            if let Some(list) = place(item) {
                sorted[next[list] as usize] = item as u32;
                next[list] += 1;
            }
        }
        Lists { starts, items: sorted }
    }

    /// The same lists with other items.
    pub fn map(mut self, change: impl Fn(u32) -> u32) -> Lists {
        self.items.iter_mut().for_each(|item| *item = change(*item));
        self
    }

    pub fn of(&self, list: usize) -> &[u32] {
        &self.items[self.starts[list] as usize..self.starts[list + 1] as usize]
    }
}

/// The graph of an automaton. Edges out of targets are left out, since a run ends there, and so
/// are edges whose guard is false.
pub(super) struct Graph {
    outgoing: Lists,
    incoming: Lists,
    pub is_target: Vec<bool>,
}

fn is_false(cfa: &Cfa, guard: Term) -> bool {
    cfa.terms.value(guard).is_some_and(BitVec::is_zero)
}

impl Graph {
    pub fn new(cfa: &Cfa) -> Graph {
        let locations = cfa.locations.len();
        let mut is_target = vec![false; locations];
        for target in &cfa.targets {
            is_target[target.location.0 as usize] = true;
        }
        let from = |edge: usize| cfa.edges[edge].from.0 as usize;
        let to = |edge: usize| cfa.edges[edge].to.0 as usize;
        let kept = |edge: usize| !is_target[from(edge)] && !is_false(cfa, cfa.edges[edge].guard);
        let edges = cfa.edges.len();
        let outgoing = Lists::group(locations, edges, |e| kept(e).then(|| from(e)));
        let incoming = Lists::group(locations, edges, |e| kept(e).then(|| to(e)));
        Graph { outgoing, incoming, is_target }
    }

    pub fn outgoing(&self, location: LocationId) -> impl Iterator<Item = EdgeId> + '_ {
        self.outgoing.of(location.0 as usize).iter().map(|&e| EdgeId(e))
    }

    pub fn incoming(&self, location: LocationId) -> impl Iterator<Item = EdgeId> + '_ {
        self.incoming.of(location.0 as usize).iter().map(|&e| EdgeId(e))
    }
}

/// A depth-first search from the entry.
pub(super) struct Order {
    /// The reachable locations, each after its successors except along back edges.
    pub postorder: Vec<LocationId>,
    /// For each location its place in the reversed postorder, which is topological without the
    /// back edges; `UNREACHED` for those that are not reachable.
    pub rank: Vec<u32>,
    /// Whether a back edge leads here. Every cycle has such a location.
    pub is_head: Vec<bool>,
}

pub(super) const UNREACHED: u32 = u32::MAX;

impl Order {
    pub fn new(cfa: &Cfa, graph: &Graph) -> Order {
        let count = cfa.locations.len();
        let mut order = Order {
            postorder: Vec::new(),
            rank: vec![UNREACHED; count],
            is_head: vec![false; count],
        };
        let (mut seen, mut done) = (vec![false; count], vec![false; count]);
        let mut stack = vec![(cfa.entry, 0)];
        seen[cfa.entry.0 as usize] = true;
        while let Some((location, position)) = stack.last_mut() {
            let at = location.0 as usize;
            let Some(&edge) = graph.outgoing.of(at).get(*position) else {
                order.postorder.push(*location);
                done[at] = true;
                stack.pop();
                continue;
            };
            *position += 1;
            let to = cfa.edges[edge as usize].to;
            let index = to.0 as usize;
            if !seen[index] {
                seen[index] = true;
                stack.push((to, 0));
            } else if !done[index] {
                order.is_head[index] = true;
            }
        }
        for (rank, location) in order.postorder.iter().rev().enumerate() {
            order.rank[location.0 as usize] = rank as u32;
        }
        order
    }

    pub fn is_reached(&self, location: LocationId) -> bool {
        self.rank[location.0 as usize] != UNREACHED
    }
}

/// A tree that grows by leaves, with ancestors in logarithmic time: each node also knows one far
/// ancestor, chosen as in skew-binary numbers (Myers, 1983).
pub(super) struct Tree {
    parent: Vec<u32>,
    depth: Vec<u32>,
    jump: Vec<u32>,
}

impl Tree {
    /// `count` nodes, of which only `root` is in the tree yet.
    pub fn new(count: usize, root: usize) -> Tree {
        let root = root as u32;
        Tree { parent: vec![root; count], depth: vec![0; count], jump: vec![root; count] }
    }

    pub fn parent(&self, node: usize) -> usize {
        self.parent[node] as usize
    }

    /// Hangs a new node below one that is in the tree.
    pub fn add(&mut self, node: usize, parent: usize) {
        let jump = self.jump[parent] as usize;
        let balanced =
            self.depth[parent] + self.depth[self.jump[jump] as usize] == 2 * self.depth[jump];
        self.parent[node] = parent as u32;
        self.depth[node] = self.depth[parent] + 1;
        self.jump[node] = if balanced { self.jump[jump] } else { parent as u32 };
    }

    /// The ancestor at this depth, at most that of the node.
    fn ancestor(&self, mut node: usize, depth: u32) -> usize {
        while self.depth[node] > depth {
            let jump = self.jump[node] as usize;
            node = if self.depth[jump] >= depth { jump } else { self.parent(node) };
        }
        node
    }

    /// Whether `above` is `node` or an ancestor of it.
    pub fn is_above(&self, above: usize, node: usize) -> bool {
        self.depth[above] <= self.depth[node] && self.ancestor(node, self.depth[above]) == above
    }

    /// The deepest common ancestor.
    pub fn common(&self, a: usize, b: usize) -> usize {
        let depth = self.depth[a].min(self.depth[b]);
        let (mut a, mut b) = (self.ancestor(a, depth), self.ancestor(b, depth));
        while a != b {
            // Nodes of equal depth jump to equal depths.
            let (up_a, up_b) = (self.jump[a] as usize, self.jump[b] as usize);
            (a, b) = match up_a == up_b {
                true => (self.parent(a), self.parent(b)),
                false => (up_a, up_b),
            };
        }
        a
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ancestors_agree_with_a_walk() {
        let mut tree = Tree::new(200, 0);
        let mut seed = 7usize;
        for node in 1..200usize {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let low = node.saturating_sub(5);
            tree.add(node, low + (seed >> 33) % (node - low));
        }
        let path = |mut node: usize| {
            let mut path = vec![node];
            while node != 0 {
                node = tree.parent(node);
                path.push(node);
            }
            path
        };
        for a in 0..200 {
            let above = path(a);
            for b in 0..200 {
                let common = path(b).into_iter().find(|x| above.contains(x));
                assert_eq!(Some(tree.common(a, b)), common);
                assert_eq!(tree.is_above(b, a), above.contains(&b));
            }
        }
    }
}
