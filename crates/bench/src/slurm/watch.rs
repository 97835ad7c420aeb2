//! The wait for jobs: what they have done so far, and how they are.

use super::campaign::Campaign;
use super::queue::{self, Element};
use crate::error::BenchError;
use crate::journal::Journal;
use crate::progress::Progress;
use crate::suite::Suite;
use std::collections::{BTreeMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How often the folder and Slurm are asked: often at first, then rarely.
const SOONEST: Duration = Duration::from_secs(1);
const LATEST: Duration = Duration::from_secs(10);
/// Other machines' files may be seen late on shared folders.
const SETTLE: Duration = Duration::from_secs(3);

pub struct Watch {
    jobs: Vec<String>,
    progress: Progress,
    /// Engines and tasks that have not been run.
    awaited: HashSet<(String, String)>,
    /// By number, as Slurm has shown them last.
    elements: BTreeMap<usize, Element>,
}

impl Watch {
    pub fn new(suite: &Suite, journal: &Journal, campaign: &Campaign) -> Watch {
        let pairs =
            suite.tasks.iter().flat_map(|task| suite.engines.iter().map(move |e| (e, task)));
        let pairs = pairs.filter(|(engine, task)| engine.runs_on(task));
        let (done, missing): (Vec<_>, Vec<_>) =
            pairs.map(|(e, task)| (e, task, journal.find(e, task))).partition(|p| p.2.is_some());
        let mut progress = Progress::new(done.len() + missing.len(), missing.len());
        done.iter().filter_map(|(_, _, record)| record.as_ref()).for_each(|r| progress.count(r));
        let awaited = missing.into_iter().map(|(e, task, _)| (e.name.clone(), task.name.clone()));
        progress.note(&format!("Slurm: job {}", campaign.jobs.join(", ")));
        Watch {
            jobs: campaign.jobs.clone(),
            progress,
            awaited: awaited.collect(),
            elements: BTreeMap::new(),
        }
    }

    /// Takes in what jobs find until all of them have ended or `stop` is raised; what is to be said
    /// about them then.
    pub fn wait(
        mut self,
        journal: &mut Journal,
        stop: &AtomicBool,
    ) -> Result<Vec<String>, BenchError> {
        let start = Instant::now();
        let mut silent = false;
        loop {
            // Asked before the folder is read: what has ended by now is in the folder.
            let answer = queue::elements(&self.jobs);
            self.take_in(journal)?;
            match answer {
                Ok(elements) => {
                    silent = false;
                    if !self.show(elements) {
                        break;
                    }
                }
                // A controller may be started anew; the jobs go on meanwhile.
                Err(error) if !silent => {
                    silent = true;
                    self.progress.note(&format!("{error}; asking again"));
                }
                Err(_) => {}
            }
            let pause = (SOONEST + start.elapsed() / 30).min(LATEST);
            if rest(pause, stop) {
                self.progress.end();
                return Ok(vec![self.farewell()]);
            }
        }
        if !self.awaited.is_empty() && !rest(SETTLE, stop) {
            self.take_in(journal)?;
        }
        self.progress.end();
        Ok(self.failures())
    }

    fn take_in(&mut self, journal: &mut Journal) -> Result<(), BenchError> {
        for record in journal.absorb()? {
            if self.awaited.remove(&(record.engine.clone(), record.task.clone())) {
                self.progress.finished(&record);
            }
        }
        Ok(())
    }

    /// Whether any element is still to end.
    fn show(&mut self, elements: Vec<Element>) -> bool {
        let is_live = elements.iter().any(Element::is_live);
        for element in elements {
            self.elements.insert(element.index, element);
        }
        self.progress.status(&status(self.elements.values()));
        is_live
    }

    fn farewell(&self) -> String {
        let jobs = self.jobs.join(" ");
        format!(
            "The jobs go on by themselves: the same command comes back to them, `scancel {jobs}` \
             cancels them."
        )
    }

    /// How elements have ended that did not end well.
    fn failures(&self) -> Vec<String> {
        let mut by_state: BTreeMap<&str, Vec<String>> = BTreeMap::new();
        for element in self.elements.values().filter(|element| element.has_failed()) {
            by_state.entry(&element.state).or_default().push(element.index.to_string());
        }
        let line = |(state, elements): (&str, Vec<String>)| {
            format!("Slurm ended with {state}: elements {}", elements.join(","))
        };
        by_state.into_iter().map(line).collect()
    }
}

/// How many elements are in which way, and why they wait.
fn status<'a>(elements: impl Iterator<Item = &'a Element>) -> String {
    let (mut running, mut pending, mut failed, mut done) = (0, 0, 0, 0);
    let mut reasons: Vec<&str> = Vec::new();
    for element in elements {
        if element.is_running() {
            running += 1;
        } else if element.is_live() {
            pending += 1;
            if !element.reason.is_empty() && !reasons.contains(&element.reason.as_str()) {
                reasons.push(&element.reason);
            }
        } else if element.has_failed() {
            failed += 1;
        } else {
            done += 1;
        }
    }
    let why = match reasons.is_empty() {
        true => String::new(),
        false => format!(" ({})", reasons.join(", ")),
    };
    format!("elements: {done} done, {running} running, {pending} pending{why}, {failed} failed")
}

/// Whether `stop` was raised meanwhile.
fn rest(pause: Duration, stop: &AtomicBool) -> bool {
    let start = Instant::now();
    while start.elapsed() < pause && !stop.load(Ordering::Relaxed) {
        std::thread::sleep(Duration::from_millis(50));
    }
    stop.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_in_words() {
        let element = |index, state: &str, reason: &str| Element {
            job: "1".into(),
            index,
            state: state.into(),
            reason: reason.into(),
        };
        let elements = [
            element(1, "COMPLETED", "None"),
            element(2, "RUNNING", "None"),
            element(3, "COMPLETING", "None"),
            element(4, "PENDING", "Resources"),
            element(5, "PENDING", "Resources"),
            element(6, "NODE_FAIL", "None"),
        ];
        let text = "elements: 1 done, 2 running, 2 pending (Resources), 1 failed";
        assert_eq!(status(elements.iter()), text);
    }
}
