//! C programs: reading, typing, and concrete execution.

pub mod arith;
pub mod error;
pub mod interp;
pub mod library;
mod load;
mod read;
pub mod source;
pub mod typed;
pub mod types;
mod typing;

pub use error::{Cause, Error, Warning};
pub use load::{load, load_text};
pub use types::DataModel;
