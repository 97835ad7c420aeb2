//! Runs what a suite still lacks, several at once, and keeps the journal.
//!
//! Where the limits have a second round, tasks that no engine has solved in the first run once more, with
//! those engines that had come to the end of their time.

use crate::error::BenchError;
use crate::journal::Journal;
use crate::progress::Progress;
use crate::record::{Outcome, Record};
use crate::results::Results;
use crate::run::run;
use crate::suite::{Engine, Limits, Suite};
use crate::tasks::Task;
use std::collections::HashSet;
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
    let first = Round { cells: missing(&suite, &records), limits: suite.limits, again: None };
    first.run(&suite, &mut records, journal, make_command, stop)?;
    if let Some(limits) = suite.limits.of_second_round() {
        let again = limits.cpu.map(|cpu| cpu.as_secs_f64());
        let second = Round { cells: unsolved(&suite, &records, again), limits, again };
        if !second.cells.is_empty() && !stop.load(Ordering::Relaxed) {
            eprintln!("{} runs again, on tasks that no engine has solved", second.cells.len());
            second.run(&suite, &mut records, journal, make_command, stop)?;
        }
    }
    Ok(results(suite, records))
}

/// Runs that are made under the same limits, by task and engine.
struct Round {
    cells: Vec<(usize, usize)>,
    limits: Limits,
    /// The limit of processor time, if this is the second round.
    again: Option<f64>,
}

impl Round {
    fn run(
        &self,
        suite: &Suite,
        records: &mut [Vec<Option<Record>>],
        journal: &mut Journal,
        make_command: &MakeCommand,
        stop: &AtomicBool,
    ) -> Result<(), BenchError> {
        let here: HashSet<(usize, usize)> = self.cells.iter().copied().collect();
        let others = cells(suite).filter(|cell| !here.contains(cell));
        let others: Vec<&Record> =
            others.filter_map(|(task, engine)| records[task][engine].as_ref()).collect();
        let mut progress = Progress::new(others.len() + self.cells.len(), self.cells.len());
        others.iter().for_each(|record| progress.count(record));
        let next = AtomicUsize::new(0);
        let mut failure = None;
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..suite.jobs.min(self.cells.len()) {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || self.work(suite, next, make_command, stop, &sender));
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
        failure.map_or(Ok(()), Err)
    }

    fn work(
        &self,
        suite: &Suite,
        next: &AtomicUsize,
        make_command: &MakeCommand,
        stop: &AtomicBool,
        sender: &Sender<Finished>,
    ) {
        while !stop.load(Ordering::Relaxed) {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(task, engine)) = self.cells.get(index) else { return };
            let (t, e) = (&suite.tasks[task], &suite.engines[engine]);
            let command = make_command(t, e, &self.limits);
            let Some(record) = run(command, t, e, &self.limits, stop) else { return };
            let record = Record { again_seconds: self.again, ..record };
            if sender.send(((task, engine), record)).is_err() {
                return;
            }
        }
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

type Finished = ((usize, usize), Record);

/// Task by task, so that engines can be compared before everything is done.
fn missing(suite: &Suite, records: &[Vec<Option<Record>>]) -> Vec<(usize, usize)> {
    let is_missing = |&(task, engine): &(usize, usize)| {
        suite.engines[engine].runs_on(&suite.tasks[task]) && records[task][engine].is_none()
    };
    cells(suite).filter(is_missing).collect()
}

/// The runs that ended by their time on tasks that no engine has solved, unless they had more already.
fn unsolved(
    suite: &Suite,
    records: &[Vec<Option<Record>>],
    again: Option<f64>,
) -> Vec<(usize, usize)> {
    let first = |record: &Record| record.solved() && record.again_seconds.is_none();
    let is_unsolved: Vec<bool> =
        records.iter().map(|row| !row.iter().flatten().any(first)).collect();
    let is_wanted = |&(task, engine): &(usize, usize)| {
        let timed_out = |record: &Record| {
            record.outcome == Outcome::Timeout
                && record.again_seconds.is_none_or(|s| Some(s) < again)
        };
        is_unsolved[task] && records[task][engine].as_ref().is_some_and(timed_out)
    };
    cells(suite).filter(is_wanted).collect()
}

fn cells(suite: &Suite) -> impl Iterator<Item = (usize, usize)> {
    let engines = suite.engines.len();
    (0..suite.tasks.len()).flat_map(move |task| (0..engines).map(move |engine| (task, engine)))
}
