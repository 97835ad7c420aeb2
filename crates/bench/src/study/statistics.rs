//! The little statistics that the studies need.

/// The smallest value that is larger than `share` of the values, or the largest one.
pub fn quantile(values: &[f64], share: f64) -> Option<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let index = (share * sorted.len() as f64).floor() as usize;
    sorted.get(index.min(sorted.len().saturating_sub(1))).copied()
}

/// Slope and correlation of the least-squares line through the points; none if they do not
/// determine one.
pub fn regression(points: &[(f64, f64)]) -> Option<(f64, f64)> {
    let count = points.len() as f64;
    let mean_x = points.iter().map(|p| p.0).sum::<f64>() / count;
    let mean_y = points.iter().map(|p| p.1).sum::<f64>() / count;
    let sum = |term: &dyn Fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|&(x, y)| term(x - mean_x, y - mean_y)).sum()
    };
    let (xx, xy, yy) = (sum(&|x, _| x * x), sum(&|x, y| x * y), sum(&|_, y| y * y));
    (points.len() >= 3 && xx > 0.0 && yy > 0.0).then(|| (xy / xx, xy / (xx * yy).sqrt()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles() {
        let values: Vec<f64> = (1..=8).rev().map(f64::from).collect();
        assert_eq!(quantile(&values, 0.75), Some(7.0));
        assert_eq!(quantile(&values, 1.0), Some(8.0));
        assert_eq!(quantile(&[], 0.5), None);
    }

    #[test]
    fn regressions() {
        let (slope, correlation) = regression(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0)]).unwrap();
        assert!((slope - 2.0).abs() < 1e-12 && (correlation - 1.0).abs() < 1e-12);
        assert_eq!(regression(&[(1.0, 1.0), (1.0, 2.0), (1.0, 3.0)]), None);
        assert_eq!(regression(&[(0.0, 0.0), (1.0, 1.0)]), None);
    }
}
