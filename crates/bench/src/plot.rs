//! Plots as SVG: solved tasks over time, the times of two engines against each other, shares.

use crate::error::BenchError;
use crate::record::Record;
use crate::results::Results;
use crate::study::Study;
use std::path::{Path, PathBuf};

const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 480.0;
const MARGIN: f64 = 60.0;
const COLOURS: &[&str] =
    &["#1b6ca8", "#d1495b", "#2e933c", "#8e44ad", "#e08e0b", "#00798c", "#6b4226", "#444444"];
/// The shortest time that the logarithmic axes show.
const SHORTEST: f64 = 0.01;

/// Writes `cactus.svg`, the same for proofs and for alarms alone, `scatter-FIRST-OTHER.svg` for the
/// first engine and each other one, and the plots of a study.
pub fn write(
    directory: &Path,
    results: &Results,
    study: Option<Study>,
) -> Result<Vec<PathBuf>, BenchError> {
    let of = |wanted| quantiles(results, wanted);
    let mut plots = vec![
        (directory.join("cactus.svg"), cactus(results)),
        (directory.join("cactus-proofs.svg"), of(Record::proved)),
        (directory.join("cactus-alarms.svg"), of(Record::refuted)),
    ];
    for other in 1..results.engines.len() {
        let [first, second] = [0, other].map(|index| file_name(&results.engines[index].name));
        let path = directory.join(format!("scatter-{first}-{second}.svg"));
        plots.push((path, scatter(results, 0, other)));
    }
    for (name, svg) in study.map_or_else(Vec::new, |study| study.plots(results)) {
        plots.push((directory.join(file_name(&name)), svg));
    }
    for (path, svg) in &plots {
        std::fs::write(path, svg).map_err(BenchError::io(path))?;
    }
    Ok(plots.into_iter().map(|(path, _)| path).collect())
}

fn file_name(engine: &str) -> String {
    engine.chars().map(|c| if c.is_alphanumeric() || "-+.".contains(c) { c } else { '_' }).collect()
}

/// From a time to a position between 0 and 1, logarithmically.
fn logarithmic(seconds: f64, limit: f64) -> f64 {
    (seconds.max(SHORTEST) / SHORTEST).ln() / (limit.max(2.0 * SHORTEST) / SHORTEST).ln()
}

fn x(position: f64) -> f64 {
    MARGIN + position * (WIDTH - 2.0 * MARGIN)
}

fn y(position: f64) -> f64 {
    HEIGHT - MARGIN - position * (HEIGHT - 2.0 * MARGIN)
}

/// For each engine, how long its n-th fastest answer took.
pub fn cactus(results: &Results) -> String {
    quantiles(results, Record::solved)
}

/// The same for the answers of one kind.
pub fn quantiles(results: &Results, wanted: fn(&Record) -> bool) -> String {
    let limit = results.limits.time.as_secs_f64();
    let count = results.tasks.len().max(1) as f64;
    let mut body = times_on(|p| (x(0.0), y(p)), limit, true);
    for mark in (0..=results.tasks.len()).step_by(results.tasks.len().div_ceil(5).max(1)) {
        body += &label(x(mark as f64 / count), y(0.0) + 18.0, "middle", &mark.to_string());
    }
    for (index, engine) in results.engines.iter().enumerate() {
        let solved = results.column(index).flatten().filter(|record| wanted(record));
        let mut times: Vec<f64> = solved.map(|record| record.seconds).collect();
        times.sort_by(f64::total_cmp);
        let point = |(n, seconds): (usize, &f64)| {
            (x((n + 1) as f64 / count), y(logarithmic(*seconds, limit).min(1.0)))
        };
        let points: Vec<(f64, f64)> = times.iter().enumerate().map(point).collect();
        let colour = COLOURS[index % COLOURS.len()];
        body += &line(&points, colour);
        let name = format!("{} ({})", engine.name, times.len());
        body += &coloured(x(0.03), y(0.97) + 16.0 * index as f64, colour, &name);
    }
    body += &label(x(0.5), HEIGHT - 12.0, "middle", "solved tasks");
    frame(&format!("{}: seconds per solved task", results.suite), &body)
}

/// How values become positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scale {
    Linear,
    Logarithmic,
}

/// For each line its values from the smallest to the largest.
pub fn ordered(title: &str, lines: &[(String, Vec<f64>)], scale: Scale) -> String {
    let values = lines.iter().flat_map(|(_, values)| values.iter().copied());
    let largest = values.fold(0.0, f64::max);
    let longest = lines.iter().map(|(_, values)| values.len()).max().unwrap_or(0).max(1);
    let position = |value: f64| match scale {
        Scale::Linear => value / largest.max(f64::MIN_POSITIVE),
        Scale::Logarithmic => logarithmic(value, largest),
    };
    let mut body = match scale {
        Scale::Logarithmic => times_on(|p| (x(0.0), y(p)), (100.0 * largest).ceil() / 100.0, true),
        Scale::Linear => {
            let mark = |part: f64| label(x(0.0) - 8.0, y(part) + 4.0, "end", &mark(part * largest));
            [0.0, 0.5, 1.0].map(mark).concat()
        }
    };
    for mark in (0..=longest).step_by(longest.div_ceil(5)) {
        let at = x(mark as f64 / longest as f64);
        body += &label(at, y(0.0) + 18.0, "middle", &mark.to_string());
    }
    for (index, (name, values)) in lines.iter().enumerate() {
        let mut values = values.clone();
        values.sort_by(f64::total_cmp);
        let points = values.iter().enumerate().map(|(n, &value)| {
            (x((n + 1) as f64 / longest as f64), y(position(value).clamp(0.0, 1.0)))
        });
        let colour = COLOURS[index % COLOURS.len()];
        body += &line(&points.collect::<Vec<_>>(), colour);
        let name = format!("{name} ({})", values.len());
        body += &coloured(x(0.03), y(0.97) + 16.0 * index as f64, colour, &name);
    }
    body += &label(x(0.5), HEIGHT - 12.0, "middle", "solved tasks");
    frame(title, &body)
}

