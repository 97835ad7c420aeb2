//! An answer as a page (`--report`): what there is to show, in the terms of the report crate.

use super::args::CheckArgs;
use super::figures::{groups, shared};
use wedge::{Answer, Model, Said};
use wedge_evidence::c::Counterexample;
use wedge_evidence::c::counterexample::{Step, StepEvent};
use wedge_report::page::html;
use wedge_report::shown::{self, Inside, Member, Outcome, Page, Source, Spot, StepKind, Story};

/// Values of signals that a page holds; those of states beyond are left out.
const VALUES: usize = 400_000;

pub fn page(args: &CheckArgs, answer: &Answer, model: &dyn Model) -> String {
    let outcome = match answer.verdict.said() {
        Said::True => Outcome::True,
        Said::False(_) => Outcome::False,
        Said::Unknown(_) => Outcome::Unknown,
    };
    let source = |(name, text): (String, String)| Source { name, text };
    let mut assumed = model.notes();
    assumed.extend(answer.notes.iter().cloned());
    let warnings = answer.about.iter().filter(|(name, _)| name == "warning");
    let warnings = warnings.map(|(_, value)| value).chain(&answer.warnings);
    html(&Page {
        file: args.file().display().to_string(),
        outcome,
        verdict: answer.verdict.to_string(),
        sentence: sentence(answer, model),
        facts: facts(args, answer),
        assumed,
        warnings: warnings.cloned().collect(),
        sources: model.sources().into_iter().map(source).collect(),
        story: answer.files.story.as_ref().map(story),
        members: answer.members.iter().map(member).collect(),
        figures: groups(&answer.figures),
        inside: inside(answer),
    })
}

fn inside(answer: &Answer) -> Inside {
    let mut inside = answer.files.inside.as_deref().cloned().unwrap_or_default();
    inside.waveform = answer.files.waveform.clone().map(|mut wave| {
        let mut left = VALUES;
        let all = wave.signals.len();
        wave.signals.retain(|signal| {
            let fits = signal.changes.len() <= left || signal.kind != shown::SignalKind::State;
            left = left.saturating_sub(if fits { signal.changes.len() } else { 0 });
            fits
        });
        wave.omitted += all - wave.signals.len();
        wave
    });
    inside
}

fn facts(args: &CheckArgs, answer: &Answer) -> Vec<(String, String)> {
    let engine = match answer.winner() {
        Some(winner) => format!("{}, answered by {winner}", args.engine),
        None => args.engine.clone(),
    };
    let mut facts = vec![("Engine".to_string(), engine)];
    if !matches!(answer.verdict.said(), Said::Unknown(_)) {
        facts.push(("Evidence".into(), answer.evidence.clone()));
    }
    facts.push(("Time".into(), format!("{:.2} s", answer.seconds)));
    let about = answer.about.iter().filter(|(name, _)| name != "warning");
    facts.extend(about.map(|(name, value)| {
        let mut letters = name.chars();
        let first = letters.next().into_iter().flat_map(char::to_uppercase);
        (first.chain(letters).collect(), value.clone())
    }));
    facts
}

/// What was checked and what came out.
pub fn sentence(answer: &Answer, model: &dyn Model) -> String {
    let bad = || bad_states(answer, model);
    let is_program = model.as_program().is_some();
    match answer.verdict.said() {
        Said::True if is_program => format!(
            "No run of the program leads to any of these: {}. An independent check has accepted \
             the proof.",
            events(model)
        ),
        Said::True => {
            format!("{} cannot happen. An independent check has accepted the proof.", bad())
        }
        Said::False(_) if is_program => {
            let last = answer.files.counterexample.as_ref().and_then(|found| found.steps.last());
            let what = last.map_or("the property is violated".to_string(), |step| {
                format!("{} at {}:{}", step.what(), step.place.file, step.place.line)
            });
            format!(
                "There is a run on which {what}. An interpreter that knows nothing of the engines \
                 has replayed it."
            )
        }
        Said::False(_) => {
            let steps = answer.files.waveform.as_ref().map_or(0, |wave| wave.steps);
            format!(
                "{} happens in step {}. A simulator has replayed the steps.",
                bad(),
                steps.saturating_sub(1)
            )
        }
        Said::Unknown(reason) => {
            let what = match is_program {
                true => format!("whether any of these can happen: {}", events(model)),
                false => format!("whether this can happen: {}", bad()),
            };
            format!("It is not known {what}. Reason: {reason}.")
        }
    }
}

/// The properties of a circuit that an answer is about: those that are violated, else all in
/// question.
fn bad_states(answer: &Answer, model: &dyn Model) -> String {
    let asked = answer.question.properties();
    let told = if answer.violated.is_empty() { asked } else { &answer.violated };
    let one = |&property: &usize| {
        let kind = if property < model.num_bads() { "bad state" } else { "justice" };
        match model.property_name(property) {
            Some(name) => format!("{kind} {property} ({name})"),
            None => format!("{kind} {property}"),
        }
    };
    const SHOWN: usize = 8;
    let mut names: Vec<String> = told.iter().take(SHOWN).map(one).collect();
    if told.len() > SHOWN {
        names.push(format!("and {} more", told.len() - SHOWN));
    }
    let text = names.join(", ");
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

/// What is looked for in a program.
fn events(model: &dyn Model) -> String {
    let properties = model.as_program().map(|program| program.properties());
    let kinds = properties.into_iter().flat_map(|properties| properties.kinds());
    kinds.map(|kind| kind.event()).collect::<Vec<_>>().join("; ")
}

fn member(member: &wedge::answer::Member) -> Member {
    let mut notes = Vec::new();
    if member.bound > 0 {
        notes.push(format!("bound {}", member.bound));
    }
    notes.extend(Some(shared(member)).filter(|shared| !shared.is_empty()));
    Member {
        engine: member.engine.clone(),
        answered: member.answered,
        end: member.end.clone(),
        seconds: member.seconds,
        turns: member.turns.clone(),
        note: notes.join(", "),
    }
}

fn story(found: &Counterexample) -> Story {
    Story {
        steps: found.steps.iter().map(step).collect(),
        forgotten: found.forgotten,
        omitted: found.omitted,
        omitted_after: found.omitted_after,
    }
}

fn step(step: &Step) -> shown::Step {
    let (kind, variable, value, local) = match &step.event {
        StepEvent::Call { .. } => (StepKind::Call, None, None, false),
        StepEvent::Return => (StepKind::Return, None, None, false),
        StepEvent::Decision { .. } => (StepKind::Decision, None, None, false),
        StepEvent::Assignment { variable, value, local } => {
            (StepKind::Assignment, Some(variable.clone()), Some(value.clone()), *local)
        }
        StepEvent::Choice { .. } => (StepKind::Choice, None, None, false),
        StepEvent::Violation { .. } => (StepKind::Violation, None, None, false),
    };
    let name = step.place.file.rsplit('/').next().unwrap_or(&step.place.file);
    shown::Step {
        spot: step.place.input.map(|input| Spot { file: input.file, line: input.line }),
        column: step.place.column,
        place: format!("{name}:{}", step.place.line),
        function: step.function.clone(),
        depth: step.depth,
        kind,
        text: step.what(),
        variable,
        value,
        local,
    }
}
