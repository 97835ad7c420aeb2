//! Witnesses that somebody has written, read: formats 2.0 and 2.1 in YAML ([`yaml`]) and 1.0 in
//! GraphML ([`graphml`]). What is malformed is said with its line and field.

mod clauses;
mod graphml;
mod yaml;

use wedge_c::DataModel;

/// A witness, independently of its syntax.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Read {
    pub about: About,
    pub content: Content,
}

/// What a witness says about itself.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct About {
    /// `1.0`, `2.0` or `2.1`.
    pub version: String,
    /// The program's files, with their hashes where there are any.
    pub files: Vec<(String, Option<String>)>,
    pub specification: Option<String>,
    pub data_model: Option<DataModel>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    Correctness { invariants: Vec<Invariant>, contracts: Vec<Contract> },
    Violation(Vec<Segment>),
}

/// A place in the program.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Location {
    pub file: Option<String>,
    pub line: u32,
    /// 0 if it is not given.
    pub column: u32,
    pub function: Option<String>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Invariant {
    /// At a loop, or else before a statement.
    pub is_loop: bool,
    pub location: Location,
    /// A C expression.
    pub value: String,
    /// The line of the witness.
    pub line: u32,
}

/// What holds whenever a function is called, and whenever it returns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// In the head of the function's definition.
    pub location: Location,
    pub requires: Condition,
    /// It may speak of the result as `\result`, and of what parameters were at first by `\at`.
    pub ensures: Condition,
}

/// A C expression, and the line of the witness.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Condition {
    pub value: String,
    pub line: u32,
}

/// What a run passes before it comes to the next segment, and what it does not pass before.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    pub avoid: Vec<Waypoint>,
    pub follow: Waypoint,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Waypoint {
    pub kind: WaypointKind,
    pub location: Location,
    /// The line of the witness.
    pub line: u32,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WaypointKind {
    /// This C expression is true before the statement.
    Assumption(String),
    /// The condition of an `if` or loop is decided this way.
    Branching(bool),
    /// A function is called.
    Enter,
    /// A function returns, and this expression over `\result` is true.
    Return(String),
    Target,
}

/// Why a file is no witness that can be used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unreadable {
    /// It does not follow its format: the line, or 0, and the cause with its field.
    Malformed { line: u32, cause: String },
    /// It does, but says something that is not understood here.
    Unsupported(String),
}

impl Unreadable {
    fn at(line: u32, cause: impl Into<String>) -> Unreadable {
        Unreadable::Malformed { line, cause: cause.into() }
    }
}

/// Reads a witness in whatever format it is in.
pub fn read(text: &str) -> Result<Read, Unreadable> {
    match text.trim_start().starts_with('<') {
        true => graphml::read(text),
        false => yaml::read(text),
    }
}

