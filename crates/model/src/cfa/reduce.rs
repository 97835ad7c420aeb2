//! All reductions of an automaton, one after the other.

use super::Cfa;
use super::prune::prune;
use super::simplify::simplify;
use super::slice::{Sliced, slice};

/// Prunes, propagates constants and slices. What is left, and where in `cfa` it came from.
pub fn reduce(cfa: &Cfa) -> Sliced {
    let pruned = prune(cfa);
    let mut sliced = slice(&simplify(&pruned.cfa));
    sliced.locations.iter_mut().for_each(|l| *l = pruned.locations[l.0 as usize]);
    sliced.edges.iter_mut().for_each(|e| *e = pruned.edges[e.0 as usize]);
    sliced.cfa.audit();
    sliced
}
