//! Liveness: the variables whose value at a location may decide whether a target is reached.
//!
//! A guard makes the variables that it reads live. An update makes live what its value reads only
//! if the assigned variable is live behind it, so that variables which merely feed themselves are
//! dead (strong liveness: Giegerich, Möncke, Wilhelm, 1981).

use super::graph::{Graph, Order};
use super::symbols::{Reads, Symbols};
use super::{Cfa, EdgeId, LocationId};

/// A set of variables per location, as bits.
pub struct Liveness {
    words: usize,
    rows: Vec<u64>,
}

impl Liveness {
    pub fn new(cfa: &Cfa) -> Liveness {
        let graph = Graph::new(cfa);
        let order = Order::new(cfa, &graph);
        let symbols = Symbols::new(cfa);
        let reads = Reads::new(cfa, &symbols);
        Liveness::compute(cfa, &graph, &order, &reads)
    }

    pub(super) fn compute(cfa: &Cfa, graph: &Graph, order: &Order, reads: &Reads) -> Liveness {
        let words = cfa.variables.len().div_ceil(64);
        let live = Liveness { words, rows: vec![0; words * cfa.locations.len()] };
        let mut solver = Solver { cfa, graph, reads, live, row: vec![0; words] };
        solver.solve(order);
        solver.live
    }

    /// Whether the variable with this place in `variables` is live at the location.
    pub fn is_live(&self, location: LocationId, variable: usize) -> bool {
        self.row(location)[variable / 64] >> (variable % 64) & 1 == 1
    }

    /// The places in `variables` of those that are live at the location, in increasing order.
    pub fn live_at(&self, location: LocationId) -> impl Iterator<Item = usize> + '_ {
        let row = self.row(location).iter().enumerate();
        row.flat_map(|(word, &bits)| {
            let positions = std::iter::successors(Some(bits), |&b| Some(b & b.wrapping_sub(1)));
            let positions = positions.take_while(|&b| b != 0);
            positions.map(move |b| word * 64 + b.trailing_zeros() as usize)
        })
    }

    /// For each variable, whether it is live at one of the locations.
    pub fn live_at_any(&self, locations: &[LocationId], variables: usize) -> Vec<bool> {
        let mut union = vec![0; self.words];
        for &location in locations {
            union.iter_mut().zip(self.row(location)).for_each(|(all, bits)| *all |= bits);
        }
        (0..variables).map(|v| union[v / 64] >> (v % 64) & 1 == 1).collect()
    }

    fn row(&self, location: LocationId) -> &[u64] {
        &self.rows[location.0 as usize * self.words..][..self.words]
    }
}

struct Solver<'a> {
    cfa: &'a Cfa,
    graph: &'a Graph,
    reads: &'a Reads,
    live: Liveness,
    /// The row in work.
    row: Vec<u64>,
}

impl Solver<'_> {
    /// Sweeps over the locations, successors first, until nothing changes.
    fn solve(&mut self, order: &Order) {
        let mut dirty = vec![true; self.cfa.locations.len()];
        let mut again = true;
        while again {
            again = false;
            for &location in &order.postorder {
                if !std::mem::take(&mut dirty[location.0 as usize]) || !self.update(location) {
                    continue;
                }
                for edge in self.graph.incoming(location) {
                    let from = self.cfa.edge(edge).from;
                    dirty[from.0 as usize] = true;
                    let rank = |l: LocationId| order.rank[l.0 as usize];
                    again |= rank(from) >= rank(location);
                }
            }
        }
    }

    /// Computes the row of a location anew; whether it grew.
    fn update(&mut self, location: LocationId) -> bool {
        let mut union = self.live.row(location).to_vec();
        for edge in self.graph.outgoing(location) {
            self.before(edge);
            union.iter_mut().zip(&self.row).for_each(|(all, bits)| *all |= bits);
        }
        let start = location.0 as usize * self.live.words;
        let row = &mut self.live.rows[start..start + self.live.words];
        let grew = *row != union[..];
        row.copy_from_slice(&union);
        grew
    }

    /// Puts what is live before the edge into the row in work.
    fn before(&mut self, edge: EdgeId) {
        let after = self.live.row(self.cfa.edge(edge).to);
        self.row.copy_from_slice(after);
        let reads = self.reads.of(edge);
        let bit = |variable: u32| (variable as usize / 64, 1u64 << (variable % 64));
        for &(variable, _) in &reads.updates {
            let (word, mask) = bit(variable);
            self.row[word] &= !mask;
        }
        let needed = reads.updates.iter().filter(|&&(variable, _)| {
            let (word, mask) = bit(variable);
            after[word] & mask != 0
        });
        for &variable in needed.flat_map(|(_, reads)| reads).chain(&reads.guard) {
            let (word, mask) = bit(variable);
            self.row[word] |= mask;
        }
    }
}
