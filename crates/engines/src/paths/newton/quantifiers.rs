//! Quantifiers that predicate transformers and projections leave behind.
//!
//! They are removed exactly wherever that can be done (paper 2, section 7, and
//! [`wedge_smt::projection`]). The paper goes on with quantified formulas otherwise; here an assertion has none, so
//! that it is approximated by what still refutes the trace: the conjuncts without the quantified
//! variables if they are enough, or else an interpolant. How often that happens is a figure.

use super::super::blocked::Blocked;
use super::super::source::NoAssertions;
use wedge_logic::Term;
use wedge_sat::Interrupt;
use wedge_smt::interpolants::Reason;
use wedge_smt::projection::{Limits, Quantified, exists};
use wedge_smt::{Answer, Integers, Interpolation, Outcome, Solver, Why, interpolants};

/// Projections of at most this size are taken whatever they come from; larger ones only if they grow
/// by at most the factor, since they grow again at the next position.
const SMALL: usize = 200;
const GROWTH: usize = 2;

/// What removing the quantifiers of one assertion may cost.
const LIMITS: Limits =
    Limits { disjuncts: 16, bits: 64, gates: 400, models: 6, instances: 0, conflicts: 5000 };

/// The same where words are integers: nothing is said about bits.
const INTEGER_LIMITS: Limits = Limits { bits: 0, gates: 0, models: 0, ..LIMITS };

pub struct Quantifiers<'a> {
    pub how: &'a Interpolation,
    pub interrupt: &'a Interrupt,
    /// Who is asked where words are integers.
    pub integers: Option<&'a mut Integers>,
    /// Assertions that were approximated.
    pub approximated: u64,
}

impl Quantifiers<'_> {
    /// A formula without the bound variables that follows from `body` and excludes `others`,
    /// exactly ∃ bound. body if that can be had.
    ///
    /// Requires: body ∧ others is unsatisfiable, and `others` mentions none of the bound variables.
    pub fn exists(
        &mut self,
        blocked: &mut Blocked,
        bound: &[Term],
        body: Term,
        others: impl FnOnce(&mut Blocked) -> Term,
    ) -> Result<Term, NoAssertions> {
        let store = &mut blocked.store;
        // What reads none of the variables stays as it is.
        let reads = |&term: &Term| store.free_vars(&[term]).iter().any(|v| bound.contains(v));
        let (inside, outside): (Vec<Term>, Vec<Term>) =
            store.conjuncts(body).into_iter().partition(reads);
        let (inside, outside) = (store.and_all(&inside), store.and_all(&outside));
        let limits = if self.integers.is_some() { &INTEGER_LIMITS } else { &LIMITS };
        let mut found = exists(store, bound, inside, limits, self.interrupt);
        found.body = store.and(found.body, outside);
        if self.interrupt.is_raised() {
            return Err(NoAssertions::Stopped);
        }
        let allowed = (GROWTH * store.size(&[body])).max(SMALL);
        let found = match found.plain() {
            Some(plain) if store.size(&[plain]) <= allowed => return Ok(plain),
            Some(_) => Quantified { variables: bound.to_vec(), body },
            None => found,
        };
        self.approximated += 1;
        let others = others(blocked);
        match self.weakened(blocked, &found, others) {
            Some(weaker) => Ok(weaker),
            None if self.integers.is_some() => Err(NoAssertions::NotFound(
                "an assertion about integers has quantifiers that cannot be removed".to_string(),
            )),
            None => self.interpolant(blocked, found.body, others),
        }
    }

    /// The conjuncts without quantified variables, if they exclude the others.
    fn weakened(
        &mut self,
        blocked: &mut Blocked,
        found: &Quantified,
        others: Term,
    ) -> Option<Term> {
        let store = &mut blocked.store;
        let mut kept = store.conjuncts(found.body);
        kept.retain(|&term| !store.free_vars(&[term]).iter().any(|v| found.variables.contains(v)));
        let weaker = store.and_all(&kept);
        // weaker ∧ others
        let answer = match &mut self.integers {
            Some(integers) => integers.check(store, &[weaker, others]),
            None => {
                let mut solver = Solver::new(self.interrupt);
                solver.set_conflicts(Some(LIMITS.conflicts));
                solver.check_assuming(store, &[weaker, others])
            }
        };
        (answer == Answer::Unsat).then_some(weaker)
    }

    fn interpolant(
        &self,
        blocked: &mut Blocked,
        body: Term,
        others: Term,
    ) -> Result<Term, NoAssertions> {
        // body ∧ others
        match interpolants(&mut blocked.store, &[body, others], self.how, self.interrupt) {
            Outcome::Sequence(sequence) => Ok(sequence[1]),
            Outcome::Unknown(Reason::Solver(Why::Stopped)) => Err(NoAssertions::Stopped),
            Outcome::Unknown(reason) => Err(NoAssertions::NotFound(format!(
                "an assertion has quantifiers that cannot be removed, and no interpolant: {reason}"
            ))),
            Outcome::Feasible(_) => Err(NoAssertions::NotFound(
                "an assertion does not refute the rest of its path".to_string(),
            )),
        }
    }
}
