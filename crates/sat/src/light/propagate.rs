//! The trail: assigning, unit propagation over watched literals, and backtracking.

use super::arena::{ClauseRef, NO_CLAUSE};
use super::domain::{FALSE, OPEN, OUTSIDE, TRUE};
use super::lit::Lit;
use super::{Assigned, Progress, Solver, Watch};

/// Marks the watch of a binary clause, which is handled without a look into the arena. Only
/// clauses that stay until the arena is compacted carry the mark: garbage is recognised by its
/// header.
pub(super) const BINARY: ClauseRef = 1 << 31;

/// What became of a clause whose watched literal turned false.
enum Visit {
    /// Another literal is watched now, or the clause is gone.
    Moved,
    /// Still watched, with this literal as blocker.
    Kept(Lit),
    Unit(Lit),
    Conflict,
}

/// Whether a clause that has a literal of this value needs no look.
fn skips<const EVERYWHERE: bool>(value: i8) -> bool {
    if EVERYWHERE { value == TRUE } else { value > OPEN }
}

impl Solver {
    pub(super) fn level(&self) -> usize {
        self.levels.len()
    }

    pub(super) fn open_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    /// Makes an unassigned literal true.
    pub(super) fn enqueue(&mut self, lit: Lit, reason: ClauseRef) {
        debug_assert!(matches!(self.values[lit.index()], OPEN | OUTSIDE));
        self.values[lit.index()] = TRUE;
        self.values[(!lit).index()] = FALSE;
        let level = self.levels.len() as u32;
        self.assigned[lit.var() as usize] = Assigned { level, reason };
        self.trail.push(lit);
        if level == 0 {
            self.note_fact(lit.var());
        }
    }

    /// Allocates a clause of at least two literals and watches the first two.
    pub(super) fn attach_new(&mut self, lits: &[Lit], learnt: bool) -> ClauseRef {
        let clause = self.arena.alloc(lits, learnt);
        self.full |= self.arena.len() >= BINARY as usize;
        self.watch(clause, lits, if lits.len() == 2 { BINARY } else { 0 });
        clause
    }

    /// Like [`Solver::attach_new`] for a clause that is deleted when the query ends.
    pub(super) fn attach_guarded(&mut self, lits: &[Lit], learnt: bool) -> ClauseRef {
        let clause = self.arena.alloc(lits, learnt);
        self.full |= self.arena.len() >= BINARY as usize;
        self.watch(clause, lits, 0);
        self.guarded.push(clause);
        clause
    }

    pub(super) fn watch(&mut self, clause: ClauseRef, lits: &[Lit], mark: ClauseRef) {
        let clause = clause | mark;
        self.watches[lits[0].index()].push(Watch { clause, blocker: lits[1] });
        self.watches[lits[1].index()].push(Watch { clause, blocker: lits[0] });
    }

    /// Propagates all that is on the trail. Returns a clause that is false, if there is one.
    ///
    /// Above level 0 clauses are left alone that could only propagate outside the domain. What
    /// level 0 implies is propagated everywhere, so that no later query misses it.
    pub(super) fn propagate(&mut self) -> Option<ClauseRef> {
        let before = self.head;
        let conflict = match self.level() {
            0 => self.propagate_within::<true>(),
            _ => self.propagate_within::<false>(),
        };
        self.counters.propagations += (self.head - before) as u64;
        conflict
    }

    fn propagate_within<const EVERYWHERE: bool>(&mut self) -> Option<ClauseRef> {
        while self.head < self.trail.len() {
            let falsified = !self.trail[self.head];
            self.head += 1;
            let mut list = std::mem::take(&mut self.watches[falsified.index()]);
            let conflict = self.visit_list::<EVERYWHERE>(falsified, &mut list);
            self.watches[falsified.index()] = list;
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    fn visit_list<const EVERYWHERE: bool>(
        &mut self,
        falsified: Lit,
        list: &mut Vec<Watch>,
    ) -> Option<ClauseRef> {
        let mut kept = 0;
        let mut next = 0;
        let mut conflict = None;
        while next < list.len() {
            let watch = list[next];
            next += 1;
            let value = self.values[watch.blocker.index()];
            if skips::<EVERYWHERE>(value) {
                list[kept] = watch;
                kept += 1;
                continue;
            }
            let visit = if watch.clause & BINARY != 0 {
                if value < 0 { Visit::Conflict } else { Visit::Unit(watch.blocker) }
            } else {
                self.visit::<EVERYWHERE>(falsified, watch)
            };
            let blocker = match visit {
                Visit::Moved => continue,
                Visit::Kept(blocker) => blocker,
                Visit::Unit(unit) => {
                    self.enqueue(unit, watch.clause & !BINARY);
                    unit
                }
                Visit::Conflict => {
                    conflict = Some(watch.clause & !BINARY);
                    watch.blocker
                }
            };
            list[kept] = Watch { clause: watch.clause, blocker };
            kept += 1;
            if conflict.is_some() {
                break;
            }
        }
        if kept < next {
            list.copy_within(next.., kept);
            list.truncate(kept + list.len() - next);
        }
        conflict
    }

    /// Looks into a clause of three or more literals, or of a guarded one.
    fn visit<const EVERYWHERE: bool>(&mut self, falsified: Lit, watch: Watch) -> Visit {
        let Some(codes) = self.arena.live_codes_mut(watch.clause) else { return Visit::Moved };
        if codes[0] == falsified.code() {
            codes.swap(0, 1);
        }
        let first = Lit::from_code(codes[0]);
        let value = self.values[first.index()];
        if skips::<EVERYWHERE>(value) {
            return Visit::Kept(first);
        }
        let values = &self.values;
        if let Some(offset) = codes[2..].iter().position(|&c| values[c as usize] >= 0) {
            codes.swap(1, offset + 2);
            let moved = Lit::from_code(codes[1]);
            self.watches[moved.index()].push(Watch { clause: watch.clause, blocker: first });
            return Visit::Moved;
        }
        if value < 0 { Visit::Conflict } else { Visit::Unit(first) }
    }

    /// Undoes every assignment above `level`; the variables may be decided again.
    pub(super) fn backtrack(&mut self, level: usize) {
        self.undo(level, true);
    }

    fn undo(&mut self, level: usize, decide_again: bool) {
        if self.level() <= level {
            return;
        }
        let start = self.levels[level];
        for index in start..self.trail.len() {
            let lit = self.trail[index];
            self.values[lit.index()] = OPEN;
            self.values[(!lit).index()] = OPEN;
            self.phase[lit.var() as usize] = !lit.is_negated();
            if decide_again && self.heap_ready {
                self.heap.insert(lit.var());
            }
        }
        self.trail.truncate(start);
        self.levels.truncate(level);
        self.head = start;
        self.progress = Progress::default();
    }

    /// Ends the last query: back to level 0, and its temporary clause and what was learnt from
    /// it are deleted.
    pub(super) fn retract(&mut self) {
        self.undo(0, !self.restricted);
        while let Some(clause) = self.guarded.pop() {
            self.arena.delete(clause);
        }
        // A query that was stopped may have left a fact unpropagated.
        if self.ok && self.head < self.trail.len() {
            self.ok = self.propagate().is_none();
        }
    }

    pub(super) fn is_reason(&self, clause: ClauseRef) -> bool {
        let first = self.arena.lit(clause, 0);
        self.values[first.index()] == TRUE && self.assigned[first.var() as usize].reason == clause
    }

    pub(super) fn reason(&self, lit: Lit) -> Option<ClauseRef> {
        let reason = self.assigned[lit.var() as usize].reason;
        (reason != NO_CLAUSE).then_some(reason)
    }
}
