//! The file formats of hardware model checking: readers, writers and witnesses.
//!
//! This crate knows no solver and no engine.

pub mod aiger;
pub mod btor2;
