//! placeholder
use super::Program;
/// placeholder
pub fn check(_program: &Program) -> Result<(), String> { Ok(()) }
