//! The graph in the end, with its formulas, as data: from it come DOT and JSON for files, and
//! whatever others make of it.

use super::blocked::Blocked;
use super::graph::{Graph, NodeId};
use std::fmt::Write;
use wedge_logic::{Term, TermStore, smtlib};

/// An abstract reachability graph apart from the engine that made it.
#[derive(Clone)]
pub struct ReachabilityGraph {
    /// What the formulas are made of.
    pub terms: TermStore,
    /// The first one is the root.
    pub nodes: Vec<ReachedNode>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReachedNode {
    pub id: u32,
    /// Of the automaton.
    pub location: u32,
    pub formula: Term,
    /// The node before it and the number of the step from there.
    pub parent: Option<(u32, u32)>,
    pub covered_by: Vec<u32>,
}

/// Longer formulas are cut off in pictures.
const SHOWN: usize = 120;

impl ReachabilityGraph {
    pub fn new(blocked: &Blocked, graph: &Graph) -> ReachabilityGraph {
        let node = |id: NodeId| {
            let node = graph.node(id);
            ReachedNode {
                id: id.0,
                location: blocked.place(node.place).location.0,
                formula: node.formula,
                parent: node.parent.map(|(parent, step)| (parent.0, step.0)),
                covered_by: node.covered_by.iter().map(|by| by.0).collect(),
            }
        };
        ReachabilityGraph { terms: blocked.store.clone(), nodes: graph.ids().map(node).collect() }
    }

    pub fn dot(&self) -> String {
        let mut text = String::from("digraph reachable {\n  node [shape=box];\n");
        for node in &self.nodes {
            let whole = smtlib::formula(&self.terms, node.formula);
            let mut formula: String = whole.chars().take(SHOWN).collect();
            if formula.len() < whole.len() {
                formula.push('…');
            }
            let formula = formula.replace('\\', "\\\\").replace('"', "\\\"");
            let (id, location) = (node.id, node.location);
            let _ = writeln!(text, "  n{id} [label=\"{id}: L{location}\\n{formula}\"];");
            if let Some((parent, step)) = node.parent {
                let _ = writeln!(text, "  n{parent} -> n{id} [label=\"{step}\"];");
            }
            for by in &node.covered_by {
                let _ = writeln!(text, "  n{id} -> n{by} [style=dashed, constraint=false];");
            }
        }
        text.push_str("}\n");
        text
    }

    pub fn json(&self) -> String {
        let number =
            |value: Option<u32>| value.map_or("null".to_string(), |value| value.to_string());
        let row = |node: &ReachedNode| {
            format!(
                "{{\"node\":{},\"location\":{},\"formula\":{},\"parent\":{},\"step\":{},\
                 \"covered_by\":{:?}}}",
                node.id,
                node.location,
                quoted(&smtlib::formula(&self.terms, node.formula)),
                number(node.parent.map(|(parent, _)| parent)),
                number(node.parent.map(|(_, step)| step)),
                node.covered_by,
            )
        };
        let rows: Vec<String> = self.nodes.iter().map(row).collect();
        format!("{{\"nodes\":[\n{}\n]}}\n", rows.join(",\n"))
    }
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
