//! The program with small numbers in the place of large ones.
//!
//! A run through loops over 100000 elements never comes to what is done with them afterwards. What
//! holds of the elements mostly holds of fewer of them as well, so runs are made of a program in
//! which large constants that are compared or assigned are small; their order stays the same, and
//! neighbours stay neighbours. Guesses are about the program as it is, and translated for the runs.

use crate::cfa::SingleLoop;
use std::collections::BTreeSet;
use wedge_logic::{Op, Substitution, Term, TermStore};

/// Constants from here on are large, and those beyond are no lengths.
const MIN: u64 = 13;
const MAX: u64 = 10_000_000;
/// Constants this close to one another keep their distance.
const NEAR: u64 = 4;
/// What follows a constant is at most so many times as large, and nothing is larger than the last.
const MAX_RATIO: u64 = 3;
const LARGEST: u64 = 60;

/// Large constants with small ones, in ascending order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scale {
    pairs: Vec<(u64, u64)>,
}

/// All terms of the blocks.
pub fn roots(single: &SingleLoop) -> Vec<Term> {
    let mut roots = Vec::new();
    for block in &single.blocks {
        roots.extend([block.error, block.limit]);
        for exit in &block.exits {
            roots.push(exit.condition);
            roots.extend(exit.values.iter().map(|&(_, value)| value));
        }
    }
    roots
}

/// What constants are compared or assigned.
fn lengths(terms: &TermStore, single: &SingleLoop) -> BTreeSet<u64> {
    let mut found = BTreeSet::new();
    let mut add = |term: Term| {
        let value = terms.value(term).filter(|_| terms.width(term) >= 8);
        if let Some(value) = value.and_then(|value| value.to_u64())
            && (MIN..=MAX).contains(&value)
        {
            found.insert(value);
        }
    };
    for term in terms.cone(&roots(single)) {
        let args = terms.args(term);
        match terms.op(term) {
            Op::Eq | Op::Ult | Op::Slt => args.iter().for_each(|&arg| add(arg)),
            Op::Ite if !terms.sort(term).is_array() => args[1..].iter().for_each(|&arg| add(arg)),
            _ => {}
        }
    }
    let exits = single.blocks.iter().flat_map(|block| &block.exits);
    exits.flat_map(|exit| &exit.values).for_each(|&(_, value)| add(value));
    found
}

/// What becomes of a product of constants, or of a few times one of them: sizes of arrays.
fn product(pairs: &[(u64, u64)], large: u64) -> Option<u64> {
    let single = [(2, 2), (4, 4), (8, 8)];
    let factors = pairs.iter().chain(&single);
    for &(a, small_a) in factors {
        let with = pairs.iter().find(|&&(b, _)| a.checked_mul(b) == Some(large));
        if let Some(&(_, small_b)) = with {
            return Some(small_a * small_b);
        }
    }
    None
}

impl Scale {
    /// The first large constant becomes `first`.
    pub fn new(terms: &TermStore, single: &SingleLoop, first: u64) -> Scale {
        let mut pairs: Vec<(u64, u64)> = Vec::new();
        for large in lengths(terms, single) {
            let small = match pairs.last() {
                None => first,
                Some(&(last, small)) if large - last <= NEAR => small + (large - last),
                _ if product(&pairs, large).is_some() => product(&pairs, large).unwrap_or(first),
                Some(&(last, small)) => {
                    let ratio = (small * large).div_ceil(last).min(small * MAX_RATIO);
                    ratio.max(small + 1).min(LARGEST.max(small + 1))
                }
            };
            pairs.push((large, small));
        }
        Scale { pairs }
    }

    pub fn is_trivial(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The small number for a constant, if it is a large one or near one.
    fn small(&self, value: u64) -> Option<u64> {
        let near = |&&(large, _): &&(u64, u64)| large.abs_diff(value) <= NEAR;
        let &(large, small) = self.pairs.iter().filter(near).min_by_key(|p| p.0.abs_diff(value))?;
        Some((small + value).saturating_sub(large))
    }

    /// What becomes of the constants among these terms.
    pub fn substitution(&self, terms: &mut TermStore, roots: &[Term]) -> Substitution {
        let mut pairs = Vec::new();
        // Short words are lengths only where they are indices: those of small arrays.
        let places = super::shape::indices(terms, roots);
        for term in terms.cone(roots) {
            let is_place = places.contains(&term);
            let width = match terms.value(term) {
                Some(value) if (8..=64).contains(&value.width()) => value.width(),
                Some(value) if is_place && (5..8).contains(&value.width()) => value.width(),
                _ => continue,
            };
            let value = terms.value(term).and_then(|value| value.to_u64()).unwrap_or(0);
            let mask = u64::MAX >> (64 - width);
            let small = match (self.small(value), self.small(value.wrapping_neg() & mask)) {
                (Some(small), _) => small,
                (None, Some(small)) => small.wrapping_neg() & mask,
                (None, None) => continue,
            };
            pairs.push((term, terms.number(width, small)));
        }
        Substitution::new(pairs)
    }

    /// A term in which small constants are large again; itself if there are none.
    pub fn enlarged(&self, terms: &mut TermStore, term: Term) -> Term {
        let mut pairs = Vec::new();
        for part in terms.cone(&[term]) {
            let value = terms.value(part).filter(|v| (8..=64).contains(&v.width()));
            let Some(value) = value.and_then(|value| value.to_u64()) else { continue };
            let width = terms.width(part);
            let near = |&&(_, small): &&(u64, u64)| small.abs_diff(value) <= 1;
            let closest = self.pairs.iter().filter(near).min_by_key(|p| p.1.abs_diff(value));
            if let Some(&(large, small)) = closest {
                pairs.push((part, terms.number(width, (large + value).saturating_sub(small))));
            }
        }
        terms.substitute(term, &pairs)
    }
}
