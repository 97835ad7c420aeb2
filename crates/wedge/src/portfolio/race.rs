//! The race: starts and stops the entrants, keeps the limits, takes the first answer.

use super::entrant::{Entrant, Mail, State};
use super::protocol::Event;
use super::schedule;
use crate::answer::Answer;
use crate::args::CheckArgs;
use crate::sharing::Share;
use crate::status::{StatusLine, progress};
use crate::verdict::{Verdict, is_undefined};
use std::ffi::OsString;
use std::process::Command;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use wedge_bench::process;
use wedge_bench::units::duration_argument;
use wedge_c::Features;
use wedge_engines::UnknownReason;

/// How often memory and time are looked at.
const TICK: Duration = Duration::from_millis(5);
/// The part of the memory limit that is kept free, for growth between two looks.
const MARGIN: f64 = 0.05;

/// Runs the portfolio on one property. Must be called from a thread that lives until the process
/// ends.
pub fn race(
    args: &CheckArgs,
    features: Option<&Features>,
    property: usize,
    start: Instant,
) -> Answer {
    let mut race = Race::new(args, features, property, start);
    let answer = race.run();
    race.status.clear();
    answer
}

struct Race {
    property: usize,
    cores: usize,
    start: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    entrants: Vec<Entrant>,
    mail: (Sender<Mail>, Receiver<Mail>),
    next_turn: Instant,
    status: StatusLine,
}

impl Race {
    fn new(args: &CheckArgs, features: Option<&Features>, property: usize, start: Instant) -> Race {
        let available = || std::thread::available_parallelism().map_or(1, usize::from);
        Race {
            property,
            cores: args.cores.map_or_else(available, |n| n as usize),
            start,
            deadline: args.timeout.map(|timeout| start + timeout),
            memory: args.memory.or_else(default_memory),
            entrants: schedule::plan(features).into_iter().map(Entrant::new).collect(),
            mail: channel(),
            next_turn: start,
            status: StatusLine::new(start),
        }
    }

