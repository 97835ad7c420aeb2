//! Witnesses of programs, validated.
//!
//! A witness becomes part of the program that it is about ([`wedge_c::annotation`]): its invariants
//! are checks, its waypoints count how far a run follows it. Then the program is decided like any
//! other, so that what is accepted rests on the same checked evidence as a verdict.
//!
//! A correctness witness is accepted if its invariants hold and the property does. First it is
//! tried whether both follow by induction from the invariants alone; where that is not so, other
//! engines may find what is missing. It is rejected if a run of the program violates an invariant,
//! or the property. Where contracts of functions are all that it says, they are first tried in the
//! place of their functions ([`wedge_evidence::c::modular`]). A violation witness is accepted if a run that follows it violates the property
//! at its target, and rejected if it is proved that there is none.

use crate::answer::Answer;
use crate::check::check_model;
use crate::input::{CertifyError, InputError, Witnessed, witnessed};
use crate::observer::Observer;
use crate::options::{Choice, Invariants, Options};
use crate::verdict::Said;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use wedge_c::{CheckPoint, Kind};
use wedge_engines::registry;
use wedge_evidence::c::counterexample::{Step, StepEvent};
use wedge_evidence::c::follow::follow;
use wedge_evidence::c::guide::Aim;
use wedge_evidence::c::reading::{self, Content, Location, Segment, WaypointKind};

/// What became of a witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Certified {
    /// With what it is and why it is believed.
    Accepted(String),
    /// With what is wrong and where.
    Rejected(String),
    /// With the reason why nothing was decided.
    Undecided(String),
}

impl fmt::Display for Certified {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Certified::Accepted(what) => write!(f, "ACCEPTED({what})"),
            Certified::Rejected(cause) => write!(f, "REJECTED({cause})"),
            Certified::Undecided(reason) => write!(f, "UNKNOWN({reason})"),
        }
    }
}

/// The engine that needs nothing but the invariants, where they are inductive.
const INDUCTION: &str = "kind";
/// The part of the time that is for induction alone.
const SHARE: u32 = 3;
const LONGEST: Duration = Duration::from_secs(60);
/// Violations beside the target after which the search is given up.
const DETOURS: usize = 50;

/// Validates a witness of the program of these files. `options` say what the program means, and how
/// much may be spent since `start`; for a violation witness they ask for a witness in YAML.
pub fn certify(
    files: &[PathBuf],
    witness: &Path,
    options: &Options,
    start: Instant,
    observer: &mut dyn Observer,
) -> Result<Certified, InputError> {
    let witnessed = match witnessed(files, &options.program, witness) {
        Ok(witnessed) => witnessed,
        Err(CertifyError::Input(cause)) => return Err(InputError(cause)),
        Err(CertifyError::Rejected(cause)) => return Ok(Certified::Rejected(cause)),
        Err(CertifyError::Undecided(reason)) => return Ok(Certified::Undecided(reason)),
    };
    let mut validation = Validation { files, options, start, observer, witnessed };
    match (&validation.witnessed.read.content, validation.witnessed.guide.aim.clone()) {
        (Content::Violation(segments), Aim::Violation { target, .. }) => {
            let segments = segments.clone();
            validation.violation(&segments, &target)
        }
        (_, Aim::Correctness { invariants, contracts }) => {
            validation.correctness(Subject::new(invariants, contracts))
        }
        (Content::Correctness { .. }, _) => Ok(Certified::Undecided("no witness".to_string())),
    }
}

/// Whether a file is a violation witness.
pub fn is_violation(witness: &Path) -> bool {
    let text = std::fs::read_to_string(witness).unwrap_or_default();
    matches!(reading::read(&text), Ok(read) if matches!(read.content, Content::Violation(_)))
}

/// What a correctness witness has, in words.
struct Subject {
    count: usize,
    name: String,
}

impl Subject {
    fn new(invariants: usize, contracts: usize) -> Subject {
        let named = |count: usize, word: &str| match count {
            0 => None,
            1 => Some(format!("its {word}")),
            _ => Some(format!("its {count} {word}s")),
        };
        let names = [named(invariants, "invariant"), named(contracts, "contract")];
        let names: Vec<String> = names.into_iter().flatten().collect();
        Subject { count: invariants + contracts, name: names.join(" and ") }
    }

    /// The property follows by induction from nothing else.
    fn by_induction(&self) -> String {
        let Subject { count, name } = self;
        match count {
            0 => "correctness witness without invariants, the property is inductive".to_string(),
            1 => format!("correctness witness, {name} proves the property by induction"),
            _ => format!("correctness witness, {name} prove the property by induction"),
        }
    }

    /// An engine has proved all together.
    fn by(&self, engine: &str) -> String {
        let Subject { count, name } = self;
        let proved = format!("the property is proved by {engine}");
        match count {
            0 => format!("correctness witness without invariants, {proved}"),
            1 => format!("correctness witness, {name} holds, {proved}"),
            _ => format!("correctness witness, {name} hold, {proved}"),
        }
    }
}

struct Validation<'a> {
    files: &'a [PathBuf],
    options: &'a Options,
    start: Instant,
    observer: &'a mut dyn Observer,
    witnessed: Witnessed,
}

