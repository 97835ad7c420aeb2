//! Pruning: only what lies on a way from the entry to a target is kept (Safety Interpolants and
//! Error Interpolants, section IV-A).
//!
//! A run that enters the part that is dropped can no longer reach a target; in the result it ends.

use super::graph::{Graph, Order};
use super::{Cfa, Edge, EdgeId, LocationId, Target};

/// What is left, and where it came from.
pub struct Pruned {
    pub cfa: Cfa,
    /// For each location of the result the one it was.
    pub locations: Vec<LocationId>,
    /// For each edge of the result the one it was.
    pub edges: Vec<EdgeId>,
}

/// Drops edges whose guard is false, locations that are not reachable from the entry or from
/// which no target is reachable, and targets that are not reachable. Variables and inputs stay.
pub fn prune(cfa: &Cfa) -> Pruned {
    let graph = Graph::new(cfa);
    let mut kept = useful(cfa, &graph);
    // An automaton has an entry even if that is of no use.
    kept[cfa.entry.0 as usize] = true;
    let kept_locations = (0..cfa.locations.len()).filter(|&l| kept[l]);
    let locations: Vec<LocationId> = kept_locations.map(|l| LocationId(l as u32)).collect();
    let mut number = vec![LocationId::default(); cfa.locations.len()];
    for (new, old) in locations.iter().enumerate() {
        number[old.0 as usize] = LocationId(new as u32);
    }
    let at = |location: LocationId| number[location.0 as usize];
    let is_kept = |location: LocationId| kept[location.0 as usize];
    let leaving = locations.iter().flat_map(|&l| graph.outgoing(l));
    let mut edges: Vec<EdgeId> = leaving.filter(|&e| is_kept(cfa.edge(e).to)).collect();
    edges.sort_unstable();
    let moved = |edge: &Edge| Edge { from: at(edge.from), to: at(edge.to), ..edge.clone() };
    let targets = cfa.targets.iter().filter(|t| is_kept(t.location));
    let cfa = Cfa {
        terms: cfa.terms.clone(),
        variables: cfa.variables.clone(),
        inputs: cfa.inputs.clone(),
        locations: locations.iter().map(|l| cfa.locations[l.0 as usize]).collect(),
        edges: edges.iter().map(|&e| moved(cfa.edge(e))).collect(),
        entry: at(cfa.entry),
        targets: targets.map(|t| Target { location: at(t.location), ..t.clone() }).collect(),
    };
    Pruned { cfa, locations, edges }
}

/// Which locations lie on a way from the entry to a target.
fn useful(cfa: &Cfa, graph: &Graph) -> Vec<bool> {
    let order = Order::new(cfa, graph);
    let mut useful = vec![false; cfa.locations.len()];
    let mut stack: Vec<LocationId> = cfa.targets.iter().map(|t| t.location).collect();
    stack.retain(|&l| order.is_reached(l));
    while let Some(location) = stack.pop() {
        if !std::mem::replace(&mut useful[location.0 as usize], true) {
            let before = graph.incoming(location).map(|e| cfa.edge(e).from);
            stack.extend(before.filter(|&l| order.is_reached(l)));
        }
    }
    useful
}
