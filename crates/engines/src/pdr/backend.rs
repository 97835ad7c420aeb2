//! The solvers PDR can be run on, behind what it needs of them.
//!
//! PDR asks whether a cube has a predecessor in a frame, which needs one clause for the length of
//! one query. The light solver has a place for it; CaDiCaL gets an activation literal that is
//! false for good afterwards.

use wedge_sat::light::{Lit, Query, Solver, Var};
use wedge_sat::{Answer, Interrupt, Session};

pub trait Backend {
    fn new(interrupt: &Interrupt) -> Self;
    /// A new variable; they are numbered from 0.
    fn new_var(&mut self) -> Var;
    fn add_clause(&mut self, clause: &[Lit]);
    /// Adds clauses that define a variable as a function of others.
    fn define<'a>(&mut self, var: Var, clauses: impl Iterator<Item = &'a [Lit]> + Clone);
    fn ask(&mut self, query: Query) -> Answer;
    /// The value of a literal in the last model; none if the model leaves it open.
    fn value(&mut self, lit: Lit) -> Option<bool>;
    /// Whether an assumption is in the core of the last refutation.
    fn failed(&mut self, assumption: Lit) -> bool;
    /// Activation literals that were used up: a solver with many is better replaced.
    fn worn(&self) -> usize;
}

impl Backend for Solver {
    fn new(interrupt: &Interrupt) -> Self {
        let mut solver = Solver::new();
        solver.limits.interrupt = Some(interrupt.clone());
        solver
    }

    fn new_var(&mut self) -> Var {
        Solver::new_var(self)
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        Solver::add_clause(self, clause);
    }

    fn define<'a>(&mut self, var: Var, clauses: impl Iterator<Item = &'a [Lit]> + Clone) {
        Solver::define(self, var, clauses);
    }

    fn ask(&mut self, query: Query) -> Answer {
        Solver::ask(self, query)
    }

    fn value(&mut self, lit: Lit) -> Option<bool> {
        Solver::value(self, lit)
    }

    fn failed(&mut self, assumption: Lit) -> bool {
        Solver::failed(self, assumption)
    }

    fn worn(&self) -> usize {
        0
    }
}

/// CaDiCaL; it knows neither domains nor partial models.
pub struct Cadical {
    session: Session,
    /// The session's variable of each variable; activation literals lie between them.
    vars: Vec<i32>,
    clause: Vec<i32>,
    /// Activation literal of the last query. It is retired when the model is no longer needed.
    retired: Option<i32>,
    worn: usize,
}

impl Cadical {
    fn lit(&self, lit: Lit) -> i32 {
        let var = self.vars[lit.var() as usize];
        if lit.is_negated() { -var } else { var }
    }

    fn translate(&mut self, lits: &[Lit]) {
        let mut clause = std::mem::take(&mut self.clause);
        clause.clear();
        clause.extend(lits.iter().map(|&l| self.lit(l)));
        self.clause = clause;
    }

    /// Adds the temporary clause and returns its activation literal.
    fn activate(&mut self, temporary: &[Lit]) -> i32 {
        let active = self.session.new_var();
        self.translate(temporary);
        self.clause.push(-active);
        self.session.add_clause(&self.clause);
        self.worn += 1;
        active
    }
}

impl Backend for Cadical {
    fn new(interrupt: &Interrupt) -> Self {
        let session = Session::light(interrupt);
        Cadical { session, vars: vec![], clause: vec![], retired: None, worn: 0 }
    }

    fn new_var(&mut self) -> Var {
        self.vars.push(self.session.new_var());
        self.vars.len() as Var - 1
    }

    fn add_clause(&mut self, clause: &[Lit]) {
        self.translate(clause);
        self.session.add_clause(&self.clause);
    }

    fn define<'a>(&mut self, _: Var, clauses: impl Iterator<Item = &'a [Lit]> + Clone) {
        clauses.for_each(|clause| self.add_clause(clause));
    }

    fn ask(&mut self, query: Query) -> Answer {
        if let Some(active) = self.retired.take() {
            self.session.add_clause(&[-active]);
        }
        let active = (!query.temporary.is_empty()).then(|| self.activate(query.temporary));
        self.translate(query.assumptions);
        self.clause.extend(active);
        self.retired = active;
        self.session.solve(&self.clause)
    }

    fn value(&mut self, lit: Lit) -> Option<bool> {
        let lit = self.lit(lit);
        Some(self.session.value(lit))
    }

    fn failed(&mut self, assumption: Lit) -> bool {
        let lit = self.lit(assumption);
        self.session.failed(lit)
    }

    fn worn(&self) -> usize {
        self.worn
    }
}
