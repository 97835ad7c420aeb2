//! Conflict analysis: the first-UIP clause, its minimisation, and final cores.

use super::Solver;
use super::arena::ClauseRef;
use super::domain::TRUE;
use super::lit::Lit;

const VAR_DECAY: f64 = 0.95;
const CLAUSE_DECAY: f32 = 0.999;
const CLAUSE_RESCALE: f32 = 1e20;

impl Solver {
    /// Leaves in `self.learnt` a clause that is false under the current assignment and becomes
    /// unit, with its first literal, at the returned level. The conflict is above level 1.
    pub(super) fn analyze(&mut self, conflict: ClauseRef) -> usize {
        self.resolve_to_first_uip(conflict);
        self.minimize();
        for index in 0..self.analyzed.len() {
            let var = self.analyzed[index].var();
            self.seen[var as usize] = false;
        }
        self.analyzed.clear();
        self.heap.decay(VAR_DECAY);
        self.clause_increment /= CLAUSE_DECAY;
        self.assertion_level()
    }

    fn resolve_to_first_uip(&mut self, conflict: ClauseRef) {
        self.learnt.clear();
        self.learnt.push(self.trail[self.trail.len() - 1]);
        let mut open = self.resolve(conflict, None);
        let mut index = self.trail.len();
        loop {
            index -= 1;
            let lit = self.trail[index];
            if !self.seen[lit.var() as usize] {
                continue;
            }
            open -= 1;
            if open == 0 {
                self.learnt[0] = !lit;
                return;
            }
            // Only a decision lacks a reason, and it is the last literal met on its level.
            let Some(reason) = self.reason(lit) else { return };
            open += self.resolve(reason, Some(lit));
        }
    }

    /// Takes over the literals of a clause but `pivot`. Returns how many of them are new and of
    /// the current level.
    fn resolve(&mut self, clause: ClauseRef, pivot: Option<Lit>) -> usize {
        if self.arena.is_learnt(clause) {
            self.bump_clause(clause);
        }
        let mut open = 0;
        for index in 0..self.arena.size(clause) {
            let lit = self.arena.lit(clause, index);
            let var = lit.var() as usize;
            let level = self.assigned[var].level as usize;
            if Some(lit) == pivot || self.seen[var] || level == 0 {
                continue;
            }
            self.seen[var] = true;
            self.analyzed.push(lit);
            self.heap.bump(lit.var());
            if level == self.level() {
                open += 1;
            } else {
                self.learnt.push(lit);
            }
        }
        open
    }

    /// Drops the literals that the others imply (recursive minimisation of MiniSat).
    fn minimize(&mut self) {
        let levels = self.learnt[1..].iter().fold(0, |set, &lit| set | self.level_bit(lit));
        let mut learnt = std::mem::take(&mut self.learnt);
        let mut kept = 1;
        for index in 1..learnt.len() {
            let lit = learnt[index];
            if !self.is_implied(lit, levels) {
                learnt[kept] = lit;
                kept += 1;
            }
        }
        learnt.truncate(kept);
        self.learnt = learnt;
    }

    fn level_bit(&self, lit: Lit) -> u64 {
        1 << (self.assigned[lit.var() as usize].level & 63)
    }

    /// Whether the false literal `lit` follows from other seen literals. What is found to be
    /// implied on the way is marked as seen, so that it is not searched again.
    fn is_implied(&mut self, lit: Lit, levels: u64) -> bool {
        let Some(reason) = self.reason(lit) else { return false };
        let mark = self.analyzed.len();
        self.stack.clear();
        self.stack.push((reason, 0));
        while let Some((clause, index)) = self.stack.pop() {
            if index == self.arena.size(clause) {
                continue;
            }
            self.stack.push((clause, index + 1));
            let other = self.arena.lit(clause, index);
            let var = other.var() as usize;
            if self.values[other.index()] == TRUE || self.seen[var] || self.assigned[var].level == 0
            {
                continue;
            }
            match self.reason(other) {
                Some(reason) if self.level_bit(other) & levels != 0 => {
                    self.seen[var] = true;
                    self.analyzed.push(other);
                    self.stack.push((reason, 0));
                }
                _ => {
                    self.forget(mark);
                    return false;
                }
            }
        }
        true
    }

    fn forget(&mut self, mark: usize) {
        for lit in self.analyzed.drain(mark..) {
            self.seen[lit.var() as usize] = false;
        }
    }

    /// Moves a literal of the highest level but the first's to the second place.
    fn assertion_level(&mut self) -> usize {
        let level_of = |lit: Lit| self.assigned[lit.var() as usize].level;
        match (1..self.learnt.len()).max_by_key(|&i| level_of(self.learnt[i])) {
            None => 0,
            Some(highest) => {
                let level = level_of(self.learnt[highest]) as usize;
                self.learnt.swap(1, highest);
                level
            }
        }
    }

    fn bump_clause(&mut self, clause: ClauseRef) {
        let activity = self.arena.activity(clause) + self.clause_increment;
        self.arena.set_activity(clause, activity);
        if activity > CLAUSE_RESCALE {
            for &learnt in self.learnts.iter().chain(&self.guarded) {
                self.arena.set_activity(learnt, self.arena.activity(learnt) / CLAUSE_RESCALE);
            }
            self.clause_increment /= CLAUSE_RESCALE;
        }
    }

    /// The core of a clause that is false at level 1, where only assumptions have no reason.
    pub(super) fn core_of_conflict(&mut self, conflict: ClauseRef) {
        for index in 0..self.arena.size(conflict) {
            self.see(self.arena.lit(conflict, index));
        }
        self.trace_to_assumptions();
    }

    /// The core of an assumption that the others, or level 0, make false.
    pub(super) fn core_of_assumption(&mut self, assumption: Lit) {
        self.add_to_core(assumption);
        self.see(assumption);
        self.trace_to_assumptions();
    }

    fn see(&mut self, lit: Lit) {
        if self.assigned[lit.var() as usize].level > 0 {
            self.seen[lit.var() as usize] = true;
        }
    }

    fn trace_to_assumptions(&mut self) {
        let Some(&start) = self.levels.first() else { return };
        for index in (start..self.trail.len()).rev() {
            let lit = self.trail[index];
            if !std::mem::take(&mut self.seen[lit.var() as usize]) {
                continue;
            }
            let Some(reason) = self.reason(lit) else {
                self.add_to_core(lit);
                continue;
            };
            for position in 0..self.arena.size(reason) {
                let other = self.arena.lit(reason, position);
                if other != lit {
                    self.see(other);
                }
            }
        }
    }

    fn add_to_core(&mut self, assumption: Lit) {
        if Some(assumption.var()) == self.guard {
            self.temporary_used = true;
        } else if !std::mem::replace(&mut self.core_mark[assumption.index()], true) {
            self.core.push(assumption);
        }
    }
}
