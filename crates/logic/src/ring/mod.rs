//! Arithmetic modulo 2^w by algebra: equations between words as equations between polynomials.
//!
//! Sums and products of words of the same width form a ring. Two terms that have the same polynomial
//! over the same atoms are equal whatever the atoms are, which takes no search; a solver that sees only
//! bits of products may search for ever.

mod equations;
mod polynomial;

pub use equations::{simplify, solved_order};
pub use polynomial::{Polynomial, inverse};
