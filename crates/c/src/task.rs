//! Task definitions: which files, which properties, which data model.
//!
//! The YAML format of BenchExec, versions 1.0 and 2.0, as the verification suites use it.

use crate::error::{Cause, Error};
use crate::types::DataModel;
use serde_yaml_ng::{Mapping, Value};
use std::path::{Path, PathBuf};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The programs' files, relative to the same directory as the definition's own path.
    pub input_files: Vec<PathBuf>,
    pub properties: Vec<TaskProperty>,
    /// As the options say; absent in version 1.0.
    pub data_model: Option<DataModel>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaskProperty {
    pub file: PathBuf,
    /// Whether the property holds, where that is known.
    pub expected: Option<bool>,
    /// The part of the property that is violated, for an expected verdict of false.
    pub subproperty: Option<String>,
}

/// Whether a path names a task definition rather than a program.
pub fn is_task(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yml" || extension == "yaml")
}

/// Reads a task definition.
pub fn read_task(path: &Path) -> Result<Task, Error> {
    let unreadable =
        |why: std::io::Error| Error::whole_file(path.display(), Cause::Unreadable(why.to_string()));
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    let value: Value = serde_yaml_ng::from_str(&text).map_err(|why| {
        let place = why.location();
        Error {
            file: path.display().to_string(),
            line: place.as_ref().map_or(0, |place| place.line() as u32),
            column: place.as_ref().map_or(0, |place| place.column() as u32),
            cause: Cause::Task(format!("not YAML: {why}")),
        }
    })?;
    let directory = path.parent().unwrap_or(Path::new(""));
    task(&value, directory).map_err(|what| Error::whole_file(path.display(), Cause::Task(what)))
}

fn task(value: &Value, directory: &Path) -> Result<Task, String> {
    let map = value.as_mapping().ok_or("a task definition is a mapping")?;
    check_version(map)?;
    let files = strings(map.get("input_files").ok_or("`input_files` is missing")?)
        .ok_or("`input_files` is neither a file name nor a list of them")?;
    if files.is_empty() {
        return Err("`input_files` is empty".to_string());
    }
    let options = map.get("options").and_then(Value::as_mapping);
    let properties = match map.get("properties") {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::Sequence(list)) => {
            list.iter().map(|entry| property(entry, directory)).collect::<Result<_, _>>()?
        }
        Some(_) => return Err("`properties` is not a list".to_string()),
    };
    Ok(Task {
        input_files: files.iter().map(|file| directory.join(file)).collect(),
        properties,
        data_model: options.map(data_model).transpose()?.flatten(),
    })
}

fn check_version(map: &Mapping) -> Result<(), String> {
    let version = match map.get("format_version") {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => format!("{:?}", number.as_f64().unwrap_or(0.0)),
        _ => return Err("`format_version` is missing".to_string()),
    };
    match version.as_str() {
        "1.0" | "2.0" | "2.1" => Ok(()),
        other => Err(format!("unknown `format_version` {other}")),
    }
}

/// A string or a list of strings.
fn strings(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(one) => Some(vec![one.clone()]),
        Value::Sequence(list) => {
            list.iter().map(|entry| entry.as_str().map(str::to_string)).collect()
        }
        _ => None,
    }
}

fn property(value: &Value, directory: &Path) -> Result<TaskProperty, String> {
    let map = value.as_mapping().ok_or("a property is a mapping")?;
    let file = map.get("property_file").and_then(Value::as_str);
    let file = directory.join(file.ok_or("a property without `property_file`")?);
    let expected = match map.get("expected_verdict") {
        None | Some(Value::Null) => None,
        Some(Value::Bool(verdict)) => Some(*verdict),
        Some(_) => return Err("`expected_verdict` is neither true nor false".to_string()),
    };
    let subproperty = map.get("subproperty").and_then(Value::as_str).map(str::to_string);
    Ok(TaskProperty { file, expected, subproperty })
}

fn data_model(options: &Mapping) -> Result<Option<DataModel>, String> {
    match options.get("language").and_then(Value::as_str) {
        None | Some("C") => {}
        Some(other) => return Err(format!("the language is `{other}`, not C")),
    }
    match options.get("data_model").map(|value| (value, value.as_str())) {
        None => Ok(None),
        Some((_, Some("ILP32"))) => Ok(Some(DataModel::Ilp32)),
        Some((_, Some("LP64"))) => Ok(Some(DataModel::Lp64)),
        Some((value, _)) => Err(format!("unknown `data_model` {value:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Task, String> {
        task(&serde_yaml_ng::from_str(text).unwrap(), Path::new("dir"))
    }

    #[test]
    fn both_versions() {
        let old = parse(
            "format_version: '1.0'\ninput_files: 'a.i'\nproperties:\n  - property_file: ../p.prp\n    expected_verdict: true\n",
        )
        .unwrap();
        assert_eq!(old.input_files, [Path::new("dir/a.i")]);
        assert_eq!((old.properties[0].expected, old.data_model), (Some(true), None));
        let new = parse(
            "format_version: 2.0\ninput_files: [a.c, b.c]\nproperties:\n  - property_file: p.prp\n    expected_verdict: false\n    subproperty: valid-free\noptions: {language: C, data_model: LP64}\n",
        )
        .unwrap();
        assert_eq!((new.input_files.len(), new.data_model), (2, Some(DataModel::Lp64)));
        assert_eq!(new.properties[0].subproperty.as_deref(), Some("valid-free"));
    }

    #[test]
    fn mistakes_are_named() {
        for (text, what) in [
            ("[]", "a task definition is a mapping"),
            ("input_files: a.c", "`format_version` is missing"),
            ("format_version: '9.0'\ninput_files: a.c", "unknown `format_version` 9.0"),
            ("format_version: '2.0'", "`input_files` is missing"),
            ("format_version: '2.0'\ninput_files: []", "`input_files` is empty"),
            (
                "format_version: '2.0'\ninput_files: a.c\noptions: {language: Java}",
                "the language is `Java`, not C",
            ),
            (
                "format_version: '2.0'\ninput_files: a.c\nproperties: [{expected_verdict: true}]",
                "a property without `property_file`",
            ),
        ] {
            assert_eq!(parse(text).unwrap_err(), what);
        }
    }
}
