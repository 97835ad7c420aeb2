//! Bounded variable elimination (Eén and Biere, SAT 2005) on definitions.
//!
//! A gate x is substituted into the clauses that use it: each is resolved with the clauses that
//! define x, and never two users with each other. The elimination happens if it does not increase
//! the number of clauses. Since a definition reads only smaller variables, a resolvent keeps
//! its greatest variable, so that the clauses of each remaining head still define it. On
//! and-inverter graphs this finds conjunctions of many inputs, exclusive ors and multiplexers
//! without looking for them.

use wedge_sat::light::{Lit, Var};

/// Rounds over all gates; more find next to nothing.
const ROUNDS: usize = 3;
/// A gate used in more clauses is not tried.
const MAX_USES: usize = 16;
const MAX_LENGTH: usize = 64;

struct Clause {
    start: u32,
    /// Zero once the clause is deleted.
    len: u32,
    signature: u64,
}

/// Invariants: literals of a clause are sorted; `defining[v]` and `uses[v]` may name deleted
/// clauses.
pub struct Eliminator {
    lits: Vec<Lit>,
    clauses: Vec<Clause>,
    defining: Vec<Vec<u32>>,
    uses: Vec<Vec<u32>>,
    frozen: Vec<bool>,
    first_gate: Var,
    resolvents: Vec<Lit>,
    lengths: Vec<usize>,
}

impl Eliminator {
    pub fn new(vars: usize, first_gate: Var) -> Eliminator {
        Eliminator {
            lits: vec![],
            clauses: vec![],
            defining: vec![vec![]; vars],
            uses: vec![vec![]; vars],
            frozen: vec![false; vars],
            first_gate,
            resolvents: vec![],
            lengths: vec![],
        }
    }

    /// Defines `out` as the conjunction of two literals of smaller variables.
    pub fn add_and(&mut self, out: Lit, a: Lit, b: Lit) {
        for clause in [[a, !out].as_mut_slice(), &mut [b, !out], &mut [!a, !b, out]] {
            clause.sort_unstable();
            self.add(clause);
        }
    }

    /// Keeps a variable.
    pub fn freeze(&mut self, var: Var) {
        self.frozen[var as usize] = true;
    }

    pub fn num_vars(&self) -> usize {
        self.frozen.len()
    }

    /// The clauses whose greatest variable is `var`.
    pub fn defining(&self, var: Var) -> impl Iterator<Item = &[Lit]> {
        self.defining[var as usize].iter().map(|&c| self.clause(c)).filter(|c| !c.is_empty())
    }

    pub fn eliminate(&mut self) {
        for _ in 0..ROUNDS {
            let mut eliminated = false;
            for var in self.first_gate..self.frozen.len() as Var {
                if !self.frozen[var as usize] {
                    eliminated |= self.try_eliminate(var);
                }
            }
            if !eliminated {
                return;
            }
        }
    }

    fn clause(&self, clause: u32) -> &[Lit] {
        let Clause { start, len, .. } = self.clauses[clause as usize];
        &self.lits[start as usize..(start + len) as usize]
    }

    fn try_eliminate(&mut self, var: Var) -> bool {
        let defining = self.live(self.defining[var as usize].clone());
        let uses = std::mem::take(&mut self.uses[var as usize]);
        let uses = self.live(uses);
        let worthwhile = !defining.is_empty()
            && uses.len() <= MAX_USES
            && self.resolve_all(var, &defining, &uses);
        if !worthwhile {
            self.uses[var as usize] = uses;
            return false;
        }
        for clause in defining.into_iter().chain(uses) {
            self.clauses[clause as usize].len = 0;
        }
        self.defining[var as usize].clear();
        self.frozen[var as usize] = true;
        self.add_resolvents();
        true
    }

    fn live(&self, mut clauses: Vec<u32>) -> Vec<u32> {
        clauses.retain(|&c| self.clauses[c as usize].len > 0);
        clauses
    }

