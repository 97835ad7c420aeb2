//! Proofs about a program as invariants of its loops.

use super::translation::{ProgramAutomaton, single_loop_of};
use std::time::{Duration, Instant};
use wedge_evidence::c::contracts::{Contract, contracts};
use wedge_evidence::c::inductive::{Inductive, inductive};
use wedge_evidence::c::invariants::{Encoding, Known, LoopInvariant, printed};
use wedge_evidence::cuts::imported;
use wedge_logic::TermStore;
use wedge_model::cfa::dataflow::{self, Precision};
use wedge_model::cfa::{LocationId, SingleLoop};
use wedge_model::guess::guesses;
use wedge_sat::Interrupt;

/// What the search for invariants that prove the property may take.
const TIME: Duration = Duration::from_secs(10);
/// The part of the time that is left which is kept for writing down what was found: a verdict is
/// not lost for its witness.
const SPARE: f64 = 0.25;
const MOST_SPARE: Duration = Duration::from_secs(3);
/// The part of it that analyses may take.
const ANALYSES: Duration = Duration::from_secs(4);

/// What is said about loops, and whether that proves the property.
pub struct Said {
    pub invariants: Vec<LoopInvariant>,
    /// Of recursive functions.
    pub contracts: Vec<Contract>,
    pub is_proof: bool,
}

impl Said {
    pub fn says_more_than(&self, other: &Said) -> bool {
        let loops = |said: &Said| said.invariants.iter().filter(|i| i.value != "1").count();
        self.is_proof || loops(self) > loops(other)
    }
}

/// The time that all searches for invariants may take together.
pub fn in_time(interrupt: &Interrupt) -> Interrupt {
    let now = Instant::now();
    let end = match interrupt.deadline {
        Some(deadline) => {
            let left = deadline.saturating_duration_since(now);
            now + TIME.min(left - left.mul_f64(SPARE).min(MOST_SPARE))
        }
        None => now + TIME,
    };
    Interrupt { deadline: Some(end), ..interrupt.clone() }
}

/// A half of it, so that what is tried first leaves time for the rest.
pub fn in_half_the_time(interrupt: &Interrupt) -> Interrupt {
    let whole = in_time(interrupt);
    let now = Instant::now();
    let half = |end: Instant| now + end.saturating_duration_since(now) / 2;
    Interrupt { deadline: whole.deadline.map(half), ..whole }
}

pub fn encoding(automaton: &ProgramAutomaton) -> Encoding<'_> {
    Encoding {
        program: &automaton.program,
        cfa: &automaton.encoded.cfa,
        origins: &automaton.encoded.origins,
        variables: &automaton.encoded.variables,
    }
}

/// Invariants of the loops of a program that was proved. `own` is what the proof says at cut points,
/// as formulas of `terms`, which extends the store of the sliced automaton.
pub fn said(
    automaton: &ProgramAutomaton,
    mut terms: TermStore,
    own: Known,
    interrupt: &Interrupt,
) -> Said {
    let encoding = encoding(automaton);
    let sliced = &*automaton.sliced;
    let stop = || interrupt.is_raised();
    let contracts = contracts(&automaton.program, &automaton.properties, &stop);
    let end = Instant::now() + ANALYSES;
    let deadline = Some(interrupt.deadline.map_or(end, |deadline| deadline.min(end)));
    let short = Interrupt { deadline, ..interrupt.clone() };
    let mut cuts: Vec<LocationId> = own.iter().map(|(cut, _)| *cut).collect();
    // What analyses find reads best, so it comes first.
    let mut known = Known::new();
    if let Ok(single) = single_loop_of(sliced, false) {
        cuts.extend(single.cuts.iter().copied());
        known.extend(analysed(automaton, &single, &mut terms, &short));
    }
    known.extend(own.iter().cloned());
    cuts.sort_unstable_by_key(|cut| cut.0);
    cuts.dedup();
    match inductive(&encoding, sliced, &cuts, &mut terms, &known, interrupt) {
        Ok(found) => {
            let Inductive { invariants, is_proof, .. } = found;
            Said { invariants, contracts, is_proof }
        }
        // What the proof says is true even where there was no time to find out what it rests on.
        Err(_) => {
            let invariants = printed(&encoding, sliced, &mut terms, &own);
            Said { invariants, contracts, is_proof: false }
        }
    }
}

/// What analyses find out about the cut points, as formulas of `terms`.
fn analysed(
    automaton: &ProgramAutomaton,
    single: &SingleLoop,
    terms: &mut TermStore,
    interrupt: &Interrupt,
) -> Known {
    let sliced = &*automaton.sliced;
    let stop = || interrupt.is_raised();
    let mut known: Known = Vec::new();
    let mut system = single.system.terms.clone();
    if let (Some(pc), Some(found)) = (single.pc, guesses(sliced, single, &mut system, &stop)) {
        let variables = sliced.variables.iter().copied().collect();
        for (number, &cut) in single.cuts.iter().enumerate() {
            let width = system.width(pc);
            let here = system.number(width, number as u64);
            let mut facts = Vec::new();
            for &guess in &found {
                let fact = system.substitute(guess, &[(pc, here)]);
                if system.value(fact).is_none() {
                    facts.extend(imported(&system, fact, terms, &variables));
                }
            }
            known.push((cut, facts));
        }
    }
    for precision in [Precision::Thorough, Precision::Quick] {
        if let Some(analysis) = dataflow::analyse(sliced, precision, &stop) {
            for &cut in &single.cuts {
                known.push((cut, analysis.facts(terms, cut)));
            }
        }
    }
    known
}

/// The formulas of one store as those of another one with the same variables; what reads others is
/// left out.
pub fn moved(from: &TermStore, known: Known, automaton: &ProgramAutomaton) -> (TermStore, Known) {
    let sliced = &*automaton.sliced;
    let mut terms = sliced.terms.clone();
    let variables = sliced.variables.iter().copied().collect();
    let mut moved = Vec::new();
    for (cut, formulas) in known {
        let parts = formulas.iter().flat_map(|&formula| from.conjuncts(formula));
        let parts = parts.filter_map(|part| imported(from, part, &mut terms, &variables));
        moved.push((cut, parts.collect()));
    }
    (terms, moved)
}
