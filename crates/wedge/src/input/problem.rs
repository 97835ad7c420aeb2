//! One property of a model, as engines see it, and what leads back from there. The traits are split
//! by who asks: a search for invariants asks for [`Analyses`], the one who checks claims for
//! [`WayBack`] or [`PathWayBack`], the one who writes the answer for [`Publication`].

use crate::decide::Evidence;
use crate::options::WitnessFormat;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use wedge_engines::preprocess::{Config, Reductions, preprocess};
use wedge_engines::{Context, Figures, UnknownReason};
use wedge_evidence::c::{Counterexample, Extent};
use wedge_evidence::{Checked, Proof, Rejection, Run};
use wedge_logic::{BlastError, Term, TermStore, smtlib};
use wedge_model::cfa::{self, Cfa, CutInvariants, LocationId};
use wedge_model::lower::LowerError;
use wedge_model::{Circuit, Facts, Predicate, Signals, Trace, Words};
use wedge_report::shown::{Graph, Invariant, Node, Waveform};
use wedge_sat::Interrupt;

/// How much of a program is modelled.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Effort {
    /// From small to large.
    pub level: usize,
    /// The end of the model is not bad, so that only a counterexample counts.
    pub only_error: bool,
    /// From coarse to precise.
    pub precision: usize,
    /// What the model has no room for is forgotten, so that it has more runs than the program:
    /// only a proof counts, or a counterexample that is confirmed. The number is that of objects
    /// of each site that are chosen to be remembered.
    pub forget: Option<usize>,
    /// Only where there are objects without bytes.
    pub hollow: bool,
}

/// One property as a circuit.
#[derive(Clone)]
pub struct Problem {
    pub circuit: Arc<Circuit>,
    pub analyses: Arc<dyn Analyses>,
    pub way_back: Arc<dyn WayBack>,
    pub publication: Arc<dyn Publication>,
    /// What the model takes for granted.
    pub notes: Vec<String>,
    /// The circuit as it was reduced beforehand.
    pub reduced: Vec<Arc<Reduced>>,
}

/// A reduced circuit and what was recorded about its reductions.
pub struct Reduced {
    config: Config,
    circuit: Arc<Circuit>,
    way_back: Arc<Reductions>,
    figures: Figures,
}

impl Problem {
    /// A problem whose parts are all played by one object.
    pub fn new<T>(circuit: Arc<Circuit>, way_back: Arc<T>, notes: Vec<String>) -> Problem
    where
        T: Analyses + WayBack + Publication + 'static,
    {
        Problem {
            circuit,
            analyses: way_back.clone(),
            way_back: way_back.clone(),
            publication: way_back,
            notes,
            reduced: Vec::new(),
        }
    }

    /// Reduces the circuit beforehand.
    pub fn reduce(&mut self, config: &Config, context: &Context) {
        let (circuit, way_back) = preprocess(&self.circuit, config, context);
        self.reduced.push(Arc::new(Reduced {
            config: config.clone(),
            circuit: Arc::new(circuit),
            way_back: Arc::new(way_back),
            figures: context.figures(),
        }));
    }

    pub fn is_reduced(&self, config: &Config) -> bool {
        self.reduced.iter().any(|reduced| reduced.config == *config)
    }

    /// The reduced circuit and the way back; that of earlier if there is one.
    pub fn reduction(&self, config: &Config, context: &Context) -> (Arc<Circuit>, Arc<Reductions>) {
        if let Some(reduced) = self.reduced.iter().find(|reduced| reduced.config == *config) {
            context.record(|figures| figures.extra.extend(reduced.figures.extra.iter().cloned()));
            return (reduced.circuit.clone(), reduced.way_back.clone());
        }
        let (circuit, way_back) = preprocess(&self.circuit, config, context);
        (Arc::new(circuit), Arc::new(way_back))
    }
}

/// One property as an automaton.
#[derive(Clone)]
pub struct PathProblem {
    pub automaton: Arc<Cfa>,
    pub way_back: Arc<dyn PathWayBack>,
    pub publication: Arc<dyn Publication>,
    /// What the model takes for granted.
    pub notes: Vec<String>,
}

impl PathProblem {
    /// A problem whose parts are all played by one object.
    pub fn new<T>(automaton: Arc<Cfa>, way_back: Arc<T>, notes: Vec<String>) -> PathProblem
    where
        T: PathWayBack + Publication + 'static,
    {
        PathProblem { automaton, way_back: way_back.clone(), publication: way_back, notes }
    }
}

/// What became of a counterexample on the model as it was read.
pub type Replayed = Result<Checked<Run>, Rejection>;

/// From claims about a circuit back to the model as it was read.
pub trait WayBack: Send + Sync {
    /// Replays a trace, which the circuit has accepted, on the model itself.
    fn replay(&self, trace: Trace) -> Replayed;
    /// Whether the circuit is an abstraction, so that a trace of it may be none of the model.
    fn is_coarse(&self) -> bool {
        false
    }
}

/// From claims about an automaton back to the model as it was read.
pub trait PathWayBack: Send + Sync {
    /// Replays a run to a target on the model itself.
    fn replay(&self, run: cfa::Run) -> Replayed;
}

