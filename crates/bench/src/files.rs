//! Results as CSV and JSON files.

use crate::error::BenchError;
use crate::record::{Judgement, Record};
use crate::results::Results;
use crate::summary::{self, Line};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Writes `results.csv` and `results.json` and says where.
pub fn write(directory: &Path, results: &Results) -> Result<[PathBuf; 2], BenchError> {
    let paths = [directory.join("results.csv"), directory.join("results.json")];
    let json = json(results)
        .map_err(|error| BenchError::Io { path: paths[1].clone(), source: error.into() })?;
    let contents = [csv(results), json];
    for (path, content) in paths.iter().zip(contents) {
        std::fs::write(path, content).map_err(BenchError::io(path))?;
    }
    Ok(paths)
}

/// Writes what a study makes besides, each file by its name.
pub fn write_more(directory: &Path, files: Vec<(&str, String)>) -> Result<(), BenchError> {
    for (name, content) in files {
        let path = directory.join(name);
        std::fs::write(&path, content).map_err(BenchError::io(&path))?;
    }
    Ok(())
}

const COLUMNS: &[&str] = &[
    "engine",
    "task",
    "category",
    "expected",
    "outcome",
    "judgement",
    "reason",
    "seconds",
    "cpu_seconds",
    "peak_bytes",
    "host",
];

/// One row per run; after the fixed columns come all figures that any run has.
pub fn csv(results: &Results) -> String {
    let mut figures: Vec<String> = Vec::new();
    for (name, _) in results.iter().flat_map(Record::figures) {
        if !figures.contains(&name) {
            figures.push(name);
        }
    }
    let header = COLUMNS.iter().map(|c| c.to_string()).chain(figures.iter().cloned());
    let mut text = line(header);
    for record in results.iter() {
        let fixed = [
            record.engine.clone(),
            record.task.clone(),
            record.category.clone(),
            record.expected.name().into(),
            record.outcome.name().into(),
            record.judgement().name().into(),
            record.reason.clone(),
            format!("{:.3}", record.seconds),
            format!("{:.3}", record.cpu_seconds),
            record.peak_bytes.to_string(),
            record.machine.as_ref().map_or(String::new(), |machine| machine.host.clone()),
        ];
        let value = |name: &String| record.figure(name).map_or(String::new(), |v| v.to_string());
        text += &line(fixed.into_iter().chain(figures.iter().map(value)));
    }
    text
}

/// RFC 4180.
fn line(cells: impl Iterator<Item = String>) -> String {
    let quote = |cell: String| match cell.contains(['"', ',', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell,
    };
    cells.map(quote).collect::<Vec<_>>().join(",") + "\n"
}

#[derive(Serialize)]
struct Run<'a> {
    #[serde(flatten)]
    record: &'a Record,
    judgement: Judgement,
}

#[derive(Serialize)]
struct File<'a> {
    suite: &'a str,
    time_limit_seconds: f64,
    memory_limit_bytes: Option<u64>,
    complete: bool,
    summary: Vec<Line>,
    contradictions: Vec<&'a str>,
    runs: Vec<Run<'a>>,
}

pub fn json(results: &Results) -> serde_json::Result<String> {
    let run = |record| Run { record, judgement: Record::judgement(record) };
    let file = File {
        suite: &results.suite,
        time_limit_seconds: results.limits.time.as_secs_f64(),
        memory_limit_bytes: results.limits.memory,
        complete: results.is_complete(),
        summary: summary::summarise(results),
        contradictions: results.contradictions().iter().map(|task| task.name.as_str()).collect(),
        runs: results.iter().map(run).collect(),
    };
    Ok(serde_json::to_string_pretty(&file)? + "\n")
}
