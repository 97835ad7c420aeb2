//! AIGER models behind the interface of the command line.

use super::{
    Bounds, CertifyError, Effort, Emission, InputError, Model, Problem, Replayed, WayBack,
};
use crate::decide::Evidence;
use std::path::Path;
use std::sync::Arc;
use wedge_engines::{Context, UnknownReason};
use wedge_evidence::{Failure, check_certificate, check_witness};
use wedge_hw::aiger::{self, AigerModel, Witness};
use wedge_model::{Predicate, Trace};
use wedge_sat::Interrupt;

struct Aiger(Arc<AigerModel>);

struct Property {
    model: Arc<AigerModel>,
    property: usize,
}

pub fn read(path: &Path) -> Result<Arc<dyn Model>, InputError> {
    let model = aiger::read(path).map_err(|e| InputError(e.to_string()))?;
    Ok(Arc::new(Aiger(Arc::new(model))))
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
        let way_back = Property { model: self.0.clone(), property };
        Ok(Problem { circuit: Arc::new(circuit), way_back: Arc::new(way_back), notes: Vec::new() })
    }

    fn emit(&self, emission: Emission, _: Bounds) -> Result<Vec<u8>, String> {
        match emission {
            Emission::Aiger(property) => {
                let circuit = self.0.circuit(property);
                let circuit = circuit.ok_or_else(|| format!("there is no property {property}"))?;
                Ok(AigerModel::from_circuit(&circuit).to_ascii())
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
}

impl WayBack for Property {
    fn replay(&self, trace: &Trace) -> Result<Replayed, Failure> {
        check_witness(&self.model, &self.as_witness(trace)).map(|_| Replayed::Confirmed("bad"))
    }

    fn witness(
        &self,
        evidence: &Evidence,
        _: &Path,
        _: &Interrupt,
    ) -> Result<Option<Vec<u8>>, Failure> {
        Ok(match evidence {
            Evidence::Trace(trace) => Some(self.as_witness(trace).to_string().into_bytes()),
            _ => None,
        })
    }

    fn certificate(&self, invariant: &Predicate) -> Result<Vec<u8>, Failure> {
        Ok(wedge_evidence::certificate(&self.model, self.property, invariant)?.to_binary())
    }

    fn induction_certificate(&self, k: usize) -> Result<Vec<u8>, Failure> {
        Ok(wedge_evidence::induction_certificate(&self.model, self.property, k)?.to_binary())
    }

    fn input_table(&self, trace: &Trace) -> Vec<(String, Vec<String>)> {
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
