//! Models as files, whatever their format: a [`Model`] has properties, and each of them is a
//! [`Problem`] on a circuit or a [`PathProblem`] on an automaton, with the way back to the terms of
//! the file.

mod aiger;
mod btor2;
mod c;
mod clauses;
mod liveness;
mod problem;
mod remembering;
mod smt2;

pub use c::{Witnessed, is_program, witnessed};
pub use problem::{
    Analyses, Effort, PathProblem, PathWayBack, Piece, Problem, Publication, Replayed, WayBack,
};

pub use remembering::Remembering;
pub use smt2::{LimitsAre, Smt2Form};

use crate::options::ProgramOptions;
use crate::question::Question;
use smt2::as_smt2;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use wedge_c::reach::Beginning;
use wedge_c::typed::Program;
use wedge_c::{CheckPoint, Features, Properties};
use wedge_engines::{Context, UnknownReason};
use wedge_evidence::Rejection;
use wedge_hw::aiger::AigerModel;
use wedge_sat::Interrupt;

/// A model that was read.
pub trait Model: Send + Sync {
    fn num_properties(&self) -> usize;
    /// How many of the properties, the first ones, are bad states; those behind are about infinite
    /// paths.
    fn num_bads(&self) -> usize {
        self.num_properties()
    }
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
    /// The files with text for people that it was read from, each with its name.
    fn sources(&self) -> Vec<(String, String)> {
        Vec::new()
    }
    /// The circuit of a question; the reason if it cannot be modelled, or is too large.
    fn problem(
        &self,
        question: &Question,
        effort: &Effort,
        context: &Context,
    ) -> Result<Problem, UnknownReason>;
    /// The automaton of a question; the reason if it cannot be modelled, or is too large.
    fn path_problem(
        &self,
        question: &Question,
        effort: &Effort,
        context: &Context,
    ) -> Result<PathProblem, UnknownReason>;
    /// What only programs have.
    fn as_program(&self) -> Option<&dyn ProgramModel> {
        None
    }
    /// What a program is like; nothing for circuits and for programs that cannot be modelled.
    fn features(&self) -> Option<Features> {
        let program = self.as_program()?.program().ok()?;
        Some(Features::of(program))
    }
    /// One certificate for all properties that these certificates are about; the reason if there is
    /// none.
    fn joined_certificate(&self, _certificates: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        Err("certificates of programs cannot be joined".to_string())
    }
    /// The model in another format; for a program, with this room for recursion and allocation.
    fn emit(&self, emission: Emission, room: EmittedRoom) -> Result<Vec<u8>, String>;
    /// Checks a certificate or witness file, and says which it was. A certificate is one of these
    /// properties.
    fn certify(
        &self,
        evidence: &Path,
        question: &Question,
        interrupt: &Interrupt,
    ) -> Result<&'static str, CertifyError>;
}

/// What only programs have.
pub trait ProgramModel: Send + Sync {
    /// The program itself, for engines that execute it; the reason if it cannot be modelled.
    fn program(&self) -> Result<&Arc<Program>, UnknownReason>;
    fn properties(&self) -> &Properties;
    /// Where executions of the program are published.
    fn executions(&self) -> Result<Arc<dyn Publication>, UnknownReason>;
    /// A run that speaks against a proof, if one is at hand.
    fn doubt(&self) -> Option<Doubt>;
    /// What is checked, one by one.
    fn checks(&self) -> Result<Checks, UnknownReason>;
    /// How many sizes of the model there are.
    fn levels(&self) -> usize;
    /// How many objects of each site are to stand for all of them, if that is asked for.
    fn chosen_objects(&self) -> Option<usize>;
    /// How many precisions of the circuit there are.
    fn precisions(&self) -> usize;
    /// The same program where so many objects of each site stand for all of them.
    fn with_objects(&self, objects: u8) -> Arc<dyn Model>;
}

/// The checks of a program.
#[derive(Default)]
pub struct Checks {
    pub points: Vec<CheckPoint>,
    /// Where blocks begin, in the functions that are called.
    pub beginnings: Vec<Beginning>,
    /// Functions that nothing calls, each with its place: nothing in them is checked.
    pub unused: Vec<(String, String)>,
}

/// What speaks against giving out a proof.
#[derive(Debug)]
pub enum Doubt {
    /// The behaviour of a run is undefined, in this way, so that the program means nothing.
    Undefined(String),
    /// A run comes to the error.
    Error,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Emission {
    Btor2,
    /// The circuit of this property.
    Aiger(usize, AigerForm),
    /// This property as Horn clauses or as one query.
    Smt2(usize, Smt2Form),
    Dot,
}

/// The two forms of AIGER files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AigerForm {
    Ascii,
    Binary,
}

impl AigerForm {
    fn write(self, model: &AigerModel) -> Vec<u8> {
        match self {
            AigerForm::Ascii => model.to_ascii(),
            AigerForm::Binary => model.to_binary(),
        }
    }
}

/// How much of a program is emitted; by default as much as the smallest model has.
#[derive(Clone, Copy, Default, Debug)]
pub struct EmittedRoom {
    /// How deep recursion is modelled.
    pub depth: Option<usize>,
    /// How many objects are modelled for each allocation that is executed repeatedly.
    pub pool: Option<usize>,
}

/// A message about unreadable input; it names the file and the place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputError(pub String);

impl std::fmt::Display for InputError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InputError {}

#[derive(Debug)]
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

impl From<Rejection> for CertifyError {
    fn from(failure: Rejection) -> CertifyError {
        match failure {
            Rejection::Stopped => CertifyError::Undecided("timeout".into()),
            Rejection::TooLarge(error) => CertifyError::Undecided(error.to_string()),
            Rejection::File(error) => CertifyError::Input(error.to_string()),
            Rejection::WordFile(error) => CertifyError::Input(error.to_string()),
            other => CertifyError::Rejected(other.to_string()),
        }
    }
}

/// Reads a model; several files are those of one program.
pub fn read(files: &[PathBuf], program: &ProgramOptions) -> Result<Arc<dyn Model>, InputError> {
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

/// Whether a file is read as AIGER.
pub fn is_aiger(path: &Path) -> bool {
    matches!(format_of(path), Some(Format::Aiger))
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
