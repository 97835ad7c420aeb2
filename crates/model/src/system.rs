//! The word-level transition system, the common form of BTOR2 circuits and of C programs.
//!
//! A state assigns the state variables, a step reads the inputs. A path is a sequence of states
//! and inputs in which the first state agrees with every `init`, each next state agrees with
//! every `next`, and every constraint holds in every step, the last one included. As in BTOR2
//! (Niemetz, Preiner, Wolf, Biere, CAV 2018), a state variable without `init` starts with any
//! value, and one without `next` takes any value in every later step. An `init` may read other
//! state variables and the inputs of the first step, as long as no variable depends on itself.
//! A property is violated by a path whose last step satisfies its `bad` term.

use rustc_hash::FxHashMap;
use std::fmt;
use wedge_logic::{Sort, Term, TermStore};

/// A state variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    pub var: Term,
    pub init: Option<Term>,
    pub next: Option<Term>,
}

/// A named term: a bad state or an output.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    pub name: Option<String>,
    pub term: Term,
}

/// A justice property: the infinite paths on which each of these terms, and every fairness constraint
/// of the system, holds infinitely often.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Justice {
    pub name: Option<String>,
    pub terms: Vec<Term>,
}

/// Invariants: inputs and state variables are distinct variables of `terms`; constraints and
/// bads have width 1; an init or next has the sort of its variable; no other variable occurs.
#[derive(Clone, Default)]
pub struct System {
    pub terms: TermStore,
    pub inputs: Vec<Term>,
    pub states: Vec<State>,
    pub constraints: Vec<Term>,
    pub bads: Vec<Named>,
    pub justice: Vec<Justice>,
    pub fairness: Vec<Term>,
    /// Terms without meaning for the properties, kept for the reader.
    pub outputs: Vec<Named>,
}

/// Why a system breaks its invariants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SystemError {
    /// An init, next, constraint or bad of the wrong sort; what it is and whose.
    Sort { what: &'static str, name: String, wanted: Sort, given: Sort },
    /// Declared as input or state more than once, or no variable at all.
    Declaration { name: String },
    /// A variable that is neither input nor state.
    Undeclared { name: String },
    /// The initial value of this variable depends on itself.
    CyclicInit { name: String },
}

impl fmt::Display for SystemError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            SystemError::Sort { what, name, wanted, given } => {
                write!(f, "{what} of '{name}' has sort '{given}' instead of '{wanted}'")
            }
            SystemError::Declaration { name } => {
                write!(f, "'{name}' is not declared exactly once as a variable")
            }
            SystemError::Undeclared { name } => write!(f, "'{name}' is neither input nor state"),
            SystemError::CyclicInit { name } => {
                write!(f, "the initial value of '{name}' depends on itself")
            }
        }
    }
}

impl std::error::Error for SystemError {}

impl System {
    pub fn new() -> System {
        System::default()
    }

    /// Declares an input.
    pub fn add_input(&mut self, name: impl Into<String>, sort: Sort) -> Term {
        let var = self.terms.var(name, sort);
        self.inputs.push(var);
        var
    }

    /// Declares a state variable that has neither init nor next yet.
    pub fn add_state(&mut self, name: impl Into<String>, sort: Sort) -> Term {
        let var = self.terms.var(name, sort);
        self.states.push(State { var, init: None, next: None });
        var
    }

    pub fn add_bad(&mut self, name: Option<String>, term: Term) {
        self.bads.push(Named { name, term });
    }

    /// The system whose only bad is that one of these holds. Requires that they are there.
    pub fn any_of(&self, bads: &[usize]) -> System {
        let mut system = self.clone();
        let terms: Vec<Term> = bads.iter().map(|&bad| self.bads[bad].term).collect();
        let any = system.terms.or_all(&terms);
        system.bads = vec![Named { name: None, term: any }];
        system
    }

    /// The name of an input or state variable.
    pub fn name(&self, var: Term) -> &str {
        self.terms.name(var).unwrap_or("?")
    }

    /// Checks the invariants of the type.
    pub fn check(&self) -> Result<(), SystemError> {
        self.check_declarations()?;
        for state in &self.states {
            let wanted = self.terms.sort(state.var);
            let name = self.name(state.var);
            self.check_sort("the initial value", name, wanted, state.init)?;
            self.check_sort("the next value", name, wanted, state.next)?;
        }
        for &constraint in &self.constraints {
            self.check_sort("the condition", "constraint", Sort::BOOL, Some(constraint))?;
        }
        for &fair in &self.fairness {
            self.check_sort("the condition", "fair", Sort::BOOL, Some(fair))?;
        }
        for &term in self.justice.iter().flat_map(|justice| &justice.terms) {
            self.check_sort("the condition", "justice", Sort::BOOL, Some(term))?;
        }
        for bad in &self.bads {
            let name = bad.name.as_deref().unwrap_or("bad");
            self.check_sort("the condition", name, Sort::BOOL, Some(bad.term))?;
        }
        self.init_order().map(|_| ())
    }

