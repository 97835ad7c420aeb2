//! What is verified: the bit-level transition system ([`Circuit`]) and, over terms, the
//! word-level transition system ([`System`]) and the control-flow automaton that become one.
//!
//! This crate knows no solver, no engine and no file format.

pub mod bits;
pub mod cells;
pub mod cfa;
pub mod circuit;
pub mod cone;
pub mod facts;
pub mod first;
mod floats;
pub mod guess;
pub mod idle;
mod initial;
pub mod inputs;
pub mod liveness;
pub mod lower;
pub mod merge;
pub mod monitor;
pub mod partial;
pub mod rewire;
pub mod signals;
pub mod simulate;
pub mod simulate_words;
pub mod system;
pub mod ternary;
pub mod words;
pub mod zero;

pub use cfa::Cfa;
pub use circuit::{Circuit, Latch, Predicate, Reset, Trace};
pub use facts::Facts;
pub use initial::first_state;
pub use liveness::Liveness;
pub use lower::{LowerError, LoweringMap, lower};
pub use signals::Signals;
pub use simulate_words::{Choice, WordReplayError, WordStep, WordTrace};
pub use system::{Justice, Named, State, System, SystemError};
pub use words::{Word, Words};
