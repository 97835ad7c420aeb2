//! Skipping what makes no difference: a location from which all ways lead to the same place
//! without assigning anything, as a branch has whose arms were sliced away.
//!
//! If the guards of a location cover all cases, no edge assigns a variable, and all edges lead to
//! the same place, possibly over other such locations, then a run is there as good as it is in
//! that place. No head of a loop is skipped, so that a run that would not end still does not.

use super::graph::{Graph, Order};
use super::merge::any_of;
use super::{Cfa, Edge, EdgeId, LocationId};
use wedge_logic::Term;

/// Leads edges past locations that make no difference. Whether there were any. What has become
/// unreachable stays.
pub(super) fn skip(cfa: &mut Cfa) -> bool {
    let graph = Graph::new(cfa);
    let order = Order::new(cfa, &graph);
    let places = places(cfa, &graph, &order);
    let place = |location: LocationId| places[location.0 as usize];
    let mut changed = false;
    for &location in &order.postorder {
        for edge in graph.outgoing(location) {
            let to = cfa.edge(edge).to;
            changed |= place(to) != to;
            cfa.edges[edge.0 as usize].to = place(to);
        }
    }
    changed | skip_branch_at_entry(cfa, &graph, place(cfa.entry))
}

/// For each location the one that is as good.
fn places(cfa: &mut Cfa, graph: &Graph, order: &Order) -> Vec<LocationId> {
    let mut places: Vec<LocationId> = (0..cfa.locations.len() as u32).map(LocationId).collect();
    for &location in &order.postorder {
        let edges: Vec<EdgeId> = graph.outgoing(location).collect();
        let [first, ..] = edges[..] else { continue };
        let common = places[cfa.edge(first).to.0 as usize];
        let same = |&e: &EdgeId| {
            let edge = cfa.edge(e);
            edge.updates.is_empty() && places[edge.to.0 as usize] == common
        };
        if order.is_head[location.0 as usize] || !edges.iter().all(same) {
            continue;
        }
        let guards: Vec<Term> = edges.iter().map(|&e| cfa.edge(e).guard).collect();
        let any = any_of(&mut cfa.terms, &guards);
        if cfa.terms.value(any).is_some_and(|value| value.is_one()) {
            places[location.0 as usize] = common;
        }
    }
    places
}

/// No edge leads to the entry, so its own are replaced by one.
fn skip_branch_at_entry(cfa: &mut Cfa, graph: &Graph, place: LocationId) -> bool {
    let edges: Vec<EdgeId> = graph.outgoing(cfa.entry).collect();
    if place == cfa.entry || edges.len() < 2 {
        return false;
    }
    let (always, never) = (cfa.terms.bool(true), cfa.terms.bool(false));
    for (position, edge) in edges.into_iter().enumerate() {
        let guard = if position == 0 { always } else { never };
        let edge = &mut cfa.edges[edge.0 as usize];
        *edge = Edge { guard, to: place, ..edge.clone() };
    }
    true
}
