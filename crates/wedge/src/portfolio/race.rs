//! The race: starts and stops the entrants, keeps the limits, takes the first answer.

use super::copies;
use super::entrant::{Entrant, Mail, State};
use super::protocol::Event;
use super::schedule::{self, Schedule};
use crate::answer::Answer;
use crate::observer::Observer;
use crate::options::{Launcher, MemberTask, Options};
use crate::question::Question;
use crate::sharing::Share;
use crate::tuned::MEMORY_MARGIN;
use crate::verdict::Said;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};
use wedge_c::CheckPoint;
use wedge_engines::{UnknownReason, figures};
use wedge_process::{Nursery, Process, usage};

/// How often memory and time are looked at.
const TICK: Duration = Duration::from_millis(5);

/// Runs these engines on one property, if there are `members` as copies of this process. Must be
/// called from a thread that lives as long as the processes do.
pub fn race(
    (schedule, plan): (Schedule, Vec<schedule::Entry>),
    members: Option<copies::Members>,
    options: &Options,
    launcher: &dyn Launcher,
    start: Instant,
    observer: &mut dyn Observer,
) -> Answer {
    let mut race = Race {
        question: options.asked(),
        schedule,
        stage: 0,
        start,
        deadline: options.timeout.map(|timeout| start + timeout),
        memory: options.memory.or_else(default_memory),
        entrants: plan.into_iter().map(Entrant::new).collect(),
        mail: channel(),
        next_turn: start,
        nursery: None,
        launcher,
        observer,
        settled: options.program.settled.clone(),
    };
    if let Some(members) = members {
        race.open_nursery(members);
    }
    race.run()
}

struct Race<'a> {
    question: Question,
    schedule: Schedule,
    /// The stage of the schedule that shares are of.
    stage: usize,
    start: Instant,
    deadline: Option<Instant>,
    memory: Option<u64>,
    entrants: Vec<Entrant>,
    mail: (Sender<Mail>, Receiver<Mail>),
    next_turn: Instant,
    /// Makes members that need not read the model; none where there is none, or any more.
    nursery: Option<Nursery>,
    launcher: &'a dyn Launcher,
    observer: &'a mut dyn Observer,
    /// Checks of a program that are known to fail.
    settled: Vec<CheckPoint>,
}

