//! Witnesses in format 1.0, which is GraphML.
//!
//! Beyer, Dangl, Dietsch, Heizmann, Lemberger, Tautschnig, "Verification Witnesses" (TOSEM 2022).

use super::witness::{Metadata, Stated, Step, Waypoint};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io;
use wedge_c::DataModel;

/// The data of graphs, nodes and edges: name, type, what it belongs to.
const KEYS: &[(&str, &str, &str)] = &[
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("invariant", "string", "node"),
    ("invariant.scope", "string", "node"),
    ("assumption", "string", "edge"),
    ("assumption.scope", "string", "edge"),
    ("assumption.resultfunction", "string", "edge"),
    ("control", "string", "edge"),
    ("startline", "int", "edge"),
    ("endline", "int", "edge"),
    ("enterLoopHead", "boolean", "edge"),
    ("enterFunction", "string", "edge"),
];

type Data = Vec<(&'static str, String)>;

struct Node {
    data: Data,
}

struct Edge {
    from: usize,
    to: usize,
    data: Data,
}

/// A violation witness: a chain from the entry to the violation.
pub fn violation(metadata: &Metadata, points: &[Waypoint]) -> String {
    let mut nodes = vec![Node { data: vec![("entry", "true".into())] }];
    let mut edges = Vec::new();
    for (index, point) in points.iter().enumerate() {
        let line = point.place.line.to_string();
        let mut data: Data = vec![("startline", line.clone()), ("endline", line)];
        let mut reached = Data::new();
        match &point.step {
            Step::Result { callee, value } => {
                data.push(("assumption", format!("\\result == {value};")));
                data.push(("assumption.scope", point.place.function.clone()));
                data.push(("assumption.resultfunction", callee.clone()));
            }
            Step::Assume(condition) => {
                data.push(("assumption", format!("{condition};")));
                data.push(("assumption.scope", point.place.function.clone()));
            }
            Step::Branch(truth) => data.push(("control", format!("condition-{truth}"))),
            Step::Target => reached.push(("violation", "true".into())),
        }
        nodes.push(Node { data: reached });
        edges.push(Edge { from: index, to: index + 1, data });
    }
    document("violation_witness", metadata, &nodes, &edges)
}

/// A correctness witness: a node per loop, entered from the beginning.
pub fn correctness(metadata: &Metadata, invariants: &[Stated]) -> String {
    let mut nodes = vec![Node { data: vec![("entry", "true".into())] }];
    let mut edges = Vec::new();
    for Stated { place, is_loop, value } in invariants.iter() {
        let to = nodes.len();
        nodes.push(Node {
            data: vec![("invariant", value.clone()), ("invariant.scope", place.function.clone())],
        });
        let line = place.line.to_string();
        let mut data: Data = vec![("startline", line.clone()), ("endline", line)];
        if *is_loop {
            data.push(("enterLoopHead", "true".into()));
        }
        edges.push(Edge { from: 0, to, data });
    }
    document("correctness_witness", metadata, &nodes, &edges)
}

fn document(kind: &str, metadata: &Metadata, nodes: &[Node], edges: &[Edge]) -> String {
    let mut writer = Writer::new_with_indent(Vec::new(), b' ', 1);
    // Writing to memory does not fail.
    match write(&mut writer, kind, metadata, nodes, edges) {
        Ok(()) => String::from_utf8_lossy(&writer.into_inner()).into_owned() + "\n",
        Err(error) => format!("<!-- {error} -->\n"),
    }
}

fn write(
    writer: &mut Writer<Vec<u8>>,
    kind: &str,
    metadata: &Metadata,
    nodes: &[Node],
    edges: &[Edge],
) -> io::Result<()> {
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), Some("no"))))?;
    let root = writer
        .create_element("graphml")
        .with_attribute(("xmlns", "http://graphml.graphdrawing.org/xmlns"))
        .with_attribute(("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"));
    root.write_inner_content(|writer| {
        for (name, sort, owner) in KEYS {
            let key = writer.create_element("key").with_attribute(("id", *name));
            let key = key.with_attribute(("attr.name", *name)).with_attribute(("attr.type", *sort));
            key.with_attribute(("for", *owner)).write_empty()?;
        }
        let graph = writer.create_element("graph").with_attribute(("edgedefault", "directed"));
        graph.write_inner_content(|writer| {
            data(writer, &about(kind, metadata))?;
            for (index, node) in nodes.iter().enumerate() {
                let name = format!("N{index}");
                let element = writer.create_element("node").with_attribute(("id", name.as_str()));
                element.write_inner_content(|writer| data(writer, &node.data))?;
            }
            for (index, edge) in edges.iter().enumerate() {
                let (name, from, to) =
                    (format!("E{index}"), format!("N{}", edge.from), format!("N{}", edge.to));
                let element = writer.create_element("edge").with_attribute(("id", name.as_str()));
                let element = element.with_attribute(("source", from.as_str()));
                let element = element.with_attribute(("target", to.as_str()));
                element.write_inner_content(|writer| data(writer, &edge.data))?;
            }
            Ok(())
        })?;
        Ok(())
    })?;
    Ok(())
}

