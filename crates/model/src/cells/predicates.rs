//! State variables for the comparisons that invariants about cells consist of.
//!
//! The invariants of loops over arrays compare the index of the loop with a prophecy, a prophecy
//! with the bounds of the loop, and a cell with what was written or is asserted. In terms of bits
//! these comparisons are long; as state variables they are literals. Such a variable follows its
//! comparison: its next value is the comparison of the next values, and a constraint says that the
//! two agree in every state. The comparison decides its value, so no run is lost and none is won.
//!
//! The comparisons are found by instantiation: in one of the system, an index becomes a prophecy
//! and the read at that index the cell; a write `a[e] = v` gives the equation of cell and value.

use super::prophecy::{Plan, reads};
use super::translate::Translation;
use crate::cfa::SingleLoop;
use crate::system::State;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Op, Sort, Substitution, Term, TermStore};

/// Comparisons of more different indices are not instantiated.
const MAX_INDICES: usize = 2;
/// Comparisons, writes and positions that are looked at; of more, the last ones.
const MAX_COMPARISONS: usize = 256;
const MAX_POSITIONS: usize = 12;

/// Adds the state variables and their constraints, at most `max` of them.
pub fn predicates(
    single: &SingleLoop,
    plan: &Plan,
    translation: &mut Translation,
    max: usize,
    states: &mut Vec<State>,
    constraints: &mut Vec<Term>,
) {
    let next: FxHashMap<Term, Term> =
        states.iter().filter_map(|s| s.next.map(|next| (s.var, next))).collect();
    let mut search =
        Search { plan, translation, next: &next, found: Vec::new(), max, pc: single.pc };
    search.run(single);
    let found = search.found;
    let mut later = Substitution::new(next.iter().map(|(&var, &next)| (var, next)));
    for (number, predicate) in found.into_iter().enumerate() {
        let terms = &mut translation.terms;
        let next = later.apply(terms, predicate);
        let name = format!("predicate {}", number + 1);
        let var = terms.var(name, Sort::BOOL);
        states.push(State { var, init: None, next: Some(next) });
        constraints.push(terms.xnor(var, predicate));
    }
}

struct Search<'a> {
    plan: &'a Plan,
    translation: &'a mut Translation,
    /// The state variables that predicates may speak of.
    next: &'a FxHashMap<Term, Term>,
    found: Vec<Term>,
    max: usize,
    pc: Option<Term>,
}

