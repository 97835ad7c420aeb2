//! AIGER models: a circuit per property, and an automaton over bits.

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
use wedge_evidence::{Course, Proof, Rejection, check_certificate, check_witness, claims};
use wedge_hw::aiger::{self, AigerModel, Witness};
use wedge_logic::Term;
use wedge_model::bits::{bit_predicate, bit_trace};
use wedge_model::cfa::{Cfa, Run, word_trace};
use wedge_model::{Predicate, System, Trace};
use wedge_sat::Interrupt;

struct Aiger(Arc<AigerModel>);

struct Property {
    model: Arc<AigerModel>,
    property: usize,
}

/// The same property as an automaton.
struct PathProperty {
    property: Property,
    system: System,
    automaton: Arc<Cfa>,
}

pub fn read(path: &Path) -> Result<Arc<dyn Model>, InputError> {
    let model = aiger::read(path).map_err(|e| InputError(e.to_string()))?;
    Ok(Arc::new(Aiger(Arc::new(model))))
}

impl Aiger {
    fn property(&self, property: usize) -> Property {
        Property { model: self.0.clone(), property }
    }
}

impl Model for Aiger {
    fn num_properties(&self) -> usize {
        self.0.properties().len()
    }

    fn property_name(&self, property: usize) -> Option<String> {
        self.0.properties()[property].name.clone()
    }

    fn problem(&self, property: usize, _: &Effort, _: &Context) -> Result<Problem, UnknownReason> {
        let circuit = self.0.circuit(property).expect("the property index was checked");
        Ok(Problem::new(Arc::new(circuit), Arc::new(self.property(property)), Vec::new()))
    }

    fn path_problem(
        &self,
        property: usize,
        _: &Effort,
        _: &Context,
    ) -> Result<PathProblem, UnknownReason> {
        let circuit = self.0.circuit(property).expect("the property index was checked");
        let system = circuit.to_system();
        let automaton = Cfa::from_system(&system, 0).map_err(not_modelled)?;
        let automaton = Arc::new(automaton);
        let property = self.property(property);
        let way_back = PathProperty { property, system, automaton: automaton.clone() };
        Ok(PathProblem::new(automaton, Arc::new(way_back), Vec::new()))
    }

    fn emit(&self, emission: Emission, _: EmittedRoom) -> Result<Vec<u8>, String> {
        match emission {
            Emission::Aiger(property) => {
                let circuit = self.0.circuit(property);
                let circuit = circuit.ok_or_else(|| format!("there is no property {property}"))?;
                Ok(AigerModel::from_circuit(&circuit).to_ascii())
            }
            Emission::Smt2(property, unroll) => {
                let circuit = self.0.circuit(property);
                let circuit = circuit.ok_or_else(|| format!("there is no property {property}"))?;
                let automaton = Cfa::from_system(&circuit.to_system(), 0);
                as_smt2(&automaton.map_err(|e| e.to_string())?, unroll)
            }
            Emission::Btor2 => Err("a bit-level circuit cannot be written as words".into()),
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
        if bytes.starts_with(b"aig ") || bytes.starts_with(b"aag ") {
            let certificate = aiger::read(evidence).map_err(CertifyError::input)?;
            check_certificate(&self.0, &certificate, property, interrupt)?;
            return Ok("certificate");
        }
        let witness = Witness::read(evidence, &self.0).map_err(CertifyError::input)?;
        check_witness(&self.0, &witness)?;
        Ok("witness")
    }
}

impl Property {
    fn as_witness(&self, trace: &Trace) -> Witness {
        Witness { property: self.property, trace: self.model.trace(trace) }
    }

    fn replay(&self, trace: &Trace, course: Course) -> Replayed {
        claims::aiger_trace(&self.model, self.property, trace, course)
    }

    fn invariant_certificate(&self, invariant: &Predicate) -> Result<Piece<Vec<u8>>, Rejection> {
        let certificate = wedge_evidence::certificate(&self.model, self.property, invariant)?;
        Ok(Piece::new(certificate.to_binary()))
    }

    /// The inputs that are ever true.
    fn table(&self, trace: &Trace) -> Vec<(String, Vec<String>)> {
        let mut rows = Vec::new();
        for (index, input) in self.model.inputs.iter().enumerate() {
            if trace.inputs.iter().any(|step| step[index]) {
                let name = input.name.clone().unwrap_or_else(|| format!("i{index}"));
                let values = trace.inputs.iter().map(|step| (step[index] as u8).to_string());
                rows.push((name, values.collect()));
            }
        }
        rows
    }
}

impl Analyses for Property {}

impl WayBack for Property {
    fn replay(&self, trace: Trace) -> Replayed {
        Property::replay(self, &trace, Course::Trace(trace.clone()))
    }
}

impl Publication for Property {
    fn witness(
        &self,
        evidence: &Evidence,
        _: WitnessFormat,
        _: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection> {
        Ok(match evidence.trace() {
            Some(trace) => Piece::new(self.as_witness(trace).to_string().into_bytes()),
            _ => Piece::none(),
        })
    }

    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
        match evidence.proof() {
            Some(Proof::Invariant(invariant)) => self.invariant_certificate(invariant),
            Some(Proof::Induction { k, simple_path: false, facts: None }) => {
                let made = wedge_evidence::induction_certificate(&self.model, self.property, *k)?;
                Ok(Piece::new(made.to_binary()))
            }
            _ => Ok(no_certificate(evidence)),
        }
    }

    fn input_table(&self, evidence: &Evidence) -> Vec<(String, Vec<String>)> {
        match evidence.trace() {
            Some(trace) => self.table(trace),
            _ => Vec::new(),
        }
    }
}

impl PathProperty {
    fn trace(&self, run: &Run) -> Trace {
        bit_trace(&word_trace(&self.system, &self.automaton, run))
    }
}

impl PathWayBack for PathProperty {
    fn replay(&self, run: Run) -> Replayed {
        self.property.replay(&self.trace(&run), Course::Path(run))
    }
}

impl Publication for PathProperty {
    fn witness(
        &self,
        evidence: &Evidence,
        _: WitnessFormat,
        _: &Interrupt,
    ) -> Result<Piece<Vec<u8>>, Rejection> {
        let Some(run) = evidence.path() else { return Ok(Piece::none()) };
        let witness = self.property.as_witness(&self.trace(run));
        Ok(Piece::new(witness.to_string().into_bytes()))
    }

    fn certificate(&self, evidence: &Evidence) -> Result<Piece<Vec<u8>>, Rejection> {
        match evidence.proof() {
            Some(Proof::Invariants(proof)) => {
                let states: Vec<Term> = self.system.states.iter().map(|s| s.var).collect();
                let invariant = match at_head(&self.automaton, proof) {
                    Some(term) => bit_predicate(&proof.terms, term, &states)?,
                    None => Predicate::constant(true, states.len()),
                };
                self.property.invariant_certificate(&invariant)
            }
            _ => Ok(no_certificate(evidence)),
        }
    }

    fn input_table(&self, evidence: &Evidence) -> Vec<(String, Vec<String>)> {
        match evidence.path() {
            Some(run) => self.property.table(&self.trace(run)),
            _ => Vec::new(),
        }
    }
}
