//! How far a suite is: a bar with the remaining time on a terminal, a line per run otherwise.

use crate::record::{Judgement, Record};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::Duration;

pub struct Progress {
    bar: Option<ProgressBar>,
    total: usize,
    done: usize,
    solved: usize,
    wrong: usize,
    /// Of a cluster.
    status: String,
}

const TEMPLATE: &str = "{bar:30} {pos}/{len}  {elapsed} elapsed, {eta} left  {wide_msg}";

impl Progress {
    /// For `total` runs of which `missing` are still to be made.
    pub fn new(total: usize, missing: usize) -> Progress {
        if missing < total {
            eprintln!("{} of {total} runs are done already", total - missing);
        }
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(missing as u64);
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.set_style(ProgressStyle::with_template(TEMPLATE).expect("a valid template"));
            bar.enable_steady_tick(Duration::from_millis(500));
            bar
        });
        Progress { bar, total, done: 0, solved: 0, wrong: 0, status: String::new() }
    }

    /// Counts a run without showing it.
    pub fn count(&mut self, record: &Record) {
        self.done += 1;
        self.solved += usize::from(record.solved());
        self.wrong += usize::from(record.judgement() == Judgement::Wrong);
    }

    pub fn finished(&mut self, record: &Record) {
        self.count(record);
        let line = line(record);
        match &self.bar {
            Some(bar) => {
                if record.judgement() == Judgement::Wrong {
                    bar.suspend(|| eprintln!("{line}"));
                }
                bar.inc(1);
                let (solved, wrong, status) = (self.solved, self.wrong, &self.status);
                let last = if status.is_empty() { &line } else { status };
                bar.set_message(format!("solved {solved}  wrong {wrong}  {last}"));
            }
            None => eprintln!("[{}/{}] {line}", self.done, self.total),
        }
    }

    /// How machines elsewhere are; a line where it changes.
    pub fn status(&mut self, status: &str) {
        if self.status == status {
            return;
        }
        self.status = status.into();
        match &self.bar {
            Some(bar) => bar.set_message(status.to_string()),
            None => eprintln!("[{}/{}] {status}", self.done, self.total),
        }
    }

    pub fn note(&self, note: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("{note}")),
            None => eprintln!("{note}"),
        }
    }

    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn line(record: &Record) -> String {
    let judgement = match record.judgement() {
        Judgement::Other => format!("{}: {}", record.outcome.name(), record.reason),
        judgement => judgement.name().into(),
    };
    format!("{} {}: {judgement}, {:.2} s", record.engine, record.task, record.seconds)
}
