//! An answer for programs (`--json`): one line, in the format that `docs/schemas/check.json`
//! describes.

use super::args::CheckArgs;
use wedge::{Answer, Said};

/// Grows when a reader of the old format would be wrong about the new one.
const FORMAT: u32 = 1;

pub fn json(args: &CheckArgs, answer: &Answer) -> String {
    let (outcome, detail) = match answer.verdict.said() {
        Said::True => ("true", None),
        Said::False(violated) => ("false", Some(("violated", violated.clone()))),
        Said::Unknown(reason) => ("unknown", Some(("reason", reason.to_string()))),
    };
    let mut object = serde_json::json!({
        "format": FORMAT,
        "file": args.file().display().to_string(),
        "engine": args.engine,
        "properties": answer.question.properties(),
        "verdict": answer.verdict.to_string(),
        "outcome": outcome,
        "evidence": answer.evidence,
        "seconds": answer.seconds,
        "figures": answer.figures,
    });
    if let Some((key, value)) = detail {
        object[key] = value.into();
    }
    let is_warning = |(name, _): &&(String, String)| name == "warning";
    for (name, value) in answer.about.iter().filter(|about| !is_warning(about)) {
        object[name.as_str()] = value.as_str().into();
    }
    let warnings: Vec<&String> =
        answer.about.iter().filter(is_warning).map(|(_, value)| value).collect();
    if !warnings.is_empty() {
        object["warnings"] = serde_json::json!(warnings);
    }
    if !answer.notes.is_empty() {
        object["notes"] = serde_json::json!(answer.notes);
    }
    if let Some(counterexample) = &answer.files.counterexample {
        object["trace"] = serde_json::json!(counterexample);
    }
    if !answer.members.is_empty() {
        object["answered by"] = answer.winner().into();
        object["members"] = serde_json::json!(answer.members);
    }
    object.to_string()
}
