//! .
pub mod light;
