//! Plots as SVG: quantiles, the times of two engines against each other, and categories.
//!
//! They are files of their own that follow the reader's choice of light or dark, and can be told
//! apart without colours: by the form of the points and the dashes of the lines.

mod categories;
mod quantile;
mod scale;
mod scatter;
mod shares;
mod svg;

pub use categories::categories;
pub use quantile::{cactus, ordered, quantiles};
pub use scale::Scale;
pub use scatter::scatter;
pub use shares::shares;

use crate::error::BenchError;
use crate::record::Record;
use crate::results::Results;
use crate::study::Study;
use std::path::{Path, PathBuf};

/// All plots of some results, each with the name of its file: `cactus.svg`, the same for proofs and
/// for alarms alone, `categories.svg` if there are several, `scatter-ONE-OTHER.svg` for each pair of
/// engines, and the plots of a study.
pub fn all(results: &Results, study: Option<Study>) -> Vec<(String, String)> {
    let mut plots = vec![
        ("cactus.svg".to_string(), cactus(results)),
        ("cactus-proofs.svg".to_string(), quantiles(results, "proofs", Record::proved)),
        ("cactus-alarms.svg".to_string(), quantiles(results, "alarms", Record::refuted)),
    ];
    plots.extend(categories(results).map(|svg| ("categories.svg".to_string(), svg)));
    for first in 0..results.engines.len() {
        for second in first + 1..results.engines.len() {
            plots.push((scatter_name(results, first, second), scatter(results, first, second)));
        }
    }
    let of_study = study.map_or_else(Vec::new, |study| study.plots(results));
    plots.extend(of_study.into_iter().map(|(name, svg)| (file_name(&name), svg)));
    plots
}

/// Writes all plots, and says where.
pub fn write(
    directory: &Path,
    results: &Results,
    study: Option<Study>,
) -> Result<Vec<PathBuf>, BenchError> {
    let mut paths = Vec::new();
    for (name, svg) in all(results, study) {
        let path = directory.join(name);
        std::fs::write(&path, svg).map_err(BenchError::io(&path))?;
        paths.push(path);
    }
    Ok(paths)
}

/// The file with the scatter plot of two engines.
pub fn scatter_name(results: &Results, first: usize, second: usize) -> String {
    let [first, second] = [first, second].map(|index| file_name(&results.engines[index].name));
    format!("scatter-{first}-{second}.svg")
}

/// A name that every file system takes.
pub fn file_name(name: &str) -> String {
    name.chars().map(|c| if c.is_alphanumeric() || "-+.".contains(c) { c } else { '_' }).collect()
}