    /// Collects the resolvents; false if there are too many or one is too long.
    fn resolve_all(&mut self, var: Var, defining: &[u32], uses: &[u32]) -> bool {
        self.resolvents.clear();
        self.lengths.clear();
        for &used in uses {
            for &definition in defining {
                let before = self.resolvents.len();
                if !self.resolve(var, definition, used) {
                    self.resolvents.truncate(before);
                    continue;
                }
                self.lengths.push(self.resolvents.len() - before);
                let too_long = self.resolvents.len() - before > MAX_LENGTH;
                if too_long || self.lengths.len() > defining.len() + uses.len() {
                    return false;
                }
            }
        }
        true
    }

    /// Appends the resolvent on `var`; false if there is none or it is valid.
    fn resolve(&mut self, var: Var, a: u32, b: u32) -> bool {
        let (Clause { start: i, len: m, .. }, Clause { start: j, len: n, .. }) =
            (&self.clauses[a as usize], &self.clauses[b as usize]);
        let (mut i, mut j) = (*i as usize, *j as usize);
        let (end_i, end_j) = (i + *m as usize, j + *n as usize);
        let mut pivots = 0;
        while i < end_i || j < end_j {
            let left = if i < end_i { self.lits[i].code() } else { u32::MAX };
            let right = if j < end_j { self.lits[j].code() } else { u32::MAX };
            let both = left >> 1 == right >> 1;
            let least = left.min(right);
            if both && left != right {
                pivots += 1;
                if left >> 1 != var || pivots > 1 {
                    return false;
                }
            } else if least >> 1 == var {
                // The same sign on both sides: not a resolution.
                return false;
            } else {
                self.resolvents.push(Lit::from_code(least));
            }
            i += (both || left < right) as usize;
            j += (both || right < left) as usize;
        }
        pivots == 1
    }

    fn add_resolvents(&mut self) {
        let resolvents = std::mem::take(&mut self.resolvents);
        let mut start = 0;
        for index in 0..self.lengths.len() {
            let end = start + self.lengths[index];
            self.add_unless_subsumed(&resolvents[start..end]);
            start = end;
        }
        self.resolvents = resolvents;
    }

    /// Subsumption is looked for among clauses of the same head, where substitution causes it.
    fn add_unless_subsumed(&mut self, clause: &[Lit]) {
        let Some(head) = clause.last().map(|l| l.var()) else { return };
        let new = signature(clause);
        let siblings = std::mem::take(&mut self.defining[head as usize]);
        let siblings = self.live(siblings);
        let mut subsumed = false;
        for &sibling in &siblings {
            let old = self.clauses[sibling as usize].signature;
            if old & !new == 0 && is_subset(self.clause(sibling), clause) {
                subsumed = true;
                break;
            }
            if new & !old == 0 && is_subset(clause, self.clause(sibling)) {
                self.clauses[sibling as usize].len = 0;
            }
        }
        self.defining[head as usize] = siblings;
        if !subsumed {
            self.add(clause);
        }
    }

    fn add(&mut self, clause: &[Lit]) {
        let id = self.clauses.len() as u32;
        let Some((head, rest)) = clause.split_last() else { return };
        self.defining[head.var() as usize].push(id);
        for lit in rest.iter().filter(|l| l.var() >= self.first_gate) {
            self.uses[lit.var() as usize].push(id);
        }
        let (start, len) = (self.lits.len() as u32, clause.len() as u32);
        self.clauses.push(Clause { start, len, signature: signature(clause) });
        self.lits.extend_from_slice(clause);
    }
}

fn signature(clause: &[Lit]) -> u64 {
    clause.iter().fold(0, |set, lit| set | 1 << (lit.code() & 63))
}

fn is_subset(small: &[Lit], large: &[Lit]) -> bool {
    let mut rest = large.iter();
    small.iter().all(|lit| rest.any(|other| other == lit))
}
