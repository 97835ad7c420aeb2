//! Sparse conditional constant propagation (Wegman, Zadeck, 1991) over the variables of an
//! automaton, arrays excluded: terms are rewritten with the constants that their variables are
//! known to be, and edges that are found never to be taken get the guard false, for
//! [`super::prune`] to drop.

use super::Cfa;
use super::graph::{Graph, Lists, Order};
use super::live::Liveness;
use super::ssa::{INITIAL, Ssa, ValueId};
use super::symbols::{Reads, Symbols};
use super::{EdgeId, LocationId};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use wedge_logic::{Substitution, Term};

/// What is known about a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Known {
    /// It has not been executed yet.
    Nothing,
    Constant(Term),
    Varies,
}

impl Known {
    fn and(self, other: Known) -> Known {
        match (self, other) {
            (Known::Nothing, known) | (known, Known::Nothing) => known,
            (a, b) if a == b => a,
            _ => Known::Varies,
        }
    }
}

/// The automaton with constants propagated. Locations, edges, variables and inputs are the same.
/// An automaton that is not reducible stays as it is.
pub fn simplify(cfa: &Cfa) -> Cfa {
    let graph = Graph::new(cfa);
    let order = Order::new(cfa, &graph);
    let symbols = Symbols::new(cfa);
    let reads = Reads::new(cfa, &symbols);
    let live = Liveness::compute(cfa, &graph, &order, &reads);
    let Some(ssa) = Ssa::new(cfa, &graph, &order, &live, &reads) else { return cfa.clone() };
    let mut propagation = Propagation::new(cfa, &graph, &order, &live, &reads, &ssa);
    propagation.run();
    propagation.result()
}

struct Propagation<'a> {
    /// A copy to build terms in.
    cfa: Cfa,
    graph: &'a Graph,
    live: &'a Liveness,
    reads: &'a Reads,
    ssa: &'a Ssa,
    known: Vec<Known>,
    is_taken: Vec<bool>,
    is_reached: Vec<bool>,
    /// For each definition the edges and merges that read it.
    users: Lists,
    /// What may have changed, in the order of the program, so that one visit sees many changes.
    work: BinaryHeap<Reverse<(u32, u32)>>,
    is_waiting: Vec<bool>,
    order: &'a Order,
}

