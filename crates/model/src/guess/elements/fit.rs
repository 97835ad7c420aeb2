//! Elements as linear functions of their bound variables: a[k] = c·k + d.

use super::properties::Property;
use super::ranges::Range;
use super::{At, Guess, Table};
use wedge_logic::Term;

/// Functions per cut point and list of bound variables.
const MAX_FITTED: usize = 24;
/// The least number of different values of the bound variable.
const MIN_VALUES: usize = 3;

impl At<'_> {
    /// Guesses a[k] = c·k + d for ranges in which that holds in all samples, with constants that
    /// are the same in programs of all sizes.
    pub(super) fn fitted(
        &mut self,
        elements: &[Property],
        ranges: &[Range],
        tables: &[Table],
    ) -> Vec<Guess> {
        let &[any] = self.bound else { return Vec::new() };
        let mut wanted: Vec<Term> = elements.iter().map(|element| element.formula).collect();
        wanted.push(any);
        let Some(values) = self.values(&wanted) else { return Vec::new() };
        let Some((keys, values)) = values.split_last() else { return Vec::new() };
        let mut guesses = Vec::new();
        for (element, values) in elements.iter().zip(values) {
            let width = self.terms.width(element.formula);
            if width > 64 {
                continue;
            }
            let mut known: Vec<(u64, u64)> = Vec::new();
            let mut order: Vec<usize> = (0..ranges.len()).collect();
            order.sort_by_key(|&r| (usize::MAX - tables[r].points.len(), tables[r].conditions));
            for range in order {
                let points = tables[range].points.iter();
                let points: Vec<(u64, u64)> = points.map(|&p| (keys[p], values[p])).collect();
                let Some(function) = function(width, &points) else { continue };
                if known.contains(&function) || guesses.len() >= MAX_FITTED {
                    continue;
                }
                known.push(function);
                let equal = self.equation(element.formula, any, function);
                guesses.push(self.guess(&ranges[range], equal));
            }
        }
        guesses
    }

    /// x = c·k + d
    fn equation(&mut self, element: Term, any: Term, (factor, offset): (u64, u64)) -> Term {
        let width = self.terms.width(element);
        let own = self.terms.width(any);
        let any = match width < own {
            true => self.terms.slice(any, width - 1, 0),
            false => self.terms.sext(any, width - own),
        };
        let factor = self.terms.number(width, factor);
        let product = self.terms.mul(any, factor);
        let offset = self.terms.number(width, offset);
        let sum = self.terms.add(product, offset);
        self.terms.eq(element, sum)
    }
}

/// The linear function through all points, if there is one and its factor is small.
fn function(width: u32, points: &[(u64, u64)]) -> Option<(u64, u64)> {
    let mask = u64::MAX >> (64 - width);
    let mut keys: Vec<u64> = points.iter().map(|point| point.0).collect();
    keys.sort_unstable();
    keys.dedup();
    if keys.len() < MIN_VALUES {
        return None;
    }
    let &(k, x) = points.first()?;
    let &(l, y) = points.iter().find(|point| point.0 == k.wrapping_add(1))?;
    debug_assert!(l == k.wrapping_add(1));
    let factor = y.wrapping_sub(x) & mask;
    let offset = x.wrapping_sub(factor.wrapping_mul(k)) & mask;
    let value = |key: u64| factor.wrapping_mul(key).wrapping_add(offset) & mask;
    let is_small = factor <= 64 || factor.wrapping_neg() & mask <= 64;
    (is_small && points.iter().all(|&(k, x)| value(k) == x)).then_some((factor, offset))
}
