//! `wedge bench` over several machines: shards, their results in one place, and Slurm.

use super::{Bench, INTERRUPTED, print};
use crate::cli::say::sayln;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use wedge_bench::journal::Journal;
use wedge_bench::slurm::{self, Order};
use wedge_bench::{BenchError, Shard, Suite, runner};
use wedge_process::units::duration_argument;

impl Bench<'_> {
    /// Runs a shard. Its verdicts are judged where the shards are merged: others may be at work in
    /// the same folder, so it writes nothing but its part of the journal.
    pub fn shard(
        &self,
        mut suite: Suite,
        shard: Shard,
        stop: &AtomicBool,
    ) -> Result<u8, BenchError> {
        suite.tasks = shard.tasks(suite.tasks);
        let mut journal = Journal::open_part(&self.directory, &self.header, shard)?;
        let results = self.run(suite, &mut journal, stop)?;
        print(self.args, None, &results);
        sayln!("This was shard {shard}; --merge makes a table of all.");
        Ok(if stop.load(Ordering::Relaxed) { INTERRUPTED } else { 0 })
    }

    /// Makes one result of what shards have left here and elsewhere.
    pub fn merge(&self, suite: Suite, others: &[PathBuf]) -> Result<u8, BenchError> {
        let mut journal = self.journal()?;
        for other in others {
            let count = journal.merge(&self.header, other)?.len();
            eprintln!("{count} runs from {}", other.display());
        }
        let results = runner::collect(suite, &journal);
        self.publish(&results)?;
        Ok(self.status(&results, false))
    }

    pub fn on_cluster(&self, suite: Suite, stop: &AtomicBool) -> Result<u8, BenchError> {
        let mut journal = self.journal()?;
        let directory =
            std::path::absolute(&self.directory).map_err(BenchError::io(&self.directory))?;
        let order = Order {
            directory: &directory,
            program: &self.program,
            arguments: &self.element(&directory),
            options: &self.args.slurm_option,
            at_once: self.args.jobs.map(|jobs| jobs as usize),
        };
        let campaigned = slurm::run_suite(suite, &mut journal, &order, stop)?;
        self.publish(&campaigned.results)?;
        campaigned.notes.iter().for_each(|note| sayln!("{note}"));
        Ok(self.status(&campaigned.results, stop.load(Ordering::Relaxed)))
    }

    /// This command as an element of an array runs it, without the number of its shard.
    fn element(&self, directory: &Path) -> Vec<String> {
        let path = |path: &Path| path.to_string_lossy().into_owned();
        let mut words: Vec<String> = ["bench", "--jobs", "1", "--out"].map(str::to_string).into();
        words.push(path(directory));
        let args = self.args;
        let options = [
            ("--timeout", args.timeout.map(duration_argument)),
            ("--cpu-time", args.cpu_time.map(duration_argument)),
            ("--memory", args.memory.map(|bytes| bytes.to_string())),
            ("--only", args.only.clone()),
            ("--sample", args.sample.map(|number| number.to_string())),
        ];
        for (name, value) in options {
            words.extend(value.map(|value| format!("{name}={value}")));
        }
        words.extend(args.reports.then(|| "--reports".to_string()));
        words.push(path(&args.suite));
        words
    }
}
