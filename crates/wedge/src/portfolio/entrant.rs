//! One engine of a portfolio, seen from the process that runs the race.

use super::mailbox::Mailbox;
use super::protocol::{Event, receive};
use super::schedule::{Claim, Entry, Urgency};
use crate::answer::Member;
use crate::observer::{Phase, Working};
use crate::tuned::{HEAD_START, LEAST_CHECK};
use std::io::{BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};
use wedge_engines::{Figures, UnknownReason, figures};
use wedge_process::nursery::Pipes;
use wedge_process::{Exit, Nursery, Process};

/// Reading and preparing most models takes less. Not tuned.
const LONG_BEGINNING: Duration = Duration::from_secs(2);

pub struct Entrant {
    pub entry: Entry,
    pub state: State,
    /// The latest figures it has reported.
    pub figures: Figures,
    /// It has reported that it would not outlive this process, even when stopped.
    pub ready: bool,
    /// What the others have told it.
    pub mailbox: Mailbox,
    used: Duration,
    /// When it had a core: turns that have ended.
    turns: Vec<(Instant, Instant)>,
    /// It checks the evidence of an answer since it had run for so long.
    checking: Option<Duration>,
}

pub enum State {
    Waiting,
    /// The nursery was asked for it.
    Unborn {
        since: Instant,
    },
    Running {
        process: Process,
        since: Instant,
    },
    Paused(Process),
    /// With the reason why it gave no answer.
    Ended(UnknownReason),
}

/// A message from an entrant, by its index; none at the end of its output.
pub type Mail = (usize, Option<Event>);

impl Entrant {
    pub fn new(entry: Entry) -> Entrant {
        Entrant {
            entry,
            state: State::Waiting,
            figures: Figures::default(),
            ready: false,
            mailbox: Mailbox::default(),
            used: Duration::ZERO,
            turns: Vec::new(),
            checking: None,
        }
    }

    pub fn is_running(&self) -> bool {
        matches!(self.state, State::Running { .. } | State::Unborn { .. })
    }

    pub fn is_waiting(&self) -> bool {
        matches!(self.state, State::Waiting)
    }

    pub fn is_unborn(&self) -> bool {
        matches!(self.state, State::Unborn { .. })
    }

    /// It is to be started another way.
    pub fn wait_again(&mut self) {
        self.used = self.used();
        self.state = State::Waiting;
        // What the others have told it went to the process that never was.
        self.mailbox = Mailbox::default();
    }

    /// The process has told its number, and that it may be stopped.
    pub fn be_ready(&mut self, number: u32) {
        if let State::Unborn { since } = self.state
            && let Some(process) = Nursery::adopt(number)
        {
            self.state = State::Running { process, since };
        }
        self.ready = true;
    }

    pub fn process(&self) -> Option<&Process> {
        match &self.state {
            State::Running { process, .. } | State::Paused(process) => Some(process),
            State::Waiting | State::Unborn { .. } | State::Ended(_) => None,
        }
    }

    pub fn used(&self) -> Duration {
        match &self.state {
            State::Running { since, .. } | State::Unborn { since } => self.used + since.elapsed(),
            _ => self.used,
        }
    }

    /// What it may ask of the schedule; nothing after its end.
    pub fn claim(&self, index: usize) -> Option<Claim> {
        let ended = matches!(self.state, State::Ended(_));
        let used = self.used();
        (!ended).then(|| Claim { index, share: self.entry.share, used, urgency: self.urgency() })
    }

    /// An answer is near, so a check goes first, until it has taken twice as long as the search.
    fn urgency(&self) -> Urgency {
        let is_near = |since: Duration| self.used() <= since + 2 * since.max(LEAST_CHECK);
        match self.checking {
            _ if self.is_running() && !self.ready => Urgency::Unstoppable,
            Some(since) if is_near(since) => Urgency::Answer,
            _ if self.begins() => Urgency::Begins,
            _ => Urgency::Share,
        }
    }

    /// With a head start it is not stopped before its first step, unless that is far away, nor in its first moments.
    fn begins(&self) -> bool {
        let until = match self.figures.get(figures::FIRST_STEP) {
            Some(_) => HEAD_START,
            None => LONG_BEGINNING,
        };
        self.is_running() && self.entry.engine.head_start && self.used() < until
    }

    pub fn check(&mut self, checking: bool) {
        self.checking = checking.then(|| self.used());
    }

    /// Counts the time since it got its core.
    fn end_turn(&mut self) {
        self.used = self.used();
        self.turns.extend(self.current_turn());
    }

    fn current_turn(&self) -> Option<(Instant, Instant)> {
        match &self.state {
            State::Running { since, .. } => Some((*since, Instant::now())),
            _ => None,
        }
    }

    /// Its turns in seconds since the start; those that are hardly apart are one.
    fn turns(&self, start: Instant) -> Vec<(f64, f64)> {
        const APART: f64 = 0.002;
        let seconds = |at: Instant| at.saturating_duration_since(start).as_secs_f64();
        let mut turns: Vec<(f64, f64)> = Vec::new();
        for (from, to) in self.turns.iter().copied().chain(self.current_turn()) {
            match turns.last_mut() {
                Some(last) if seconds(from) - last.1 < APART => last.1 = seconds(to),
                _ => turns.push((seconds(from), seconds(to))),
            }
        }
        turns
    }

    /// Takes its core away. One that is stopped already is told again, because a terminal that
    /// stops and continues this program continues all its processes.
    pub fn pause(&mut self) {
        self.end_turn();
        self.state = match std::mem::replace(&mut self.state, State::Waiting) {
            State::Running { process, .. } | State::Paused(process) => {
                process.pause();
                State::Paused(process)
            }
            other => other,
        };
    }

