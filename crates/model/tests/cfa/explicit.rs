//! Explicit-state search on automata and on transition systems.

use std::collections::{BTreeSet, HashMap, VecDeque};
use wedge_logic::{ArrayValue, BitVec, Evaluator, Sort, Term, TermStore, Value};
use wedge_model::cfa::{LocationId, TargetKind};
use wedge_model::simulate_words::evaluator;
use wedge_model::{Cfa, System, WordStep, WordTrace};

/// All values of a sort of few bits.
pub fn values(sort: Sort) -> Vec<Value> {
    let numbers = 0..1u64 << sort.bits();
    match sort {
        Sort::Bv(width) => numbers.map(|n| Value::Bv(BitVec::new(width, n))).collect(),
        Sort::Array { index, element } => numbers.map(|n| array(index, element, n)).collect(),
    }
}

fn array(index: u32, element: u32, number: u64) -> Value {
    let mut array = ArrayValue::constant(index, BitVec::zero(element));
    for i in 0..1u64 << index {
        let value = BitVec::new(element, number >> (i * element as u64));
        array = array.write(&BitVec::new(index, i), &value);
    }
    Value::Array(array)
}

/// All combinations of values of the terms.
pub fn combinations(terms: &TermStore, vars: &[Term]) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for &var in vars {
        let choices = values(terms.sort(var));
        let longer = |v: &Vec<Value>| {
            let v = v.clone();
            choices.clone().into_iter().map(move |c| [v.clone(), vec![c]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// A value as a number, to be put into sets.
fn key(value: &Value) -> u64 {
    match value {
        Value::Bv(value) => value.to_u64().expect("narrow"),
        Value::Array(array) => {
            let at = |i: u64| array.read(&BitVec::new(array.index_width(), i)).to_u64();
            let width = array.default_element().width() as u64;
            (0..1 << array.index_width()).map(|i| at(i).expect("narrow") << (i * width)).sum()
        }
    }
}

fn keys(values: &[Value]) -> Vec<u64> {
    values.iter().map(key).collect()
}

/// Whether targets of kind `Error` and of kind `Limit` are reachable.
pub fn search_cfa(cfa: &Cfa) -> (bool, bool) {
    let mut found = (false, false);
    for (location, _) in reachable(cfa) {
        for target in cfa.targets.iter().filter(|target| target.location == location) {
            found.0 |= target.kind == TargetKind::Error;
            found.1 |= target.kind == TargetKind::Limit;
        }
    }
    found
}

/// All reachable states; runs end at targets.
pub fn reachable(cfa: &Cfa) -> Vec<(LocationId, Vec<Value>)> {
    let mut seen = BTreeSet::new();
    let mut queue: VecDeque<(LocationId, Vec<Value>)> = VecDeque::new();
    let mut all = Vec::new();
    for state in combinations(&cfa.terms, &cfa.variables) {
        seen.insert((cfa.entry, keys(&state)));
        queue.push_back((cfa.entry, state));
    }
    let outgoing = cfa.outgoing();
    while let Some((location, state)) = queue.pop_front() {
        let ends = cfa.targets.iter().any(|target| target.location == location);
        for &edge in outgoing[location.0 as usize].iter().filter(|_| !ends) {
            for next in edge_images(cfa, edge, &state) {
                let to = cfa.edge(edge).to;
                if seen.insert((to, keys(&next))) {
                    queue.push_back((to, next));
                }
            }
        }
        all.push((location, state));
    }
    all
}

/// The states to which an edge leads, one for each choice of the inputs that it reads.
pub fn edge_images(cfa: &Cfa, edge: wedge_model::cfa::EdgeId, state: &[Value]) -> Vec<Vec<Value>> {
    let edge = cfa.edge(edge);
    let mut roots = vec![edge.guard];
    roots.extend(edge.updates.iter().map(|&(_, value)| value));
    let mut inputs = cfa.terms.free_vars(&roots);
    inputs.retain(|t| cfa.inputs.contains(t));
    let mut images = Vec::new();
    for choice in combinations(&cfa.terms, &inputs) {
        let mut evaluator = Evaluator::new(&cfa.terms);
        let symbols = cfa.variables.iter().zip(state).chain(inputs.iter().zip(&choice));
        for (&symbol, value) in symbols {
            evaluator.assign(symbol, value.clone());
        }
        if !evaluator.holds(edge.guard).expect("assigned") {
            continue;
        }
        let mut next = state.to_vec();
        for &(variable, value) in &edge.updates {
            let place = cfa.variables.iter().position(|&v| v == variable).expect("declared");
            next[place] = evaluator.eval(value).expect("assigned").clone();
        }
        images.push(next);
    }
    images
}

/// How a state was reached first; none for a first state. A state may be a first one and also come
/// later; the flag says which is meant.
type Before = HashMap<(bool, Vec<u64>), Option<(bool, WordStep)>>;

/// For each bad of the system a shortest trace to it.
pub fn search_system(system: &System) -> Vec<Option<WordTrace>> {
    let mut traces: Vec<Option<WordTrace>> = vec![None; system.bads.len()];
    let vars: Vec<Term> = system.states.iter().map(|s| s.var).collect();
    let choices = combinations(&system.terms, &system.inputs);
    let mut before = Before::new();
    let mut queue = VecDeque::new();
    for state in combinations(&system.terms, &vars) {
        before.insert((true, keys(&state)), None);
        queue.push_back((true, state));
    }
    while let Some((first, states)) = queue.pop_front() {
        for inputs in &choices {
            let step = WordStep { states: states.clone(), inputs: inputs.clone() };
            let mut evaluator = evaluator(system, &step);
            let allowed = system.constraints.iter().all(|&c| evaluator.holds(c).expect("assigned"));
            if !allowed || (first && !starts(system, &mut evaluator, &states)) {
                continue;
            }
            for (bad, trace) in system.bads.iter().zip(&mut traces) {
                if trace.is_none() && evaluator.holds(bad.term).expect("assigned") {
                    *trace = Some(trace_to(&before, first, &step));
                }
            }
            for next in images(system, &mut evaluator) {
                before.entry((false, keys(&next))).or_insert_with(|| {
                    queue.push_back((false, next));
                    Some((first, step.clone()))
                });
            }
        }
    }
    traces
}

fn starts(system: &System, evaluator: &mut Evaluator, state: &[Value]) -> bool {
    let mut fits = |(s, v): (&wedge_model::State, &Value)| {
        s.init.is_none_or(|init| evaluator.eval(init).expect("assigned") == v)
    };
    system.states.iter().zip(state).all(&mut fits)
}

/// The next states: one, unless there are states without a next value.
fn images(system: &System, evaluator: &mut Evaluator) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for state in &system.states {
        let choices = match state.next {
            Some(next) => vec![evaluator.eval(next).expect("assigned").clone()],
            None => values(system.terms.sort(state.var)),
        };
        let longer = |v: &Vec<Value>| {
            let v = v.clone();
            choices.clone().into_iter().map(move |c| [v.clone(), vec![c]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

fn trace_to(before: &Before, first: bool, last: &WordStep) -> WordTrace {
    let mut steps = vec![last.clone()];
    let mut key = (first, keys(&last.states));
    while let Some((first, step)) = &before[&key] {
        key = (*first, keys(&step.states));
        steps.push(step.clone());
    }
    steps.reverse();
    WordTrace { steps }
}
