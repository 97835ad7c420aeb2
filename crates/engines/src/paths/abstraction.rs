//! Predicate abstraction: the strongest formula over given predicates that holds after a step
//! (Graf, Saïdi, CAV 1997; Ball, Podelski, Rajamani, TACAS 2001).
//!
//! For the predicates π₁ … πₙ of the place where a step leads, the cartesian abstraction says which
//! of them have one value after the step. The boolean one goes on with the others: values for all of
//! them are tried; if they are possible, they are ticked off, and if not, the unsat core says for how
//! few of them that is so, which is a clause of the abstraction and excludes many values at once.
//! What is left undecided weakens the abstraction, which stays sound.

use super::blocked::{Blocked, PlaceId};
use super::graph::NodeId;
use super::unwinding::Unwinding;
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::{Op, Substitution, Term, TermStore};
use wedge_sat::Interrupt;
use wedge_smt::{Answer, Solver, StepId};

/// Predicates beyond these are abstracted one by one.
const TOGETHER: usize = 10;
/// Values of predicates that are tried for one abstraction.
const TRIED: usize = 160;
/// A formula with more atoms is one predicate.
const ATOMS: usize = 6;

/// How predicates are abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    Boolean,
    Cartesian,
}

/// Where a predicate counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    Place,
    /// At all places of the function of its place.
    Function,
    Global,
}

/// What of an assertion becomes predicates.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Grain {
    Atoms,
    Whole,
}

/// The predicates of each place; they only become more.
pub struct Predicates {
    scope: Scope,
    sets: Vec<Vec<Term>>,
    known: Vec<FxHashSet<Term>>,
}

impl Predicates {
    pub fn new(blocked: &Blocked, scope: Scope) -> Predicates {
        let known = vec![FxHashSet::default(); blocked.places.len()];
        Predicates { scope, sets: vec![Vec::new(); blocked.places.len()], known }
    }

    pub fn at(&self, place: PlaceId) -> &[Term] {
        &self.sets[place.index()]
    }

    /// Whether the predicate is among the first `count` of a place.
    pub fn has(&self, place: PlaceId, count: usize, predicate: Term) -> bool {
        self.at(place)[..count].contains(&predicate)
    }

    /// Adds a predicate that was found at a place, there and at the other places of its scope where
    /// all its variables are live: elsewhere steps do not say what becomes of them.
    pub fn add(&mut self, blocked: &Blocked, place: PlaceId, predicate: Term) {
        if !self.insert(place, predicate) {
            return;
        }
        let function = |place: PlaceId| blocked.function(place);
        for other in (0..blocked.places.len() as u32).map(PlaceId) {
            let is_meant = match self.scope {
                Scope::Place => return,
                Scope::Function => function(other).is_some() && function(other) == function(place),
                Scope::Global => true,
            };
            if is_meant && blocked.is_known_at(other, predicate) {
                self.insert(other, predicate);
            }
        }
    }

    fn insert(&mut self, place: PlaceId, predicate: Term) -> bool {
        let new = self.known[place.index()].insert(predicate);
        if new {
            self.sets[place.index()].push(predicate);
        }
        new
    }

    /// How many different predicates there are.
    pub fn count(&self) -> usize {
        self.known.iter().flatten().collect::<FxHashSet<_>>().len()
    }
}

/// The predicates that an assertion consists of, none of them negated or constant.
pub fn predicates_of(store: &mut TermStore, assertion: Term, grain: Grain) -> Vec<Term> {
    let mut atoms = Vec::new();
    if grain == Grain::Atoms {
        let mut stack = vec![assertion];
        let mut seen = FxHashSet::default();
        while let Some(term) = stack.pop() {
            match store.op(term) {
                _ if !seen.insert(term) => {}
                Op::And | Op::Not => stack.extend_from_slice(store.args(term)),
                _ => atoms.push(term),
            }
        }
    }
    if atoms.is_empty() || atoms.len() > ATOMS {
        atoms = vec![if store.op(assertion) == Op::Not { store.not(assertion) } else { assertion }];
    }
    atoms.retain(|&atom| !store.is_const(atom));
    atoms
}

/// All abstractions of one automaton, in one solver session.
pub struct Abstraction {
    domain: Domain,
    solver: Solver,
    updates: FxHashMap<StepId, Substitution>,
    known: FxHashMap<(Term, StepId, Vec<Term>), Option<Term>>,
    pub computed: u64,
}

impl Abstraction {
    pub fn new(domain: Domain, interrupt: &Interrupt) -> Abstraction {
        Abstraction {
            domain,
            solver: Solver::new(interrupt),
            updates: FxHashMap::default(),
            known: FxHashMap::default(),
            computed: 0,
        }
    }

