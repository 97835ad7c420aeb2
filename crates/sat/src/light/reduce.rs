//! Keeping the clause database small: deleting inactive learnt clauses, simplifying by what is
//! true at level 0, and compacting the arena.

use super::Solver;
use super::arena::{Arena, ClauseRef, NO_CLAUSE};
use super::domain::{FALSE, TRUE};
use super::lit::Lit;
use super::propagate::BINARY;

/// Learnt clauses kept before the first reduction.
pub(super) const FIRST_LIMIT: usize = 2000;
/// How much the limit grows with each reduction.
const LIMIT_STEP: usize = 200;
/// New facts at level 0 that make a simplification worth its while.
const NEW_FACTS: usize = 1;

impl Solver {
    /// Deletes the less active half of the learnt clauses that are neither binary nor a reason.
    pub(super) fn reduce(&mut self) {
        let mut candidates: Vec<ClauseRef> = self
            .learnts
            .iter()
            .chain(&self.guarded)
            .copied()
            .filter(|&c| self.arena.is_learnt(c) && self.arena.size(c) > 2 && !self.is_reason(c))
            .collect();
        let half = candidates.len() / 2;
        if half == 0 {
            return;
        }
        let activity = |&c: &ClauseRef| self.arena.activity(c);
        candidates.select_nth_unstable_by(half, |a, b| activity(a).total_cmp(&activity(b)));
        for &clause in &candidates[..half] {
            self.arena.delete(clause);
        }
        self.learnts.retain(|&c| !self.arena.is_garbage(c));
        self.guarded.retain(|&c| !self.arena.is_garbage(c));
        self.max_learnts += LIMIT_STEP;
    }

    pub(super) fn too_many_learnts(&self) -> bool {
        self.learnts.len() + self.guarded.len() > self.max_learnts
    }

    /// Simplifies if enough has changed since the last time; cheap otherwise. At level 0.
    pub(super) fn tidy(&mut self) {
        let facts = self.trail.len() - self.simplified_at;
        let wasted = self.arena.wasted() * 4 > self.arena.len() + 4096;
        let worthwhile = facts >= NEW_FACTS && self.counters.propagations > self.simplify_after;
        if wasted || worthwhile {
            self.simplify();
        }
    }

    /// Deletes satisfied clauses and false literals, and all garbage. Called between queries; the
    /// solver calls it on its own, too.
    pub fn simplify(&mut self) {
        self.retract();
        if !self.ok {
            return;
        }
        let old = std::mem::take(&mut self.arena);
        self.watches.iter_mut().for_each(Vec::clear);
        self.learnts.clear();
        self.required.clear();
        let mut clause = old.first();
        let mut lits = Vec::new();
        while let Some(current) = clause {
            self.copy(&old, current, &mut lits);
            clause = old.after(current);
        }
        for index in 0..self.trail.len() {
            let var = self.trail[index].var();
            self.assigned[var as usize].reason = NO_CLAUSE;
        }
        self.prune_facts();
        self.simplified_at = self.trail.len();
        self.simplify_after = self.counters.propagations + self.arena.len() as u64;
    }

    /// Takes a live, unsatisfied clause over from the old arena, without its false literals.
    fn copy(&mut self, old: &Arena, clause: ClauseRef, lits: &mut Vec<Lit>) {
        if old.is_garbage(clause) || old.lits(clause).any(|l| self.values[l.index()] == TRUE) {
            return;
        }
        lits.clear();
        lits.extend(old.lits(clause).filter(|l| self.values[l.index()] != FALSE));
        let learnt = old.is_learnt(clause);
        let copy = self.arena.alloc(lits, learnt);
        self.watch(copy, lits, if lits.len() == 2 { BINARY } else { 0 });
        if learnt {
            self.arena.set_activity(copy, old.activity(clause));
            self.learnts.push(copy);
        } else if let Some(head) = old.head(clause) {
            self.arena.set_head(copy, head);
        } else {
            self.require(copy);
        }
    }
}
