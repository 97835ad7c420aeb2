//! What the loops of a program look like: which variables count their iterations, at which indices
//! they access arrays, and how far they go.

use super::scale::roots;
use crate::cfa::{Block, SingleLoop};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Op, Term, TermStore};

/// Terms with more operations than this are no simple ones.
pub const MAX_SIZE: usize = 160;
/// Indices per block that are looked at.
const MAX_POSITIONS: usize = 12;
const MAX_CONSTANTS: usize = 3;

pub struct Shape {
    /// By block the scalars that change on a cycle through its cut point.
    pub changed: Vec<FxHashSet<Term>>,
    /// By block the indices of its reads and writes, without what cuts them to their width.
    pub positions: Vec<Vec<Term>>,
    /// By block the constant indices of its reads and writes.
    pub constants: Vec<Vec<u64>>,
    /// Scalars to which nothing but constants is assigned in loops.
    pub flags: FxHashSet<Term>,
    /// What a scalar is compared with in conditions, and whether it may be equal to it.
    pub bounds: FxHashMap<Term, Vec<(Term, bool)>>,
    /// The state variables that are no arrays.
    pub scalars: FxHashSet<Term>,
    pub inputs: FxHashSet<Term>,
}

impl Shape {
    pub fn new(terms: &TermStore, single: &SingleLoop) -> Shape {
        let states = single.system.states.iter().map(|state| state.var);
        let is_scalar = |&v: &Term| Some(v) != single.pc && !terms.sort(v).is_array();
        let scalars: FxHashSet<Term> = states.filter(is_scalar).collect();
        let inputs = single.system.inputs.iter().copied().collect();
        let mut shape = Shape {
            changed: changed(terms, single),
            positions: Vec::new(),
            constants: Vec::new(),
            flags: flags(terms, single),
            bounds: FxHashMap::default(),
            scalars,
            inputs,
        };
        for block in &single.blocks {
            let positions = shape.positions_of(terms, block);
            shape.positions.push(positions);
            let indices = indices(terms, &block_roots(block)).into_iter();
            let constants = indices.filter_map(|index| terms.value(index)?.to_u64());
            shape.constants.push(constants.take(MAX_CONSTANTS).collect());
        }
        shape.find_bounds(terms, single);
        shape
    }

    /// Whether a term speaks of state variables that are no arrays, and of nothing else.
    pub fn is_closed(&self, terms: &TermStore, term: Term) -> bool {
        terms.free_vars(&[term]).iter().all(|variable| self.scalars.contains(variable))
    }

    fn positions_of(&self, terms: &TermStore, block: &Block) -> Vec<Term> {
        let mut positions = Vec::new();
        for index in indices(terms, &block_roots(block)) {
            let position = uncut(terms, index);
            let is_new = !positions.contains(&position) && positions.len() < MAX_POSITIONS;
            if is_new && self.is_closed(terms, position) && terms.size(&[position]) < MAX_SIZE {
                positions.push(position);
            }
        }
        positions
    }

    fn find_bounds(&mut self, terms: &TermStore, single: &SingleLoop) {
        for term in terms.cone(&roots(single)) {
            let args = terms.args(term);
            let pairs = match terms.op(term) {
                // x < y, and x <= y as not y < x
                Op::Slt | Op::Ult => [(args[0], args[1], false), (args[1], args[0], true)],
                Op::Eq if !terms.sort(args[0]).is_array() => {
                    [(args[0], args[1], false), (args[1], args[0], false)]
                }
                _ => continue,
            };
            for (variable, bound, may_equal) in pairs {
                let is_bound = self.scalars.contains(&variable)
                    && self.is_closed(terms, bound)
                    && terms.size(&[bound]) < MAX_SIZE;
                if is_bound {
                    let list = self.bounds.entry(variable).or_default();
                    if !list.contains(&(bound, may_equal)) {
                        list.push((bound, may_equal));
                    }
                }
            }
        }
    }
}

/// Scalars that blocks set to constants or leave alone, and nothing else.
fn flags(terms: &TermStore, single: &SingleLoop) -> FxHashSet<Term> {
    let mut flags = FxHashSet::default();
    let mut others = FxHashSet::default();
    let exits = single.blocks.iter().skip(1).flat_map(|block| &block.exits);
    for &(variable, value) in exits.flat_map(|exit| &exit.values) {
        let mut stack = vec![value];
        let mut left = 64;
        while let Some(term) = stack.pop() {
            left -= 1;
            match terms.op(term) {
                Op::Ite if left > 0 => stack.extend(&terms.args(term)[1..]),
                _ if terms.is_const(term) || term == variable => {}
                _ => {
                    others.insert(variable);
                }
            }
        }
        if !terms.is_const(value) && !terms.sort(variable).is_array() {
            flags.insert(variable);
        }
    }
    flags.retain(|flag| !others.contains(flag));
    flags
}

pub fn block_roots(block: &Block) -> Vec<Term> {
    let mut roots = vec![block.error, block.limit];
    for exit in &block.exits {
        roots.push(exit.condition);
        roots.extend(exit.values.iter().map(|&(_, value)| value));
    }
    roots
}

/// The indices of all reads and writes.
pub fn indices(terms: &TermStore, roots: &[Term]) -> Vec<Term> {
    let mut found = Vec::new();
    for term in terms.cone(roots) {
        if let Op::Read | Op::Write = terms.op(term) {
            let index = terms.args(term)[1];
            if !found.contains(&index) {
                found.push(index);
            }
        }
    }
    found
}

/// An index without what cuts it to its width.
pub fn uncut(terms: &TermStore, index: Term) -> Term {
    match terms.op(index) {
        Op::Slice { low: 0, .. } => uncut(terms, terms.args(index)[0]),
        _ => index,
    }
}

/// By block the scalars that change on a cycle through its cut point.
fn changed(terms: &TermStore, single: &SingleLoop) -> Vec<FxHashSet<Term>> {
    let blocks = &single.blocks;
    let number: FxHashMap<u32, usize> =
        blocks.iter().enumerate().map(|(number, block)| (block.cut.0, number)).collect();
    let next = |from: usize| blocks[from].exits.iter().map(|exit| number[&exit.to.0]);
    let reached: Vec<FxHashSet<usize>> = (0..blocks.len())
        .map(|from| {
            let mut reached = FxHashSet::default();
            let mut stack: Vec<usize> = next(from).collect();
            while let Some(block) = stack.pop() {
                if reached.insert(block) {
                    stack.extend(next(block));
                }
            }
            reached
        })
        .collect();
    let mut changed = vec![FxHashSet::default(); blocks.len()];
    for (from, block) in blocks.iter().enumerate() {
        for exit in &block.exits {
            let to = number[&exit.to.0];
            if !reached[to].contains(&from) {
                continue;
            }
            let scalars = exit.values.iter().map(|&(v, _)| v);
            let scalars: Vec<Term> = scalars.filter(|&v| !terms.sort(v).is_array()).collect();
            for other in 0..blocks.len() {
                let is_with = reached[other].contains(&from) && reached[from].contains(&other);
                if is_with {
                    changed[other].extend(&scalars);
                }
            }
        }
    }
    changed
}
