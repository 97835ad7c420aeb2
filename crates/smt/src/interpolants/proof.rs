//! From one refutation to a formula per cut.

use super::parts::{Parts, Solved, concrete};
use super::{Outcome, Reason};
use crate::terms::to_terms;
use crate::transcript::{self, Status};
use rustc_hash::FxHashMap;
use wedge_logic::{Aig, Lit, Term, TermStore};
use wedge_sat::interpolate::sequence as bit_sequence;
use wedge_sat::{InterpolationSystem, Interrupt, Label};

/// Requires: parts of width 1.
pub(super) fn sequence(
    store: &mut TermStore,
    parts: &[Term],
    system: InterpolationSystem,
    interrupt: &Interrupt,
) -> Outcome {
    match attempt(store, parts, system, interrupt) {
        Ok(outcome) => outcome,
        Err(reason) => Outcome::Unknown(reason),
    }
}

fn attempt(
    store: &mut TermStore,
    parts: &[Term],
    system: InterpolationSystem,
    interrupt: &Interrupt,
) -> Result<Outcome, Reason> {
    let mut all = Parts::new(store, parts, interrupt)?;
    let solved = all.solve(store)?;
    let is_feasible = matches!(solved, Solved::Feasible(_));
    let status = if is_feasible { Status::Sat } else { Status::Unsat };
    transcript::tell(store, parts.iter().copied(), status);
    if let Solved::Feasible(values) = solved {
        return Ok(Outcome::Feasible(values));
    }
    let root = all.session.refutation();
    let names = Names::new(store, &all);
    let mut aig = Aig::new();
    let inputs: Vec<Lit> = names.bits.iter().map(|_| aig.add_input()).collect();
    let label = |cut: u32, variable: i32| {
        let (first, last) = all.ranges.get(variable as usize).copied().unwrap_or((u32::MAX, 0));
        match (last < cut, first >= cut) {
            (_, true) => Label::B,
            (true, _) => Label::A,
            // Gates belong to one part, so that only bits of variables are shared.
            _ => Label::Shared(inputs[names.input[&variable]]),
        }
    };
    let count = parts.len() as u32;
    let cuts = bit_sequence(&all.session.proof(), root, system, count, label, &mut aig)
        .map_err(Reason::Proof)?;
    let terms = to_terms(store, &aig, &names.bits, &cuts);
    let mut sequence = vec![store.bool(true)];
    let mentions = all.mentions();
    for (cut, term) in terms.into_iter().enumerate() {
        let term = concrete(store, &all.encoding.abstraction, term);
        let is_shared =
            |v: &Term| mentions.get(v).is_some_and(|&(first, last)| first <= cut && last > cut);
        if !store.free_vars(&[term]).iter().all(is_shared) {
            return Err(Reason::Mixed);
        }
        sequence.push(term);
    }
    sequence.push(store.bool(false));
    Ok(Outcome::Sequence(sequence))
}

/// The bits of variables, and their variables in the session.
struct Names {
    bits: Vec<(Term, u32)>,
    /// By variable of the session, the place in `bits`.
    input: FxHashMap<i32, usize>,
}

impl Names {
    fn new(store: &TermStore, all: &Parts) -> Names {
        let mut names = Names { bits: Vec::new(), input: FxHashMap::default() };
        let variables = all.encoding.blaster.fresh();
        for &variable in variables {
            let bits = all.encoding.blaster.bits(variable).expect("it was blasted");
            debug_assert_eq!(bits.len() as u64, store.sort(variable).bits());
            for (place, &bit) in bits.iter().enumerate() {
                if let Some(literal) = all.encoding.growing.get(bit) {
                    names.input.insert(literal, names.bits.len());
                    names.bits.push((variable, place as u32));
                }
            }
        }
        names
    }
}
