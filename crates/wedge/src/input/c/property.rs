//! Which properties of a program are meant.

use super::{CertifyError, InputError};
use crate::options::ProgramOptions;
use std::path::Path;
use wedge_c::property;
use wedge_c::property::{CHECKS, Property};
use wedge_c::violation::Unsupported;
use wedge_c::{Properties, Task, read_property};
use wedge_engines::UnknownReason;
use wedge_evidence::c::reading::Read;

/// Checks that few programs are meant to pass.
const LEFT_OUT: &[&str] = &["leak", "cleanup"];

/// The properties: those of the file that was named, else of the task, else the usual ones. The
/// reason if they cannot be decided.
pub fn properties(
    options: &ProgramOptions,
    task: Option<&Task>,
) -> Result<Result<Properties, UnknownReason>, InputError> {
    if let Some(file) = &options.property {
        return from_file(file);
    }
    if !options.checks.is_empty() {
        return named(&options.checks).map(Ok);
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

/// The properties that a witness is about. If others are asked for the witness is of no use.
pub fn witnessed(
    options: &ProgramOptions,
    task: Option<&Task>,
    read: &Read,
) -> Result<Result<Properties, UnknownReason>, CertifyError> {
    let text = read.about.specification.as_deref().unwrap_or_default();
    let mut list = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        let property = property::parse(line).ok_or_else(|| {
            CertifyError::Rejected(format!("specification: unknown property `{line}`"))
        })?;
        list.push(property);
    }
    if list.is_empty() {
        return Err(CertifyError::Rejected("specification: there is no property".to_string()));
    }
    let is_asked = options.property.is_some() || !options.checks.is_empty() || task.is_some();
    if is_asked {
        let asked = properties(options, task).map_err(|InputError(e)| CertifyError::Input(e))?;
        if let Ok(asked) = asked
            && let Some(other) = list.iter().find(|property| !asked.has(property))
        {
            let (text, asked) =
                (&other.text, asked.specification(None, None).replace('\n', " and "));
            let cause = format!("specification: the witness is about `{text}`, not `{asked}`");
            return Err(CertifyError::Rejected(cause));
        }
    }
    Ok(Properties::new(list).map_err(|Unsupported(what)| {
        UnknownReason::Unsupported(format!("unsupported property {what}"))
    }))
}

/// The properties with these names.
fn named(names: &[String]) -> Result<Properties, InputError> {
    let mut list: Vec<Property> = Vec::new();
    for name in names.iter().map(String::as_str) {
        let is_meant = |known: &str| known == name || name == "all" && !LEFT_OUT.contains(&known);
        let meant: Vec<&str> =
            CHECKS.iter().map(|(known, _)| *known).filter(|known| is_meant(known)).collect();
        if meant.is_empty() {
            let known: Vec<&str> = CHECKS.iter().map(|(known, _)| *known).collect();
            let known = known.join(", ");
            return Err(InputError(format!("--check {name}: expected all, or some of {known}")));
        }
        for property in meant.into_iter().filter_map(Property::named) {
            if !list.contains(&property) {
                list.push(property);
            }
        }
    }
    Properties::new(list).map_err(|Unsupported(what)| InputError(format!("--check: {what}")))
}

fn from_file(file: &Path) -> Result<Result<Properties, UnknownReason>, InputError> {
    let list = read_property(file).map_err(|error| InputError(error.to_string()))?;
    let unsupported = |Unsupported(what)| {
        UnknownReason::Unsupported(format!("unsupported property {what} in {}", file.display()))
    };
    Ok(Properties::new(list).map_err(unsupported))
}
