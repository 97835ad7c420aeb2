//! Values under which the memory of the environment is one memory.
//!
//! An automaton gives each read from memory of the environment a value of its own, so that a path of
//! it may read different values from one address. [`agreed`] looks for other values on the same
//! path: with M the contents of that memory, a read from address a gives M(a), and a write changes M
//! there and nothing else. Whether the result is a run of the program is for the replay to say.

use rustc_hash::{FxHashMap, FxHashSet};
use wedge_c::encode::{ChoicePointKind, Encoded, FIRST_ADDRESS, Foreign, ForeignKind};
use wedge_logic::{Sort, Substitution, Term, TermStore, Value};
use wedge_model::cfa::run::{Oracle, follow};
use wedge_model::cfa::{Edge, EdgeId, LocationId, Run};
use wedge_sat::Interrupt;
use wedge_smt::{Answer, Solver};

/// The search for values is given up after so many conflicts. A guess, not measured.
const MAX_CONFLICTS: i32 = 20_000;
/// Longer paths are not looked at: their formulas are as long.
const MAX_EDGES: usize = 100_000;

/// What keeps its value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Fixed {
    /// All but what is read from memory of the environment.
    Others,
    Nothing,
}

/// A run along the edges of this one in which the memory of the environment is one memory, if the
/// path accesses it and such values are found.
pub fn agreed(encoded: &Encoded, run: &Run) -> Option<Run> {
    let accesses = |&edge: &EdgeId| encoded.foreign.contains_key(&encoded.cfa.edge(edge).from);
    if run.edges.len() > MAX_EDGES || !run.edges.iter().any(accesses) {
        return None;
    }
    let found = |fixed| PathFormula::new(encoded, run, fixed).solve(encoded, run);
    found(Fixed::Others).or_else(|| found(Fixed::Nothing))
}

/// A path as constraints on what is chosen along it.
struct PathFormula {
    store: TermStore,
    /// What is chosen for the variables at the entry.
    initial: Vec<Term>,
    /// For each edge the inputs that it reads, and what is chosen for them.
    inputs: Vec<Vec<(Term, Term)>>,
    /// The variables in terms of what is chosen.
    values: FxHashMap<Term, Term>,
    /// The contents of the memory of the environment.
    memory: Option<Term>,
    constraints: Vec<Term>,
}

impl PathFormula {
    fn new(encoded: &Encoded, run: &Run, fixed: Fixed) -> PathFormula {
        let cfa = &encoded.cfa;
        let mut store = cfa.terms.clone();
        let mut chosen = |term: Term, value: &Value, is_fixed: bool| match is_fixed {
            true => store.value_term(value),
            false => store.fresh_var("chosen", store.sort(term)),
        };
        let is_fixed = fixed == Fixed::Others;
        let pairs = cfa.variables.iter().zip(&run.initial);
        let initial: Vec<Term> = pairs.map(|(&v, value)| chosen(v, value, is_fixed)).collect();
        let from_outside = |place: usize| {
            matches!(
                encoded.choices[place].kind,
                ChoicePointKind::Environment | ChoicePointKind::Other
            )
        };
        let choices = run.choices.iter().map(|(place, value)| {
            let input = cfa.inputs[*place];
            (input, chosen(input, value, is_fixed && !from_outside(*place)))
        });
        let choices: Vec<(Term, Term)> = choices.collect();
        let mut formula = PathFormula {
            store,
            values: cfa.variables.iter().copied().zip(initial.iter().copied()).collect(),
            initial,
            inputs: by_edge(encoded, run, choices),
            memory: None,
            constraints: Vec::new(),
        };
        for (number, &edge) in run.edges.iter().enumerate() {
            let edge = cfa.edge(edge);
            let accesses = encoded.foreign.get(&edge.from);
            formula.take(edge, number, accesses.map_or(&[], Vec::as_slice));
        }
        formula
    }

    fn take(&mut self, edge: &Edge, number: usize, accesses: &[Foreign]) {
        let inputs = self.inputs[number].iter().copied();
        let pairs = self.values.iter().map(|(&variable, &value)| (variable, value));
        let mut now = Substitution::new(pairs.chain(inputs));
        for access in accesses {
            self.access(access, &mut now);
        }
        self.constraints.push(now.apply(&mut self.store, edge.guard));
        let new = edge
            .updates
            .iter()
            .map(|&(variable, value)| (variable, now.apply(&mut self.store, value)));
        let new: Vec<(Term, Term)> = new.collect();
        self.values.extend(new);
    }

