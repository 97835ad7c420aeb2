//! Answers as SARIF (`--sarif`).

use super::args::CheckArgs;
use super::page::sentence;
use wedge::{Answer, Model, Said};
use wedge_c::Kind;
use wedge_evidence::c::Counterexample;
use wedge_evidence::c::counterexample::{self, StepEvent};
use wedge_report::sarif::{Alarm, FlowStep, Log, Place};
use wedge_report::shown::{SignalKind, Waveform};

/// Adds what an answer says.
pub fn add(log: &mut Log, args: &CheckArgs, answer: &Answer, model: &dyn Model) {
    log.verdict = answer.verdict.to_string();
    match answer.verdict.said() {
        Said::True => {}
        Said::Unknown(_) => log.undecided.push(sentence(answer, model)),
        Said::False(violated) => log.alarms.push(match &answer.files.counterexample {
            Some(found) => of_program(args, violated, found, sentence(answer, model)),
            None => of_circuit(args, violated, answer, sentence(answer, model)),
        }),
    }
}

fn of_program(args: &CheckArgs, rule: &str, found: &Counterexample, message: String) -> Alarm {
    let kind = Kind::all().find(|kind| kind.name() == rule);
    let step = |step: &counterexample::Step| FlowStep {
        place: Place { function: step.function.clone(), ..place(args, &step.place) },
        message: step.what(),
        depth: step.depth,
        is_important: matches!(step.event, StepEvent::Choice { .. } | StepEvent::Violation { .. }),
    };
    let last = found.steps.last();
    Alarm {
        rule: rule.to_string(),
        rule_text: kind.map_or(rule, |kind| kind.event()).to_string(),
        message,
        place: last.map(|step| place(args, &step.place)).unwrap_or_default(),
        steps: found.steps.iter().map(step).collect(),
    }
}

/// In the file that was handed in, if the place is in one.
fn place(args: &CheckArgs, place: &counterexample::Place) -> Place {
    let given = |index: usize| {
        // A task definition stands for files of its own.
        let file = args.files.get(index).filter(|_| !wedge_c::is_task(args.file()));
        file.map(|file| file.display().to_string())
    };
    let (file, line) = match place.input.and_then(|input| Some((given(input.file)?, input.line))) {
        Some(found) => found,
        None => (place.file.clone(), place.line),
    };
    Place { file, line, column: place.column, function: String::new() }
}

/// A circuit has no lines; its steps are told by the inputs that change.
fn of_circuit(args: &CheckArgs, rule: &str, answer: &Answer, message: String) -> Alarm {
    let place = Place { file: args.file().display().to_string(), ..Place::default() };
    let steps = answer.files.waveform.as_ref().map_or(Vec::new(), |wave| steps(&place, wave));
    Alarm { rule: rule.into(), rule_text: "a bad state is reached".into(), message, place, steps }
}

fn steps(place: &Place, wave: &Waveform) -> Vec<FlowStep> {
    let inputs = wave.signals.iter().filter(|signal| signal.kind == SignalKind::Input);
    let mut told = vec![Vec::new(); wave.steps];
    for signal in inputs {
        for (step, value) in &signal.changes {
            if let Some(told) = told.get_mut(*step) {
                told.push(format!("{} = 0x{value}", signal.name));
            }
        }
    }
    let step = |(number, told): (usize, Vec<String>)| FlowStep {
        place: place.clone(),
        message: match told.is_empty() {
            true => format!("step {number}: inputs as before"),
            false => format!("step {number}: {}", told.join(", ")),
        },
        depth: 0,
        is_important: number + 1 == wave.steps,
    };
    told.into_iter().enumerate().map(step).collect()
}
