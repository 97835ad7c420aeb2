//! Witnesses in format 1.0, read.
//!
//! Of a correctness witness the invariants of nodes count: at a loop if an edge into the node enters
//! one, else before the statement that an edge out of the node begins with. Of a violation witness
//! a shortest way from the entry to a violation counts, with the decisions and the results of calls
//! that its edges name; assumptions of other edges hold after their line, and here are taken as
//! what has to be passed in it.

use super::{
    About, Content, Invariant, Location, Read, Segment, Unreadable, Waypoint, WaypointKind,
    data_model,
};
use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use std::collections::{BTreeMap, VecDeque};

/// What a graph, node or edge says, by key, with the line.
type Data = BTreeMap<String, (String, u32)>;

#[derive(Default)]
struct Graph {
    data: Data,
    nodes: Vec<(String, Data)>,
    edges: Vec<Edge>,
}

struct Edge {
    from: String,
    to: String,
    data: Data,
    line: u32,
}

pub fn read(text: &str) -> Result<Read, Unreadable> {
    let graph = parse(text)?;
    let get = |key: &str| graph.data.get(key).map(|(value, _)| value.clone());
    let need = |key: &str| {
        get(key).ok_or_else(|| Unreadable::at(0, format!("graph: data with key {key} is missing")))
    };
    let architecture = need("architecture")?;
    let model = data_model(&architecture).ok_or_else(|| {
        let line = graph.data.get("architecture").map_or(0, |(_, line)| *line);
        Unreadable::at(line, format!("graph.architecture: unknown architecture {architecture}"))
    })?;
    let about = About {
        version: "1.0".to_string(),
        files: vec![(need("programfile")?, get("programhash"))],
        specification: Some(need("specification")?),
        data_model: Some(model),
    };
    let content = match need("witness-type")?.as_str() {
        "correctness_witness" => graph.correctness()?,
        "violation_witness" => graph.violation()?,
        other => {
            let line = graph.data.get("witness-type").map_or(0, |(_, line)| *line);
            return Err(Unreadable::at(line, format!("graph.witness-type: unknown type {other}")));
        }
    };
    Ok(Read { about, content })
}

