//! The analyses of a program whose results serve as auxiliary invariants.

use super::translation::Translation;
use wedge_logic::{Term, TermStore};
use wedge_model::cfa::dataflow::{self, Precision};
use wedge_model::guess::guesses;
use wedge_model::{Facts, lower};
use wedge_sat::Interrupt;

/// How many analyses there are: two of the data flow, then relations.
pub const COUNT: usize = 3;

/// The facts that an analysis finds about the circuit; none if it does not come to an end.
pub fn analyse(
    translation: &Translation,
    lowered: &lower::LoweringMap,
    level: usize,
    interrupt: &Interrupt,
) -> Option<Facts> {
    let mut terms = translation.single.system.terms.clone();
    let stop = || interrupt.is_raised();
    let facts = match level {
        0 => data_flow(translation, &mut terms, Precision::Quick, &stop)?,
        1 => data_flow(translation, &mut terms, Precision::Thorough, &stop)?,
        _ => guesses(&translation.automaton.sliced, &translation.single, &mut terms, &stop)?,
    };
    Some(lowered.facts(&mut terms, &facts))
}

fn data_flow(
    translation: &Translation,
    terms: &mut TermStore,
    precision: Precision,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<Term>> {
    let pc = translation.single.pc?;
    let analysis = dataflow::analyse(&translation.automaton.sliced, precision, stop)?;
    let mut all = Vec::new();
    for (number, &cut) in translation.single.cuts.iter().enumerate() {
        let facts = analysis.facts(terms, cut);
        let number = terms.number(terms.width(pc), number as u64);
        let here = terms.eq(pc, number);
        all.extend(facts.into_iter().map(|fact| terms.implies(here, fact)));
    }
    Some(all)
}
