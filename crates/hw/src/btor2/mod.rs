//! BTOR2 (Niemetz, Preiner, Wolf, Biere: "BTOR2, BtorMC and Boolector 3.0", CAV 2018): word-level
//! models and the witnesses of their bad states.
//!
//! The way in is [`read`] (a path) or [`parse`] (bytes), which give a
//! [`System`](wedge_model::System); the way out is [`write()`]. Justice properties and fairness
//! constraints are refused by name: they are about infinite paths, and Wedge checks safety.

pub mod error;
mod names;
mod read;
mod scan;
pub mod witness;
mod witness_read;
mod write;

pub use error::{Btor2Error, ErrorKind};
pub use read::{parse, read};
pub use witness::Witness;
pub use write::{Origin, WriteError, Written, write};
