//! Whether a run takes all steps of a path.
//!
//! A path is executed symbolically: the values after each step are terms over the variables at the
//! entry and over copies of inputs, so that a path is feasible if the guards, in those terms, hold
//! together. What has been executed is remembered, and one solver session answers all questions,
//! so that paths with a common beginning cost what is new in them. The guard of a large block says
//! much that has nothing to do with why a path is infeasible; guards are assumed conjunct by
//! conjunct, so that an unsat core leaves out what is not needed.

use super::arithmetic::bound_all;
use super::blocked::Blocked;
use super::parts::guards;
use crate::contract::{AutomatonOutcome, UnknownReason};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;
use wedge_logic::{Substitution, Term, TermStore, Value};
use wedge_model::cfa::run::{Oracle, follow};
use wedge_model::cfa::{EdgeId, LocationId};
use wedge_sat::Interrupt;
use wedge_smt::{Answer, Integers, Solver, StepId, Why};

/// No run has more edges.
const MAX_EDGES: usize = 10_000_000;

/// A path that no run takes.
#[derive(Clone, Debug)]
pub struct Infeasible {
    pub steps: Vec<StepId>,
    /// What of the guards of the steps cannot hold together; true where nothing is needed.
    pub guards: Vec<Term>,
}

impl Infeasible {
    /// A path of which nothing is known to be superfluous.
    pub fn whole(blocked: &Blocked, steps: Vec<StepId>) -> Infeasible {
        Infeasible { guards: guards(blocked, &steps), steps }
    }
}

#[derive(Clone, Debug)]
pub enum Feasibility {
    /// [`Paths::run`] gives a run along the path.
    Feasible,
    Infeasible(Infeasible),
    /// Integers take the path, but no run does.
    Overapproximated,
    Unknown(Why),
}

type State = u32;

struct Executed {
    /// The conjuncts of the guard of the step that leads here.
    guard: Vec<Term>,
    /// The values of the variables that were assigned on the way.
    values: Rc<FxHashMap<Term, Term>>,
}

/// All paths from the entry that were asked about.
pub struct Paths {
    states: Vec<Executed>,
    known: FxHashMap<(State, StepId), State>,
    pub solver: Solver,
    /// Who is asked first, where words are integers.
    integers: Option<Integers>,
}

impl Paths {
    pub fn new(interrupt: &Interrupt) -> Paths {
        let root = Executed { guard: Vec::new(), values: Rc::default() };
        let solver = Solver::new(interrupt);
        Paths { states: vec![root], known: FxHashMap::default(), solver, integers: None }
    }

    /// The same where words are integers.
    pub fn over(self, integers: Option<Integers>) -> Paths {
        Paths { integers, ..self }
    }

    /// The states after each of the steps.
    fn states(&mut self, blocked: &mut Blocked, steps: &[StepId]) -> Vec<State> {
        let mut state = 0;
        let mut states = Vec::with_capacity(steps.len());
        for (place, &step) in steps.iter().enumerate() {
            state = match self.known.get(&(state, step)) {
                Some(&next) => next,
                None => self.execute(blocked, state, step, place),
            };
            states.push(state);
        }
        states
    }

    /// The conjuncts of the guards of the steps, in terms of the values at the entry and of inputs.
    fn guards(&mut self, blocked: &mut Blocked, steps: &[StepId]) -> Vec<Term> {
        let states = self.states(blocked, steps).into_iter();
        states.flat_map(|state| self.states[state as usize].guard.iter().copied()).collect()
    }

    fn execute(&mut self, blocked: &mut Blocked, from: State, step: StepId, place: usize) -> State {
        let executed = blocked.step(step).clone();
        let copies = executed.inputs.iter().map(|&input| (input, blocked.copy(input, place)));
        let copies: Vec<(Term, Term)> = copies.collect();
        let before = &self.states[from as usize].values;
        let pairs = before.iter().map(|(&variable, &value)| (variable, value)).chain(copies);
        let mut substitution = Substitution::new(pairs);
        let mut values = (**before).clone();
        let conjuncts = blocked.store.conjuncts(executed.guard).into_iter();
        let guard = conjuncts.map(|term| substitution.apply(&mut blocked.store, term)).collect();
        for &(variable, value) in &executed.updates {
            values.insert(variable, substitution.apply(&mut blocked.store, value));
        }
        let state = self.states.len() as State;
        self.states.push(Executed { guard, values: Rc::new(values) });
        self.known.insert((from, step), state);
        state
    }

    /// The formula over the variables after the steps, in terms of the values at the entry and of
    /// inputs.
    pub fn after(&mut self, blocked: &mut Blocked, steps: &[StepId], formula: Term) -> Term {
        let state = self.state(blocked, steps);
        let values = self.states[state as usize].values.clone();
        let pairs = values.iter().map(|(&variable, &value)| (variable, value));
        Substitution::new(pairs).apply(&mut blocked.store, formula)
    }

    fn state(&mut self, blocked: &mut Blocked, steps: &[StepId]) -> State {
        self.states(blocked, steps).last().copied().unwrap_or(0)
    }

