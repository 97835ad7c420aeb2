//! What is published about executions of a program.

use super::alarms::{EVENTS, Published};
use super::proofs::{Said, in_time, said};
use super::translation::ProgramAutomaton;
use crate::decide::Evidence;
use crate::input::problem::no_certificate;
use crate::input::{Piece, Publication};
use crate::options::WitnessFormat;
use std::sync::Arc;
use wedge_c::encode::Room;
use wedge_c::typed::Program;
use wedge_evidence::Rejection;
use wedge_evidence::c::contracts::contracts;
use wedge_evidence::c::{Alarm, Counterexample, Extent, replay_answers};
use wedge_sat::Interrupt;

pub struct Executions {
    pub program: Arc<Program>,
    pub published: Published,
    /// How much of the program is modelled where a proof is to be explained.
    pub room: Room,
}

impl Executions {
    /// The alarm of an execution that reaches the error; none for other evidence.
    fn alarm(&self, evidence: &Evidence, events: usize) -> Result<Option<Alarm<'_>>, Rejection> {
        let Some((answers, steps)) = evidence.execution() else { return Ok(None) };
        let alarm =
            replay_answers(&self.program, &self.published.properties, answers, steps, events);
        alarm.map(Some).map_err(Rejection::Unconfirmed)
    }

    /// An execution says nothing about loops; what analyses find may. Of recursive functions it says
    /// what they are called with and give.
    fn said(&self, interrupt: &Interrupt) -> Said {
        let interrupt = &in_time(interrupt);
        let properties = self.published.properties.clone();
        match ProgramAutomaton::new(self.program.clone(), properties, self.room) {
            Ok(automaton) => {
                let terms = automaton.sliced.terms.clone();
                said(&automaton, terms, Vec::new(), interrupt)
            }
            Err(_) => {
                let properties = &self.published.properties;
                let stop = || interrupt.is_raised();
                let contracts = contracts(&self.program, properties, &stop);
                Said { invariants: Vec::new(), contracts, is_proof: false }
            }
        }
    }
}

impl Publication for Executions {
    fn witness(
        &self,
        evidence: &Evidence,
        format: WitnessFormat,
        interrupt: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection> {
        match self.alarm(evidence, EVENTS)? {
            Some(alarm) => Ok(Piece::new(self.published.violation(&self.program, &alarm, format))),
            None => {
                let said = || self.said(interrupt);
                Ok(self.published.correctness(&self.program, said, format, interrupt))
            }
        }
    }

    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
        Ok(no_certificate(evidence))
    }

    fn counterexample(&self, evidence: &Evidence, extent: Extent) -> Option<Counterexample> {
        let alarm = self.alarm(evidence, EVENTS).ok()??;
        Some(self.published.counterexample(&self.program, &alarm, extent))
    }

    fn harness(&self, evidence: &Evidence) -> Result<Piece<String>, Rejection> {
        let alarm = self.alarm(evidence, EVENTS)?;
        Ok(alarm.map_or(Piece::none(), |alarm| self.published.harness(&self.program, &alarm)))
    }
}
