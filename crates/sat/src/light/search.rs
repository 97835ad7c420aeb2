//! The search: assumptions on level 1, then decide, propagate, learn, restart.

use super::arena::NO_CLAUSE;
use super::domain::{FALSE, OPEN, TRUE};
use super::lit::Lit;
use super::{Answer, Interrupt, Query, Solver};

const RESTART_UNIT: u64 = 100;
/// Conflicts between two looks at stop flag and clock.
const PATIENCE: u64 = 64;

impl Solver {
    /// Asks without temporary clause and domain.
    pub fn solve(&mut self, assumptions: &[Lit]) -> Answer {
        self.ask(Query { assumptions, ..Query::default() })
    }

    /// Answers a query. After `Sat` the model can be read until the solver is changed or asked
    /// again, after `Unsat` the core.
    pub fn ask(&mut self, query: Query) -> Answer {
        self.retract();
        self.tidy();
        self.begin(&query);
        if !self.ok {
            return Answer::Unsat;
        }
        if self.full || self.stopped() {
            return Answer::Stopped;
        }
        if !self.add_temporary(query.temporary) {
            self.temporary_used = true;
            return Answer::Unsat;
        }
        self.search()
    }

    fn begin(&mut self, query: &Query) {
        self.counters.queries += 1;
        for lit in self.core.drain(..) {
            self.core_mark[lit.index()] = false;
        }
        self.temporary_used = false;
        self.assumptions.clear();
        self.assumptions.extend_from_slice(query.assumptions);
        self.partial = query.partial;
        self.set_domain(query.domain);
        for lit in query.assumptions.iter().chain(query.temporary) {
            self.include(lit.var());
        }
    }

    /// Adds the temporary clause behind the guard. Returns false if it is false at level 0.
    fn add_temporary(&mut self, lits: &[Lit]) -> bool {
        if lits.is_empty() {
            return true;
        }
        let Some(mut clause) = self.simplified(lits) else { return true };
        if clause.is_empty() {
            return false;
        }
        let guard = self.guard_var();
        self.include(guard);
        clause.push(Lit::new(guard, true));
        self.assumptions.push(Lit::new(guard, false));
        self.attach_guarded(&clause, false);
        true
    }

    fn guard_var(&mut self) -> u32 {
        if let Some(guard) = self.guard {
            return guard;
        }
        let guard = self.new_var();
        self.guard = Some(guard);
        guard
    }

    fn search(&mut self) -> Answer {
        let mut conflicts = 0u64;
        let mut restarts = 1;
        let mut restart_at = RESTART_UNIT * luby(restarts);
        loop {
            if let Some(conflict) = self.propagate() {
                if self.level() <= 1 {
                    self.core_of_conflict(conflict);
                    self.ok &= self.level() == 1;
                    return Answer::Unsat;
                }
                conflicts += 1;
                let level = self.analyze(conflict);
                self.learn(level);
                if self.exhausted(conflicts) {
                    return Answer::Stopped;
                }
            } else if self.level() == 0 {
                if !self.assume() {
                    return Answer::Unsat;
                }
            } else if conflicts >= restart_at {
                restarts += 1;
                restart_at = conflicts + RESTART_UNIT * luby(restarts);
                self.backtrack(1);
            } else {
                if self.too_many_learnts() {
                    self.reduce();
                }
                if !self.decide(conflicts) {
                    return Answer::Sat;
                }
            }
        }
    }

    /// Opens level 1 with all assumptions. Returns false if they contradict each other or
    /// level 0.
    fn assume(&mut self) -> bool {
        self.open_level();
        for index in 0..self.assumptions.len() {
            let lit = self.assumptions[index];
            match self.values[lit.index()] {
                OPEN => self.enqueue(lit, NO_CLAUSE),
                TRUE => {}
                _ => {
                    debug_assert_eq!(self.values[lit.index()], FALSE);
                    self.core_of_assumption(lit);
                    return false;
                }
            }
        }
        true
    }

    /// Opens a level with a new decision. Returns false if none is needed.
    fn decide(&mut self, conflicts: u64) -> bool {
        let by_activity = !self.partial || conflicts > 0;
        if by_activity && !self.heap_ready {
            self.fill_heap();
        }
        let active = if by_activity { self.most_active() } else { None };
        let decision = match active {
            None if self.partial => self.unjustified(),
            None => self.any_inactive(),
            active => active,
        };
        if let Some(lit) = decision {
            self.counters.decisions += 1;
            self.open_level();
            self.enqueue(lit, NO_CLAUSE);
        }
        decision.is_some()
    }

    fn most_active(&mut self) -> Option<Lit> {
        while let Some(var) = self.heap.pop() {
            if self.values[2 * var as usize] == OPEN {
                return Some(Lit::new(var, !self.phase[var as usize]));
            }
        }
        None
    }

    fn any_inactive(&mut self) -> Option<Lit> {
        while let Some(var) = self.inactive.pop() {
            if self.values[2 * var as usize] == OPEN {
                return Some(Lit::new(var, !self.phase[var as usize]));
            }
        }
        None
    }

    /// Sorts the open variables of the domain by activity, as far as they have any.
    fn fill_heap(&mut self) {
        if !self.restricted {
            self.domain.clear();
            self.domain.extend(0..self.assigned.len() as u32);
        }
        self.inactive.clear();
        let values = &self.values;
        let open = self.domain.iter().copied().filter(|&var| values[2 * var as usize] == OPEN);
        self.heap.rebuild(open, &mut self.inactive);
        self.heap_ready = true;
    }

    /// Adds the clause in `self.learnt` and asserts its first literal at `level`.
    fn learn(&mut self, level: usize) {
        self.counters.conflicts += 1;
        self.backtrack(level);
        let learnt = std::mem::take(&mut self.learnt);
        let asserted = learnt[0];
        let guard = self.guard.map(|var| Lit::new(var, true));
        let reason = match learnt.len() {
            1 => NO_CLAUSE,
            _ if guard.is_some_and(|guard| learnt.contains(&guard)) => {
                self.attach_guarded(&learnt, true)
            }
            _ => {
                let clause = self.attach_new(&learnt, true);
                self.learnts.push(clause);
                clause
            }
        };
        if reason != NO_CLAUSE {
            self.arena.set_activity(reason, self.clause_increment);
        }
        self.learnt = learnt;
        self.enqueue(asserted, reason);
    }

    fn exhausted(&self, conflicts: u64) -> bool {
        self.full
            || self.limits.conflicts.is_some_and(|limit| conflicts >= limit)
            || conflicts.is_multiple_of(PATIENCE) && self.stopped()
    }

    fn stopped(&self) -> bool {
        self.limits.interrupt.as_ref().is_some_and(Interrupt::is_raised)
    }
}

/// The Luby sequence 1, 1, 2, 1, 1, 2, 4, ...; `index` from 1.
fn luby(index: u64) -> u64 {
    let bits = 64 - index.leading_zeros();
    if index == (1 << bits) - 1 { 1 << (bits - 1) } else { luby(index - (1 << (bits - 1)) + 1) }
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn luby_sequence() {
        let first: Vec<u64> = (1..=15).map(luby).collect();
        assert_eq!(first, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
