//! Which indices of arrays are looked at, and what the prophecies must be in a bad state.
//!
//! The indices that a block reads on its way to the error or to the end of the model are told by
//! one prophecy each, the last ones first. Constant indices need no prophecy, as their cells can
//! be kept always. A read in an earlier step is influential if it may have changed the value of a
//! variable; for the last such read there is a prophecy too, if the options ask for it or if no
//! block reads anything on its way to the error.

use super::translate::Translation;
use super::{CellOptions, at};
use crate::cfa::SingleLoop;
use crate::system::{State, System};
use rustc_hash::FxHashSet;
use wedge_logic::{Op, Sort, Term, TermStore};

/// Cells at constant indices, at most.
const MAX_CONSTANTS: usize = 4;

/// A block in which elements may change variables.
pub struct Influence {
    pub block: usize,
    /// Whether some variable changes that reads have a say in.
    pub condition: Term,
    /// The index that is read.
    pub index: Term,
}

pub struct Plan {
    /// The width of all prophecies.
    pub width: u32,
    /// The prophecies that are state variables.
    pub chosen: Vec<Term>,
    /// The constants at which there are cells.
    pub constants: Vec<Term>,
    /// For each block the indices that the first prophecies must be, as concrete terms.
    pub indices: Vec<Vec<Term>>,
    /// Without entries there is no prophecy for the last influential read; otherwise that is the
    /// last one chosen.
    pub influences: Vec<Influence>,
}

/// The reads among the terms of a cone that depend on an array variable.
pub fn reads(terms: &TermStore, roots: &[Term]) -> Vec<Term> {
    let cone = terms.cone(roots);
    let mut open: FxHashSet<Term> = FxHashSet::default();
    let mut reads = Vec::new();
    for term in cone {
        let args = terms.args(term);
        let is_open = match terms.op(term) {
            Op::Read if open.contains(&args[0]) => {
                reads.push(term);
                continue;
            }
            Op::Var(_) => true,
            _ => args.iter().any(|arg| open.contains(arg)),
        };
        if is_open && terms.sort(term).is_array() {
            open.insert(term);
        }
    }
    reads
}

/// The indices of the reads that are not constant, the last ones first.
fn open_indices(terms: &TermStore, roots: &[Term], constants: &[Term]) -> Vec<Term> {
    let mut indices: Vec<Term> = Vec::new();
    for read in reads(terms, roots).into_iter().rev() {
        let index = terms.args(read)[1];
        let known = terms.is_const(index) && constants.iter().any(|&c| same(terms, c, index));
        if !known && !indices.contains(&index) {
            indices.push(index);
        }
    }
    indices
}

fn same(terms: &TermStore, a: Term, b: Term) -> bool {
    let number = |t: Term| terms.value(t).and_then(|value| value.to_u64());
    number(a).is_some() && number(a) == number(b)
}

fn index_width(system: &System) -> u32 {
    let variables = system.states.iter().map(|s| s.var).chain(system.inputs.iter().copied());
    let width = |v: Term| match system.terms.sort(v) {
        Sort::Array { index, .. } => index,
        _ => 0,
    };
    variables.map(width).max().unwrap_or(0).max(1)
}

impl Plan {
    pub fn new(terms: &mut TermStore, single: &SingleLoop, options: &CellOptions) -> Plan {
        let width = index_width(&single.system);
        let constants = constants(terms, &single.system.roots(), width);
        let mut indices: Vec<Vec<Term>> = Vec::new();
        for block in &single.blocks {
            let mut list = open_indices(terms, &[block.error, block.limit], &constants);
            list.truncate(options.indices);
            indices.push(list);
        }
        let count = indices.iter().map(Vec::len).max().unwrap_or(0);
        let wanted = options.history || count == 0;
        let influences = if wanted { influences(terms, single, &constants) } else { Vec::new() };
        let count = count + usize::from(!influences.is_empty());
        let name = |place: usize| format!("index {}", place + 1);
        let chosen = (0..count).map(|i| terms.var(name(i), Sort::Bv(width))).collect();
        Plan { width, chosen, constants, indices, influences }
    }

    /// All prophecies; those that are constant last.
    pub fn all(&self) -> impl Iterator<Item = Term> + '_ {
        self.chosen.iter().chain(&self.constants).copied()
    }

    /// The condition that the prophecies for the indices of a block are these. What is left is
    /// like the last one, or 0.
    pub fn fulfilled(&self, translation: &mut Translation, indices: &[Term]) -> Term {
        let last = usize::from(!self.influences.is_empty());
        let count = self.chosen.len() - last;
        let mut conditions = Vec::new();
        for (place, &prophecy) in self.chosen[..count].iter().enumerate() {
            let index = indices.get(place).or(indices.last()).copied();
            let value = match index {
                Some(index) => translation.index(index),
                None => translation.terms.zero(self.width),
            };
            conditions.push(translation.terms.eq(prophecy, value));
        }
        translation.terms.and_all(&conditions)
    }

    /// A state variable that says whether the last prophecy is the index of the last influential
    /// read so far.
    pub fn history_state(
        &self,
        single: &SingleLoop,
        translation: &mut Translation,
        states: &mut Vec<State>,
    ) -> Option<Term> {
        let &prophecy = self.chosen.last().filter(|_| !self.influences.is_empty())?;
        let told = translation.terms.var("index told", Sort::BOOL);
        let mut next = told;
        for influence in &self.influences {
            let here = at(&mut translation.terms, single.pc, influence.block);
            let condition = translation.image(influence.condition);
            let condition = translation.terms.and(here, condition);
            let index = translation.index(influence.index);
            let is_it = translation.terms.eq(prophecy, index);
            next = translation.terms.ite(condition, is_it, next);
        }
        let init = Some(translation.terms.bool(true));
        states.push(State { var: told, init, next: Some(next) });
        Some(told)
    }
}

/// The constant indices that are read, if they are few, in the width of the prophecies.
fn constants(terms: &mut TermStore, roots: &[Term], width: u32) -> Vec<Term> {
    let mut constants = Vec::new();
    for read in reads(terms, roots) {
        let index = terms.args(read)[1];
        if !terms.is_const(index) {
            continue;
        }
        let wide = terms.zext(index, width - terms.width(index));
        if !constants.contains(&wide) {
            constants.push(wide);
        }
    }
    constants.truncate(MAX_CONSTANTS);
    constants
}

/// The blocks whose reads may change scalar variables.
fn influences(terms: &mut TermStore, single: &SingleLoop, constants: &[Term]) -> Vec<Influence> {
    let mut influences = Vec::new();
    for (block, content) in single.blocks.iter().enumerate() {
        let mut values = Vec::new();
        let mut changes = Vec::new();
        for exit in &content.exits {
            for &(variable, value) in &exit.values {
                let scalar = !terms.sort(variable).is_array();
                if scalar && !open_indices(terms, &[value], constants).is_empty() {
                    values.push(value);
                    let differs = terms.neq(variable, value);
                    changes.push(terms.and(exit.condition, differs));
                }
            }
        }
        if let Some(&index) = open_indices(terms, &values, constants).first() {
            let condition = terms.or_all(&changes);
            influences.push(Influence { block, condition, index });
        }
    }
    influences
}