impl Search<'_> {
    fn run(&mut self, single: &SingleLoop) {
        let errors: Vec<Term> = single.blocks.iter().map(|block| block.error).collect();
        let mut roots = single.system.roots();
        roots.extend(&errors);
        let (accesses, writes) = accesses(&self.translation.terms, &roots);
        let positions = self.positions(&accesses);
        let error_comparisons = comparisons(&self.translation.terms, &errors);
        let comparisons = comparisons(&self.translation.terms, &roots);
        for &comparison in &error_comparisons {
            self.instantiate_reads(comparison);
        }
        for &position in &positions {
            self.compare_position(position);
        }
        for &write in &writes {
            self.instantiate_write(write);
        }
        for &comparison in &comparisons {
            self.bounds(comparison, &positions);
            self.add(comparison);
        }
        self.relations(&positions);
        for indices in &self.plan.indices {
            self.related_prophecies(indices);
        }
        for &comparison in &comparisons {
            self.instantiate_reads(comparison);
        }
        self.assigned_constants(single);
    }

    /// Whether a variable has a value that is assigned to it as a constant.
    fn assigned_constants(&mut self, single: &SingleLoop) {
        let exits = single.blocks.iter().flat_map(|block| &block.exits);
        for &(variable, value) in exits.flat_map(|exit| &exit.values) {
            let terms = &mut self.translation.terms;
            if terms.is_const(value) && terms.width(value) > 1 {
                let equal = terms.eq(variable, value);
                self.add(equal);
            }
        }
    }

    /// Instances of a comparison in which a position becomes a prophecy.
    fn bounds(&mut self, comparison: Term, positions: &[Term]) {
        for &position in positions {
            for prophecy in 0..self.plan.chosen.len() {
                let pair = self.position_pair(position, prophecy);
                self.add_instance(comparison, &[pair]);
            }
        }
    }

    /// Signs of positions, and whether two of them are equal.
    fn relations(&mut self, positions: &[Term]) {
        for (place, &position) in positions.iter().enumerate() {
            let terms = &mut self.translation.terms;
            let width = terms.width(position);
            let zero = terms.zero(width);
            let negative = terms.slt(position, zero);
            self.add(negative);
            for &other in &positions[..place] {
                let terms = &mut self.translation.terms;
                if terms.width(other) == width {
                    let equal = terms.eq(position, other);
                    self.add(equal);
                }
            }
        }
    }

    /// What the indices of one block have to do with each other, in terms of prophecies.
    fn related_prophecies(&mut self, indices: &[Term]) {
        for (place, &index) in indices.iter().enumerate() {
            for (from, &other) in indices.iter().enumerate().filter(|(from, _)| *from != place) {
                let base = uncut(&self.translation.terms, other);
                let pair = self.position_pair(base, from);
                let terms = &mut self.translation.terms;
                let image = terms.substitute(index, &[pair]);
                let wide = terms.zext(image, self.plan.width - terms.width(image));
                let equal = terms.eq(self.plan.chosen[place], wide);
                self.add(equal);
            }
        }
    }

    /// The indices in terms of state variables, without what cuts them to their width.
    fn positions(&self, accesses: &[Term]) -> Vec<Term> {
        let terms = &self.translation.terms;
        let mut positions = Vec::new();
        for &index in accesses {
            let position = uncut(terms, index);
            let closed = self.is_closed(position) && !terms.is_const(position);
            if closed && !positions.contains(&position) {
                positions.push(position);
            }
        }
        last(positions, MAX_POSITIONS)
    }

    fn is_closed(&self, term: Term) -> bool {
        let variables = self.translation.terms.free_vars(&[term]);
        variables.iter().all(|v| self.next.contains_key(v))
    }

    /// A position, and the prophecy in its width.
    fn position_pair(&mut self, position: Term, prophecy: usize) -> (Term, Term) {
        let terms = &mut self.translation.terms;
        let (width, prophecy) = (terms.width(position), self.plan.chosen[prophecy]);
        let value = match width.checked_sub(self.plan.width) {
            Some(by) => terms.zext(prophecy, by),
            None => terms.slice(prophecy, width - 1, 0),
        };
        (position, value)
    }

    fn compare_position(&mut self, position: Term) {
        for prophecy in 0..self.plan.chosen.len() {
            let (position, value) = self.position_pair(position, prophecy);
            let terms = &mut self.translation.terms;
            let equal = terms.eq(position, value);
            let less = match terms.width(position) > self.plan.width {
                true => terms.slt(position, value),
                false => terms.ult(position, value),
            };
            self.add(equal);
            self.add(less);
        }
    }

    /// Instances of a comparison in which reads become cells.
    fn instantiate_reads(&mut self, comparison: Term) {
        let indices = self.open_indices(&[comparison]);
        if indices.is_empty() || indices.len() > MAX_INDICES {
            return;
        }
        for assignment in assignments(indices.len(), self.plan.chosen.len()) {
            let pairs = self.read_pairs(&[comparison], &indices, &assignment);
            self.add_instance(comparison, &pairs);
            let pairs = self.with_positions(pairs, &indices, &assignment);
            self.add_instance(comparison, &pairs);
        }
    }

    /// The equations of the cell that is written and the value, which may come from other cells.
    fn instantiate_write(&mut self, write: Term) {
        let args = self.translation.terms.args(write).to_vec();
        let (base, index, value) = (args[0], args[1], args[2]);
        let Some(array) = bottom(&self.translation.terms, base) else { return };
        let mut indices = vec![index];
        indices.extend(self.open_indices(&[value]).into_iter().filter(|&i| i != index));
        if indices.len() > MAX_INDICES {
            return;
        }
        for assignment in assignments(indices.len(), self.plan.chosen.len()) {
            let Some(cell) = self.translation.cell(array, assignment[0]) else { return };
            let equation = self.translation.terms.eq(cell, value);
            let pairs = self.read_pairs(&[value], &indices, &assignment);
            self.add_instance(equation, &pairs);
            let pairs = self.with_positions(pairs, &indices, &assignment);
            self.add_instance(equation, &pairs);
        }
    }

    /// The different indices that are read, without constant ones.
    fn open_indices(&self, roots: &[Term]) -> Vec<Term> {
        let terms = &self.translation.terms;
        let mut indices = Vec::new();
        for read in reads(terms, roots) {
            let index = terms.args(read)[1];
            if !terms.is_const(index) && !indices.contains(&index) {
                indices.push(index);
            }
        }
        indices
    }

    /// Each read, with the cell that it becomes if the indices are the assigned prophecies.
    fn read_pairs(
        &self,
        roots: &[Term],
        indices: &[Term],
        assignment: &[usize],
    ) -> Vec<(Term, Term)> {
        let terms = &self.translation.terms;
        let mut pairs = Vec::new();
        for read in reads(terms, roots) {
            let args = terms.args(read);
            let prophecy = match indices.iter().position(|&index| index == args[1]) {
                Some(place) => Some(assignment[place]),
                None => self.constant(args[1]),
            };
            let array = bottom(terms, args[0]);
            if let (Some(prophecy), Some(array)) = (prophecy, array)
                && let Some(cell) = self.translation.cell(array, prophecy)
            {
                pairs.push((read, cell));
            }
        }
        pairs
    }

    /// The number of the prophecy that is this constant.
    fn constant(&self, index: Term) -> Option<usize> {
        let terms = &self.translation.terms;
        let number = |t: Term| terms.value(t).and_then(|value| value.to_u64());
        let wanted = number(index)?;
        self.plan.all().position(|prophecy| number(prophecy) == Some(wanted))
    }

    fn with_positions(
        &mut self,
        mut pairs: Vec<(Term, Term)>,
        indices: &[Term],
        assignment: &[usize],
    ) -> Vec<(Term, Term)> {
        for (&index, &prophecy) in indices.iter().zip(assignment) {
            let position = uncut(&self.translation.terms, index);
            if !self.translation.terms.is_const(position) {
                pairs.push(self.position_pair(position, prophecy));
            }
        }
        pairs
    }

    fn add_instance(&mut self, comparison: Term, pairs: &[(Term, Term)]) {
        let instance = self.translation.terms.substitute(comparison, pairs);
        if instance != comparison || self.speaks_of_cells(instance) {
            self.add(instance);
        }
    }

    fn speaks_of_cells(&self, term: Term) -> bool {
        reads(&self.translation.terms, &[term]).is_empty()
            && self
                .plan
                .chosen
                .iter()
                .any(|p| self.translation.terms.free_vars(&[term]).contains(p))
    }

    /// Whether a predicate only says where the program is.
    fn is_counter(&self, predicate: Term) -> bool {
        self.pc.is_some() && self.translation.terms.free_vars(&[predicate]) == self.pc.as_slice()
    }

    /// Keeps a predicate that speaks of state variables only and is new.
    fn add(&mut self, predicate: Term) {
        let terms = &self.translation.terms;
        let predicate = match terms.op(predicate) {
            Op::Not => terms.args(predicate)[0],
            _ => predicate,
        };
        let known = terms.is_const(predicate) || terms.is_var(predicate);
        let known = known || self.found.contains(&predicate) || self.is_counter(predicate);
        if !known && self.found.len() < self.max && self.is_closed(predicate) {
            self.found.push(predicate);
        }
    }
}

