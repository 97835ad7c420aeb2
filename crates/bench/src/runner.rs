//! Runs what a suite still lacks, several at once, and keeps the journal.

use crate::error::BenchError;
use crate::journal::Journal;
use crate::progress::Progress;
use crate::record::Record;
use crate::results::Results;
use crate::run::run;
use crate::suite::{Engine, Limits, Suite};
use crate::tasks::Task;
use std::process::Command;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};

/// Makes the command line of a run. The program has to keep the limits by itself, print a verdict
/// line, and end when its standard input is closed.
pub type MakeCommand<'a> = dyn Fn(&Task, &Engine, &Limits) -> Command + Sync + 'a;

/// Runs every engine on every task, except for the runs that the journal has. Ends early, with
/// what there is, when `stop` is raised.
pub fn run_suite(
    suite: Suite,
    journal: &mut Journal,
    make_command: &MakeCommand,
    stop: &AtomicBool,
) -> Result<Results, BenchError> {
    let mut records = known(&suite, journal);
    let missing = missing(&records);
    let mut progress = Progress::new(suite.tasks.len() * suite.engines.len(), missing.len());
    records.iter().flatten().flatten().for_each(|record| progress.count(record));
    let next = AtomicUsize::new(0);
    let mut failure = None;
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        for _ in 0..suite.jobs.min(missing.len()) {
            let (sender, suite, missing, next) = (sender.clone(), &suite, &missing, &next);
            scope.spawn(move || work(suite, missing, next, make_command, stop, &sender));
        }
        drop(sender);
        for ((task, engine), record) in receiver {
            progress.finished(&record);
            if let Err(error) = journal.append(record.clone()) {
                stop.store(true, Ordering::Relaxed);
                failure = Some(error);
            }
            records[task][engine] = Some(record);
        }
    });
    progress.end();
    match failure {
        Some(error) => Err(error),
        None => Ok(results(suite, records)),
    }
}

/// What the journal has, without a run.
pub fn collect(suite: Suite, journal: &Journal) -> Results {
    let records = known(&suite, journal);
    results(suite, records)
}

fn known(suite: &Suite, journal: &Journal) -> Vec<Vec<Option<Record>>> {
    let row = |task| suite.engines.iter().map(|engine| journal.find(engine, task)).collect();
    suite.tasks.iter().map(row).collect()
}

fn results(suite: Suite, records: Vec<Vec<Option<Record>>>) -> Results {
    let Suite { name, tasks, engines, limits, plans, .. } = suite;
    Results { suite: name, limits, engines, tasks, plans, records }
}

/// Task by task, so that engines can be compared before everything is done.
fn missing(records: &[Vec<Option<Record>>]) -> Vec<(usize, usize)> {
    let cells = records.iter().enumerate().flat_map(|(task, row)| {
        row.iter().enumerate().map(move |(engine, record)| (task, engine, record.is_some()))
    });
    cells.filter(|(_, _, done)| !done).map(|(task, engine, _)| (task, engine)).collect()
}

type Finished = ((usize, usize), Record);

fn work(
    suite: &Suite,
    missing: &[(usize, usize)],
    next: &AtomicUsize,
    make_command: &MakeCommand,
    stop: &AtomicBool,
    sender: &Sender<Finished>,
) {
    while !stop.load(Ordering::Relaxed) {
        let index = next.fetch_add(1, Ordering::Relaxed);
        let Some(&(task, engine)) = missing.get(index) else { return };
        let (t, e, limits) = (&suite.tasks[task], &suite.engines[engine], &suite.limits);
        let Some(record) = run(make_command(t, e, limits), t, e, limits, stop) else { return };
        if sender.send(((task, engine), record)).is_err() {
            return;
        }
    }
}
