//! Word-level solving: terms decided by bit-blasting and CaDiCaL, made for many small related
//! queries.
//!
//! [`Solver`] answers whether terms can hold together, with values and unsat cores; arrays are
//! decided by lemmas on demand ([`arrays`]). This crate knows automata as far as their edges are
//! guarded assignments, but no engine and no evidence.

pub mod arrays;
mod encoding;
mod model;
pub mod solver;

pub use model::Model;
pub use solver::{Answer, Core, Name, Solver, Why};
