//! Hoare triples {φ} step {ψ} over the edges or blocks of an automaton.
//!
//! A step is a guarded parallel assignment with inputs, so that a triple is the single query
//! `φ ∧ guard ∧ ¬ψ[updates]` over the variables before the step and the inputs: there are no
//! primed variables, and all triples share one session. "Not decided" must count as "does not
//! hold".

use crate::solver::{Answer, Solver, Why};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use wedge_logic::{Substitution, Term, TermStore, Value};
use wedge_model::Cfa;
use wedge_model::cfa::{Block, EdgeId};
use wedge_sat::Interrupt;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct StepId(pub u32);

impl From<EdgeId> for StepId {
    fn from(edge: EdgeId) -> StepId {
        StepId(edge.0)
    }
}

#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    Holds,
    Fails(Rc<Counterexample>),
    Unknown(Why),
}

impl Verdict {
    pub fn holds(&self) -> bool {
        *self == Verdict::Holds
    }
}

/// A state before the step, with inputs, that satisfies the precondition and steps out of the
/// postcondition. Variables that are not mentioned may have any value.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Counterexample {
    pub values: Vec<(Term, Value)>,
}

struct Step {
    guard: Term,
    updates: Substitution,
}

/// All triples of one automaton, whose terms belong to one store.
pub struct Triples {
    solver: Solver,
    steps: Vec<Step>,
    known: FxHashMap<(Term, Option<StepId>, Term), Verdict>,
    /// Triples that were decided together with others.
    together: FxHashMap<(Term, StepId, Term), bool>,
    /// Triples that were asked for, and those of them that were known already.
    pub asked: u64,
    pub repeated: u64,
}

impl Triples {
    pub fn new(interrupt: &Interrupt) -> Triples {
        let solver = Solver::new(interrupt);
        let (known, together) = Default::default();
        Triples { solver, steps: Vec::new(), known, together, asked: 0, repeated: 0 }
    }

    /// The edges of an automaton; the step of an edge has its number.
    pub fn of_edges(cfa: &Cfa, interrupt: &Interrupt) -> Triples {
        let mut triples = Triples::new(interrupt);
        for edge in &cfa.edges {
            triples.add_step(edge.guard, &edge.updates);
        }
        triples
    }

    /// One step per exit of each block, in their order.
    pub fn of_blocks(blocks: &[Block], interrupt: &Interrupt) -> Triples {
        let mut triples = Triples::new(interrupt);
        for exit in blocks.iter().flat_map(|block| &block.exits) {
            triples.add_step(exit.condition, &exit.values);
        }
        triples
    }

    /// A step that is taken where the guard holds.
    pub fn add_step(&mut self, guard: Term, updates: &[(Term, Term)]) -> StepId {
        let updates = Substitution::new(updates.iter().copied());
        self.steps.push(Step { guard, updates });
        StepId(self.steps.len() as u32 - 1)
    }

    /// What must hold before the step for ψ to hold after it: guard → `ψ[updates]`.
    pub fn weakest_precondition(&mut self, store: &mut TermStore, step: StepId, psi: Term) -> Term {
        let step = &mut self.steps[step.0 as usize];
        let after = step.updates.apply(store, psi);
        store.implies(step.guard, after)
    }

    /// {φ} step {ψ}
    pub fn triple(&mut self, store: &mut TermStore, phi: Term, step: StepId, psi: Term) -> Verdict {
        let key = (phi, Some(step), psi);
        if let Some(verdict) = self.remembered(key) {
            return verdict;
        }
        let step = &mut self.steps[step.0 as usize];
        let guard = step.guard;
        let after = step.updates.apply(store, psi);
        let not_after = store.not(after);
        // φ ∧ guard ∧ ¬ψ[updates]
        self.ask(store, key, &[phi, guard, not_after])
    }

