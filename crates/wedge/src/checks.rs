//! Every check of a program by itself.
//!
//! All checks are one question first. A violation settles the check that it violates: from then on
//! a run that violates it ends there and is none, and the question is asked again about the rest. A
//! proof settles all that are left at once. So there is one run per check that fails and one for all
//! that hold, and a check holds if no run violates it before it violates another one. Which of those
//! that hold no run comes to is the question after that, see `vacuity`.

use crate::answer::Answer;
use crate::check::{check_model, read};
use crate::input::{Checks, InputError};
use crate::observer::Observer;
use crate::options::Options;
use crate::vacuity::vacuity;
use crate::verdict::{Said, Verdict};
use std::path::PathBuf;
use std::time::Instant;
use wedge_c::CheckPoint;
use wedge_engines::UnknownReason;
use wedge_evidence::c::counterexample::StepEvent;

/// What became of one check.
pub struct Checked {
    pub point: CheckPoint,
    pub verdict: Verdict,
    /// Of a violation: what happens, in words.
    pub what: Option<String>,
    /// It holds because no run comes to it.
    pub is_vacuous: bool,
}

/// All checks of a program.
pub struct Report {
    pub checks: Vec<Checked>,
    /// Functions that nothing calls, each with its place.
    pub unused: Vec<(String, String)>,
    /// Where code begins that no run comes to.
    pub unreachable: Vec<CheckPoint>,
    /// The answers, one per question.
    pub answers: Vec<Answer>,
}

impl Report {
    /// FALSE before UNKNOWN before TRUE.
    pub fn worst(&self) -> Verdict {
        let rank = |verdict: &&Verdict| match verdict.said() {
            Said::False(_) => 2,
            Said::Unknown(_) => 1,
            Said::True => 0,
        };
        // A program without checks has been asked about, too.
        let all = self.checks.iter().map(|check| &check.verdict);
        let last = self.answers.last().map(|answer| &answer.verdict);
        all.chain(last).max_by_key(rank).cloned().unwrap_or_default()
    }
}

/// Decides every check; the timeout of the options is for all of them together.
pub fn check_each(
    files: &[PathBuf],
    options: &Options,
    start: Instant,
    observer: &mut dyn Observer,
) -> Result<Report, InputError> {
    let mut options = options.clone();
    let mut failed: Vec<(CheckPoint, Verdict, String)> = Vec::new();
    let mut answers = Vec::new();
    let mut known: Option<Checks> = None;
    let rest = loop {
        options.program.settled = failed.iter().map(|(point, ..)| point.clone()).collect();
        let left = options.timeout.map(|timeout| timeout.saturating_sub(start.elapsed()));
        if left.is_some_and(|left| left.is_zero()) {
            break UnknownReason::Timeout.into();
        }
        let Some(model) = read(files, &options.program, left)? else {
            break UnknownReason::Timeout.into();
        };
        if known.is_none() {
            let checks = model.as_program().map(|program| program.checks());
            known = checks.and_then(Result::ok);
        }
        let answer = check_model(&model, &options, start, observer)?;
        let verdict = answer.verdict.clone();
        let violated = violated(&answer);
        answers.push(answer);
        match (verdict.said(), violated) {
            (Said::False(_), Some((point, what)))
                if failed.iter().all(|(known, ..)| *known != point) =>
            {
                failed.push((point, verdict, what));
            }
            (Said::False(_), _) => {
                let why = "the place of a violation is not one of a check";
                break UnknownReason::Unsupported(why.into()).into();
            }
            _ => break verdict,
        }
    };
    let known = known.unwrap_or_default();
    let vacuity = vacuity(files, &options, &known, start, observer)?;
    let Checks { points, unused, .. } = known;
    let is_open = |point: &CheckPoint| failed.iter().all(|(known, ..)| known != point);
    let open = points.into_iter().filter(is_open).collect::<Vec<_>>();
    let open = open.into_iter().map(|point| (point, rest.clone(), None));
    let failed = failed.into_iter().map(|(point, verdict, what)| (point, verdict, Some(what)));
    let mut checks: Vec<Checked> = failed
        .chain(open)
        .map(|(point, verdict, what)| {
            let holds = matches!(verdict.said(), Said::True);
            let is_vacuous = holds && vacuity.checks.contains(&point);
            Checked { point, verdict, what, is_vacuous }
        })
        .collect();
    let place = |point: &CheckPoint| (point.file.clone(), point.line, point.column, point.kind);
    checks.sort_by_key(|check| place(&check.point));
    Ok(Report { checks, unused, unreachable: vacuity.unreachable, answers })
}

/// The check that a counterexample violates, and what happens.
pub fn violated(answer: &Answer) -> Option<(CheckPoint, String)> {
    let counterexample = answer.files.counterexample.as_ref()?;
    let StepEvent::Violation { property, what, statement } = &counterexample.steps.last()?.event
    else {
        return None;
    };
    let kind = wedge_c::Kind::all().find(|kind| kind.name() == property)?;
    let (file, line, column) = (statement.file.clone(), statement.line, statement.column);
    Some((CheckPoint { kind, file, line, column }, what.clone()))
}
