//! How arrays become registers.
//!
//! Arrays that meet in a write, a choice, a comparison, an `init` or a `next` form a class. A
//! class is treated in the cheapest of three ways:
//!
//! - Without variables and comparisons it is a table. If it is sparse, or too large to be spelled
//!   out, each read of it becomes a chain of choices over its writes.
//! - Read at constant indices only, it is represented by the elements at these indices.
//! - Otherwise all its elements are represented, if they are within the limit on the bits of an
//!   array; if not, the error names the array before anything is built.

use super::prepare::Prepared;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use wedge_logic::blast::{Layout, Limits};
use wedge_logic::{BitVec, BlastError, Op, Sort, Term, TermStore};

/// Choices that reads of tables may expand to, in total.
const MAX_CHOICES: usize = 1 << 20;

/// A table is sparse if it has this many times more elements than terms.
const SPARSE: u64 = 4;

/// Arrays that must be represented alike.
#[derive(Default)]
struct Class {
    members: Vec<Term>,
    /// A variable among the members.
    variable: Option<Term>,
    compared: bool,
    /// Read at an index that is not constant.
    read_anywhere: bool,
    indices: BTreeSet<BitVec>,
    reads: usize,
}

/// Replaces the reads of tables and returns the layouts of the arrays that need not be whole.
pub(super) fn plan(
    prepared: &mut Prepared,
    limits: Limits,
) -> Result<Vec<(Term, Layout)>, BlastError> {
    let cone = prepared.system.terms.cone(&prepared.roots());
    if !cone.iter().any(|&t| prepared.system.terms.sort(t).is_array()) {
        return Ok(Vec::new());
    }
    expand_tables(prepared, &cone, limits);
    let cone = prepared.system.terms.cone(&prepared.roots());
    let mut layouts = Vec::new();
    for class in classes(prepared, &cone).1 {
        if let Some(layout) = layout(&prepared.system.terms, &class, limits)? {
            layouts.extend(class.members.iter().map(|&term| (term, layout.clone())));
        }
    }
    Ok(layouts)
}

/// The layout of a class, `None` for all elements; an error if it is too large.
fn layout(store: &TermStore, class: &Class, limits: Limits) -> Result<Option<Layout>, BlastError> {
    let Some(&member) = class.members.first() else { return Ok(None) };
    let Sort::Array { index, element } = store.sort(member) else { return Ok(None) };
    let all = store.sort(member).bits();
    let some = class.indices.len() as u64 * element as u64;
    let partial = !class.read_anywhere && !class.compared && some < all;
    let bits = if partial { some } else { all };
    if bits > limits.array_bits || (!partial && index >= u64::BITS) {
        let name = class.variable.and_then(|v| store.name(v)).unwrap_or("constant").to_string();
        return Err(BlastError::ArrayTooLarge { name, bits });
    }
    Ok(partial.then(|| Layout::new(class.indices.iter().cloned())))
}

/// The class of each array term in the cone.
fn classes(prepared: &Prepared, cone: &[Term]) -> (FxHashMap<Term, usize>, Vec<Class>) {
    let store = &prepared.system.terms;
    let mut union = Union::default();
    for &term in cone {
        let args = store.args(term);
        match store.op(term) {
            Op::Eq if store.sort(args[0]).is_array() => union.join(args[0], args[1]),
            Op::Write => union.join(term, args[0]),
            Op::Ite if store.sort(term).is_array() => {
                union.join(term, args[1]);
                union.join(term, args[2]);
            }
            _ => {}
        }
    }
    for state in prepared.states().filter(|s| store.sort(s.var).is_array()) {
        for term in [state.init, state.next].into_iter().flatten() {
            union.join(state.var, term);
        }
    }
    collect(store, cone, &mut union)
}

