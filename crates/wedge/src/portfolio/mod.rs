//! Several engines at once, each in a process of its own; the first answer counts.
//!
//! The members are processes of this program, started with the same command line plus `--member`.
//! At any time as many of them run as there are cores to use, and the others are stopped, so that
//! no work is lost when the [`schedule`] gives a core to another engine. A member that crashes or
//! uses too much memory ends alone. Members die with this process: see `wedge_bench::leash`.
//!
//! Answers arrive over the members' standard output ([`protocol`]) with the evidence that the
//! command line asks for. Each member has checked its own evidence. What members find out on
//! their way is passed on to the others ([`mailbox`], [`crate::sharing`]).

mod entrant;
mod mailbox;
mod protocol;
mod race;
mod schedule;

pub use protocol::{member, report_ready, sharing};
pub use race::race;
