//! Witnesses in formats 2.0 and 2.1, read.
//!
//! A file is a list of entries. The first pass finds out of which kind they are; the second one
//! knows all fields, so that what is missing, unknown or of a wrong type is reported with its line
//! and field.

use super::clauses::{CONTRACT, Clauses};
use super::{
    About, Content, Invariant, Location, Read, Segment, Unreadable, Waypoint, WaypointKind,
    data_model,
};
use serde::de::{Deserializer, Visitor};
use serde::{Deserialize, de};
use std::collections::BTreeMap;

const VERSIONS: [&str; 2] = ["2.0", "2.1"];

pub fn read(text: &str) -> Result<Read, Unreadable> {
    let kinds: Vec<Kind> = parsed(text)?;
    let Some(first) = kinds.first() else {
        return Err(Unreadable::at(1, "the list of entries is empty"));
    };
    if let Some(other) = kinds.iter().find(|kind| kind.entry_type != first.entry_type) {
        let (a, b) = (&first.entry_type.0, &other.entry_type.0);
        return Err(Unreadable::at(1, format!("entry_type: {a} and {b} in one witness")));
    }
    match first.entry_type.0.as_str() {
        "invariant_set" => correctness(text),
        "violation_sequence" => violation(text),
        other => Err(Unreadable::Unsupported(format!("entries of type {other}"))),
    }
}

/// As a type of serde, with the line and field of what does not fit.
fn parsed<'t, T: Deserialize<'t>>(text: &'t str) -> Result<T, Unreadable> {
    serde_yaml_ng::from_str(text).map_err(|error| {
        let line = error.location().map_or(0, |place| place.line() as u32);
        Unreadable::at(line, error.to_string())
    })
}

fn correctness(text: &str) -> Result<Read, Unreadable> {
    let entries: Vec<Entry<SetItem>> = parsed(text)?;
    let (values, lines) = (Lines::new(text, "value"), Lines::new(text, "invariant"));
    let (mut invariants, mut contracts) = (Vec::new(), Vec::new());
    let about = about(entries.iter().map(|entry| &entry.metadata))?;
    let clauses = Clauses::new(text);
    for item in entries.into_iter().flat_map(|entry| entry.content) {
        // In the first drafts of 2.1 a contract is an invariant.
        let invariant = match (item.invariant, item.contract) {
            (Some(invariant), None) if invariant.kind.0 != CONTRACT => invariant,
            (Some(fields), None) | (None, Some(fields)) => {
                contracts.push(clauses.contract(contracts.len(), fields, &about.version)?);
                continue;
            }
            _ => {
                let cause = "content: an item is an invariant or a contract";
                return Err(Unreadable::at(lines.of(invariants.len()), cause));
            }
        };
        let is_loop = match invariant.kind.0.as_str() {
            "loop_invariant" => true,
            "location_invariant" => false,
            "loop_transition_invariant" | "location_transition_invariant"
                if about.version != "2.0" =>
            {
                let what = format!("invariants of type {}", invariant.kind.0);
                return Err(Unreadable::Unsupported(what));
            }
            other => {
                let line = lines.of(invariants.len());
                let cause = format!("content.invariant.type: unknown type {other}");
                return Err(Unreadable::at(line, cause));
            }
        };
        let line = lines.of(invariants.len());
        let number = invariants.len() + 1;
        let missing = |field: &str| {
            Unreadable::at(
                line,
                format!("content.invariant.{field}: missing in invariant {number}"),
            )
        };
        let format = invariant.format.ok_or_else(|| missing("format"))?.0;
        let is_known =
            format == "c_expression" || format == "ext_c_expression" && about.version != "2.0";
        if !is_known {
            let cause = format!("content.invariant.format: {format} is none of {}", about.version);
            return Err(Unreadable::at(line, cause));
        }
        let value = invariant.value.ok_or_else(|| missing("value"))?.0;
        let (line, location) = (values.of(invariants.len()), invariant.location.into());
        invariants.push(Invariant { is_loop, location, value, line });
    }
    Ok(Read { about, content: Content::Correctness { invariants, contracts } })
}

