//! The parts that all plots have: frame, grid, axes, legend, and points and lines that can be told
//! apart with any colour vision.

use super::scale::{Axis, shown};
use wedge_report::text::escape;

pub const WIDTH: f64 = 720.0;
pub const HEIGHT: f64 = 500.0;
const LEFT: f64 = 68.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 48.0;
const BOTTOM: f64 = 58.0;

/// Each series has a dash and a form of its own.
const DASHES: &[&str] = &["", "7 3", "2 3", "9 3 2 3", "12 4", "4 2", "1 4", "9 3 2 3 2 3"];

/// Colours by day and by night: those of series after Okabe and Ito, then ground, text, soft text,
/// lines and fields. They are written as they are, not as variables, since programs that put plots
/// into papers know no variables.
const SERIES: [(&str, &str); 8] = [
    ("#0072b2", "#56b4e9"),
    ("#d55e00", "#ff8c42"),
    ("#009e73", "#3cc59a"),
    ("#aa4499", "#d99ad0"),
    ("#b8860b", "#e6b93d"),
    ("#3d8fc6", "#9ad1f5"),
    ("#6b4226", "#c9a58a"),
    ("#444444", "#cccccc"),
];
const GROUND: (&str, &str) = ("#ffffff", "#14181f");
const TEXT: (&str, &str) = ("#1c2330", "#e4e8ee");
const SOFT: (&str, &str) = ("#5a6475", "#a2acbb");
const LINES: (&str, &str) = ("#d9dde3", "#343c4a");
const FIELDS: (&str, &str) = ("#eef0f3", "#222936");

/// What fields behind bars are filled with.
pub const FIELD: &str = FIELDS.0;

/// The colours of classes, by day; and by night these and all colours that elements have.
fn style() -> String {
    let classes = |pick: fn((&'static str, &'static str)) -> &'static str| {
        let [ground, text, soft, lines, fields] = [GROUND, TEXT, SOFT, LINES, FIELDS].map(pick);
        format!(
            "text{{fill:{text}}}.soft{{fill:{soft}}}.grid{{stroke:{lines}}}.fine{{stroke:{fields}}}\
             .axis{{stroke:{soft}}}.even{{stroke:{soft}}}.zone{{fill:{fields}}}\
             .box{{fill:{ground};stroke:{lines}}}"
        )
    };
    let night = |(day, night): (&str, &str)| {
        format!("[fill=\"{day}\"]{{fill:{night}}}[stroke=\"{day}\"]{{stroke:{night}}}")
    };
    let elements: String = SERIES.into_iter().chain([GROUND, FIELDS]).map(night).collect();
    format!(
        "<style>\nsvg{{color-scheme:light dark}}text{{font:12px system-ui,sans-serif}}\
         .title{{font-size:14px;font-weight:600}}.axis{{fill:none}}.even{{stroke-dasharray:5 4}}\n\
         {}\n@media (prefers-color-scheme:dark){{{}{elements}}}\n</style>\n",
        classes(|(day, _)| day),
        classes(|(_, night)| night),
    )
}

pub fn x(position: f64) -> f64 {
    LEFT + position * (WIDTH - LEFT - RIGHT)
}

pub fn y(position: f64) -> f64 {
    HEIGHT - BOTTOM - position * (HEIGHT - TOP - BOTTOM)
}

/// The colour of a series.
pub fn colour(series: usize) -> String {
    SERIES[series % SERIES.len()].0.to_string()
}

/// A whole plot. What is drawn comes after the grid.
pub fn frame(title: &str, note: &str, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" \
         aria-label=\"{name}\">\n{style}\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"{ground}\"/>\n{title}{note}{body}\
         <rect class=\"axis\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\"/>\n</svg>\n",
        style = style(),
        ground = GROUND.0,
        name = escape(title),
        title = text(LEFT, 22.0, "start", "title", title),
        note = text(LEFT, 39.0, "start", "soft", note),
        left = x(0.0),
        top = y(1.0),
        width = x(1.0) - x(0.0),
        height = y(0.0) - y(1.0),
    )
}

pub fn text(x: f64, y: f64, anchor: &str, class: &str, text: &str) -> String {
    let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
    format!(
        "<text{class} x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{}</text>\n",
        escape(text)
    )
}

fn line(class: &str, from: (f64, f64), to: (f64, f64)) -> String {
    format!(
        "<line class=\"{class}\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\"/>\n",
        from.0, from.1, to.0, to.1
    )
}

/// The grid of the axis across, its marks and its name.
pub fn across(axis: Axis, name: &str) -> String {
    let stroke = |class: &'static str| {
        move |value: &f64| {
            let at = x(axis.position(*value));
            line(class, (at, y(0.0)), (at, y(1.0)))
        }
    };
    let mark = |value: &f64| {
        text(x(axis.position(*value)), y(0.0) + 18.0, "middle", "soft", &shown(*value))
    };
    let marks = axis.marks();
    axis.fine().iter().map(stroke("fine")).collect::<String>()
        + &marks.iter().map(stroke("grid")).collect::<String>()
        + &marks.iter().map(mark).collect::<String>()
        + &text(x(0.5), HEIGHT - 16.0, "middle", "", name)
}

/// The same for the axis upwards.
pub fn upwards(axis: Axis, name: &str) -> String {
    let stroke = |class: &'static str| {
        move |value: &f64| {
            let at = y(axis.position(*value));
            line(class, (x(0.0), at), (x(1.0), at))
        }
    };
    let mark = |value: &f64| {
        text(x(0.0) - 8.0, y(axis.position(*value)) + 4.0, "end", "soft", &shown(*value))
    };
    let marks = axis.marks();
    axis.fine().iter().map(stroke("fine")).collect::<String>()
        + &marks.iter().map(stroke("grid")).collect::<String>()
        + &marks.iter().map(mark).collect::<String>()
        + &sideways(name)
}

