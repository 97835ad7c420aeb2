//! How the figures of a run grow: a moment for each new bound, refinement and interpolant.
//!
//! A long run has too many of them, so when there are [`MOST`], every second one is forgotten. What a
//! moment counts, it counts from the beginning: forgotten moments are part of the next one.

use crate::figures::{self, Figures};
use std::time::Instant;

const MOST: usize = 2000;

/// How far a run was at some time; all numbers count from the beginning.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Moment {
    pub seconds: f64,
    pub bound: usize,
    pub refinements: u64,
    pub interpolants: usize,
    /// Of all interpolants, in gates; in nodes of terms or clauses where there are no gates.
    pub size: u64,
    pub queries: u64,
}

pub struct Course {
    start: Instant,
    moments: Vec<Moment>,
}

impl Default for Course {
    fn default() -> Course {
        Course { start: Instant::now(), moments: Vec::new() }
    }
}

impl Course {
    /// Takes note of the figures if they tell a new bound, refinement or interpolant.
    pub fn note(&mut self, figures: &Figures) {
        let last = self.moments.last().copied().unwrap_or_default();
        let known = (last.bound, last.refinements, last.interpolants);
        if known == (figures.bound, figures.refinements, figures.interpolants) {
            return;
        }
        if self.moments.len() >= MOST {
            let mut number = 0;
            self.moments.retain(|_| {
                number += 1;
                number % 2 == 0
            });
        }
        self.moments.push(Moment {
            seconds: self.start.elapsed().as_secs_f64(),
            bound: figures.bound,
            refinements: figures.refinements,
            interpolants: figures.interpolants,
            size: size(figures),
            queries: figures.queries,
        });
    }

    pub fn moments(&self) -> &[Moment] {
        &self.moments
    }
}

fn size(figures: &Figures) -> u64 {
    match (figures.interpolant_ands, figures.get(figures::ASSERTION_NODES)) {
        (0, None) => figures.interpolant_clauses,
        (0, Some(nodes)) => nodes as u64,
        (gates, _) => gates,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_course_is_thinned_and_keeps_its_sums() {
        let mut course = Course::default();
        let mut figures = Figures::default();
        for bound in 1..=3 * MOST {
            figures.bound = bound;
            figures.interpolants += 2;
            figures.interpolant_ands += 10;
            course.note(&figures);
            course.note(&figures);
        }
        let moments = course.moments();
        assert!(moments.len() <= MOST && moments.len() > MOST / 2);
        assert!(moments.is_sorted_by_key(|moment| moment.bound));
        let last = moments.last().unwrap();
        assert_eq!(
            (last.bound, last.interpolants, last.size),
            (3 * MOST, 6 * MOST, 30 * MOST as u64)
        );
    }
}