    /// Asserts that the system and its terms are as they should be, where such checks are made.
    pub fn audit(&self) {
        if wedge_logic::audit::is_on() {
            self.terms.check();
            self.check().expect("a well-formed system");
        }
    }

    fn check_declarations(&self) -> Result<(), SystemError> {
        let mut declared = FxHashMap::default();
        for var in self.inputs.iter().copied().chain(self.states.iter().map(|s| s.var)) {
            if !self.terms.is_var(var) || declared.insert(var, ()).is_some() {
                return Err(SystemError::Declaration { name: self.name(var).to_string() });
            }
        }
        let stray = self.terms.free_vars(&self.roots());
        match stray.iter().find(|var| !declared.contains_key(var)) {
            Some(&var) => Err(SystemError::Undeclared { name: self.name(var).to_string() }),
            None => Ok(()),
        }
    }

    fn check_sort(
        &self,
        what: &'static str,
        name: &str,
        wanted: Sort,
        term: Option<Term>,
    ) -> Result<(), SystemError> {
        match term.map(|t| self.terms.sort(t)) {
            Some(given) if given != wanted => {
                Err(SystemError::Sort { what, name: name.to_string(), wanted, given })
            }
            _ => Ok(()),
        }
    }

    /// Every term that defines the behaviour: inits, nexts, constraints, properties and outputs.
    pub fn roots(&self) -> Vec<Term> {
        let states = self.states.iter().flat_map(|s| [s.init, s.next]).flatten();
        let named = self.bads.iter().chain(&self.outputs).map(|n| n.term);
        let live = self.justice.iter().flat_map(|justice| &justice.terms).chain(&self.fairness);
        states.chain(self.constraints.iter().chain(live).copied()).chain(named).collect()
    }

    /// The positions of the states in an order in which each comes after the states that its
    /// initial value reads.
    pub fn init_order(&self) -> Result<Vec<usize>, SystemError> {
        let position: FxHashMap<Term, usize> =
            self.states.iter().enumerate().map(|(i, s)| (s.var, i)).collect();
        let mut visit = InitVisit { system: self, position, progress: FxHashMap::default() };
        let mut order = Vec::new();
        for state in &self.states {
            visit.from(state.var, &mut order)?;
        }
        Ok(order)
    }
}

/// A depth-first search over terms in which a state variable leads to its initial value.
struct InitVisit<'a> {
    system: &'a System,
    position: FxHashMap<Term, usize>,
    /// False while a term is on the current path, true once everything below it is done.
    progress: FxHashMap<Term, bool>,
}

impl InitVisit<'_> {
    fn from(&mut self, root: Term, order: &mut Vec<usize>) -> Result<(), SystemError> {
        let mut stack = vec![root];
        while let Some(&term) = stack.last() {
            match self.progress.insert(term, false) {
                None => self.descend(term, &mut stack)?,
                Some(done) => {
                    stack.pop();
                    self.progress.insert(term, true);
                    order.extend(self.position.get(&term).filter(|_| !done));
                }
            }
        }
        Ok(())
    }

    fn descend(&self, term: Term, stack: &mut Vec<Term>) -> Result<(), SystemError> {
        let init = self.position.get(&term).and_then(|&i| self.system.states[i].init);
        for &below in self.system.terms.args(term).iter().chain(&init) {
            match self.progress.get(&below) {
                None => stack.push(below),
                Some(true) => {}
                Some(false) => {
                    let name = self.name_on_path(stack, below);
                    return Err(SystemError::CyclicInit { name });
                }
            }
        }
        Ok(())
    }

    /// A state variable between `from` and the end of the path.
    fn name_on_path(&self, stack: &[Term], from: Term) -> String {
        let on_path = |t: &&Term| self.progress.get(t) == Some(&false);
        let cycle = stack.iter().filter(on_path).skip_while(|&&t| t != from);
        let state = cycle.copied().find(|t| self.position.contains_key(t));
        self.system.name(state.unwrap_or(from)).to_string()
    }
}
