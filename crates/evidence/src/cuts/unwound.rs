//! Checks that all runs of an automaton end, none of them at a target.
//!
//! The automaton is unwound: a location has a copy in each layer, and an edge into a cut point
//! leads to the next layer. Every cycle goes through a cut point, so the copies have no cycle, and
//! a run is in layer n when it has come to n cut points. What would begin one layer too many is a target as
//! well. So the claim is that no target of the unwound automaton is reached, which is what
//! [`check_cut_invariants`] decides when the entry is the only cut point.

use super::check_cut_invariants;
use crate::rejection::{Condition, Rejection};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::BlastError;
use wedge_model::Cfa;
use wedge_model::cfa::{CutInvariants, Edge, EdgeId, LocationId, Target, TargetKind};
use wedge_sat::Interrupt;

/// Copies of edges.
const MAX_EDGES: usize = 1 << 21;

/// Accepts exactly that every run comes to at most `length` cut points and to no target, of
/// whatever kind; what does not fit into the limits is too large.
///
/// Returns `Rejection::Stopped` soon after `interrupt` is raised.
pub fn check_exhausted_automaton(
    cfa: &Cfa,
    cuts: &[LocationId],
    length: usize,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    let unwound = unwound(cfa, cuts, length)?;
    let nothing = CutInvariants { terms: unwound.cfa.terms.clone(), invariants: Vec::new() };
    check_cut_invariants(&unwound.cfa, &nothing, interrupt).map_err(|rejection| match rejection {
        Rejection::RefutedAt { from, to, state, .. } => {
            let condition = Condition::Exhaustion;
            let [from, to] = [from, to].map(|copy| unwound.originals[copy.0 as usize]);
            Rejection::RefutedAt { condition, from, to, state }
        }
        other => other,
    })
}

struct Unwound {
    cfa: Cfa,
    /// By location, the one that it is a copy of.
    originals: Vec<LocationId>,
}

/// The automaton in layers 0 to `length`.
fn unwound(cfa: &Cfa, cuts: &[LocationId], length: usize) -> Result<Unwound, Rejection> {
    cfa.check().map_err(|error| Rejection::Malformed(error.to_string()))?;
    let is_cut: FxHashSet<LocationId> = cuts.iter().copied().collect();
    let targets: FxHashMap<LocationId, &Target> =
        cfa.targets.iter().map(|target| (target.location, target)).collect();
    let outgoing = cfa.outgoing();
    let mut copies = Copies {
        cfa: Cfa {
            terms: cfa.terms.clone(),
            variables: cfa.variables.clone(),
            inputs: cfa.inputs.clone(),
            ..Cfa::default()
        },
        originals: Vec::new(),
        layers: Vec::new(),
        known: FxHashMap::default(),
    };
    copies.cfa.entry = copies.copy(cfa.entry, 0);
    let mut next = 0;
    while next < copies.originals.len() {
        let (from, layer) = (LocationId(next as u32), copies.layers[next]);
        let original = copies.originals[next];
        next += 1;
        if let Some(&target) = targets.get(&original) {
            copies.cfa.targets.push(Target { location: from, ..target.clone() });
            continue;
        }
        if layer > length {
            let name = format!("more than {length} steps");
            copies.cfa.targets.push(Target { location: from, kind: TargetKind::Limit, name });
            continue;
        }
        for &EdgeId(id) in &outgoing[original.0 as usize] {
            let edge = &cfa.edges[id as usize];
            let to = copies.copy(edge.to, layer + usize::from(is_cut.contains(&edge.to)));
            copies.cfa.edges.push(Edge { from, to, ..edge.clone() });
        }
        if copies.cfa.edges.len() > MAX_EDGES {
            return Err(Rejection::TooLarge(BlastError::TooManyNodes { limit: MAX_EDGES as u64 }));
        }
    }
    Ok(Unwound { cfa: copies.cfa, originals: copies.originals })
}

struct Copies {
    cfa: Cfa,
    originals: Vec<LocationId>,
    layers: Vec<usize>,
    known: FxHashMap<(LocationId, usize), LocationId>,
}

impl Copies {
    fn copy(&mut self, original: LocationId, layer: usize) -> LocationId {
        *self.known.entry((original, layer)).or_insert_with(|| {
            self.originals.push(original);
            self.layers.push(layer);
            self.cfa.add_location(None)
        })
    }
}
