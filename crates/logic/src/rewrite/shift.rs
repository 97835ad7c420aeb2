//! Rules for the shifts.

use super::Binary;
use crate::term::{Term, TermStore};

/// The amount of a shift by a constant: `Err` if it shifts everything out.
fn amount(store: &TermStore, a: Term, b: Term) -> Option<Result<u32, ()>> {
    let width = store.width(a);
    let value = store.value(b)?.to_u64().filter(|&n| n < width as u64);
    Some(value.map(|n| n as u32).ok_or(()))
}

/// 0 shifted → 0
fn shift_of_zero(store: &mut TermStore, a: Term, _: Term) -> Option<Term> {
    store.is_zero(a).then_some(a)
}

/// ones >>a y → ones
fn sra_of_ones(store: &mut TermStore, a: Term, _: Term) -> Option<Term> {
    store.is_ones(a).then_some(a)
}

/// x shifted by 0 → x
fn shift_by_zero(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.is_zero(b).then_some(a)
}

/// x << y → x & ~y at width 1, and so for x >> y
fn shift_bits(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    if !store.is_bit(a) {
        return None;
    }
    let not_b = store.not(b);
    Some(store.and(a, not_b))
}

/// x >>a y → x at width 1
fn sra_bits(store: &mut TermStore, a: Term, _: Term) -> Option<Term> {
    store.is_bit(a).then_some(a)
}

/// x << n → x[w-1-n:0] :: 0
/// x << n → 0 if n is not below the width
fn sll_constant(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let width = store.width(a);
    let Ok(n) = amount(store, a, b)? else { return Some(store.zero(width)) };
    let rest = store.slice(a, width - 1 - n, 0);
    let zeros = store.zero(n);
    Some(store.concat(rest, zeros))
}

/// x >> n → 0 :: x[w-1:n]
/// x >> n → 0 if n is not below the width
fn srl_constant(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let width = store.width(a);
    let Ok(n) = amount(store, a, b)? else { return Some(store.zero(width)) };
    let rest = store.slice(a, width - 1, n);
    Some(store.zext(rest, n))
}

/// x >>a n → sext(x[w-1:n])
/// x >>a n → sext(sign(x)) if n is not below the width
fn sra_constant(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let width = store.width(a);
    let n = amount(store, a, b)?.unwrap_or(width - 1);
    let rest = store.slice(a, width - 1, n);
    Some(store.sext(rest, n))
}

pub(super) const SLL: &[Binary] = &[shift_of_zero, shift_by_zero, shift_bits, sll_constant];
pub(super) const SRL: &[Binary] = &[shift_of_zero, shift_by_zero, shift_bits, srl_constant];
pub(super) const SRA: &[Binary] =
    &[shift_of_zero, sra_of_ones, shift_by_zero, sra_bits, sra_constant];
