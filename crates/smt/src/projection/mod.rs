//! Quantifiers over words and arrays, removed where that is possible.
//!
//! Dietsch, Heizmann, Musa, Nutz, Podelski, "Craig vs. Newton in Software Model Checking"
//! (ESEC/FSE 2017), section 7. An existential quantifier goes in this order, each step exact:
//!
//! 1. it moves into disjunctions, and past conjuncts that do not read its variables;
//! 2. destructive equality resolution, also through operators that can be inverted ([`equality`]);
//! 3. an array that is only read becomes the elements that are read ([`elements`]);
//! 4. unconnected parameters are dropped ([`groups`]);
//! 5. choices between words become cases, of which there may be few ([`cases`]);
//! 6. few bits are projected on a graph ([`bits`]);
//! 7. models are generalised until they cover everything ([`models`]).
//!
//! What is left stays quantified; on the right of an implication it is decided by instantiation
//! ([`Quantified::implied_by`]), with three answers.

mod bits;
mod cases;
mod elements;
mod equality;
mod groups;
mod models;
mod quantified;

pub use models::model_based;
pub use quantified::Quantified;

use crate::solver::{Answer, Solver};
use crate::terms::conjuncts;
use rustc_hash::FxHashSet;
use wedge_logic::{Op, Term, TermStore};
use wedge_sat::Interrupt;

/// Equalities and arrays that are resolved in one conjunction.
const MAX_ROUNDS: usize = 10_000;

/// What removing quantifiers may cost.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Parts of a disjunction that are looked at one by one.
    pub disjuncts: usize,
    /// Bits that are projected on a graph, and the gates that this may take.
    pub bits: u64,
    pub gates: usize,
    /// Models that are generalised.
    pub models: usize,
    /// Instances of what stays quantified.
    pub instances: usize,
    /// Conflicts of each query.
    pub conflicts: i32,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            disjuncts: 16,
            bits: 128,
            gates: 4000,
            models: 8,
            instances: 32,
            conflicts: 10_000,
        }
    }
}

/// ∃ variables. formula, with as few variables as can be.
pub fn exists(
    store: &mut TermStore,
    variables: &[Term],
    formula: Term,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Quantified {
    let mut projection = Projection { store, limits, interrupt, cases: limits.disjuncts };
    let quantified: FxHashSet<Term> = variables.iter().copied().collect();
    projection.exists(quantified, formula)
}

/// ∀ variables. formula, as the negation of ∃ variables. ¬formula: the result is what does not
/// hold somewhere.
pub fn forall(
    store: &mut TermStore,
    variables: &[Term],
    formula: Term,
    limits: &Limits,
    interrupt: &Interrupt,
) -> Result<Term, Quantified> {
    let negated = store.not(formula);
    let somewhere_not = exists(store, variables, negated, limits, interrupt);
    match somewhere_not.variables.is_empty() {
        true => Ok(store.not(somewhere_not.body)),
        false => Err(somewhere_not),
    }
}

struct Projection<'a> {
    store: &'a mut TermStore,
    limits: &'a Limits,
    interrupt: &'a Interrupt,
    /// How many choices may still be split.
    cases: usize,
}

