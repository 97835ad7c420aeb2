//! Concrete runs of an automaton: the way from a counterexample of the transition system back to
//! a path of the program.
//!
//! [`follow`] executes the automaton edge by edge on concrete values, as a caller chooses those
//! of the inputs. The cost is linear in the length of the run and the terms on it, apart from one
//! table over the terms of the automaton.

use super::graph::Graph;
use super::single_loop::SingleLoop;
use super::symbols::Symbols;
use super::{Cfa, EdgeId, LocationId};
use crate::simulate_words::{WordStep, WordTrace};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::fmt;
use wedge_logic::{Evaluator, Term, Unassigned, Value};

/// A run from the entry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    pub edges: Vec<EdgeId>,
    /// The inputs that the edges read, by their place among the inputs of the automaton, with
    /// their values, in the order of execution.
    pub choices: Vec<(usize, Value)>,
    /// The place among the targets of the one that is reached.
    pub target: Option<usize>,
    /// The values at the entry, in the order of the variables.
    pub initial: Vec<Value>,
    /// For each edge the variables that it assigns, by their place among the variables of the
    /// automaton, with their new values.
    pub assigned: Vec<Vec<(usize, Value)>>,
}

/// Why there is no such run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// A term reads a symbol that is neither variable nor input.
    Unassigned(Unassigned),
    /// No target within this many edges.
    TooLong(usize),
    /// The trace does not belong to the system.
    Shape(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            RunError::Unassigned(error) => write!(f, "{error}"),
            RunError::TooLong(edges) => write!(f, "the run has more than {edges} edges"),
            RunError::Shape(what) => write!(f, "{what}"),
        }
    }
}

impl std::error::Error for RunError {}

impl From<Unassigned> for RunError {
    fn from(error: Unassigned) -> RunError {
        RunError::Unassigned(error)
    }
}

/// Chooses the values that an automaton leaves open. Values must have the sort of their term.
pub trait Oracle {
    /// The value of a variable at the entry.
    fn initial(&mut self, variable: Term) -> Value;
    /// The value of an input for an edge out of this location. It is asked again if another edge
    /// is taken.
    fn input(&mut self, input: Term) -> Value;
    /// The edge is taken, which reads these inputs.
    fn taken(&mut self, edge: EdgeId, inputs: &[Term]);
    /// A location is reached; whether to go on.
    fn reached(&mut self, location: LocationId) -> bool;
}

/// The run that follows from the choices, until a target is reached, no guard holds, or the oracle
/// stops it.
pub fn follow(cfa: &Cfa, oracle: &mut dyn Oracle, max_edges: usize) -> Result<Run, RunError> {
    let mut walker = Walker::new(cfa);
    let mut run = Run::default();
    for &variable in &cfa.variables {
        let value = oracle.initial(variable);
        walker.evaluator.assign(variable, value.clone());
        run.initial.push(value);
    }
    let mut location = cfa.entry;
    loop {
        run.target = walker.targets.get(&location).copied();
        if run.target.is_some() || !oracle.reached(location) {
            return Ok(run);
        }
        let Some(edge) = walker.choose(location, oracle)? else { return Ok(run) };
        if run.edges.len() == max_edges {
            return Err(RunError::TooLong(max_edges));
        }
        walker.take(edge, oracle, &mut run)?;
        location = cfa.edge(edge).to;
    }
}

struct Walker<'a> {
    cfa: &'a Cfa,
    graph: Graph,
    symbols: Symbols,
    evaluator: Evaluator<'a>,
    /// The first target at a location.
    targets: FxHashMap<LocationId, usize>,
    /// The inputs that the guards of a location read.
    guards: FxHashMap<LocationId, Vec<Term>>,
    /// The inputs that an edge reads.
    edges: FxHashMap<EdgeId, Vec<u32>>,
}

impl<'a> Walker<'a> {
    fn new(cfa: &'a Cfa) -> Walker<'a> {
        Walker {
            cfa,
            graph: Graph::new(cfa),
            symbols: Symbols::new(cfa),
            evaluator: Evaluator::new(&cfa.terms),
            targets: cfa.targets.iter().enumerate().rev().map(|(i, t)| (t.location, i)).collect(),
            guards: FxHashMap::default(),
            edges: FxHashMap::default(),
        }
    }

    /// The edge whose guard holds.
    fn choose(
        &mut self,
        location: LocationId,
        oracle: &mut dyn Oracle,
    ) -> Result<Option<EdgeId>, RunError> {
        let (cfa, graph, symbols) = (self.cfa, &self.graph, &self.symbols);
        let inputs = self.guards.entry(location).or_insert_with(|| {
            let guards: Vec<Term> = graph.outgoing(location).map(|e| cfa.edge(e).guard).collect();
            let inputs = symbols.inputs_of(cfa, &guards);
            inputs.into_iter().map(|i| cfa.inputs[i as usize]).collect()
        });
        for &input in inputs.iter() {
            self.evaluator.assign(input, oracle.input(input));
        }
        for edge in self.graph.outgoing(location) {
            if self.evaluator.holds(cfa.edge(edge).guard)? {
                return Ok(Some(edge));
            }
        }
        Ok(None)
    }

    fn take(&mut self, id: EdgeId, oracle: &mut dyn Oracle, run: &mut Run) -> Result<(), RunError> {
        let (cfa, symbols) = (self.cfa, &self.symbols);
        let edge = cfa.edge(id);
        let inputs = self.edges.entry(id).or_insert_with(|| {
            let roots: Vec<Term> = edge.roots().collect();
            symbols.inputs_of(cfa, &roots)
        });
        for &place in inputs.iter() {
            let value = oracle.input(cfa.inputs[place as usize]);
            self.evaluator.assign(cfa.inputs[place as usize], value.clone());
            run.choices.push((place as usize, value));
        }
        let read: Vec<Term> = inputs.iter().map(|&i| cfa.inputs[i as usize]).collect();
        oracle.taken(id, &read);
        let mut assigned = Vec::with_capacity(edge.updates.len());
        for &(variable, value) in &edge.updates {
            let value = self.evaluator.eval(value)?.clone();
            assigned.extend(self.symbols.variable(variable).map(|v| (v as usize, value)));
        }
        for (variable, value) in &assigned {
            self.evaluator.assign(cfa.variables[*variable], value.clone());
        }
        run.edges.push(id);
        run.assigned.push(assigned);
        Ok(())
    }
}

/// The run of the automaton along a trace of its system. What comes before the last time that the
/// trace is at the entry is left out. At most `max_edges` edges are taken.
pub fn run(
    cfa: &Cfa,
    single: &SingleLoop,
    trace: &WordTrace,
    max_edges: usize,
) -> Result<Run, RunError> {
    let mut oracle = TraceOracle::new(single, trace)?;
    follow(cfa, &mut oracle, max_edges)
}

/// Reads the values of each step of a trace; a step ends where a cut point is reached.
struct TraceOracle<'a> {
    states: FxHashMap<Term, usize>,
    inputs: FxHashMap<Term, usize>,
    cuts: FxHashSet<LocationId>,
    terms: &'a wedge_logic::TermStore,
    trace: &'a WordTrace,
    step: usize,
    begun: bool,
}

