//! Polynomials of degree 2 in the number of iterations.

use super::form::is_small;

/// `c0 + c1 * n + c2 * n * (n - 1) / 2`: a value, its first difference, and its second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Series {
    pub c: [i128; 3],
}

/// The largest `n` for which nothing overflows: three coefficients are less than 2^67 each.
pub const FARTHEST_LINEAR: i128 = 1 << 58;
pub const FARTHEST: i128 = 1 << 29;

impl Series {
    pub fn constant(value: i128) -> Series {
        Series { c: [value, 0, 0] }
    }

    pub fn is_linear(&self) -> bool {
        self.c[2] == 0
    }

    pub fn farthest(&self) -> i128 {
        if self.is_linear() { FARTHEST_LINEAR } else { FARTHEST }
    }

    /// The value for `-1 <= n <= self.farthest()`.
    pub fn at(&self, n: i128) -> i128 {
        let [c0, c1, c2] = self.c;
        let pairs = if c2 == 0 { 0 } else { n * (n - 1) / 2 };
        c0 + c1 * n + c2 * pairs
    }

    /// `self + factor * other`; none where coefficients become too large.
    pub fn plus(&self, factor: i128, other: &Series) -> Option<Series> {
        let mut sum = *self;
        for (mine, theirs) in sum.c.iter_mut().zip(other.c) {
            *mine = mine.checked_add(factor.checked_mul(theirs)?)?;
            if !is_small(*mine) {
                return None;
            }
        }
        Some(sum)
    }

    /// The series whose value is that of this one an iteration before.
    pub fn before(&self) -> Option<Series> {
        let [_, c1, c2] = self.c;
        let series = Series { c: [self.at(-1), c1 - c2, c2] };
        series.c.iter().all(|c| is_small(*c)).then_some(series)
    }

    /// The series that begins with a number and whose differences are these.
    pub fn sum(begin: i128, differences: &Series) -> Option<Series> {
        let [c0, c1, c2] = differences.c;
        (c2 == 0).then_some(Series { c: [begin, c0, c1] })
    }
}
