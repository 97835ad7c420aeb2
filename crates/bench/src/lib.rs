//! Many runs of a command over many tasks: limits, verdicts, tables.
//!
//! This crate knows no solver and no model. It starts a program once per task and engine, keeps
//! the limits, reads the verdict line and the figures the program prints, compares the verdict
//! with the expected one, and makes tables, studies, plots and pages of the results.
//!
//! ```text
//! suite ──► tasks × engines ──► runner ──► journal (results.jsonl) ──► summary, files, studies, plots
//!      └──► shards, slurm ──► runners elsewhere ──► parts ──┘
//! ```

pub mod benchexec;
pub mod error;
pub mod files;
pub mod index;
pub mod journal;
pub mod machine;
pub mod machines;
pub mod parts;
mod plan;
pub mod plot;
pub mod progress;
pub mod record;
pub mod results;
pub mod run;
pub mod runner;
pub mod shard;
pub mod slurm;
pub mod study;
pub mod suite;
pub mod summary;
pub mod table;
pub mod tasks;

pub use error::BenchError;
pub use machine::Machine;
pub use plan::Earlier;
pub use record::{Judgement, Outcome, Record};
pub use results::Results;
pub use shard::Shard;
pub use suite::{Engine, Limits, Suite};
pub use tasks::{Expected, Task};
