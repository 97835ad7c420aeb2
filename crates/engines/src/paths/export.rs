//! The graph in the end, with its formulas, for people and programs: DOT and JSON.

use super::blocked::Blocked;
use super::graph::{Graph, NodeId};
use std::fmt::Write;
use wedge_logic::smtlib;

/// What is written about a node.
struct Row {
    id: u32,
    location: u32,
    formula: String,
    parent: Option<(u32, u32)>,
    covered_by: Vec<u32>,
}

/// Longer formulas are cut off in pictures.
const SHOWN: usize = 120;

fn rows<'a>(blocked: &'a Blocked, graph: &'a Graph) -> impl Iterator<Item = Row> + 'a {
    let row = |id: NodeId| {
        let node = graph.node(id);
        Row {
            id: id.0,
            location: blocked.place(node.place).location.0,
            formula: smtlib::formula(&blocked.store, node.formula),
            parent: node.parent.map(|(parent, step)| (parent.0, step.0)),
            covered_by: node.covered_by.iter().map(|by| by.0).collect(),
        }
    };
    graph.ids().map(row)
}

pub fn dot(blocked: &Blocked, graph: &Graph) -> String {
    let mut text = String::from("digraph reachable {\n  node [shape=box];\n");
    for row in rows(blocked, graph) {
        let mut formula: String = row.formula.chars().take(SHOWN).collect();
        if formula.len() < row.formula.len() {
            formula.push('…');
        }
        let formula = formula.replace('\\', "\\\\").replace('"', "\\\"");
        let _ =
            writeln!(text, "  n{} [label=\"{}: L{}\\n{formula}\"];", row.id, row.id, row.location);
        if let Some((parent, step)) = row.parent {
            let _ = writeln!(text, "  n{parent} -> n{} [label=\"{step}\"];", row.id);
        }
        for by in row.covered_by {
            let _ = writeln!(text, "  n{} -> n{by} [style=dashed, constraint=false];", row.id);
        }
    }
    text.push_str("}\n");
    text
}

pub fn json(blocked: &Blocked, graph: &Graph) -> String {
    let number = |value: Option<u32>| value.map_or("null".to_string(), |value| value.to_string());
    let row = |row: Row| {
        format!(
            "{{\"node\":{},\"location\":{},\"formula\":{},\"parent\":{},\"step\":{},\
             \"covered_by\":{:?}}}",
            row.id,
            row.location,
            quoted(&row.formula),
            number(row.parent.map(|(parent, _)| parent)),
            number(row.parent.map(|(_, step)| step)),
            row.covered_by,
        )
    };
    let rows: Vec<String> = rows(blocked, graph).map(row).collect();
    format!("{{\"nodes\":[\n{}\n]}}\n", rows.join(",\n"))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control.is_control() => {
                let _ = write!(quoted, "\\u{:04x}", control as u32);
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
