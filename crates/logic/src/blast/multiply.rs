//! Shift-and-add multiplication.
//!
//! The operand with fewer bits that can be set selects the rows; a sign that was extended is one
//! row, which is subtracted. A constant is recoded into
//! signed digits first (Booth's canonical form: no two neighbouring digits are nonzero), so that
//! a factor such as 2^k - 1 costs one subtraction.

use super::add;
use crate::aig::{Aig, Lit};

/// Where the highest bits begin that are all the same literal: those of a sign that was extended.
fn sign(bits: &[Lit]) -> usize {
    let same = bits.iter().rev().take_while(|&&bit| bit == bits[bits.len() - 1]).count();
    bits.len() - same
}

/// The rows that a factor selects: one for each bit that can be set, and one for the sign.
fn selected(bits: &[Lit]) -> usize {
    let sign = sign(bits);
    bits[..=sign].iter().filter(|&&bit| bit != Lit::FALSE).count()
}

/// An upper bound on the rows that are added up.
pub(super) fn rows(a: &[Lit], b: &[Lit]) -> u64 {
    selected(a).min(selected(b)) as u64 + 1
}

/// The product modulo 2^width.
pub(super) fn multiply(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
    let (a, b) = if selected(a) < selected(b) { (b, a) } else { (a, b) };
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
    let sign = sign(b);
    let chosen = b[..=sign].iter().enumerate().filter(|(_, bit)| **bit != Lit::FALSE);
    for (position, &bit) in chosen {
        let row: Vec<Lit> = a[..a.len() - position].iter().map(|&x| aig.and(x, bit)).collect();
        // All the copies of a sign together are -2^position.
        let sum = match position == sign && sign + 1 < b.len() {
            true => add::subtract(aig, &product[position..], &row),
            false => add::add(aig, &product[position..], &row),
        };
        product.splice(position.., sum);
    }
    product
}

/// Whether the product, taken as a signed number, is the extension of its lower half.
///
/// If both factors are extensions of signed numbers of w bits, half of their width, w + 1 bits of
/// the product are enough (Gok, Schulte, Arnold, "Integer Multipliers with Overflow Detection", 2006): let
/// i and j be the highest bits in which the numbers differ from their signs. With i + j >= w - 1 the
/// product does not fit. Otherwise it is at most 2^w in size, and it fits if the bits w and w - 1 of it are
/// the same; 2^w itself, which has no place in w + 1 bits, differs in them as well.
pub(super) fn fits_half(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> Lit {
    let half = a.len() / 2;
    let is_extension = |bits: &[Lit]| bits[half..].iter().all(|&bit| bit == bits[half - 1]);
    if !is_extension(a) || !is_extension(b) {
        let product = multiply(aig, a, b);
        let upper = product[half..].to_vec();
        let same: Vec<Lit> = upper.into_iter().map(|bit| aig.iff(bit, product[half - 1])).collect();
        return aig.and_all(&same);
    }
    // One bit more than the product that the program computes, whose gates are the same ones.
    let product = multiply(aig, &a[..=half], &b[..=half]);
    let mut fits = vec![aig.iff(product[half], product[half - 1])];
    let mut size = |bits: &[Lit]| -> Vec<Lit> {
        bits[..half - 1].iter().map(|&bit| aig.xor(bit, bits[half - 1])).collect()
    };
    let (size_a, size_b) = (size(a), size(b));
    let mut is_large = Lit::FALSE;
    for (bit_b, &bit_a) in size_b.iter().skip(1).zip(size_a.iter().rev()) {
        is_large = aig.or(is_large, bit_a);
        fits.push(!aig.and(*bit_b, is_large));
    }
    aig.and_all(&fits)
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
