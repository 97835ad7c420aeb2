//! Guesses at relations between variables: what holds in the states of some random runs.
//!
//! A guess need not be an invariant; whoever uses one has to find that out. Relations are offered
//! for each cut point of the transition system, over the variables that are live there and over terms
//! of them that the program compares: equations
//! with constant offsets and factors, orders, and all linear equations that the samples satisfy,
//! or those in which some variable is 0, or is not (in the manner of Daikon: Ernst et al., 2001);
//! and bounds of variables and differences by constants of the program.

mod bounds;
pub mod closed;
mod derived;
mod dice;
pub mod elements;
mod linear;
mod relations;
mod samples;

use crate::cfa::{Cfa, Liveness, SingleLoop};
use samples::Samples;
use wedge_logic::{Sort, Term, TermStore};

/// Guesses per cut point.
const MAX_GUESSES: usize = 600;

/// What is known about one variable, or a term of some, at one cut point.
pub(crate) struct Column {
    /// The variable, or a term.
    pub variable: Term,
    pub width: u32,
    /// One value per sample.
    pub values: Vec<u64>,
}

impl Column {
    /// The column of those samples in which another variable is 0, or is not.
    fn where_zero(&self, other: &Column, wanted: bool) -> Column {
        let rows = self.values.iter().zip(&other.values);
        let values = rows.filter(|(_, flag)| (**flag == 0) == wanted).map(|(value, _)| *value);
        Column { variable: self.variable, width: self.width, values: values.collect() }
    }
}

/// Guesses as terms of width 1 over the states of the system; none if it has no loop. `terms`
/// extends the store of the system.
pub fn guesses(
    cfa: &Cfa,
    single: &SingleLoop,
    terms: &mut TermStore,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Term>> {
    let pc = single.pc?;
    let samples = Samples::draw(single, pc, stop);
    let live = Liveness::new(cfa);
    let compared = derived::compared(single);
    let constants = bounds::constants(single);
    let mut all = Vec::new();
    for (cut, &location) in single.cuts.iter().enumerate().skip(1) {
        if stop() {
            return None;
        }
        let mut columns = Vec::new();
        for index in live.live_at(location) {
            let variable = cfa.variables[index];
            if let (Sort::Bv(width), Some(values)) =
                (terms.sort(variable), samples.values(cut, variable))
                && (2..=64).contains(&width)
            {
                columns.push(Column { variable, width, values });
            }
        }
        let is_live = |term: Term| columns.iter().any(|column| column.variable == term);
        let more = derived::columns(terms, &compared, &samples, cut, is_live);
        let widths = more.iter().map(|(term, _)| terms.width(*term)).collect::<Vec<u32>>();
        let more = more.into_iter().zip(widths);
        columns.extend(more.map(|((variable, values), width)| Column { variable, width, values }));
        let mut guesses = relations::guess(terms, &columns);
        for width in relations::widths(&columns) {
            let group: Vec<&Column> = columns.iter().filter(|c| c.width == width).collect();
            guesses.extend(bounds::guess(terms, &group, &constants));
        }
        guesses.truncate(MAX_GUESSES);
        let number = terms.number(terms.width(pc), cut as u64);
        let here = terms.eq(pc, number);
        all.extend(guesses.into_iter().map(|guess| terms.implies(here, guess)));
    }
    Some(all)
}
