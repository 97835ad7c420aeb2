//! Word-level terms: bit-vectors and arrays of them, in the operators of BTOR2 and SMT-LIB.
//!
//! Terms live in a [`TermStore`], which hands out small indices; equal terms have equal indices,
//! and the operands of a term always have smaller indices than the term. A scan in the order of
//! the indices is therefore an evaluation order, and nothing here recurses on the depth of terms.
//! Booleans are bit-vectors of width 1, as in BTOR2.
//!
//! The constructors reduce every surface operator ([`Operator`]) to the kernel [`Op`] and
//! simplify on the way (see the module `rewrite`). They panic on operands of the wrong sort, which
//! is a bug of the caller; readers of files go through [`TermStore::apply`], which checks first.

mod apply;
mod build;
mod derived;
mod store;
mod substitute;
mod traverse;

pub use apply::{Operator, SortError};
pub use store::{MAX_WIDTH, TermStore};
pub use substitute::Substitution;

pub(crate) use build::legal_width;

use crate::float::FloatOp;
use std::fmt;

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// A bit-vector of this width, at least 1; width 1 doubles as Bool.
    Bv(u32),
    /// An array from bit-vectors of width `index` to bit-vectors of width `element`.
    Array { index: u32, element: u32 },
}

impl Sort {
    pub const BOOL: Sort = Sort::Bv(1);

    pub fn is_array(self) -> bool {
        matches!(self, Sort::Array { .. })
    }

    /// Number of bits a value occupies; saturates for arrays that no machine can hold.
    pub fn bits(self) -> u64 {
        match self {
            Sort::Bv(width) => width as u64,
            Sort::Array { index, element } => 1u64
                .checked_shl(index)
                .and_then(|n| n.checked_mul(element as u64))
                .unwrap_or(u64::MAX),
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Sort::Bv(width) => write!(f, "bitvec {width}"),
            Sort::Array { index, element } => write!(f, "array {index} {element}"),
        }
    }
}

/// A term: an index into its [`TermStore`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Term(u32);

impl Term {
    /// Position in the store; operands come before the terms that use them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The kernel operators, all that rewriting, evaluation, printing and blasting have to know.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    /// A bit-vector constant; the number is private to the store.
    Const(u32),
    /// A variable; the number is private to the store.
    Var(u32),
    Not,
    Neg,
    And,
    Xor,
    /// Equality of bit-vectors wider than 1 bit or of arrays.
    Eq,
    Ult,
    Slt,
    Add,
    Mul,
    Udiv,
    Urem,
    Sll,
    Srl,
    Sra,
    /// The first operand is the upper part.
    Concat,
    /// The bits `high` down to `low`, both included.
    Slice {
        high: u32,
        low: u32,
    },
    /// This many copies of the sign bit on top.
    Sext(u32),
    /// Condition, then, else; the branches may be arrays.
    Ite,
    /// Array, index.
    Read,
    /// Array, index, element.
    Write,
    /// The array with this index width whose elements all equal the operand.
    ConstArray(u32),
    /// A floating-point operator that rounds, see [`crate::float`].
    Float(FloatOp),
}

/// The largest number of operands.
pub(crate) const MAX_ARITY: usize = 4;

impl Op {
    /// Number of operands.
    pub fn arity(self) -> usize {
        match self {
            Op::Const(_) | Op::Var(_) => 0,
            Op::Not | Op::Neg | Op::Slice { .. } | Op::Sext(_) | Op::ConstArray(_) => 1,
            Op::Ite | Op::Write => 3,
            Op::Float(op) => op.arity(),
            _ => 2,
        }
    }

    pub fn is_commutative(self) -> bool {
        matches!(self, Op::And | Op::Xor | Op::Eq | Op::Add | Op::Mul)
    }
}
