//! The restoring divider.

use super::{add, choose};
use crate::aig::{Aig, Lit};

/// Quotient and remainder. Division by zero needs no special case: every subtraction of 0
/// succeeds, so the quotient is all ones, and the remainder ends up as the dividend.
pub(super) fn divide(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let width = a.len();
    let mut quotient = vec![Lit::FALSE; width];
    let mut remainder = vec![Lit::FALSE; width];
    for position in (0..width).rev() {
        // The remainder shifted by one; what leaves it on top makes it larger than any divisor.
        let top = remainder[width - 1];
        remainder.rotate_right(1);
        remainder[0] = a[position];
        let (difference, fits) = add::subtract_and_compare(aig, &remainder, b);
        quotient[position] = aig.or(top, fits);
        remainder = choose(aig, quotient[position], &difference, &remainder);
    }
    (quotient, remainder)
}
