//! A light incremental SAT solver for engines that ask thousands of small, similar questions.
//!
//! Conflict-driven clause learning in the manner of MiniSat (Eén and Sörensson 2003): two
//! watched literals with blockers, VSIDS, saved phases, Luby restarts, clause activities, a flat
//! clause arena. Three things are made for IC3/PDR, after Su, Yang and Ci, "Deeply optimizing
//! the SAT solver for the IC3 algorithm" (CAV 2025):
//!
//! - a *temporary clause* per query: it is guarded by one reusable literal, and it goes after the
//!   query together with every learnt clause that depends on it;
//! - a *domain* per query: only its variables are decided and propagated (see [`Domain`]);
//! - all assumptions share the first decision level, and the decision heap is filled when the
//!   first decision is due, so that a query that unit propagation refutes costs little more than
//!   that propagation.
//!
//! The state of the solver between two calls: clauses and learnt clauses, propagated at level 0.
//! A model is read off the trail, which stays until the next call that changes the solver.

mod analyze;
mod arena;
mod domain;
mod heap;
mod justify;
mod lit;
mod propagate;
mod reduce;
mod search;

use crate::session::{Answer, Interrupt};
use arena::{Arena, ClauseRef, NO_CLAUSE};
use heap::Heap;
use justify::{Definitions, Progress, Required};
pub use lit::{Lit, Var};

/// One question: are the clauses, the assumptions and the temporary clause satisfiable together?
#[derive(Clone, Copy, Default, Debug)]
pub struct Query<'a> {
    pub assumptions: &'a [Lit],
    /// A clause for this query alone; empty means none.
    pub temporary: &'a [Lit],
    pub domain: Domain<'a>,
    /// The model may leave variables of the domain open that any value or, if they are defined,
    /// the value of their definition extends to a full model.
    pub partial: bool,
}

/// The variables that a query decides; those of its assumptions and temporary clause are added.
///
/// The caller promises that every assignment of the domain that satisfies all clauses lying within
/// it extends to an assignment that satisfies all clauses. Functional definitions have this
/// property when the domain is closed under "is defined by".
#[derive(Clone, Copy, Default, Debug)]
pub enum Domain<'a> {
    #[default]
    All,
    Of(&'a [Var]),
    /// The domain of the last query.
    Same,
}

/// When to give up. The default never does.
#[derive(Clone, Default, Debug)]
pub struct Limits {
    /// Conflicts per query.
    pub conflicts: Option<u64>,
    pub interrupt: Option<Interrupt>,
}

/// Counters over the life of a solver.
#[derive(Clone, Copy, Default, Debug)]
pub struct Counters {
    pub queries: u64,
    pub conflicts: u64,
    pub decisions: u64,
    pub propagations: u64,
}

#[derive(Clone, Copy)]
struct Watch {
    clause: ClauseRef,
    /// Some other literal of the clause: while it is true the clause need not be looked at.
    /// In a binary clause it is the other literal.
    blocker: Lit,
}

/// Where and why a variable got its value.
#[derive(Clone, Copy)]
struct Assigned {
    level: u32,
    reason: ClauseRef,
}

/// Invariants between calls: `head == trail.len()` at level 0 (everything is propagated) unless
/// `ok` is false, in which case the clauses are unsatisfiable; the guard variable is unassigned;
/// each live clause of two or more literals is in the watch lists of its first two.
#[derive(Clone)]
pub struct Solver {
    ok: bool,
    /// The arena cannot address more clauses; every query is answered `Stopped`.
    full: bool,
    arena: Arena,
    learnts: Vec<ClauseRef>,
    /// By literal: the clauses to visit when it becomes false.
    watches: Vec<Vec<Watch>>,
    /// By literal: see [`domain`].
    values: Vec<i8>,
    assigned: Vec<Assigned>,
    phase: Vec<bool>,
    trail: Vec<Lit>,
    /// Start of each decision level above 0 on the trail.
    levels: Vec<usize>,
    head: usize,
    heap: Heap,
    /// Variables of little activity, to be decided when the heap is empty.
    inactive: Vec<Var>,
    heap_ready: bool,
    /// The variables of the domain that were not assigned at level 0 when the query began.
    domain: Vec<Var>,
    restricted: bool,
    partial: bool,
    definitions: Definitions,
    /// Clauses that neither define a variable nor are learnt.
    required: Vec<Required>,
    /// Defined variables with a value at level 0 that other facts do not justify.
    facts: Vec<Var>,
    progress: Progress,
    /// Variable that guards the temporary clause, made when first needed.
    guard: Option<Var>,
    guarded: Vec<ClauseRef>,
    assumptions: Vec<Lit>,
    core: Vec<Lit>,
    core_mark: Vec<bool>,
    temporary_used: bool,
    seen: Vec<bool>,
    learnt: Vec<Lit>,
    analyzed: Vec<Lit>,
    stack: Vec<(ClauseRef, usize)>,
    clause_increment: f32,
    max_learnts: usize,
    /// Facts at level 0 when the clauses were last simplified by them.
    simplified_at: usize,
    /// Propagations before the next simplification for the sake of facts.
    simplify_after: u64,
    pub limits: Limits,
    pub counters: Counters,
}

