//! AIGER 1.9 (Biere, Heljanko, Wieringa: "AIGER 1.9 And Beyond", FMV report 11/2): models in
//! ASCII and binary form, and the stimulus files that witness their bad states.
//!
//! The way in is [`read`] (a path) or [`parse`] (bytes); the way out is [`AigerModel::circuit`],
//! which every engine reads. What justice properties and fairness constraints say about infinite
//! paths becomes a circuit in `wedge_model::liveness`.

mod ascii;
mod binary;
pub mod error;
mod file;
mod header;
pub mod model;
mod read;
mod resets;
mod scan;
mod stated;
mod symbols;
pub mod witness;
mod write;

pub use error::{AigerError, ErrorKind, Place};
pub use model::{AigerModel, Input, Justice, Latch, LiteralMap, Property};
pub use read::{parse, read};
pub use stated::Stated;
pub use witness::Witness;