/// The name of the axis upwards.
pub fn sideways(name: &str) -> String {
    let middle = y(0.5);
    format!(
        "<text x=\"16\" y=\"{middle:.1}\" text-anchor=\"middle\" \
         transform=\"rotate(-90 16 {middle:.1})\">{}</text>\n",
        escape(name)
    )
}

/// A plot without axes, of this height.
pub fn frame_of(title: &str, height: f64, body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" \
         aria-label=\"{name}\">\n{style}\
         <rect width=\"{WIDTH}\" height=\"{height:.0}\" fill=\"{ground}\"/>\n{title}{body}</svg>\n",
        style = style(),
        ground = GROUND.0,
        name = escape(title),
        title = text(16.0, 22.0, "start", "title", title),
    )
}

/// A line between the corners where both axes have the same value.
pub fn diagonal(from: (f64, f64), to: (f64, f64)) -> String {
    line("even", (x(from.0), y(from.1)), (x(to.0), y(to.1)))
}

/// A series of points as a line. The first point twice, so that a single one shows as a dot.
pub fn series(points: &[(f64, f64)], number: usize) -> String {
    let shown: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let dash = match DASHES[number % DASHES.len()] {
        "" => String::new(),
        dash => format!(" stroke-dasharray=\"{dash}\""),
    };
    let mut made = format!(
        "<polyline fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\"{dash} points=\"{} {}\"/>\n",
        colour(number),
        shown.first().map_or("", String::as_str),
        shown.join(" ")
    );
    // A few forms along the line tell it from others.
    let every = points.len().div_ceil(12).max(1);
    for &(x, y) in points.iter().skip(every / 2).step_by(every) {
        made += &form(x, y, 4.0, number, "");
    }
    made
}

/// A point in the form of its series.
pub fn form(x: f64, y: f64, size: f64, number: usize, inside: &str) -> String {
    let fill = colour(number);
    let path = match number % 6 {
        0 => {
            return format!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{size:.1}\" fill=\"{fill}\" \
                 fill-opacity=\".75\">{inside}</circle>\n"
            );
        }
        1 => format!(
            "M{:.1} {:.1}l{s:.1} {t:.1}h-{u:.1}z",
            x,
            y - size,
            s = size,
            t = 1.8 * size,
            u = 2.0 * size
        ),
        2 => format!(
            "M{:.1} {:.1}h{u:.1}v{u:.1}h-{u:.1}z",
            x - 0.85 * size,
            y - 0.85 * size,
            u = 1.7 * size
        ),
        3 => format!(
            "M{:.1} {:.1}l{s:.1} {s:.1}l-{s:.1} {s:.1}l-{s:.1} -{s:.1}z",
            x,
            y - 1.2 * size,
            s = 1.2 * size
        ),
        4 => format!(
            "M{:.1} {:.1}l{s:.1} -{t:.1}h-{u:.1}z",
            x,
            y + size,
            s = size,
            t = 1.8 * size,
            u = 2.0 * size
        ),
        _ => format!(
            "M{:.1} {:.1}h{a:.1}v{a:.1}h{a:.1}v{a:.1}h-{a:.1}v{a:.1}h-{a:.1}v-{a:.1}h-{a:.1}v-{a:.1}h{a:.1}z",
            x - size / 3.0,
            y - size,
            a = 2.0 * size / 3.0
        ),
    };
    format!("<path d=\"{path}\" fill=\"{fill}\" fill-opacity=\".75\">{inside}</path>\n")
}

/// A box with the names of the series, in a corner: at the left above, or at the right below.
pub fn legend(names: &[String], is_left: bool) -> String {
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as f64;
    let (width, height) = (longest * 7.0 + 50.0, names.len() as f64 * 18.0 + 10.0);
    let left = if is_left { x(0.0) + 10.0 } else { x(1.0) - width - 10.0 };
    let top = if is_left { y(1.0) + 10.0 } else { y(0.0) - height - 10.0 };
    let mut made = format!(
        "<rect class=\"box\" x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" \
         rx=\"4\" fill-opacity=\".9\"/>\n"
    );
    for (number, name) in names.iter().enumerate() {
        let at = top + 14.0 + 18.0 * number as f64;
        let dash = DASHES[number % DASHES.len()];
        made += &format!(
            "<line x1=\"{:.1}\" y1=\"{at:.1}\" x2=\"{:.1}\" y2=\"{at:.1}\" stroke=\"{}\" \
             stroke-width=\"2\" stroke-dasharray=\"{dash}\"/>\n",
            left + 8.0,
            left + 34.0,
            colour(number)
        );
        made += &form(left + 21.0, at, 4.0, number, "");
        made += &text(left + 42.0, at + 4.0, "start", "", name);
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Programs that turn plots into pictures for papers do not know variables of style sheets, and
    /// draw what they do not understand in black.
    #[test]
    fn colours_stand_there_by_day_and_are_replaced_by_night() {
        let plot = frame("title", "note", &series(&[(0.0, 0.0), (1.0, 1.0)], 0));
        assert!(!plot.contains("var("), "{plot}");
        let (before, after) = plot.split_once("@media").expect("a style for the night");
        let (day, night) = SERIES[0];
        assert!(!before.contains(night) && after.contains(&format!("stroke=\"{day}\"")), "{plot}");
        assert!(after.contains(&format!("[stroke=\"{day}\"]{{stroke:{night}}}")), "{plot}");
    }
}
