//! What is shown while a check goes on: on a terminal a line for each engine that says what it does
//! in words, redrawn in place; elsewhere a plain line once in a while; for programs a line of JSON
//! (`docs/schemas/progress.json`). All of it goes to standard error.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use std::io::IsTerminal;
use std::time::{Duration, Instant};
use wedge::{Observer, Phase, Working};
use wedge_engines::figures::{self, Key};

/// How progress is told.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum)]
pub enum ProgressArg {
    /// A display on a terminal, elsewhere a line every 30 seconds.
    Auto,
    /// A line of JSON every half second.
    Json,
    None,
}

enum Display {
    Terminal(ProgressBar),
    Lines,
    Json,
    Silent,
}

pub struct Status {
    display: Display,
    start: Instant,
    deadline: Option<Instant>,
    next: Instant,
}

impl Status {
    pub fn new(how: ProgressArg, start: Instant, timeout: Option<Duration>) -> Status {
        let display = match how {
            ProgressArg::None => Display::Silent,
            ProgressArg::Json => Display::Json,
            ProgressArg::Auto if std::io::stderr().is_terminal() => Display::Terminal(bar()),
            ProgressArg::Auto => Display::Lines,
        };
        let mut status = Status {
            display,
            start,
            deadline: timeout.map(|timeout| start + timeout),
            next: start,
        };
        status.next += status.interval();
        status
    }

    fn interval(&self) -> Duration {
        match self.display {
            Display::Terminal(_) => Duration::from_millis(150),
            Display::Json => Duration::from_millis(500),
            Display::Lines | Display::Silent => Duration::from_secs(30),
        }
    }

    fn left(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// How long it has taken, and how long it may still take.
    fn clock(&self) -> String {
        let spent = span(self.start.elapsed());
        match self.left() {
            Some(left) => format!("{spent}, {} left", span(left)),
            None => spent,
        }
    }

    fn show(&self, engines: &[Working]) {
        match &self.display {
            Display::Silent => {}
            Display::Terminal(bar) => {
                let width = engines.iter().map(|e| e.engine.len()).max().unwrap_or(0);
                let lines =
                    engines.iter().map(|e| format!("\n  {:width$}  {}", e.engine, words(e)));
                bar.set_message(format!("{}{}", self.clock(), lines.collect::<String>()));
                bar.tick();
            }
            Display::Lines => {
                let parts: Vec<String> =
                    engines.iter().map(|e| format!("{}: {}", e.engine, words(e))).collect();
                eprintln!("wedge: {}; {}", self.clock(), parts.join("; "));
            }
            Display::Json => {
                let line = json!({
                    "event": "progress",
                    "seconds": self.start.elapsed().as_secs_f64(),
                    "left": self.left().map(|left| left.as_secs_f64()),
                    "engines": engines.iter().map(working).collect::<Vec<_>>(),
                });
                eprintln!("{line}");
            }
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    bar.set_draw_target(ProgressDrawTarget::stderr());
    bar.set_style(ProgressStyle::with_template("{spinner} {msg}").expect("a valid template"));
    bar
}

impl Drop for Status {
    fn drop(&mut self) {
        if let Display::Terminal(bar) = &self.display {
            bar.finish_and_clear();
        }
    }
}

impl Observer for Status {
    /// Shows the engines, if it is time for a change.
    fn working(&mut self, engines: &dyn Fn() -> Vec<Working>) {
        let now = Instant::now();
        if now >= self.next && !matches!(self.display, Display::Silent) {
            self.next = now + self.interval();
            self.show(&engines());
        }
    }

    /// Prints a message that stays, above the display.
    fn message(&mut self, text: &str) {
        match &self.display {
            Display::Terminal(bar) => bar.suspend(|| eprintln!("wedge: {text}")),
            Display::Json => eprintln!("{}", json!({ "event": "message", "text": text })),
            Display::Lines | Display::Silent => eprintln!("wedge: {text}"),
        }
    }
}

fn working(engine: &Working) -> serde_json::Value {
    json!({
        "engine": engine.engine,
        "phase": match engine.phase {
            Phase::Searching => "searching",
            Phase::Checking => "checking",
        },
        "doing": words(engine),
        "seconds": engine.seconds,
        "memory": engine.memory,
        "bound": engine.figures.bound,
        "queries": engine.figures.queries,
        "interpolants": engine.figures.interpolants,
        "refinements": engine.figures.refinements,
    })
}

/// Figures that tell how far an engine is, with the words for them.
const TOLD: &[(Key, &str)] = &[
    (figures::LEMMAS, "lemmas"),
    (figures::NODES, "nodes"),
    (figures::PREDICATES, "predicates"),
    (figures::EXECUTED_RUNS, "runs"),
    (figures::WALKED_STATES, "states"),
];

/// What an engine is doing.
fn words(engine: &Working) -> String {
    let figures = &engine.figures;
    let mut parts = Vec::new();
    if figures.bound > 0 {
        parts.push(format!("{} {}", engine.counts, figures.bound));
    }
    let counted = [
        (figures.refinements, "refinements"),
        (figures.interpolants as u64, "interpolants"),
        (figures.queries, "queries"),
    ];
    let counted = counted.into_iter().map(|(count, what)| (count as f64, what));
    let told = TOLD.iter().map(|(key, what)| (figures.get(*key).unwrap_or(0.0), *what));
    for (count, what) in told.chain(counted).filter(|(count, _)| *count > 0.0) {
        parts.push(format!("{} {what}", short(count)));
    }
    if engine.phase == Phase::Checking {
        parts.insert(0, "checking the evidence".into());
    }
    if parts.is_empty() {
        parts.push("preparing the model".into());
    }
    parts.extend(engine.memory.filter(|bytes| *bytes > 0).map(bytes));
    parts.join(", ")
}

fn short(count: f64) -> String {
    match count {
        ..1e4 => format!("{count:.0}"),
        ..1e6 => format!("{:.1}k", count / 1e3),
        _ => format!("{:.1}M", count / 1e6),
    }
}

fn bytes(count: u64) -> String {
    match count {
        ..1_000_000_000 => format!("{} MB", count / 1_000_000),
        _ => format!("{:.1} GB", count as f64 / 1e9),
    }
}

fn span(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match time.as_secs() {
        ..100 => format!("{seconds:.1} s"),
        100..6000 => format!("{} min {:02} s", time.as_secs() / 60, time.as_secs() % 60),
        _ => format!("{} h {:02} min", time.as_secs() / 3600, time.as_secs() / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wedge_engines::Figures;

    fn engine(phase: Phase, figures: Figures) -> Working {
        let engine = "pdr".to_string();
        Working { engine, counts: "frame", figures, phase, seconds: 1.0, memory: Some(20_500_000) }
    }

    #[test]
    fn words_say_what_an_engine_does() {
        let mut figures = Figures { bound: 7, queries: 12_345, ..Figures::default() };
        figures.add(figures::LEMMAS, 31.0);
        let text = words(&engine(Phase::Searching, figures));
        assert_eq!(text, "frame 7, 31 lemmas, 12.3k queries, 20 MB");
        let text = words(&engine(Phase::Checking, Figures::default()));
        assert_eq!(text, "checking the evidence, 20 MB");
    }

    #[test]
    fn spans_are_read_at_a_glance() {
        let texts = [0.5, 99.0, 100.0, 7500.0].map(|s| span(Duration::from_secs_f64(s)));
        assert_eq!(texts, ["0.5 s", "99.0 s", "1 min 40 s", "2 h 05 min"]);
    }
}
