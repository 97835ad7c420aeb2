//! From the automaton of a program back to the program.

use super::alarms::{EVENTS, Published, from_trace, replay_run};
use super::picture;
use super::proofs::{Said, in_time, moved, said};
use super::translation::{ProgramAutomaton, certificate_at_cuts};
use crate::decide::Evidence;
use crate::input::clauses::show;
use crate::input::problem::no_certificate;
use crate::input::{PathWayBack, Piece, Publication, Replayed};
use crate::options::WitnessFormat;
use wedge_evidence::c::{Alarm, Counterexample, Extent};
use wedge_evidence::{Course, Proof, Rejection};
use wedge_logic::{Term, TermStore};
use wedge_model::cfa::{LocationId, Run};
use wedge_report::shown::{Graph, Invariant, Node};
use wedge_sat::Interrupt;

pub struct AutomatonWayBack {
    pub automaton: ProgramAutomaton,
    pub published: Published,
}

impl AutomatonWayBack {
    /// The alarm of a run; none for other evidence.
    fn alarm(&self, evidence: &Evidence, events: usize) -> Result<Option<Alarm<'_>>, Rejection> {
        let Some(run) = evidence.path() else { return Ok(None) };
        let run = self.automaton.whole_run(run)?;
        from_trace(&self.automaton, &run, events).map(Some)
    }

    /// What a proof says about loops.
    fn said(&self, evidence: &Evidence, interrupt: &Interrupt) -> Said {
        let interrupt = &in_time(interrupt);
        let (terms, own) = match evidence.proof() {
            Some(Proof::Invariants(proof)) => {
                let own = proof.invariants.iter().map(|&(cut, formula)| (cut, vec![formula]));
                moved(&proof.terms, own.collect(), &self.automaton)
            }
            _ => (self.automaton.sliced.terms.clone(), Vec::new()),
        };
        said(&self.automaton, terms, own, interrupt)
    }
}

impl PathWayBack for AutomatonWayBack {
    fn replay(&self, run: Run) -> Replayed {
        replay_run(&self.automaton, &self.automaton.whole_run(&run)?, Course::Path(run))
    }
}

impl Publication for AutomatonWayBack {
    fn witness(
        &self,
        evidence: &Evidence,
        format: WitnessFormat,
        interrupt: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection> {
        let program = &self.automaton.program;
        match self.alarm(evidence, EVENTS)? {
            Some(alarm) => Ok(Piece::new(self.published.violation(program, &alarm, format))),
            None => {
                let said = || self.said(evidence, interrupt);
                Ok(self.published.correctness(program, said, format, interrupt))
            }
        }
    }

    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
        let Some(Proof::Invariants(proof)) = evidence.proof() else {
            return Ok(no_certificate(evidence));
        };
        let missing = "no certificate: the transition system does not hold all that the proof says";
        let made = certificate_at_cuts(&self.automaton.sliced, proof)?;
        Ok(made.map_or_else(|| Piece::missing(missing), Piece::new))
    }

    fn counterexample(&self, evidence: &Evidence, extent: Extent) -> Option<Counterexample> {
        let alarm = self.alarm(evidence, EVENTS).ok()??;
        Some(self.published.counterexample(&self.automaton.program, &alarm, extent))
    }

    fn harness(&self, evidence: &Evidence) -> Result<Piece<String>, Rejection> {
        let alarm = self.alarm(evidence, EVENTS)?;
        let program = &self.automaton.program;
        Ok(alarm.map_or(Piece::none(), |alarm| self.published.harness(program, &alarm)))
    }

    fn loop_invariants(&self, evidence: &Evidence, interrupt: &Interrupt) -> Vec<Invariant> {
        let found = self.said(evidence, interrupt).invariants;
        picture::invariants(&self.automaton, &self.published, found)
    }

    fn automaton(&self) -> Option<Graph> {
        Some(picture::graph(&self.automaton, &self.published))
    }

    fn location(&self, location: LocationId) -> Node {
        picture::location(&self.automaton, &self.published, location)
    }

    fn formula_at_location(&self, terms: &TermStore, term: Term) -> String {
        show(terms, term)
    }
}
