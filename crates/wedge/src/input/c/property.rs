//! Which properties of a program are meant.

use super::InputError;
use std::path::Path;
use wedge_c::violation::Unsupported;
use wedge_c::{Properties, Task, read_property};
use wedge_engines::UnknownReason;

/// The properties: those of the file that was named, else of the task, else the usual ones. The
/// reason if they cannot be decided.
pub fn properties(
    file: Option<&Path>,
    task: Option<&Task>,
) -> Result<Result<Properties, UnknownReason>, InputError> {
    if let Some(file) = file {
        return from_file(file);
    }
    let Some(task) = task.filter(|task| !task.properties.is_empty()) else {
        return Ok(Ok(Properties::default()));
    };
    // Of several properties of a task the first one that can be decided is meant.
    let mut first = None;
    for property in &task.properties {
        match from_file(&property.file)? {
            Ok(properties) => return Ok(Ok(properties)),
            Err(reason) => first = first.or(Some(reason)),
        }
    }
    Ok(Err(first.unwrap_or_else(|| UnknownReason::Unsupported("no property".into()))))
}

fn from_file(file: &Path) -> Result<Result<Properties, UnknownReason>, InputError> {
    let list = read_property(file).map_err(|error| InputError(error.to_string()))?;
    let unsupported = |Unsupported(what)| {
        UnknownReason::Unsupported(format!("unsupported property {what} in {}", file.display()))
    };
    Ok(Properties::new(list).map_err(unsupported))
}
