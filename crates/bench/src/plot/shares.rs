//! A bar for each name with its share of a whole.

use super::scale::{Axis, Scale};
use super::svg;

/// The shares are between 0 and 1.
pub fn shares(title: &str, bars: &[(String, f64)]) -> String {
    let mut body = svg::upwards(Axis::new(Scale::Linear, 100.0), "%");
    let step = 1.0 / bars.len().max(1) as f64;
    for (index, (name, share)) in bars.iter().enumerate() {
        let left = svg::x((index as f64 + 0.2) * step);
        let right = svg::x((index as f64 + 0.8) * step);
        let top = svg::y(share.clamp(0.0, 1.0));
        body += &format!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"{}\"/>\n",
            right - left,
            svg::y(0.0) - top,
            svg::colour(index)
        );
        let middle = (left + right) / 2.0;
        body += &svg::text(middle, svg::y(0.0) + 18.0, "middle", "", name);
        body += &svg::text(middle, top - 6.0, "middle", "", &format!("{:.1} %", 100.0 * share));
    }
    svg::frame(title, "", &body)
}
