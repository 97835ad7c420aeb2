//! What a witness demands of a program, as annotations of the program.
//!
//! An invariant is checked wherever the run comes to its place. A violation sequence is followed
//! segment by segment: a run counts only if it comes to the target after all segments, and has
//! passed nothing that it should avoid. The first time that a waypoint can be passed it is passed;
//! without waypoints to avoid that loses no run.

use super::clauses::clauses;
use super::reading::{Content, Location, Read, Segment, Waypoint, WaypointKind};
use super::sources::{Source, Sources};
use std::path::Path;
use wedge_c::annotation::{Action, Annotation, Annotations, RESULT, Spot};

/// The way from a witness to annotations.
#[derive(Clone, Debug)]
pub struct Guide {
    pub annotations: Annotations,
    /// What each of them is, with its place.
    pub names: Vec<String>,
    pub aim: Aim,
}

/// What a witness is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Aim {
    /// With the numbers of invariants and contracts.
    Correctness { invariants: usize, contracts: usize },
    /// With the place of the violation.
    Violation { file: usize, target: Location },
}

impl Guide {
    /// The cause if the witness is not about these files.
    pub fn new(read: &Read, witness: &Path, sources: &Sources) -> Result<Guide, String> {
        check_files(read, sources)?;
        let mut annotations = Annotations { witness: witness.display().to_string(), list: vec![] };
        let mut names = Vec::new();
        let mut add = |annotation: Annotation, name: String| {
            annotations.list.push(annotation);
            names.push(name);
        };
        let aim = match &read.content {
            Content::Correctness { invariants, contracts } => {
                for (number, invariant) in invariants.iter().enumerate() {
                    let spot = if invariant.is_loop { Spot::Loop } else { Spot::Statement };
                    let (location, condition) = (&invariant.location, invariant.value.clone());
                    let what = format!("invariant {} `{condition}`", number + 1);
                    let made = annotation(sources, location, spot, Action::Check, &condition);
                    let made = made.map_err(|cause| format!("{what}: {cause}"))?;
                    let name = format!("{what} at {}", shown(sources, &made, location));
                    add(Annotation { witness_line: invariant.line, ..made }, name);
                }
                for (number, contract) in contracts.iter().enumerate() {
                    for (annotation, name) in clauses(sources, number, contract)? {
                        add(annotation, name);
                    }
                }
                Aim::Correctness { invariants: invariants.len(), contracts: contracts.len() }
            }
            Content::Violation(segments) => {
                let mut aim = None;
                for (number, segment) in segments.iter().enumerate() {
                    for (annotation, name) in steps(sources, number as u32, segment)? {
                        if segment.follow.kind == WaypointKind::Target {
                            let target = segment.follow.location.clone();
                            aim = Some(Aim::Violation { file: annotation.file, target });
                        }
                        add(annotation, name);
                    }
                }
                aim.ok_or("the witness has no target")?
            }
        };
        Ok(Guide { annotations, names, aim })
    }

    /// Whether it is a correctness witness with something that is to hold.
    pub fn says_something(&self) -> bool {
        match self.aim {
            Aim::Correctness { invariants, contracts } => invariants + contracts > 0,
            Aim::Violation { .. } => false,
        }
    }

    /// Tries more of what the places of these annotations may mean; false if there is nothing more.
    pub fn relax(&mut self, misplaced: &[usize]) -> bool {
        let mut has_changed = false;
        for &number in misplaced {
            let annotation = &mut self.annotations.list[number];
            if annotation.column != 0 {
                annotation.column = 0;
                has_changed = true;
            } else if let (Action::Arrive(_), Spot::Statement) =
                (annotation.action, annotation.spot)
            {
                annotation.spot = Spot::BeforeCall;
                has_changed = true;
            }
        }
        has_changed
    }

    /// The annotation that comes from a line of the witness.
    pub fn named(&self, witness_line: u32) -> Option<&str> {
        let is_there = |annotation: &Annotation| annotation.witness_line == witness_line;
        let number = self.annotations.list.iter().position(is_there)?;
        self.names.get(number).map(String::as_str)
    }