fn parse(text: &str) -> Result<Graph, Unreadable> {
    let mut reader = Reader::from_str(text);
    let mut graph = Graph::default();
    // What data belongs to, and the key whose text is read.
    let mut owners: Vec<&str> = Vec::new();
    let mut key: Option<(String, String)> = None;
    let mut is_whole = false;
    loop {
        let line = line_of(text, reader.buffer_position() as usize);
        let event = reader.read_event();
        let event = event.map_err(|error| Unreadable::at(line, format!("not XML: {error}")))?;
        match event {
            Event::Start(start) => open(&mut graph, &mut owners, &mut key, &start, line)?,
            Event::Empty(start) => {
                open(&mut graph, &mut owners, &mut key, &start, line)?;
                close(&mut graph, &mut owners, &mut key, line);
            }
            Event::End(end) => {
                is_whole |= end.name().as_ref() == b"graphml";
                close(&mut graph, &mut owners, &mut key, line);
            }
            Event::Text(part) => {
                if let Some((_, value)) = &mut key {
                    let decoded = part.decode();
                    *value += &decoded.map_err(|e| Unreadable::at(line, e.to_string()))?;
                }
            }
            Event::CData(part) => {
                if let Some((_, value)) = &mut key {
                    *value += &String::from_utf8_lossy(&part);
                }
            }
            Event::GeneralRef(name) => {
                if let Some((_, value)) = &mut key {
                    *value +=
                        &entity(&name).ok_or_else(|| Unreadable::at(line, "unknown entity"))?;
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    match is_whole {
        true => Ok(graph),
        false => Err(Unreadable::at(line_of(text, text.len()), "graphml: the file ends before it")),
    }
}

/// The character that an entity stands for.
fn entity(name: &quick_xml::events::BytesRef) -> Option<String> {
    if let Ok(Some(c)) = name.resolve_char_ref() {
        return Some(c.to_string());
    }
    let text = match &name.decode().ok()?[..] {
        "lt" => "<",
        "gt" => ">",
        "amp" => "&",
        "quot" => "\"",
        "apos" => "'",
        _ => return None,
    };
    Some(text.to_string())
}

fn line_of(text: &str, offset: usize) -> u32 {
    let end = offset.min(text.len());
    text.as_bytes()[..end].iter().filter(|&&byte| byte == b'\n').count() as u32 + 1
}

fn open(
    graph: &mut Graph,
    owners: &mut Vec<&str>,
    key: &mut Option<(String, String)>,
    start: &BytesStart,
    line: u32,
) -> Result<(), Unreadable> {
    let attribute = |name: &str| {
        let found = start.try_get_attribute(name).ok().flatten();
        let value = found.and_then(|found| found.unescape_value().ok().map(|v| v.into_owned()));
        let element = String::from_utf8_lossy(start.name().as_ref()).into_owned();
        value.ok_or_else(|| Unreadable::at(line, format!("{element}: attribute {name} is missing")))
    };
    match start.name().as_ref() {
        b"graph" => owners.push("graph"),
        b"node" => {
            graph.nodes.push((attribute("id")?, Data::new()));
            owners.push("node");
        }
        b"edge" => {
            let (from, to) = (attribute("source")?, attribute("target")?);
            graph.edges.push(Edge { from, to, data: Data::new(), line });
            owners.push("edge");
        }
        b"data" => {
            *key = Some((attribute("key")?, String::new()));
            owners.push("data");
        }
        _ => owners.push("other"),
    }
    Ok(())
}

fn close(graph: &mut Graph, owners: &mut Vec<&str>, key: &mut Option<(String, String)>, line: u32) {
    if owners.pop() != Some("data") {
        return;
    }
    let Some((name, value)) = key.take() else { return };
    let data = match owners.last() {
        Some(&"graph") => Some(&mut graph.data),
        Some(&"node") => graph.nodes.last_mut().map(|(_, data)| data),
        Some(&"edge") => graph.edges.last_mut().map(|edge| &mut edge.data),
        _ => None,
    };
    if let Some(data) = data {
        data.insert(name, (value.trim().to_string(), line));
    }
}

impl Edge {
    fn text(&self, key: &str) -> Option<&str> {
        self.data.get(key).map(|(value, _)| value.as_str())
    }

    /// The line of the program that the edge is about.
    fn location(&self) -> Result<Option<Location>, Unreadable> {
        let Some((value, line)) = self.data.get("startline") else { return Ok(None) };
        let row = value
            .parse()
            .map_err(|_| Unreadable::at(*line, format!("edge.startline: {value} is no number")))?;
        let function = self.text("assumption.scope").map(str::to_string);
        Ok(Some(Location { file: None, line: row, column: 0, function }))
    }

    fn waypoints(&self) -> Result<Vec<Waypoint>, Unreadable> {
        let Some(location) = self.location()? else { return Ok(Vec::new()) };
        let mut points = Vec::new();
        let mut add = |kind| {
            points.push(Waypoint { kind, location: location.clone(), line: self.line });
        };
        match self.text("control") {
            None => {}
            Some("condition-true") => add(WaypointKind::Branching(true)),
            Some("condition-false") => add(WaypointKind::Branching(false)),
            Some(other) => {
                let cause = format!("edge.control: unknown value {other}");
                return Err(Unreadable::at(self.line, cause));
            }
        }
        let assumptions = self.text("assumption").unwrap_or("").split(';');
        for assumption in assumptions.map(str::trim).filter(|text| !text.is_empty()) {
            if assumption.contains("\\result") {
                add(WaypointKind::Return(assumption.to_string()));
            }
        }
        Ok(points)
    }
}

impl Graph {
    fn correctness(&self) -> Result<Content, Unreadable> {
        let mut invariants = Vec::new();
        for (id, data) in &self.nodes {
            let Some((value, line)) = data.get("invariant") else { continue };
            let into = self.edges.iter().filter(|edge| edge.to == *id);
            let mut heads = into.filter(|edge| edge.text("enterLoopHead") == Some("true"));
            let (is_loop, edge) = match heads.next() {
                Some(edge) => (true, Some(edge)),
                None => (false, self.edges.iter().find(|edge| edge.from == *id)),
            };
            let location = edge.map(Edge::location).transpose()?.flatten();
            let Some(location) = location else {
                let what = format!("the invariant of node {id}, whose place no edge says");
                return Err(Unreadable::Unsupported(what));
            };
            invariants.push(Invariant { is_loop, location, value: value.clone(), line: *line });
        }
        Ok(Content::Correctness { invariants, contracts: Vec::new() })
    }

    fn violation(&self) -> Result<Content, Unreadable> {
        let is = |data: &Data, key: &str| data.get(key).is_some_and(|(value, _)| value == "true");
        let entry = self.nodes.iter().find(|(_, data)| is(data, "entry"));
        let Some((entry, _)) = entry else {
            return Err(Unreadable::at(0, "node: no node has data with key entry"));
        };
        let path = self.path(entry, |id| {
            self.nodes.iter().any(|(other, data)| other == id && is(data, "violation"))
        });
        let Some(path) = path else {
            return Err(Unreadable::at(0, "graph: no way leads from the entry to a violation"));
        };
        let mut segments = Vec::new();
        for &edge in &path {
            for follow in self.edges[edge].waypoints()? {
                segments.push(Segment { avoid: Vec::new(), follow });
            }
        }
        let last = path.last().map(|&edge| &self.edges[edge]);
        let location = last.map(Edge::location).transpose()?.flatten();
        let Some(location) = location else {
            let line = last.map_or(0, |edge| edge.line);
            return Err(Unreadable::at(line, "edge: startline of the violation is missing"));
        };
        let line = last.map_or(0, |edge| edge.line);
        let follow = Waypoint { kind: WaypointKind::Target, location, line };
        segments.push(Segment { avoid: Vec::new(), follow });
        Ok(Content::Violation(segments))
    }

    /// The edges of a shortest way to a node.
    fn path(&self, entry: &str, is_goal: impl Fn(&str) -> bool) -> Option<Vec<usize>> {
        let mut came: BTreeMap<&str, Option<usize>> = BTreeMap::from([(entry, None)]);
        let mut queue = VecDeque::from([entry]);
        while let Some(node) = queue.pop_front() {
            if is_goal(node) {
                let (mut path, mut at) = (Vec::new(), node);
                while let Some(Some(edge)) = came.get(at) {
                    path.push(*edge);
                    at = &self.edges[*edge].from;
                }
                path.reverse();
                return Some(path);
            }
            for (number, edge) in self.edges.iter().enumerate().filter(|(_, e)| e.from == node) {
                if !came.contains_key(edge.to.as_str()) {
                    came.insert(&edge.to, Some(number));
                    queue.push_back(&edge.to);
                }
            }
        }
        None
    }
}
