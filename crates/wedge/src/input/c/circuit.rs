//! From the circuit of a program back to the program.

use super::alarms::{Published, from_trace};
use super::proofs::{Said, encoding, in_time, moved, said};
use super::translation::{Translation, emitted};
use super::{analyses, formulas, picture};
use crate::decide::Evidence;
use crate::input::problem::no_certificate;
use crate::input::{Analyses, Piece, Publication, Replayed, WayBack};
use crate::options::WitnessFormat;
use std::sync::Arc;
use std::time::Instant;
use wedge_engines::pdr::Pdr;
use wedge_engines::{Context, Engine, Outcome};
use wedge_evidence::btor2::{word_certificate, word_induction_certificate};
use wedge_evidence::c::invariants::{Invariant, Worded, named_variables, stated};
use wedge_evidence::c::{Alarm, Counterexample, Extent};
use wedge_evidence::{Course, Proof, Rejection};
use wedge_model::cfa::{ERROR, Run};
use wedge_model::{Circuit, Facts, Predicate, Signals, Trace, Words, lower};
use wedge_report::shown::{self, Graph};
use wedge_sat::Interrupt;

/// The part of the time for invariants that the search for one of the circuit may take.
const STRENGTHENING: f64 = 0.4;

pub struct CircuitWayBack {
    pub circuit: Arc<Circuit>,
    pub translation: Translation,
    pub lowered: lower::LoweringMap,
    /// The bad state of the system that the circuit is about.
    pub bad: usize,
    pub published: Published,
}

impl CircuitWayBack {
    fn run(&self, trace: &Trace) -> Result<Run, Rejection> {
        let trace = self.lowered.trace(&self.translation.single.system, trace)?;
        self.translation.run(&trace)
    }

    fn alarm(&self, trace: &Trace, events: usize) -> Result<Alarm<'_>, Rejection> {
        from_trace(&self.translation.automaton, &self.run(trace)?, events)
    }

    /// Invariants of the loops, from those of the circuit; of a proof by induction the auxiliary
    /// ones. If they are no proof, and the proof has no invariant that could say more, one is looked
    /// for.
    fn said(&self, evidence: &Evidence, interrupt: &Interrupt) -> Said {
        let interrupt = &in_time(interrupt);
        let own = match evidence.proof() {
            // It speaks of symbolic indices, which mean nothing in the program.
            _ if self.translation.is_coarse => None,
            Some(Proof::Invariant(invariant) | Proof::Induction { facts: Some(invariant), .. }) => {
                Some(invariant)
            }
            _ => None,
        };
        let first = self.said_by(own, interrupt);
        let has_more = matches!(evidence.proof(), Some(Proof::Invariant(_)));
        if first.is_proof || first.invariants.is_empty() || has_more || self.translation.is_coarse {
            return first;
        }
        match self.strengthened(interrupt) {
            Some(invariant) => {
                let second = self.said_by(Some(&invariant), interrupt);
                if second.says_more_than(&first) { second } else { first }
            }
            None => first,
        }
    }

    /// An inductive invariant of the circuit, if one is found with moderate effort. It is only
    /// proposed: what is said with it is checked.
    fn strengthened(&self, interrupt: &Interrupt) -> Option<Predicate> {
        let left = interrupt.deadline?.checked_duration_since(Instant::now())?;
        let context = Context::new(Some(left.mul_f64(STRENGTHENING)));
        match Pdr::default().run(&self.circuit, &context) {
            Outcome::Safe(invariant) => Some(invariant),
            _ => None,
        }
    }

    /// What can be said with an invariant of the circuit, or without one.
    fn said_by(&self, own: Option<&Predicate>, interrupt: &Interrupt) -> Said {
        let (automaton, single) = (&self.translation.automaton, &self.translation.single);
        let Some(invariant) = own else {
            return said(automaton, automaton.sliced.terms.clone(), Vec::new(), interrupt);
        };
        let mut system = single.system.clone();
        let encoding = encoding(automaton);
        let (cuts, reduced) = (&single.cuts, &*automaton.sliced);
        let named = named_variables(&encoding, reduced, cuts, &system.terms);
        let words = self.lowered.words(&system, single.pc);
        let mut worded =
            Worded::new(&self.circuit, invariant, &words, &named, &self.lowered, interrupt);
        let all = Predicate::constant(true, self.circuit.latches.len());
        let is_said = worded.as_ref().is_some_and(|worded| worded.proof.is_some());
        let term = match is_said {
            true => self.lowered.predicate(&mut system, &all),
            false => self.lowered.predicate(&mut system, invariant),
        };
        let mut invariant = Invariant {
            terms: &mut system.terms,
            term,
            pc: single.pc,
            cuts,
            worded: worded.as_mut(),
        };
        let own = stated(&mut invariant);
        let (terms, own) = moved(&system.terms, own, automaton);
        said(automaton, terms, own, interrupt)
    }

    /// The certificate of a property that is k-inductive together with these facts.
    fn inductive(&self, k: usize, facts: &Predicate) -> Result<Piece<Vec<u8>>, Rejection> {
        let (mut system, ids) = emitted(&self.translation.single.system)?;
        let facts = self.lowered.predicate(&mut system, facts);
        let text = word_induction_certificate(&system, &ids, ERROR, k, facts)?;
        Ok(Piece::new(text.into_bytes()))
    }
}