/// What can be found out about a circuit from the model that it was made of.
pub trait Analyses: Send + Sync {
    /// How many analyses of the model there are, from quick to thorough.
    fn analyses(&self) -> usize {
        0
    }
    /// Facts about the circuit that such an analysis finds, which it takes for invariants; none if
    /// it does not come to an end.
    fn analyse(&self, _level: usize, _interrupt: &Interrupt) -> Option<Facts> {
        None
    }
    /// Functions of the circuit's latches that proofs are likely to need, at most so many; none
    /// for a model without words.
    fn signals(&self, _budget: usize) -> Option<Signals> {
        None
    }
    /// Which latches of the circuit are the words of the model; none for a model without words.
    fn words(&self) -> Option<Words> {
        None
    }
    /// The formulas that the model consists of.
    fn outline(&self) -> Option<String> {
        None
    }
    /// A set of states as a formula.
    fn formula(&self, _predicate: &Predicate) -> Option<String> {
        None
    }
}

/// A file that is published, if there can be one, and what the user should know about it.
#[derive(Clone, Debug)]
pub struct Piece<T> {
    pub content: Option<T>,
    pub remark: Option<String>,
}

impl<T> Piece<T> {
    pub fn new(content: T) -> Piece<T> {
        Piece { content: Some(content), remark: None }
    }

    /// Nothing, without an explanation: nobody expects anything.
    pub fn none() -> Piece<T> {
        Piece { content: None, remark: None }
    }

    /// Nothing, for this reason.
    pub fn missing(remark: impl Into<String>) -> Piece<T> {
        Piece { content: None, remark: Some(remark.into()) }
    }
}

/// From checked evidence to what people and other programs read.
pub trait Publication: Send + Sync {
    /// Evidence in the witness format of the model.
    fn witness(
        &self,
        evidence: &Evidence,
        format: WitnessFormat,
        interrupt: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection>;
    /// The properties that a counterexample violates; a program has one.
    fn violated(&self, _evidence: &Evidence) -> Vec<usize> {
        vec![0]
    }
    /// A counterexample in the witness format of the model, in which what does not matter is marked;
    /// none where that is not known.
    fn partial_witness(&self, _evidence: &Evidence) -> Option<Vec<u8>> {
        None
    }
    /// A proof as a certificate.
    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection>;
    /// A counterexample of a circuit as the values of its signals.
    fn waveform(&self, _evidence: &Evidence) -> Option<Waveform> {
        None
    }
    /// What a proof says about the loops of a program.
    fn loop_invariants(&self, _evidence: &Evidence, _interrupt: &Interrupt) -> Vec<Invariant> {
        Vec::new()
    }
    /// The parts of an invariant of a circuit, in its names.
    fn clauses(&self, _evidence: &Evidence) -> Vec<String> {
        Vec::new()
    }
    /// The automaton of a program, as far as it matters for the property.
    fn automaton(&self) -> Option<Graph> {
        None
    }
    /// What a location of the automaton is.
    fn location(&self, location: LocationId) -> Node {
        Node { label: format!("L{}", location.0), ..Node::default() }
    }
    /// A formula about the states of the automaton.
    fn formula_at_location(&self, terms: &TermStore, term: Term) -> String {
        smtlib::formula(terms, term)
    }
    /// A counterexample in terms of the source, without its middle if it is longer than wanted.
    fn counterexample(&self, _evidence: &Evidence, _: Extent) -> Option<Counterexample> {
        None
    }
    /// A counterexample as a program.
    fn harness(&self, _evidence: &Evidence) -> Result<Piece<String>, Rejection> {
        Ok(Piece::none())
    }
}

/// Why evidence that is no invariant has no certificate.
pub(super) fn no_certificate(evidence: &Evidence) -> Piece<Vec<u8>> {
    let cause = match evidence.proof() {
        Some(Proof::Induction { .. }) => "a proof over simple paths has none",
        Some(Proof::Exhaustion { .. }) => "the proof is that all paths have been looked at",
        Some(Proof::OnlyRun { .. }) => "an execution has none",
        Some(Proof::Invariants(_)) => "a proof on the automaton has none in this form",
        Some(Proof::Quantified(_)) => "formulas with quantifiers have none",
        Some(Proof::Invariant(_)) => "an invariant of the circuit has none in this form",
        None => return Piece::none(),
    };
    Piece::missing(format!("no certificate: {cause}"))
}

/// The formula at the only loop of an automaton that was made of a transition system.
pub(super) fn at_head(automaton: &Cfa, proof: &CutInvariants) -> Option<Term> {
    let at_loop = proof.invariants.iter().find(|(cut, _)| *cut != automaton.entry);
    at_loop.map(|(_, formula)| *formula)
}

/// Why there is no circuit or automaton of a model.
pub(crate) fn not_modelled(error: LowerError) -> UnknownReason {
    match error {
        LowerError::Blast(BlastError::ArrayTooLarge { .. } | BlastError::TooManyNodes { .. }) => {
            UnknownReason::TooLarge(error.to_string())
        }
        _ => UnknownReason::Unsupported(error.to_string()),
    }
}
