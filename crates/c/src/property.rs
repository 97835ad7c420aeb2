//! Property files of the verification competition.
//!
//! One specification per line, such as `CHECK( init(main()), LTL(G ! call(reach_error())) )`.

use crate::error::{Cause, Error};
use crate::violation::Kind;
use std::path::Path;

/// What is to be checked of all runs from the entry function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    /// The function that runs begin with.
    pub entry: String,
    pub kind: PropertyKind,
    /// The specification as it stands in the file, for witnesses.
    pub text: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PropertyKind {
    /// This function is never called.
    NeverCalled(String),
    /// Assertions hold.
    Assert,
    /// No signed integer overflow.
    NoOverflow,
    Termination,
    /// `valid-free`, `valid-deref`, `valid-memtrack` or `valid-memcleanup`.
    MemorySafety(String),
    NoDataRace,
    /// Nothing happens that C leaves undefined, as far as there is a kind for it.
    DefinedBehaviour,
    /// Nothing of this kind, which the competition has no property for.
    No(Kind),
    /// A test-coverage goal, which is not a property of runs.
    Coverage(String),
    /// Another formula.
    Other(String),
}

/// What can be asked for on the command line, by name.
pub const CHECKS: &[(&str, Kind)] = &[
    ("unreach-call", Kind::UnreachCall),
    ("assert", Kind::Assert),
    ("overflow", Kind::Overflow),
    ("bounds", Kind::Deref),
    ("pointer", Kind::Deref),
    ("free", Kind::Free),
    ("leak", Kind::Memtrack),
    ("cleanup", Kind::Memcleanup),
    ("div-by-zero", Kind::DivisionByZero),
    ("shift", Kind::Shift),
    ("uninitialised", Kind::Uninitialised),
    ("unreachable", Kind::Unreachable),
];

impl Property {
    /// The usual property: the error function is never called from `main`.
    pub fn unreach_call() -> Property {
        let text = "CHECK( init(main()), LTL(G ! call(reach_error())) )".to_string();
        let kind = PropertyKind::NeverCalled("reach_error".to_string());
        Property { entry: "main".to_string(), kind, text }
    }

    /// All assertions hold in runs from `main`.
    pub fn assert() -> Property {
        let text = "CHECK( init(main()), LTL(G assert) )".to_string();
        Property { entry: "main".to_string(), kind: PropertyKind::Assert, text }
    }

    /// What its violations are; nothing if they cannot be found.
    pub fn violations(&self) -> &'static [Kind] {
        match &self.kind {
            PropertyKind::NeverCalled(_) => &[Kind::UnreachCall],
            PropertyKind::Assert => &[Kind::Assert],
            PropertyKind::NoOverflow => &[Kind::Overflow],
            PropertyKind::MemorySafety(name) => match name.as_str() {
                "valid-deref" => &[Kind::Deref],
                "valid-free" => &[Kind::Free],
                "valid-memtrack" => &[Kind::Memtrack],
                "valid-memcleanup" => &[Kind::Memcleanup],
                _ => &[],
            },
            PropertyKind::DefinedBehaviour => &[
                Kind::Overflow,
                Kind::Deref,
                Kind::Free,
                Kind::DivisionByZero,
                Kind::Shift,
                Kind::Unreachable,
            ],
            PropertyKind::No(kind) => match kind {
                Kind::DivisionByZero => &[Kind::DivisionByZero],
                Kind::Shift => &[Kind::Shift],
                Kind::Uninitialised => &[Kind::Uninitialised],
                Kind::Unreachable => &[Kind::Unreachable],
                Kind::Invariant => &[Kind::Invariant],
                _ => &[],
            },
            PropertyKind::Termination
            | PropertyKind::NoDataRace
            | PropertyKind::Coverage(_)
            | PropertyKind::Other(_) => &[],
        }
    }

    /// The properties by the names that the command line has for them.
    pub fn named(name: &str) -> Option<Property> {
        let (_, kind) = CHECKS.iter().find(|(known, _)| *known == name)?;
        let goal = match kind {
            Kind::UnreachCall => return Some(Property::unreach_call()),
            Kind::Overflow => "! overflow",
            other => other.name(),
        };
        let text = format!("CHECK( init(main()), LTL(G {goal}) )");
        let kind = match kind {
            Kind::Assert => PropertyKind::Assert,
            Kind::Overflow => PropertyKind::NoOverflow,
            Kind::DivisionByZero | Kind::Shift | Kind::Uninitialised | Kind::Unreachable => {
                PropertyKind::No(*kind)
            }
            other => PropertyKind::MemorySafety(other.name().to_string()),
        };
        Some(Property { entry: "main".to_string(), kind, text })
    }

    /// As verdicts and messages name it.
    pub fn name(&self) -> &str {
        match &self.kind {
            PropertyKind::NeverCalled(_) => Kind::UnreachCall.name(),
            PropertyKind::Assert => Kind::Assert.name(),
            PropertyKind::NoOverflow => "no-overflow",
            PropertyKind::Termination => "termination",
            PropertyKind::MemorySafety(name) => name,
            PropertyKind::NoDataRace => "no-data-race",
            PropertyKind::DefinedBehaviour => "def-behavior",
            PropertyKind::No(kind) => kind.name(),
            PropertyKind::Coverage(_) => "coverage",
            PropertyKind::Other(formula) => formula,
        }
    }
}

