//! What is submitted: a copy of the program, a script that runs a shard, and the options of sbatch.

use super::{Order, queue};
use crate::error::BenchError;
use crate::journal::fingerprint;
use crate::plot::file_name;
use crate::run::{GRACE, MEMORY_GRACE};
use crate::suite::Suite;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub const LOGS: &str = "slurm/logs";
/// What an element needs besides its runs.
const START: Duration = Duration::from_secs(60);
const BETWEEN_RUNS: Duration = Duration::from_secs(1);
const OWN_MEMORY: u64 = 500 << 20;

/// Writes the script and what it needs.
pub fn write(order: &Order, shards: usize) -> Result<PathBuf, BenchError> {
    let logs = order.directory.join(LOGS);
    std::fs::create_dir_all(&logs).map_err(BenchError::io(&logs))?;
    let program = copy(order)?;
    let path = order.directory.join("slurm/element.sh");
    std::fs::write(&path, text(&program, order.arguments, shards))
        .map_err(BenchError::io(&path))?;
    Ok(path)
}

fn text(program: &Path, arguments: &[String], shards: usize) -> String {
    let words = std::iter::once(program.to_string_lossy().into_owned())
        .chain(arguments.iter().cloned())
        .map(|word| quoted(&word));
    let words: Vec<String> = words.collect();
    format!("#!/bin/sh\nexec {} --shard \"$SLURM_ARRAY_TASK_ID/{shards}\"\n", words.join(" "))
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// A program may be built anew while its copy runs, and a copy is replaced, not changed.
fn copy(order: &Order) -> Result<PathBuf, BenchError> {
    let name = order.program.file_name().unwrap_or_default();
    let copy = order.directory.join("slurm").join(name);
    let is_there = copy.is_file() && fingerprint(&copy)? == fingerprint(order.program)?;
    if !is_there {
        let new = copy.with_extension("new");
        std::fs::copy(order.program, &new)
            .and_then(|_| std::fs::rename(&new, &copy))
            .map_err(BenchError::io(&copy))?;
    }
    Ok(copy)
}

/// The options of sbatch: those that follow from the suite, then those that were given.
pub fn options(
    suite: &Suite,
    order: &Order,
    shards: usize,
    elements: &BTreeSet<usize>,
) -> Vec<String> {
    let limit = order.at_once.map_or(String::new(), |number| format!("%{number}"));
    // A percent sign in a path would be a place holder.
    let logs = order.directory.join(LOGS).to_string_lossy().replace('%', "%%");
    let mut options = vec![
        "--parsable".into(),
        format!("--job-name=wedge-{}", file_name(&suite.name)),
        format!("--array={}{limit}", queue::ranges(elements)),
        "--nodes=1".into(),
        "--ntasks=1".into(),
        "--cpus-per-task=1".into(),
        format!("--time={}", minutes(suite, shards)),
        "--requeue".into(),
        "--open-mode=append".into(),
        format!("--output={logs}/%A_%a.txt"),
    ];
    if let Some(memory) = suite.limits.memory {
        let bytes = (memory as f64 * MEMORY_GRACE) as u64 + OWN_MEMORY;
        options.push(format!("--mem={}M", bytes.div_ceil(1 << 20)));
    }
    let given = order.options.iter().map(|option| match option.starts_with('-') {
        true => option.clone(),
        false => format!("--{option}"),
    });
    options.extend(given);
    options
}

/// Enough for an element all of whose runs end by their time limit.
fn minutes(suite: &Suite, shards: usize) -> u64 {
    let runs = suite.tasks.len().div_ceil(shards) * suite.engines.len();
    let rounds = [Some(suite.limits), suite.limits.of_second_round()];
    let run: Duration = rounds.iter().flatten().map(|l| l.time + GRACE + BETWEEN_RUNS).sum();
    let time = START + run * runs as u32;
    time.as_secs().div_ceil(60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::{Engine, Limits};
    use crate::tasks::Task;

    #[test]
    fn options_follow_from_the_suite() {
        let engine = |name: &str| Engine { name: name.into(), arguments: Vec::new() };
        let suite = Suite {
            name: "a b".into(),
            tasks: vec![Task::default(); 5],
            engines: vec![engine("x"), engine("y")],
            limits: Limits {
                time: Duration::from_secs(54),
                cpu: None,
                memory: Some(1 << 30),
                again: None,
            },
            jobs: 8,
            plans: Default::default(),
        };
        let order = Order {
            directory: Path::new("/d%"),
            program: Path::new("/bin/wedge"),
            arguments: &[],
            options: &["partition=fast".into(), "-q".into()],
            at_once: Some(7),
        };
        let options = options(&suite, &order, 3, &BTreeSet::from([1, 3]));
        let has = |option: &str| assert!(options.contains(&option.into()), "{options:?}");
        has("--array=1,3%7");
        has("--job-name=wedge-a_b");
        // Two tasks, two engines, a minute each, and one to start.
        has("--time=5");
        has("--mem=1627M");
        has("--output=/d%%/slurm/logs/%A_%a.txt");
        assert_eq!(options[options.len() - 2..], ["--partition=fast", "-q"]);
    }

    #[test]
    fn words_of_the_script_are_quoted() {
        let text = text(Path::new("/a b/wedge"), &["--only".into(), "it's $x".into()], 4);
        let line = "exec '/a b/wedge' '--only' 'it'\\''s $x' --shard \"$SLURM_ARRAY_TASK_ID/4\"";
        assert_eq!(text.lines().nth(1), Some(line));
    }
}
