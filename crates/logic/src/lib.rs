//! The two languages every other crate speaks: word-level [`term`]s and the bit-level
//! and-inverter graph [`aig`], with the way from the first to the second.
//!
//! This crate knows no solver, no transition system and no file format.

pub mod aig;
pub mod bitvec;
pub mod eval;
mod rewrite;
pub mod term;
pub mod value;

pub use aig::{Aig, Lit};
pub use bitvec::BitVec;
pub use eval::{Evaluator, Unassigned};
pub use term::{Op, Operator, Sort, SortError, Substitution, Term, TermStore};
pub use value::{ArrayValue, Value};
