//! Single-loop transformation (Interpolation and Model Checking for Software, section 4.1 and
//! figure 3): an automaton as a transition system.
//!
//! One step of the system is one block: the program counter tells the cut point, and the variables
//! that are live at some cut point are the state. With a single loop the counter is one bit, which
//! separates the prefix from the loop; without any loop there is no counter, and a step is a whole
//! run. A step that leads neither to a cut point nor to a target violates the constraint, so runs
//! that end are not continued. A step that reaches a target goes back to the entry: since all
//! variables are arbitrary there, every state with that counter is initial, and nothing becomes
//! reachable that was not.

use super::blocks::{Block, BlockOptions, Blocks, TooManyTerms, blocks};
use super::{Cfa, LocationId};
use crate::system::{Named, State, System};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Sort, Term, TermStore};

/// The place of the bad that says that a target of kind `Error` is reached.
pub const ERROR: usize = 0;
/// The place of the bad that says that a target of kind `Limit` is reached.
pub const LIMIT: usize = 1;

/// An automaton as a transition system. Variables and inputs are the terms that they are in the
/// automaton.
pub struct SingleLoop {
    /// Its bads are those at [`ERROR`] and [`LIMIT`].
    pub system: System,
    /// The program counter, if there is a loop; its values number `cuts`.
    pub pc: Option<Term>,
    /// The cut points; the first is the entry.
    pub cuts: Vec<LocationId>,
    /// What happens from each cut point on: the block of the entry is the prefix, an exit of a
    /// block to its own cut point a loop, its error condition the suffix.
    pub blocks: Vec<Block>,
}

/// The transition system of an automaton, or that it would be too large.
pub fn single_loop(cfa: &Cfa, options: &BlockOptions) -> Result<SingleLoop, TooManyTerms> {
    let Blocks { mut terms, blocks, live } = blocks(cfa, options)?;
    let cuts: Vec<LocationId> = blocks.iter().map(|block| block.cut).collect();
    let (pc, at) = counter(&mut terms, cuts.len());
    let mut assembly = Assembly { cfa, blocks: &blocks, live: &live, at: &at, terms };
    let next = assembly.next_values();
    let mut states = Vec::new();
    if let Some(pc) = pc {
        let init = assembly.terms.zero(assembly.terms.width(pc));
        let next = assembly.next_counter(&cuts, pc);
        states.push(State { var: pc, init: Some(init), next: Some(next) });
    }
    let in_loop = live.live_at_any(&cuts[1..], cfa.variables.len());
    for (index, &var) in cfa.variables.iter().enumerate() {
        if in_loop[index] {
            states.push(State { var, init: None, next: Some(*next.get(&var).unwrap_or(&var)) });
        } else if live.is_live(cfa.entry, index) {
            // Read in the first block only, where it is arbitrary.
            states.push(State { var, init: None, next: None });
        }
    }
    let error = assembly.any(|block| block.error);
    let limit = assembly.any(|block| block.limit);
    let constraints = pc.map(|_| assembly.goes_on()).into_iter().collect();
    let bad = |name: &str, term| Named { name: Some(name.to_string()), term };
    let mut system = System {
        terms: assembly.terms,
        inputs: Vec::new(),
        states,
        constraints,
        bads: vec![bad("error", error), bad("limit", limit)],
        justice: Vec::new(),
        fairness: Vec::new(),
        outputs: Vec::new(),
    };
    let read: FxHashSet<Term> = system.terms.free_vars(&system.roots()).into_iter().collect();
    system.inputs = cfa.inputs.iter().copied().filter(|input| read.contains(input)).collect();
    system.audit();
    Ok(SingleLoop { system, pc, cuts, blocks })
}

/// The program counter, and for each cut point the condition that it is there.
fn counter(terms: &mut TermStore, cuts: usize) -> (Option<Term>, Vec<Term>) {
    if cuts <= 1 {
        return (None, vec![terms.bool(true); cuts]);
    }
    let width = (cuts - 1).ilog2() + 1;
    let pc = terms.var("pc", Sort::Bv(width));
    let mut at = |cut: usize| {
        let number = terms.number(width, cut as u64);
        terms.eq(pc, number)
    };
    let at = (0..cuts).map(&mut at).collect();
    (Some(pc), at)
}

struct Assembly<'a> {
    cfa: &'a Cfa,
    blocks: &'a [Block],
    live: &'a super::Liveness,
    /// For each block the condition that the counter is there.
    at: &'a [Term],
    terms: TermStore,
}

