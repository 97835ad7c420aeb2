//! Property-directed slicing: what cannot influence whether a target is reached is dropped.
//!
//! The guards of all edges matter, and so does what their variables are computed from. First
//! variables that no guard depends on go, wherever they are; then the assignments to variables
//! that are not live; then the branches whose arms have become empty, which may make more
//! variables useless. The automaton should be pruned before; the result is pruned.

use super::graph::{Graph, Order};
use super::live::Liveness;
use super::prune::prune;
use super::skip::skip;
use super::symbols::{Reads, Symbols};
use super::{Cfa, EdgeId, LocationId};
use rustc_hash::FxHashSet;
use wedge_logic::Term;

/// Rounds of slicing, each of which may expose more that is useless.
const MAX_ROUNDS: usize = 16;

/// What is left, and where it came from.
pub struct Sliced {
    pub cfa: Cfa,
    /// For each variable of the result its place among those before, in increasing order.
    pub variables: Vec<usize>,
    /// For each input of the result its place among those before, in increasing order.
    pub inputs: Vec<usize>,
    /// For each location of the result the one it was.
    pub locations: Vec<LocationId>,
    /// For each edge of the result the one it was.
    pub edges: Vec<EdgeId>,
}

/// Drops what cannot influence whether a target is reached.
pub fn slice(cfa: &Cfa) -> Sliced {
    let mut pruned = prune(cfa);
    for _ in 0..MAX_ROUNDS {
        drop_irrelevant(&mut pruned.cfa);
        drop_dead(&mut pruned.cfa);
        if !skip(&mut pruned.cfa) {
            break;
        }
        let (locations, edges) = (pruned.locations, pruned.edges);
        pruned = prune(&pruned.cfa);
        pruned.locations.iter_mut().for_each(|l| *l = locations[l.0 as usize]);
        pruned.edges.iter_mut().for_each(|e| *e = edges[e.0 as usize]);
    }
    let mut sliced = pruned.cfa;
    let used = used(&sliced);
    let places = |all: &[Term]| {
        let kept = all.iter().enumerate().filter(|(_, term)| used.contains(term));
        kept.map(|(place, _)| place).collect::<Vec<usize>>()
    };
    let (variables, inputs) = (places(&cfa.variables), places(&cfa.inputs));
    sliced.variables = variables.iter().map(|&i| cfa.variables[i]).collect();
    sliced.inputs = inputs.iter().map(|&i| cfa.inputs[i]).collect();
    let (locations, edges) = (pruned.locations, pruned.edges);
    Sliced { cfa: sliced, variables, inputs, locations, edges }
}

/// Everything that edges mention.
fn used(cfa: &Cfa) -> FxHashSet<Term> {
    let assigned = cfa.edges.iter().flat_map(|e| &e.updates).map(|&(variable, _)| variable);
    let roots: Vec<Term> = cfa.edges.iter().flat_map(|e| e.roots()).chain(assigned).collect();
    cfa.terms.free_vars(&roots).into_iter().collect()
}

/// Drops the variables that no guard depends on, with their assignments.
pub(super) fn drop_irrelevant(cfa: &mut Cfa) {
    let symbols = Symbols::new(cfa);
    let reads = Reads::new(cfa, &symbols);
    let edges = || (0..cfa.edges.len() as u32).map(|e| reads.of(EdgeId(e)));
    let mut sources: Vec<Vec<&[u32]>> = vec![Vec::new(); cfa.variables.len()];
    for (variable, read) in edges().flat_map(|e| &e.updates) {
        sources[*variable as usize].push(read);
    }
    let mut relevant = vec![false; cfa.variables.len()];
    let mut stack: Vec<u32> = edges().flat_map(|e| e.guard.iter().copied()).collect();
    while let Some(variable) = stack.pop() {
        if !std::mem::replace(&mut relevant[variable as usize], true) {
            stack.extend(sources[variable as usize].iter().copied().flatten());
        }
    }
    let is_relevant = |term| symbols.variable(term).is_some_and(|v| relevant[v as usize]);
    for edge in &mut cfa.edges {
        edge.updates.retain(|&(variable, _)| is_relevant(variable));
    }
    cfa.variables.retain(|&variable| is_relevant(variable));
}

/// Drops the assignments to variables that are not live afterwards, and those of a variable to
/// itself.
fn drop_dead(cfa: &mut Cfa) {
    let graph = Graph::new(cfa);
    let order = Order::new(cfa, &graph);
    let symbols = Symbols::new(cfa);
    let reads = Reads::new(cfa, &symbols);
    let live = Liveness::compute(cfa, &graph, &order, &reads);
    for edge in &mut cfa.edges {
        let to = edge.to;
        edge.updates.retain(|&(variable, value)| {
            let is_live = |v| live.is_live(to, v as usize);
            value != variable && symbols.variable(variable).is_some_and(is_live)
        });
    }
}
