//! Witnesses in formats 2.0 and 2.1, which are YAML.
//!
//! Beyer, Ayaziová, Lingsch-Rosenfeld, Spiessl, Strejček, "Software Verification Witnesses 2.0"
//! (SPIN 2024). Strings are double-quoted with the escapes of JSON, which are also those of YAML.

use super::witness::{Metadata, Place, Promise, Stated, Step, Version, Waypoint};
use std::fmt::Write;

/// A violation witness: one segment per waypoint.
pub fn violation(metadata: &Metadata, points: &[Waypoint], version: Version) -> String {
    let mut text = head("violation_sequence", metadata, version);
    for point in points {
        text += "    - segment:\n        - waypoint:\n";
        let (kind, constraint) = match &point.step {
            Step::Result { value, .. } => {
                let value = quoted(&format!("\\result == {value}"));
                let format = format!("format: \"{}\"", version.extended());
                ("function_return", Some(format!("value: {value}\n              {format}")))
            }
            Step::Assume(condition) => {
                let value = quoted(condition);
                let format = "format: \"c_expression\"";
                ("assumption", Some(format!("value: {value}\n              {format}")))
            }
            Step::Branch(truth) => ("branching", Some(format!("value: \"{truth}\""))),
            Step::Target => ("target", None),
        };
        let _ = write!(text, "            type: \"{kind}\"\n            action: \"follow\"\n");
        text += &location(&point.place, 12);
        if let Some(constraint) = constraint {
            let _ = write!(text, "            constraint:\n              {constraint}\n");
        }
    }
    text
}

/// A correctness witness: invariants with the places of their loops, and contracts with those of
/// their functions, which are left out where the version has none.
pub fn correctness(
    metadata: &Metadata,
    invariants: &[Stated],
    contracts: &[Promise],
    version: Version,
) -> String {
    let contracts = if version.has_contracts() { contracts } else { &[] };
    let mut text = head("invariant_set", metadata, version);
    if invariants.is_empty() && contracts.is_empty() {
        text.truncate(text.trim_end().len());
        text += " []\n";
    }
    for Stated { place, is_loop, value } in invariants {
        let kind = if *is_loop { "loop_invariant" } else { "location_invariant" };
        let _ = write!(text, "    - invariant:\n        type: \"{kind}\"\n");
        text += &location(place, 8);
        let value = quoted(value);
        let _ = write!(text, "        value: {value}\n        format: \"c_expression\"\n");
    }
    for Promise { place, requires, ensures } in contracts {
        text += "    - contract:\n        type: \"function_contract\"\n";
        text += &location(place, 8);
        let (requires, ensures, format) = (quoted(requires), quoted(ensures), version.extended());
        let _ = write!(text, "        requires: {requires}\n        ensures: {ensures}\n");
        let _ = writeln!(text, "        format: \"{format}\"");
    }
    text
}

fn head(kind: &str, metadata: &Metadata, version: Version) -> String {
    let names: Vec<String> = metadata.files.iter().map(|(name, _)| quoted(name)).collect();
    let hash = |(name, hash): &(String, String)| format!("{}: \"{hash}\"", quoted(name));
    let hashes: Vec<String> = metadata.files.iter().map(hash).collect();
    format!(
        "- entry_type: \"{kind}\"\n  metadata:\n    format_version: \"{}\"\n    uuid: \"{}\"\n    \
         creation_time: \"{}\"\n    producer:\n      name: \"wedge\"\n      version: \"{}\"\n    \
         task:\n      input_files: [{}]\n      input_file_hashes: {{{}}}\n      specification: {}\n      \
         data_model: \"{}\"\n      language: \"C\"\n  content:\n",
        version.name(),
        metadata.uuid,
        metadata.time,
        metadata.version,
        names.join(", "),
        hashes.join(", "),
        quoted(&metadata.specification),
        metadata.model_name(),
    )
}

fn location(place: &Place, indent: usize) -> String {
    let (outer, inner) = (" ".repeat(indent), " ".repeat(indent + 2));
    let mut text = format!("{outer}location:\n{inner}file_name: {}\n", quoted(&place.file));
    let _ = writeln!(text, "{inner}line: {}", place.line);
    if place.column > 0 {
        let _ = writeln!(text, "{inner}column: {}", place.column);
    }
    if !place.function.is_empty() {
        let _ = writeln!(text, "{inner}function: {}", quoted(&place.function));
    }
    text
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted += "\\\"",
            '\\' => quoted += "\\\\",
            c if (c as u32) < 0x20 || c as u32 == 0x7f => {
                let _ = write!(quoted, "\\u{:04x}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::witness::Metadata;
    use serde_yaml_ng::Value;
    use wedge_c::DataModel;

    fn metadata() -> Metadata {
        Metadata {
            files: vec![("./a \"b\".c".into(), "00ff".into())],
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
            data_model: DataModel::Lp64,
            uuid: "u".into(),
            time: "2026-01-31T10:29:38Z".into(),
            version: "0.1.0".into(),
        }
    }

    fn place(line: u32) -> Place {
        Place { file: "a.c".into(), line, column: 3, function: "main".into() }
    }

    #[test]
    fn a_violation_reads_back() {
        let result = Step::Result { callee: "f".into(), value: "(-5)".into() };
        let steps = [result, Step::Branch(true), Step::Target];
        let points: Vec<Waypoint> = steps
            .into_iter()
            .enumerate()
            .map(|(index, step)| Waypoint { place: place(index as u32 + 1), step })
            .collect();
        let value: Value =
            serde_yaml_ng::from_str(&violation(&metadata(), &points, Version::V20)).unwrap();
        let entry = &value[0];
        assert_eq!(entry["entry_type"], "violation_sequence");
        assert_eq!(entry["metadata"]["format_version"], "2.0");
        assert_eq!(entry["metadata"]["task"]["input_file_hashes"]["./a \"b\".c"], "00ff");
        let waypoint = |index: usize| &entry["content"][index]["segment"][0]["waypoint"];
        assert_eq!(waypoint(0)["type"], "function_return");
        assert_eq!(waypoint(0)["constraint"]["value"], "\\result == (-5)");
        assert_eq!(waypoint(1)["constraint"]["value"], "true");
        assert_eq!(waypoint(1)["location"]["line"], 2);
        assert_eq!(waypoint(2)["type"], "target");
        assert!(waypoint(2).get("constraint").is_none());
    }

    #[test]
    fn invariants_read_back() {
        let value = "x == 1 && (y < 2)".to_string();
        let invariants = [Stated { place: place(7), is_loop: true, value }];
        let (requires, ensures) = ("n >= 0".to_string(), "\\result == n".to_string());
        let contracts = [Promise { place: place(3), requires, ensures }];
        let text = correctness(&metadata(), &invariants, &contracts, Version::V21);
        let value: Value = serde_yaml_ng::from_str(&text).unwrap();
        let invariant = &value[0]["content"][0]["invariant"];
        assert_eq!(invariant["value"], "x == 1 && (y < 2)");
        assert_eq!(invariant["location"]["function"], "main");
        let contract = &value[0]["content"][1]["contract"];
        assert_eq!(contract["ensures"], "\\result == n");
        assert_eq!(contract["format"], "ext_c_expression");
        let earlier = correctness(&metadata(), &invariants, &contracts, Version::V20);
        assert!(!earlier.contains("contract"), "{earlier}");
        let none: Value =
            serde_yaml_ng::from_str(&correctness(&metadata(), &[], &[], Version::V20)).unwrap();
        assert_eq!(none[0]["content"].as_sequence().map(Vec::len), Some(0));
    }
}