impl Assembly<'_> {
    /// The next values of the variables that some block changes.
    fn next_values(&mut self) -> FxHashMap<Term, Term> {
        let variables = self.cfa.variables.iter().enumerate();
        let number: FxHashMap<Term, usize> = variables.map(|(i, &v)| (v, i)).collect();
        let mut next = FxHashMap::default();
        for (block, &at) in self.blocks.iter().zip(self.at).rev() {
            for (variable, value) in self.block_values(block, &number) {
                let other = next.get(&variable).copied().unwrap_or(variable);
                next.insert(variable, self.terms.ite(at, value, other));
            }
        }
        self.clear_after_prefix(&mut next);
        next
    }

    /// Lets variables be 0 after the prefix if that leaves them alone and nobody reads them after
    /// it. Otherwise they would keep the arbitrary values that they have at the entry, and none of
    /// their bits could be known to be constant ([`crate::idle`]).
    fn clear_after_prefix(&mut self, next: &mut FxHashMap<Term, Term>) {
        let [prefix, _, ..] = self.blocks else { return };
        let assigned: FxHashSet<Term> = prefix
            .exits
            .iter()
            .flat_map(|exit| &exit.values)
            .map(|&(variable, _)| variable)
            .collect();
        for (index, &variable) in self.cfa.variables.iter().enumerate() {
            let is_live = |exit: &super::Exit| self.live.is_live(exit.to, index);
            let Sort::Bv(width) = self.terms.sort(variable) else { continue };
            if assigned.contains(&variable) || prefix.exits.iter().any(is_live) {
                continue;
            }
            if let Some(&value) = next.get(&variable) {
                let zero = self.terms.zero(width);
                next.insert(variable, self.terms.ite(self.at[0], zero, value));
            }
        }
    }

    /// The variables that a block changes, with their values at whatever exit it takes.
    fn block_values(
        &mut self,
        block: &Block,
        number: &FxHashMap<Term, usize>,
    ) -> Vec<(Term, Term)> {
        let mut changed: FxHashMap<Term, Vec<(usize, Term)>> = FxHashMap::default();
        for (exit, way) in block.exits.iter().enumerate() {
            for &(variable, value) in &way.values {
                changed.entry(variable).or_default().push((exit, value));
            }
        }
        let mut changed: Vec<_> = changed.into_iter().collect();
        changed.sort_unstable_by_key(|(variable, _)| number[variable]);
        let mut values = Vec::new();
        for (variable, ways) in changed {
            let kept = |(exit, way): (usize, &super::Exit)| {
                let is_changed = ways.binary_search_by_key(&exit, |&(e, _)| e).is_ok();
                !is_changed && self.live.is_live(way.to, number[&variable])
            };
            // Where the variable is not live, any value will do.
            let is_kept = block.exits.iter().enumerate().any(kept);
            let mut value = if is_kept { variable } else { ways[0].1 };
            for (exit, other) in ways {
                value = self.terms.ite(block.exits[exit].condition, other, value);
            }
            values.push((variable, value));
        }
        values
    }

    fn next_counter(&mut self, cuts: &[LocationId], pc: Term) -> Term {
        let width = self.terms.width(pc);
        let number: FxHashMap<LocationId, u64> =
            cuts.iter().enumerate().map(|(i, &cut)| (cut, i as u64)).collect();
        let mut next = self.terms.zero(width);
        for (block, &at) in self.blocks.iter().zip(self.at).rev() {
            let mut value = self.terms.zero(width);
            for exit in &block.exits {
                let there = self.terms.number(width, number[&exit.to]);
                value = self.terms.ite(exit.condition, there, value);
            }
            next = self.terms.ite(at, value, next);
        }
        next
    }

    /// The condition of the block at which the counter is.
    fn any(&mut self, condition: impl Fn(&Block) -> Term) -> Term {
        let mut conditions = Vec::new();
        for (block, &at) in self.blocks.iter().zip(self.at) {
            conditions.push(self.terms.and(at, condition(block)));
        }
        self.terms.or_all(&conditions)
    }

    /// The constraint: the step leads to a cut point or to a target.
    fn goes_on(&mut self) -> Term {
        let mut conditions = Vec::new();
        for (block, &at) in self.blocks.iter().zip(self.at) {
            let mut ways: Vec<Term> = block.exits.iter().map(|exit| exit.condition).collect();
            ways.extend([block.error, block.limit]);
            let way = self.terms.or_all(&ways);
            conditions.push(self.terms.and(at, way));
        }
        self.terms.or_all(&conditions)
    }
}
