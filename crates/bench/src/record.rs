//! What a run came to, and what that is worth.

use crate::machine::Machine;
use crate::tasks::Expected;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::PathBuf;

/// One finished run; a line of the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub engine: String,
    /// What the program was told; a run with other arguments is another run.
    pub arguments: Vec<String>,
    pub task: String,
    pub data_model: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<PathBuf>,
    /// What an alarm has to name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subproperty: Option<String>,
    pub category: String,
    pub expected: Expected,
    pub outcome: Outcome,
    /// The reason in the verdict line, or how the program ended without one.
    pub reason: String,
    /// Wall-clock time.
    pub seconds: f64,
    /// Processor time, all cores together.
    pub cpu_seconds: f64,
    pub peak_bytes: u64,
    /// The limit of processor time if it was the longer one for tasks that no engine had solved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub again_seconds: Option<f64>,
    /// Where it was made; results of old have not kept it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// The line of JSON that the program has printed, if it has.
    pub detail: Option<Value>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    True,
    False,
    Timeout,
    Memory,
    /// The program gave up for another reason.
    Unknown,
    /// The program ended without a verdict.
    Crash,
}

impl Outcome {
    pub fn name(self) -> &'static str {
        match self {
            Outcome::True => "true",
            Outcome::False => "false",
            Outcome::Timeout => "timeout",
            Outcome::Memory => "memory",
            Outcome::Unknown => "unknown",
            Outcome::Crash => "crash",
        }
    }
}

/// An outcome in the light of what was expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judgement {
    CorrectProof,
    CorrectAlarm,
    /// A verdict on a task about which nothing was known.
    Unconfirmed,
    Wrong,
    Timeout,
    Memory,
    Other,
}

impl Judgement {
    pub fn name(self) -> &'static str {
        match self {
            Judgement::CorrectProof => "correct proof",
            Judgement::CorrectAlarm => "correct alarm",
            Judgement::Unconfirmed => "unconfirmed",
            Judgement::Wrong => "WRONG",
            Judgement::Timeout => "timeout",
            Judgement::Memory => "out of memory",
            Judgement::Other => "other",
        }
    }
}

impl Record {
    pub fn judgement(&self) -> Judgement {
        match (self.outcome, self.expected) {
            (Outcome::True, Expected::Safe) => Judgement::CorrectProof,
            (Outcome::False, Expected::Unsafe) if self.names_the_violation() => {
                Judgement::CorrectAlarm
            }
            (Outcome::True | Outcome::False, Expected::Unknown) => Judgement::Unconfirmed,
            (Outcome::True | Outcome::False, _) => Judgement::Wrong,
            (Outcome::Timeout, _) => Judgement::Timeout,
            (Outcome::Memory, _) => Judgement::Memory,
            (Outcome::Unknown | Outcome::Crash, _) => Judgement::Other,
        }
    }

    /// Whether an alarm is about what is known to be violated, as far as that is known.
    fn names_the_violation(&self) -> bool {
        self.subproperty.as_ref().is_none_or(|violated| *violated == self.reason)
    }

    /// A verdict that nothing speaks against.
    pub fn solved(&self) -> bool {
        use Judgement::{CorrectAlarm, CorrectProof, Unconfirmed};
        matches!(self.judgement(), CorrectProof | CorrectAlarm | Unconfirmed)
    }

    pub fn proved(&self) -> bool {
        self.solved() && self.outcome == Outcome::True
    }

    pub fn refuted(&self) -> bool {
        self.solved() && self.outcome == Outcome::False
    }

    /// A figure that the program has printed: a member of `figures`, or a pair in its list
    /// `extra`.
    pub fn figure(&self, name: &str) -> Option<f64> {
        let figures = self.detail.as_ref()?.get("figures")?;
        let extra = || {
            let pairs = figures.get("extra")?.as_array()?;
            pairs.iter().find(|pair| pair.get(0).and_then(Value::as_str) == Some(name))?.get(1)
        };
        figures.get(name).or_else(extra)?.as_f64()
    }

    /// All figures by name.
    pub fn figures(&self) -> Vec<(String, f64)> {
        let Some(Value::Object(figures)) = self.detail.as_ref().and_then(|d| d.get("figures"))
        else {
            return Vec::new();
        };
        let plain = figures.iter().filter_map(|(name, v)| Some((name.clone(), v.as_f64()?)));
        let extra = figures.get("extra").and_then(Value::as_array);
        let extra = extra
            .into_iter()
            .flatten()
            .filter_map(|pair| Some((pair.get(0)?.as_str()?.to_string(), pair.get(1)?.as_f64()?)));
        plain.chain(extra).collect()
    }
}

/// Reads the last verdict line of a program's output, with its reason. Timeouts and memory
/// exhaustion are recognised by the reason.
pub fn read_verdict(output: &str) -> Option<(Outcome, String)> {
    output.lines().rev().find_map(|line| {
        let line = line.trim();
        let (word, rest) = match line.find('(') {
            Some(open) => line.split_at(open),
            None => (line, ""),
        };
        let reason = rest.trim_start_matches('(').trim_end_matches(')').to_string();
        let outcome = match word.trim() {
            "TRUE" => Outcome::True,
            "FALSE" => Outcome::False,
            "UNKNOWN" if reason == "timeout" => Outcome::Timeout,
            "UNKNOWN" if reason == "out of memory" => Outcome::Memory,
            "UNKNOWN" => Outcome::Unknown,
            _ => return None,
        };
        Some((outcome, reason))
    })
}

/// The last line that is a JSON object.
pub fn read_detail(output: &str) -> Option<Value> {
    let lines = output.lines().rev().filter(|line| line.starts_with('{'));
    lines.filter_map(|line| serde_json::from_str(line).ok()).next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_alarm_names_what_is_violated() {
        let alarm = |subproperty: Option<&str>| -> Record {
            let json = serde_json::json!({
                "engine": "e", "arguments": [], "task": "t", "data_model": null, "category": "-",
                "expected": "unsafe", "outcome": "false", "reason": "valid-deref", "seconds": 1.0,
                "cpu_seconds": 1.0, "peak_bytes": 1, "detail": null, "subproperty": subproperty,
            });
            serde_json::from_value(json).expect("a record")
        };
        assert_eq!(alarm(None).judgement(), Judgement::CorrectAlarm);
        assert_eq!(alarm(Some("valid-deref")).judgement(), Judgement::CorrectAlarm);
        assert_eq!(alarm(Some("valid-free")).judgement(), Judgement::Wrong);
    }
}
