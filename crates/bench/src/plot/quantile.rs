//! For each engine, how long its n-th fastest answer took.

use super::scale::{Axis, Scale};
use super::svg;
use crate::record::Record;
use crate::results::Results;

/// The quantiles of all answers.
pub fn cactus(results: &Results) -> String {
    quantiles(results, "tasks", Record::solved)
}

/// The same for the answers of one kind.
pub fn quantiles(results: &Results, what: &str, wanted: fn(&Record) -> bool) -> String {
    let limit = results.limits.time.as_secs_f64();
    let lines: Vec<(String, Vec<f64>)> = results
        .engines
        .iter()
        .enumerate()
        .map(|(index, engine)| {
            let solved = results.column(index).flatten().filter(|record| wanted(record));
            (engine.name.clone(), solved.map(|record| record.seconds).collect())
        })
        .collect();
    let title = format!("{}: solved {what}", results.suite);
    let note = format!("{} tasks, time limit {limit} s", results.tasks.len());
    drawn((&title, &note), &lines, Axis::new(Scale::Logarithmic, limit), "seconds")
}

/// For each line its values from the smallest to the largest.
pub fn ordered(title: &str, lines: &[(String, Vec<f64>)], scale: Scale) -> String {
    let values = lines.iter().flat_map(|(_, values)| values.iter().copied());
    let largest = values.fold(0.0, f64::max);
    drawn((title, ""), lines, Axis::new(scale, largest), "")
}

fn drawn(
    (title, note): (&str, &str),
    lines: &[(String, Vec<f64>)],
    up: Axis,
    unit: &str,
) -> String {
    let longest = lines.iter().map(|(_, values)| values.len()).max().unwrap_or(0);
    let across = Axis::new(Scale::Linear, longest.max(1) as f64);
    let mut body = svg::across(across, "solved tasks") + &svg::upwards(up, unit);
    let mut names = Vec::new();
    for (number, (name, values)) in lines.iter().enumerate() {
        let mut values = values.clone();
        values.sort_by(f64::total_cmp);
        let point = |(n, value): (usize, &f64)| {
            (svg::x(across.position((n + 1) as f64)), svg::y(up.position(*value)))
        };
        let points: Vec<(f64, f64)> = values.iter().enumerate().map(point).collect();
        body += &svg::series(&points, number);
        names.push(format!("{name} ({})", values.len()));
    }
    body += &svg::legend(&names, true);
    svg::frame(title, note, &body)
}
