//! For each category, how many of its tasks each engine has solved.

use super::svg::{FIELD, WIDTH, colour, form, frame_of, text};
use crate::record::Record;
use crate::results::Results;
use wedge_report::text::escape;

const LEFT: f64 = 190.0;
const RIGHT: f64 = 70.0;
const TOP: f64 = 62.0;
const BAR: f64 = 13.0;

/// Nothing if there is only one category.
pub fn categories(results: &Results) -> Option<String> {
    let mut names: Vec<&str> = results.tasks.iter().map(|task| task.category.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    if names.len() < 2 {
        return None;
    }
    let engines = results.engines.len() as f64;
    let row = engines * BAR + 16.0;
    let mut body = String::new();
    for (number, engine) in results.engines.iter().enumerate() {
        let (column, line) = ((number % 4) as f64, (number / 4) as f64);
        let (x, y) = (24.0 + column * 170.0, 40.0 + line * 18.0);
        body += &form(x, y, 4.5, number, "");
        body += &text(x + 10.0, y + 4.0, "start", "", &engine.name);
    }
    let top = TOP + (results.engines.len().div_ceil(4) as f64 - 1.0) * 18.0;
    for (at, name) in names.iter().enumerate() {
        let tasks = results.tasks.iter().zip(&results.records);
        let records: Vec<&Vec<Option<Record>>> =
            tasks.filter(|(task, _)| task.category == *name).map(|(_, row)| row).collect();
        let y = top + at as f64 * row;
        let short: String = name.chars().take(24).collect();
        body += &text(LEFT - 10.0, y + row / 2.0, "end", "", &short);
        let width = WIDTH - LEFT - RIGHT;
        for number in 0..results.engines.len() {
            let of = |wanted: fn(&Record) -> bool| {
                records.iter().filter(|row| row[number].as_ref().is_some_and(wanted)).count()
            };
            let (proofs, alarms) = (of(Record::proved), of(Record::refuted));
            let at = y + 6.0 + number as f64 * BAR;
            let scale = width / records.len().max(1) as f64;
            let title = format!(
                "{name}, {}: {proofs} proofs, {alarms} alarms of {} tasks",
                results.engines[number].name,
                records.len()
            );
            body += &format!(
                "<g><title>{}</title>{}{}{}</g>\n",
                escape(&title),
                bar(LEFT, at, width, FIELD, ""),
                bar(LEFT, at, proofs as f64 * scale, &colour(number), ""),
                bar(
                    LEFT + proofs as f64 * scale,
                    at,
                    alarms as f64 * scale,
                    &colour(number),
                    " fill-opacity=\".55\""
                ),
            );
            let solved = format!("{} / {}", proofs + alarms, records.len());
            body += &text(WIDTH - RIGHT + 8.0, at + 9.0, "start", "soft", &solved);
        }
    }
    let height = top + names.len() as f64 * row + 26.0;
    body += &text(LEFT, height - 10.0, "start", "soft", "solid: proofs, pale: alarms");
    Some(frame_of(&format!("{}: solved tasks by category", results.suite), height, &body))
}

fn bar(x: f64, y: f64, width: f64, fill: &str, more: &str) -> String {
    format!(
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{fill}\"{more}/>",
        BAR - 3.0
    )
}
