//! The light solver behind the interface of [`Session`](crate::Session): DIMACS literals, with
//! variable 1 the constant true.

use crate::light::{Lit, Query, Solver};
use crate::session::{Answer, Interrupt, Sink, TRUE};

pub struct LightSession {
    solver: Solver,
    /// Number of calls of `solve`.
    pub queries: u64,
}

impl LightSession {
    pub fn new(interrupt: &Interrupt) -> LightSession {
        let mut solver = Solver::new();
        solver.limits.interrupt = Some(interrupt.clone());
        let mut session = LightSession { solver, queries: 0 };
        let constant = session.new_var();
        debug_assert_eq!(constant, TRUE);
        session.add_clause(&[TRUE]);
        session
    }

    pub fn solve(&mut self, assumptions: &[i32]) -> Answer {
        self.solve_with(assumptions, &[])
    }

    /// Solves under assumptions and a clause for this query alone; an empty one means none.
    pub fn solve_with(&mut self, assumptions: &[i32], temporary: &[i32]) -> Answer {
        self.queries += 1;
        let (assumptions, temporary) = (convert(assumptions), convert(temporary));
        self.solver.ask(Query {
            assumptions: &assumptions,
            temporary: &temporary,
            ..Query::default()
        })
    }

    /// Solves under assumptions, giving up after so many conflicts.
    pub fn solve_limited(&mut self, assumptions: &[i32], conflicts: u64) -> Answer {
        self.solver.limits.conflicts = Some(conflicts);
        let answer = self.solve(assumptions);
        self.solver.limits.conflicts = None;
        answer
    }

    /// The value of a literal in the model of the last `Sat`.
    pub fn value(&self, lit: i32) -> bool {
        self.solver.value(literal(lit)) == Some(true)
    }

    /// Whether the last `Unsat` used this assumption.
    pub fn failed(&self, assumption: i32) -> bool {
        self.solver.failed(literal(assumption))
    }
}

impl Sink for LightSession {
    fn new_var(&mut self) -> i32 {
        self.solver.new_var() as i32 + 1
    }
    fn add_clause(&mut self, clause: &[i32]) {
        self.solver.add_clause(&convert(clause));
    }
}

fn literal(lit: i32) -> Lit {
    Lit::new(lit.unsigned_abs() - 1, lit < 0)
}

fn convert(lits: &[i32]) -> Vec<Lit> {
    lits.iter().map(|&l| literal(l)).collect()
}