fn violation(text: &str) -> Result<Read, Unreadable> {
    let entries: Vec<Entry<SegmentItem>> = parsed(text)?;
    let lines = Lines::new(text, "action");
    let about = about(entries.iter().map(|entry| &entry.metadata))?;
    let mut segments = Vec::new();
    let mut count = 0;
    for SegmentItem { segment } in entries.into_iter().flat_map(|entry| entry.content) {
        let (mut avoid, mut follow) = (Vec::new(), None);
        for WaypointItem { waypoint } in segment {
            let line = lines.of(count);
            count += 1;
            if follow.is_some() {
                let cause = "content.segment: a waypoint after the one to follow";
                return Err(Unreadable::at(line, cause));
            }
            let action = waypoint.action.0.clone();
            let point = waypoint.read(line, &about.version)?;
            match action.as_str() {
                "follow" => follow = Some(point),
                "avoid" => avoid.push(point),
                other => {
                    let cause = format!("content.segment.waypoint.action: unknown action {other}");
                    return Err(Unreadable::at(line, cause));
                }
            }
        }
        let line = lines.of(count.saturating_sub(1));
        let follow = follow.ok_or_else(|| {
            Unreadable::at(line, "content.segment: no waypoint with action follow at its end")
        })?;
        segments.push(Segment { avoid, follow });
    }
    let is_target = |segment: &Segment| segment.follow.kind == WaypointKind::Target;
    let targets = segments.iter().filter(|segment| is_target(segment)).count();
    if targets != 1 || !segments.last().is_some_and(is_target) {
        let cause = "content: the last segment, and no other, follows a waypoint of type target";
        return Err(Unreadable::at(lines.of(count.saturating_sub(1)), cause));
    }
    Ok(Read { about, content: Content::Violation(segments) })
}

fn about<'m>(all: impl Iterator<Item = &'m Metadata>) -> Result<About, Unreadable> {
    let mut about: Option<About> = None;
    for metadata in all {
        let version = &metadata.format_version.0;
        if !VERSIONS.contains(&version.as_str()) {
            return Err(Unreadable::Unsupported(format!("format_version {version}")));
        }
        let task = &metadata.task;
        if task.language.0 != "C" {
            let cause = format!("metadata.task.language: {} is not C", task.language.0);
            return Err(Unreadable::at(0, cause));
        }
        let model = data_model(&task.data_model.0).ok_or_else(|| {
            let name = &task.data_model.0;
            Unreadable::at(0, format!("metadata.task.data_model: unknown model {name}"))
        })?;
        let hash = |name: &String| (name.clone(), task.input_file_hashes.get(name).cloned());
        let own = About {
            version: version.clone(),
            files: task.input_files.iter().map(hash).collect(),
            specification: Some(task.specification.clone()),
            data_model: Some(model),
        };
        match &about {
            Some(first) if *first != own => {
                return Err(Unreadable::at(0, "metadata: the entries are about different tasks"));
            }
            _ => about = Some(own),
        }
    }
    Ok(about.unwrap_or_default())
}

/// The lines that have a key, in order.
pub(super) struct Lines(Vec<u32>);

impl Lines {
    pub(super) fn new(text: &str, key: &str) -> Lines {
        let names = |line: &str| {
            let rest = line.trim_start_matches([' ', '-', '{', ',']).trim_start();
            let rest = rest.strip_prefix('"').unwrap_or(rest);
            rest.strip_prefix(key)
                .is_some_and(|rest| rest.trim_start_matches('"').trim_start().starts_with(':'))
        };
        let lines = text.lines().zip(1..).filter(|(line, _)| names(line));
        Lines(lines.map(|(_, number)| number).collect())
    }

    /// The line of the key of this number; 1 if the file is not written line by line.
    pub(super) fn of(&self, number: usize) -> u32 {
        self.0.get(number).copied().unwrap_or(1)
    }
}

/// A string, a number or a truth value, as text: not everybody quotes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Scalar(pub(super) String);

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Scalar, D::Error> {
        struct Text;
        impl Visitor<'_> for Text {
            type Value = Scalar;
            fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.write_str("a string")
            }
            fn visit_str<E: de::Error>(self, value: &str) -> Result<Scalar, E> {
                Ok(Scalar(value.to_string()))
            }
            fn visit_bool<E: de::Error>(self, value: bool) -> Result<Scalar, E> {
                Ok(Scalar(value.to_string()))
            }
            fn visit_i64<E: de::Error>(self, value: i64) -> Result<Scalar, E> {
                Ok(Scalar(value.to_string()))
            }
            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Scalar, E> {
                Ok(Scalar(value.to_string()))
            }
            fn visit_f64<E: de::Error>(self, value: f64) -> Result<Scalar, E> {
                Ok(Scalar(format!("{value:?}")))
            }
        }
        deserializer.deserialize_any(Text)
    }
}