impl Projection<'_> {
    fn exists(&mut self, variables: FxHashSet<Term>, formula: Term) -> Quantified {
        let occurring = self.occurring(&variables, formula);
        if occurring.is_empty() || self.interrupt.is_raised() {
            return Quantified { variables: sorted(occurring), body: formula };
        }
        match self.disjuncts(formula) {
            Some(parts) => self.disjunction(occurring, parts),
            None => self.conjunction(occurring, formula),
        }
    }

    fn occurring(&self, variables: &FxHashSet<Term>, formula: Term) -> FxHashSet<Term> {
        let free = self.store.free_vars(&[formula]);
        free.into_iter().filter(|v| variables.contains(v)).collect()
    }

    /// The parts of a disjunction, if it is one and they are few.
    fn disjuncts(&mut self, formula: Term) -> Option<Vec<Term>> {
        let inner = match self.store.op(formula) {
            Op::Not => self.store.args(formula)[0],
            _ => return None,
        };
        let parts = conjuncts(self.store, inner);
        let few = 1 < parts.len() && parts.len() <= self.limits.disjuncts;
        few.then(|| parts.into_iter().map(|part| self.store.not(part)).collect())
    }

    /// ∃x. A ∨ B is ∃x. A or ∃x. B.
    fn disjunction(&mut self, variables: FxHashSet<Term>, parts: Vec<Term>) -> Quantified {
        let mut left = FxHashSet::default();
        let mut bodies = Vec::new();
        for part in parts {
            let projected = self.exists(variables.clone(), part);
            left.extend(projected.variables);
            bodies.push(projected.body);
        }
        Quantified { variables: sorted(left), body: self.store.or_all(&bodies) }
    }

    fn conjunction(&mut self, variables: FxHashSet<Term>, formula: Term) -> Quantified {
        let mut work = Work { variables, conjuncts: conjuncts(self.store, formula) };
        for _ in 0..MAX_ROUNDS {
            let resolved = equality::resolve(self.store, &mut work);
            if !resolved && !elements::replace(self.store, &mut work) {
                break;
            }
            work.simplify(self.store);
        }
        self.groups(work)
    }

    /// Each group of conjuncts that share quantified variables by itself.
    fn groups(&mut self, work: Work) -> Quantified {
        let mut left = FxHashSet::default();
        let mut bodies = Vec::new();
        for group in groups::split(self.store, work) {
            let body = self.store.and_all(&group.conjuncts);
            let occurring = self.occurring(&group.variables, body);
            match occurring.is_empty() {
                true => bodies.push(body),
                false => {
                    let projected = self.group(occurring, body);
                    left.extend(projected.variables);
                    bodies.push(projected.body);
                }
            }
        }
        Quantified { variables: sorted(left), body: self.store.and_all(&bodies) }
    }

    fn group(&mut self, variables: FxHashSet<Term>, body: Term) -> Quantified {
        let free = self.store.free_vars(&[body]);
        if free.iter().all(|v| variables.contains(v))
            && let Some(holds) = self.satisfiable(body)
        {
            return Quantified { variables: Vec::new(), body: self.store.bool(holds) };
        }
        // A group that is a disjunction may fall apart again.
        if let Some(parts) = self.disjuncts(body) {
            return self.disjunction(variables, parts);
        }
        if self.cases > 0
            && let Some(cases) = cases::split(self.store, &variables, body)
        {
            self.cases -= 1;
            let found = self.disjunction(variables.clone(), cases.to_vec());
            if found.variables.is_empty() {
                return found;
            }
        }
        if let Some(body) = bits::project(self.store, &variables, body, self.limits) {
            return Quantified { variables: Vec::new(), body };
        }
        if let Some(body) = models::cover(self.store, &variables, body, self.limits, self.interrupt)
        {
            return Quantified { variables: Vec::new(), body };
        }
        Quantified { variables: sorted(variables), body }
    }

    fn satisfiable(&mut self, body: Term) -> Option<bool> {
        let mut solver = Solver::new(self.interrupt);
        solver.set_conflicts(Some(self.limits.conflicts));
        match solver.check_assuming(self.store, &[body]) {
            Answer::Sat => Some(true),
            Answer::Unsat => Some(false),
            Answer::Unknown(_) => None,
        }
    }
}

/// A conjunction under a quantifier.
struct Work {
    variables: FxHashSet<Term>,
    conjuncts: Vec<Term>,
}

impl Work {
    /// Splits what has become a conjunction; forgets what is true.
    fn simplify(&mut self, store: &TermStore) {
        let all = self.conjuncts.drain(..).flat_map(|term| conjuncts(store, term));
        let is_true = |term: &Term| store.value(*term).is_some_and(|value| value.is_one());
        let mut seen = FxHashSet::default();
        let kept: Vec<Term> = all.filter(|t| !is_true(t) && seen.insert(*t)).collect();
        self.conjuncts = kept;
    }

    /// Replaces a variable everywhere.
    fn replace(&mut self, store: &mut TermStore, variable: Term, by: Term) {
        let mut substitution = wedge_logic::Substitution::new([(variable, by)]);
        for term in &mut self.conjuncts {
            *term = substitution.apply(store, *term);
        }
        self.variables.remove(&variable);
    }
}

fn sorted(variables: FxHashSet<Term>) -> Vec<Term> {
    let mut variables: Vec<Term> = variables.into_iter().collect();
    variables.sort_unstable();
    variables
}