/// `ILP32` and `LP64`, and how GraphML calls them.
fn data_model(name: &str) -> Option<DataModel> {
    match name {
        "ILP32" | "32bit" => Some(DataModel::Ilp32),
        "LP64" | "64bit" => Some(DataModel::Lp64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "- entry_type: invariant_set
  metadata:
    format_version: \"2.0\"
    uuid: \"u\"
    creation_time: \"2026-01-31T10:29:38+01:00\"
    producer: {name: \"other\", version: \"1\"}
    task:
      input_files: [\"./a.c\"]
      input_file_hashes: {\"./a.c\": \"00\"}
      specification: \"CHECK( init(main()), LTL(G ! call(reach_error())) )\"
      data_model: \"LP64\"
      language: \"C\"
  content:
";

    fn malformed(text: &str) -> (u32, String) {
        match read(text) {
            Err(Unreadable::Malformed { line, cause }) => (line, cause),
            other => panic!("{other:?}\n{text}"),
        }
    }

    #[test]
    fn a_list_of_invariants() {
        let text = format!(
            "{HEAD}    - invariant:\n        type: location_invariant\n        \
             location: {{file_name: a.c, line: 7}}\n        value: 1\n        format: c_expression\n"
        );
        let read = read(&text).unwrap();
        assert_eq!(read.about.data_model, Some(DataModel::Lp64));
        assert_eq!(read.about.files, [("./a.c".to_string(), Some("00".to_string()))]);
        let location = Location { file: Some("a.c".into()), line: 7, ..Location::default() };
        let invariant = Invariant { is_loop: false, location, value: "1".into(), line: 17 };
        assert_eq!(
            read.content,
            Content::Correctness { invariants: vec![invariant], contracts: vec![] }
        );
    }

    #[test]
    fn what_is_malformed_has_a_line_and_a_field() {
        let item = "    - invariant:\n        type: loop_invariant\n        \
            location: {file_name: a.c, line: 7}\n        value: x\n        format: c_expression\n";
        for (old, new, line, field) in [
            ("line: 7", "line: seven", 16, "content[0].invariant.location.line"),
            ("        value: x\n", "", 14, "content.invariant.value"),
            ("c_expression", "ext_c_expression", 14, "content.invariant.format"),
            ("loop_invariant", "loop", 14, "content.invariant.type"),
            ("invariant:", "invariants:", 14, "invariants"),
        ] {
            let (at, cause) = malformed(&format!("{HEAD}{}", item.replace(old, new)));
            assert!(cause.contains(field), "{cause}");
            assert_eq!(at, line, "{cause}");
        }
        let head = HEAD.replace("      language: \"C\"\n", "");
        let (_, cause) = malformed(&format!("{head}{item}"));
        assert!(cause.contains("language"), "{cause}");
        let later = format!("{HEAD}{item}").replace("2.0", "3.0");
        assert_eq!(read(&later), Err(Unreadable::Unsupported("format_version 3.0".into())));
    }

    #[test]
    fn sequences_end_with_their_only_target() {
        let head = HEAD.replace("invariant_set", "violation_sequence");
        let point = |kind: &str, action: &str| {
            format!(
                "        - waypoint:\n            type: {kind}\n            action: {action}\n            \
                 location: {{file_name: a.c, line: 7}}\n"
            )
        };
        let segment = |points: &[String]| format!("    - segment:\n{}", points.concat());
        let text = |segments: &[String]| format!("{head}{}", segments.concat());
        let target = segment(&[point("target", "follow")]);
        let Content::Violation(segments) =
            read(&text(std::slice::from_ref(&target))).unwrap().content
        else {
            panic!("a violation");
        };
        assert_eq!(segments.len(), 1);
        let (_, cause) = malformed(&text(&[target.clone(), target.clone()]));
        assert!(cause.contains("the last segment"), "{cause}");
        let (_, cause) = malformed(&text(&[segment(&[point("target", "avoid")])]));
        assert!(cause.contains("no waypoint with action follow"), "{cause}");
        let (line, cause) = malformed(&text(&[segment(&[point("branching", "follow")])]));
        assert!(line == 17 && cause.contains("constraint: missing"), "{line} {cause}");
    }

    #[test]
    fn graphs() {
        let data = |key: &str, value: &str| format!("<data key=\"{key}\">{value}</data>");
        let about = ["witness-type", "specification", "programfile", "architecture"]
            .into_iter()
            .zip(["correctness_witness", "CHECK( init(main()), LTL(F end) )", "a.c", "32bit"])
            .map(|(key, value)| data(key, value))
            .collect::<String>();
        let node = format!("<node id=\"B\">{}</node>", data("invariant", "x &lt; 5"));
        let edge = format!(
            "<edge source=\"A\" target=\"B\">{}{}</edge>",
            data("enterLoopHead", "true"),
            data("startline", "9")
        );
        let text = format!(
            "<?xml version=\"1.0\"?>\n<graphml><graph>{about}\n<node id=\"A\"/>{node}\n{edge}</graph></graphml>"
        );
        let Content::Correctness { invariants, .. } = read(&text).unwrap().content else {
            panic!("a proof");
        };
        assert_eq!((invariants[0].value.as_str(), invariants[0].location.line), ("x < 5", 9));
        assert!(invariants[0].is_loop);
        assert!(malformed(&text.replace(">9<", ">nine<")).1.contains("edge.startline"));
        assert!(malformed(&text.replace("32bit", "16bit")).1.contains("architecture"));
        let cut = malformed(&text[..text.len() - "</graphml>".len()]).1;
        assert!(cut.contains("graphml"), "{cut}");
        assert!(malformed(&text.replace("</edge>", "")).1.contains("not XML"));
    }
}
