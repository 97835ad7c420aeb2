//! The times of two engines against each other: one point per task. What one of them did not solve
//! lies in the border beyond the time limit, which says why.

use super::scale::{Axis, Scale};
use super::svg;
use crate::record::{Judgement, Record};
use crate::results::Results;
use wedge_report::text::escape;

/// The part of an axis that times have; the rest is the border.
const INNER: f64 = 0.88;

pub fn scatter(results: &Results, first: usize, second: usize) -> String {
    let limit = results.limits.time.as_secs_f64();
    let axis = Axis::new(Scale::Logarithmic, limit);
    let [one, other] = [first, second].map(|index| results.engines[index].name.as_str());
    let mut body = border() + &axes(axis, one, other);
    let (mut faster, mut slower, mut only_one, mut only_other) = (0, 0, 0, 0);
    for (a, b) in results.pairs(first, second).filter(|(a, b)| a.solved() || b.solved()) {
        match (a.solved(), b.solved()) {
            (true, true) if a.seconds <= b.seconds => faster += 1,
            (true, true) => slower += 1,
            (true, false) => only_one += 1,
            (false, _) => only_other += 1,
        }
        let number = usize::from(a.refuted() || b.refuted());
        let told = |record: &Record| match record.solved() {
            true => format!("{:.2} s", record.seconds),
            false => record.judgement().name().to_string(),
        };
        let title = format!("{}: {one} {}, {other} {}", a.task, told(a), told(b));
        let inside = format!("<title>{}</title>", escape(&title));
        let (x, y) = (svg::x(position(axis, a)), svg::y(position(axis, b)));
        body += &svg::form(x, y, 3.6, number, &inside);
    }
    body += &svg::legend(&["proofs".into(), "alarms".into()], true);
    let title = format!("{}: {one} and {other}", results.suite);
    let note = format!(
        "{one} is faster on {faster} and alone on {only_one}, {other} on {slower} and {only_other}"
    );
    svg::frame(&title, &note, &body)
}

fn position(axis: Axis, record: &Record) -> f64 {
    match record.judgement() {
        _ if record.solved() => INNER * axis.position(record.seconds),
        Judgement::Timeout | Judgement::Memory => (INNER + 1.0) / 2.0 - 0.015,
        _ => 0.985,
    }
}

/// The zones of what was not solved.
fn border() -> String {
    let zone = |x: f64, y: f64, width: f64, height: f64| {
        format!(
            "<rect class=\"zone\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>\n"
        )
    };
    let (left, right, top, bottom) = (svg::x(0.0), svg::x(1.0), svg::y(1.0), svg::y(0.0));
    let (limit_x, limit_y) = (svg::x(INNER), svg::y(INNER));
    zone(limit_x, top, right - limit_x, bottom - top)
        + &zone(left, top, limit_x - left, limit_y - top)
        + &svg::text(svg::x(INNER) + 4.0, svg::y(0.0) - 8.0, "start", "soft", "not solved")
        + &svg::text(svg::x(0.5), svg::y(1.0) + 14.0, "middle", "soft", "not solved")
}

/// Times up to the limit, and the line on which both are equally fast.
fn axes(axis: Axis, one: &str, other: &str) -> String {
    // The axis goes beyond the limit as far as the border does.
    let beyond = super::scale::SHORTEST * (axis.most / super::scale::SHORTEST).powf(1.0 / INNER);
    let wide = Axis { most: beyond, ..axis };
    let times = |wide: Axis| Marks { wide, limit: axis.most };
    times(wide).across(&format!("{one} [s]"))
        + &times(wide).upwards(&format!("{other} [s]"))
        + &svg::diagonal((0.0, 0.0), (INNER, INNER))
}

/// The marks of an axis that end at the limit.
struct Marks {
    wide: Axis,
    limit: f64,
}

impl Marks {
    fn values(&self) -> Vec<f64> {
        Axis::new(Scale::Logarithmic, self.limit).marks()
    }

    fn across(&self, name: &str) -> String {
        let mut made = String::new();
        for value in self.values() {
            let x = svg::x(self.wide.position(value));
            made += &rule((x, svg::y(0.0)), (x, svg::y(1.0)));
            made +=
                &svg::text(x, svg::y(0.0) + 18.0, "middle", "soft", &super::scale::shown(value));
        }
        made + &svg::text(svg::x(0.5), svg::HEIGHT - 16.0, "middle", "", name)
    }

    fn upwards(&self, name: &str) -> String {
        let mut made = String::new();
        for value in self.values() {
            let y = svg::y(self.wide.position(value));
            made += &rule((svg::x(0.0), y), (svg::x(1.0), y));
            let shown = super::scale::shown(value);
            made += &svg::text(svg::x(0.0) - 8.0, y + 4.0, "end", "soft", &shown);
        }
        made + &svg::sideways(name)
    }
}

fn rule(from: (f64, f64), to: (f64, f64)) -> String {
    format!(
        "<line class=\"grid\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>\n",
        from.0, from.1, to.0, to.1
    )
}