impl<'a> Propagation<'a> {
    fn new(
        cfa: &Cfa,
        graph: &'a Graph,
        order: &'a Order,
        live: &'a Liveness,
        reads: &'a Reads,
        ssa: &'a Ssa,
    ) -> Propagation<'a> {
        let mut uses: Vec<(ValueId, u32)> = Vec::new();
        for (edge, reads) in ssa.reads.iter().enumerate() {
            uses.extend(reads.iter().map(|&(_, value)| (value, edge as u32)));
        }
        for (phi, data) in ssa.phis.iter().enumerate() {
            let user = (cfa.edges.len() + phi) as u32;
            uses.extend(data.arguments.iter().map(|&(_, value)| (value, user)));
        }
        let place = |use_: usize| Some(uses[use_].0 as usize);
        let users = Lists::group(ssa.values, uses.len(), place).map(|use_| uses[use_ as usize].1);
        let mut known = vec![Known::Nothing; ssa.values];
        known[INITIAL as usize] = Known::Varies;
        Propagation {
            cfa: cfa.clone(),
            graph,
            live,
            reads,
            ssa,
            known,
            is_taken: vec![false; cfa.edges.len()],
            is_reached: vec![false; cfa.locations.len()],
            users,
            work: BinaryHeap::new(),
            is_waiting: vec![false; cfa.edges.len() + ssa.phis.len()],
            order,
        }
    }

    /// Puts an edge or, after the numbers of all edges, a merge on the list.
    fn visit(&mut self, user: u32) {
        if std::mem::replace(&mut self.is_waiting[user as usize], true) {
            return;
        }
        let edges = self.cfa.edges.len();
        // Merges come before the edges of their location.
        let (location, later) = match (user as usize).checked_sub(edges) {
            None => (self.cfa.edges[user as usize].from, 1),
            Some(phi) => (self.ssa.phis[phi].location, 0),
        };
        let rank = self.order.rank[location.0 as usize];
        self.work.push(Reverse((rank.saturating_mul(2).saturating_add(later), user)));
    }

    fn run(&mut self) {
        self.reach(self.cfa.entry);
        let edges = self.cfa.edges.len();
        while let Some(Reverse((_, user))) = self.work.pop() {
            self.is_waiting[user as usize] = false;
            match (user as usize).checked_sub(edges) {
                None => self.edge(EdgeId(user)),
                Some(phi) => self.phi(phi),
            }
        }
    }

    fn reach(&mut self, location: LocationId) {
        if !std::mem::replace(&mut self.is_reached[location.0 as usize], true) {
            let graph = self.graph;
            graph.outgoing(location).for_each(|edge| self.visit(edge.0));
        }
    }

    fn edge(&mut self, id: EdgeId) {
        let edge = self.cfa.edge(id);
        let (from, to, guard) = (edge.from, edge.to, edge.guard);
        if !self.is_reached[from.0 as usize] {
            return;
        }
        let mut constants = self.constants(id);
        let guard_reads = &self.reads.of(id).guard;
        if !self.may_hold(id, guard_reads, guard, &mut constants) {
            return;
        }
        if !std::mem::replace(&mut self.is_taken[id.0 as usize], true) {
            self.reach(to);
            let (ssa, edges) = (self.ssa, self.cfa.edges.len() as u32);
            ssa.phis_at[to.0 as usize].iter().for_each(|phi| self.visit(edges + phi));
        }
        for (place, (_, read)) in self.reads.of(id).updates.iter().enumerate() {
            let value = self.cfa.edge(id).updates[place].1;
            let known = self.evaluate(id, read, value, &mut constants);
            self.learn(self.ssa.first[id.0 as usize] + place as u32, known);
        }
    }

    fn may_hold(
        &mut self,
        edge: EdgeId,
        reads: &[u32],
        guard: Term,
        constants: &mut Substitution,
    ) -> bool {
        match self.evaluate(edge, reads, guard, constants) {
            Known::Nothing => false,
            Known::Constant(value) => self.cfa.terms.value(value).is_some_and(|v| v.is_one()),
            Known::Varies => true,
        }
    }

    fn phi(&mut self, place: usize) {
        let phi = &self.ssa.phis[place];
        let taken = phi.arguments.iter().filter(|&&(edge, _)| self.is_taken[edge.0 as usize]);
        let known = taken.map(|&(_, value)| self.known[value as usize]);
        let known = known.fold(Known::Nothing, Known::and);
        self.learn(phi.value, known);
    }

    fn learn(&mut self, value: ValueId, known: Known) {
        let old = self.known[value as usize];
        let new = old.and(known);
        if new == old {
            return;
        }
        self.known[value as usize] = new;
        for place in 0..self.users.of(value as usize).len() {
            self.visit(self.users.of(value as usize)[place]);
        }
    }

    /// What the variables that an edge reads are known to be.
    fn constants(&self, edge: EdgeId) -> Substitution {
        let constant = |&(variable, value): &(u32, ValueId)| match self.known[value as usize] {
            Known::Constant(term) => Some((self.cfa.variables[variable as usize], term)),
            _ => None,
        };
        Substitution::new(self.ssa.reads[edge.0 as usize].iter().filter_map(constant))
    }

    fn evaluate(
        &mut self,
        edge: EdgeId,
        reads: &[u32],
        term: Term,
        constants: &mut Substitution,
    ) -> Known {
        if self.cfa.terms.sort(term).is_array() {
            return Known::Varies;
        }
        let known = &self.ssa.reads[edge.0 as usize];
        let unknown = |v: &u32| {
            let place = known.binary_search_by_key(v, |&(variable, _)| variable);
            place.is_ok_and(|place| self.known[known[place].1 as usize] == Known::Nothing)
        };
        if reads.iter().any(unknown) {
            return Known::Nothing;
        }
        let term = constants.apply(&mut self.cfa.terms, term);
        if self.cfa.terms.is_const(term) { Known::Constant(term) } else { Known::Varies }
    }

    /// Rewrites the edges with what is known in the end.
    fn result(mut self) -> Cfa {
        let never = self.cfa.terms.bool(false);
        for index in 0..self.cfa.edges.len() {
            let id = EdgeId(index as u32);
            if !self.is_taken[index] {
                self.cfa.edges[index].guard = never;
                continue;
            }
            let mut constants = self.constants(id);
            let guard = self.cfa.edges[index].guard;
            let guard = constants.apply(&mut self.cfa.terms, guard);
            self.cfa.edges[index].guard = guard;
            let to = self.cfa.edges[index].to;
            for (place, &(variable, _)) in self.reads.of(id).updates.iter().enumerate() {
                // Nothing reliable is known about what dead variables are computed from.
                if self.live.is_live(to, variable as usize) {
                    let value = self.cfa.edges[index].updates[place].1;
                    let value = constants.apply(&mut self.cfa.terms, value);
                    self.cfa.edges[index].updates[place].1 = value;
                }
            }
        }
        self.cfa
    }
}
