//! A suite on a cluster: an array of jobs of Slurm, an element per shard, and the wait for them.
//!
//! The folder of results is on a file system that all machines share. Each element is this program
//! on a shard (`--shard`), which writes a part of the journal; the process that was started with
//! `--slurm` takes the parts in and shows how far they are. It may be ended and started again:
//! `slurm/campaign.json` has the jobs. An element whose machine dies is queued again by Slurm and
//! does what its parts lack; what is lost otherwise is submitted by the next call.

mod campaign;
mod queue;
mod script;
mod watch;

use crate::error::BenchError;
use crate::journal::Journal;
use crate::results::Results;
use crate::runner;
use crate::shard::Shard;
use crate::suite::Suite;
use campaign::Campaign;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use watch::Watch;

/// How elements are to be run.
pub struct Order<'a> {
    /// The folder of results, absolute.
    pub directory: &'a Path,
    /// This program; elements run a copy of it, which nobody builds anew meanwhile.
    pub program: &'a Path,
    /// What an element tells the program, before `--shard`.
    pub arguments: &'a [String],
    /// For sbatch, after the options that follow from the suite.
    pub options: &'a [String],
    /// How many elements may run at once.
    pub at_once: Option<usize>,
}

/// What there is when the jobs have ended or `stop` is raised, with what is to be said about them.
pub struct Campaigned {
    pub results: Results,
    pub notes: Vec<String>,
}

pub fn run_suite(
    suite: Suite,
    journal: &mut Journal,
    order: &Order,
    stop: &AtomicBool,
) -> Result<Campaigned, BenchError> {
    let mut notes = Vec::new();
    if !missing(&suite, journal, 1).is_empty() {
        let campaign = submit(&suite, journal, order)?;
        notes = Watch::new(&suite, journal, &campaign).wait(journal, stop)?;
        let shards = missing(&suite, journal, campaign.shards);
        if !shards.is_empty() && !stop.load(std::sync::atomic::Ordering::Relaxed) {
            let logs = order.directory.join(script::LOGS);
            notes.push(format!(
                "Runs of elements {} are missing; what their machines said is in {}. \
                 The same command submits them again.",
                queue::ranges(&shards),
                logs.display()
            ));
        }
    }
    Ok(Campaigned { results: runner::collect(suite, journal), notes })
}

/// Submits the shards that lack runs and that no job is at work on.
fn submit(suite: &Suite, journal: &Journal, order: &Order) -> Result<Campaign, BenchError> {
    let known = Campaign::read(order.directory)?;
    let jobs = known.as_ref().map_or(Vec::new(), |campaign| campaign.jobs.clone());
    let live: Vec<queue::Element> =
        queue::elements(&jobs)?.into_iter().filter(queue::Element::is_live).collect();
    let mut campaign = Campaign::of(suite);
    match known {
        Some(known) if known.selection == campaign.selection => campaign = known,
        Some(known) if !live.is_empty() => return Err(known.busy(&live)),
        _ => campaign.shards = suite.tasks.len().min(queue::largest_array()),
    }
    campaign.jobs.retain(|job| live.iter().any(|element| element.job == *job));
    let live: BTreeSet<usize> = live.iter().map(|element| element.index).collect();
    let mut shards = missing(suite, journal, campaign.shards);
    shards.retain(|shard| !live.contains(shard));
    if !shards.is_empty() {
        let script = script::write(order, campaign.shards)?;
        let options = script::options(suite, order, campaign.shards, &shards);
        campaign.jobs.push(queue::submit(&options, &script)?);
    }
    campaign.write(order.directory)?;
    Ok(campaign)
}

/// The shards, from 1 to `count`, that lack a run.
fn missing(suite: &Suite, journal: &Journal, count: usize) -> BTreeSet<usize> {
    let lacks = |shard: Shard| {
        let mut tasks = suite.tasks.iter().enumerate().filter(|(number, _)| shard.has(*number));
        tasks.any(|(_, task)| {
            suite.engines.iter().any(|e| e.runs_on(task) && journal.find(e, task).is_none())
        })
    };
    (1..=count).filter(|&index| lacks(Shard { index, count })).collect()
}

/// Refuses to discard results that jobs are still adding to; forgets jobs that have ended.
pub fn forget(directory: &Path) -> Result<(), BenchError> {
    let Some(campaign) = Campaign::read(directory)? else { return Ok(()) };
    let live: Vec<queue::Element> =
        queue::elements(&campaign.jobs)?.into_iter().filter(queue::Element::is_live).collect();
    if !live.is_empty() {
        return Err(campaign.busy(&live));
    }
    Campaign::remove(directory)
}
