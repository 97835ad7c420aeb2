//! What is known about variables, as terms.

use super::range::{Range, bits};
use super::value::Value;
use super::word::{Word, mask, signed_max, signed_min};
use wedge_logic::{FloatFormat, Term, TermStore};

/// Terms of width 1 that say together what the value says about the variable.
pub fn facts(terms: &mut TermStore, variable: Term, value: &Value) -> Vec<Term> {
    let mut facts = words(terms, variable, &value.word);
    if let Some(range) = &value.float
        && value.word.value().is_none()
    {
        facts.extend(floats(terms, variable, range));
    }
    facts
}

fn words(terms: &mut TermStore, variable: Term, word: &Word) -> Vec<Term> {
    let width = word.width;
    let mut facts = Vec::new();
    if let Some(value) = word.value() {
        let value = terms.number(width, value);
        return vec![terms.eq(variable, value)];
    }
    if word.umin > 0 {
        let bound = terms.number(width, word.umin);
        facts.push(terms.ule(bound, variable));
    }
    if word.umax < mask(width) {
        let bound = terms.number(width, word.umax);
        facts.push(terms.ule(variable, bound));
    }
    // On one side of the sign the unsigned interval says the same.
    let sign = 1u64 << (width - 1);
    let one_side = word.umin & sign == word.umax & sign;
    if !one_side && word.smin > signed_min(width) {
        let bound = terms.number(width, word.smin as u64);
        facts.push(terms.sle(bound, variable));
    }
    if !one_side && word.smax < signed_max(width) {
        let bound = terms.number(width, word.smax as u64);
        facts.push(terms.sle(variable, bound));
    }
    let differing = 64 - (word.umin ^ word.umax).leading_zeros();
    let known = (word.zeros | word.ones) & u64::MAX.checked_shr(64 - differing).unwrap_or(0);
    if known != 0 {
        let (known, ones) = (terms.number(width, known), terms.number(width, word.ones & known));
        let masked = terms.and(variable, known);
        facts.push(terms.eq(masked, ones));
    }
    facts
}

fn floats(terms: &mut TermStore, variable: Term, range: &Range) -> Vec<Term> {
    let format = match terms.width(variable) {
        32 => FloatFormat::Single,
        64 => FloatFormat::Double,
        _ => return Vec::new(),
    };
    let ends = (bits(format.width(), range.low), bits(format.width(), range.high));
    let (Some(low), Some(high)) = ends else { return Vec::new() };
    let nan = terms.float_is_nan(format, variable);
    if !range.has_numbers() {
        return vec![nan];
    }
    let low = terms.float_constant(format, low as u128);
    let high = terms.float_constant(format, high as u128);
    let bounds = [terms.float_le(format, low, variable), terms.float_le(format, variable, high)];
    match range.nan {
        false => bounds.to_vec(),
        true => bounds.into_iter().map(|bound| terms.or(nan, bound)).collect(),
    }
}
