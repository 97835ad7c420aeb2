//! Every property of a circuit, in one run with shared work.
//!
//! All bad states that are open are one question: is one of them reachable? A proof settles them all.
//! A violation settles those that its last state violates, and the question is asked again about the
//! others; a property does not depend on whether another one is violated before it. So there is one run
//! per group of properties that fail together, and one for all that hold. If the common question is too
//! hard, what is open is asked about one by one; justice properties always are.
//!
//! With a timeout the common question has half of the time and the others share the rest. Without one,
//! both get a limited time that doubles from round to round, so that a property that is never decided
//! does not keep the others waiting.

use crate::answer::Answer;
use crate::check::check_model;
use crate::input::{InputError, Model};
use crate::observer::Observer;
use crate::options::Options;
use crate::question::Question;
use crate::tuned::FIRST_ROUND;
use crate::verdict::{Said, Verdict};
use std::sync::Arc;
use std::time::{Duration, Instant};
use wedge_engines::UnknownReason;

/// What became of every property.
pub struct Report {
    /// By number.
    pub verdicts: Vec<Verdict>,
    /// The answers, one per question.
    pub answers: Vec<Answer>,
}

impl Report {
    /// FALSE before UNKNOWN before TRUE.
    pub fn whole(&self) -> Verdict {
        let rank = |verdict: &&Verdict| match verdict.said() {
            Said::False(_) => 2,
            Said::Unknown(_) => 1,
            Said::True => 0,
        };
        // Of several that are as bad, the first one.
        self.verdicts.iter().rev().max_by_key(rank).cloned().unwrap_or_default()
    }

    /// The witnesses of all violations, one after the other.
    pub fn witnesses(&self) -> Option<Vec<u8>> {
        let witnesses = self.answers.iter().filter_map(|answer| answer.files.witness.as_deref());
        let all: Vec<u8> = witnesses.flatten().copied().collect();
        (!all.is_empty()).then_some(all)
    }

    /// One certificate of all properties that are proven with one, and which these are; none if there are
    /// none, an error if several cannot be one.
    pub fn certificate(&self, model: &dyn Model) -> Result<Option<(Vec<u8>, Question)>, String> {
        let mut certificates = Vec::new();
        let mut proven = Vec::new();
        for answer in &self.answers {
            if let (Said::True, Some(bytes)) = (answer.verdict.said(), &answer.files.certificate) {
                certificates.push(bytes.clone());
                proven.extend_from_slice(answer.question.properties());
            }
        }
        let Some(proven) = Question::any_of(proven) else { return Ok(None) };
        let certificate = match &certificates[..] {
            [only] => only.clone(),
            several => model.joined_certificate(several)?,
        };
        Ok(Some((certificate, proven)))
    }
}

/// When the search is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Until {
    /// Every property is decided.
    AllDecided,
    /// The verdict about the file is known: the first violation ends the search.
    Violated,
}

/// Decides every property; the timeout of the options is for all of them together.
pub fn check_every(
    model: &Arc<dyn Model>,
    options: &Options,
    start: Instant,
    until: Until,
    observer: &mut dyn Observer,
) -> Result<Report, InputError> {
    let mut inquiry = Inquiry {
        model,
        options,
        start,
        until,
        observer,
        verdicts: vec![None; model.num_properties()],
        answers: Vec::new(),
    };
    inquiry.run()?;
    let undecided = || UnknownReason::Cancelled.into();
    let verdicts = inquiry.verdicts.into_iter().map(|v| v.unwrap_or_else(undecided)).collect();
    Ok(Report { verdicts, answers: inquiry.answers })
}

struct Inquiry<'a> {
    model: &'a Arc<dyn Model>,
    options: &'a Options,
    start: Instant,
    until: Until,
    observer: &'a mut dyn Observer,
    /// What is known so far; an UNKNOWN may still become something else.
    verdicts: Vec<Option<Verdict>>,
    answers: Vec<Answer>,
}