    /// Adds the node that a step leads to, with what the predicates say there; none if the step
    /// leads nowhere.
    pub fn add(
        &mut self,
        tree: &mut Unwinding,
        parent: NodeId,
        (step, to): (StepId, PlaceId),
        predicates: &[Term],
    ) -> Option<NodeId> {
        let formula = tree.graph.node(parent).formula;
        let post = self.post(&mut tree.blocked, formula, step, predicates)?;
        let facts = tree.blocked.place(to).facts;
        let formula = tree.blocked.store.and(facts, post);
        let child = tree.graph.add(parent, step, to, formula);
        tree.open.push_back(child);
        Some(child)
    }

    /// What the predicates say after a step from states with the formula; none if the step is not
    /// possible.
    pub fn post(
        &mut self,
        blocked: &mut Blocked,
        formula: Term,
        step: StepId,
        predicates: &[Term],
    ) -> Option<Term> {
        let key = (formula, step, predicates.to_vec());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        self.computed += 1;
        let taken = blocked.step(step);
        let given = [formula, taken.guard];
        let new = || Substitution::new(taken.updates.iter().copied());
        let updates = self.updates.entry(step).or_insert_with(new);
        let after: Vec<Term> =
            predicates.iter().map(|&p| updates.apply(&mut blocked.store, p)).collect();
        // φ ∧ guard
        let post = match self.solver.check_assuming(&mut blocked.store, &given) {
            Answer::Unsat => None,
            _ => Some(self.over(&mut blocked.store, &given, predicates, &after)),
        };
        self.known.insert(key, post);
        post
    }

    fn over(
        &mut self,
        store: &mut TermStore,
        given: &[Term],
        predicates: &[Term],
        after: &[Term],
    ) -> Term {
        let mut facts = Vec::new();
        let mut undecided = Vec::new();
        // Values of all predicates that were seen together.
        let mut seen: Vec<Vec<bool>> = self.values(store, after).into_iter().collect();
        for (place, &predicate) in predicates.iter().enumerate() {
            let first = seen.first().is_none_or(|values| values[place]);
            if seen.iter().any(|values| values[place] != first) {
                undecided.push(place);
                continue;
            }
            let other = if first { store.not(after[place]) } else { after[place] };
            // φ ∧ guard ∧ ¬π[updates]
            match self.solver.check_assuming(store, &[given[0], given[1], other]) {
                Answer::Unsat => facts.push(if first { predicate } else { store.not(predicate) }),
                Answer::Sat => {
                    seen.extend(self.values(store, after));
                    undecided.push(place);
                }
                Answer::Unknown(_) => {}
            }
        }
        if self.domain == Domain::Boolean && undecided.len() > 1 {
            undecided.truncate(TOGETHER);
            let clauses = self.clauses(store, given, predicates, after, &undecided, &seen);
            facts.extend(clauses);
        }
        store.and_all(&facts)
    }

    fn values(&mut self, store: &TermStore, after: &[Term]) -> Option<Vec<bool>> {
        after.iter().map(|&p| Some(self.solver.value(store, p)?.is_true())).collect()
    }

    /// Clauses over the undecided predicates that hold after the step.
    fn clauses(
        &mut self,
        store: &mut TermStore,
        given: &[Term],
        predicates: &[Term],
        after: &[Term],
        undecided: &[usize],
        seen: &[Vec<bool>],
    ) -> Vec<Term> {
        let number = |values: &[bool]| {
            undecided.iter().enumerate().map(|(bit, &p)| usize::from(values[p]) << bit).sum()
        };
        let mut is_done = vec![false; 1 << undecided.len()];
        seen.iter().for_each(|values| {
            let at: usize = number(values);
            is_done[at] = true;
        });
        let mut clauses = Vec::new();
        for _ in 0..TRIED {
            let Some(open) = is_done.iter().position(|done| !done) else { break };
            let literals: Vec<Term> = (0..undecided.len())
                .map(|bit| {
                    let term = after[undecided[bit]];
                    if open >> bit & 1 == 1 { term } else { store.not(term) }
                })
                .collect();
            let query: Vec<Term> = given.iter().chain(&literals).copied().collect();
            // φ ∧ guard ∧ ±π₁[updates] ∧ … ∧ ±πₙ[updates]
            match self.solver.check_assuming(store, &query) {
                Answer::Unsat => {
                    let core = self.solver.core().expect("the answer has a core").clone();
                    let needed = |bit: &usize| core.assumptions.contains(&literals[*bit]);
                    let needed: Vec<usize> = (0..undecided.len()).filter(needed).collect();
                    let mask: usize = needed.iter().map(|bit| 1 << bit).sum();
                    let excluded = |at: usize| at & mask == open & mask;
                    (0..is_done.len()).filter(|&at| excluded(at)).for_each(|at| is_done[at] = true);
                    let clause: Vec<Term> = needed
                        .iter()
                        .map(|&bit| {
                            let predicate = predicates[undecided[bit]];
                            if open >> bit & 1 == 1 { store.not(predicate) } else { predicate }
                        })
                        .collect();
                    clauses.push(store.or_all(&clause));
                }
                _ => is_done[open] = true,
            }
        }
        clauses
    }
}
