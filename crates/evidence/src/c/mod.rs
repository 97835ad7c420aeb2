//! Evidence about C programs.
//!
//! A counterexample of the transition system is a run of the program's automaton. The values it
//! chooses become the inputs of the interpreter, which shares nothing with the encoding;
//! only a run that violates the property there is an alarm ([`replay`](mod@replay)). The answers of an
//! execution are replayed in the same way. From such a run come
//! the [`counterexample`](mod@counterexample) as data and as text for people, the [`harness`](mod@harness) for compilers and the violation [`witness`](mod@witness); from an
//! invariant of the transition system come the [`invariants`] of loops. That the only run of a
//! program ends without an error is confirmed on the automaton ([`only_run`]).

mod answers;
mod caller;
mod clauses;
mod comparison;
mod contents;
pub mod contracts;
pub mod counterexample;
mod definition;
pub mod expression;
pub mod follow;
pub mod graphml;
pub mod guide;
pub mod harness;
pub mod inductive;
pub mod invariants;
pub mod modular;
mod moment;
pub mod only_run;
mod oracle;
pub mod reading;
pub mod replay;
pub mod samples;
mod sentences;
pub mod sources;
mod story;
mod surroundings;
mod unwritten;
pub mod visible;
pub mod witness;
pub mod yaml;

pub use counterexample::{Counterexample, Extent, counterexample};
pub use replay::{Alarm, Given, replay, replay_answers};
pub use sources::Sources;