fn about(kind: &str, metadata: &Metadata) -> Data {
    let (file, hash) = metadata.files.first().cloned().unwrap_or_default();
    let architecture = match metadata.data_model {
        DataModel::Ilp32 => "32bit",
        DataModel::Lp64 => "64bit",
    };
    vec![
        ("witness-type", kind.to_string()),
        ("sourcecodelang", "C".to_string()),
        ("producer", format!("wedge {}", metadata.version)),
        ("specification", metadata.specification.clone()),
        ("programfile", file),
        ("programhash", hash),
        ("architecture", architecture.to_string()),
        ("creationtime", metadata.time.clone()),
    ]
}

fn data(writer: &mut Writer<Vec<u8>>, entries: &Data) -> io::Result<()> {
    for (key, value) in entries {
        let element = writer.create_element("data").with_attribute(("key", *key));
        element.write_text_content(BytesText::new(value))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::witness::Place;
    use quick_xml::Reader;

    fn metadata() -> Metadata {
        Metadata {
            files: vec![("a<b.c".into(), "00ff".into())],
            specification: "CHECK( init(main()), LTL(G ! call(reach_error())) )".into(),
            data_model: DataModel::Ilp32,
            uuid: "u".into(),
            time: "2026-01-31T10:29:38Z".into(),
            version: "0.1.0".into(),
        }
    }

    /// The names of elements and the texts of a well-formed document.
    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let mut reader = Reader::from_str(text);
        let (mut names, mut texts) = (Vec::new(), Vec::new());
        let mut depth = 0;
        loop {
            match reader.read_event().unwrap() {
                Event::Start(start) => {
                    depth += 1;
                    names.push(String::from_utf8(start.name().as_ref().to_vec()).unwrap());
                }
                Event::End(_) => depth -= 1,
                Event::Text(text) => texts.push(text.decode().unwrap().into_owned()),
                Event::GeneralRef(name) => texts.push(format!("&{}", name.decode().unwrap())),
                Event::Eof => break,
                _ => {}
            }
        }
        assert_eq!(depth, 0);
        (names, texts)
    }

    fn place(line: u32) -> Place {
        Place { file: "a.c".into(), line, column: 3, function: "main".into() }
    }

    #[test]
    fn a_violation_reads_back() {
        let result = Step::Result { callee: "f".into(), value: "1".into() };
        let points = [
            Waypoint { place: place(4), step: result },
            Waypoint { place: place(5), step: Step::Branch(false) },
            Waypoint { place: place(6), step: Step::Target },
        ];
        let (names, texts) = read(&violation(&metadata(), &points));
        assert_eq!(names.iter().filter(|name| *name == "node").count(), 4);
        assert_eq!(names.iter().filter(|name| *name == "edge").count(), 3);
        let has = |text: &str| texts.iter().any(|t| t == text);
        assert!(has("violation_witness") && has("\\result == 1;") && has("condition-false"));
        assert!(has("&lt"), "{texts:?}");
    }

    #[test]
    fn invariants_read_back() {
        let value = "x == 1".to_string();
        let invariants = [Stated { place: place(7), is_loop: true, value }];
        let (names, texts) = read(&correctness(&metadata(), &invariants));
        assert_eq!(names.iter().filter(|name| *name == "node").count(), 2);
        assert!(texts.iter().any(|t| t == "x == 1"));
    }
}
