//! What is said about a program: alarms as witnesses, stories and harnesses, proofs as witnesses.

use super::translation::ProgramAutomaton;
use crate::input::{Piece, Replayed};
use crate::options::WitnessFormat;
use std::sync::Arc;
use wedge_c::typed::Program;
use wedge_c::{DataModel, Kind, Properties};
use wedge_evidence::Failure;
use wedge_evidence::c::invariants::LoopInvariant;
use wedge_evidence::c::witness::{Metadata, Place, invariant_place, violation};
use wedge_evidence::c::{Alarm, Sources, graphml, harness, replay, story, yaml};
use wedge_model::cfa::{Run, TargetKind};

/// Events of a run that are kept for stories and witnesses.
pub const EVENTS: usize = 1_000_000;

/// What every file about a program mentions.
#[derive(Clone)]
pub struct Published {
    pub sources: Arc<Sources>,
    pub properties: Arc<Properties>,
    pub data_model: DataModel,
}

impl Published {
    /// What a witness says about itself: of a violation of this kind, or of a proof.
    fn metadata(&self, kind: Option<Kind>) -> Metadata {
        let specification = self.properties.specification(kind);
        Metadata::new(&self.sources, &specification, self.data_model)
    }

    /// An alarm as a witness.
    pub fn violation(&self, program: &Program, alarm: &Alarm, format: WitnessFormat) -> Vec<u8> {
        let points = violation(program, &self.sources, alarm);
        let metadata = self.metadata(Some(alarm.violation.kind));
        let text = match format {
            WitnessFormat::Yaml => yaml::violation(&metadata, &points),
            WitnessFormat::GraphMl => graphml::violation(&metadata, &points),
        };
        text.into_bytes()
    }

    /// The invariants of loops as a witness; `says_all` unless a part of the proof is missing.
    pub fn correctness(
        &self,
        program: &Program,
        found: Vec<LoopInvariant>,
        says_all: bool,
        format: WitnessFormat,
    ) -> Piece<Vec<u8>> {
        let (weak, all) =
            (found.iter().filter(|f| f.weakened || f.value == "1").count(), found.len());
        let remark = (!says_all || weak > 0)
            .then(|| format!("the witness says less than the proof about {weak} of {all} loops"));
        let placed =
            |found: LoopInvariant| (invariant_place(program, &self.sources, &found), found.value);
        let invariants: Vec<(Place, String)> = found.into_iter().map(placed).collect();
        let text = match format {
            WitnessFormat::Yaml => yaml::correctness(&self.metadata(None), &invariants),
            WitnessFormat::GraphMl => graphml::correctness(&self.metadata(None), &invariants),
        };
        Piece { content: Some(text.into_bytes()), remark }
    }

    pub fn story(&self, program: &Program, alarm: &Alarm, whole: bool) -> String {
        story::story(program, &self.sources, alarm, whole)
    }

    /// An alarm as a program, unless there cannot be one.
    pub fn harness(&self, program: &Program, alarm: &Alarm) -> Piece<String> {
        match harness::harness(program, &self.properties, &self.sources, alarm) {
            Ok(text) => Piece::new(text),
            Err(cause) => Piece::missing(format!("no harness: {cause}")),
        }
    }
}

/// The alarm that a run of the whole automaton stands for.
pub fn from_trace<'a>(
    automaton: &'a ProgramAutomaton,
    run: &Run,
    events: usize,
) -> Result<Alarm<'a>, Failure> {
    let points = &automaton.encoded.choices;
    replay(&automaton.program, &automaton.properties, points, run, events)
        .map_err(Failure::Unconfirmed)
}

/// A run of the whole automaton on the program itself.
pub fn replay_run(automaton: &ProgramAutomaton, run: &Run) -> Result<Replayed, Failure> {
    match run.target.map(|index| &automaton.encoded.cfa.targets[index]) {
        Some(target) if target.kind == TargetKind::Limit => {
            return Ok(Replayed::Limit(target.name.clone()));
        }
        Some(_) => {}
        None => return Err(Failure::Shape("the run does not reach a target".into())),
    }
    let alarm = from_trace(automaton, run, 0)?;
    let violated = Replayed::Confirmed(alarm.violation.kind.name());
    Ok(alarm.inexact.map_or(violated, Replayed::Limit))
}
