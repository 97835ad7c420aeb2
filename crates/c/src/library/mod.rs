//! Functions that programs use without defining them.
//!
//! The C library, gcc's builtins and the functions of the verification suites: their types, for
//! programs that do not declare them either, and what is known about their behaviour. The
//! interpreter and the encoders share this table, so that they agree on what is modelled.

pub mod aliases;
mod approximate;
pub mod bodies;
mod characters;
mod exits;
mod extensions;
mod formats;
mod math_errors;
mod model;
mod open;
mod ranges;
mod refusal;
mod shapes;
mod signature;
mod standard;
mod stores;
mod table;

pub use approximate::{Approximate, Reals, allowed};
pub use characters::has_class;
pub use math_errors::{may_underflow, reports_errors};
pub use model::{
    ARGUMENT, FAILURE, FloatFunction, FunctionModel, ORDER, SOME_NUMBER, is_known_input, model,
};
pub use refusal::UndefinedFunctions;
pub(crate) use signature::{Letter, signature};
pub use standard::is_standard;
pub(crate) use stores::has_count;
pub use table::table;
