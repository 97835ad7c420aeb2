//! Whether terms can hold together.
//!
//! One incremental session answers all queries. What is asserted outside of scopes becomes
//! clauses; an assertion in a scope holds under the activation literal of its scope, a named one
//! under a literal of its own, so that the refutation says which of them it needs. Terms are
//! simplified by their constructors; what is left is encoded once, whoever asks.

mod backend;
mod core;
mod scopes;

pub use self::core::Core;
pub use scopes::Name;

use crate::arrays::{self, Finding, Lemma};
use crate::assignment::Assignment;
use crate::encoding::Encoding;
use crate::external::Trouble;
use crate::terms::conjuncts;
use crate::transcript;
use backend::Backend;
use rustc_hash::FxHashSet;
use scopes::{Scope, Unit};
use std::fmt;
use wedge_logic::{BlastError, Lit, Term, TermStore, Value};
use wedge_sat::Interrupt;

/// Rounds of lemmas within one query.
const MAX_ROUNDS: usize = 20_000;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    Sat,
    Unsat,
    Unknown(Why),
}

/// Why a query was not answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// Interrupted, or out of conflicts or rounds where a limit was given.
    Stopped,
    /// The terms are too large for a circuit.
    TooLarge(BlastError),
    /// Something went wrong with another solver.
    Trouble(Box<Trouble>),
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Why::Stopped => write!(f, "stopped"),
            Why::TooLarge(error) => write!(f, "{error}"),
            Why::Trouble(trouble) => write!(f, "{trouble}"),
        }
    }
}

/// Use one solver with one store only. Terms that are asserted have width 1.
pub struct Solver {
    backend: Backend,
    encoding: Encoding,
    /// The innermost last; the first is never left.
    scopes: Vec<Scope>,
    names: usize,
    /// What the last query assumed, with the names of assertions.
    last: Vec<Unit>,
    core: Option<Core>,
    model: Option<Assignment>,
    lemmas: FxHashSet<Lemma>,
    too_large: Option<BlastError>,
    conflicts: Option<i32>,
    pub figures: Figures,
}

/// What the queries of a solver took.
#[derive(Clone, Copy, Default, Debug)]
pub struct Figures {
    pub queries: u64,
    /// Lemmas about arrays.
    pub lemmas: u64,
    pub rounds: u64,
}

impl Solver {
    pub fn new(interrupt: &Interrupt) -> Solver {
        Solver::over(Backend::light(interrupt))
    }

    /// A solver for few queries that may be hard: with all techniques of CaDiCaL.
    pub fn thorough(interrupt: &Interrupt) -> Solver {
        Solver::over(Backend::thorough(interrupt))
    }

    fn over(backend: Backend) -> Solver {
        Solver {
            backend,
            encoding: Encoding::new(),
            scopes: vec![Scope::new(Lit::TRUE)],
            names: 0,
            last: Vec::new(),
            core: None,
            model: None,
            lemmas: FxHashSet::default(),
            too_large: None,
            conflicts: None,
            figures: Figures::default(),
        }
    }

    /// Limits every following query to so many conflicts.
    pub fn set_conflicts(&mut self, limit: Option<i32>) {
        self.conflicts = limit;
    }

    /// The seconds that the SAT solvers have taken.
    pub fn seconds(&self) -> f64 {
        self.backend.seconds()
    }

    /// Asserts a term until the scope is left.
    pub fn assert(&mut self, store: &mut TermStore, term: Term) {
        self.forget();
        for conjunct in conjuncts(store, term) {
            let Some(unit) = self.unit(store, conjunct, None) else { continue };
            let scope = self.scopes.last_mut().expect("the first scope is never left");
            scope.terms.push(unit.term);
            scope.roots.push(unit.plain);
            match scope.activation {
                Lit::TRUE => self.backend.add_clause(vec![unit.literal]),
                activation => self.backend.add_clause(vec![!activation, unit.literal]),
            }
        }
    }

    /// Asserts a term that cores speak of.
    pub fn assert_named(&mut self, store: &mut TermStore, term: Term) -> Name {
        self.forget();
        let name = Name(self.names);
        self.names += 1;
        if let Some(unit) = self.unit(store, term, Some(name)) {
            self.scopes.last_mut().expect("the first scope is never left").named.push(unit);
        }
        name
    }

    /// The literal of a term. What is too large makes every answer unknown until the scope is
    /// left.
    fn unit(&mut self, store: &mut TermStore, term: Term, name: Option<Name>) -> Option<Unit> {
        let plain = self.encoding.plain(store, term);
        let literal = self
            .encoding
            .bit(store, plain)
            .and_then(|literal| self.add_witnesses(store).map(|()| literal));
        match literal {
            Ok(literal) => Some(Unit { term, plain, literal, name }),
            Err(error) => {
                let scope = self.scopes.last_mut().expect("the first scope is never left");
                scope.too_large.get_or_insert(error);
                None
            }
        }
    }

    fn add_witnesses(&mut self, store: &mut TermStore) -> Result<(), BlastError> {
        for lemma in self.encoding.abstraction.witness_lemmas(store) {
            let literal = self.encoding.bit(store, lemma)?;
            self.backend.add_clause(vec![literal]);
        }
        Ok(())
    }

