//! Automata as text for Graphviz.

use super::{Cfa, Edge, LocationId, TargetKind};
use std::fmt::Write;
use wedge_logic::{BitVec, Term, smtlib};

/// Assignments shown on one edge; of more, the number is told.
const MAX_UPDATES: usize = 12;
/// Characters shown of one term.
const MAX_TERM: usize = 200;

/// The automaton in the language of Graphviz. `name` may give a location a name of its own.
pub fn dot(cfa: &Cfa, name: &dyn Fn(LocationId) -> Option<String>) -> String {
    let mut out = String::from("digraph cfa {\n  node [shape=ellipse];\n");
    for index in 0..cfa.locations.len() as u32 {
        let location = LocationId(index);
        let label = name(location).unwrap_or_else(|| format!("l{index}"));
        let _ = writeln!(out, "  l{index} [{}];", attributes(cfa, location, label));
    }
    for edge in &cfa.edges {
        let (from, to) = (edge.from.0, edge.to.0);
        let _ = writeln!(out, "  l{from} -> l{to} [label={}];", quoted(&edge_label(cfa, edge)));
    }
    out.push_str("}\n");
    out
}

fn attributes(cfa: &Cfa, location: LocationId, mut label: String) -> String {
    let mut shape = if location == cfa.entry { ", shape=box" } else { "" };
    for target in cfa.targets.iter().filter(|t| t.location == location) {
        let _ = write!(label, "\n{}", target.name);
        shape = match target.kind {
            TargetKind::Error => ", shape=octagon, color=red",
            TargetKind::Limit | TargetKind::Refused => ", shape=octagon, color=orange",
        };
    }
    format!("label={}{shape}", quoted(&label))
}

fn edge_label(cfa: &Cfa, edge: &Edge) -> String {
    let mut lines = Vec::new();
    if !cfa.terms.value(edge.guard).is_some_and(BitVec::is_one) {
        lines.push(format!("[{}]", text(cfa, edge.guard)));
    }
    for &(variable, value) in edge.updates.iter().take(MAX_UPDATES) {
        lines.push(format!("{} := {}", text(cfa, variable), text(cfa, value)));
    }
    if edge.updates.len() > MAX_UPDATES {
        lines.push(format!("and {} more", edge.updates.len() - MAX_UPDATES));
    }
    lines.join("\n")
}

/// Variables of one bit by their names, without the comparison that makes them formulae.
fn text(cfa: &Cfa, term: Term) -> String {
    let text = match cfa.terms.name(term) {
        Some(name) => smtlib::symbol(name),
        None => smtlib::formula(&cfa.terms, term),
    };
    match text.char_indices().nth(MAX_TERM) {
        Some((end, _)) => format!("{} ...", &text[..end]),
        None => text,
    }
}

/// A string of the language: quotes and backslashes escaped, line breaks as such.
fn quoted(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{text}\"")
}
