//! The front page of some results: tables that can be sorted and filtered, which lead to the report
//! of each run and to the plot of each pair of engines, and the tables of studies.

use crate::error::BenchError;
use crate::machines;
use crate::plot;
use crate::record::Record;
use crate::results::Results;
use crate::study::Study;
use crate::summary;
use serde::Serialize;
use std::path::{Path, PathBuf};
use wedge_report::text::{embedded, escape};
use wedge_report::{TABLES, THEME};

const STYLE: &str = include_str!("../web/index.css");
const SCRIPT: &str = include_str!("../web/index.js");

/// Where the report of a run is, below the folder of the results.
pub fn report_path(engine: &str, task: &str) -> PathBuf {
    let file = format!("{}.html", plot::file_name(task));
    Path::new("reports").join(plot::file_name(engine)).join(file)
}

/// Writes `index.html` beside the other files, and says where.
pub fn write(
    directory: &Path,
    results: &Results,
    study: Option<Study>,
) -> Result<PathBuf, BenchError> {
    let path = directory.join("index.html");
    std::fs::write(&path, html(directory, results, study)).map_err(BenchError::io(&path))?;
    Ok(path)
}

/// What the script makes tables of.
#[derive(Serialize)]
struct Data<'a> {
    limit: f64,
    engines: Vec<&'a str>,
    summary: Vec<summary::Line>,
    pairs: Vec<Pair<'a>>,
    tasks: Vec<Row<'a>>,
}

#[derive(Serialize)]
struct Pair<'a> {
    first: &'a str,
    second: &'a str,
    both: usize,
    only_first: usize,
    only_second: usize,
    /// The time of the first by that of the second, on what both solved.
    ratio: Option<f64>,
    plot: String,
}

#[derive(Serialize)]
struct Row<'a> {
    name: &'a str,
    category: &'a str,
    expected: &'static str,
    runs: Vec<Option<Cell<'a>>>,
}

#[derive(Serialize)]
struct Cell<'a> {
    judgement: &'static str,
    outcome: &'static str,
    reason: &'a str,
    seconds: f64,
    cpu: f64,
    bytes: u64,
    report: Option<String>,
}

pub fn html(directory: &Path, results: &Results, study: Option<Study>) -> String {
    let plots = plot::all(results, study);
    let is_pair = |name: &str| name.starts_with("scatter-");
    let figure = |(name, _): &(String, String)| {
        format!(
            "<figure><a href=\"{name}\"><img src=\"{name}\" alt=\"{name}\" loading=\"lazy\"></a></figure>\n",
            name = escape(name)
        )
    };
    let main: String = plots.iter().filter(|(name, _)| !is_pair(name)).map(figure).collect();
    let pairs: String = plots.iter().filter(|(name, _)| is_pair(name)).map(figure).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{suite}: results</title>\n<style>\n{THEME}{STYLE}</style>\n</head>\n<body>\n\
         <header><h1>{suite}</h1>\n<p>{sentence}</p>\n\
         <p class=\"soft\">Files: <a href=\"results.csv\">results.csv</a>, \
         <a href=\"results.json\">results.json</a>{xml}</p></header>\n<main>\n{warning}\
         <h2>Summary</h2>\n<div id=\"summary\"></div>\n\
         <h2>Plots</h2>\n<div class=\"plots\">{main}</div>\n{compared}\
         <h2>Runs</h2>\n<div id=\"runs\"></div>\n{studies}</main>\n\
         <script type=\"application/json\" id=\"data\">{data}</script>\n\
         <script>\n\"use strict\";\n{TABLES}{SCRIPT}</script>\n</body>\n</html>\n",
        suite = escape(&results.suite),
        sentence = escape(&sentence(results)),
        xml = xml_links(results),
        warning = warning(results),
        compared = match pairs.is_empty() {
            true => String::new(),
            false => format!(
                "<h2>Pairs of engines</h2>\n<div id=\"pairs\"></div>\n\
                 <details><summary>All scatter plots</summary><div class=\"plots\">{pairs}</div></details>\n"
            ),
        },
        studies = studies(results, study),
        data = embedded(&data(directory, results)),
    )
}

fn sentence(results: &Results) -> String {
    let solved = results.iter().filter(|record| record.solved()).count();
    let runs = results.iter().count();
    let (tasks, engines) = (results.tasks.len(), results.engines.len());
    let limit = results.limits.time.as_secs_f64();
    let unfinished = if results.is_complete() { "" } else { " Runs are missing." };
    format!(
        "{tasks} tasks, {engines} engines, {limit} s for each run: {solved} of {runs} runs solved \
         their task.{unfinished}"
    )
}