    fn run(&mut self) -> Answer {
        loop {
            if Instant::now() >= self.next_turn {
                self.take_turns();
            }
            match self.mail.1.recv_timeout(TICK) {
                Ok((index, event)) => {
                    if let Some(answer) = self.hear(index, event) {
                        return self.finish(Some(index), *answer);
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
            self.keep_memory();
            if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                let verdict = match self.undefined() {
                    Some(reason) => Verdict::Unknown(reason),
                    None => UnknownReason::Timeout.into(),
                };
                return self.undecided(verdict);
            }
            if let Some(reasons) = self.all_ended() {
                return self.undecided(Verdict::Unknown(joined(&reasons)));
            }
            self.show();
        }
    }

    /// Gives the cores to those that the schedule names.
    fn take_turns(&mut self) {
        let claims = self.entrants.iter().enumerate().filter_map(|(i, e)| e.claim(i)).collect();
        let chosen = schedule::pick(claims, self.cores);
        for (index, entrant) in self.entrants.iter_mut().enumerate() {
            if !chosen.contains(&index) {
                entrant.pause();
            }
        }
        for index in chosen {
            let entrant = &mut self.entrants[index];
            let engine = entrant.entry.engine;
            let command = || command(self.property, engine, self.deadline, self.memory);
            entrant.resume(index, command, &self.mail.0);
        }
        self.next_turn = Instant::now() + schedule::turn(self.start.elapsed());
    }

    /// Takes a message; the answer if it decides the race.
    fn hear(&mut self, index: usize, event: Option<Event>) -> Option<Box<Answer>> {
        let entrant = &mut self.entrants[index];
        match event {
            Some(Event::Ready) => entrant.ready = true,
            Some(Event::Progress(figures)) => entrant.figures = figures,
            Some(Event::Checking(checking)) => {
                entrant.check(checking);
                self.next_turn = Instant::now();
            }
            Some(Event::Share(share)) => self.pass_on(index, &share),
            Some(Event::Answer(answer)) => {
                entrant.figures = answer.figures.clone();
                match &answer.verdict {
                    Verdict::Unknown(reason) => entrant.end(reason.clone()),
                    Verdict::True | Verdict::False(_) => return Some(answer),
                }
                self.next_turn = Instant::now();
            }
            None => {
                if let Some(reason) = entrant.crash() {
                    self.status.say(&format!("the engine {} {reason}", entrant.entry.engine));
                }
                self.next_turn = Instant::now();
            }
        }
        None
    }

    /// Gives a message to all others that can still use it.
    fn pass_on(&self, sender: usize, share: &Share) {
        let Ok(mut line) = serde_json::to_vec(share) else { return };
        line.push(b'\n');
        let line: Arc<[u8]> = line.into();
        for (index, entrant) in self.entrants.iter().enumerate() {
            if index != sender && !matches!(entrant.state, State::Ended(_)) {
                entrant.mailbox.put(sender, share, line.clone());
            }
        }
    }

    /// Kills the largest entrant when all of them together come near the limit.
    fn keep_memory(&mut self) {
        let Some(limit) = self.memory else { return };
        let resident: Vec<u64> =
            self.entrants.iter().map(|e| e.process().map_or(0, |p| p.resident())).collect();
        let total = process::resident("self") + resident.iter().sum::<u64>();
        if total as f64 <= limit as f64 * (1.0 - MARGIN) {
            return;
        }
        let largest = (0..resident.len()).max_by_key(|&index| resident[index]);
        if let Some(index) = largest.filter(|&index| resident[index] > 0) {
            self.entrants[index].end(UnknownReason::Memory.to_string());
            self.next_turn = Instant::now();
        }
    }

    fn all_ended(&self) -> Option<Vec<(&'static str, &str)>> {
        self.entrants
            .iter()
            .map(|entrant| match &entrant.state {
                State::Ended(reason) => Some((entrant.entry.engine, reason.as_str())),
                _ => None,
            })
            .collect()
    }

    /// The reason of an entrant that has found undefined behaviour.
    fn undefined(&self) -> Option<String> {
        self.entrants.iter().find_map(|entrant| match &entrant.state {
            State::Ended(reason) if is_undefined(reason) => Some(reason.clone()),
            _ => None,
        })
    }

    /// The figures are those of the entrant that had most of the time.
    fn undecided(&mut self, verdict: Verdict) -> Answer {
        let mut answer = Answer::bare(self.property, verdict);
        if let Some(longest) = self.entrants.iter().max_by_key(|entrant| entrant.used()) {
            answer.figures = longest.figures.clone();
        }
        self.finish(None, answer)
    }

    /// Stops everyone at once.
    fn finish(&mut self, winner: Option<usize>, mut answer: Answer) -> Answer {
        let report = |(index, entrant): (usize, &Entrant)| entrant.member(Some(index) == winner);
        answer.members = self.entrants.iter().enumerate().map(report).collect();
        answer.seconds = self.start.elapsed().as_secs_f64();
        self.entrants.iter().filter_map(Entrant::process).for_each(|process| process.kill());
        answer
    }

    fn show(&mut self) {
        let entrants = &self.entrants;
        self.status.update(|| {
            let running = entrants.iter().filter(|entrant| entrant.is_running());
            let lines = running.map(|entrant| progress(entrant.entry.engine, &entrant.figures));
            lines.collect::<Vec<_>>().join("  |  ")
        });
    }
}

/// Several engines can fill a machine, so without a limit most of what is free is the limit.
fn default_memory() -> Option<u64> {
    process::available_memory().map(|bytes| bytes / 10 * 9)
}

/// Undefined behaviour if anyone met it, timeout if anyone ran out of time, one reason if all
/// agree, otherwise all of them.
fn joined(reasons: &[(&str, &str)]) -> String {
    if let Some((_, reason)) = reasons.iter().find(|(_, reason)| is_undefined(reason)) {
        return reason.to_string();
    }
    let timeout = UnknownReason::Timeout.to_string();
    if reasons.iter().any(|(_, reason)| *reason == timeout) {
        return timeout;
    }
    match reasons {
        [] => "no engine is available".into(),
        [(_, first), rest @ ..] if rest.iter().all(|(_, reason)| reason == first) => {
            (*first).into()
        }
        _ => {
            let parts = reasons.iter().map(|(engine, reason)| format!("{engine}: {reason}"));
            parts.collect::<Vec<_>>().join("; ")
        }
    }
}

/// This program with its own arguments, as a member. Of an argument that is given twice the last
/// one counts.
fn command(
    property: usize,
    entry: &str,
    deadline: Option<Instant>,
    memory: Option<u64>,
) -> Command {
    let mut arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let mut extra = vec!["--engine".to_string()];
    extra.extend(entry.split_whitespace().map(String::from));
    extra.extend(["--member".to_string(), property.to_string()]);
    if let Some(deadline) = deadline {
        let left = deadline.saturating_duration_since(Instant::now());
        extra.extend(["--timeout".to_string(), duration_argument(left)]);
    }
    if let Some(limit) = memory {
        let share = limit.saturating_sub(process::resident("self")).max(1);
        extra.extend(["--memory".to_string(), share.to_string()]);
    }
    let end = arguments.iter().position(|a| a == "--").unwrap_or(arguments.len());
    arguments.splice(end..end, extra.into_iter().map(OsString::from));
    let program = std::env::current_exe().unwrap_or_else(|_| "wedge".into());
    let mut command = Command::new(program);
    command.args(arguments);
    command
}
