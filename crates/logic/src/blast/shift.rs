//! Barrel shifters for any width.

use super::choose;
use crate::aig::{Aig, Lit};

/// Shift to the right, filling up with `fill`: one stage per bit of the amount that can leave a
/// bit in place. The bits of the amount beyond these shift everything out.
pub(super) fn right(aig: &mut Aig, a: &[Lit], amount: &[Lit], fill: Lit) -> Vec<Lit> {
    let width = a.len();
    let mut result = a.to_vec();
    let stages = (width as u64).next_power_of_two().trailing_zeros() as usize;
    for (stage, &bit) in amount.iter().enumerate().take(stages) {
        let mut shifted = result[1 << stage..].to_vec();
        shifted.resize(width, fill);
        result = choose(aig, bit, &shifted, &result);
    }
    let everything = aig.or_all(&amount[stages.min(amount.len())..]);
    choose(aig, everything, &vec![fill; width], &result)
}

/// Shift to the left: the shift to the right of the reversed bits.
pub(super) fn left(aig: &mut Aig, a: &[Lit], amount: &[Lit]) -> Vec<Lit> {
    let reversed: Vec<Lit> = a.iter().rev().copied().collect();
    let mut result = right(aig, &reversed, amount, Lit::FALSE);
    result.reverse();
    result
}