impl<'a> TraceOracle<'a> {
    fn new(single: &'a SingleLoop, trace: &'a WordTrace) -> Result<TraceOracle<'a>, RunError> {
        let system = &single.system;
        let fit = |vars: &[Term], values: &[Value]| {
            let sorts = vars.iter().zip(values).all(|(&v, w)| system.terms.sort(v) == w.sort());
            sorts && vars.len() == values.len()
        };
        let vars: Vec<Term> = system.states.iter().map(|s| s.var).collect();
        let fits = |step: &WordStep| fit(&vars, &step.states) && fit(&system.inputs, &step.inputs);
        if trace.steps.is_empty() || !trace.steps.iter().all(fits) {
            return Err(RunError::Shape("the trace is not one of the system".to_string()));
        }
        let states: FxHashMap<Term, usize> =
            system.states.iter().enumerate().map(|(i, s)| (s.var, i)).collect();
        let at_entry = |step: &WordStep| match single.pc {
            None => true,
            Some(pc) => matches!(&step.states[states[&pc]], Value::Bv(pc) if pc.is_zero()),
        };
        let step = trace.steps.iter().rposition(at_entry);
        let step = step.ok_or(RunError::Shape("the trace is never at the entry".to_string()))?;
        Ok(TraceOracle {
            inputs: system.inputs.iter().enumerate().map(|(i, &t)| (t, i)).collect(),
            states,
            cuts: single.cuts.iter().copied().collect(),
            terms: &system.terms,
            trace,
            step,
            begun: false,
        })
    }

    fn value(&self, values: &[Value], place: Option<&usize>, term: Term) -> Value {
        let zero = || Value::zero(self.terms.sort(term));
        place.map_or_else(zero, |&place| values[place].clone())
    }
}

impl Oracle for TraceOracle<'_> {
    fn initial(&mut self, variable: Term) -> Value {
        let step = &self.trace.steps[self.step];
        match self.states.get(&variable) {
            // An abstraction may have made it an input.
            None => self.value(&step.inputs, self.inputs.get(&variable), variable),
            place => self.value(&step.states, place, variable),
        }
    }

    fn input(&mut self, input: Term) -> Value {
        let place = self.inputs.get(&input);
        self.value(&self.trace.steps[self.step].inputs, place, input)
    }

    fn taken(&mut self, _: EdgeId, _: &[Term]) {}

    fn reached(&mut self, location: LocationId) -> bool {
        if self.cuts.contains(&location) && std::mem::replace(&mut self.begun, true) {
            self.step += 1;
        }
        self.step < self.trace.steps.len()
    }
}

/// The run of an automaton along the run of one that was made from it by pruning, slicing and
/// simplification: an input has the values that it had there, in their order, and 0 where it was
/// of no importance.
pub fn retrace(cfa: &Cfa, reduced: &Cfa, run: &Run, max_edges: usize) -> Result<Run, RunError> {
    let mut values: FxHashMap<Term, VecDeque<Value>> = FxHashMap::default();
    for (place, value) in &run.choices {
        values.entry(reduced.inputs[*place]).or_default().push_back(value.clone());
    }
    let variables = reduced.variables.iter().copied();
    let initial = variables.zip(run.initial.iter().cloned()).collect();
    follow(cfa, &mut Recorded { cfa, initial, values }, max_edges)
}

struct Recorded<'a> {
    cfa: &'a Cfa,
    initial: FxHashMap<Term, Value>,
    /// What is still to be read.
    values: FxHashMap<Term, VecDeque<Value>>,
}

impl Oracle for Recorded<'_> {
    fn initial(&mut self, variable: Term) -> Value {
        let zero = || Value::zero(self.cfa.terms.sort(variable));
        self.initial.get(&variable).cloned().unwrap_or_else(zero)
    }

    fn input(&mut self, input: Term) -> Value {
        let next = self.values.get(&input).and_then(|queue| queue.front());
        next.cloned().unwrap_or_else(|| Value::zero(self.cfa.terms.sort(input)))
    }

    fn taken(&mut self, _: EdgeId, inputs: &[Term]) {
        for input in inputs {
            self.values.get_mut(input).and_then(VecDeque::pop_front);
        }
    }

    fn reached(&mut self, _: LocationId) -> bool {
        true
    }
}
