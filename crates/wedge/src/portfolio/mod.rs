//! Several engines at once; the first answer counts.
//!
//! With a [`Launcher`] each engine is a process of its own, a copy of one that has
//! encoded the model ([`copies`]) or one that reads it again. At any time as many of
//! them run as there are cores to use, and the others are stopped, so that no work is lost when the
//! [`schedule`] gives a core to another engine. A member that crashes or uses too much memory ends
//! alone. Members die with the process that races them: see `wedge_process::leash`. Answers arrive
//! over the members' standard output ([`protocol`]) with the evidence that was asked for. Each member
//! has checked its own evidence. What members find out on their way is passed on to the others
//! ([`mailbox`], `sharing`).
//!
//! Without one the engines are [`threads`] of this process.

mod copies;
mod entrant;
mod mailbox;
mod protocol;
mod race;
mod schedule;
mod threads;

pub use protocol::{Line, Output, member};
pub(crate) use schedule::{kind, refined};

use schedule::Schedule;

use crate::answer::Answer;
use crate::input::Model;
use crate::observer::Observer;
use crate::options::{Launcher, Members, Options};
use std::sync::Arc;
use std::time::Instant;

/// Runs the portfolio on the property that the options name.
pub(crate) fn race(
    model: &Arc<dyn Model>,
    options: &Options,
    start: Instant,
    observer: &mut dyn Observer,
) -> Answer {
    let available = || std::thread::available_parallelism().map_or(1, usize::from);
    let cores = options.portfolio.cores.unwrap_or_else(available);
    let kind = kind(model.features().as_ref());
    let schedule = Schedule { kind, cores, time: options.timeout };
    let raced = |launcher: &dyn Launcher, members, plan, observer| {
        race::race((schedule, plan), members, options, launcher, start, observer)
    };
    match &options.portfolio.members {
        Members::Processes(launcher) => raced(&**launcher, None, schedule.all(), observer),
        Members::Copies(launcher) => {
            let plan = schedule.all();
            let members = copies::Members::new(model, options, plan.clone());
            raced(&**launcher, Some(members), plan, observer)
        }
        Members::Threads => threads::race(schedule.last(), model, options, start, observer),
    }
}
