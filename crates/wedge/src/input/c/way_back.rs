//! From a circuit back to the program that it was made from.

use super::pipeline::Pipeline;
use super::{analyses, formulas};
use crate::decide::Evidence;
use crate::input::{Replayed, WayBack};
use std::path::Path;
use std::sync::Arc;
use wedge_c::typed::Program;
use wedge_c::types::Types;
use wedge_c::{Kind, Properties};
use wedge_evidence::Failure;
use wedge_evidence::btor2::{VariableIds, word_certificate, word_induction_certificate};
use wedge_evidence::c::invariants::{
    Encoding, Invariant, LoopInvariant, Worded, holds_everywhere, loop_invariants, named_variables,
};
use wedge_evidence::c::witness::{Metadata, Place, invariant_place, violation};
use wedge_evidence::c::{Alarm, Sources, graphml, harness, replay, story, yaml};
use wedge_hw::btor2;
use wedge_model::cfa::{ERROR, Run, TargetKind};
use wedge_model::{Circuit, Facts, Predicate, Signals, System, Trace, Words, lower};
use wedge_sat::Interrupt;

/// Events of a run that are kept for stories and witnesses.
pub const EVENTS: usize = 1_000_000;

pub struct ProgramWayBack {
    pub circuit: Arc<Circuit>,
    pub pipeline: Pipeline,
    pub lowered: lower::WayBack,
    /// The bad state of the system that the circuit is about.
    pub bad: usize,
    pub sources: Arc<Sources>,
    pub properties: Arc<Properties>,
}

impl ProgramWayBack {
    fn run(&self, trace: &Trace) -> Result<Run, Failure> {
        let trace = self.lowered.trace(&self.pipeline.single.system, trace)?;
        self.pipeline.run(&trace)
    }

    fn alarm(&self, trace: &Trace, events: usize) -> Result<Alarm<'_>, Failure> {
        let run = self.run(trace)?;
        let points = &self.pipeline.encoded.choices;
        let alarm = replay(&self.pipeline.program, &self.properties, points, &run, events);
        alarm.map_err(Failure::Unconfirmed)
    }

    fn types(&self) -> &Types {
        &self.pipeline.program.types
    }

    /// What a witness says about itself: of a violation of this kind, or of a proof.
    fn metadata(&self, kind: Option<Kind>) -> Metadata {
        let specification = self.properties.specification(kind);
        Metadata::new(&self.sources, &specification, self.types().model)
    }

    /// Invariants of the loops; of a proof by induction the auxiliary ones. What holds only on the
    /// way to an error says nothing about them.
    fn invariants(
        &self,
        evidence: &Evidence,
        interrupt: &Interrupt,
    ) -> Result<Vec<LoopInvariant>, Failure> {
        let everywhere = match evidence {
            // It speaks of symbolic indices, which mean nothing in the program.
            _ if self.pipeline.is_coarse => None,
            Evidence::Invariant(invariant) | Evidence::Induction { facts: Some(invariant), .. } => {
                match holds_everywhere(&self.circuit, invariant, interrupt) {
                    Ok(()) => Some(invariant),
                    Err(Failure::Violated { .. }) => None,
                    Err(other) => return Err(other),
                }
            }
            _ => None,
        };
        let pipeline = &self.pipeline;
        let mut system = pipeline.single.system.clone();
        let encoding = Encoding {
            program: &pipeline.program,
            cfa: &pipeline.encoded.cfa,
            origins: &pipeline.encoded.origins,
            variables: &pipeline.encoded.variables,
        };
        let (cuts, reduced) = (&pipeline.single.cuts, &pipeline.sliced);
        let named = named_variables(&encoding, reduced, cuts, &system.terms);
        let words = self.lowered.words(&system, pipeline.single.pc);
        let mut worded = everywhere.and_then(|invariant| {
            Worded::new(&self.circuit, invariant, &words, &named, &self.lowered, interrupt)
        });
        let all = Predicate::constant(true, self.circuit.latches.len());
        let is_said = worded.as_ref().is_some_and(|worded| worded.proof.is_some());
        let term = match everywhere {
            Some(_) if is_said => self.lowered.predicate(&mut system, &all),
            Some(invariant) => self.lowered.predicate(&mut system, invariant),
            None => system.terms.bool(true),
        };
        let mut invariant = Invariant {
            terms: &mut system.terms,
            term,
            pc: pipeline.single.pc,
            cuts,
            reduced,
            worded: worded.as_mut(),
        };
        let found = loop_invariants(&encoding, &mut invariant);
        let weak = found.iter().filter(|found| found.weakened || found.value == "1").count();
        if everywhere.is_none() || weak > 0 {
            let all = found.len();
            eprintln!("wedge: the witness says less than the proof about {weak} of {all} loops");
        }
        Ok(found)
    }

    /// The certificate of a property that is k-inductive together with these facts.
    fn inductive(&self, k: usize, facts: &Predicate) -> Result<Vec<u8>, Failure> {
        let (mut system, ids) = self.emitted()?;
        let facts = self.lowered.predicate(&mut system, facts);
        Ok(word_induction_certificate(&system, &ids, ERROR, k, facts)?.into_bytes())
    }

    /// The system as it is emitted, and the numbers of its variables in that file.
    fn emitted(&self) -> Result<(System, VariableIds), Failure> {
        let written = btor2::write(&self.pipeline.single.system);
        let written = written.map_err(|error| Failure::Shape(error.to_string()))?;
        let ids = VariableIds::scan(written.text.as_bytes());
        Ok((self.pipeline.single.system.clone(), ids))
    }
}

