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
        Progress { bar, total, done: 0, solved: 0, wrong: 0 }
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
                bar.set_message(format!("solved {}  wrong {}  {line}", self.solved, self.wrong));
            }
            None => eprintln!("[{}/{}] {line}", self.done, self.total),
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
