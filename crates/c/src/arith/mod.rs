//! The arithmetic of C on bits: what the operators of the typed program compute.
//!
//! Shared by constant folding and the interpreter. Values are the bits of their type, zero-extended
//! to 128.

#[cfg(test)]
mod agreement;
pub mod float;
pub mod int;
pub mod math;
pub mod mode;
