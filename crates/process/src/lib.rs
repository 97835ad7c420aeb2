//! Processes: children under control, what they use, signals, and the units of limits.
//!
//! This crate knows nothing of models, engines or benchmarks. The portfolio and the benchmark runner
//! start their children with it.

pub mod cgroup;
pub mod child;
pub mod clock;
mod fork;
pub mod leash;
pub mod nursery;
pub mod stop;
pub mod units;
pub mod usage;

pub use child::{Exit, Process};
pub use nursery::{Nursery, Work};
