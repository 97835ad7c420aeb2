//! The restoring divider.

use super::{add, choose};
use crate::aig::{Aig, Lit};

/// How many bits of a divisor matter: all those from the highest that can be set.
pub(super) fn narrow(divisor: &[Lit]) -> usize {
    divisor.iter().rposition(|&bit| bit != Lit::FALSE).map_or(0, |highest| highest + 1)
}

/// Quotient and remainder. Remainders are smaller than the divisor, so the divider is no wider
/// than the bits that can be set in it. The quotient by zero needs no special case: every
/// subtraction of 0 succeeds, so it is all ones. The remainder is then the dividend.
pub(super) fn divide(aig: &mut Aig, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
    let width = a.len();
    let narrow = narrow(b);
    let mut quotient = vec![Lit::FALSE; width];
    let mut remainder = vec![Lit::FALSE; narrow];
    for position in (0..width).rev() {
        // The remainder shifted by one; what leaves it on top makes it larger than any divisor.
        remainder.insert(0, a[position]);
        let top = remainder.pop().expect("a bit was put in");
        let (difference, fits) = add::subtract_and_compare(aig, &remainder, &b[..narrow]);
        quotient[position] = aig.or(top, fits);
        remainder = choose(aig, quotient[position], &difference, &remainder);
    }
    remainder.resize(width, Lit::FALSE);
    // Whether a remainder of all bits has been lost.
    let by_zero = if narrow < width { !aig.or_all(b) } else { Lit::FALSE };
    let remainder = choose(aig, by_zero, a, &remainder);
    (quotient, remainder)
}
