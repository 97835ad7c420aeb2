//! Models as files, whatever their format.

use std::path::Path;
use wedge_evidence::Failure;
use wedge_hw::aiger::{self, AigerModel, Witness};
use wedge_model::{Circuit, Predicate, Trace};
use wedge_sat::Interrupt;

/// A model that was read.
pub enum Model {
    Aiger(Box<AigerModel>),
}

/// A message about unreadable input; it names the file and the place.
pub struct InputError(pub String);

impl Model {
    pub fn read(path: &Path) -> Result<Model, InputError> {
        match format_of(path) {
            Some(Format::Aiger) => {
                let model = aiger::read(path).map_err(|e| InputError(e.to_string()))?;
                Ok(Model::Aiger(Box::new(model)))
            }
            None => Err(InputError(format!(
                "{}: unknown format; expected .aig, .aag, .btor2 or .btor",
                path.display()
            ))),
        }
    }

    pub fn num_properties(&self) -> usize {
        match self {
            Model::Aiger(model) => model.properties().len(),
        }
    }

    /// The name of a property, if the file gives one.
    pub fn property_name(&self, property: usize) -> Option<&str> {
        match self {
            Model::Aiger(model) => model.properties()[property].name.as_deref(),
        }
    }

    pub fn circuit(&self, property: usize) -> Option<Circuit> {
        match self {
            Model::Aiger(model) => model.circuit(property),
        }
    }

    /// The counterexample in the witness format of the model.
    pub fn witness(&self, property: usize, trace: &Trace) -> String {
        match self {
            Model::Aiger(model) => Witness { property, trace: model.trace(trace) }.to_string(),
        }
    }

    /// The certificate circuit of an invariant.
    pub fn certificate(&self, property: usize, invariant: &Predicate) -> Result<Vec<u8>, Failure> {
        match self {
            Model::Aiger(model) => {
                Ok(wedge_evidence::certificate(model, property, invariant)?.to_binary())
            }
        }
    }

    /// The certificate circuit of a k-inductive property.
    pub fn induction_certificate(&self, property: usize, k: usize) -> Result<Vec<u8>, Failure> {
        match self {
            Model::Aiger(model) => {
                Ok(wedge_evidence::induction_certificate(model, property, k)?.to_binary())
            }
        }
    }

    /// The names of the circuit's inputs, in order.
    pub fn input_names(&self) -> Vec<String> {
        match self {
            Model::Aiger(model) => {
                let name = |(index, input): (usize, &aiger::Input)| {
                    input.name.clone().unwrap_or_else(|| format!("i{index}"))
                };
                model.inputs.iter().enumerate().map(name).collect()
            }
        }
    }

    /// Checks a certificate or witness file.
    pub fn certify(
        &self,
        evidence: &Path,
        property: usize,
        interrupt: &Interrupt,
    ) -> Result<&'static str, CertifyError> {
        match self {
            Model::Aiger(model) => {
                let start = std::fs::read(evidence)
                    .map_err(|e| CertifyError::Input(format!("{}: {e}", evidence.display())))?;
                if start.starts_with(b"aig ") || start.starts_with(b"aag ") {
                    let certificate = aiger::read(evidence).map_err(CertifyError::input)?;
                    wedge_evidence::check_certificate(model, &certificate, property, interrupt)?;
                    return Ok("certificate");
                }
                let witness = Witness::read(evidence, model).map_err(CertifyError::input)?;
                wedge_evidence::check_witness(model, &witness)?;
                Ok("witness")
            }
        }
    }
}

pub enum CertifyError {
    Input(String),
    Rejected(String),
    Stopped,
}

impl CertifyError {
    fn input(error: impl std::fmt::Display) -> CertifyError {
        CertifyError::Input(error.to_string())
    }
}

impl From<Failure> for CertifyError {
    fn from(failure: Failure) -> CertifyError {
        match failure {
            Failure::Stopped => CertifyError::Stopped,
            Failure::File(error) => CertifyError::Input(error.to_string()),
            other => CertifyError::Rejected(other.to_string()),
        }
    }
}

enum Format {
    Aiger,
}

/// By extension, else by the first bytes.
fn format_of(path: &Path) -> Option<Format> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("aig" | "aag") => return Some(Format::Aiger),
        _ => {}
    }
    let mut start = [0u8; 4];
    let read =
        std::fs::File::open(path).and_then(|mut f| std::io::Read::read_exact(&mut f, &mut start));
    match (read, &start) {
        (Ok(()), b"aig " | b"aag ") => Some(Format::Aiger),
        _ => None,
    }
}
