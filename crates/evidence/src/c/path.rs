//! A path of the whole automaton of a program, from the choices of a counterexample.
//!
//! Engines work on an automaton that was pruned and sliced, so a counterexample says nothing about
//! the inputs that do not matter. Here they are 0, and the path is followed through the automaton
//! as it was encoded: every choice that the program makes on the way is listed, in order.

use crate::failure::Failure;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use wedge_logic::{Evaluator, Term, Value};
use wedge_model::cfa::{Cfa, EdgeId, LocationId};

/// What a counterexample chooses.
#[derive(Clone, Debug, Default)]
pub struct Choices {
    /// Values of variables at the entry; all others are 0.
    pub initial: FxHashMap<Term, Value>,
    /// The values of each input, by its index, in the order in which they are read; when they are
    /// used up, 0.
    pub inputs: FxHashMap<usize, VecDeque<Value>>,
}

#[derive(Clone, Debug)]
pub struct Path {
    pub edges: Vec<EdgeId>,
    /// The inputs that were read, by index, with their values, in order.
    pub choices: Vec<(usize, Value)>,
    /// The index of the target in which the path ends, if it ends in one.
    pub target: Option<usize>,
}

/// Follows the only path that the choices allow, for at most `limit` edges.
pub fn follow(cfa: &Cfa, mut choices: Choices, limit: usize) -> Result<Path, Failure> {
    let outgoing = cfa.outgoing();
    let mut walk = Walk::new(cfa, &choices);
    let mut path = Path { edges: Vec::new(), choices: Vec::new(), target: None };
    let mut at = cfa.entry;
    while path.edges.len() < limit {
        let Some(edge) = walk.choose(&outgoing[at.0 as usize], &mut choices, &mut path)? else {
            break;
        };
        path.edges.push(edge);
        walk.update(edge)?;
        at = cfa.edge(edge).to;
    }
    path.target = target_at(cfa, at);
    Ok(path)
}

fn target_at(cfa: &Cfa, location: LocationId) -> Option<usize> {
    cfa.targets.iter().position(|target| target.location == location)
}

struct Walk<'a> {
    cfa: &'a Cfa,
    values: Evaluator<'a>,
    /// The index of each input.
    index: FxHashMap<Term, usize>,
    /// The inputs that an edge reads, for the edges met so far.
    reads: FxHashMap<EdgeId, Vec<usize>>,
}

impl<'a> Walk<'a> {
    fn new(cfa: &'a Cfa, choices: &Choices) -> Walk<'a> {
        let mut values = Evaluator::new(&cfa.terms);
        for &variable in &cfa.variables {
            let zero = || Value::zero(cfa.terms.sort(variable));
            let value = choices.initial.get(&variable).cloned().unwrap_or_else(zero);
            values.assign(variable, value);
        }
        let index = cfa.inputs.iter().enumerate().map(|(index, &input)| (input, index)).collect();
        Walk { cfa, values, index, reads: FxHashMap::default() }
    }

    /// The edge whose guard holds. Its inputs are taken from the choices for good, those of the
    /// others are only looked at.
    fn choose(
        &mut self,
        edges: &[EdgeId],
        choices: &mut Choices,
        path: &mut Path,
    ) -> Result<Option<EdgeId>, Failure> {
        for &edge in edges {
            let inputs = self.inputs_of(edge);
            let mut taken = Vec::with_capacity(inputs.len());
            for &input in &inputs {
                let front = choices.inputs.get(&input).and_then(|queue| queue.front()).cloned();
                let term = self.cfa.inputs[input];
                let value = front.unwrap_or_else(|| Value::zero(self.cfa.terms.sort(term)));
                if value.sort() != self.cfa.terms.sort(term) {
                    return Err(Failure::Shape("a choice has the wrong width".into()));
                }
                self.values.assign(term, value.clone());
                taken.push((input, value));
            }
            if self.holds(self.cfa.edge(edge).guard)? {
                for input in inputs {
                    choices.inputs.get_mut(&input).and_then(VecDeque::pop_front);
                }
                path.choices.extend(taken);
                return Ok(Some(edge));
            }
        }
        Ok(None)
    }

    fn inputs_of(&mut self, edge: EdgeId) -> Vec<usize> {
        let (cfa, index) = (self.cfa, &self.index);
        let reads = self.reads.entry(edge).or_insert_with(|| {
            let edge = cfa.edge(edge);
            let mut roots = vec![edge.guard];
            roots.extend(edge.updates.iter().map(|&(_, value)| value));
            let free = cfa.terms.free_vars(&roots);
            let mut reads: Vec<usize> = free.iter().filter_map(|t| index.get(t).copied()).collect();
            reads.sort_unstable();
            reads
        });
        reads.clone()
    }

    fn holds(&mut self, guard: Term) -> Result<bool, Failure> {
        self.values.holds(guard).map_err(|error| Failure::Shape(error.to_string()))
    }

    /// The updates of an edge are simultaneous.
    fn update(&mut self, edge: EdgeId) -> Result<(), Failure> {
        let updates = &self.cfa.edge(edge).updates;
        let mut new = Vec::with_capacity(updates.len());
        for &(variable, value) in updates {
            let value = self.values.eval(value).map_err(|e| Failure::Shape(e.to_string()))?;
            new.push((variable, value.clone()));
        }
        for (variable, value) in new {
            self.values.assign(variable, value);
        }
        Ok(())
    }
}