impl Validation<'_> {
    fn correctness(&mut self, subject: Subject) -> Result<Certified, InputError> {
        let left = self.options.timeout.map(|timeout| timeout.saturating_sub(self.start.elapsed()));
        let share = left.map_or(LONGEST, |left| (left / SHARE).min(LONGEST));
        let start = self.start;
        let alone = || Options {
            engine: registry::find(INDUCTION).map_or(Choice::Portfolio, Choice::Engine),
            invariants: Some(Invariants::None),
            timeout: Some(start.elapsed() + share),
            ..self.options.clone()
        };
        if let Some(modular) = &self.witnessed.modular {
            let answer = check_model(modular, &alone(), self.start, self.observer)?;
            if *answer.verdict.said() == Said::True {
                return Ok(Certified::Accepted(subject.by_induction()));
            }
        }
        let answer = check_model(&self.witnessed.model, &alone(), self.start, self.observer)?;
        if let Some(certified) = self.decided(&answer, |_| subject.by_induction()) {
            return Ok(certified);
        }
        let answer = check_model(&self.witnessed.model, self.options, self.start, self.observer)?;
        let by = |answer: &Answer| subject.by(answer.winner().unwrap_or("another engine"));
        match self.decided(&answer, by) {
            Some(certified) => Ok(certified),
            None => Ok(Certified::Undecided(reason(&answer))),
        }
    }

    /// What follows for a correctness witness, if something has been decided.
    fn decided(&self, answer: &Answer, why: impl Fn(&Answer) -> String) -> Option<Certified> {
        match answer.verdict.said() {
            Said::True => Some(Certified::Accepted(why(answer))),
            Said::False(what) if what == Kind::Invariant.name() => {
                let guide = &self.witnessed.guide;
                let line = violated(answer).map_or(0, |(_, point)| point.line);
                let name = guide.named(line).unwrap_or("an invariant");
                let values = values(answer);
                Some(Certified::Rejected(format!("{name} does not hold{values}")))
            }
            Said::False(what) => {
                let place = violated(answer).map(|(place, _)| format!(" at {place}"));
                let place = place.unwrap_or_default();
                Some(Certified::Rejected(format!("the program violates {what}{place}")))
            }
            Said::Unknown(_) => None,
        }
    }

    fn violation(
        &mut self,
        segments: &[Segment],
        target: &Location,
    ) -> Result<Certified, InputError> {
        let Witnessed { program, properties, sources, .. } = &self.witnessed;
        if let Some(program) = program
            && let Some(position) = follow(program, properties, sources, segments)
        {
            let row = sources.of(&program.files, position).map(|source| source.row(position));
            if row == Some(target.line) {
                let what = "violation witness, the run with its values reaches the target";
                return Ok(Certified::Accepted(what.to_string()));
            }
        }
        let mut options = self.options.clone();
        for _ in 0..DETOURS {
            let model = match witnessed(self.files, &options.program, self.witness()) {
                Ok(witnessed) => witnessed.model,
                Err(_) => self.witnessed.model.clone(),
            };
            let answer = check_model(&model, &options, self.start, self.observer)?;
            match answer.verdict.said() {
                Said::True if options.program.settled.is_empty() => {
                    let cause = "no run that follows the witness violates the property";
                    return Ok(Certified::Rejected(cause.to_string()));
                }
                Said::True => {
                    let place = target.line;
                    let cause = format!(
                        "no run that follows the witness violates the property at its target, line {place}"
                    );
                    return Ok(Certified::Rejected(cause));
                }
                Said::Unknown(_) => return Ok(Certified::Undecided(reason(&answer))),
                Said::False(_) => {}
            }
            if target_of(&answer) == Some(target.line) {
                let engine = answer.winner().unwrap_or("a search").to_string();
                let what =
                    format!("violation witness, a run that follows it was found by {engine}");
                return Ok(Certified::Accepted(what));
            }
            match violated(&answer) {
                Some((_, point)) if !options.program.settled.contains(&point) => {
                    options.program.settled.push(point);
                }
                _ => break,
            }
        }
        Ok(Certified::Undecided("the property is violated elsewhere".to_string()))
    }

    fn witness(&self) -> &Path {
        self.options.program.witness.as_deref().unwrap_or(Path::new(""))
    }
}

fn reason(answer: &Answer) -> String {
    answer.verdict.reason().map_or(String::new(), ToString::to_string)
}

/// Where a run violates what, in words and as the check that it violates.
fn violated(answer: &Answer) -> Option<(String, CheckPoint)> {
    let step = answer.files.counterexample.as_ref()?.steps.last()?;
    let StepEvent::Violation { property, statement, .. } = &step.event else { return None };
    let kind = Kind::all().find(|kind| kind.name() == property)?;
    let (file, line, column) = (statement.file.clone(), statement.line, statement.column);
    let place = format!("{}:{}:{}", step.place.file, step.place.line, step.place.column);
    Some((place, CheckPoint { kind, file, line, column }))
}

/// How many of the last values of variables are said.
const VALUES: usize = 4;

/// The last values that the run of an answer gave to variables.
fn values(answer: &Answer) -> String {
    let steps = answer.files.counterexample.as_ref().map_or(&[][..], |found| &found.steps);
    let mut last: Vec<(&str, &str)> = Vec::new();
    for Step { event, .. } in steps.iter().rev() {
        let (name, value) = match event {
            StepEvent::Assignment { variable, value, .. } => (variable, value),
            StepEvent::Choice { name, is_call: false, value } => (name, value),
            _ => continue,
        };
        if last.len() < VALUES && !last.iter().any(|(known, _)| known == name) {
            last.push((name, value));
        }
    }
    let shown: Vec<String> = last.iter().rev().map(|(n, v)| format!("{n} = {v}")).collect();
    match shown.is_empty() {
        true => String::new(),
        false => format!(" where {}", shown.join(", ")),
    }
}

/// The line of the violation in the witness of an answer.
fn target_of(answer: &Answer) -> Option<u32> {
    let text = String::from_utf8_lossy(answer.files.witness.as_deref()?).into_owned();
    let Content::Violation(segments) = reading::read(&text).ok()?.content else { return None };
    let last = segments.last()?;
    (last.follow.kind == WaypointKind::Target).then_some(last.follow.location.line)
}