#[derive(Deserialize)]
struct Kind {
    entry_type: Scalar,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry<T> {
    #[serde(rename = "entry_type")]
    _entry_type: Scalar,
    metadata: Metadata,
    content: Vec<T>,
}

#[derive(Deserialize)]
struct Metadata {
    format_version: Scalar,
    #[serde(rename = "uuid")]
    _uuid: Scalar,
    #[serde(rename = "creation_time")]
    _creation_time: Scalar,
    #[serde(rename = "producer")]
    _producer: Producer,
    task: Task,
}

#[derive(Deserialize)]
struct Producer {
    #[serde(rename = "name")]
    _name: Scalar,
}

#[derive(Deserialize)]
struct Task {
    input_files: Vec<String>,
    input_file_hashes: BTreeMap<String, String>,
    specification: String,
    data_model: Scalar,
    language: Scalar,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SetItem {
    invariant: Option<InvariantFields>,
    contract: Option<InvariantFields>,
}

#[derive(Deserialize)]
pub(super) struct InvariantFields {
    #[serde(rename = "type")]
    pub(super) kind: Scalar,
    pub(super) location: LocationFields,
    pub(super) value: Option<Scalar>,
    pub(super) requires: Option<Scalar>,
    pub(super) ensures: Option<Scalar>,
    pub(super) format: Option<Scalar>,
}

#[derive(Deserialize)]
pub(super) struct LocationFields {
    file_name: String,
    line: u32,
    column: Option<u32>,
    function: Option<String>,
}

impl From<LocationFields> for Location {
    fn from(fields: LocationFields) -> Location {
        let LocationFields { file_name, line, column, function } = fields;
        Location { file: Some(file_name), line, column: column.unwrap_or(0), function }
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SegmentItem {
    segment: Vec<WaypointItem>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WaypointItem {
    waypoint: WaypointFields,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WaypointFields {
    #[serde(rename = "type")]
    kind: Scalar,
    action: Scalar,
    location: LocationFields,
    constraint: Option<Constraint>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Constraint {
    value: Scalar,
    format: Option<Scalar>,
}

impl WaypointFields {
    fn read(self, line: u32, version: &str) -> Result<Waypoint, Unreadable> {
        let field = |name: &str, cause: &str| {
            Unreadable::at(line, format!("content.segment.waypoint.{name}: {cause}"))
        };
        let required = |constraint: Option<Constraint>, formats: &[&str]| {
            let constraint = constraint.ok_or_else(|| field("constraint", "missing"))?;
            match &constraint.format {
                Some(format) if !formats.contains(&format.0.as_str()) => {
                    let cause = format!("{} is no format of {version} here", format.0);
                    Err(field("constraint.format", &cause))
                }
                _ => Ok(constraint.value.0),
            }
        };
        let extended: &[&str] = match version {
            "2.0" => &["acsl_expression"],
            _ => &["ext_c_expression", "acsl_expression"],
        };
        let kind = match self.kind.0.as_str() {
            "assumption" => WaypointKind::Assumption(required(
                self.constraint,
                &["c_expression", "ext_c_expression"],
            )?),
            "branching" => match required(self.constraint, &["c_expression"])?.as_str() {
                "true" => WaypointKind::Branching(true),
                "false" => WaypointKind::Branching(false),
                other if other.parse::<i64>().is_ok() || other == "default" => {
                    return Err(Unreadable::Unsupported("waypoints about `switch`".to_string()));
                }
                _ => return Err(field("constraint.value", "neither true nor false")),
            },
            "function_enter" => WaypointKind::Enter,
            "function_return" => WaypointKind::Return(required(self.constraint, extended)?),
            "target" => match self.constraint {
                None => WaypointKind::Target,
                Some(_) => return Err(field("constraint", "a target has none")),
            },
            other => return Err(field("type", &format!("unknown type {other}"))),
        };
        Ok(Waypoint { kind, location: self.location.into(), line })
    }
}