impl Race<'_> {
    /// Opens the nursery and starts the first engine. Without a nursery every member reads the model.
    fn open_nursery(&mut self, mut members: copies::Members) {
        let Some(first) = self.entrants.first() else { return };
        let task = self.task(first);
        let message = copies::message(0, &task).unwrap_or_default();
        let (nursery, pipes) = Nursery::open(&mut members, &message);
        self.nursery = nursery.ok();
        if pipes.is_some() {
            let command = || self.launcher.command(&task);
            self.entrants[0].resume(0, pipes, command, &self.mail.0);
        }
    }

    /// What is left of time and memory for an engine that starts now.
    fn task(&self, entrant: &Entrant) -> MemberTask {
        let left = |deadline: Instant| deadline.saturating_duration_since(Instant::now());
        let entry = entrant.entry;
        MemberTask {
            question: self.question.clone(),
            engine: entry.engine.name,
            objects: entry.variant.objects,
            settings: entry.variant.settings,
            timeout: self.deadline.map(left),
            memory: self.memory.map(|limit| limit.saturating_sub(usage::resident("self")).max(1)),
            settled: self.settled.clone(),
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
                let known = self.undefined().or_else(|| self.refused());
                return self.undecided(known.unwrap_or(UnknownReason::Timeout));
            }
            if let Some(reasons) = self.all_ended() {
                return self.undecided(joined(&reasons));
            }
            self.show();
        }
    }

    /// Gives the cores to those that the schedule names.
    fn take_turns(&mut self) {
        let stage = self.schedule.stage(self.start.elapsed());
        if stage != self.stage {
            self.stage = stage;
            self.share_out_again();
        }
        let claims = self.entrants.iter().enumerate().filter_map(|(i, e)| e.claim(i)).collect();
        let chosen = schedule::pick(claims, self.schedule.cores);
        for (index, entrant) in self.entrants.iter_mut().enumerate() {
            if !chosen.contains(&index) {
                entrant.pause();
            }
        }
        for index in chosen {
            let task = self.task(&self.entrants[index]);
            let entrant = &mut self.entrants[index];
            let copy = self.nursery.as_ref().and_then(|nursery| {
                let message = copies::message(index, &task)?;
                entrant.is_waiting().then(|| nursery.start(&message).ok())?
            });
            entrant.resume(index, copy, || self.launcher.command(&task), &self.mail.0);
        }
        self.next_turn = Instant::now() + schedule::turn(self.start.elapsed());
    }

    /// Takes a message; the answer if it decides the race.
    fn hear(&mut self, index: usize, event: Option<Event>) -> Option<Box<Answer>> {
        let entrant = &mut self.entrants[index];
        match event {
            Some(Event::Ready(number)) => entrant.be_ready(number),
            Some(Event::Progress(figures)) => {
                entrant.figures = figures;
                self.refine(index);
            }
            Some(Event::Checking(checking)) => {
                entrant.check(checking);
                self.next_turn = Instant::now();
            }
            Some(Event::Share(share)) => self.pass_on(index, &share),
            Some(Event::Answer(answer)) => {
                entrant.figures = answer.figures.clone();
                match answer.verdict.said() {
                    Said::Unknown(reason) => {
                        // Those of an answer that counts are told with it.
                        answer.warnings.iter().for_each(|warning| self.observer.message(warning));
                        entrant.end(reason.clone());
                    }
                    Said::True | Said::False(_) => return Some(answer),
                }
                self.next_turn = Instant::now();
            }
            // The nursery has died before it made this member.
            None if entrant.is_unborn() => {
                entrant.wait_again();
                self.nursery = None;
                self.next_turn = Instant::now();
            }
            None => {
                if let Some(reason) = entrant.crash() {
                    let name = entrant.entry.name();
                    self.observer.message(&format!("the engine {name} {reason}"));
                }
                self.next_turn = Instant::now();
            }
        }
        None
    }

    /// Shares the time out again if what an engine says of the circuit makes the task another one.
    fn refine(&mut self, index: usize) {
        let gates = self.entrants[index].figures.get(figures::GATES_AFTER);
        let known = self.schedule.kind;
        let kind = gates.map_or(known, |gates| schedule::refined(known, gates));
        if kind != known {
            self.schedule.kind = kind;
            self.share_out_again();
            self.next_turn = Instant::now();
        }
    }

    fn share_out_again(&mut self) {
        for Entrant { entry, .. } in &mut self.entrants {
            entry.share = self.schedule.share(&entry.name(), self.stage, entry.share > 0.0);
        }
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
        let nursery = self.nursery.as_ref().map_or(0, Nursery::resident);
        let most = usage::resident("self") + nursery + resident.iter().sum::<u64>();
        let allowed = (limit as f64 * (1.0 - MEMORY_MARGIN)) as u64;
        // Copies share memory, which is counted once per process there and once here.
        if most <= allowed || self.shared_out() <= allowed {
            return;
        }
        let largest = (0..resident.len()).max_by_key(|&index| resident[index]);
        if largest.is_none_or(|index| resident[index] < nursery) {
            self.nursery = None;
            self.next_turn = Instant::now();
        } else if let Some(index) = largest.filter(|&index| resident[index] > 0) {
            self.entrants[index].end(UnknownReason::Memory);
            self.next_turn = Instant::now();
        }
    }

    /// The memory of all processes together.
    fn shared_out(&self) -> u64 {
        let members = self.entrants.iter().filter_map(Entrant::process).map(Process::id);
        let all = members.chain(self.nursery.as_ref().map(Nursery::id));
        all.chain([std::process::id()]).map(usage::proportional).sum()
    }

    fn all_ended(&self) -> Option<Vec<(String, UnknownReason)>> {
        self.entrants
            .iter()
            .map(|entrant| match &entrant.state {
                State::Ended(reason) => Some((entrant.entry.name(), reason.clone())),
                _ => None,
            })
            .collect()
    }

    /// The reason of an entrant that has found undefined behaviour.
    fn undefined(&self) -> Option<UnknownReason> {
        self.entrants.iter().find_map(|entrant| match &entrant.state {
            State::Ended(reason @ UnknownReason::UndefinedBehaviour(_)) => Some(reason.clone()),
            _ => None,
        })
    }

    /// Why the program is refused, if that is what all say that have come to an end.
    fn refused(&self) -> Option<UnknownReason> {
        let ended = self.entrants.iter().filter_map(|entrant| match &entrant.state {
            State::Ended(reason) => Some((entrant.entry.name(), reason.clone())),
            _ => None,
        });
        refusal(&ended.collect::<Vec<_>>())
    }

    /// The figures are those of the entrant that had most of the time.
    fn undecided(&mut self, reason: UnknownReason) -> Answer {
        let mut answer = Answer::bare(self.question.clone(), reason.into());
        if let Some(longest) = self.entrants.iter().max_by_key(|entrant| entrant.used()) {
            answer.figures = longest.figures.clone();
        }
        self.finish(None, answer)
    }

    /// Stops everyone at once.
    fn finish(&mut self, winner: Option<usize>, mut answer: Answer) -> Answer {
        let report =
            |(index, entrant): (usize, &Entrant)| entrant.member(Some(index) == winner, self.start);
        answer.members = self.entrants.iter().enumerate().map(report).collect();
        answer.seconds = self.start.elapsed().as_secs_f64();
        let steps = self.entrants.iter().filter_map(|e| e.figures.get(figures::FIRST_STEP));
        if let Some(first) = steps.reduce(f64::min) {
            answer.figures.set(figures::FIRST_STEP, first);
        }
        self.entrants.iter().filter_map(Entrant::process).for_each(|process| process.kill());
        answer
    }

    fn show(&mut self) {
        let entrants = &self.entrants;
        self.observer.working(&|| {
            let running = entrants.iter().filter(|entrant| entrant.is_running());
            running.map(Entrant::working).collect()
        });
    }
}

