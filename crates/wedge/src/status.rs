//! A live line on a terminal: engine, bound, interpolants, time. Silent when piped.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use wedge_engines::Context;

pub struct StatusLine {
    bar: Option<ProgressBar>,
    engine: String,
    start: Instant,
    last: Instant,
}

impl StatusLine {
    pub fn new(engine: &str, start: Instant) -> StatusLine {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new_spinner();
            bar.set_draw_target(ProgressDrawTarget::stderr());
            bar.set_style(
                ProgressStyle::with_template("{spinner} {msg}").expect("a valid template"),
            );
            bar
        });
        StatusLine { bar, engine: engine.to_string(), start, last: start }
    }

    pub fn update(&mut self, context: &Context) {
        let Some(bar) = &self.bar else { return };
        if self.last.elapsed() < Duration::from_millis(100) {
            return;
        }
        self.last = Instant::now();
        let figures = context.figures();
        bar.set_message(format!(
            "{}  bound {}  interpolants {}  queries {}  {:.1} s",
            self.engine,
            figures.bound,
            figures.interpolants,
            figures.queries,
            self.start.elapsed().as_secs_f64()
        ));
        bar.tick();
    }

    pub fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}
