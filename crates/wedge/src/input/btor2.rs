//! BTOR2 models behind the interface of the command line.

use super::{
    Bounds, CertifyError, Effort, Emission, InputError, Model, Problem, Replayed, WayBack,
};
use crate::decide::Evidence;
use std::path::Path;
use std::sync::Arc;
use wedge_engines::{Context, UnknownReason};
use wedge_evidence::Failure;
use wedge_evidence::btor2::{
    VariableIds, check_word_certificate, check_word_witness, word_certificate,
    word_induction_certificate,
};
use wedge_hw::aiger::AigerModel;
use wedge_hw::btor2::{self, Witness};
use wedge_logic::blast::Limits;
use wedge_logic::{Value, smtlib};
use wedge_model::{Predicate, Signals, System, Trace, WordTrace, Words, lower};
use wedge_sat::Interrupt;

struct Btor2 {
    system: Arc<System>,
    ids: Arc<VariableIds>,
}

struct Property {
    system: Arc<System>,
    ids: Arc<VariableIds>,
    property: usize,
    lowered: lower::WayBack,
    /// Number of latches of the circuit.
    latches: usize,
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

impl Model for Btor2 {
    fn num_properties(&self) -> usize {
        self.system.bads.len()
    }

    fn property_name(&self, property: usize) -> Option<String> {
        self.system.bads[property].name.clone()
    }

    fn problem(&self, property: usize, _: &Effort, _: &Context) -> Result<Problem, UnknownReason> {
        let (circuit, lowered) = lower::lower(&self.system, property, Limits::default())
            .map_err(|error| UnknownReason::Unsupported(error.to_string()))?;
        let (system, ids) = (self.system.clone(), self.ids.clone());
        let latches = circuit.latches.len();
        let way_back = Property { system, ids, property, lowered, latches };
        Ok(Problem { circuit: Arc::new(circuit), way_back: Arc::new(way_back), notes: Vec::new() })
    }

    fn emit(&self, emission: Emission, _: Bounds) -> Result<Vec<u8>, String> {
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
    fn word_trace(&self, trace: &Trace) -> Result<WordTrace, Failure> {
        Ok(self.lowered.trace(&self.system, trace)?)
    }

    fn as_witness(&self, trace: &Trace) -> Result<Witness, Failure> {
        Ok(Witness::from_trace(&self.system, self.property, &self.word_trace(trace)?))
    }
}

impl WayBack for Property {
    fn replay(&self, trace: &Trace) -> Result<Replayed, Failure> {
        check_word_witness(&self.system, &self.as_witness(trace)?)
            .map(|_| Replayed::Confirmed("bad"))
    }

    fn witness(
        &self,
        evidence: &Evidence,
        _: &Path,
        _: &Interrupt,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let Evidence::Trace(trace) = evidence else { return Ok(None) };
        let text = self.as_witness(trace)?.write(&self.system);
        text.map(|text| Some(text.into_bytes())).map_err(|e| Failure::Shape(e.to_string()))
    }

    fn signals(&self, budget: usize) -> Option<Signals> {
        Some(self.lowered.signals(&self.system, self.property, budget))
    }

    fn words(&self) -> Option<Words> {
        Some(self.lowered.words(&self.system, None))
    }

    fn formula(&self, predicate: &Predicate) -> Option<String> {
        let mut system = (*self.system).clone();
        let term = self.lowered.predicate(&mut system, predicate);
        Some(smtlib::formula(&system.terms, term))
    }

    fn certificate(&self, invariant: &Predicate) -> Result<Vec<u8>, Failure> {
        let mut system = (*self.system).clone();
        let invariant = self.lowered.predicate(&mut system, invariant);
        Ok(word_certificate(&system, &self.ids, self.property, invariant)?.into_bytes())
    }

    fn induction_certificate(&self, k: usize) -> Result<Vec<u8>, Failure> {
        // What the lowering took for granted: the states that it replaced by constants.
        let mut system = (*self.system).clone();
        let all = Predicate::constant(true, self.latches);
        let constants = self.lowered.predicate(&mut system, &all);
        let text = word_induction_certificate(&system, &self.ids, self.property, k, constants)?;
        Ok(text.into_bytes())
    }

    fn input_table(&self, trace: &Trace) -> Vec<(String, Vec<String>)> {
        let Ok(trace) = self.word_trace(trace) else { return Vec::new() };
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
