//! The control-flow automaton: the form of programs that path engines read, and from which large
//! blocks and the single-loop transformation make a [`crate::System`].
//!
//! Locations are joined by edges, and an edge is a guarded parallel assignment. A variable keeps
//! its value unless an edge assigns it. An input belongs to one edge, which reads it in its guard
//! or in its updates and gets a new arbitrary value each time it is taken: a havoc is an update
//! by an input. The guards of the edges that leave a location exclude one another, so that inputs
//! decide a run; where no guard holds, the run ends. All variables are arbitrary at the entry.

mod blocks;
mod cut_invariants;
pub mod dataflow;
mod dot;
mod from_system;
mod graph;
mod live;
mod merge;
mod prune;
mod reduce;
mod region;
pub mod run;
mod simplify;
mod single_loop;
mod skip;
mod slice;
mod ssa;
mod symbols;

pub use blocks::{Block, BlockOptions, Blocks, Cuts, Exit, TooManyTerms, blocks};
pub use cut_invariants::{CutInvariants, Instance, QuantifiedInvariants};
pub use dot::dot;
pub use from_system::word_trace;
pub use live::Liveness;
pub use prune::{Pruned, prune};
pub use reduce::{TooLarge, reduce, reduce_within};
pub use run::Run;
pub use simplify::simplify;
pub use single_loop::{ERROR, LIMIT, SingleLoop, single_loop};
pub use slice::{Sliced, slice};

use crate::system::SystemError;
use rustc_hash::FxHashMap;
use wedge_logic::{Sort, Term, TermStore, audit};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord, Default)]
pub struct LocationId(pub u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct EdgeId(pub u32);

/// A place in the program. What `origin` and `function` number, its maker knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Location {
    pub origin: Option<u32>,
    /// The locations of a function have the same number.
    pub function: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Edge {
    pub from: LocationId,
    pub to: LocationId,
    /// Of width 1, over variables and the inputs of this edge.
    pub guard: Term,
    /// Variables with their new values, in terms of the old ones and of the inputs of this edge.
    /// No variable occurs twice.
    pub updates: Vec<(Term, Term)>,
    /// What `origin` numbers, its maker knows.
    pub origin: Option<u32>,
}

impl Edge {
    /// The terms that the edge evaluates.
    pub fn roots(&self) -> impl Iterator<Item = Term> + '_ {
        self.updates.iter().map(|&(_, value)| value).chain([self.guard])
    }
}

/// Why a location must not be reached.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum TargetKind {
    /// The property is violated here.
    Error,
    /// The model ends here and the program may not: recursion too deep, a pool of objects used
    /// up. A proof must show that this does not happen; a run that ends here shows nothing.
    Limit,
    /// A call is reached here that is not followed, in a model of any size. What holds for a limit
    /// holds for it.
    Refused,
}

/// A location without outgoing edges that a proof must show unreachable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Target {
    pub location: LocationId,
    pub kind: TargetKind,
    /// For messages: `reach_error`, `recursion depth 4 of f`.
    pub name: String,
}

#[derive(Clone, Default)]
pub struct Cfa {
    pub terms: TermStore,
    pub variables: Vec<Term>,
    pub inputs: Vec<Term>,
    pub locations: Vec<Location>,
    pub edges: Vec<Edge>,
    /// No edge leads back to it.
    pub entry: LocationId,
    pub targets: Vec<Target>,
}

impl Cfa {
    /// An automaton with an entry and nothing else.
    pub fn new() -> Cfa {
        let mut cfa = Cfa::default();
        cfa.entry = cfa.add_location(None);
        cfa
    }

    pub fn add_location(&mut self, origin: Option<u32>) -> LocationId {
        self.locations.push(Location { origin, function: None });
        LocationId(self.locations.len() as u32 - 1)
    }

    pub fn add_variable(&mut self, name: impl Into<String>, sort: Sort) -> Term {
        let variable = self.terms.var(name, sort);
        self.variables.push(variable);
        variable
    }

    pub fn add_input(&mut self, name: impl Into<String>, sort: Sort) -> Term {
        let input = self.terms.var(name, sort);
        self.inputs.push(input);
        input
    }

    pub fn add_edge(&mut self, edge: Edge) -> EdgeId {
        self.edges.push(edge);
        EdgeId(self.edges.len() as u32 - 1)
    }

    pub fn edge(&self, id: EdgeId) -> &Edge {
        &self.edges[id.0 as usize]
    }

    /// The edges that leave each location.
    pub fn outgoing(&self) -> Vec<Vec<EdgeId>> {
        let mut lists = vec![Vec::new(); self.locations.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            lists[edge.from.0 as usize].push(EdgeId(index as u32));
        }
        lists
    }

    /// The edges that enter each location.
    pub fn incoming(&self) -> Vec<Vec<EdgeId>> {
        let mut lists = vec![Vec::new(); self.locations.len()];
        for (index, edge) in self.edges.iter().enumerate() {
            lists[edge.to.0 as usize].push(EdgeId(index as u32));
        }
        lists
    }

    /// Checks what the documentation of the type promises, except that guards are disjoint and
    /// that inputs belong to one edge, which costs more than it is worth here.
    pub fn check(&self) -> Result<(), SystemError> {
        let mut declared = FxHashMap::default();
        for &term in self.variables.iter().chain(&self.inputs) {
            let name = self.terms.name(term).unwrap_or("?").to_string();
            if !self.terms.is_var(term) || declared.insert(term, ()).is_some() {
                return Err(SystemError::Declaration { name });
            }
        }
        let assigned = self.edges.iter().flat_map(|e| &e.updates).map(|&(variable, _)| variable);
        let roots: Vec<Term> = self.edges.iter().flat_map(Edge::roots).chain(assigned).collect();
        let stray = self.terms.free_vars(&roots);
        if let Some(&term) = stray.iter().find(|term| !declared.contains_key(term)) {
            let name = self.terms.name(term).unwrap_or("?").to_string();
            return Err(SystemError::Undeclared { name });
        }
        for edge in &self.edges {
            self.expect("guard", "an edge", edge.guard, Sort::BOOL)?;
            for &(variable, value) in &edge.updates {
                let name = self.terms.name(variable).unwrap_or("?");
                self.expect("update", name, value, self.terms.sort(variable))?;
            }
        }
        Ok(())
    }

    /// Asserts that the automaton and its terms are as they should be, where such checks are made.
    pub fn audit(&self) {
        if audit::is_on() {
            self.terms.check();
            self.check().expect("a well-formed automaton");
        }
    }

    fn expect(
        &self,
        what: &'static str,
        name: &str,
        term: Term,
        wanted: Sort,
    ) -> Result<(), SystemError> {
        let given = self.terms.sort(term);
        if given == wanted {
            return Ok(());
        }
        Err(SystemError::Sort { what, name: name.to_string(), wanted, given })
    }
}
