//! Rows of squares as SVG, for light and dark pages, and to be told apart without colours.

use crate::states::{Machine, States};
use crate::watch::Row;

const LEFT: usize = 190;
const SIDE: usize = 26;
const TOP: usize = 34;

const STYLE: &str = "<style>\n\
    svg{--g:#fff;--t:#1c2330;--s:#5a6475;--l:#b9c0ca;--r:#0072b2;--b:#d55e00;--o:#8a93a1}\n\
    @media (prefers-color-scheme:dark){svg{--g:#14181f;--t:#e4e8ee;--s:#a2acbb;--l:#4a5363;\
    --r:#2f7fb8;--b:#d9702b;--o:#5d6675}}\n\
    text{font:12px system-ui,sans-serif;fill:var(--t)}.n{text-anchor:middle}.in{fill:#fff;font-weight:600}\
    .out{fill:var(--s)}\n\
    rect{stroke-width:1.5}.r{fill:var(--r);stroke:var(--r)}.b{fill:var(--b);stroke:var(--b)}\
    .o{fill:var(--o);stroke:var(--o)}.e{fill:none;stroke:var(--l)}.x{stroke:var(--b);stroke-dasharray:3 2}\n</style>\n";

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
        for state in 0..machine.count {
            body += &square(state, LEFT + state * SIDE, y, kind(state), row.states);
        }
    }
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\">\n{STYLE}\
         <rect width=\"{width}\" height=\"{height}\" fill=\"var(--g)\"/>\n{body}</svg>\n"
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
