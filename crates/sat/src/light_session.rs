//! The light solver behind the interface of [`Session`](crate::Session): DIMACS literals, with
//! variable 1 the constant true.
//!
//! It remembers which variables a gate is defined by, so that a query can be asked within the gates
//! below its assumptions: a session with many unrelated formulas then costs no more than the query.

use crate::light::{Domain, Lit, Query, Solver, Var};
use crate::session::{Answer, Interrupt, Sink, TRUE};

/// The mark of what every query has to respect.
const ALWAYS: u64 = u64::MAX;

pub struct LightSession {
    solver: Solver,
    /// For each variable, where those that define it begin in `operands`; they end where those of
    /// the next one begin.
    first: Vec<u32>,
    operands: Vec<Var>,
    /// The query that each variable was last looked at for, or [`ALWAYS`].
    visited: Vec<u64>,
    visit: u64,
    /// The gates below what every query has to respect.
    always: Vec<Var>,
    /// Number of calls of `solve`.
    pub queries: u64,
}

impl LightSession {
    pub fn new(interrupt: &Interrupt) -> LightSession {
        let mut solver = Solver::new();
        solver.limits.interrupt = Some(interrupt.clone());
        let mut session = LightSession {
            solver,
            first: vec![0],
            operands: Vec::new(),
            visited: Vec::new(),
            visit: 0,
            always: Vec::new(),
            queries: 0,
        };
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

    /// The same within the gates below the assumptions and those that were kept. A model may leave
    /// variables open that can have any value.
    ///
    /// Requires: every clause that defines no gate mentions only variables that were kept.
    pub fn solve_below(&mut self, assumptions: &[i32], conflicts: u64) -> Answer {
        self.queries += 1;
        let assumptions = convert(assumptions);
        let mut domain = std::mem::take(&mut self.always);
        let kept = domain.len();
        self.visit += 1;
        let mark = self.visit;
        self.extend(&mut domain, assumptions.iter().map(|lit| lit.var()).collect(), mark);
        self.solver.limits.conflicts = Some(conflicts);
        let answer = self.solver.ask(Query {
            assumptions: &assumptions,
            domain: Domain::Of(&domain),
            partial: true,
            ..Query::default()
        });
        self.solver.limits.conflicts = None;
        domain.truncate(kept);
        self.always = domain;
        answer
    }

    /// Every query from now on respects these literals and the gates below them.
    pub fn keep(&mut self, literals: &[i32]) {
        let mut always = std::mem::take(&mut self.always);
        self.extend(&mut always, literals.iter().map(|&lit| literal(lit).var()).collect(), ALWAYS);
        self.always = always;
    }

    /// Adds variables and those below them that do not have the mark yet.
    fn extend(&mut self, domain: &mut Vec<Var>, mut stack: Vec<Var>, mark: u64) {
        while let Some(var) = stack.pop() {
            let index = var as usize;
            if self.visited[index] == mark || self.visited[index] == ALWAYS {
                continue;
            }
            self.visited[index] = mark;
            domain.push(var);
            let operands = self.first[index] as usize..self.first[index + 1] as usize;
            stack.extend_from_slice(&self.operands[operands]);
        }
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
        self.visited.push(0);
        self.first.push(self.operands.len() as u32);
        self.solver.new_var() as i32 + 1
    }

    fn add_clause(&mut self, clause: &[i32]) {
        self.solver.add_clause(&convert(clause));
    }

    fn define(&mut self, gate: i32, clauses: &[&[i32]]) {
        let gate = literal(gate).var();
        debug_assert_eq!(gate as usize + 2, self.first.len(), "the newest variable is defined");
        let clauses: Vec<Vec<Lit>> = clauses.iter().map(|clause| convert(clause)).collect();
        self.solver.define(gate, clauses.iter().map(|clause| &clause[..]));
        let start = self.operands.len();
        let mentioned = clauses.iter().flatten().map(|lit| lit.var()).filter(|&var| var != gate);
        self.operands.extend(mentioned);
        self.operands[start..].sort_unstable();
        let mut kept = start;
        for at in start..self.operands.len() {
            if kept == start || self.operands[kept - 1] != self.operands[at] {
                self.operands[kept] = self.operands[at];
                kept += 1;
            }
        }
        self.operands.truncate(kept);
        self.first[gate as usize + 1] = kept as u32;
    }
}

fn literal(lit: i32) -> Lit {
    Lit::new(lit.unsigned_abs() - 1, lit < 0)
}

fn convert(lits: &[i32]) -> Vec<Lit> {
    lits.iter().map(|&l| literal(l)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::growing::Growing;
    use crate::random::Random;
    use wedge_logic::Aig;

    const INPUTS: usize = 5;

    fn pick(random: &mut Random, pool: &[wedge_logic::Lit]) -> wedge_logic::Lit {
        let word = random.word();
        pool[(word >> 8) as usize % pool.len()].xor(word & 1 == 1)
    }

    fn graph(random: &mut Random) -> (Aig, Vec<wedge_logic::Lit>) {
        let mut aig = Aig::with_inputs(INPUTS);
        let mut pool: Vec<_> = (0..INPUTS).map(|i| aig.input(i)).collect();
        for _ in 0..30 {
            let [a, b, c] = [0; 3].map(|_| pick(random, &pool));
            pool.push(match random.word() % 3 {
                0 => aig.and(a, b),
                1 => aig.xor(a, b),
                _ => aig.ite(a, b, c),
            });
        }
        (aig, pool)
    }

    /// Queries about parts of a graph, some of which always hold: answers agree with all assignments,
    /// a model can be completed whatever it leaves open, and a core is contradictory.
    #[test]
    fn queries_below_their_assumptions() {
        let mut random = Random(3);
        for _ in 0..60 {
            let (aig, pool) = graph(&mut random);
            let assignments = (0..1u32 << INPUTS)
                .map(|bits| (0..INPUTS).map(|i| bits >> i & 1 == 1).collect::<Vec<bool>>());
            let mut possible: Vec<Vec<bool>> = assignments.collect();
            let (mut session, mut growing) =
                (LightSession::new(&Interrupt::default()), Growing::new());
            for _ in 0..12 {
                let chosen = [0; 3].map(|_| pick(&mut random, &pool));
                if random.word().is_multiple_of(4) {
                    let holds =
                        |values: &Vec<bool>| chosen.iter().any(|&lit| aig.eval(lit, values));
                    possible.retain(holds);
                    let encode = |&lit: &_| growing.encode(&aig, &mut session, lit);
                    let clause: Vec<i32> = chosen.iter().map(encode).collect();
                    session.add_clause(&clause);
                    session.keep(&clause);
                    continue;
                }
                let holds = |values: &Vec<bool>, lits: &[wedge_logic::Lit]| {
                    lits.iter().all(|&lit| aig.eval(lit, values))
                };
                let encode = |&lit: &_| growing.encode(&aig, &mut session, lit);
                let assumed: Vec<i32> = chosen.iter().map(encode).collect();
                match session.solve_below(&assumed, u64::MAX) {
                    Answer::Sat => {
                        let value = |i| growing.get(aig.input(i)).map(|lit| session.value(lit));
                        let found: Vec<bool> =
                            (0..INPUTS).map(|i| value(i).unwrap_or(false)).collect();
                        assert!(holds(&found, &chosen) && possible.contains(&found));
                    }
                    Answer::Unsat => {
                        let pairs = chosen.iter().zip(&assumed);
                        let core = pairs.filter(|(_, lit)| session.failed(**lit));
                        let core: Vec<_> = core.map(|(&lit, _)| lit).collect();
                        assert!(!possible.iter().any(|values| holds(values, &core)));
                    }
                    Answer::Stopped => panic!("there is no limit"),
                }
            }
        }
    }
}
