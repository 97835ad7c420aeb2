//! Sources of state assertions: the examples of the paper on Craig and Newton, random paths, and
//! what is said of other solvers.

#[path = "../common/mod.rs"]
mod common;
mod example;
mod figures;
mod others;
#[path = "../../../smt/tests/terms/played.rs"]
#[allow(dead_code)]
mod played;
mod random;