    /// Requires: the steps begin at the entry and follow one another.
    pub fn check(&mut self, blocked: &mut Blocked, steps: &[StepId]) -> Feasibility {
        let guards = self.guards(blocked, steps);
        if let Some(&never) = guards.iter().find(|&&guard| blocked.is_false(guard)) {
            return Feasibility::Infeasible(self.infeasible(blocked, steps, &[never]));
        }
        if let Some(integers) = &mut self.integers {
            bound_all(integers, &mut blocked.store, &guards);
            match integers.explain(&mut blocked.store, &guards) {
                Answer::Sat => {}
                Answer::Unknown(why) => return Feasibility::Unknown(why),
                Answer::Unsat => {
                    let core = integers.core().unwrap_or_default().to_vec();
                    return Feasibility::Infeasible(self.infeasible(blocked, steps, &core));
                }
            }
        }
        // guard₀(s₀) ∧ guard₁(s₁) ∧ …
        match self.solver.check_assuming(&mut blocked.store, &guards) {
            Answer::Sat => Feasibility::Feasible,
            Answer::Unknown(why) => Feasibility::Unknown(why),
            Answer::Unsat if self.integers.is_some() => Feasibility::Overapproximated,
            Answer::Unsat => {
                let core = self.solver.small_core(&mut blocked.store);
                Feasibility::Infeasible(self.infeasible(blocked, steps, &core))
            }
        }
    }

    /// Whether a run takes the steps; not if that is not decided.
    ///
    /// Requires: the steps begin at the entry and follow one another.
    pub fn is_feasible(&mut self, blocked: &mut Blocked, steps: &[StepId]) -> bool {
        let guards = self.guards(blocked, steps);
        self.solver.check_assuming(&mut blocked.store, &guards) == Answer::Sat
    }

    /// The path with those conjuncts of its guards that are in the core; of equal ones the last.
    fn infeasible(&mut self, blocked: &mut Blocked, steps: &[StepId], core: &[Term]) -> Infeasible {
        let mut missing: FxHashSet<Term> = core.iter().copied().collect();
        let states = self.states(blocked, steps);
        let mut guards = vec![blocked.store.bool(true); steps.len()];
        for (place, &state) in states.iter().enumerate().rev() {
            let conjuncts = blocked.store.conjuncts(blocked.step(steps[place]).guard).into_iter();
            let executed = self.states[state as usize].guard.iter();
            let needed = conjuncts.zip(executed).filter(|(_, term)| missing.remove(term));
            let needed: Vec<Term> = needed.map(|(conjunct, _)| conjunct).collect();
            guards[place] = blocked.store.and_all(&needed);
        }
        Infeasible { steps: steps.to_vec(), guards }
    }

    /// Why no run takes the shortest beginning of the path that no run takes: guards after it are not
    /// needed.
    pub fn shortest(&mut self, blocked: &mut Blocked, path: Infeasible) -> Infeasible {
        let mut path = path;
        while let Some(last) = path.guards.iter().rposition(|&guard| !blocked.is_true(guard)) {
            match self.check(blocked, &path.steps[..last]) {
                Feasibility::Infeasible(shorter) => {
                    path.guards.fill(blocked.store.bool(true));
                    path.guards[..last].copy_from_slice(&shorter.guards);
                }
                Feasibility::Feasible | Feasibility::Overapproximated | Feasibility::Unknown(_) => {
                    break;
                }
            }
        }
        path
    }

    /// Whether every run along the steps ends in a state that satisfies the formula; not if that
    /// is not decided.
    pub fn implies(&mut self, blocked: &mut Blocked, steps: &[StepId], formula: Term) -> bool {
        let mut query = self.guards(blocked, steps);
        let after = self.after(blocked, steps, formula);
        query.push(blocked.store.not(after));
        // guard₀(s₀) ∧ … ∧ ¬φ(sₙ)
        self.solver.check_assuming(&mut blocked.store, &query) == Answer::Unsat
    }

    /// Requires: the last answer of [`Paths::check`] was `Feasible`, for these steps.
    pub fn run(&mut self, blocked: &Blocked) -> AutomatonOutcome {
        let mut oracle = Found {
            blocked,
            solver: &mut self.solver,
            is_cut: blocked.places.iter().map(|place| place.location).collect(),
            place: None,
        };
        match follow(blocked.cfa, &mut oracle, MAX_EDGES) {
            Ok(run) if run.target.is_some() => AutomatonOutcome::Unsafe(run),
            Ok(_) => AutomatonOutcome::Unknown(UnknownReason::Internal(
                "a feasible path is no run of the automaton".to_string(),
            )),
            Err(error) => AutomatonOutcome::Unknown(UnknownReason::Internal(error.to_string())),
        }
    }
}

/// Values that the solver has found.
struct Found<'a, 'b> {
    blocked: &'a Blocked<'b>,
    solver: &'a mut Solver,
    is_cut: FxHashSet<LocationId>,
    /// The place of the step that the run is in.
    place: Option<usize>,
}

impl Found<'_, '_> {
    fn value(&mut self, term: Term) -> Value {
        let store: &TermStore = &self.blocked.store;
        self.solver.value(store, term).unwrap_or_else(|| Value::zero(store.sort(term)))
    }
}

impl Oracle for Found<'_, '_> {
    fn initial(&mut self, variable: Term) -> Value {
        self.value(variable)
    }

    fn input(&mut self, input: Term) -> Value {
        let place = self.place.unwrap_or(0);
        match self.blocked.known_copy(input, place) {
            Some(copy) => self.value(copy),
            None => Value::zero(self.blocked.store.sort(input)),
        }
    }

    fn taken(&mut self, _: EdgeId, _: &[Term]) {}

    fn reached(&mut self, location: LocationId) -> bool {
        if self.is_cut.contains(&location) {
            self.place = Some(self.place.map_or(0, |place| place + 1));
        }
        true
    }
}
