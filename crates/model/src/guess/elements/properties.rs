//! What may hold of the elements that an iteration of a loop is about, for any such iteration.
//!
//! A condition of the program that reads arrays speaks of the iteration that it is evaluated in: of
//! `a[i] == b[2 * i]` for the present `i`. As a property of all iterations it speaks of any number in the
//! place of `i`. Such conditions are what must not fail, what the program compares, and what it
//! writes; others are made of the elements that it reads (in the manner of Daikon: Ernst et al., 2001).

use super::shape::{MAX_SIZE, Shape, block_roots, indices};
use crate::cfa::{Block, SingleLoop};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Op, Sort, Term, TermStore};

/// Variables that a property is about, at most.
const MAX_BOUND: usize = 2;
/// Elements of one kind that are compared with one another.
const MAX_ELEMENTS: usize = 6;
/// Comparisons of a block that are looked at.
const MAX_COMPARISONS: usize = 60;
/// Scalars that elements are compared with.
const MAX_SCALARS: usize = 8;

/// A condition that may hold for many values of its bound variables.
#[derive(Clone)]
pub struct Property {
    pub bound: Vec<Term>,
    /// The variables in whose place they stand.
    pub origin: Vec<Term>,
    pub formula: Term,
}

/// Elements of arrays, for any values of bound variables.
pub type Element = Property;

pub struct Search<'a> {
    pub terms: &'a mut TermStore,
    shape: &'a Shape,
    /// By width and place among the bound variables of a property.
    variables: FxHashMap<(u32, usize), Term>,
    known: FxHashSet<Term>,
    pub properties: Vec<Property>,
    pub elements: Vec<Element>,
}

