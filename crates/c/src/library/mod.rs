//! Functions that programs use without defining them.
//!
//! The C library, gcc's builtins and the functions of the verification suites: their types, for
//! programs that do not declare them either, and what is known about their behaviour. The
//! interpreter and the encoders share this table, so that they agree on what is modelled.

mod approximate;
pub mod bodies;
mod characters;
mod model;
mod ranges;
mod signature;

pub use approximate::{Approximate, Reals, allowed};
pub use characters::has_class;
pub use model::{FloatFunction, Model, model};
pub(crate) use signature::{Letter, signature};