    /// {φ} step {ψ} for each ψ, where "not decided" is "does not hold"; none if no state with φ takes
    /// the step. A state that refutes one triple is tried on the others, and what a step leaves alone
    /// is not asked for.
    pub fn all_after(
        &mut self,
        store: &mut TermStore,
        phi: Term,
        step: StepId,
        psis: &[Term],
    ) -> Option<Vec<bool>> {
        let never = store.bool(false);
        if self.triple(store, phi, step, never).holds() {
            return None;
        }
        let given = store.conjuncts(phi);
        let Step { guard, updates } = &mut self.steps[step.0 as usize];
        let guard = *guard;
        let after: Vec<Term> = psis.iter().map(|&psi| updates.apply(store, psi)).collect();
        let mut verdicts: Vec<Option<bool>> = Vec::new();
        for (psi, after) in psis.iter().zip(&after) {
            let is_kept = store.value(*after).is_some_and(|v| v.is_one()) || given.contains(after);
            let known = self.together.get(&(phi, step, *psi)).copied();
            verdicts.push(is_kept.then_some(true).or(known));
        }
        for at in 0..psis.len() {
            if verdicts[at].is_some() {
                continue;
            }
            self.asked += 1;
            let not_after = store.not(after[at]);
            // φ ∧ guard ∧ ¬ψ[updates]
            match self.solver.check_assuming(store, &[phi, guard, not_after]) {
                Answer::Unsat => verdicts[at] = Some(true),
                Answer::Unknown(_) => continue,
                Answer::Sat => {
                    for (verdict, &after) in verdicts[at..].iter_mut().zip(&after[at..]) {
                        let value = verdict.is_none().then(|| self.solver.value(store, after));
                        if value.flatten().is_some_and(|value| !value.is_true()) {
                            *verdict = Some(false);
                        }
                    }
                }
            }
        }
        for (&psi, verdict) in psis.iter().zip(&verdicts) {
            if let Some(verdict) = verdict {
                self.together.insert((phi, step, psi), *verdict);
            }
        }
        Some(verdicts.into_iter().map(|verdict| verdict == Some(true)).collect())
    }

    /// φ → ψ at one location.
    pub fn implication(&mut self, store: &mut TermStore, phi: Term, psi: Term) -> Verdict {
        let key = (phi, None, psi);
        if let Some(verdict) = self.remembered(key) {
            return verdict;
        }
        let not_psi = store.not(psi);
        // φ ∧ ¬ψ
        self.ask(store, key, &[phi, not_psi])
    }

    /// φ ↔ ψ at one location; the counterexample satisfies one of them.
    pub fn equivalence(&mut self, store: &mut TermStore, phi: Term, psi: Term) -> Verdict {
        match self.implication(store, phi, psi) {
            Verdict::Holds => self.implication(store, psi, phi),
            other => other,
        }
    }

    /// Whether the formulas can hold together at one location.
    pub fn satisfiable(&mut self, store: &mut TermStore, phis: &[Term]) -> Answer {
        self.solver.check_assuming(store, phis)
    }

    pub fn solver(&mut self) -> &mut Solver {
        &mut self.solver
    }

    fn remembered(&mut self, key: (Term, Option<StepId>, Term)) -> Option<Verdict> {
        self.asked += 1;
        let known = self.known.get(&key)?;
        self.repeated += 1;
        Some(known.clone())
    }

    fn ask(
        &mut self,
        store: &mut TermStore,
        key: (Term, Option<StepId>, Term),
        query: &[Term],
    ) -> Verdict {
        let verdict = match self.solver.check_assuming(store, query) {
            Answer::Unsat => Verdict::Holds,
            Answer::Sat => {
                let variables = store.free_vars(query).into_iter();
                let value = |v| Some((v, self.solver.value(store, v)?));
                Verdict::Fails(Rc::new(Counterexample {
                    values: variables.filter_map(value).collect(),
                }))
            }
            // Asked again, a query may be answered.
            Answer::Unknown(why) => return Verdict::Unknown(why),
        };
        self.known.insert(key, verdict.clone());
        verdict
    }
}
