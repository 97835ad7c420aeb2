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

#[cfg(test)]
mod tests {
    use super::super::testing::binary;
    use super::*;
    use crate::term::Op;

    #[test]
    fn trivial_shifts() {
        for op in [Op::Sll, Op::Srl, Op::Sra] {
            binary(shift_of_zero, op, "0 x", Some("0"));
            binary(shift_of_zero, op, "1 x", None);
            binary(shift_by_zero, op, "x 0", Some("x"));
            binary(shift_by_zero, op, "x 1", None);
        }
        binary(sra_of_ones, Op::Sra, "255 x", Some("255"));
        binary(sra_of_ones, Op::Sra, "127 x", None);
    }

    #[test]
    fn single_bits() {
        binary(shift_bits, Op::Sll, "p q", Some("(and p (not q))"));
        binary(shift_bits, Op::Srl, "p q", Some("(and p (not q))"));
        binary(shift_bits, Op::Srl, "x y", None);
        binary(sra_bits, Op::Sra, "p q", Some("p"));
        binary(sra_bits, Op::Sra, "x y", None);
    }

    #[test]
    fn by_constants() {
        binary(sll_constant, Op::Sll, "x 3", Some("(concat (slice.4.0 x) 0:3)"));
        binary(sll_constant, Op::Sll, "x 8", Some("0"));
        binary(sll_constant, Op::Sll, "x y", None);
        binary(srl_constant, Op::Srl, "x 3", Some("(zext.3 (slice.7.3 x))"));
        binary(srl_constant, Op::Srl, "x 200", Some("0"));
        binary(srl_constant, Op::Srl, "x y", None);
        binary(sra_constant, Op::Sra, "x 3", Some("(sext.3 (slice.7.3 x))"));
        binary(sra_constant, Op::Sra, "x 8", Some("(sext.7 (slice.7.7 x))"));
        binary(sra_constant, Op::Sra, "x y", None);
    }
}
