//! From the automaton of a program back to the program.

use super::alarms::{EVENTS, Published, from_trace, replay_run};
use super::translation::ProgramAutomaton;
use crate::decide::Evidence;
use crate::input::problem::no_certificate;
use crate::input::{PathWayBack, Piece, Publication, Replayed};
use crate::options::WitnessFormat;
use wedge_evidence::Failure;
use wedge_evidence::c::Alarm;
use wedge_model::cfa::Run;
use wedge_sat::Interrupt;

pub struct AutomatonWayBack {
    pub automaton: ProgramAutomaton,
    pub published: Published,
}

impl AutomatonWayBack {
    /// The alarm of a run; none for other evidence.
    fn alarm(&self, evidence: &Evidence, events: usize) -> Result<Option<Alarm<'_>>, Failure> {
        let Evidence::Run(run) = evidence else { return Ok(None) };
        let run = self.automaton.whole_run(run)?;
        from_trace(&self.automaton, &run, events).map(Some)
    }
}

impl PathWayBack for AutomatonWayBack {
    fn replay(&self, run: &Run) -> Result<Replayed, Failure> {
        replay_run(&self.automaton, &self.automaton.whole_run(run)?)
    }
}

impl Publication for AutomatonWayBack {
    fn witness(
        &self,
        evidence: &Evidence,
        format: WitnessFormat,
        _: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Failure> {
        let program = &self.automaton.program;
        match self.alarm(evidence, EVENTS)? {
            Some(alarm) => Ok(Piece::new(self.published.violation(program, &alarm, format))),
            None => Ok(self.published.correctness(program, Vec::new(), false, format)),
        }
    }

    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Failure> {
        Ok(no_certificate(evidence))
    }

    fn story(&self, evidence: &Evidence, whole: bool) -> Option<String> {
        let alarm = self.alarm(evidence, EVENTS).ok()??;
        Some(self.published.story(&self.automaton.program, &alarm, whole))
    }

    fn harness(&self, evidence: &Evidence) -> Result<Piece<String>, Failure> {
        let alarm = self.alarm(evidence, 0)?;
        let program = &self.automaton.program;
        Ok(alarm.map_or(Piece::none(), |alarm| self.published.harness(program, &alarm)))
    }
}
