//! `wedge check --all-properties` on a program: a table with a line per check, or JSON.

use super::alarms;
use super::args::CheckArgs;
use super::publish::save;
use super::say::{say, sayln};
use super::status::Status;
use std::time::Instant;
use wedge::checks::{Checked, Report, check_each};
use wedge::{InputError, Model, Options, Said};
use wedge_c::CheckPoint;
use wedge_report::sarif::{Log, sarif};

/// Decides all checks and prints what became of them; the last line is the worst verdict.
pub fn run(
    args: &CheckArgs,
    options: &Options,
    model: &dyn Model,
    start: Instant,
) -> Result<u8, InputError> {
    let mut line = Status::new(args.progress, start, options.timeout);
    let report = check_each(&args.files, options, start, &mut line)?;
    let warnings = report.answers.iter().flat_map(|answer| &answer.warnings);
    warnings.for_each(|warning| eprintln!("wedge: {warning}"));
    let mut log = Log::default();
    report.answers.iter().for_each(|answer| alarms::add(&mut log, args, answer, model));
    log.verdict = report.worst().to_string();
    save(&args.sarif, Some(sarif(&log).as_bytes()));
    match args.json {
        true => sayln!("{}", json(&report)),
        false => say!("{}", table(&report)),
    }
    let worst = report.worst();
    sayln!("{worst}");
    Ok(worst.exit_status())
}

fn place(check: &Checked) -> String {
    format!("{}:{}:{}", check.point.file, check.point.line, check.point.column)
}

fn word(check: &Checked) -> &'static str {
    match check.verdict.said() {
        Said::True => "TRUE",
        Said::False(_) => "FALSE",
        Said::Unknown(_) => "UNKNOWN",
    }
}

fn table(report: &Report) -> String {
    let width = report.checks.iter().map(|check| place(check).len()).max().unwrap_or(0);
    let mut text = String::new();
    for check in &report.checks {
        let (place, kind, word) = (place(check), check.point.kind.name(), word(check));
        let vacuous = if check.is_vacuous { "no run comes here" } else { "" };
        let what = check.what.as_deref().unwrap_or(vacuous);
        let row = format!("{place:width$}  {kind:16}  {word:7}  {what}");
        text += row.trim_end();
        text.push('\n');
    }
    for (name, place) in &report.unused {
        text += &format!("{place}: `{name}` is never called; nothing in it is checked\n");
    }
    for place in &report.unreachable {
        let (file, line, column) = (&place.file, place.line, place.column);
        text += &format!("{file}:{line}:{column}: no run comes to the code from here on\n");
    }
    let count = |wanted: &str| report.checks.iter().filter(|check| word(check) == wanted).count();
    let (holds, fails, open) = (count("TRUE"), count("FALSE"), count("UNKNOWN"));
    text + &format!("{holds} checks hold, {fails} fail, {open} are not decided\n")
}

fn json(report: &Report) -> String {
    let checks: Vec<serde_json::Value> = report
        .checks
        .iter()
        .map(|check| {
            serde_json::json!({
                "property": check.point.kind.name(),
                "file": check.point.file,
                "line": check.point.line,
                "column": check.point.column,
                "verdict": check.verdict.to_string(),
                "what": check.what,
                "vacuous": check.is_vacuous,
            })
        })
        .collect();
    let unused: Vec<serde_json::Value> = report
        .unused
        .iter()
        .map(|(name, place)| serde_json::json!({ "function": name, "place": place }))
        .collect();
    let place = |point: &CheckPoint| {
        let (file, line, column) = (&point.file, point.line, point.column);
        serde_json::json!({ "file": file, "line": line, "column": column })
    };
    let unreachable: Vec<serde_json::Value> = report.unreachable.iter().map(place).collect();
    let worst = report.worst().to_string();
    let report = serde_json::json!({
        "format": 1,
        "verdict": worst,
        "checks": checks,
        "never_called": unused,
        "unreachable": unreachable,
    });
    report.to_string()
}
