//! A live line on a terminal: what runs, how far it is, for how long. Silent when piped.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use wedge_engines::Figures;

const INTERVAL: Duration = Duration::from_millis(100);

pub struct StatusLine {
    bar: Option<ProgressBar>,
    start: Instant,
    last: Instant,
}

impl StatusLine {
    pub fn new(start: Instant) -> StatusLine {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.set_style(
                ProgressStyle::with_template("{spinner} {wide_msg}").expect("a valid template"),
            );
            bar
        });
        StatusLine { bar, start, last: start }
    }

    /// Shows what `describe` says, if there is a terminal and it is time for a change.
    pub fn update(&mut self, describe: impl FnOnce() -> String) {
        let Some(bar) = &self.bar else { return };
        if self.last.elapsed() < INTERVAL {
            return;
        }
        self.last = Instant::now();
        bar.set_message(format!("{:.1} s  {}", self.start.elapsed().as_secs_f64(), describe()));
        bar.tick();
    }

    /// Prints a message that stays, above the line.
    pub fn say(&self, message: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("wedge: {message}")),
            None => eprintln!("wedge: {message}"),
        }
    }

    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

/// How far an engine is.
pub fn progress(engine: &str, figures: &Figures) -> String {
    let (bound, queries) = (figures.bound, figures.queries);
    match figures.interpolants {
        0 => format!("{engine}  bound {bound}  queries {queries}"),
        n => format!("{engine}  bound {bound}  interpolants {n}  queries {queries}"),
    }
}
