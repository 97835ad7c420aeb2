//! Many runs of a command over many tasks: limits, verdicts, tables.
//!
//! This crate knows no solver and no model. It starts a program once per task and engine, keeps
//! the limits, reads the verdict line and the figures the program prints, compares the verdict
//! with the expected one, and makes tables, studies and plots of the results.

pub mod leash;
pub mod process;
pub mod units;
