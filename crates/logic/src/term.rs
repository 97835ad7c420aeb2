//! Word-level terms: Booleans are bit-vectors of width 1, as in BTOR2.
//!
//! Terms live in a [`TermStore`], which hands out small indices; equal terms have equal indices.

/// The sort of a term.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    /// A bit-vector of this width (at least 1); width 1 doubles as Bool.
    Bv(u32),
    /// An array; element sorts may be arrays themselves only where BTOR2 allows it.
    Array(Box<Sort>, Box<Sort>),
}