fn xml_links(results: &Results) -> String {
    let link = |engine: &crate::suite::Engine| {
        let file = format!(
            "{}.{}.results.xml",
            plot::file_name(&results.suite),
            plot::file_name(&engine.name)
        );
        format!("<a href=\"{}\">{}</a>", escape(&file), escape(&engine.name))
    };
    let links: Vec<String> = results.engines.iter().map(link).collect();
    format!(", for BenchExec's table-generator: {}", links.join(", "))
}

/// What must not be overlooked.
fn warning(results: &Results) -> String {
    let unlike = machines::warning(results)
        .map_or(String::new(), |text| format!("<pre class=\"scroll\">{}</pre>\n", escape(&text)));
    unlike + &wrong_verdicts(results)
}

fn wrong_verdicts(results: &Results) -> String {
    if !results.any_wrong() {
        return String::new();
    }
    let wrong = results.iter().filter(|r| r.judgement() == crate::record::Judgement::Wrong);
    let mut items: Vec<String> =
        wrong.map(|record| format!("{} is wrong about {}", record.engine, record.task)).collect();
    items.extend(
        results.contradictions().iter().map(|task| format!("engines disagree about {}", task.name)),
    );
    let items: String = items.iter().map(|item| format!("<li>{}</li>", escape(item))).collect();
    format!("<div class=\"wrong\"><strong>Wrong verdicts</strong><ul>{items}</ul></div>\n")
}

/// The studies that the engines allow, the one that was asked for opened. One that needs no engine is a
/// search, and there only if it was asked for.
fn studies(results: &Results, wanted: Option<Study>) -> String {
    let has = |name: &&str| results.engine(name).is_some();
    let is_cheap = |study: &Study| !study.engines().is_empty() || Some(*study) == wanted;
    let possible =
        Study::ALL.iter().filter(|study| study.engines().iter().all(&has) && is_cheap(study));
    let shown: String = possible
        .map(|study| {
            let open = if Some(*study) == wanted { " open" } else { "" };
            format!(
                "<details{open}><summary>{}</summary><pre class=\"scroll\">{}</pre></details>\n",
                escape(study.title()),
                escape(&study.text(results))
            )
        })
        .collect();
    if shown.is_empty() { shown } else { format!("<h2>Studies</h2>\n{shown}") }
}

fn data<'a>(directory: &Path, results: &'a Results) -> Data<'a> {
    let rows = results.tasks.iter().zip(&results.records).map(|(task, records)| Row {
        name: &task.name,
        category: &task.category,
        expected: task.expected.name(),
        runs: records.iter().map(|record| record.as_ref().map(|r| cell(directory, r))).collect(),
    });
    let mut pairs = Vec::new();
    for first in 0..results.engines.len() {
        for second in first + 1..results.engines.len() {
            pairs.push(pair(results, first, second));
        }
    }
    Data {
        limit: results.limits.time.as_secs_f64(),
        engines: results.engines.iter().map(|engine| engine.name.as_str()).collect(),
        summary: summary::summarise(results),
        pairs,
        tasks: rows.collect(),
    }
}

fn cell<'a>(directory: &Path, record: &'a Record) -> Cell<'a> {
    let report = report_path(&record.engine, &record.task);
    let is_there = directory.join(&report).is_file();
    Cell {
        judgement: record.judgement().name(),
        outcome: record.outcome.name(),
        reason: &record.reason,
        seconds: record.seconds,
        cpu: record.cpu_seconds,
        bytes: record.peak_bytes,
        report: is_there.then(|| report.display().to_string()),
    }
}

fn pair(results: &Results, first: usize, second: usize) -> Pair<'_> {
    let runs: Vec<(&Record, &Record)> = results.pairs(first, second).collect();
    let both: Vec<&(&Record, &Record)> =
        runs.iter().filter(|(a, b)| a.solved() && b.solved()).collect();
    let time = |of: fn(&(&Record, &Record)) -> f64| both.iter().map(|pair| of(pair)).sum::<f64>();
    let (one, other) = (time(|pair| pair.0.seconds), time(|pair| pair.1.seconds));
    Pair {
        first: &results.engines[first].name,
        second: &results.engines[second].name,
        both: both.len(),
        only_first: runs.iter().filter(|(a, b)| a.solved() && !b.solved()).count(),
        only_second: runs.iter().filter(|(a, b)| !a.solved() && b.solved()).count(),
        ratio: (other > 0.0).then(|| one / other),
        plot: plot::scatter_name(results, first, second),
    }
}