impl Inquiry<'_> {
    fn run(&mut self) -> Result<(), InputError> {
        let mut round = FIRST_ROUND;
        loop {
            let is_alone = self.open().len() == 1;
            let end = match self.left() {
                Some(left) if is_alone => Some(left),
                Some(left) => Some(left / 2),
                None if is_alone => None,
                None => Some(round),
            };
            self.ask_together(end.map(|end| self.start.elapsed() + end))?;
            self.ask_one_by_one(round)?;
            let is_timeout = |&property: &usize| {
                let reason = self.verdicts[property].as_ref().and_then(Verdict::reason);
                reason == Some(&UnknownReason::Timeout)
            };
            // With a timeout all of it is spent, and what ended otherwise would end so again.
            let again = self.options.timeout.is_none() && self.open().iter().any(is_timeout);
            if self.is_over() || !again {
                return Ok(());
            }
            round *= 2;
        }
    }

    /// All bad states that are open, until nothing more comes of it.
    fn ask_together(&mut self, end: Option<Duration>) -> Result<(), InputError> {
        while !self.is_over() {
            let bads = self.model.num_bads();
            let open = self.open().into_iter().filter(|&property| property < bads).collect();
            let Some(question) = Question::any_of(open) else { return Ok(()) };
            if !self.ask(question, end)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// What is open, each with its part of the time.
    fn ask_one_by_one(&mut self, round: Duration) -> Result<(), InputError> {
        let open = self.open();
        let was_asked = |verdict: &Option<Verdict>| verdict.is_some();
        if open.len() == 1 && was_asked(&self.verdicts[open[0]]) {
            return Ok(());
        }
        for (index, &property) in open.iter().enumerate() {
            if self.is_over() || !self.open().contains(&property) {
                continue;
            }
            let others = (open.len() - index) as u32;
            let part = self.left().map_or(round, |left| left / others);
            let is_last = open.len() == 1;
            let end = self.start.elapsed() + part;
            let end = (!is_last || self.options.timeout.is_some()).then_some(end);
            self.ask(Question::one(property), end)?;
        }
        Ok(())
    }

    /// Asks until the time since the start is `end`; whether anything was decided.
    fn ask(&mut self, question: Question, end: Option<Duration>) -> Result<bool, InputError> {
        if end.is_some_and(|end| end <= self.start.elapsed()) {
            self.note(question.properties(), UnknownReason::Timeout.into());
            return Ok(false);
        }
        if let Some(earlier) = self.answers.last().filter(|answer| answer.abandoned) {
            let earlier = earlier.question.properties()[0];
            self.note(question.properties(), UnknownReason::NotChecked { earlier }.into());
            return Ok(false);
        }
        let mut options = self.options.clone();
        options.question = Some(question.clone());
        // Every question has a beginning of its own, so that a portfolio takes short turns at first.
        options.timeout = end.map(|end| end.saturating_sub(self.start.elapsed()));
        let answer = check_model(self.model, &options, Instant::now(), self.observer)?;
        let decided = match answer.verdict.said() {
            Said::False(_) => answer.violated.clone(),
            Said::True | Said::Unknown(_) => question.properties().to_vec(),
        };
        self.note(&decided, answer.verdict.clone());
        let is_decided = answer.verdict.reason().is_none() && !decided.is_empty();
        self.answers.push(answer);
        Ok(is_decided)
    }

    fn note(&mut self, properties: &[usize], verdict: Verdict) {
        for &property in properties {
            self.verdicts[property] = Some(verdict.clone());
        }
    }

    fn open(&self) -> Vec<usize> {
        let is_open = |property: &usize| {
            self.verdicts[*property].as_ref().is_none_or(|verdict| verdict.reason().is_some())
        };
        (0..self.verdicts.len()).filter(is_open).collect()
    }

    fn left(&self) -> Option<Duration> {
        self.options.timeout.map(|timeout| timeout.saturating_sub(self.start.elapsed()))
    }

    fn is_over(&self) -> bool {
        let is_violated = |verdict: &Option<Verdict>| {
            verdict.as_ref().is_some_and(|verdict| matches!(verdict.said(), Said::False(_)))
        };
        self.open().is_empty()
            || self.until == Until::Violated && self.verdicts.iter().any(is_violated)
    }
}
