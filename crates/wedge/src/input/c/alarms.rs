//! What is said about a violation of a program: witnesses, stories and harnesses.

use super::environment::agreed;
use super::retrace::retraced;
use super::translation::ProgramAutomaton;
use crate::input::{Piece, Replayed};
use crate::options::WitnessFormat;
use std::sync::Arc;
use wedge_c::typed::Program;
use wedge_c::{DataModel, Kind, Properties};
use wedge_evidence::c::witness::{Metadata, violation};
use wedge_evidence::c::{
    Alarm, Counterexample, Extent, Sources, counterexample, graphml, harness, replay, yaml,
};
use wedge_evidence::{Course, Rejection, claims};
use wedge_model::cfa::Run;

/// Events of a run that are kept for stories and witnesses.
pub const EVENTS: usize = 1_000_000;

/// Of so many other runs the values are looked for by a solver.
const SOLVED: usize = 2;

/// What every file about a program mentions.
#[derive(Clone)]
pub struct Published {
    pub sources: Arc<Sources>,
    pub properties: Arc<Properties>,
    pub data_model: DataModel,
}

impl Published {
    /// What a witness says about itself: of a violation of this kind, or of a proof.
    pub fn metadata(&self, program: &Program, kind: Option<Kind>) -> Metadata {
        let specification = self.properties.specification(kind, Some(program));
        Metadata::new(&self.sources, &specification, self.data_model)
    }

    /// An alarm as a witness.
    pub fn violation(&self, program: &Program, alarm: &Alarm, format: WitnessFormat) -> Vec<u8> {
        let points = violation(program, &self.sources, alarm);
        let metadata = self.metadata(program, Some(alarm.violation.kind));
        let text = match format {
            WitnessFormat::Yaml(version) => yaml::violation(&metadata, &points, version),
            WitnessFormat::GraphMl => graphml::violation(&metadata, &points),
        };
        text.into_bytes()
    }

    pub fn counterexample(
        &self,
        program: &Program,
        alarm: &Alarm,
        extent: Extent,
    ) -> Counterexample {
        counterexample(program, &self.sources, alarm, extent)
    }

    /// An alarm as a program, unless there cannot be one.
    pub fn harness(&self, program: &Program, alarm: &Alarm) -> Piece<String> {
        match harness::harness(program, &self.properties, &self.sources, alarm) {
            Ok(text) => Piece::new(text),
            Err(cause) => Piece::missing(format!("no harness: {cause}")),
        }
    }
}

/// The alarm that a run of the whole automaton stands for, or one in which the memory of the
/// environment is one memory.
pub fn from_trace<'a>(
    automaton: &'a ProgramAutomaton,
    run: &Run,
    events: usize,
) -> Result<Alarm<'a>, Rejection> {
    first_confirmed(automaton, run, |run| {
        let (program, properties) = (&automaton.program, &automaton.properties);
        let replayed = replay(program, properties, &automaton.encoded, run, events);
        replayed.map_err(Rejection::Unconfirmed)
    })
}

/// A run of the whole automaton on the program itself; `course` is what it was made from.
pub fn replay_run(automaton: &ProgramAutomaton, run: &Run, course: Course) -> Replayed {
    let program = (&*automaton.program, &*automaton.properties);
    first_confirmed(automaton, run, |run| {
        claims::program_run(program, &automaton.encoded, run, course.clone())
    })
}

/// What becomes of a run if it is confirmed, or of the first that is among others: those that differ
/// in what slicing has removed, and those along the same path with other values.
fn first_confirmed<T>(
    automaton: &ProgramAutomaton,
    run: &Run,
    replay: impl Fn(&Run) -> Result<T, Rejection>,
) -> Result<T, Rejection> {
    let first = replay(run);
    if !matches!(first, Err(Rejection::Unconfirmed(_))) {
        return first;
    }
    for (number, other) in retraced(automaton, run).enumerate() {
        if let Ok(found) = replay(&other) {
            return Ok(found);
        }
        if number < SOLVED
            && let Some(other) = agreed(&automaton.encoded, &other)
            && let Ok(found) = replay(&other)
        {
            return Ok(found);
        }
    }
    agreed(&automaton.encoded, run).map_or(first, |run| replay(&run))
}
