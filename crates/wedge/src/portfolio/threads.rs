//! The engines of a portfolio as threads: for programs that call Wedge as a library.
//!
//! All engines start at once and the system gives each of them its turns, so the shares of a plan do
//! not count; what engines find is not passed on. The first answer counts, and the others are asked
//! to stop.

use super::race::joined;
use super::schedule::Entry;
use crate::answer::{Answer, Member};
use crate::decide::{Running, start};
use crate::input::Model;
use crate::observer::{Observer, Phase, Working};
use crate::options::Options;
use std::sync::Arc;
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(5);

pub fn race(
    plan: Vec<Entry>,
    model: &Arc<dyn Model>,
    options: &Options,
    begin: Instant,
    observer: &mut dyn Observer,
) -> Answer {
    // Another choice of objects is another model, which only a process of its own reads.
    let plan = plan.into_iter().filter(|entry| entry.variant.objects.is_none());
    let mut running: Vec<Running> = plan
        .map(|entry| start(&with_settings(options, &entry), entry.engine, model, begin))
        .collect();
    let mut members = Vec::new();
    let mut reasons = Vec::new();
    while !running.is_empty() {
        std::thread::sleep(TICK);
        observer.working(&|| running.iter().map(|engine| working(engine, begin)).collect());
        let Some(ended) = running.iter().position(|engine| engine.has_ended(options)) else {
            continue;
        };
        let engine = running.remove(ended);
        let name = engine.engine.name.to_string();
        let answer = engine.finish(options, begin);
        let is_decided = answer.verdict.reason().is_none();
        members.push(member(name.clone(), &answer, is_decided));
        if is_decided {
            running.iter().for_each(|other| other.context.cancel());
            return Answer { members, ..answer };
        }
        answer.warnings.iter().for_each(|warning| observer.message(warning));
        reasons.extend(answer.verdict.reason().map(|reason| (name, reason.clone())));
    }
    let mut answer = Answer::bare(options.asked(), joined(&reasons).into());
    answer.seconds = begin.elapsed().as_secs_f64();
    Answer { members, ..answer }
}

/// The options with those of the entry; a value that does not fit is left as it is.
pub(super) fn with_settings(options: &Options, entry: &Entry) -> Options {
    let mut options = options.clone();
    for (option, value) in entry.variant.settings {
        let _ = option.set(&mut options.settings, value);
    }
    options
}

fn working(engine: &Running, begin: Instant) -> Working {
    Working {
        engine: engine.engine.name.to_string(),
        counts: engine.engine.counts,
        figures: engine.context.figures(),
        phase: Phase::new(engine.is_checking()),
        seconds: begin.elapsed().as_secs_f64(),
        memory: None,
    }
}

fn member(engine: String, answer: &Answer, answered: bool) -> Member {
    Member {
        engine,
        answered,
        end: answer.verdict.reason().map_or("answered".into(), ToString::to_string),
        seconds: answer.seconds,
        turns: vec![(0.0, answer.seconds)],
        bound: answer.figures.bound,
        shared_bounds: 0,
        shared_facts: 0,
    }
}