/// An index without a slice of low bits or an extension by zeros.
fn uncut(terms: &TermStore, index: Term) -> Term {
    let args = terms.args(index);
    match terms.op(index) {
        Op::Slice { low: 0, .. } => uncut(terms, args[0]),
        Op::Concat if terms.value(args[0]).is_some_and(|value| value.is_zero()) => args[1],
        _ => index,
    }
}

/// The array variable that an array term is made from by writes.
fn bottom(terms: &TermStore, mut array: Term) -> Option<Term> {
    while !terms.is_var(array) {
        array = match terms.op(array) {
            Op::Write => terms.args(array)[0],
            Op::Ite => terms.args(array)[2],
            _ => return None,
        };
    }
    Some(array)
}

/// The indices of all reads and writes, and the writes.
fn accesses(terms: &TermStore, roots: &[Term]) -> (Vec<Term>, Vec<Term>) {
    let (mut indices, mut writes) = (Vec::new(), Vec::new());
    let mut seen = FxHashSet::default();
    for term in terms.cone(roots) {
        let op = terms.op(term);
        if matches!(op, Op::Read | Op::Write) && seen.insert(terms.args(term)[1]) {
            indices.push(terms.args(term)[1]);
        }
        if op == Op::Write {
            writes.push(term);
        }
    }
    (indices, last(writes, MAX_COMPARISONS))
}

/// The comparisons of words; single bits, such as signs, count as well.
fn comparisons(terms: &TermStore, roots: &[Term]) -> Vec<Term> {
    let mut cone = terms.cone(roots);
    cone.retain(|&term| match terms.op(term) {
        Op::Eq | Op::Ult | Op::Slt => true,
        Op::Slice { high, low } => high == low,
        _ => false,
    });
    last(cone, MAX_COMPARISONS)
}

fn last(mut terms: Vec<Term>, count: usize) -> Vec<Term> {
    terms.split_off(terms.len().saturating_sub(count))
}

/// All ways to give `places` one of `values` numbers each.
fn assignments(places: usize, values: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..places {
        let extend = |list: &Vec<usize>| {
            let list = list.clone();
            (0..values).map(move |value| [&list[..], &[value]].concat())
        };
        all = all.iter().flat_map(extend).collect();
    }
    all
}
