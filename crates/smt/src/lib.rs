//! Word-level solving: terms decided by bit-blasting and CaDiCaL, made for many small related
//! queries.
//!
//! [`Solver`] answers whether terms can hold together, with values and unsat cores; arrays are
//! decided by lemmas on demand ([`arrays`]). [`Triples`] asks about the edges of an automaton,
//! [`interpolants()`] explains why a sequence of terms is infeasible, and [`words`] finds facts
//! about words in sets of states that are given by bits. [`projection`] removes quantifiers, and
//! [`external`] speaks to other solvers, which [`integers`] asks about unbounded integers. This crate knows automata as far as
//! their edges are guarded assignments, but no engine and no evidence.

pub mod arrays;
mod assignment;
mod decider;
mod encoding;
pub mod external;
pub mod horn;
pub mod integers;
pub mod interpolants;
pub mod projection;
mod slices;
pub mod solver;
mod terms;
pub mod transcript;
pub mod triples;
pub mod words;

pub use assignment::Assignment;
pub use decider::Decider;
pub use integers::Integers;
pub use interpolants::{Interpolation, Method, Outcome, interpolants};
pub use projection::Quantified;
pub use solver::{Answer, Core, Name, Solver, Why};
pub use triples::{Counterexample, StepId, Triples, Verdict};
