//! How to share the time of a portfolio, from the runs of its candidates one by one.
//!
//! The runs of a suite say how long each engine alone needs for each task. From that follows what a
//! portfolio with given shares solves within a time on so many cores ([`simulate`]), so shares can be
//! looked for that solve most ([`fit`]), for each kind of task by themselves. What is fitted to tasks says
//! little about others; so the tasks are split by the folders that they lie in, and each part is
//! judged by shares that were fitted to the others ([`folds`]).

mod earlier;
mod fit;
mod folds;
mod report;
mod simulate;

pub use earlier::Earlier;
pub use report::{file, text};

use crate::results::Results;
use std::path::Path;
use std::time::Duration;

/// For which numbers of cores and times plans are made.
const CORES: [usize; 4] = [1, 2, 4, 16];
const SECONDS: [f64; 3] = [10.0, 60.0, 900.0];

/// A machine and a limit of time.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Setting {
    cores: usize,
    seconds: f64,
}

fn settings() -> impl Iterator<Item = Setting> {
    CORES.iter().flat_map(|&cores| SECONDS.iter().map(move |&seconds| Setting { cores, seconds }))
}

/// What is known of one task: how many processor seconds each engine needs.
#[derive(Clone, Debug, PartialEq)]
struct Observation {
    /// The folder that the task lies in.
    folder: String,
    kind: String,
    times: Vec<Option<f64>>,
}

/// All runs of a suite, as far as plans depend on them.
struct Data {
    entries: Vec<String>,
    tasks: Vec<Observation>,
    /// The limit of the runs.
    limit: Duration,
    earlier: Earlier,
    /// Tasks of which no run says what they are like.
    unknown: usize,
}

impl Data {
    fn of(results: &Results) -> Data {
        let mut tasks = Vec::new();
        let mut unknown = 0;
        for (task, runs) in results.tasks.iter().zip(&results.records) {
            let kind = runs.iter().flatten().find_map(|record| {
                let detail = record.detail.as_ref()?;
                Some(detail.get("kind")?.as_str()?.to_string())
            });
            let Some(kind) = kind else {
                unknown += 1;
                continue;
            };
            let folder = Path::new(&task.name).parent();
            let folder = folder.map_or(String::new(), |folder| folder.display().to_string());
            let time = |record: &Option<crate::Record>| {
                record.as_ref().filter(|record| record.solved()).map(|record| record.cpu_seconds)
            };
            tasks.push(Observation { folder, kind, times: runs.iter().map(time).collect() });
        }
        let earlier = results.plans.clone();
        let mut entries: Vec<String> =
            results.engines.iter().map(|engine| engine.name.clone()).collect();
        // Engines of earlier plans of which there are no runs.
        let others: Vec<String> =
            earlier.entries.iter().filter(|name| !entries.contains(name)).cloned().collect();
        entries.extend(others);
        tasks.iter_mut().for_each(|task: &mut Observation| task.times.resize(entries.len(), None));
        let limit = results.limits.cpu.unwrap_or(results.limits.time);
        Data { entries, tasks, limit, earlier, unknown }
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
