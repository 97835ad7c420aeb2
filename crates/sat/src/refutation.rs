//! A trimmed proof, replayed: for every clause of the core, the order of its resolutions with
//! their pivots.
//!
//! Replaying is also a check: every antecedent must contribute exactly one pivot, and the
//! resolvent must be the clause that the solver claims (or stronger).

use crate::proof::{ClauseId, Proof, ProofError};
use rustc_hash::FxHashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// A clause that was added, with its partition.
    Original(u32),
    /// A clause the caller said it knows; its derivation was not visited.
    Known,
    /// Resolution of `first` with the steps `start..end`, in this order.
    Chain { first: u32, start: u32, end: u32 },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resolution {
    /// The node that is resolved into the chain.
    pub node: u32,
    /// The pivot, in the polarity it has in that node's clause.
    pub pivot: i32,
}

/// Nodes are in order of derivation; the last one is the root.
#[derive(Debug, Default)]
pub struct Refutation {
    pub clauses: Vec<ClauseId>,
    pub origins: Vec<Origin>,
    pub resolutions: Vec<Resolution>,
}

impl Refutation {
    /// Trims the proof to what `root` depends on and replays it.
    ///
    /// Ensures: the origins describe a resolution derivation of each clause from the original
    /// and the known ones.
    pub fn extract(
        proof: &Proof,
        root: ClauseId,
        known: impl Fn(ClauseId) -> bool,
    ) -> Result<Refutation, ProofError> {
        if let Some(error) = proof.error() {
            return Err(error.clone());
        }
        if root.0 as usize >= proof.len() {
            return Err(ProofError::NoConclusion);
        }
        let clauses = proof.core(root, &known);
        let numbering: FxHashMap<u32, u32> =
            clauses.iter().enumerate().map(|(node, id)| (id.0, node as u32)).collect();
        let mut refutation = Refutation { clauses, ..Refutation::default() };
        let mut resolvent = Resolvent::default();
        for node in 0..refutation.clauses.len() {
            let id = refutation.clauses[node];
            let origin = if known(id) {
                Origin::Known
            } else if proof.is_original(id) {
                Origin::Original(proof.partition(id))
            } else {
                refutation.replay(proof, id, &numbering, &mut resolvent)?
            };
            refutation.origins.push(origin);
        }
        Ok(refutation)
    }

    fn replay(
        &mut self,
        proof: &Proof,
        id: ClauseId,
        numbering: &FxHashMap<u32, u32>,
        resolvent: &mut Resolvent,
    ) -> Result<Origin, ProofError> {
        let (&last, rest) = proof.antecedents(id).split_last().ok_or(ProofError::BadChain(id))?;
        let start = self.resolutions.len() as u32;
        resolvent.begin(proof.clause(ClauseId(last)));
        for &antecedent in rest.iter().rev() {
            let pivot = resolvent
                .resolve(proof.clause(ClauseId(antecedent)))
                .ok_or(ProofError::BadChain(id))?;
            self.resolutions.push(Resolution { node: numbering[&antecedent], pivot });
        }
        if !resolvent.subsumes(proof.clause(id)) {
            return Err(ProofError::BadChain(id));
        }
        Ok(Origin::Chain { first: numbering[&last], start, end: self.resolutions.len() as u32 })
    }
}

/// The current clause of a chain, as a stamp per literal.
#[derive(Default)]
struct Resolvent {
    stamps: Vec<u32>,
    stamp: u32,
    size: usize,
}

impl Resolvent {
    fn begin(&mut self, clause: &[i32]) {
        self.stamp += 1;
        self.size = 0;
        clause.iter().for_each(|&lit| self.insert(lit));
    }

    /// Resolves with `clause`; the pivot as it occurs there, if there is exactly one.
    fn resolve(&mut self, clause: &[i32]) -> Option<i32> {
        let mut pivots = clause.iter().copied().filter(|&lit| self.contains(-lit));
        let pivot = pivots.next()?;
        if pivots.next().is_some() {
            return None;
        }
        self.remove(-pivot);
        clause.iter().filter(|&&lit| lit != pivot).for_each(|&lit| self.insert(lit));
        Some(pivot)
    }

    /// Whether every literal of the resolvent occurs in `clause`; empties the resolvent.
    fn subsumes(&mut self, clause: &[i32]) -> bool {
        clause.iter().for_each(|&lit| self.remove(lit));
        self.size == 0
    }

    fn insert(&mut self, lit: i32) {
        let slot = slot(lit);
        if slot >= self.stamps.len() {
            self.stamps.resize(slot + 2, 0);
        }
        if self.stamps[slot] != self.stamp {
            self.stamps[slot] = self.stamp;
            self.size += 1;
        }
    }

    fn remove(&mut self, lit: i32) {
        if self.contains(lit) {
            self.stamps[slot(lit)] = 0;
            self.size -= 1;
        }
    }

    fn contains(&self, lit: i32) -> bool {
        self.stamps.get(slot(lit)) == Some(&self.stamp)
    }
}

fn slot(lit: i32) -> usize {
    (lit.unsigned_abs() as usize) << 1 | (lit < 0) as usize
}
