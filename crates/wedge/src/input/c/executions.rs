//! What is published about executions of a program.

use super::alarms::{EVENTS, Published};
use crate::decide::Evidence;
use crate::input::problem::no_certificate;
use crate::input::{Piece, Publication};
use crate::options::WitnessFormat;
use std::sync::Arc;
use wedge_c::typed::Program;
use wedge_evidence::Rejection;
use wedge_evidence::c::{Alarm, Counterexample, replay_answers};
use wedge_sat::Interrupt;

pub struct Executions {
    pub program: Arc<Program>,
    pub published: Published,
}

impl Executions {
    /// The alarm of an execution that reaches the error; none for other evidence.
    fn alarm(&self, evidence: &Evidence, events: usize) -> Result<Option<Alarm<'_>>, Rejection> {
        let Some((answers, steps)) = evidence.execution() else { return Ok(None) };
        let alarm =
            replay_answers(&self.program, &self.published.properties, answers, steps, events);
        alarm.map(Some).map_err(Rejection::Unconfirmed)
    }
}

impl Publication for Executions {
    fn witness(
        &self,
        evidence: &Evidence,
        format: WitnessFormat,
        _: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection> {
        match self.alarm(evidence, EVENTS)? {
            Some(alarm) => Ok(Piece::new(self.published.violation(&self.program, &alarm, format))),
            // There is nothing to say about loops but that they were executed.
            None => Ok(self.published.correctness(&self.program, Vec::new(), true, format)),
        }
    }

    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
        Ok(no_certificate(evidence))
    }

    fn counterexample(&self, evidence: &Evidence, whole: bool) -> Option<Counterexample> {
        let alarm = self.alarm(evidence, EVENTS).ok()??;
        Some(self.published.counterexample(&self.program, &alarm, whole))
    }

    fn harness(&self, evidence: &Evidence) -> Result<Piece<String>, Rejection> {
        let alarm = self.alarm(evidence, EVENTS)?;
        Ok(alarm.map_or(Piece::none(), |alarm| self.published.harness(&self.program, &alarm)))
    }
}