/// An alarm as a witness.
pub fn alarm_witness(
    program: &Program,
    sources: &Sources,
    metadata: &Metadata,
    alarm: &Alarm,
    path: &Path,
) -> String {
    let points = violation(program, sources, alarm);
    match is_yaml(path) {
        true => yaml::violation(metadata, &points),
        false => graphml::violation(metadata, &points),
    }
}

/// An alarm as a program, unless there cannot be one.
pub fn alarm_harness(
    program: &Program,
    properties: &Properties,
    sources: &Sources,
    alarm: &Alarm,
) -> Option<String> {
    let text = harness::harness(program, properties, sources, alarm);
    text.inspect_err(|cause| eprintln!("wedge: no harness: {cause}")).ok()
}

/// Whether a path asks for format 2.0.
pub fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

impl WayBack for ProgramWayBack {
    fn is_coarse(&self) -> bool {
        self.pipeline.is_coarse
    }

    fn replay(&self, trace: &Trace) -> Result<Replayed, Failure> {
        let run = self.run(trace)?;
        let target = run.target.map(|index| &self.pipeline.encoded.cfa.targets[index]);
        match target {
            Some(target) if target.kind == TargetKind::Limit => {
                return Ok(Replayed::Limit(target.name.clone()));
            }
            Some(_) => {}
            None => return Err(Failure::Shape("the run does not reach a target".into())),
        }
        let points = &self.pipeline.encoded.choices;
        let alarm = replay(&self.pipeline.program, &self.properties, points, &run, 0);
        match alarm {
            Ok(alarm) => {
                let violated = Replayed::Confirmed(alarm.violation.kind.name());
                Ok(alarm.inexact.map_or(violated, Replayed::Limit))
            }
            Err(cause) => Err(Failure::Unconfirmed(cause)),
        }
    }

    fn witness(
        &self,
        evidence: &Evidence,
        path: &Path,
        interrupt: &Interrupt,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let program = &self.pipeline.program;
        let text = match evidence {
            Evidence::Trace(trace) => {
                let alarm = self.alarm(trace, EVENTS)?;
                let metadata = self.metadata(Some(alarm.violation.kind));
                alarm_witness(program, &self.sources, &metadata, &alarm, path)
            }
            _ => {
                let metadata = self.metadata(None);
                let found = self.invariants(evidence, interrupt)?;
                let placed = |found: LoopInvariant| {
                    (invariant_place(program, &self.sources, &found), found.value)
                };
                let invariants: Vec<(Place, String)> = found.into_iter().map(placed).collect();
                match is_yaml(path) {
                    true => yaml::correctness(&metadata, &invariants),
                    false => graphml::correctness(&metadata, &invariants),
                }
            }
        };
        Ok(Some(text.into_bytes()))
    }

    fn certificate(&self, invariant: &Predicate) -> Result<Vec<u8>, Failure> {
        let (mut system, ids) = self.emitted()?;
        let invariant = self.lowered.predicate(&mut system, invariant);
        Ok(word_certificate(&system, &ids, ERROR, invariant)?.into_bytes())
    }

    fn induction_certificate(&self, k: usize) -> Result<Vec<u8>, Failure> {
        let all = Predicate::constant(true, self.circuit.latches.len());
        self.inductive(k, &all)
    }

    fn strengthened_induction_certificate(
        &self,
        k: usize,
        facts: &Predicate,
    ) -> Result<Option<Vec<u8>>, Failure> {
        self.inductive(k, facts).map(Some)
    }

    fn analyses(&self) -> usize {
        // Facts are about variables that an abstraction of arrays may have forgotten.
        if self.pipeline.is_coarse { 0 } else { analyses::COUNT }
    }

    fn analyse(&self, level: usize, interrupt: &Interrupt) -> Option<Facts> {
        analyses::analyse(&self.pipeline, &self.lowered, level, interrupt)
    }

    fn input_table(&self, _: &Trace) -> Vec<(String, Vec<String>)> {
        Vec::new()
    }

    fn story(&self, evidence: &Evidence, whole: bool) -> Option<String> {
        let Evidence::Trace(trace) = evidence else { return None };
        let alarm = self.alarm(trace, EVENTS).ok()?;
        Some(story::story(&self.pipeline.program, &self.sources, &alarm, whole))
    }

    fn harness(&self, evidence: &Evidence) -> Result<Option<String>, Failure> {
        let Evidence::Trace(trace) = evidence else { return Ok(None) };
        let alarm = self.alarm(trace, 0)?;
        Ok(alarm_harness(&self.pipeline.program, &self.properties, &self.sources, &alarm))
    }

    fn outline(&self) -> Option<String> {
        Some(formulas::outline(&self.pipeline))
    }

    fn signals(&self, budget: usize) -> Option<Signals> {
        Some(self.lowered.signals(&self.pipeline.single.system, self.bad, budget))
    }

    fn words(&self) -> Option<Words> {
        let single = &self.pipeline.single;
        Some(self.lowered.words(&single.system, single.pc))
    }

    fn formula(&self, predicate: &Predicate) -> Option<String> {
        let mut system = self.pipeline.single.system.clone();
        let term = self.lowered.predicate(&mut system, predicate);
        Some(formulas::at_loops(&self.pipeline, &mut system.terms, term))
    }
}
