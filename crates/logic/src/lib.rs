//! The two languages every other crate speaks: word-level [`term`]s and the bit-level
//! and-inverter graph [`aig`], with the way from the first to the second.
//!
//! This crate knows no solver, no transition system and no file format.

pub mod aig;
pub mod atoms;
pub mod audit;
pub mod bitvec;
pub mod blast;
pub mod eval;
pub mod float;
pub mod folds;
mod rewrite;
pub mod ring;
pub mod smtlib;
pub mod term;
pub mod value;
pub mod view;

pub use aig::{Aig, Lit};
pub use bitvec::BitVec;
pub use blast::{BlastError, Blaster};
pub use eval::{Evaluator, Unassigned};
pub use float::{FloatFormat, FloatFunction, FloatOp, Rounding};
pub use term::{Op, Operator, Sort, SortError, Substitution, Term, TermStore};
pub use value::{ArrayValue, Value};
