//! All clauses in one vector of words, as in MiniSat: a clause is the offset of its header.
//!
//! Header: one word with length and marks, one word with the activity of a learnt clause or the
//! variable that another one defines. The literals follow. Deleting only sets a mark; [`super::Solver`] compacts the arena once enough
//! of it is garbage, and drops watches of garbage as it meets them.

use super::lit::{Lit, Var};

/// Offset of a clause in the arena.
pub(super) type ClauseRef = u32;
pub(super) const NO_CLAUSE: ClauseRef = u32::MAX;

const LEARNT: u32 = 1;
const GARBAGE: u32 = 2;
const MARK_BITS: u32 = 2;
const HEADER: usize = 2;

#[derive(Clone, Default)]
pub(super) struct Arena {
    words: Vec<u32>,
    wasted: usize,
}

impl Arena {
    pub fn alloc(&mut self, lits: &[Lit], learnt: bool) -> ClauseRef {
        let clause = self.words.len() as ClauseRef;
        self.words.push((lits.len() as u32) << MARK_BITS | if learnt { LEARNT } else { 0 });
        self.words.push(0);
        self.words.extend(lits.iter().map(|l| l.code()));
        clause
    }

    pub fn len(&self) -> usize {
        self.words.len()
    }

    pub fn wasted(&self) -> usize {
        self.wasted
    }

    fn header(&self, clause: ClauseRef) -> u32 {
        self.words[clause as usize]
    }

    pub fn size(&self, clause: ClauseRef) -> usize {
        (self.header(clause) >> MARK_BITS) as usize
    }

    pub fn is_learnt(&self, clause: ClauseRef) -> bool {
        self.header(clause) & LEARNT != 0
    }

    pub fn is_garbage(&self, clause: ClauseRef) -> bool {
        self.header(clause) & GARBAGE != 0
    }

    pub fn delete(&mut self, clause: ClauseRef) {
        debug_assert!(!self.is_garbage(clause));
        self.words[clause as usize] |= GARBAGE;
        self.wasted += self.size(clause) + HEADER;
    }

    pub fn activity(&self, clause: ClauseRef) -> f32 {
        f32::from_bits(self.words[clause as usize + 1])
    }

    /// The variable that a clause is to define; for clauses that are not learnt.
    pub fn set_head(&mut self, clause: ClauseRef, var: Var) {
        self.words[clause as usize + 1] = var + 1;
    }

    pub fn head(&self, clause: ClauseRef) -> Option<Var> {
        let head = self.words[clause as usize + 1];
        (head > 0 && !self.is_learnt(clause)).then(|| head - 1)
    }

    pub fn set_activity(&mut self, clause: ClauseRef, activity: f32) {
        self.words[clause as usize + 1] = activity.to_bits();
    }

    pub fn lit(&self, clause: ClauseRef, index: usize) -> Lit {
        Lit::from_code(self.words[clause as usize + HEADER + index])
    }

    pub fn lits(&self, clause: ClauseRef) -> impl ExactSizeIterator<Item = Lit> + '_ {
        self.codes(clause).iter().map(|&code| Lit::from_code(code))
    }

    /// The literal codes of a clause.
    pub fn codes(&self, clause: ClauseRef) -> &[u32] {
        let start = clause as usize + HEADER;
        &self.words[start..start + self.size(clause)]
    }

    /// The literal codes of a clause, unless it is garbage.
    pub fn live_codes_mut(&mut self, clause: ClauseRef) -> Option<&mut [u32]> {
        let header = self.header(clause);
        if header & GARBAGE != 0 {
            return None;
        }
        let start = clause as usize + HEADER;
        Some(&mut self.words[start..start + (header >> MARK_BITS) as usize])
    }

    /// The first clause, garbage or not; see [`Arena::after`].
    pub fn first(&self) -> Option<ClauseRef> {
        (!self.words.is_empty()).then_some(0)
    }

    /// The clause stored behind `clause`, garbage or not.
    pub fn after(&self, clause: ClauseRef) -> Option<ClauseRef> {
        let next = clause as usize + HEADER + self.size(clause);
        (next < self.words.len()).then_some(next as ClauseRef)
    }
}
