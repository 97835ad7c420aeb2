//! Models as files, whatever their format: a [`Model`] has properties, and each of them is a
//! [`Problem`] for the engines, with the way back to the terms of the file.

mod aiger;
mod btor2;
mod c;

use crate::args::ProgramArgs;
use crate::decide::Evidence;
use crate::verdict::Verdict;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wedge_c::Features;
use wedge_engines::{Context, UnknownReason};
use wedge_evidence::Failure;
use wedge_model::{Circuit, Facts, Predicate, Signals, Trace, Words};
use wedge_sat::Interrupt;

/// A model that was read.
pub trait Model: Send + Sync {
    fn num_properties(&self) -> usize;
    /// The name of a property, if the file gives one.
    fn property_name(&self, property: usize) -> Option<String>;
    /// What a user should know before anything is run.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }
    /// What a reader of the report should know, by name.
    fn about(&self) -> Vec<(String, String)> {
        Vec::new()
    }
    /// The circuit of a property; the reason if it cannot be modelled, or is too large.
    fn problem(
        &self,
        property: usize,
        effort: &Effort,
        context: &Context,
    ) -> Result<Problem, UnknownReason>;
    /// What a program is like; nothing for circuits.
    fn features(&self) -> Option<Features> {
        None
    }
    /// What concrete execution, which needs no circuit, comes to; none where there is only the
    /// circuit to execute.
    fn execute(&self, _context: &Context) -> Option<Executed> {
        None
    }
    /// A run that speaks against a proof, if one is at hand.
    fn doubt(&self) -> Option<Doubt> {
        None
    }
    /// How many sizes of the model there are.
    fn levels(&self) -> usize {
        1
    }
    /// How many objects of each site are to stand for all of them, if that is asked for.
    fn chosen_objects(&self) -> Option<usize> {
        None
    }
    /// How many precisions of the model there are.
    fn precisions(&self) -> usize {
        1
    }
    /// The model in another format; for a program, with these bounds on recursion and allocation.
    fn emit(&self, emission: Emission, bounds: Bounds) -> Result<Vec<u8>, String>;
    /// Checks a certificate or witness file, and says which it was.
    fn certify(
        &self,
        evidence: &Path,
        property: usize,
        interrupt: &Interrupt,
    ) -> Result<&'static str, CertifyError>;
}

/// What speaks against giving out a proof.
#[derive(Debug)]
pub enum Doubt {
    /// The behaviour of a run is undefined, in this way, so that the program means nothing.
    Undefined(String),
    /// A run comes to the error.
    Error,
}

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
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Emission {
    Btor2,
    /// The circuit of this property.
    Aiger(usize),
    Dot,
}

/// Depth of recursion and objects per allocation, where they are given.
pub type Bounds = (Option<usize>, Option<usize>);

/// One property, as the engines see it.
#[derive(Clone)]
pub struct Problem {
    pub circuit: Arc<Circuit>,
    pub way_back: Arc<dyn WayBack>,
    /// What the model takes for granted.
    pub notes: Vec<String>,
}

/// What concrete execution came to. Evidence has passed its check.
pub struct Executed {
    pub verdict: Verdict,
    pub evidence: Option<Evidence>,
    pub problem: Problem,
}

/// What became of a counterexample on the model as it was read.
pub enum Replayed {
    /// This is violated.
    Confirmed(&'static str),
    /// It ends where the model does, for this reason.
    Limit(String),
}

/// From the circuit back to the model as it was read.
pub trait WayBack: Send + Sync {
    /// Replays a trace, which the circuit has accepted, on the model itself.
    fn replay(&self, trace: &Trace) -> Result<Replayed, Failure>;
    /// Whether the circuit is an abstraction, so that a trace of it may be none of the model.
    fn is_coarse(&self) -> bool {
        false
    }
    /// Evidence in the witness format of the model, for a file of this name; none if the format
    /// has nothing for evidence of this kind.
    fn witness(
        &self,
        evidence: &Evidence,
        path: &Path,
        interrupt: &Interrupt,
    ) -> Result<Option<Vec<u8>>, Failure>;
    /// The certificate of an invariant.
    fn certificate(&self, invariant: &Predicate) -> Result<Vec<u8>, Failure>;
    /// The certificate of a k-inductive property.
    fn induction_certificate(&self, k: usize) -> Result<Vec<u8>, Failure>;
    /// The certificate of a property that is k-inductive where inductive facts hold; none if the
    /// format of the model has none.
    fn strengthened_induction_certificate(
        &self,
        _k: usize,
        _facts: &Predicate,
    ) -> Result<Option<Vec<u8>>, Failure> {
        Ok(None)
    }
    /// How many analyses of the model there are, from quick to thorough.
    fn analyses(&self) -> usize {
        0
    }
    /// Facts about the circuit that such an analysis finds, which it takes for invariants; none if
    /// it does not come to an end.
    fn analyse(&self, _level: usize, _interrupt: &Interrupt) -> Option<Facts> {
        None
    }
    /// The inputs that are ever different from 0, each with its value in every step.
    fn input_table(&self, trace: &Trace) -> Vec<(String, Vec<String>)>;
    /// A counterexample told in terms of the source.
    fn story(&self, _evidence: &Evidence, _whole: bool) -> Option<String> {
        None
    }
    /// A counterexample as a program.
    fn harness(&self, _evidence: &Evidence) -> Result<Option<String>, Failure> {
        Ok(None)
    }
    /// The formulas that the model consists of.
    fn outline(&self) -> Option<String> {
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
    /// A set of states as a formula.
    fn formula(&self, _predicate: &Predicate) -> Option<String> {
        None
    }
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

/// Reads a model; several files are those of one program.
pub fn read(files: &[PathBuf], program: &ProgramArgs) -> Result<Arc<dyn Model>, InputError> {
    match files {
        [only] if !c::is_program(only) => match program.first_given() {
            Some(option) => {
                let cause = format!("{option} is for C programs only");
                Err(InputError(format!("{}: {cause}", only.display())))
            }
            None => read_circuit(only),
        },
        _ => c::read(files, program),
    }
}

pub fn read_circuit(path: &Path) -> Result<Arc<dyn Model>, InputError> {
    match format_of(path) {
        Some(Format::Aiger) => aiger::read(path),
        Some(Format::Btor2) => btor2::read(path),
        None => Err(InputError(format!(
            "{}: unknown format; expected .c, .i, .yml, .aig, .aag, .btor2 or .btor",
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
