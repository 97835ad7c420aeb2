//! A justice property of a circuit as a question about a bad state: see [`wedge_model::liveness`]. A
//! counterexample is a lasso of the model as it was read.

use super::problem::not_modelled;
use super::{
    Analyses, PathProblem, PathWayBack, Piece, Problem, Publication, Replayed, Smt2Form, WayBack,
    as_smt2,
};
use crate::decide::Evidence;
use crate::options::WitnessFormat;
use std::sync::Arc;
use wedge_engines::UnknownReason;
use wedge_evidence::{Course, Rejection};
use wedge_hw::aiger::AigerModel;
use wedge_logic::blast::Limits;
use wedge_model::cfa::{Cfa, Run, word_trace};
use wedge_model::{Liveness, LoweringMap, Signals, System, Trace, WordTrace, Words, lower};
use wedge_report::shown::Waveform;
use wedge_sat::Interrupt;

/// The model that a justice property belongs to, in terms of which a lasso is told.
pub trait Origin: Send + Sync {
    /// Replays a lasso on the model; `course` is what it was made from.
    fn replay(&self, lasso: &WordTrace, course: Course) -> Replayed;
    /// The lasso in the witness format of the model.
    fn witness(&self, lasso: &WordTrace) -> Result<Piece<Vec<u8>>, Rejection>;
    /// The values of the signals, step by step.
    fn waveform(&self, lasso: &WordTrace) -> Waveform;
}

/// Why a lasso is written of which readers of the format may not see that it comes back.
pub const NOT_CLOSED: &str = "the loop of the witness is closed for the states that the property \
                              depends on, but not for all states of the model";

/// A justice property with this number among the properties of its model.
pub struct Live {
    pub property: usize,
    pub liveness: Liveness,
    pub origin: Arc<dyn Origin>,
}

/// The same as a circuit.
struct LiveCircuit {
    live: Live,
    lowered: LoweringMap,
}

/// The same as an automaton.
struct LivePath {
    live: Live,
    automaton: Arc<Cfa>,
}

impl Live {
    pub fn problem(self) -> Result<Problem, UnknownReason> {
        let lowered = lower::lower(&self.liveness.system, 0, Limits::default());
        let (circuit, lowered) = lowered.map_err(not_modelled)?;
        let way_back = LiveCircuit { live: self, lowered };
        Ok(Problem::new(Arc::new(circuit), Arc::new(way_back), Vec::new()))
    }

    pub fn path_problem(self) -> Result<PathProblem, UnknownReason> {
        let automaton = Cfa::from_system(&self.liveness.system, 0).map_err(not_modelled)?;
        let automaton = Arc::new(automaton);
        let way_back = LivePath { live: self, automaton: automaton.clone() };
        Ok(PathProblem::new(automaton, Arc::new(way_back), Vec::new()))
    }

    fn replay(&self, trace: &WordTrace, course: Course) -> Replayed {
        self.origin.replay(&self.liveness.lasso(trace), course)
    }
}

/// The question about a bad state as AIGER.
pub fn as_aiger(system: &System) -> Result<AigerModel, String> {
    let lowered = lower::lower(system, 0, Limits::default());
    let (circuit, _) = lowered.map_err(|error| error.to_string())?;
    Ok(AigerModel::from_circuit(&circuit))
}

/// The question about a bad state as SMT-LIB.
pub fn live_as_smt2(system: &System, form: Smt2Form) -> Result<Vec<u8>, String> {
    as_smt2(&Cfa::from_system(system, 0).map_err(|error| error.to_string())?, form)
}

fn no_certificate(evidence: &Evidence) -> Piece<Vec<u8>> {
    match evidence.proof() {
        Some(_) => Piece::missing("no certificate: the formats have none of justice properties"),
        None => Piece::none(),
    }
}

impl LiveCircuit {
    fn words(&self, trace: &Trace) -> Result<WordTrace, Rejection> {
        Ok(self.lowered.trace(&self.live.liveness.system, trace)?)
    }

    fn lasso(&self, evidence: &Evidence) -> Result<Option<WordTrace>, Rejection> {
        let Some(trace) = evidence.trace() else { return Ok(None) };
        Ok(Some(self.live.liveness.lasso(&self.words(trace)?)))
    }
}

impl WayBack for LiveCircuit {
    fn replay(&self, trace: Trace) -> Replayed {
        self.live.replay(&self.words(&trace)?, Course::Trace(trace))
    }
}

impl Analyses for LiveCircuit {
    fn signals(&self, budget: usize) -> Option<Signals> {
        Some(self.lowered.signals(&self.live.liveness.system, 0, budget))
    }

    fn words(&self) -> Option<Words> {
        Some(self.lowered.words(&self.live.liveness.system, None))
    }
}

impl LivePath {
    fn words(&self, run: &Run) -> WordTrace {
        word_trace(&self.live.liveness.system, &self.automaton, run)
    }

    fn lasso(&self, evidence: &Evidence) -> Result<Option<WordTrace>, Rejection> {
        Ok(evidence.path().map(|run| self.live.liveness.lasso(&self.words(run))))
    }
}

impl PathWayBack for LivePath {
    fn replay(&self, run: Run) -> Replayed {
        self.live.replay(&self.words(&run), Course::Path(run))
    }
}

/// What both levels publish alike.
macro_rules! publish_lassos {
    ($level:ty) => {
        impl Publication for $level {
            fn witness(
                &self,
                evidence: &Evidence,
                _: WitnessFormat,
                _: &Interrupt,
            ) -> Result<Piece<Vec<u8>>, Rejection> {
                match self.lasso(evidence)? {
                    Some(lasso) => self.live.origin.witness(&lasso),
                    None => Ok(Piece::none()),
                }
            }

            fn violated(&self, _: &Evidence) -> Vec<usize> {
                vec![self.live.property]
            }

            fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
                Ok(no_certificate(evidence))
            }

            fn waveform(&self, evidence: &Evidence) -> Option<Waveform> {
                let lasso = self.lasso(evidence).ok()??;
                Some(self.live.origin.waveform(&lasso))
            }
        }
    };
}

publish_lassos!(LiveCircuit);
publish_lassos!(LivePath);
