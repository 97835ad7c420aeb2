//! Hoare triples {φ} step {ψ} over the edges or blocks of an automaton.
//!
//! A step is a guarded parallel assignment with inputs, so that a triple is the single query
//! `φ ∧ guard ∧ ¬ψ[updates]` over the variables before the step and the inputs: there are no
//! primed variables, and all triples share one session. "Not decided" must count as "does not
//! hold".

use crate::decider::Decider;
use crate::slices::{Slices, Variables};
use crate::solver::{Answer, Why};
use rustc_hash::{FxHashMap, FxHashSet};
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
    solver: Decider,
    steps: Vec<Step>,
    known: FxHashMap<(Term, Option<StepId>, Term), Verdict>,
    /// Whether conjuncts imply a term, decided together with others.
    together: FxHashMap<(Rc<[Term]>, Term), bool>,
    variables: Variables,
    /// Triples that were asked for, and those of them that were known already.
    pub asked: u64,
    pub repeated: u64,
}

impl Triples {
    pub fn new(interrupt: &Interrupt) -> Triples {
        Triples::over(Decider::bits(interrupt))
    }

    pub fn over(solver: Decider) -> Triples {
        let (known, together, variables) = Default::default();
        Triples { solver, steps: Vec::new(), known, together, variables, asked: 0, repeated: 0 }
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
    /// the step. A state that refutes one triple is tried on the others, what a step leaves alone
    /// is not asked for, and of φ and the guard only what is connected with ψ by variables counts.
    ///
    /// Requires: φ can hold; if it cannot, some triples may seem not to hold.
    pub fn all_after(
        &mut self,
        store: &mut TermStore,
        phi: Term,
        step: StepId,
        psis: &[Term],
    ) -> Option<Vec<bool>> {
        let Step { guard, updates } = &mut self.steps[step.0 as usize];
        let guard = *guard;
        let after: Vec<Term> = psis.iter().map(|&psi| updates.apply(store, psi)).collect();
        let given = store.conjuncts(phi);
        let slices = Slices::new(store, &given, &store.conjuncts(guard), &mut self.variables);
        if self.is_refuted(store, slices.of_step()) {
            return None;
        }
        let mut verdicts: Vec<Option<bool>> = Vec::new();
        let mut of: Vec<Rc<[Term]>> = Vec::new();
        for &after in &after {
            let is_kept = store.value(after).is_some_and(|v| v.is_one()) || given.contains(&after);
            let slice = slices.of(store, after, &mut self.variables);
            // What shares no variables says nothing.
            let known = match slice.is_empty() {
                true => Some(false),
                false => self.together.get(&(slice.clone(), after)).copied(),
            };
            verdicts.push(is_kept.then_some(true).or(known));
            of.push(slice);
        }
        for at in 0..psis.len() {
            if verdicts[at].is_none() {
                self.decide(store, at, &after, &of, &mut verdicts);
            }
        }
        Some(verdicts.into_iter().map(|verdict| verdict == Some(true)).collect())
    }

    /// Decides slice → after for one of the queries, and for those with the same slice that its
    /// counterexample refutes.
    fn decide(
        &mut self,
        store: &mut TermStore,
        at: usize,
        after: &[Term],
        slices: &[Rc<[Term]>],
        verdicts: &mut [Option<bool>],
    ) {
        self.asked += 1;
        let slice = &slices[at];
        let not_after = store.not(after[at]);
        let query: Vec<Term> = slice.iter().copied().chain([not_after]).collect();
        // φ ∧ guard ∧ ¬ψ[updates]
        let holds = match self.solver.check_assuming(store, &query) {
            Answer::Unknown(_) => return,
            Answer::Unsat => true,
            Answer::Sat => false,
        };
        verdicts[at] = Some(holds);
        self.together.insert((slice.clone(), after[at]), holds);
        let alike = (at + 1..after.len()).filter(|&other| !holds && slices[other] == *slice);
        for other in alike {
            let value = verdicts[other].is_none().then(|| self.solver.value(store, after[other]));
            if value.flatten().is_some_and(|value| !value.is_true()) {
                verdicts[other] = Some(false);
                self.together.insert((slice.clone(), after[other]), false);
            }
        }
    }

    /// Whether the conjuncts cannot hold together; not if that is not decided.
    fn is_refuted(&mut self, store: &mut TermStore, conjuncts: Rc<[Term]>) -> bool {
        self.asked += 1;
        let never = store.bool(false);
        if let Some(&known) = self.together.get(&(conjuncts.clone(), never)) {
            self.repeated += 1;
            return known;
        }
        let answer = self.solver.check_assuming(store, &conjuncts);
        let is_refuted = answer == Answer::Unsat;
        if is_refuted || answer == Answer::Sat {
            self.together.insert((conjuncts, never), is_refuted);
        }
        is_refuted
    }

    /// φ → ψ at one location.
    pub fn implication(&mut self, store: &mut TermStore, phi: Term, psi: Term) -> Verdict {
        let key = (phi, None, psi);
        if let Some(verdict) = self.remembered(key) {
            return verdict;
        }
        if says(store, phi, psi) {
            return Verdict::Holds;
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

    pub fn solver(&mut self) -> &mut Decider {
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

/// Whether each conjunct of ψ is one of φ.
fn says(store: &TermStore, phi: Term, psi: Term) -> bool {
    let given: FxHashSet<Term> = store.conjuncts(phi).into_iter().collect();
    let is_given =
        |term: &Term| given.contains(term) || store.value(*term).is_some_and(|v| v.is_one());
    store.conjuncts(psi).iter().all(is_given)
}
