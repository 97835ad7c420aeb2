//! Models as files, whatever their format: a [`Model`] has properties, and each of them is a
//! [`Problem`] for the engines, with the way back to the terms of the file.

mod aiger;
mod btor2;

use std::path::Path;
use std::sync::Arc;
use wedge_engines::UnknownReason;
use wedge_evidence::Failure;
use wedge_model::{Circuit, Predicate, Trace};
use wedge_sat::Interrupt;

/// A model that was read.
pub trait Model: Send + Sync {
    fn num_properties(&self) -> usize;
    /// The name of a property, if the file gives one.
    fn property_name(&self, property: usize) -> Option<String>;
    /// The circuit of a property; the reason if it is too large to be modelled.
    fn problem(&self, property: usize) -> Result<Problem, UnknownReason>;
    /// Checks a certificate or witness file, and says which it was.
    fn certify(
        &self,
        evidence: &Path,
        property: usize,
        interrupt: &Interrupt,
    ) -> Result<&'static str, CertifyError>;
}

/// One property, as the engines see it.
#[derive(Clone)]
pub struct Problem {
    pub circuit: Arc<Circuit>,
    pub way_back: Arc<dyn WayBack>,
}

/// From the circuit back to the model as it was read.
pub trait WayBack: Send + Sync {
    /// Replays a trace, which the circuit has accepted, on the model itself.
    fn replay(&self, trace: &Trace) -> Result<(), Failure>;
    /// A counterexample in the witness format of the model.
    fn witness(&self, trace: &Trace) -> Result<String, Failure>;
    /// The certificate of an invariant.
    fn certificate(&self, invariant: &Predicate) -> Result<Vec<u8>, Failure>;
    /// The certificate of a k-inductive property.
    fn induction_certificate(&self, k: usize) -> Result<Vec<u8>, Failure>;
    /// The inputs that are ever different from 0, each with its value in every step.
    fn input_table(&self, trace: &Trace) -> Vec<(String, Vec<String>)>;
}

/// A message about unreadable input; it names the file and the place.
pub struct InputError(pub String);

pub enum CertifyError {
    Input(String),
    Rejected(String),
    /// Nothing is known, for this reason.
    Undecided(String),
}

impl CertifyError {
    fn input(error: impl std::fmt::Display) -> CertifyError {
        CertifyError::Input(error.to_string())
    }
}

impl From<Failure> for CertifyError {
    fn from(failure: Failure) -> CertifyError {
        match failure {
            Failure::Stopped => CertifyError::Undecided("timeout".into()),
            Failure::TooLarge(error) => CertifyError::Undecided(error.to_string()),
            Failure::File(error) => CertifyError::Input(error.to_string()),
            Failure::WordFile(error) => CertifyError::Input(error.to_string()),
            other => CertifyError::Rejected(other.to_string()),
        }
    }
}

pub fn read(path: &Path) -> Result<Box<dyn Model>, InputError> {
    match format_of(path) {
        Some(Format::Aiger) => aiger::read(path),
        Some(Format::Btor2) => btor2::read(path),
        None => Err(InputError(format!(
            "{}: unknown format; expected .aig, .aag, .btor2 or .btor",
            path.display()
        ))),
    }
}

enum Format {
    Aiger,
    Btor2,
}

/// By extension, else by the first bytes.
fn format_of(path: &Path) -> Option<Format> {
    match path.extension().and_then(|e| e.to_str()) {
        Some("aig" | "aag") => return Some(Format::Aiger),
        Some("btor" | "btor2") => return Some(Format::Btor2),
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
