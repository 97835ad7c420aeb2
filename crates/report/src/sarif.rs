//! Alarms as SARIF 2.1.0 (OASIS, 2020), which editors and code-scanning services read. The run to a
//! violation is a code flow with a location for each step.

use serde_json::{Value, json};

/// What one invocation has found.
#[derive(Default)]
pub struct Log {
    pub alarms: Vec<Alarm>,
    /// What was not decided, with the reason.
    pub undecided: Vec<String>,
    /// The verdict as it is printed.
    pub verdict: String,
}

/// A violation.
pub struct Alarm {
    /// The name of what is violated, as verdicts have it.
    pub rule: String,
    /// What a violation of it is.
    pub rule_text: String,
    pub message: String,
    pub place: Place,
    pub steps: Vec<FlowStep>,
}

/// A step on the way to a violation.
pub struct FlowStep {
    pub place: Place,
    pub message: String,
    /// How many calls are open.
    pub depth: usize,
    /// Whether a reader should see it first.
    pub is_important: bool,
}

#[derive(Clone, Default)]
pub struct Place {
    pub file: String,
    /// 0 if there is none.
    pub line: u32,
    /// 0 if there is none.
    pub column: u32,
    pub function: String,
}

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

pub fn sarif(log: &Log) -> String {
    let mut rules: Vec<(&str, &str)> = Vec::new();
    for alarm in &log.alarms {
        if rules.iter().all(|(known, _)| *known != alarm.rule) {
            rules.push((&alarm.rule, &alarm.rule_text));
        }
    }
    let results: Vec<Value> = log.alarms.iter().map(|alarm| result(alarm, &rules)).collect();
    let rules: Vec<Value> = rules
        .iter()
        .map(|(id, text)| {
            json!({
                "id": id,
                "shortDescription": { "text": text },
                "defaultConfiguration": { "level": "error" },
            })
        })
        .collect();
    let notifications: Vec<Value> = log
        .undecided
        .iter()
        .map(|why| json!({ "level": "warning", "message": { "text": why } }))
        .collect();
    let version = env!("CARGO_PKG_VERSION");
    let text = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "Wedge",
                "semanticVersion": version,
                "rules": rules,
            } },
            "invocations": [{
                "executionSuccessful": true,
                "toolExecutionNotifications": notifications,
            }],
            "columnKind": "unicodeCodePoints",
            "results": results,
            "properties": { "verdict": log.verdict },
        }],
    });
    serde_json::to_string_pretty(&text).expect("values are JSON") + "\n"
}

fn result(alarm: &Alarm, rules: &[(&str, &str)]) -> Value {
    let index = rules.iter().position(|(id, _)| *id == alarm.rule);
    let mut result = json!({
        "ruleId": alarm.rule,
        "ruleIndex": index,
        "level": "error",
        "kind": "fail",
        "message": { "text": alarm.message },
        "locations": [location(&alarm.place, None)],
    });
    if !alarm.steps.is_empty() {
        let steps: Vec<Value> = alarm
            .steps
            .iter()
            .enumerate()
            .map(|(index, step)| {
                json!({
                    "location": location(&step.place, Some(&step.message)),
                    "executionOrder": index + 1,
                    "nestingLevel": step.depth,
                    "importance": if step.is_important { "essential" } else { "important" },
                })
            })
            .collect();
        result["codeFlows"] = json!([{ "threadFlows": [{ "locations": steps }] }]);
    }
    result
}

fn location(place: &Place, message: Option<&str>) -> Value {
    let mut physical = json!({ "artifactLocation": artifact(&place.file) });
    if place.line > 0 {
        physical["region"] = json!({ "startLine": place.line });
        if place.column > 0 {
            physical["region"]["startColumn"] = json!(place.column);
        }
    }
    let mut location = json!({ "physicalLocation": physical });
    if !place.function.is_empty() {
        location["logicalLocations"] = json!([{ "name": place.function, "kind": "function" }]);
    }
    if let Some(message) = message {
        location["message"] = json!({ "text": message });
    }
    location
}

/// A path as a reference: relative ones belong to the folder that was checked out.
fn artifact(path: &str) -> Value {
    let path = path.strip_prefix("./").unwrap_or(path);
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(byte as char);
            }
            other => uri += &format!("%{other:02X}"),
        }
    }
    match path.starts_with('/') {
        true => json!({ "uri": format!("file://{uri}") }),
        false => json!({ "uri": uri, "uriBaseId": "%SRCROOT%" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_has_its_place_and_its_way() {
        let place = |line| Place { file: "a b.c".into(), line, column: 3, function: "main".into() };
        let step =
            FlowStep { place: place(2), message: "x = 1".into(), depth: 1, is_important: true };
        let alarm = Alarm {
            rule: "assert".into(),
            rule_text: "an assertion fails".into(),
            message: "an assertion fails".into(),
            place: place(7),
            steps: vec![step],
        };
        let log = Log { alarms: vec![alarm], ..Log::default() };
        let value: Value = serde_json::from_str(&sarif(&log)).unwrap();
        let run = &value["runs"][0];
        let result = &run["results"][0];
        assert_eq!(run["tool"]["driver"]["rules"][0]["id"], result["ruleId"]);
        let physical = &result["locations"][0]["physicalLocation"];
        assert_eq!(physical["artifactLocation"]["uri"], "a%20b.c");
        assert_eq!(physical["region"]["startLine"], 7);
        let flow = &result["codeFlows"][0]["threadFlows"][0]["locations"][0];
        assert_eq!(flow["location"]["message"]["text"], "x = 1");
        assert_eq!(flow["nestingLevel"], 1);
    }

    #[test]
    fn absolute_paths_are_files() {
        assert_eq!(artifact("/a/b.c")["uri"], "file:///a/b.c");
        assert_eq!(artifact("./b.c")["uri"], "b.c");
    }
}
