//! Formulas without large arrays.
//!
//! A region has no loops, so what is read from an array can be followed through all writes: a read
//! becomes a choice among the elements that were written and, at the bottom, an element of an array
//! at the beginning. Those elements become variables, and equal indices give equal elements
//! (Ackermann). Small arrays stay as they are.

use crate::rejection::Rejection;
use rustc_hash::FxHashMap;
use wedge_logic::{BlastError, Op, Term, TermStore};

/// Arrays of more bits are taken apart.
pub const SMALL: u64 = 1024;
/// Reads followed through writes, and pairs of elements that are compared.
const MAX_READS: usize = 1 << 20;
const MAX_PAIRS: usize = 1 << 21;

/// Formulas and what may be assumed about the variables that they have more than before.
pub struct Flat {
    pub roots: Vec<Term>,
    pub assumptions: Vec<Term>,
}

/// Ensures: the roots can be true or false together with the assumptions exactly as before. An
/// equation between large arrays is too large.
pub fn without_large_arrays(
    terms: &mut TermStore,
    roots: &[Term],
    small: u64,
) -> Result<Flat, Rejection> {
    let mut flattening = Flattening {
        terms,
        small,
        images: FxHashMap::default(),
        reads: FxHashMap::default(),
        elements: Vec::new(),
    };
    for term in flattening.terms.cone(roots) {
        let image = flattening.image(term)?;
        flattening.images.insert(term, image);
    }
    let roots = roots.iter().map(|root| flattening.images[root]).collect();
    Ok(Flat { roots, assumptions: flattening.equal_indices()? })
}

struct Flattening<'a> {
    terms: &'a mut TermStore,
    small: u64,
    images: FxHashMap<Term, Term>,
    /// The element of an array at an index, both as images.
    reads: FxHashMap<(Term, Term), Term>,
    /// By array at the beginning: index and element.
    elements: Vec<(Term, Vec<(Term, Term)>)>,
}

impl Flattening<'_> {
    fn is_large(&self, term: Term) -> bool {
        let sort = self.terms.sort(term);
        sort.is_array() && sort.bits() > self.small
    }

    /// The term with images for operands, of which all are known.
    fn image(&mut self, term: Term) -> Result<Term, Rejection> {
        let old = self.terms.args(term).to_vec();
        let args: Vec<Term> = old.iter().map(|arg| self.images[arg]).collect();
        match self.terms.op(term) {
            // Taken apart where it is read.
            _ if self.is_large(term) => Ok(term),
            Op::Read if self.is_large(old[0]) => self.read(old[0], args[1]),
            Op::Eq if self.is_large(old[0]) => Err(self.too_large(old[0])),
            _ if args == old => Ok(term),
            op => Ok(self.terms.rebuild(op, &args)),
        }
    }

    fn too_large(&self, array: Term) -> Rejection {
        let named = self.terms.free_vars(&[array]).into_iter().find(|&v| self.is_large(v));
        let name = named.and_then(|v| self.terms.name(v)).unwrap_or("constant").to_string();
        Rejection::TooLarge(BlastError::ArrayTooLarge { name, bits: self.terms.sort(array).bits() })
    }

    /// The element of a large array at an index.
    fn read(&mut self, array: Term, index: Term) -> Result<Term, Rejection> {
        let mut stack = vec![array];
        while let Some(&now) = stack.last() {
            if self.reads.len() > MAX_READS {
                return Err(self.too_large(array));
            }
            let below = self.below(now);
            let open = |&&inner: &&Term| !self.reads.contains_key(&(inner, index));
            match below.iter().find(open) {
                Some(&inner) => stack.push(inner),
                None => {
                    let element = self.element(now, index);
                    self.reads.insert((now, index), element);
                    stack.pop();
                }
            }
        }
        Ok(self.reads[&(array, index)])
    }

    /// The arrays that an array is made from.
    fn below(&self, array: Term) -> Vec<Term> {
        let args = self.terms.args(array);
        match self.terms.op(array) {
            Op::Write => vec![args[0]],
            Op::Ite => vec![args[1], args[2]],
            _ => Vec::new(),
        }
    }

    /// The element at an index, where those of the arrays below are known.
    fn element(&mut self, array: Term, index: Term) -> Term {
        let args = self.terms.args(array).to_vec();
        let image = |at: usize| self.images[&args[at]];
        match self.terms.op(array) {
            Op::Write => {
                let (at, written) = (image(1), image(2));
                let here = self.terms.eq(at, index);
                self.terms.ite(here, written, self.reads[&(args[0], index)])
            }
            Op::Ite => {
                let (then, other) = (self.reads[&(args[1], index)], self.reads[&(args[2], index)]);
                self.terms.ite(image(0), then, other)
            }
            Op::ConstArray(_) => image(0),
            _ => self.first_element(array, index),
        }
    }

    /// An element of an array at the beginning.
    fn first_element(&mut self, array: Term, index: Term) -> Term {
        let read = self.terms.read(array, index);
        let element = self.terms.fresh_var("element", self.terms.sort(read));
        let at = match self.elements.iter().position(|(known, _)| *known == array) {
            Some(at) => at,
            None => {
                self.elements.push((array, Vec::new()));
                self.elements.len() - 1
            }
        };
        self.elements[at].1.push((index, element));
        element
    }

    /// i = j → a[i] = a[j], for all that is read from an array at the beginning.
    fn equal_indices(&mut self) -> Result<Vec<Term>, Rejection> {
        let mut assumptions = Vec::new();
        for (array, elements) in std::mem::take(&mut self.elements) {
            for (place, &(i, x)) in elements.iter().enumerate() {
                for &(j, y) in &elements[..place] {
                    if self.terms.is_const(i) && self.terms.is_const(j) {
                        continue;
                    }
                    let (same, equal) = (self.terms.eq(i, j), self.terms.eq(x, y));
                    assumptions.push(self.terms.implies(same, equal));
                }
                if assumptions.len() > MAX_PAIRS {
                    return Err(self.too_large(array));
                }
            }
        }
        Ok(assumptions)
    }
}