    /// Whether what is asserted can hold.
    pub fn check(&mut self, store: &mut TermStore) -> Answer {
        self.check_assuming(store, &[])
    }

    /// Whether what is asserted can hold together with these terms.
    pub fn check_assuming(&mut self, store: &mut TermStore, assumptions: &[Term]) -> Answer {
        self.forget();
        let mut units: Vec<Unit> = self.scopes.iter().flat_map(|s| s.named.clone()).collect();
        let before = self.scopes.last().and_then(|scope| scope.too_large.clone());
        for &term in assumptions {
            units.extend(self.unit(store, term, None));
        }
        let scope = self.scopes.last_mut().expect("the first scope is never left");
        let too_large = std::mem::replace(&mut scope.too_large, before).or(self.too_large());
        if let Some(error) = too_large {
            return Answer::Unknown(Why::TooLarge(error));
        }
        let answer = self.solve(store, &units);
        if answer == Answer::Unsat {
            self.core = Some(self.failed(&units));
        }
        self.last = units;
        answer
    }

    fn too_large(&self) -> Option<BlastError> {
        let scopes = self.scopes.iter().find_map(|scope| scope.too_large.clone());
        scopes.or_else(|| self.too_large.clone())
    }

    /// Solves under these units and what the scopes hold.
    fn solve(&mut self, store: &mut TermStore, units: &[Unit]) -> Answer {
        self.figures.queries += 1;
        let answer = self.search(store, units);
        let asserted = self.scopes.iter().flat_map(|scope| scope.terms.iter().copied());
        let assumed = units.iter().map(|unit| unit.term);
        transcript::tell(store, asserted.chain(assumed), &answer);
        answer
    }

    /// Adds lemmas until the arrays agree.
    fn search(&mut self, store: &mut TermStore, units: &[Unit]) -> Answer {
        let activations = self.scopes.iter().map(|scope| scope.activation);
        let literals: Vec<Lit> = activations
            .chain(units.iter().map(|unit| unit.literal))
            .filter(|&literal| literal != Lit::TRUE)
            .collect();
        for _ in 0..MAX_ROUNDS {
            match self.backend.solve(&self.encoding.aig, &literals, self.conflicts) {
                wedge_sat::Answer::Sat => {}
                wedge_sat::Answer::Unsat => return Answer::Unsat,
                wedge_sat::Answer::Stopped => return Answer::Unknown(Why::Stopped),
            }
            match self.refine(store, units) {
                Ok(true) => return Answer::Sat,
                Ok(false) => self.figures.rounds += 1,
                Err(error) => {
                    self.too_large = Some(error.clone());
                    return Answer::Unknown(Why::TooLarge(error));
                }
            }
        }
        Answer::Unknown(Why::Stopped)
    }

    /// Whether the arrays agree with the assignment just found; if not, adds lemmas.
    fn refine(&mut self, store: &mut TermStore, units: &[Unit]) -> Result<bool, BlastError> {
        let mut model = Assignment::default();
        if self.encoding.abstraction.is_trivial() {
            self.model = Some(model);
            return Ok(true);
        }
        let mut roots: Vec<Term> = self.scopes.iter().flat_map(|s| s.roots.clone()).collect();
        roots.extend(units.iter().map(|unit| unit.plain));
        let Encoding { abstraction, blaster: _, .. } = &mut self.encoding;
        let mut abstraction = std::mem::take(abstraction);
        let (encoding, backend) = (&self.encoding, &mut self.backend);
        let finding = arrays::check(store, &mut abstraction, &roots, |store, term| {
            let value = model
                .value(store, term, |leaf| encoding.leaf(store, |bit| backend.value(bit), leaf));
            value.bv().clone()
        });
        self.encoding.abstraction = abstraction;
        match finding {
            Finding::Consistent(values) => {
                values.into_iter().for_each(|(variable, value)| model.set(variable, value));
                self.model = Some(model);
                Ok(true)
            }
            Finding::Lemmas(lemmas) => self.learn(store, lemmas).map(|()| false),
        }
    }

    fn learn(&mut self, store: &mut TermStore, mut lemmas: Vec<Lemma>) -> Result<(), BlastError> {
        lemmas.retain(|lemma| self.lemmas.insert(*lemma));
        debug_assert!(!lemmas.is_empty(), "a lemma that is known is not violated");
        lemmas.sort_unstable_by_key(Lemma::key);
        for lemma in lemmas {
            self.figures.lemmas += 1;
            let term = lemma.term(store, &mut self.encoding.abstraction);
            let literal = self.encoding.bit(store, term)?;
            self.backend.add_clause(vec![literal]);
        }
        Ok(())
    }

    /// The value of a term in the assignment that the last query found; none if it found none, or
    /// if something was asserted since.
    pub fn value(&mut self, store: &TermStore, term: Term) -> Option<Value> {
        let mut model = self.model.take()?;
        let (encoding, backend) = (&self.encoding, &mut self.backend);
        let value =
            model.value(store, term, |leaf| encoding.leaf(store, |bit| backend.value(bit), leaf));
        self.model = Some(model);
        Some(value)
    }

    /// Whatever was found is not valid any more.
    fn forget(&mut self) {
        self.model = None;
        self.core = None;
        self.last.clear();
    }
}
