//! A program with what a witness says about it.

use crate::input::CertifyError;
use std::path::Path;
use wedge_c::typed::Program;
use wedge_c::{DataModel, load_annotated};
use wedge_evidence::c::Sources;
use wedge_evidence::c::guide::Guide;
use wedge_evidence::c::reading::{self, Read, Unreadable};

/// Reads a witness. One that is no witness at all is rejected, with line and field.
pub fn read(path: &Path) -> Result<Read, CertifyError> {
    let name = path.display();
    let text = std::fs::read_to_string(path);
    let text = text.map_err(|error| CertifyError::Input(format!("{name}: {error}")))?;
    reading::read(&text).map_err(|unreadable| match unreadable {
        Unreadable::Malformed { line: 0, cause } => {
            CertifyError::Rejected(format!("{name}: {cause}"))
        }
        Unreadable::Malformed { line, cause } => {
            CertifyError::Rejected(format!("{name}:{line}: {cause}"))
        }
        Unreadable::Unsupported(what) => {
            CertifyError::Undecided(format!("{name}: unsupported: {what}"))
        }
    })
}

/// The program with annotations for all that the witness says.
pub fn annotated(
    files: &[impl AsRef<Path>],
    model: DataModel,
    read: &Read,
    witness: &Path,
    sources: &Sources,
) -> Result<(Program, Guide), CertifyError> {
    let mut guide = Guide::new(read, witness, sources).map_err(CertifyError::Rejected)?;
    loop {
        let loaded = load_annotated(files, model, &guide.annotations).map_err(|error| {
            match error.file == guide.annotations.witness {
                // What the witness says is no C at its place.
                true => {
                    let what = guide.named(error.line).map_or(String::new(), |w| format!("{w}: "));
                    CertifyError::Rejected(format!("{what}{error}"))
                }
                false if error.is_unsupported() => CertifyError::Undecided(error.to_string()),
                false => CertifyError::Input(error.to_string()),
            }
        })?;
        if loaded.misplaced.is_empty() {
            return Ok((loaded.program, guide));
        }
        if !guide.relax(&loaded.misplaced) {
            return Err(CertifyError::Rejected(guide.complaint(&loaded.misplaced)));
        }
    }
}
