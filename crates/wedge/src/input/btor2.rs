//! BTOR2 models: a circuit per property, and an automaton over words.

use super::as_smt2;
use super::problem::{at_head, no_certificate, not_modelled};
use super::{
    Analyses, CertifyError, Effort, Emission, EmittedRoom, InputError, Model, PathProblem,
    PathWayBack, Piece, Problem, Publication, Replayed, WayBack,
};
use crate::decide::Evidence;
use crate::options::WitnessFormat;
use std::path::Path;
use std::sync::Arc;
use wedge_engines::{Context, UnknownReason};
use wedge_evidence::btor2::{
    VariableIds, check_word_certificate, check_word_witness, word_certificate,
    word_induction_certificate,
};
use wedge_evidence::{Course, Proof, Rejection, claims};
use wedge_hw::aiger::AigerModel;
use wedge_hw::btor2::{self, Witness};
use wedge_logic::blast::Limits;
use wedge_logic::{Value, smtlib};
use wedge_model::cfa::{Cfa, Run, word_trace};
use wedge_model::{Predicate, Signals, System, Trace, WordTrace, Words, lower};
use wedge_sat::Interrupt;

struct Btor2 {
    system: Arc<System>,
    ids: Arc<VariableIds>,
}

/// A property of the file.
struct Property {
    system: Arc<System>,
    ids: Arc<VariableIds>,
    property: usize,
}

/// The same property as a circuit.
struct CircuitProperty {
    property: Property,
    lowered: lower::LoweringMap,
    /// Number of latches of the circuit.
    latches: usize,
}

/// The same property as an automaton.
struct PathProperty {
    property: Property,
    automaton: Arc<Cfa>,
}

pub fn read(path: &Path) -> Result<Arc<dyn Model>, InputError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path).map_err(|e| InputError(format!("{name}: {e}")))?;
    let system = btor2::parse(&name, &bytes).map_err(|e| InputError(e.to_string()))?;
    if system.bads.is_empty() {
        return Err(InputError(format!("{name}: no property: there is no line with 'bad'")));
    }
    let ids = VariableIds::scan(&bytes);
    Ok(Arc::new(Btor2 { system: Arc::new(system), ids: Arc::new(ids) }))
}

impl Btor2 {
    fn property(&self, property: usize) -> Property {
        Property { system: self.system.clone(), ids: self.ids.clone(), property }
    }
}

impl Model for Btor2 {
    fn num_properties(&self) -> usize {
        self.system.bads.len()
    }

    fn property_name(&self, property: usize) -> Option<String> {
        self.system.bads[property].name.clone()
    }

    fn problem(&self, property: usize, _: &Effort, _: &Context) -> Result<Problem, UnknownReason> {
        let (circuit, lowered) =
            lower::lower(&self.system, property, Limits::default()).map_err(not_modelled)?;
        let latches = circuit.latches.len();
        let way_back = CircuitProperty { property: self.property(property), lowered, latches };
        Ok(Problem::new(Arc::new(circuit), Arc::new(way_back), Vec::new()))
    }

    fn path_problem(
        &self,
        property: usize,
        _: &Effort,
        _: &Context,
    ) -> Result<PathProblem, UnknownReason> {
        let automaton = Cfa::from_system(&self.system, property).map_err(not_modelled)?;
        let automaton = Arc::new(automaton);
        let property = self.property(property);
        let way_back = PathProperty { property, automaton: automaton.clone() };
        Ok(PathProblem::new(automaton, Arc::new(way_back), Vec::new()))
    }

    fn emit(&self, emission: Emission, _: EmittedRoom) -> Result<Vec<u8>, String> {
        match emission {
            Emission::Btor2 => {
                let written = btor2::write(&self.system).map_err(|e| e.to_string())?;
                Ok(written.text.into_bytes())
            }
            Emission::Aiger(property) => {
                let lowered = lower::lower(&self.system, property, Limits::default());
                let (circuit, _) = lowered.map_err(|e| e.to_string())?;
                Ok(AigerModel::from_circuit(&circuit).to_ascii())
            }
            Emission::Smt2(property, unroll) => {
                let automaton = Cfa::from_system(&self.system, property);
                as_smt2(&automaton.map_err(|e| e.to_string())?, unroll)
            }
            Emission::Dot => Err("a circuit has no control-flow automaton".into()),
        }
    }

    fn certify(
        &self,
        evidence: &Path,
        property: usize,
        interrupt: &Interrupt,
    ) -> Result<&'static str, CertifyError> {
        let bytes = std::fs::read(evidence)
            .map_err(|e| CertifyError::Input(format!("{}: {e}", evidence.display())))?;
        if bytes.starts_with(b"sat") {
            let witness = Witness::read(evidence, &self.system).map_err(CertifyError::input)?;
            check_word_witness(&self.system, &witness)?;
            return Ok("witness");
        }
        let certificate = btor2::read(evidence).map_err(CertifyError::input)?;
        let limits = Limits::default();
        check_word_certificate(&self.system, &self.ids, &certificate, property, limits, interrupt)?;
        Ok("certificate")
    }
}

impl Property {
    fn as_witness(&self, trace: &WordTrace) -> Witness {
        Witness::from_trace(&self.system, self.property, trace)
    }

