//! Which variables and inputs the edges of an automaton read, by their numbers.

use super::{Cfa, Edge, EdgeId};
use rustc_hash::FxHashMap;
use wedge_logic::Term;

/// What a symbol of an automaton is: its place among the variables or among the inputs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Symbol {
    Variable(u32),
    Input(u32),
}

/// The numbers of variables and inputs.
pub(super) struct Symbols {
    table: FxHashMap<Term, Symbol>,
}

impl Symbols {
    pub fn new(cfa: &Cfa) -> Symbols {
        let variables = cfa.variables.iter().enumerate();
        let variables = variables.map(|(i, &t)| (t, Symbol::Variable(i as u32)));
        let inputs = cfa.inputs.iter().enumerate().map(|(i, &t)| (t, Symbol::Input(i as u32)));
        Symbols { table: variables.chain(inputs).collect() }
    }

    pub fn get(&self, term: Term) -> Option<Symbol> {
        self.table.get(&term).copied()
    }

    pub fn variable(&self, term: Term) -> Option<u32> {
        match self.get(term) {
            Some(Symbol::Variable(index)) => Some(index),
            _ => None,
        }
    }

    /// The variables that occur in the terms.
    pub fn variables_of(&self, cfa: &Cfa, roots: &[Term]) -> Vec<u32> {
        let free = cfa.terms.free_vars(roots);
        free.into_iter().filter_map(|t| self.variable(t)).collect()
    }

    /// The inputs that occur in the terms.
    pub fn inputs_of(&self, cfa: &Cfa, roots: &[Term]) -> Vec<u32> {
        let input = |t| match self.get(t) {
            Some(Symbol::Input(index)) => Some(index),
            _ => None,
        };
        cfa.terms.free_vars(roots).into_iter().filter_map(input).collect()
    }
}

/// An edge in numbers of variables.
pub(super) struct EdgeReads {
    pub guard: Vec<u32>,
    /// The variable that is assigned and those that its new value reads.
    pub updates: Vec<(u32, Vec<u32>)>,
}

impl EdgeReads {
    pub fn new(cfa: &Cfa, symbols: &Symbols, edge: &Edge) -> EdgeReads {
        let reads = |&(variable, value): &(Term, Term)| {
            Some((symbols.variable(variable)?, symbols.variables_of(cfa, &[value])))
        };
        EdgeReads {
            guard: symbols.variables_of(cfa, &[edge.guard]),
            updates: edge.updates.iter().filter_map(reads).collect(),
        }
    }
}

/// The reads of all edges.
pub(super) struct Reads {
    edges: Vec<EdgeReads>,
}

impl Reads {
    pub fn new(cfa: &Cfa, symbols: &Symbols) -> Reads {
        Reads { edges: cfa.edges.iter().map(|e| EdgeReads::new(cfa, symbols, e)).collect() }
    }

    pub fn of(&self, edge: EdgeId) -> &EdgeReads {
        &self.edges[edge.0 as usize]
    }
}
