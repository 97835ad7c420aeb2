//! A live line on a terminal: what runs, how far it is, for how long. Silent when piped.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use wedge::{Observer, Working};

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

    fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for StatusLine {
    fn drop(&mut self) {
        self.clear();
    }
}

impl Observer for StatusLine {
    /// Shows the engines, if there is a terminal and it is time for a change.
    fn working(&mut self, engines: &dyn Fn() -> Vec<Working>) {
        let Some(bar) = &self.bar else { return };
        if self.last.elapsed() < INTERVAL {
            return;
        }
        self.last = Instant::now();
        let lines: Vec<String> = engines().iter().map(progress).collect();
        let seconds = self.start.elapsed().as_secs_f64();
        bar.set_message(format!("{seconds:.1} s  {}", lines.join("  |  ")));
        bar.tick();
    }

    /// Prints a message that stays, above the line.
    fn message(&mut self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| eprintln!("wedge: {text}")),
            None => eprintln!("wedge: {text}"),
        }
    }
}

/// How far an engine is.
fn progress(working: &Working) -> String {
    let (engine, bound, queries) =
        (&working.engine, working.figures.bound, working.figures.queries);
    match working.figures.interpolants {
        0 => format!("{engine}  bound {bound}  queries {queries}"),
        n => format!("{engine}  bound {bound}  interpolants {n}  queries {queries}"),
    }
}