    /// Why annotations that fit nowhere are wrong.
    pub fn complaint(&self, misplaced: &[usize]) -> String {
        let cause = |&number: &usize| {
            let what = match self.annotations.list[number].spot {
                Spot::Loop => "there is no loop",
                Spot::Statement => "no statement begins",
                Spot::BeforeCall | Spot::AfterCall => "no call ends",
                Spot::Branch(_) => "there is no `if` or loop",
                Spot::Entry | Spot::Exit => "no function begins",
            };
            format!("{}: {what} there", self.names[number])
        };
        misplaced.first().map_or(String::new(), cause)
    }
}

/// The annotations of a segment, with their names.
fn steps(
    sources: &Sources,
    number: u32,
    segment: &Segment,
) -> Result<Vec<(Annotation, String)>, String> {
    let mut made = Vec::new();
    let avoided = segment.avoid.iter().map(|point| (point, Action::Avoid(number)));
    let followed = match segment.follow.kind {
        WaypointKind::Target => Action::Arrive(number),
        _ => Action::Follow(number),
    };
    for (point, action) in avoided.chain([(&segment.follow, followed)]) {
        let (spot, condition) = meant(point);
        let what = format!("waypoint of segment {}", number + 1);
        let own = annotation(sources, &point.location, spot, action, &condition);
        let own = own.map_err(|cause| format!("{what}: {cause}"))?;
        let name = format!("{what} at {}", shown(sources, &own, &point.location));
        made.push((Annotation { witness_line: point.line, ..own }, name));
    }
    Ok(made)
}

/// Where a waypoint is passed, and on what condition.
fn meant(point: &Waypoint) -> (Spot, String) {
    match &point.kind {
        WaypointKind::Assumption(value) => (Spot::Statement, value.clone()),
        WaypointKind::Branching(truth) => (Spot::Branch(*truth), "1".to_string()),
        WaypointKind::Enter => (Spot::BeforeCall, "1".to_string()),
        WaypointKind::Return(value) => (Spot::AfterCall, value.replace("\\result", RESULT)),
        WaypointKind::Target => (Spot::Statement, "1".to_string()),
    }
}

pub(super) fn annotation(
    sources: &Sources,
    location: &Location,
    spot: Spot,
    action: Action,
    condition: &str,
) -> Result<Annotation, String> {
    let file = match &location.file {
        Some(name) => sources
            .files
            .iter()
            .position(|source| is_same(source, name))
            .ok_or_else(|| format!("`{name}` is no file of the program"))?,
        None => 0,
    };
    let (line, column, condition) = (location.line, location.column, condition.to_string());
    Ok(Annotation { file, line, column, spot, action, condition, witness_line: 1 })
}

pub(super) fn shown(sources: &Sources, annotation: &Annotation, location: &Location) -> String {
    let file = sources.files.get(annotation.file).map(|source| source.path.display().to_string());
    let mut text = format!("{}:{}", file.unwrap_or_default(), location.line);
    if location.column > 0 {
        text += &format!(":{}", location.column);
    }
    if let Some(function) = &location.function {
        text += &format!(" in {function}");
    }
    text
}

/// Whether a witness means a source by this name; folders differ from machine to machine.
fn is_same(source: &Source, name: &str) -> bool {
    source.path.file_name() == Path::new(name).file_name()
}

/// The files of the witness are those of the program, by name and hash.
fn check_files(read: &Read, sources: &Sources) -> Result<(), String> {
    for (name, hash) in &read.about.files {
        let same_name = sources.files.iter().find(|source| is_same(source, name));
        // Somebody else may have called the only file of the program differently.
        let only = match &sources.files[..] {
            [only] if read.about.files.len() == 1 => Some(only),
            _ => None,
        };
        let Some(source) = same_name.or(only) else {
            return Err(format!("the witness is about `{name}`, which is no file of the program"));
        };
        let Some(hash) = hash else {
            return Err(format!("the witness has no hash of `{name}`"));
        };
        let is_sha256 = hash.len() == 64;
        if is_sha256 && !hash.eq_ignore_ascii_case(&source.hash()) {
            let (path, own) = (source.path.display(), source.hash());
            return Err(format!("hash of {path}: the witness says {hash}, the file has {own}"));
        }
        if !is_sha256 {
            return Err(format!("hash of `{name}`: {hash} is no SHA-256 hash"));
        }
    }
    Ok(())
}
