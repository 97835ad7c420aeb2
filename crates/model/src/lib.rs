//! What is verified: the bit-level transition system ([`Circuit`]) and, over terms, the
//! word-level transition system and the control-flow automaton that become one.
//!
//! This crate knows no solver, no engine and no file format.

pub mod circuit;
pub mod cone;
pub mod first;
pub mod inputs;
pub mod merge;
pub mod rewire;
pub mod simulate;
pub mod system;
pub mod ternary;

pub use circuit::{Circuit, Latch, Predicate, Reset, Trace};
pub use system::{Named, State, System, SystemError};
