//! Slurm's programs: sbatch, squeue and scontrol.

use crate::error::BenchError;
use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::Path;
use std::process::Command;

/// An element of an array of jobs, as squeue shows it.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    pub job: String,
    pub index: usize,
    pub state: String,
    /// Why it waits.
    pub reason: String,
}

/// States that an element does not leave; all others come to something yet.
const FINAL: &[&str] = &[
    "COMPLETED",
    "FAILED",
    "CANCELLED",
    "TIMEOUT",
    "NODE_FAIL",
    "OUT_OF_MEMORY",
    "BOOT_FAIL",
    "DEADLINE",
    "PREEMPTED",
    "REVOKED",
];

impl Element {
    pub fn is_live(&self) -> bool {
        !FINAL.contains(&self.state.as_str())
    }

    pub fn is_running(&self) -> bool {
        self.is_live() && !self.state.starts_with("PENDING") && !self.state.starts_with("REQUEUE")
    }

    pub fn has_failed(&self) -> bool {
        !self.is_live() && self.state != "COMPLETED"
    }
}

/// Submits a script; the number of the job.
pub fn submit(options: &[String], script: &Path) -> Result<String, BenchError> {
    let output = ask(Command::new("sbatch").args(options).arg(script))?;
    // On federated clusters the cluster's name follows.
    let job = output.trim().split(';').next().unwrap_or_default().to_string();
    match job.is_empty() {
        true => Err(BenchError::Slurm("sbatch has named no job".into())),
        false => Ok(job),
    }
}

/// What Slurm knows about the elements of jobs. It forgets those that ended some minutes ago.
pub fn elements(jobs: &[String]) -> Result<Vec<Element>, BenchError> {
    if jobs.is_empty() {
        return Ok(Vec::new());
    }
    let mut squeue = Command::new("squeue");
    squeue.args(["--noheader", "--array", "--states=all", "--format=%F|%K|%T|%r", "--jobs"]);
    match ask(squeue.arg(jobs.join(","))) {
        Ok(output) => Ok(output.lines().filter_map(element).collect()),
        Err(BenchError::Slurm(cause)) if cause.contains("Invalid job id") => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

fn element(line: &str) -> Option<Element> {
    let mut fields = line.trim().splitn(4, '|');
    let mut field = || fields.next().map(str::to_string);
    let (job, index, state, reason) = (field()?, field()?, field()?, field()?);
    Some(Element { job, index: index.parse().ok()?, state, reason })
}

/// Slurm's own default, where it does not say how many elements an array may have.
const USUAL_ARRAY: usize = 1000;

/// The largest number that an element may have.
pub fn largest_array() -> usize {
    let config = ask(Command::new("scontrol").args(["show", "config"])).unwrap_or_default();
    let line = config.lines().find(|line| line.trim_start().starts_with("MaxArraySize"));
    let size: Option<usize> = line.and_then(|l| l.split('=').nth(1)?.trim().parse().ok());
    size.map_or(USUAL_ARRAY, |size| size.saturating_sub(1).max(1))
}

/// Numbers as sbatch reads them: 1-3,7.
pub fn ranges(numbers: &BTreeSet<usize>) -> String {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for &number in numbers {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let texts = runs.iter().map(|(first, last)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    });
    texts.collect::<Vec<_>>().join(",")
}

fn ask(command: &mut Command) -> Result<String, BenchError> {
    let program = command.get_program().to_string_lossy().into_owned();
    let output = command.output().map_err(|error| {
        BenchError::Slurm(match error.kind() {
            ErrorKind::NotFound => format!(
                "there is no {program} on the PATH; --slurm works where jobs can be submitted, \
                 --shard everywhere"
            ),
            _ => format!("{program}: {error}"),
        })
    })?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let lines = said.lines().map(|line| line.trim().trim_start_matches(&format!("{program}: ")));
    let complaint: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    let complaint = complaint.join("; ");
    Err(BenchError::Slurm(format!("{program} failed: {complaint}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_elements_are_short() {
        assert_eq!(ranges(&BTreeSet::from([1, 2, 3, 7, 9, 10])), "1-3,7,9-10");
        assert_eq!(ranges(&BTreeSet::from([5])), "5");
    }

    #[test]
    fn lines_of_squeue() {
        let waiting = element("12|3|PENDING|Nodes required for job are DOWN, DRAINED").unwrap();
        assert_eq!((waiting.job.as_str(), waiting.index), ("12", 3));
        assert!(waiting.is_live() && !waiting.is_running() && !waiting.has_failed());
        let running = element("12|4|RUNNING|None").unwrap();
        assert!(running.is_live() && running.is_running());
        let lost = element("12|4|NODE_FAIL|None").unwrap();
        assert!(!lost.is_live() && lost.has_failed());
        assert!(!element("12|4|COMPLETED|None").unwrap().has_failed());
        assert_eq!(element("12|N/A|RUNNING|None"), None);
    }
}
