//! The Floyd-Hoare automaton of a refuted path (Heizmann, Hoenicke, Podelski, SAS 2009).
//!
//! Its states are assertions, and a step leads from φ to ψ wherever the triple {φ} step {ψ} holds, so
//! that every word that leads from true to false is infeasible, not only the one that the assertions
//! come from. Determinised, a state is a set of predicates, which stands for their conjunction: a
//! step leads from it to all predicates that hold afterwards. Triples are decided when the difference
//! asks where a step leads.

use super::Enhancement;
use crate::automata::{Lazy, Letter, State};
use crate::paths::{Goal, PlaceId, StepId, Unwinding};
use rustc_hash::{FxHashMap, FxHashSet};
use wedge_logic::Term;
use wedge_smt::Answer;

pub struct FloydHoare<'t, 'a> {
    tree: &'t mut Unwinding<'a>,
    /// The predicates that may be asserted at each place.
    at: FxHashMap<PlaceId, Vec<usize>>,
    predicates: Vec<Term>,
    /// The predicates of each state, in increasing order; that of [`FALSE`] means nothing.
    sets: Vec<Vec<usize>>,
    formulas: Vec<Term>,
    states: FxHashMap<Vec<usize>, State>,
    next: FxHashMap<(State, Letter), State>,
    /// The triples that the assertions were made for.
    given: Vec<Given>,
}

struct Given {
    before: Vec<usize>,
    step: StepId,
    after: Vec<usize>,
}

const TRUE: State = State(0);
const FALSE: State = State(1);

impl<'t, 'a> FloydHoare<'t, 'a> {
    /// `assertions` are those before and after each step of the word; `more` are further predicates.
    pub fn new(
        tree: &'t mut Unwinding<'a>,
        word: &[StepId],
        assertions: &[Term],
        enhancement: Enhancement,
        more: &[Term],
    ) -> FloydHoare<'t, 'a> {
        let [always, never] = [true, false].map(|value| tree.blocked.store.bool(value));
        let mut automaton = FloydHoare {
            tree,
            at: FxHashMap::default(),
            predicates: Vec::new(),
            sets: vec![Vec::new(), Vec::new()],
            formulas: vec![always, never],
            states: FxHashMap::from_iter([(Vec::new(), TRUE)]),
            next: FxHashMap::default(),
            given: Vec::new(),
        };
        let mut known = FxHashMap::default();
        let parts: Vec<Vec<usize>> = assertions
            .iter()
            .map(|&assertion| automaton.parts(assertion, enhancement, &mut known))
            .collect();
        for (place, &step) in word.iter().enumerate() {
            let (before, after) = (parts[place].clone(), parts[place + 1].clone());
            automaton.given.push(Given { before, step, after });
        }
        let known: FxHashSet<Term> = automaton.predicates.iter().copied().collect();
        automaton.predicates.extend(more.iter().filter(|predicate| !known.contains(predicate)));
        automaton
    }

    /// The predicates that make up an assertion; none for true.
    fn parts(
        &mut self,
        assertion: Term,
        enhancement: Enhancement,
        known: &mut FxHashMap<Term, usize>,
    ) -> Vec<usize> {
        let blocked = &self.tree.blocked;
        let mut parts = match enhancement {
            Enhancement::None => vec![assertion],
            _ => blocked.store.conjuncts(assertion),
        };
        parts.retain(|&part| !blocked.is_true(part));
        let number = |part: Term| {
            *known.entry(part).or_insert_with(|| {
                self.predicates.push(part);
                self.predicates.len() - 1
            })
        };
        parts.into_iter().map(number).collect()
    }

    pub fn predicates(&self) -> &[Term] {
        &self.predicates
    }

    /// How many states were made.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    /// What each state says.
    pub fn formulas(&self) -> Vec<Term> {
        self.formulas.clone()
    }

    fn state(&mut self, set: Vec<usize>) -> State {
        let is_false = |&predicate: &usize| self.tree.blocked.is_false(self.predicates[predicate]);
        if set.iter().any(is_false) {
            return FALSE;
        }
        if let Some(&known) = self.states.get(&set) {
            return known;
        }
        let terms: Vec<Term> = set.iter().map(|&p| self.predicates[p]).collect();
        let store = &mut self.tree.blocked.store;
        let formula = store.and_all(&terms);
        let state = match self.tree.triples.satisfiable(store, &terms) {
            Answer::Unsat => FALSE,
            Answer::Sat | Answer::Unknown(_) => State(self.sets.len() as u32),
        };
        if state != FALSE {
            self.formulas.push(formula);
            self.sets.push(set.clone());
        }
        self.states.insert(set, state);
        state
    }

    fn successor(&mut self, from: State, step: StepId) -> State {
        let taken = self.tree.blocked.step(step);
        let (place, goal) = (taken.from, taken.to);
        let set = &self.sets[from.index()];
        let is_held = |predicate: &usize| set.binary_search(predicate).is_ok();
        let given = self.given.iter().filter(|given| given.step == step);
        let given = given.filter(|given| given.before.iter().all(is_held));
        let mut holds: FxHashSet<usize> = given.flat_map(|given| &given.after).copied().collect();
        let is_false = |&predicate: &usize| self.tree.blocked.is_false(self.predicates[predicate]);
        if holds.iter().any(is_false) {
            return FALSE;
        }
        let facts = self.tree.blocked.place(place).facts;
        let phi = self.tree.blocked.store.and(facts, self.formulas[from.index()]);
        let candidates = match goal {
            Goal::Target(_) => &[],
            Goal::Place(to) => self.candidates(to),
        };
        let open: Vec<usize> = candidates.iter().copied().filter(|p| !holds.contains(p)).collect();
        let psis: Vec<Term> = open.iter().map(|&p| self.predicates[p]).collect();
        let store = &mut self.tree.blocked.store;
        // {facts ∧ φ} step {ψ} for each ψ
        let Some(after) = self.tree.triples.all_after(store, phi, step, &psis) else {
            return FALSE;
        };
        holds.extend(open.into_iter().zip(after).filter(|(_, holds)| *holds).map(|(p, _)| p));
        let mut set: Vec<usize> = holds.into_iter().collect();
        set.sort_unstable();
        self.state(set)
    }

    fn candidates(&mut self, place: PlaceId) -> &[usize] {
        let (blocked, predicates) = (&self.tree.blocked, &self.predicates);
        self.at.entry(place).or_insert_with(|| {
            let known = |&p: &usize| {
                !blocked.is_false(predicates[p]) && blocked.is_known_at(place, predicates[p])
            };
            (0..predicates.len()).filter(known).collect()
        })
    }
}

impl Lazy for FloydHoare<'_, '_> {
    fn initial(&mut self) -> State {
        TRUE
    }

    fn next(&mut self, from: State, letter: Letter) -> State {
        if let Some(&known) = self.next.get(&(from, letter)) {
            return known;
        }
        let next = self.successor(from, StepId(letter.0));
        self.next.insert((from, letter), next);
        next
    }

    fn is_accepting(&self, state: State) -> bool {
        state == FALSE
    }

    fn accepts_all(&self, state: State) -> bool {
        state == FALSE
    }

    /// More predicates allow fewer states.
    fn subsumes(&self, stronger: State, weaker: State) -> bool {
        let stronger = &self.sets[stronger.index()];
        self.sets[weaker.index()].iter().all(|predicate| stronger.binary_search(predicate).is_ok())
    }
}
