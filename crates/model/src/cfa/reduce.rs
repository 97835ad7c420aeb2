//! All reductions of an automaton, one after the other.
//!
//! Variables that no guard depends on go first: that takes time linear in the automaton, while all
//! that follows keeps a bit for every variable at every location, and the automata of large programs
//! have a hundred times as many variables as matter (a driver: 113,615 before, 1,944 in the end).

use super::Cfa;
use super::prune::{Pruned, prune};
use super::simplify::simplify;
use super::slice::{Sliced, drop_irrelevant, slice};
use rustc_hash::FxHashSet;
use std::fmt;
use wedge_logic::Term;

/// An automaton that is too large to be reduced, without the variables that do not matter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge {
    pub locations: usize,
    pub variables: usize,
}

impl fmt::Display for TooLarge {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{} locations and {} variables", self.locations, self.variables)
    }
}

/// Prunes, propagates constants and slices. What is left, and where in `cfa` it came from.
pub fn reduce(cfa: &Cfa) -> Sliced {
    reduce_within(cfa, usize::MAX).expect("there is no limit")
}

/// The same, unless there are more than so many pairs of a location and a variable that may matter
/// there.
pub fn reduce_within(cfa: &Cfa, pairs: usize) -> Result<Sliced, TooLarge> {
    let Pruned { cfa: mut pruned, locations, edges } = prune(cfa);
    drop_irrelevant(&mut pruned);
    let size = TooLarge { locations: pruned.locations.len(), variables: pruned.variables.len() };
    if size.locations.saturating_mul(size.variables) > pairs {
        return Err(size);
    }
    let mut sliced = slice(&simplify(&pruned));
    sliced.locations.iter_mut().for_each(|l| *l = locations[l.0 as usize]);
    sliced.edges.iter_mut().for_each(|e| *e = edges[e.0 as usize]);
    let left: FxHashSet<Term> = pruned.variables.iter().copied().collect();
    let places = cfa.variables.iter().enumerate().filter(|(_, variable)| left.contains(variable));
    let places: Vec<usize> = places.map(|(place, _)| place).collect();
    sliced.variables.iter_mut().for_each(|v| *v = places[*v]);
    sliced.cfa.audit();
    Ok(sliced)
}
