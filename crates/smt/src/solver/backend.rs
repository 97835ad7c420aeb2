//! Two SAT solvers behind one graph that grows.
//!
//! The queries of one session are about many formulas, of which each concerns a few. The light
//! solver looks only at the gates below a query, and decides no more of them than the query calls
//! for. What it does not decide within a budget of conflicts is a question for CaDiCaL, which is told
//! about the query then; when that happens often, the budget shrinks.

use wedge_logic::{Aig, Lit};
use wedge_sat::growing::Growing;
use wedge_sat::{Answer, Interrupt, LightSession, Session, Sink};

/// Conflicts of the light solver within one query.
const MOST_CONFLICTS: u64 = 4000;
const FEWEST_CONFLICTS: u64 = 125;

/// A solver with its copy of the graph, and how many of the clauses it has.
struct Copy<S> {
    session: S,
    growing: Growing,
    clauses: usize,
}

impl<S: Sink> Copy<S> {
    fn new(session: S) -> Copy<S> {
        Copy { session, growing: Growing::new(), clauses: 0 }
    }

    fn literals(&mut self, aig: &Aig, lits: &[Lit]) -> Vec<i32> {
        lits.iter().map(|&lit| self.growing.encode(aig, &mut self.session, lit)).collect()
    }

    /// Adds the clauses that are missing, and returns them.
    fn catch_up(&mut self, aig: &Aig, clauses: &[Vec<Lit>]) -> Vec<Vec<i32>> {
        let missing = &clauses[self.clauses..];
        self.clauses = clauses.len();
        let missing = missing.iter().map(|clause| self.literals(aig, clause));
        let missing: Vec<Vec<i32>> = missing.collect();
        missing.iter().for_each(|clause| self.session.add_clause(clause));
        missing
    }
}

pub(super) struct Backend {
    light: Option<Copy<LightSession>>,
    thorough: Option<Copy<Session>>,
    /// What holds in every query.
    clauses: Vec<Vec<Lit>>,
    budget: u64,
    interrupt: Interrupt,
    /// Whether the last answer is the light solver's.
    by_light: bool,
    seconds: f64,
}

impl Backend {
    /// For many queries.
    pub fn light(interrupt: &Interrupt) -> Backend {
        Backend {
            light: Some(Copy::new(LightSession::new(interrupt))),
            thorough: None,
            clauses: Vec::new(),
            budget: MOST_CONFLICTS,
            interrupt: interrupt.clone(),
            by_light: true,
            seconds: 0.0,
        }
    }

    /// For few queries that may be hard: with all techniques of CaDiCaL.
    pub fn thorough(interrupt: &Interrupt) -> Backend {
        let thorough = Some(Copy::new(Session::new(interrupt)));
        Backend { light: None, thorough, ..Backend::light(interrupt) }
    }

    pub fn add_clause(&mut self, clause: Vec<Lit>) {
        self.clauses.push(clause);
    }

    /// The seconds that the solvers have taken.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    pub fn solve(&mut self, aig: &Aig, assumptions: &[Lit], conflicts: Option<i32>) -> Answer {
        let start = std::time::Instant::now();
        let answer = match self.by_light(aig, assumptions, conflicts) {
            Answer::Stopped if self.is_left(conflicts) => {
                self.thoroughly(aig, assumptions, conflicts)
            }
            answer => answer,
        };
        self.seconds += start.elapsed().as_secs_f64();
        answer
    }

    /// Whether there is more to spend on a query that the light solver has given up.
    fn is_left(&self, conflicts: Option<i32>) -> bool {
        let all = conflicts.is_none_or(|limit| limit as u64 > self.budget || self.light.is_none());
        all && !self.interrupt.is_raised()
    }

    fn by_light(&mut self, aig: &Aig, assumptions: &[Lit], conflicts: Option<i32>) -> Answer {
        let Some(light) = &mut self.light else { return Answer::Stopped };
        self.by_light = true;
        for clause in light.catch_up(aig, &self.clauses) {
            light.session.keep(&clause);
        }
        let literals = light.literals(aig, assumptions);
        let budget = conflicts.map_or(self.budget, |limit| self.budget.min(limit as u64));
        let answer = light.session.solve_below(&literals, budget);
        let next = if answer == Answer::Stopped { budget / 2 } else { self.budget * 2 };
        self.budget = next.clamp(FEWEST_CONFLICTS, MOST_CONFLICTS);
        answer
    }

    fn thoroughly(&mut self, aig: &Aig, assumptions: &[Lit], conflicts: Option<i32>) -> Answer {
        self.by_light = false;
        let interrupt = &self.interrupt;
        let new = || Copy::new(Session::light(interrupt));
        let thorough = self.thorough.get_or_insert_with(new);
        thorough.catch_up(aig, &self.clauses);
        let literals = thorough.literals(aig, assumptions);
        thorough.session.solve_limited(&literals, conflicts)
    }

    /// The value of a bit in the last model; false where the model leaves it open.
    pub fn value(&mut self, lit: Lit) -> bool {
        self.asked(lit, |light, lit| light.value(lit), |thorough, lit| thorough.value(lit))
    }

    /// Whether the last refutation used an assumption.
    pub fn failed(&mut self, lit: Lit) -> bool {
        self.asked(lit, |light, lit| light.failed(lit), |thorough, lit| thorough.failed(lit))
    }

    /// What the solver that has given the last answer says about a literal; false if it has none.
    fn asked(
        &mut self,
        lit: Lit,
        light: fn(&LightSession, i32) -> bool,
        thorough: fn(&mut Session, i32) -> bool,
    ) -> bool {
        match (&self.light, &mut self.thorough) {
            (Some(copy), _) if self.by_light => {
                copy.growing.get(lit).is_some_and(|lit| light(&copy.session, lit))
            }
            (_, Some(Copy { session, growing, .. })) => {
                growing.get(lit).is_some_and(|lit| thorough(session, lit))
            }
            _ => false,
        }
    }
}