impl WayBack for CircuitWayBack {
    fn is_coarse(&self) -> bool {
        self.translation.is_coarse
    }

    fn replay(&self, trace: Trace) -> Replayed {
        let run = self.run(&trace)?;
        super::alarms::replay_run(&self.translation.automaton, &run, Course::Trace(trace))
    }
}

impl Analyses for CircuitWayBack {
    fn analyses(&self) -> usize {
        // Facts are about variables that an abstraction of arrays may have forgotten.
        if self.translation.is_coarse { 0 } else { analyses::COUNT }
    }

    fn analyse(&self, level: usize, interrupt: &Interrupt) -> Option<Facts> {
        analyses::analyse(&self.translation, &self.lowered, level, interrupt)
    }

    fn outline(&self) -> Option<String> {
        Some(formulas::outline(&self.translation))
    }

    fn signals(&self, budget: usize) -> Option<Signals> {
        Some(self.lowered.signals(&self.translation.single.system, self.bad, budget))
    }

    fn words(&self) -> Option<Words> {
        let single = &self.translation.single;
        Some(self.lowered.words(&single.system, single.pc))
    }

    fn formula(&self, predicate: &Predicate) -> Option<String> {
        let mut system = self.translation.single.system.clone();
        let term = self.lowered.predicate(&mut system, predicate);
        Some(formulas::at_loops(&self.translation, &mut system.terms, term))
    }
}

impl Publication for CircuitWayBack {
    fn witness(
        &self,
        evidence: &Evidence,
        format: WitnessFormat,
        interrupt: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection> {
        let program = &self.translation.automaton.program;
        if let Some(trace) = evidence.trace() {
            let alarm = self.alarm(trace, super::alarms::EVENTS)?;
            return Ok(Piece::new(self.published.violation(program, &alarm, format)));
        }
        let said = || self.said(evidence, interrupt);
        Ok(self.published.correctness(program, said, format, interrupt))
    }

    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
        match evidence.proof() {
            Some(Proof::Invariant(invariant)) => {
                let (mut system, ids) = emitted(&self.translation.single.system)?;
                let invariant = self.lowered.predicate(&mut system, invariant);
                let text = word_certificate(&system, &ids, ERROR, invariant)?;
                Ok(Piece::new(text.into_bytes()))
            }
            Some(Proof::Induction { k, simple_path: false, facts }) => {
                let all = Predicate::constant(true, self.circuit.latches.len());
                self.inductive(*k, facts.as_ref().unwrap_or(&all))
            }
            _ => Ok(no_certificate(evidence)),
        }
    }

    fn counterexample(&self, evidence: &Evidence, extent: Extent) -> Option<Counterexample> {
        let alarm = self.alarm(evidence.trace()?, super::alarms::EVENTS).ok()?;
        Some(self.published.counterexample(&self.translation.automaton.program, &alarm, extent))
    }

    fn harness(&self, evidence: &Evidence) -> Result<Piece<String>, Rejection> {
        let Some(trace) = evidence.trace() else { return Ok(Piece::none()) };
        let alarm = self.alarm(trace, super::alarms::EVENTS)?;
        Ok(self.published.harness(&self.translation.automaton.program, &alarm))
    }

    fn loop_invariants(&self, evidence: &Evidence, interrupt: &Interrupt) -> Vec<shown::Invariant> {
        let found = self.said(evidence, interrupt).invariants;
        picture::invariants(&self.translation.automaton, &self.published, found)
    }

    fn automaton(&self) -> Option<Graph> {
        Some(picture::graph(&self.translation.automaton, &self.published))
    }
}
