//! Rows of squares as SVG, for light and dark pages, and to be told apart without colours.

use crate::states::{Machine, States};
use crate::watch::Row;

const LEFT: usize = 230;
const SIDE: usize = 26;
const TOP: usize = 34;

// Without variables, which not every viewer of SVG knows.
const STYLE: &str = "<style>\n\
    text{font:12px system-ui,sans-serif;fill:#1c2330}.n{text-anchor:middle}\
    text.in{fill:#fff;font-weight:600}text.out{fill:#5a6475}\n\
    rect{stroke-width:1.5}.g{fill:#fff}.r{fill:#0072b2;stroke:#0072b2}.b{fill:#d55e00;stroke:#d55e00}\
    .o{fill:#8a93a1;stroke:#8a93a1}.e{fill:none;stroke:#b9c0ca}.x{stroke:#d55e00;stroke-dasharray:3 2}\n\
    @media (prefers-color-scheme:dark){text{fill:#e4e8ee}text.out{fill:#a2acbb}.g{fill:#14181f}\
    .r{fill:#2f7fb8;stroke:#2f7fb8}.b{fill:#d9702b;stroke:#d9702b}.o{fill:#5d6675;stroke:#5d6675}\
    .e{stroke:#4a5363}.x{stroke:#d9702b}}\n</style>\n";

pub fn svg(machine: &Machine, rows: &[Row]) -> String {
    let (reachable, doomed) = (machine.reachable(), machine.doomed());
    let kind = |state: usize| match (reachable >> state & 1, doomed >> state & 1) {
        (1, _) => "r",
        (_, 1) => "b",
        _ => "o",
    };
    let height = TOP + rows.len() * SIDE + 10;
    let width = LEFT + machine.count * SIDE + 10;
    let mut body = legend(&machine.register);
    for (at, row) in rows.iter().enumerate() {
        let y = TOP + at * SIDE;
        body += &format!("<text x=\"8\" y=\"{}\">{}</text>\n", y + 16, row.label);
        for (state, states) in (0..machine.count).zip(row.states.iter().cycle()) {
            body += &square(state, LEFT + state * SIDE, y, kind(state), *states);
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\">\n{STYLE}\
         <rect class=\"g\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n"
    )
}

fn square(state: usize, x: usize, y: usize, kind: &str, states: States) -> String {
    let side = SIDE - 4;
    let (box_class, text_class) = match (states >> state & 1 == 1, kind) {
        (true, kind) => (kind, "n in"),
        (false, "b") => ("e x", "n out"),
        (false, _) => ("e", "n out"),
    };
    format!(
        "<rect class=\"{box_class}\" x=\"{x}\" y=\"{y}\" width=\"{side}\" height=\"{side}\" rx=\"3\"/>\
         <text class=\"{text_class}\" x=\"{}\" y=\"{}\">{state}</text>\n",
        x + side / 2,
        y + 16
    )
}

fn legend(register: &str) -> String {
    let mut text = format!("<text x=\"8\" y=\"18\">states of {register}</text>\n");
    let kinds = [("r", "reachable"), ("b", "leads to the bad state"), ("o", "neither")];
    let mut x = LEFT;
    for (class, label) in kinds {
        text += &format!(
            "<rect class=\"{class}\" x=\"{x}\" y=\"7\" width=\"12\" height=\"12\" rx=\"2\"/>\
             <text x=\"{}\" y=\"18\">{label}</text>\n",
            x + 18
        );
        x += 40 + 7 * label.len();
    }
    text
}
