//! Invariants with quantifiers, for loops over arrays.
//!
//! What holds of all elements of an array is said by formulas with bound variables, of which it is
//! claimed that they hold for all their values (Flanagan, Qadeer: Predicate Abstraction for Software
//! Verification, POPL 2002):
//!
//! ```text
//! ∀k.  0 ≤ k < i  →  a[k] = b[k]
//! ```
//!
//! Candidates are guessed from runs ([`wedge_model::guess::elements`]), and the largest inductive set of
//! them is kept (Flanagan, Leino: Houdini, FME 2001; [`houdini`]). If it excludes the errors, those
//! formulas that this needs are the proof. There is no refinement: the engine gives up where the guesses do
//! not suffice. It finds no counterexamples.
//!
//! Differences from the papers: candidates come from data and from the conditions of the program instead of
//! the user; quantifiers are not left to a solver, but instantiated at the terms that a step is about.

mod algebra;
mod folds;
mod houdini;
mod products;

use crate::contract::{AutomatonEngine, AutomatonOutcome, Context, UnknownReason};
use crate::figures;
use houdini::{Candidate, Cut, Houdini};
use products::Products;
use wedge_logic::Term;
use wedge_model::Cfa;
use wedge_model::cfa::{BlockOptions, Instance, QuantifiedInvariants, SingleLoop, single_loop};
use wedge_model::guess::elements::{Guesses, elements};

/// Larger programs are left alone: they are about more than loops over arrays.
const MAX_TERMS: usize = 30_000;
const MAX_CUTS: usize = 40;

pub struct Forall;

impl AutomatonEngine for Forall {
    fn run(&self, automaton: &Cfa, context: &Context) -> AutomatonOutcome {
        match proof(automaton, context) {
            Ok(proof) => AutomatonOutcome::SafeForAll(proof),
            Err(reason) => AutomatonOutcome::Unknown(reason),
        }
    }
}

fn inapplicable(what: &str) -> UnknownReason {
    UnknownReason::Inapplicable(what.to_string())
}

fn proof(cfa: &Cfa, context: &Context) -> Result<QuantifiedInvariants, UnknownReason> {
    let has_arrays = cfa.variables.iter().any(|&v| cfa.terms.sort(v).is_array());
    if !has_arrays {
        return Err(inapplicable("the program has no arrays that matter"));
    }
    let single = single_loop(cfa, &BlockOptions::default())
        .map_err(|error| UnknownReason::TooLarge(error.to_string()))?;
    let size = single.system.terms.cone(&single.system.roots()).len();
    if size > MAX_TERMS || single.cuts.len() > MAX_CUTS {
        return Err(inapplicable("the program is too large for guesses about its arrays"));
    }
    let mut terms = single.system.terms.clone();
    let interrupt = context.interrupt();
    let stop = || interrupt.is_raised();
    let Some(guesses) = elements(cfa, &single, &mut terms, &stop) else {
        return Err(context.interrupted().unwrap_or(inapplicable("the program has no loops")));
    };
    let count: usize = guesses.iter().map(|cut| cut.guesses.len()).sum();
    context.record(|f| f.add(figures::CANDIDATES, count as f64));
    for are_kept in [false, true] {
        let cuts = guesses.iter().cloned().map(cut).collect();
        let products = Products::new(are_kept);
        let mut houdini = Houdini::new(&single, (terms.clone(), products), cuts, &interrupt);
        houdini.filter().ok_or_else(|| context.stop_reason())?;
        context.record(|f| f.add(figures::FACTS, houdini.alive() as f64));
        if houdini.needed().ok_or_else(|| context.stop_reason())? {
            return Ok(claim(&single, houdini));
        }
        if !houdini.products.has_any() {
            break;
        }
    }
    Err(inapplicable("what was guessed of arrays does not exclude the error"))
}

fn cut(guesses: Guesses) -> Cut {
    let Guesses { guesses, instances, folds, probes } = guesses;
    let candidates = guesses.into_iter().map(|g| Candidate::new(g.bound, g.formula)).collect();
    let mut all: Vec<Instance> = Vec::new();
    for (bound, tuples) in instances {
        for tuple in tuples {
            all.push(bound.iter().copied().zip(tuple).collect());
        }
    }
    Cut { candidates, instances: all, folds, probes }
}

fn claim(single: &SingleLoop, houdini: Houdini) -> QuantifiedInvariants {
    let Houdini { terms, cuts, .. } = houdini;
    let (mut bound, mut invariants, mut instances) = (Vec::new(), Vec::new(), Vec::new());
    let (mut folds, mut probes) = (Vec::new(), Vec::new());
    for (&location, cut) in single.cuts.iter().zip(&cuts) {
        let needed: Vec<&Candidate> = cut.candidates.iter().filter(|c| c.is_needed).collect();
        bound.extend(needed.iter().flat_map(|candidate| candidate.bound.iter().copied()));
        invariants.push((location, needed.iter().map(|candidate| candidate.formula).collect()));
        instances.push((location, cut.instances.clone()));
        let formulas: Vec<Term> = needed.iter().map(|candidate| candidate.formula).collect();
        let read = terms.free_vars(&formulas);
        folds.extend(cut.folds.iter().filter(|fold| read.contains(&fold.word)).cloned());
        probes.push((location, cut.probes.clone()));
    }
    for (_, instances) in &instances {
        bound.extend(instances.iter().flatten().map(|&(variable, _)| variable));
    }
    bound.sort_unstable();
    bound.dedup();
    QuantifiedInvariants { terms, bound, invariants, instances, folds, probes }
}
