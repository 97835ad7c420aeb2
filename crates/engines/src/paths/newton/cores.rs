//! Unsat cores of trace formulas, by the built-in solver or by another one.

use super::super::other_craig::explained;
use super::super::source::NoAssertions;
use rustc_hash::FxHashSet;
use wedge_logic::{Term, TermStore};
use wedge_sat::Interrupt;
use wedge_smt::external::External;
use wedge_smt::{Answer, Integers, Solver};

/// Use with one store only.
pub enum Cores {
    /// All paths share what they have in common.
    BuiltIn(Box<Solver>),
    Other(Box<External>),
    /// Of words as integers.
    Integers(Box<Integers>),
}

impl Cores {
    pub fn built_in(interrupt: &Interrupt) -> Cores {
        Cores::BuiltIn(Box::new(Solver::new(interrupt)))
    }

    /// Which of the terms cannot hold together.
    ///
    /// Requires: they cannot hold together.
    pub fn core(
        &mut self,
        store: &mut TermStore,
        terms: &[Term],
    ) -> Result<Vec<bool>, NoAssertions> {
        match self {
            Cores::BuiltIn(solver) => built_in(solver, store, terms),
            Cores::Other(solver) => other(solver, store, terms),
            Cores::Integers(integers) => of_integers(integers, store, terms),
        }
    }
}

fn built_in(
    solver: &mut Solver,
    store: &mut TermStore,
    terms: &[Term],
) -> Result<Vec<bool>, NoAssertions> {
    // F₁ ∧ … ∧ Fₙ
    refuted(solver.check_assuming(store, terms))?;
    let core = solver.core().expect("the answer has a core");
    Ok(members(terms, &core.assumptions))
}

fn of_integers(
    integers: &mut Integers,
    store: &mut TermStore,
    terms: &[Term],
) -> Result<Vec<bool>, NoAssertions> {
    // F₁ ∧ … ∧ Fₙ
    refuted(integers.explain(store, terms))?;
    Ok(members(terms, integers.core().expect("the answer has a core")))
}

fn refuted(answer: Answer) -> Result<(), NoAssertions> {
    match answer {
        Answer::Unsat => Ok(()),
        Answer::Sat => Err(NoAssertions::feasible()),
        Answer::Unknown(why) => Err(why.into()),
    }
}

/// Which of the terms are in the core. Of equal ones, one is enough.
fn members(terms: &[Term], core: &[Term]) -> Vec<bool> {
    let mut core: FxHashSet<Term> = core.iter().copied().collect();
    terms.iter().map(|term| core.remove(term)).collect()
}

fn other(
    solver: &mut External,
    store: &mut TermStore,
    terms: &[Term],
) -> Result<Vec<bool>, NoAssertions> {
    let answer = solver.unsat_core(store, terms);
    let core = explained(solver.entry(), answer)?;
    let mut needed = vec![false; terms.len()];
    core.into_iter().for_each(|place| needed[place] = true);
    Ok(needed)
}
