//! Shift-and-add multiplication.
//!
//! The operand with fewer bits that can be set selects the rows. A constant is recoded into
//! signed digits first (Booth's canonical form: no two neighbouring digits are nonzero), so that
//! a factor such as 2^k - 1 costs one subtraction.

use super::add;
use crate::aig::{Aig, Lit};

/// Bits that can be set.
fn possible(bits: &[Lit]) -> usize {
    bits.iter().filter(|&&bit| bit != Lit::FALSE).count()
}

/// An upper bound on the rows that are added up.
pub(super) fn rows(a: &[Lit], b: &[Lit]) -> u64 {
    possible(a).min(possible(b)) as u64 + 1
}

/// The product modulo 2^width.
pub(super) fn multiply(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (a, b) = if possible(a) < possible(b) { (b, a) } else { (a, b) };
    let mut product = vec![Lit::FALSE; a.len()];
    if b.iter().all(|bit| bit.is_const()) {
        let mut digits = signed_digits(b);
        // The first row is free if it is added rather than subtracted.
        digits.sort_by_key(|&(_, negative)| negative);
        for (position, negative) in digits {
            accumulate_constant(aig, &mut product, a, position, negative);
        }
        return product;
    }
    for (position, &bit) in b.iter().enumerate().filter(|(_, bit)| **bit != Lit::FALSE) {
        let row: Vec<Lit> = a[..a.len() - position].iter().map(|&x| aig.and(x, bit)).collect();
        let sum = add::add(aig, &product[position..], &row);
        product.splice(position.., sum);
    }
    product
}

/// Adds or subtracts `a` shifted to the left.
fn accumulate_constant(
    aig: &mut Aig,
    product: &mut Vec<Lit>,
    a: &[Lit],
    position: usize,
    negative: bool,
) {
    let row = &a[..a.len() - position];
    let sum = match negative {
        true => add::subtract(aig, &product[position..], row),
        false => add::add(aig, &product[position..], row),
    };
    product.splice(position.., sum);
}

/// The positions of the nonzero signed digits of a constant, and whether they are negative; the
/// digit beyond the width is left out, as the product is taken modulo 2^width.
fn signed_digits(constant: &[Lit]) -> Vec<(usize, bool)> {
    let mut digits = Vec::new();
    let mut carry = false;
    for (position, &bit) in constant.iter().enumerate() {
        let one = bit == Lit::TRUE;
        if one == carry {
            continue;
        }
        // The digit is odd: -1 if the next bit is set too, which then absorbs a carry.
        let next = constant.get(position + 1) == Some(&Lit::TRUE);
        digits.push((position, next));
        carry = next;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_digits_are_sparse_and_sum_up() {
        for value in 0..256i64 {
            let bits: Vec<Lit> = (0..8).map(|i| (value >> i & 1 == 1).into()).collect();
            let digits = signed_digits(&bits);
            let sum: i64 = digits.iter().map(|&(p, n)| if n { -(1 << p) } else { 1 << p }).sum();
            assert_eq!(sum.rem_euclid(256), value);
            assert!(digits.windows(2).all(|d| d[1].0 > d[0].0 + 1));
        }
    }
}
