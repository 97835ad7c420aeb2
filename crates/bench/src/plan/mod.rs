//! How to share the time of a portfolio, from the runs of its candidates one by one.
//!
//! The runs of a suite say how long each engine alone needs for each task. From that follows what a
//! portfolio with given shares solves within a time on so many cores ([`simulate`]), so shares can be
//! looked for that solve most ([`fit`]), for all tasks together and then for each kind of task, not
//! far from those for all. What is fitted to tasks says little about others; so the tasks are split by the folders that they lie in, and each part is
//! judged by shares that were fitted to the others ([`folds`]).

mod earlier;
mod fit;
mod folds;
mod report;
mod simulate;

pub use earlier::Earlier;
pub use report::{file, text};

use crate::record::{Outcome, Record};
use crate::results::Results;

/// For which numbers of cores and times plans are made.
const CORES: [usize; 4] = [1, 2, 4, 16];
const SECONDS: [f64; 3] = [10.0, 60.0, 900.0];

/// The kind of tasks of which an engine may find out that they are of it, when it makes the circuit. The
/// portfolio goes on with the plan for these then.
const LARGE: &str = "large";

/// A machine and a limit of time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Setting {
    cores: usize,
    seconds: f64,
}

fn settings() -> Vec<Setting> {
    let of = |cores| SECONDS.iter().map(move |&seconds| Setting { cores, seconds });
    CORES.into_iter().flat_map(of).collect()
}

/// What is known of one task: how many processor seconds each engine needs.
#[derive(Clone, Debug, PartialEq)]
struct Observation {
    /// The folder that the task lies in.
    folder: String,
    kind: String,
    times: Vec<Option<f64>>,
    /// How long each engine has tried, in the same seconds: one that ended by itself without an answer, or did
    /// not run, for ever.
    tried: Vec<f64>,
}

impl Observation {
    /// What would be known of the task if runs had ended after so long a time.
    fn within(&self, seconds: f64) -> Observation {
        let times = self.times.iter().map(|time| time.filter(|&time| time <= seconds)).collect();
        let runs = self.times.iter().zip(&self.tried);
        let tried = runs.map(|(time, &tried)| match time {
            None if tried.is_infinite() => tried,
            _ => tried.min(seconds),
        });
        Observation { times, tried: tried.collect(), ..self.clone() }
    }
}

/// All runs of a suite, as far as plans depend on them.
struct Data {
    entries: Vec<String>,
    tasks: Vec<Observation>,
    /// How long engines had on each task, in seconds.
    limit: f64,
    /// How long they had on some that none had solved, and on how many.
    again: Option<(f64, usize)>,
    earlier: Earlier,
    /// Tasks of which no run says what they are like.
    unknown: usize,
}

impl Data {
    fn of(results: &Results) -> Data {
        let mut tasks: Vec<Observation> = Vec::new();
        let mut unknown = 0;
        let limit = results.limits.cpu.unwrap_or(results.limits.time).as_secs_f64();
        for (task, runs) in results.tasks.iter().zip(&results.records) {
            let kinds = runs.iter().flatten().filter_map(|record| {
                Some(record.detail.as_ref()?.get("kind")?.as_str()?.to_string())
            });
            let kind = kinds.reduce(|one, other| if other == LARGE { other } else { one });
            let Some(kind) = kind else {
                unknown += 1;
                continue;
            };
            let time = |record: &Option<Record>| {
                record.as_ref().filter(|record| record.solved()).map(|record| record.cpu_seconds)
            };
            let tried = |record: &Option<Record>| match record {
                Some(record) if record.outcome == Outcome::Timeout || record.solved() => {
                    record.again_seconds.unwrap_or(limit)
                }
                _ => f64::INFINITY,
            };
            let times = runs.iter().map(time).collect();
            let tried = runs.iter().map(tried).collect();
            tasks.push(Observation { folder: task.folder(), kind, times, tried });
        }
        let earlier = results.plans.clone();
        let mut entries: Vec<String> =
            results.engines.iter().map(|engine| engine.name.clone()).collect();
        // Engines of earlier plans of which there are no runs.
        let others: Vec<String> =
            earlier.entries.iter().filter(|name| !entries.contains(name)).cloned().collect();
        entries.extend(others);
        for task in &mut tasks {
            task.times.resize(entries.len(), None);
            task.tried.resize(entries.len(), f64::INFINITY);
        }
        let again = |runs: &Vec<Option<Record>>| {
            let seconds = runs.iter().flatten().filter_map(|record| record.again_seconds);
            seconds.reduce(f64::max)
        };
        let longer: Vec<f64> = results.records.iter().filter_map(again).collect();
        let most = longer.iter().copied().reduce(f64::max);
        let again = most.map(|most| (most, longer.len()));
        Data { entries, tasks, limit, again, earlier, unknown }
    }

    /// How long the engines had, in words.
    fn limits(&self) -> String {
        match self.again {
            Some((again, count)) => {
                format!("{} s, and {again} s on {count} tasks that none had solved", self.limit)
            }
            None => format!("{} s", self.limit),
        }
    }

    /// The shares that there were before.
    fn before(&self, kind: &str, setting: Setting) -> Option<Vec<f64>> {
        self.earlier.shares(kind, setting.cores, setting.seconds, &self.entries)
    }

    /// Those of the tasks, and those that earlier plans are for.
    fn kinds(&self) -> Vec<&str> {
        let mut kinds: Vec<&str> = self.tasks.iter().map(|task| task.kind.as_str()).collect();
        kinds.extend(self.earlier.kinds());
        kinds.sort_unstable();
        kinds.dedup();
        kinds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_beginnings_of_runs_say_less() {
        let task = Observation {
            folder: String::new(),
            kind: String::new(),
            times: vec![Some(1.0), Some(3.0), None, None],
            tried: vec![10.0, 10.0, 10.0, f64::INFINITY],
        };
        let early = task.within(2.0);
        assert_eq!(early.times, [Some(1.0), None, None, None]);
        assert_eq!(early.tried, [2.0, 2.0, 2.0, f64::INFINITY]);
    }
}
