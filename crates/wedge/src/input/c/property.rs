//! Which property of a program is meant. Only one kind is decided here: that the error function is
//! never called.

use super::InputError;
use std::path::Path;
use wedge_c::library::{Model, model};
use wedge_c::{Property, PropertyKind, Task, read_property};

/// The specification: from the file that was named, else from the task, else the usual one.
pub fn specification(file: Option<&Path>, task: Option<&Task>) -> Result<String, InputError> {
    if let Some(file) = file {
        return from_file(file);
    }
    let Some(task) = task.filter(|task| !task.properties.is_empty()) else {
        return Ok(Property::unreach_call().text);
    };
    // Of several properties of a task the one that can be decided is meant.
    let mut first = None;
    for property in &task.properties {
        match from_file(&property.file) {
            Ok(text) => return Ok(text),
            Err(error) => first = first.or(Some(error)),
        }
    }
    Err(first.unwrap_or_else(|| InputError("the task has no property".into())))
}

fn from_file(file: &Path) -> Result<String, InputError> {
    let properties = read_property(file).map_err(|error| InputError(error.to_string()))?;
    let mut texts = Vec::new();
    for property in properties {
        if let Some(problem) = problem(&property) {
            return Err(InputError(format!("{}: {problem}", file.display())));
        }
        texts.push(property.text);
    }
    Ok(texts.join("\n"))
}

/// Why a property cannot be decided.
fn problem(property: &Property) -> Option<String> {
    let only = "only that reach_error or __VERIFIER_error is never called can be checked";
    match &property.kind {
        PropertyKind::NeverCalled(name) if model(name) != Some(Model::Error) => {
            Some(format!("unsupported property: calls of `{name}`; {only}"))
        }
        PropertyKind::NeverCalled(_) if property.entry == "main" => None,
        PropertyKind::NeverCalled(_) => {
            Some(format!("unsupported property: runs begin in `{}`, not in main", property.entry))
        }
        _ => Some(format!("unsupported property `{}`; {only}", property.text)),
    }
}