/// A bar for each name with its share of a whole, between 0 and 1.
pub fn shares(title: &str, bars: &[(String, f64)]) -> String {
    let percent = |part: f64| format!("{:.0} %", 100.0 * part);
    let marks = [0.0, 0.25, 0.5, 0.75, 1.0];
    let mut body =
        marks.map(|part| label(x(0.0) - 8.0, y(part) + 4.0, "end", &percent(part))).concat();
    let step = 1.0 / bars.len().max(1) as f64;
    for (index, (name, share)) in bars.iter().enumerate() {
        let (left, right) = (x((index as f64 + 0.2) * step), x((index as f64 + 0.8) * step));
        let top = y(share.clamp(0.0, 1.0));
        body += &format!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>\n",
            right - left,
            y(0.0) - top,
            COLOURS[index % COLOURS.len()]
        );
        let middle = (left + right) / 2.0;
        body += &label(middle, y(0.0) + 18.0, "middle", name);
        body += &label(middle, top - 6.0, "middle", &format!("{:.1} %", 100.0 * share));
    }
    frame(title, &body)
}

fn mark(value: f64) -> String {
    format!("{}", (10.0 * value).round() / 10.0)
}

/// The first point twice, so that a single one shows as a dot.
fn line(points: &[(f64, f64)], colour: &str) -> String {
    let points: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    format!(
        "<polyline fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\" \
         stroke-linecap=\"round\" points=\"{} {}\"/>\n",
        points.first().map_or("", String::as_str),
        points.join(" ")
    )
}

/// One point per task; what is not solved lies on the border.
pub fn scatter(results: &Results, first: usize, second: usize) -> String {
    let limit = results.limits.time.as_secs_f64();
    let mut body = times_on(|p| (x(0.0), y(p)), limit, true);
    body += &times_on(|p| (x(p), y(0.0)), limit, false);
    let (left, bottom, right, top) = (x(0.0), y(0.0), x(1.0), y(1.0));
    body += &format!(
        "<line x1=\"{left}\" y1=\"{bottom}\" x2=\"{right}\" y2=\"{top}\" stroke=\"#bbb\"/>\n"
    );
    let position = |record: &Record| match record.solved() {
        true => logarithmic(record.seconds, limit).min(1.0),
        false => 1.0,
    };
    for (a, b) in results.pairs(first, second).filter(|(a, b)| a.solved() || b.solved()) {
        let refuted = a.refuted() || b.refuted();
        let colour = if refuted { COLOURS[1] } else { COLOURS[0] };
        body += &format!(
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"3.5\" fill=\"{colour}\" \
             fill-opacity=\"0.6\"><title>{}</title></circle>\n",
            x(position(a)),
            y(position(b)),
            escape(&a.task)
        );
    }
    let names = [first, second].map(|index| results.engines[index].name.as_str());
    body += &label(x(0.5), HEIGHT - 12.0, "middle", &format!("{} [s]", names[0]));
    body += &coloured(x(0.03), y(0.97), COLOURS[0], "proofs");
    body += &coloured(x(0.03), y(0.97) + 16.0, COLOURS[1], "alarms");
    frame(&format!("{}: {} (across) and {} (up)", results.suite, names[0], names[1]), &body)
}

/// Marks for powers of ten and the limit.
fn times_on(place: impl Fn(f64) -> (f64, f64), limit: f64, vertical: bool) -> String {
    let mut marks = vec![limit];
    let mut power = SHORTEST;
    while power < limit * 0.8 {
        marks.push(power);
        power *= 10.0;
    }
    let mark = |seconds: &f64| {
        let (x, y) = place(logarithmic(*seconds, limit));
        match vertical {
            true => label(x - 8.0, y + 4.0, "end", &format!("{seconds}")),
            false => label(x, y + 18.0, "middle", &format!("{seconds}")),
        }
    };
    marks.iter().map(mark).collect()
}

fn label(x: f64, y: f64, anchor: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>\n", escape(text))
}

fn coloured(x: f64, y: f64, colour: &str, text: &str) -> String {
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" fill=\"{colour}\">{}</text>\n", escape(text))
}

fn frame(title: &str, body: &str) -> String {
    let (left, top) = (x(0.0), y(1.0));
    let (width, height) = (WIDTH - 2.0 * MARGIN, HEIGHT - 2.0 * MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
         <rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" fill=\"none\" \
         stroke=\"#888\"/>\n{}{body}</svg>\n",
        label(WIDTH / 2.0, 30.0, "middle", title)
    )
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