impl<'a> Search<'a> {
    pub fn new(terms: &'a mut TermStore, shape: &'a Shape) -> Search<'a> {
        let (variables, known) = Default::default();
        let (properties, elements) = Default::default();
        Search { terms, shape, variables, known, properties, elements }
    }

    pub fn run(&mut self, single: &SingleLoop) {
        for (number, block) in single.blocks.iter().enumerate() {
            self.errors(number, block);
        }
        for (number, block) in single.blocks.iter().enumerate() {
            self.writes(number, block);
            self.comparisons(number, block);
            self.find_elements(number, block);
        }
        self.compare_elements();
    }

    /// What must hold at a block such that no error is reached from it.
    fn errors(&mut self, number: usize, block: &Block) {
        let good = self.terms.not(block.error);
        for good in self.terms.conjuncts(good) {
            let bad = self.terms.not(good);
            let conjuncts = self.terms.conjuncts(bad);
            let reads: Vec<Term> = conjuncts.iter().copied().filter(|&c| self.reads(c)).collect();
            let origin = self.origin(number, &reads);
            let kept = |search: &Search, c: &Term| {
                let free = search.terms.free_vars(&[*c]);
                free.iter().all(|v| origin.contains(v) || !search.is_moving(number, *v))
            };
            let all: Vec<Term> = conjuncts.iter().copied().filter(|c| kept(self, c)).collect();
            for part in [all, reads.clone()].into_iter().chain(reads.iter().map(|&c| vec![c])) {
                let bad = self.terms.and_all(&part);
                let good = self.terms.not(bad);
                self.generalise(number, good);
            }
        }
    }

    /// What is written stays: a[e] = v, where the write happens.
    fn writes(&mut self, number: usize, block: &Block) {
        for exit in &block.exits {
            for &(array, value) in &exit.values {
                if !self.terms.sort(array).is_array() {
                    continue;
                }
                let always = self.terms.bool(true);
                let mut stack = vec![(value, always)];
                let mut left = 64;
                while let Some((term, condition)) = stack.pop() {
                    let args = self.terms.args(term).to_vec();
                    left -= 1;
                    match self.terms.op(term) {
                        _ if left == 0 => break,
                        Op::Write => {
                            stack.push((args[0], condition));
                            let element = self.terms.read(array, args[1]);
                            let equal = self.terms.eq(element, args[2]);
                            self.generalise(number, equal);
                            let guarded = self.terms.implies(condition, equal);
                            self.generalise(number, guarded);
                        }
                        Op::Ite => {
                            let otherwise = self.terms.not(args[0]);
                            let both = self.terms.and(condition, args[0]);
                            stack.push((args[1], both));
                            let both = self.terms.and(condition, otherwise);
                            stack.push((args[2], both));
                        }
                        _ => {}
                    }
                }
            }
        }
    }

    /// What the program compares, and the opposite.
    fn comparisons(&mut self, number: usize, block: &Block) {
        let is_comparison = |op: Op| matches!(op, Op::Eq | Op::Ult | Op::Slt);
        let mut cone = self.terms.cone(&block_roots(block));
        cone.retain(|&term| is_comparison(self.terms.op(term)));
        for term in cone.into_iter().take(MAX_COMPARISONS) {
            if self.reads(term) {
                let opposite = self.terms.not(term);
                self.generalise(number, term);
                self.generalise(number, opposite);
            }
        }
    }

    fn reads(&self, term: Term) -> bool {
        let size = self.terms.size(&[term]);
        size <= MAX_SIZE
            && self.terms.cone(&[term]).iter().any(|&part| self.terms.op(part) == Op::Read)
    }

    /// Whether a variable is another one in each iteration.
    fn is_moving(&self, block: usize, variable: Term) -> bool {
        self.shape.changed[block].contains(&variable) || self.shape.inputs.contains(&variable)
    }

    /// The moving variables that decide which elements are read.
    fn origin(&self, block: usize, formulas: &[Term]) -> Vec<Term> {
        let indices = indices(self.terms, formulas);
        let variables = self.terms.free_vars(&indices);
        let is_word = |&v: &Term| matches!(self.terms.sort(v), Sort::Bv(8..=64));
        variables.into_iter().filter(|v| is_word(v) && self.is_moving(block, *v)).collect()
    }

    /// The term with bound variables in the place of those that decide what is read.
    fn bind(&mut self, block: usize, term: Term) -> Option<Property> {
        let origin = self.origin(block, &[term]);
        if origin.is_empty() || origin.len() > MAX_BOUND || self.terms.size(&[term]) > MAX_SIZE {
            return None;
        }
        let mut bound = Vec::new();
        for (place, &variable) in origin.iter().enumerate() {
            let width = self.terms.width(variable);
            let terms = &mut *self.terms;
            bound.push(*self.variables.entry((width, place)).or_insert_with(|| {
                terms.fresh_var(&format!("any {}", place + 1), Sort::Bv(width))
            }));
        }
        let pairs: Vec<(Term, Term)> = origin.iter().copied().zip(bound.iter().copied()).collect();
        let formula = self.terms.substitute(term, &pairs);
        let inputs = &self.shape.inputs;
        let is_open = self.terms.free_vars(&[formula]).iter().any(|v| inputs.contains(v));
        (!is_open).then_some(Property { bound, origin, formula })
    }

    fn generalise(&mut self, block: usize, formula: Term) {
        if let Some(property) = self.bind(block, formula)
            && !self.terms.is_const(property.formula)
            && self.known.insert(property.formula)
        {
            self.properties.push(property);
        }
    }

    /// Reads of arrays as they are at the cut point, and words that are put together from them.
    fn find_elements(&mut self, number: usize, block: &Block) {
        let mut words = FxHashSet::default();
        for term in self.terms.cone(&block_roots(block)) {
            let args = self.terms.args(term);
            let is_word = match self.terms.op(term) {
                Op::Read => self.terms.is_var(args[0]),
                Op::Concat => args.iter().all(|arg| words.contains(arg)),
                _ => false,
            };
            if is_word {
                words.insert(term);
            }
        }
        let mut words: Vec<Term> = words.into_iter().collect();
        words.sort_unstable();
        for word in words.into_iter().rev() {
            if let Some(element) = self.bind(number, word)
                && self.known.insert(element.formula)
            {
                self.elements.push(element);
            }
        }
    }

    fn compare_elements(&mut self) {
        let elements: Vec<Element> = self.elements.clone();
        let mut scalars: Vec<Term> = self.shape.scalars.iter().copied().collect();
        scalars.sort_unstable();
        for (place, element) in elements.iter().enumerate() {
            let x = element.formula;
            let width = self.terms.width(x);
            let zero = self.terms.zero(width);
            let conditions = [self.terms.sle(zero, x), self.terms.neq(x, zero)];
            conditions.into_iter().for_each(|c| self.add(element, c));
            let others = elements[..place].iter().filter(|other| other.bound == element.bound);
            let others = others.map(|other| other.formula).take(MAX_ELEMENTS);
            let alike = scalars.iter().copied().take(MAX_SCALARS);
            let others: Vec<Term> = others.chain(alike).collect();
            for y in others.into_iter().filter(|&y| y != x) {
                if self.terms.width(y) == width {
                    let conditions =
                        [self.terms.eq(x, y), self.terms.sle(x, y), self.terms.sle(y, x)];
                    conditions.into_iter().for_each(|c| self.add(element, c));
                }
            }
        }
    }

    fn add(&mut self, element: &Element, formula: Term) {
        if !self.terms.is_const(formula) && self.known.insert(formula) {
            let Property { bound, origin, .. } = element.clone();
            self.properties.push(Property { bound, origin, formula });
        }
    }
}
