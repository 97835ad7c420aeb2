//! Results in the XML of BenchExec (Beyer, Löwe, Wendler, "Reliable Benchmarking: Requirements and
//! Solutions", STTT 2019), one file per engine, so that its `table-generator` makes tables of them.

use crate::error::BenchError;
use crate::plot::file_name;
use crate::record::{Judgement, Outcome, Record};
use crate::results::Results;
use crate::tasks::Expected;
use std::path::{Path, PathBuf};
use wedge_report::text::escape;

/// Writes `SUITE.ENGINE.results.xml` for every engine, and says where.
pub fn write(directory: &Path, results: &Results) -> Result<Vec<PathBuf>, BenchError> {
    let mut paths = Vec::new();
    for (index, engine) in results.engines.iter().enumerate() {
        let name = format!("{}.{}.results.xml", file_name(&results.suite), file_name(&engine.name));
        let path = directory.join(name);
        std::fs::write(&path, xml(results, index)).map_err(BenchError::io(&path))?;
        paths.push(path);
    }
    Ok(paths)
}

/// The runs of one engine.
pub fn xml(results: &Results, engine: usize) -> String {
    let options = results.engines[engine].arguments.join(" ");
    let limit = format!("{}s", results.limits.time.as_secs_f64());
    let memory =
        results.limits.memory.map_or(String::new(), |bytes| format!(" memlimit=\"{bytes}B\""));
    let mut text = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE result PUBLIC \"+//IDN sosy-lab.org//DTD BenchExec result 3.18//EN\" \
         \"https://www.sosy-lab.org/benchexec/result-3.18.dtd\">\n",
    );
    text += &format!(
        "<result benchmarkname=\"{suite}\" name=\"{suite}.{name}\" displayName=\"{name}\" tool=\"Wedge\" \
         toolmodule=\"wedge\" version=\"{version}\" options=\"{options}\" walltimelimit=\"{limit}\" \
         timelimit=\"{limit}\"{memory} generator=\"wedge bench {version}\">\n  <columns>\n",
        suite = escape(&results.suite),
        name = escape(&results.engines[engine].name),
        version = env!("CARGO_PKG_VERSION"),
        options = escape(&options),
    );
    for title in ["status", "cputime", "walltime", "memory"] {
        text += &format!("    <column title=\"{title}\"/>\n");
    }
    text += "  </columns>\n";
    for record in results.column(engine).flatten() {
        text += &run(record);
    }
    text + "</result>\n"
}

fn run(record: &Record) -> String {
    let expected = match record.expected {
        Expected::Safe => " expectedVerdict=\"true\"",
        Expected::Unsafe => " expectedVerdict=\"false\"",
        Expected::Unknown => "",
    };
    let column = |title: &str, value: &str, hidden: bool| {
        let hidden = if hidden { " hidden=\"true\"" } else { "" };
        format!("    <column title=\"{title}\"{hidden} value=\"{}\"/>\n", escape(value))
    };
    let name = escape(&record.task);
    format!(
        "  <run name=\"{name}\" files=\"[{name}]\" options=\"{options}\" properties=\"unreach-call\"{expected}>\n{}{}{}{}{}{}  </run>\n",
        column("status", &status(record), false),
        column("category", category(record), true),
        column("cputime", &format!("{:.6}s", record.cpu_seconds), false),
        column("walltime", &format!("{:.6}s", record.seconds), false),
        column("memory", &format!("{}B", record.peak_bytes), false),
        column("host", record.machine.as_ref().map_or("", |machine| &machine.host), true),
        options = escape(&record.arguments.join(" ")),
    )
}

/// As tool-info modules report it: `false(unreach-call)` is an alarm for that property.
fn status(record: &Record) -> String {
    match record.outcome {
        Outcome::True => "true".into(),
        Outcome::False => "false(unreach-call)".into(),
        Outcome::Timeout => "TIMEOUT".into(),
        Outcome::Memory => "OUT OF MEMORY".into(),
        Outcome::Unknown => "unknown".into(),
        Outcome::Crash => "ERROR".into(),
    }
}

fn category(record: &Record) -> &'static str {
    match record.judgement() {
        Judgement::CorrectProof | Judgement::CorrectAlarm => "correct",
        Judgement::Wrong => "wrong",
        Judgement::Unconfirmed => "missing",
        Judgement::Timeout | Judgement::Memory => "error",
        Judgement::Other if record.outcome == Outcome::Crash => "error",
        Judgement::Other => "unknown",
    }
}