impl Default for Solver {
    fn default() -> Self {
        Solver::new()
    }
}

impl Solver {
    pub fn new() -> Solver {
        Solver {
            ok: true,
            full: false,
            arena: Arena::default(),
            learnts: vec![],
            watches: vec![],
            values: vec![],
            assigned: vec![],
            phase: vec![],
            trail: vec![],
            levels: vec![],
            head: 0,
            heap: Heap::default(),
            inactive: vec![],
            heap_ready: false,
            domain: vec![],
            restricted: false,
            partial: false,
            definitions: Definitions::default(),
            required: vec![],
            facts: vec![],
            progress: Progress::default(),
            guard: None,
            guarded: vec![],
            assumptions: vec![],
            core: vec![],
            core_mark: vec![],
            temporary_used: false,
            seen: vec![],
            learnt: vec![],
            analyzed: vec![],
            stack: vec![],
            clause_increment: 1.0,
            max_learnts: reduce::FIRST_LIMIT,
            simplified_at: 0,
            simplify_after: 0,
            limits: Limits::default(),
            counters: Counters::default(),
        }
    }

    pub fn new_var(&mut self) -> Var {
        let var = self.assigned.len() as Var;
        self.assigned.push(Assigned { level: 0, reason: NO_CLAUSE });
        self.phase.push(false);
        self.seen.push(false);
        self.heap.add_var();
        self.definitions.add_var();
        self.heap_ready = false;
        for _ in 0..2 {
            self.values.push(self.default_value());
            self.core_mark.push(false);
            self.watches.push(vec![]);
        }
        var
    }

    pub fn num_vars(&self) -> usize {
        self.assigned.len()
    }

    /// Adds a clause for good. Returns false if the clauses are now known to be unsatisfiable.
    pub fn add_clause(&mut self, lits: &[Lit]) -> bool {
        self.add_headed(lits, None)
    }

    fn add_headed(&mut self, lits: &[Lit], head: Option<Var>) -> bool {
        self.retract();
        if !self.ok {
            return false;
        }
        let Some(clause) = self.simplified(lits) else { return true };
        match clause[..] {
            [] => self.ok = false,
            [unit] => {
                self.enqueue(unit, NO_CLAUSE);
                self.ok = self.propagate().is_none();
            }
            _ => {
                let clause = self.attach_new(&clause, false);
                match head {
                    Some(var) => self.arena.set_head(clause, var),
                    None => self.require(clause),
                }
            }
        }
        self.ok
    }

    /// The clause without duplicate and false literals, at level 0; nothing if it is valid.
    fn simplified(&self, lits: &[Lit]) -> Option<Vec<Lit>> {
        debug_assert!(self.levels.is_empty());
        let mut clause = lits.to_vec();
        clause.sort_unstable();
        clause.dedup();
        let valid = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if valid || clause.iter().any(|&l| self.value_of(l) == domain::TRUE) {
            return None;
        }
        clause.retain(|&l| self.value_of(l) != domain::FALSE);
        Some(clause)
    }

    /// The initial saved phase of a variable: the value tried first when it is decided.
    pub fn set_phase(&mut self, var: Var, value: bool) {
        self.phase[var as usize] = value;
    }

    /// The value of a literal in the model after `Sat`; nothing for a variable outside the
    /// domain that was never assigned.
    pub fn value(&self, lit: Lit) -> Option<bool> {
        match self.value_of(lit) {
            domain::TRUE => Some(true),
            domain::FALSE => Some(false),
            _ => None,
        }
    }

    /// The value of a literal in every model, as far as propagation has found it.
    pub fn fixed(&self, lit: Lit) -> Option<bool> {
        self.value(lit).filter(|_| self.assigned[lit.var() as usize].level == 0)
    }

    /// After `Unsat`: assumptions that are contradictory together with the clauses and, if
    /// [`Solver::temporary_used`], the temporary clause. Not necessarily minimal.
    pub fn core(&self) -> &[Lit] {
        &self.core
    }

    /// Whether an assumption belongs to the core of the last query.
    pub fn failed(&self, assumption: Lit) -> bool {
        self.core_mark[assumption.index()]
    }

    pub fn temporary_used(&self) -> bool {
        self.temporary_used
    }

    fn value_of(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }
}
