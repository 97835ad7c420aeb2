//! Adders and comparators. Constant operands fold away in the graph.

use crate::aig::{Aig, Lit};

/// Sum and carry. The conjunctions inside the exclusive ors are those of the carry, so structural
/// hashing makes this seven gates.
fn full_adder(aig: &mut Aig, a: Lit, b: Lit, carry: Lit) -> (Lit, Lit) {
    let half = aig.xor(a, b);
    let sum = aig.xor(half, carry);
    let (both, passed) = (aig.and(a, b), aig.and(half, carry));
    (sum, aig.or(both, passed))
}

/// Ripple-carry addition modulo 2^width.
pub(super) fn add_with_carry(aig: &mut Aig, a: &[Lit], b: &[Lit], carry: Lit) -> Vec<Lit> {
    let mut carry = carry;
    let last = a.len() - 1;
    let mut sum = Vec::with_capacity(a.len());
    for (&x, &y) in a[..last].iter().zip(b) {
        let (bit, out) = full_adder(aig, x, y, carry);
        sum.push(bit);
        carry = out;
    }
    let half = aig.xor(a[last], b[last]);
    sum.push(aig.xor(half, carry));
    sum
}

pub(crate) fn add(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    add_with_carry(aig, a, b, Lit::FALSE)
}

pub(crate) fn subtract(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let inverted: Vec<Lit> = b.iter().map(|&bit| !bit).collect();
    add_with_carry(aig, a, &inverted, Lit::TRUE)
}

pub(super) fn negate(aig: &mut Aig, a: &[Lit]) -> Vec<Lit> {
    subtract(aig, &vec![Lit::FALSE; a.len()], a)
}

/// The difference a - b and whether a ≥ b.
pub(super) fn subtract_and_compare(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Lit) {
    let mut carry = Lit::TRUE;
    let mut difference = Vec::with_capacity(a.len());
    for (&x, &y) in a.iter().zip(b) {
        let (bit, out) = full_adder(aig, x, !y, carry);
        difference.push(bit);
        carry = out;
    }
    (difference, carry)
}

/// Unsigned comparison, from the lowest bit upwards: the highest bit that differs decides.
pub(crate) fn ult(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    a.iter().zip(b).fold(Lit::FALSE, |less, (&x, &y)| decide(aig, x, y, less))
}

/// Signed comparison: the sign bits count the other way round.
pub(crate) fn slt(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let sign = a.len() - 1;
    let less = ult(aig, &a[..sign], &b[..sign]);
    decide(aig, b[sign], a[sign], less)
}

/// `x < y`, or `less` if the bits are equal.
fn decide(aig: &mut Aig, x: Lit, y: Lit, less: Lit) -> Lit {
    let (below, above) = (aig.and(!x, y), aig.and(x, !y));
    let undecided = aig.and(!above, less);
    aig.or(below, undecided)
}
