//! For which iterations a property may hold at a cut point: for those that a loop has behind it, for
//! those that lie before it, or for all of them.

use super::shape::Shape;
use wedge_logic::{Term, TermStore};

/// Lower bounds, terms that divide what is done from what is to be done, and upper bounds.
const MAX_LOWER: usize = 2;
const MAX_BORDERS: usize = 7;
const MAX_UPPER: usize = 4;
/// Variables whose being 0, or not, may be a condition.
const MAX_FLAGS: usize = 2;

/// Conditions that hold together.
pub type Range = Vec<Term>;

pub struct Ranges<'a> {
    pub terms: &'a mut TermStore,
    pub shape: &'a Shape,
    /// The scalars that are live at the cut point.
    pub live: &'a [Term],
    pub cut: usize,
}

impl Ranges<'_> {
    /// The ranges for bound variables that stand in the place of some of these variables.
    pub fn of(&mut self, bound: &[Term], origins: &[Vec<Term>]) -> Vec<Range> {
        match *bound {
            [one] => self.of_one(one, origins),
            [outer, inner] => self.of_two(outer, inner, origins),
            _ => Vec::new(),
        }
    }

    /// Terms that divide iterations: what counts in the loops at the cut point, then what they
    /// access.
    pub fn borders(&self, width: u32) -> Vec<Term> {
        let terms = &self.terms;
        let changed = &self.shape.changed[self.cut];
        let counters = self.live.iter().copied().filter(|v| changed.contains(v));
        let positions = self.shape.positions[self.cut].iter().copied();
        let mut found: Vec<Term> = Vec::new();
        for term in counters.chain(positions) {
            let is_new = terms.width(term) == width && !found.contains(&term);
            if is_new && found.len() < MAX_BORDERS && !terms.is_const(term) {
                found.push(term);
            }
        }
        found
    }

    /// What variables in this place are compared with, and whether they may be equal to it.
    fn upper(&self, origins: &[Vec<Term>], place: usize) -> Vec<(Term, bool)> {
        let mut found = Vec::new();
        let counters = self.shape.changed[self.cut].iter();
        let mut variables: Vec<Term> = counters.copied().collect();
        variables.sort_unstable();
        let mut origin: Vec<Term> = origins.iter().map(|origin| origin[place]).collect();
        origin.extend(variables);
        for variable in origin {
            for &(bound, may_equal) in self.shape.bounds.get(&variable).into_iter().flatten() {
                let free = self.terms.free_vars(&[bound]);
                let stays = !free.iter().any(|v| self.shape.changed[self.cut].contains(v))
                    && free.iter().all(|v| self.live.contains(v));
                if stays && found.len() < MAX_UPPER && !found.contains(&(bound, may_equal)) {
                    found.push((bound, may_equal));
                }
            }
        }
        found
    }

    fn below(&mut self, variable: Term, (bound, may_equal): (Term, bool)) -> Option<Term> {
        if self.terms.width(variable) != self.terms.width(bound) {
            return None;
        }
        Some(match may_equal {
            true => self.terms.sle(variable, bound),
            false => self.terms.slt(variable, bound),
        })
    }

    fn of_one(&mut self, any: Term, origins: &[Vec<Term>]) -> Vec<Range> {
        let width = self.terms.width(any);
        let mut parts: Vec<Range> = vec![Vec::new()];
        for border in self.borders(width) {
            parts.push(vec![self.terms.slt(any, border)]);
            parts.push(vec![self.terms.sle(border, any)]);
        }
        let mut upper: Vec<Range> = vec![Vec::new()];
        for bound in self.upper(origins, 0) {
            upper.extend(self.below(any, bound).map(|below| vec![below]));
        }
        let guards = self.guards();
        let mut ranges: Vec<Range> = Vec::new();
        for part in &parts {
            for upper in &upper {
                for lower in 0..MAX_LOWER {
                    let number = self.terms.number(width, lower as u64);
                    let above = self.terms.sle(number, any);
                    for guard in &guards {
                        let range = [above].into_iter().chain(part.clone()).chain(upper.clone());
                        ranges.push(range.chain(*guard).collect());
                    }
                }
            }
        }
        ranges
    }

    /// Conditions on flags, and none.
    fn guards(&mut self) -> Vec<Option<Term>> {
        let flags = self.live.iter().copied().filter(|v| self.shape.flags.contains(v));
        let flags: Vec<Term> = flags.take(MAX_FLAGS).collect();
        let mut guards = vec![None];
        for flag in flags {
            let zero = self.terms.zero(self.terms.width(flag));
            let is_zero = self.terms.eq(flag, zero);
            guards.extend([Some(is_zero), Some(self.terms.not(is_zero))]);
        }
        guards
    }

    /// Iterations of nested loops: those of earlier rounds of the outer loop, and earlier ones of
    /// the same round.
    fn of_two(&mut self, outer: Term, inner: Term, origins: &[Vec<Term>]) -> Vec<Range> {
        let widths = [outer, inner].map(|v| self.terms.width(v));
        let mut parts: Vec<Option<Term>> = vec![None];
        let borders = widths.map(|width| self.borders(width));
        for (place, &round) in borders[0].iter().take(4).enumerate() {
            let earlier = self.terms.slt(outer, round);
            let later = self.terms.slt(round, outer);
            parts.push(Some(earlier));
            parts.push(Some(self.terms.sle(round, outer)));
            for (other, &step) in borders[1].iter().take(4).enumerate() {
                if place == other && widths[0] == widths[1] {
                    continue;
                }
                let same = self.terms.eq(outer, round);
                let before = self.terms.slt(inner, step);
                let after = self.terms.not(before);
                let (before, after) = (self.terms.and(same, before), self.terms.and(same, after));
                parts.push(Some(self.terms.or(earlier, before)));
                parts.push(Some(self.terms.or(later, after)));
            }
        }
        let mut limits: [Vec<Option<Term>>; 2] = [vec![None], vec![None]];
        for (place, variable) in [outer, inner].into_iter().enumerate() {
            for bound in self.upper(origins, place) {
                let below = self.below(variable, bound);
                limits[place].extend(below.map(Some));
            }
        }
        let lower: Vec<Term> = [outer, inner]
            .into_iter()
            .zip(widths)
            .map(|(variable, width)| {
                let zero = self.terms.zero(width);
                self.terms.sle(zero, variable)
            })
            .collect();
        let mut ranges = Vec::new();
        for part in &parts {
            for first in &limits[0] {
                for second in &limits[1] {
                    let mut range = lower.clone();
                    range.extend([part, first, second].into_iter().flatten());
                    ranges.push(range);
                }
            }
        }
        ranges
    }
}