/// Several engines can fill a machine, so without a limit most of what is free is the limit.
fn default_memory() -> Option<u64> {
    usage::available_memory().map(|bytes| bytes / 10 * 9)
}

/// Undefined behaviour if anyone met it, timeout if anyone ran out of time, one reason if all
/// agree, otherwise all of them.
pub fn joined(reasons: &[(String, UnknownReason)]) -> UnknownReason {
    let undefined = |reason: &UnknownReason| matches!(reason, UnknownReason::UndefinedBehaviour(_));
    let all = || reasons.iter().map(|(_, reason)| reason);
    let urgent = all().find(|r| undefined(r)).or(all().find(|r| **r == UnknownReason::Timeout));
    match (urgent, reasons) {
        (Some(reason), _) => reason.clone(),
        (None, []) => UnknownReason::NoEngine,
        (None, [(_, first), rest @ ..]) if rest.iter().all(|(_, other)| other == first) => {
            first.clone()
        }
        (None, several) => {
            refusal(several).unwrap_or_else(|| UnknownReason::Several(several.to_vec()))
        }
    }
}

/// If all refuse the program, what most of them say. Those that do not fit it say nothing of it.
fn refusal(reasons: &[(String, UnknownReason)]) -> Option<UnknownReason> {
    let all = || {
        let all = reasons.iter().map(|(_, reason)| reason);
        all.filter(|reason| !matches!(reason, UnknownReason::Inapplicable(_)))
    };
    let are_refusals = all().all(|reason| matches!(reason, UnknownReason::Unsupported(_)));
    let count = |reason: &UnknownReason| all().filter(|other| *other == reason).count();
    all().max_by_key(|reason| count(reason)).filter(|_| are_refusals).cloned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_fit_says_nothing_of_the_program() {
        let refused = |what: &str| UnknownReason::Unsupported(what.to_string());
        let named = |reasons: &[UnknownReason]| -> Vec<(String, UnknownReason)> {
            reasons.iter().map(|reason| (String::from("pdr"), reason.clone())).collect()
        };
        let unfit = UnknownReason::Inapplicable(String::from("no objects"));
        assert_eq!(refusal(&named(std::slice::from_ref(&unfit))), None);
        let both = named(&[unfit.clone(), refused("asm")]);
        assert_eq!(refusal(&both), Some(refused("asm")));
        assert_eq!(joined(&both), refused("asm"));
        assert_eq!(refusal(&named(&[refused("asm"), UnknownReason::Memory])), None);
    }
}