/// The properties of a file, which are to hold together.
pub fn read_property(path: &Path) -> Result<Vec<Property>, Error> {
    let unreadable =
        |why: std::io::Error| Error::whole_file(path.display(), Cause::Unreadable(why.to_string()));
    let text = std::fs::read_to_string(path).map_err(unreadable)?;
    let mut properties = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let Some(property) = parse(line.trim()) else {
            let cause = Cause::Task(format!("unknown property `{}`", line.trim()));
            let (file, line) = (path.display().to_string(), index as u32 + 1);
            return Err(Error { file, line, column: 1, cause });
        };
        properties.push(property);
    }
    if properties.is_empty() {
        let cause = Cause::Task("the file contains no property".to_string());
        return Err(Error::whole_file(path.display(), cause));
    }
    Ok(properties)
}

/// One specification.
pub fn parse(text: &str) -> Option<Property> {
    let (word, rest) = text.split_once('(')?;
    let inner = rest.trim_end().strip_suffix(')')?.trim();
    let (init, goal) = inner.split_once(',')?;
    let entry = init.trim().strip_prefix("init(")?.strip_suffix("())")?.trim();
    let goal = goal.trim();
    let kind = match word.trim() {
        "CHECK" => {
            let text = goal.strip_prefix("LTL(")?.strip_suffix(')')?.trim();
            let is_empty = text.is_empty();
            formula(text).or_else(|| (!is_empty).then(|| PropertyKind::Other(text.to_string())))?
        }
        "COVER" => PropertyKind::Coverage(goal.to_string()),
        _ => return None,
    };
    Some(Property { entry: entry.to_string(), kind, text: text.to_string() })
}

fn formula(text: &str) -> Option<PropertyKind> {
    let words: Vec<&str> = text.split_whitespace().collect();
    match words[..] {
        ["G", "assert"] => Some(PropertyKind::Assert),
        ["G", "def-behavior"] => Some(PropertyKind::DefinedBehaviour),
        ["F", "end"] => Some(PropertyKind::Termination),
        ["G", "!", "overflow"] => Some(PropertyKind::NoOverflow),
        ["G", "!", "data-race"] => Some(PropertyKind::NoDataRace),
        ["G", name] if name.starts_with("valid-") => {
            Some(PropertyKind::MemorySafety(name.to_string()))
        }
        ["G", "!", call] => {
            let name = call.strip_prefix("call(")?.strip_suffix("())")?;
            Some(PropertyKind::NeverCalled(name.to_string()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(text: &str) -> Option<PropertyKind> {
        parse(text).map(|property| property.kind)
    }

    #[test]
    fn the_usual_specifications() {
        let check = |goal: &str| kind(&format!("CHECK( init(main()), LTL({goal}) )"));
        let call = |name: &str| Some(PropertyKind::NeverCalled(name.to_string()));
        assert_eq!(check("G ! call(reach_error())"), call("reach_error"));
        assert_eq!(check("G ! call(__VERIFIER_error())"), call("__VERIFIER_error"));
        assert_eq!(check("G ! overflow"), Some(PropertyKind::NoOverflow));
        assert_eq!(check("F end"), Some(PropertyKind::Termination));
        assert_eq!(check("G valid-free"), Some(PropertyKind::MemorySafety("valid-free".into())));
        let cover = kind("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )");
        assert!(matches!(cover, Some(PropertyKind::Coverage(_))));
        assert_eq!(check("G F p"), Some(PropertyKind::Other("G F p".into())));
        assert_eq!(parse(&Property::unreach_call().text), Some(Property::unreach_call()));
        assert_eq!(parse(&Property::assert().text), Some(Property::assert()));
    }

    #[test]
    fn anything_else_is_unknown() {
        for text in
            ["", "CHECK", "CHECK( init(main()), LTL() )", "CHECK( main, LTL(F end) )", "x(y)"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