    /// Gives it a core, unless it has one. An entrant that waits is the `copy` at the other end of
    /// the pipes, or is started with `command`.
    pub fn resume(
        &mut self,
        index: usize,
        copy: Option<Pipes>,
        command: impl FnOnce() -> Command,
        mail: &Sender<Mail>,
    ) {
        let since = Instant::now();
        if let (State::Waiting, Some(pipes)) = (&self.state, copy) {
            self.mailbox.deliver(pipes.stdin);
            let mail = mail.clone();
            std::thread::spawn(move || forward(index, pipes.stdout, &mail));
            self.state = State::Unborn { since };
            return;
        }
        self.state = match std::mem::replace(&mut self.state, State::Waiting) {
            State::Paused(process) => {
                process.resume();
                State::Running { process, since }
            }
            State::Waiting => match start(index, command(), &self.mailbox, mail.clone()) {
                Ok(process) => State::Running { process, since },
                Err(error) => {
                    State::Ended(UnknownReason::Crashed(format!("cannot be started: {error}")))
                }
            },
            other => other,
        };
    }

    /// Ends it; a process that still runs is killed.
    pub fn end(&mut self, reason: UnknownReason) {
        self.end_turn();
        self.state = State::Ended(reason);
    }

    /// Ends it after its output has ended without an answer; says how.
    pub fn crash(&mut self) -> Option<String> {
        let (State::Running { process, .. } | State::Paused(process)) = &mut self.state else {
            return None;
        };
        let reason = match end_within(process, Duration::from_secs(1)) {
            Some(exit) => format!("ended with {exit}"),
            None => "sent no valid message".into(),
        };
        self.end(UnknownReason::Crashed(reason.clone()));
        Some(reason)
    }

    pub fn working(&self) -> Working {
        Working {
            engine: self.entry.name(),
            counts: self.entry.engine.counts,
            figures: self.figures.clone(),
            phase: Phase::new(self.checking.is_some()),
            seconds: self.used().as_secs_f64(),
            memory: self.process().map(Process::resident),
        }
    }

    pub fn member(&self, answered: bool, start: Instant) -> Member {
        let end = match &self.state {
            State::Waiting => "not started".into(),
            State::Ended(reason) => reason.to_string(),
            State::Running { .. } | State::Paused(_) if answered => "answered".into(),
            State::Unborn { .. } | State::Running { .. } | State::Paused(_) => "stopped".into(),
        };
        let received = |key: figures::Key| self.figures.get(key).unwrap_or(0.0) as usize;
        Member {
            engine: self.entry.name(),
            answered,
            end,
            seconds: self.used().as_secs_f64(),
            turns: self.turns(start),
            bound: self.figures.bound,
            shared_bounds: received(figures::SHARED_BOUNDS),
            shared_facts: received(figures::SHARED_FACTS),
        }
    }
}

fn end_within(process: &mut Process, patience: Duration) -> Option<Exit> {
    let start = Instant::now();
    while process.ended().is_none() && start.elapsed() < patience {
        std::thread::sleep(Duration::from_millis(1));
    }
    process.ended()
}

/// The process must be started by a thread that lives as long as the race: its leash follows it.
fn start(
    index: usize,
    mut command: Command,
    mailbox: &Mailbox,
    mail: Sender<Mail>,
) -> std::io::Result<Process> {
    let mut process = Process::spawn(command.stdout(Stdio::piped()))?;
    if let Some(input) = process.take_stdin() {
        mailbox.deliver(input);
    }
    if let Some(output) = process.take_stdout() {
        std::thread::spawn(move || forward(index, output, &mail));
    }
    Ok(process)
}

fn forward(index: usize, output: impl Read, mail: &Sender<Mail>) {
    let mut input = BufReader::new(output);
    loop {
        let event = receive(&mut input);
        let last = matches!(event, None | Some(Event::Answer(_)));
        if mail.send((index, event)).is_err() || last {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wedge_engines::registry::{self, Variant};

    #[test]
    fn a_check_goes_first_until_it_takes_too_long() {
        let mut entrant = Entrant::new(Entry {
            engine: registry::find("kind").unwrap(),
            variant: &Variant::PLAIN,
            share: 1.0,
        });
        let seconds = Duration::from_secs;
        assert_eq!(entrant.urgency(), Urgency::Share);
        entrant.used = seconds(10);
        entrant.check(true);
        for (used, urgency) in [(10, Urgency::Answer), (30, Urgency::Answer), (31, Urgency::Share)]
        {
            entrant.used = seconds(used);
            assert_eq!(entrant.urgency(), urgency, "after {used} s");
        }
        entrant.used = seconds(11);
        entrant.check(false);
        assert_eq!(entrant.urgency(), Urgency::Share);
    }

    #[test]
    fn who_has_a_head_start_is_not_stopped_before_its_first_step() {
        for (name, urgency) in [("execute", Urgency::Begins), ("kind", Urgency::Share)] {
            let engine = registry::find(name).unwrap();
            let mut entrant = Entrant::new(Entry { engine, variant: &Variant::PLAIN, share: 1.0 });
            assert_eq!(entrant.urgency(), Urgency::Share, "it has not been started");
            entrant.state = State::Unborn { since: Instant::now() };
            assert_eq!(entrant.urgency(), Urgency::Unstoppable);
            entrant.ready = true;
            assert_eq!(entrant.urgency(), urgency, "{name}");
            entrant.figures.set(figures::FIRST_STEP, 0.1);
            assert_eq!(entrant.urgency(), urgency, "{name} has just begun");
            entrant.used = HEAD_START;
            assert_eq!(entrant.urgency(), Urgency::Share);
        }
    }
}
