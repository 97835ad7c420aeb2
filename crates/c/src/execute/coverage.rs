//! Which branches have been decided which way, and about how often in one run.

use crate::typed::{BlockId, FuncId, Program};

/// Decisions are told apart by a table of this size; a collision loses a little guidance.
const SIZE: usize = 1 << 16;

pub struct Coverage {
    /// The number of each function's first block.
    first: Vec<u32>,
    branches: usize,
    /// For each decision the magnitudes of its counts in earlier runs, one bit each.
    seen: Vec<u32>,
    /// Counts of this run, and where they are not 0.
    counts: Vec<u32>,
    touched: Vec<u32>,
}

/// Small counts, which progress through a loop is made of, are told apart; others by their length.
fn magnitude(count: u32) -> u32 {
    if count <= 8 { count } else { (count.ilog2() + 6).min(31) }
}

impl Coverage {
    pub fn new(program: &Program) -> Coverage {
        let (mut first, mut next, mut branches) = (Vec::new(), 0u32, 0);
        for function in &program.functions {
            first.push(next);
            let Some(body) = &function.body else { continue };
            next = next.wrapping_add(body.blocks.len() as u32);
            let ways = body.blocks.iter().map(|block| {
                let mut targets = block.terminator.successors();
                targets.sort();
                targets.dedup();
                if targets.len() > 1 { targets.len() } else { 0 }
            });
            branches += ways.sum::<usize>();
        }
        let (seen, counts) = (vec![0; SIZE], vec![0; SIZE]);
        Coverage { first, branches, seen, counts, touched: Vec::new() }
    }

    pub fn begin(&mut self) {
        for place in self.touched.drain(..) {
            self.counts[place as usize] = 0;
        }
    }

    pub fn decided_often(&mut self, function: FuncId, from: BlockId, to: BlockId, times: u32) {
        let first = self.first[function.0 as usize];
        let (from, to) = (first.wrapping_add(from.0), first.wrapping_add(to.0));
        let mixed = from.wrapping_mul(0x9e37_79b1) ^ to.wrapping_mul(0x85eb_ca77);
        let place = (mixed ^ mixed >> 15) as usize % SIZE;
        let count = &mut self.counts[place];
        if *count == 0 {
            self.touched.push(place as u32);
        }
        *count = count.saturating_add(times);
    }

    /// Whether the run decided something anew, or at another magnitude than before; later runs
    /// are compared with this one, too.
    pub fn is_new(&mut self) -> bool {
        let mut new = false;
        for &place in &self.touched {
            let bit = 1 << magnitude(self.counts[place as usize]);
            let seen = &mut self.seen[place as usize];
            new |= *seen & bit == 0;
            *seen |= bit;
        }
        new
    }

    pub fn covered(&self) -> usize {
        self.seen.iter().filter(|&&seen| seen != 0).count()
    }

    pub fn branches(&self) -> usize {
        self.branches
    }
}