fn collect(
    store: &TermStore,
    cone: &[Term],
    union: &mut Union,
) -> (FxHashMap<Term, usize>, Vec<Class>) {
    let mut number_of_root = FxHashMap::default();
    let mut number_of = FxHashMap::default();
    let mut classes: Vec<Class> = Vec::new();
    for &term in cone.iter().filter(|&&t| store.sort(t).is_array()) {
        let number = *number_of_root.entry(union.root(term)).or_insert(classes.len());
        if number == classes.len() {
            classes.push(Class::default());
        }
        number_of.insert(term, number);
        let class = &mut classes[number];
        class.members.push(term);
        class.variable = class.variable.or_else(|| store.is_var(term).then_some(term));
    }
    for &term in cone {
        let args = store.args(term);
        match store.op(term) {
            Op::Read => note_read(store, &mut classes[number_of[&args[0]]], args[1]),
            Op::Eq if store.sort(args[0]).is_array() => {
                classes[number_of[&args[0]]].compared = true;
            }
            _ => {}
        }
    }
    (number_of, classes)
}

fn note_read(store: &TermStore, class: &mut Class, index: Term) {
    class.reads += 1;
    match store.value(index) {
        Some(index) => {
            class.indices.insert(index.clone());
        }
        None => class.read_anywhere = true,
    }
}

/// Disjoint sets with path halving.
#[derive(Default)]
struct Union {
    parent: FxHashMap<Term, Term>,
}

impl Union {
    fn root(&mut self, term: Term) -> Term {
        let mut term = term;
        loop {
            let parent = *self.parent.get(&term).unwrap_or(&term);
            let grandparent = *self.parent.get(&parent).unwrap_or(&parent);
            if parent == grandparent {
                return parent;
            }
            self.parent.insert(term, grandparent);
            term = grandparent;
        }
    }

    fn join(&mut self, a: Term, b: Term) {
        let (a, b) = (self.root(a), self.root(b));
        if a != b {
            self.parent.insert(a, b);
        }
    }
}

/// Replaces each read of a suitable table by choices over its writes.
fn expand_tables(prepared: &mut Prepared, cone: &[Term], limits: Limits) {
    let (number_of, classes) = classes(prepared, cone);
    let store = &prepared.system.terms;
    let tables: Vec<bool> = classes.iter().map(|c| is_table(store, c, limits)).collect();
    if !tables.contains(&true) {
        return;
    }
    let is_table = |term: &Term| number_of.get(term).is_some_and(|&number| tables[number]);
    let store = &mut prepared.system.terms;
    let mut image: FxHashMap<Term, Term> = FxHashMap::default();
    for &term in cone.iter().filter(|t| !is_table(t)) {
        let args = store.args(term).to_vec();
        let new = match store.op(term) {
            Op::Read if is_table(&args[0]) => read_table(store, &image, args[0], image[&args[1]]),
            _ if args.is_empty() => term,
            op => {
                let args: Vec<Term> = args.iter().map(|arg| image[arg]).collect();
                store.rebuild(op, &args)
            }
        };
        image.insert(term, new);
    }
    prepared.map(|_, term| image[&term]);
}

fn is_table(store: &TermStore, class: &Class, limits: Limits) -> bool {
    let terms = class.members.len();
    let Some(Sort::Array { index, .. }) = class.members.first().map(|&t| store.sort(t)) else {
        return false;
    };
    let elements = 1u64.checked_shl(index).unwrap_or(u64::MAX);
    let large = store.sort(class.members[0]).bits() > limits.array_bits;
    let worthwhile = large || (terms as u64).saturating_mul(SPARSE) < elements;
    let affordable = class.reads.saturating_mul(terms) <= MAX_CHOICES;
    class.variable.is_none() && !class.compared && worthwhile && affordable
}

/// The element of a table at an index: from the bottom of the array term up, the newest write
/// that hits decides.
fn read_table(
    store: &mut TermStore,
    image: &FxHashMap<Term, Term>,
    array: Term,
    index: Term,
) -> Term {
    let mut element: FxHashMap<Term, Term> = FxHashMap::default();
    let arrays: Vec<Term> = store.cone_without(&[array], |t| !store.sort(t).is_array());
    for term in arrays {
        let args = store.args(term).to_vec();
        let value = match store.op(term) {
            Op::ConstArray(_) => image[&args[0]],
            Op::Write => {
                let here = store.eq(image[&args[1]], index);
                store.ite(here, image[&args[2]], element[&args[0]])
            }
            Op::Ite => store.ite(image[&args[0]], element[&args[1]], element[&args[2]]),
            op => unreachable!("{op:?} is no table"),
        };
        element.insert(term, value);
    }
    element[&array]
}