    fn replay(&self, trace: &WordTrace, course: Course) -> Replayed {
        claims::btor2_trace(&self.system, self.property, trace, course)
    }

    fn witness(&self, trace: &WordTrace) -> Result<Piece<Vec<u8>>, Rejection> {
        let text = self.as_witness(trace).write(&self.system);
        text.map(|text| Piece::new(text.into_bytes()))
            .map_err(|e| Rejection::Malformed(e.to_string()))
    }

    /// The inputs that are ever different from 0.
    fn table(&self, trace: &WordTrace) -> Vec<(String, Vec<String>)> {
        let mut rows = Vec::new();
        for (index, &var) in self.system.inputs.iter().enumerate() {
            let value = |step: &wedge_model::WordStep| match &step.inputs[index] {
                Value::Bv(bits) => bits.to_string(),
                Value::Array(_) => "(array)".to_string(),
            };
            let values: Vec<String> = trace.steps.iter().map(value).collect();
            if values.iter().any(|v| v != "0") {
                rows.push((self.system.name(var).to_string(), values));
            }
        }
        rows
    }
}

impl CircuitProperty {
    fn word_trace(&self, trace: &Trace) -> Result<WordTrace, Rejection> {
        Ok(self.lowered.trace(&self.property.system, trace)?)
    }

    fn invariant_certificate(&self, invariant: &Predicate) -> Result<Vec<u8>, Rejection> {
        let Property { system, ids, property } = &self.property;
        let mut system = (**system).clone();
        let invariant = self.lowered.predicate(&mut system, invariant);
        Ok(word_certificate(&system, ids, *property, invariant)?.into_bytes())
    }

    fn induction_certificate(&self, k: usize) -> Result<Vec<u8>, Rejection> {
        // What the lowering took for granted: the states that it replaced by constants.
        let Property { system, ids, property } = &self.property;
        let mut system = (**system).clone();
        let all = Predicate::constant(true, self.latches);
        let constants = self.lowered.predicate(&mut system, &all);
        let text = word_induction_certificate(&system, ids, *property, k, constants)?;
        Ok(text.into_bytes())
    }
}

impl WayBack for CircuitProperty {
    fn replay(&self, trace: Trace) -> Replayed {
        self.property.replay(&self.word_trace(&trace)?, Course::Trace(trace))
    }
}

impl Analyses for CircuitProperty {
    fn signals(&self, budget: usize) -> Option<Signals> {
        let Property { system, property, .. } = &self.property;
        Some(self.lowered.signals(system, *property, budget))
    }

    fn words(&self) -> Option<Words> {
        Some(self.lowered.words(&self.property.system, None))
    }

    fn formula(&self, predicate: &Predicate) -> Option<String> {
        let mut system = (*self.property.system).clone();
        let term = self.lowered.predicate(&mut system, predicate);
        Some(smtlib::formula(&system.terms, term))
    }
}

impl Publication for CircuitProperty {
    fn witness(
        &self,
        evidence: &Evidence,
        _: WitnessFormat,
        _: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection> {
        match evidence.trace() {
            Some(trace) => self.property.witness(&self.word_trace(trace)?),
            _ => Ok(Piece::none()),
        }
    }

    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
        match evidence.proof() {
            Some(Proof::Invariant(invariant)) => {
                self.invariant_certificate(invariant).map(Piece::new)
            }
            Some(Proof::Induction { k, simple_path: false, facts: None }) => {
                self.induction_certificate(*k).map(Piece::new)
            }
            _ => Ok(no_certificate(evidence)),
        }
    }

    fn input_table(&self, evidence: &Evidence) -> Vec<(String, Vec<String>)> {
        let Some(trace) = evidence.trace() else { return Vec::new() };
        self.word_trace(trace).map_or(Vec::new(), |trace| self.property.table(&trace))
    }
}

impl PathProperty {
    fn word_trace(&self, run: &Run) -> WordTrace {
        word_trace(&self.property.system, &self.automaton, run)
    }
}

impl PathWayBack for PathProperty {
    fn replay(&self, run: Run) -> Replayed {
        self.property.replay(&self.word_trace(&run), Course::Path(run))
    }
}

impl Publication for PathProperty {
    fn witness(
        &self,
        evidence: &Evidence,
        _: WitnessFormat,
        _: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection> {
        match evidence.path() {
            Some(run) => self.property.witness(&self.word_trace(run)),
            _ => Ok(Piece::none()),
        }
    }

    /// The formula at the loop is an invariant of the system; its terms extend the system's.
    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
        let Some(Proof::Invariants(proof)) = evidence.proof() else {
            return Ok(no_certificate(evidence));
        };
        let Property { system, ids, property } = &self.property;
        let mut system = System { terms: proof.terms.clone(), ..(**system).clone() };
        let invariant = at_head(&self.automaton, proof);
        let invariant = invariant.unwrap_or_else(|| system.terms.bool(true));
        let text = word_certificate(&system, ids, *property, invariant)?;
        Ok(Piece::new(text.into_bytes()))
    }

    fn input_table(&self, evidence: &Evidence) -> Vec<(String, Vec<String>)> {
        match evidence.path() {
            Some(run) => self.property.table(&self.word_trace(run)),
            _ => Vec::new(),
        }
    }
}
