//! Terms that the program compares, such as the distance of a pointer from the beginning of an array:
//! relations between variables are often simple ones between these.

use super::samples::Samples;
use crate::cfa::SingleLoop;
use rustc_hash::FxHashSet;
use wedge_logic::{Op, Term, TermStore};

/// Terms that are looked at, and those that are taken per cut point.
const MAX_LOOKED_AT: usize = 400;
const MAX_TAKEN: usize = 8;
/// Terms with more operations than this are no simple ones.
const MAX_SIZE: usize = 24;

/// When the blocks of the program end where.
pub fn conditions(single: &SingleLoop) -> Vec<Term> {
    let mut roots: Vec<Term> =
        single.blocks.iter().flat_map(|block| [block.error, block.limit]).collect();
    let exits = single.blocks.iter().flat_map(|block| &block.exits);
    roots.extend(exits.map(|exit| exit.condition));
    roots
}

/// What the blocks of the program compare, without variables and constants.
pub fn compared(single: &SingleLoop) -> Vec<Term> {
    let terms = &single.system.terms;
    let mut found = Vec::new();
    let mut known = FxHashSet::default();
    for term in terms.cone(&conditions(single)) {
        if !matches!(terms.op(term), Op::Eq | Op::Ult | Op::Slt) {
            continue;
        }
        for &operand in terms.args(term) {
            let is_simple = !terms.is_var(operand) && !terms.is_const(operand);
            let is_number = !terms.sort(operand).is_array() && terms.width(operand) > 1;
            if is_simple && is_number && terms.width(operand) <= 64 && known.insert(operand) {
                found.push(operand);
            }
        }
        if found.len() > MAX_LOOKED_AT {
            break;
        }
    }
    found
}

/// Those of some terms that speak of variables at hand, with their values in the samples at a cut
/// point.
pub fn columns(
    terms: &TermStore,
    compared: &[Term],
    samples: &Samples,
    cut: usize,
    is_live: impl Fn(Term) -> bool,
) -> Vec<(Term, Vec<u64>)> {
    let mut taken = Vec::new();
    for &term in compared {
        let cone = terms.cone_without(&[term], |_| false);
        let is_closed =
            cone.len() <= MAX_SIZE && cone.iter().all(|&part| !terms.is_var(part) || is_live(part));
        if !is_closed || taken.len() >= MAX_TAKEN {
            continue;
        }
        if let Some(values) = samples.evaluate(terms, cut, term) {
            taken.push((term, values));
        }
    }
    taken
}