    fn access(&mut self, access: &Foreign, now: &mut Substitution) {
        let store = &mut self.store;
        let address = now.apply(store, access.address);
        let value = now.apply(store, access.value);
        let (index, width) = (store.width(address), store.width(value));
        let sort = Sort::Array { index, element: 8 };
        let memory = *self.memory.get_or_insert_with(|| store.fresh_var("environment", sort));
        // Null and its neighbourhood belong to nobody.
        let first = store.number(index, FIRST_ADDRESS);
        let exists = store.ule(first, address);
        let condition = match access.kind {
            ForeignKind::Read { condition } | ForeignKind::Write { condition, .. } => condition,
        };
        let condition = now.apply(store, condition);
        self.constraints.push(store.implies(condition, exists));
        let mut written = memory;
        for byte in 0..width / 8 {
            let offset = store.number(index, u64::from(byte));
            let place = store.add(address, offset);
            let part = store.slice(value, 8 * byte + 7, 8 * byte);
            match access.kind {
                // value = M(address)
                ForeignKind::Read { .. } => {
                    let there = store.read(memory, place);
                    let same = store.eq(there, part);
                    self.constraints.push(same);
                }
                ForeignKind::Write { .. } => written = store.write(written, place, part),
            }
        }
        let ForeignKind::Write { kept, .. } = &access.kind else { return };
        // M' = M with the value at the address, and nothing else changes
        self.memory = Some(store.ite(condition, written, memory));
        for &(old, new) in kept {
            let (old, new) = (now.apply(store, old), now.apply(store, new));
            let same = store.eq(old, new);
            self.constraints.push(store.implies(condition, same));
        }
    }

    fn solve(mut self, encoded: &Encoded, run: &Run) -> Option<Run> {
        let mut solver = Solver::new(&Interrupt::default());
        solver.set_conflicts(Some(MAX_CONFLICTS));
        for &constraint in &self.constraints {
            solver.assert(&mut self.store, constraint);
        }
        if solver.check(&mut self.store) != Answer::Sat {
            return None;
        }
        let mut value = |&term: &Term| {
            let found = solver.value(&self.store, term);
            found.unwrap_or_else(|| Value::zero(self.store.sort(term)))
        };
        let variables = encoded.cfa.variables.iter().copied();
        let initial = variables.zip(self.initial.iter().map(&mut value)).collect();
        let inputs = self
            .inputs
            .iter()
            .map(|inputs| inputs.iter().map(|(input, chosen)| (*input, value(chosen))).collect());
        let mut oracle = Chosen { initial, inputs: inputs.collect(), encoded, taken: 0 };
        let again = follow(&encoded.cfa, &mut oracle, run.edges.len()).ok()?;
        (again.target == run.target).then_some(again)
    }
}

/// What was chosen along a run, edge by edge.
fn by_edge(encoded: &Encoded, run: &Run, choices: Vec<(Term, Term)>) -> Vec<Vec<(Term, Term)>> {
    let cfa = &encoded.cfa;
    let all: FxHashSet<Term> = cfa.inputs.iter().copied().collect();
    let mut counts: FxHashMap<EdgeId, usize> = FxHashMap::default();
    let mut rest = choices.into_iter();
    let of_edge = |edge: &EdgeId| {
        let count = *counts.entry(*edge).or_insert_with(|| {
            let roots: Vec<Term> = cfa.edge(*edge).roots().collect();
            cfa.terms.free_vars(&roots).iter().filter(|term| all.contains(term)).count()
        });
        rest.by_ref().take(count).collect()
    };
    run.edges.iter().map(of_edge).collect()
}

/// Follows the path with the values that were found.
struct Chosen<'a> {
    initial: FxHashMap<Term, Value>,
    inputs: Vec<FxHashMap<Term, Value>>,
    encoded: &'a Encoded,
    taken: usize,
}

impl Oracle for Chosen<'_> {
    fn initial(&mut self, variable: Term) -> Value {
        self.initial[&variable].clone()
    }

    fn input(&mut self, input: Term) -> Value {
        let known = self.inputs.get(self.taken).and_then(|inputs| inputs.get(&input));
        known.cloned().unwrap_or_else(|| Value::zero(self.encoded.cfa.terms.sort(input)))
    }

    fn taken(&mut self, _: EdgeId, _: &[Term]) {
        self.taken += 1;
    }

    fn reached(&mut self, _: LocationId) -> bool {
        true
    }
}
