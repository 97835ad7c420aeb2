//! "Outside a union of sets in CNF", as clauses that are cheap to keep up to date.
//!
//! A state is outside a set if it violates one of its clauses: a disjunction over literals that
//! each imply the violation of one clause. Sets share clauses, and a set that gains clauses needs
//! no more than another disjunction.

use crate::contract::Context;
use crate::unroll::{Encoder, encode_predicate, over_latches};
use rustc_hash::FxHashMap;
use wedge_sat::bweak::Clause;
use wedge_sat::{Answer, LightSession, Sink};

/// The disjunctions for one state of a session.
pub struct Outside {
    latches: Vec<i32>,
    /// Implied by the state being initial.
    initial: i32,
    /// Literals that imply the violation of a clause.
    violations: FxHashMap<Clause, i32>,
    /// The literal that switches on the disjunction of each set, and how many clauses it knows.
    sets: Vec<(i32, usize)>,
}

impl Outside {
    /// About the state whose latches have these literals.
    pub fn new(encoder: &Encoder, latches: &[i32], session: &mut LightSession) -> Outside {
        let initial = encode_predicate(&encoder.circuit.initial_states(), latches, session);
        let (violations, sets) = (FxHashMap::default(), Vec::new());
        Outside { latches: latches.to_vec(), initial, violations, sets }
    }

    /// Another union: nothing is known of its sets.
    pub fn clear(&mut self, session: &mut LightSession) {
        self.sets.drain(..).for_each(|(active, _)| session.add_clause(&[-active]));
    }

    /// Assumptions under which the state is neither initial nor in one of the sets.
    ///
    /// Requires: since the last call, or `clear`, sets and clauses were only appended.
    pub fn assumptions(&mut self, sets: &[Vec<Clause>], session: &mut LightSession) -> Vec<i32> {
        for (index, clauses) in sets.iter().enumerate() {
            match self.sets.get(index) {
                Some(&(_, known)) if known == clauses.len() => continue,
                Some(&(old, _)) => {
                    session.add_clause(&[-old]);
                    self.sets[index] = (self.disjunction(clauses, session), clauses.len());
                }
                None => {
                    let active = self.disjunction(clauses, session);
                    self.sets.push((active, clauses.len()));
                }
            }
        }
        let active = self.sets.iter().map(|(active, _)| *active);
        active.chain([-self.initial]).collect()
    }

    /// A literal under which some clause is violated.
    fn disjunction(&mut self, clauses: &[Clause], session: &mut LightSession) -> i32 {
        let mut disjunction: Vec<i32> = Vec::with_capacity(clauses.len() + 1);
        for clause in clauses {
            disjunction.push(self.violation(clause, session));
        }
        let active = session.new_var();
        disjunction.push(-active);
        session.add_clause(&disjunction);
        active
    }

    /// A literal that implies that the clause is violated.
    pub fn violation(&mut self, clause: &Clause, session: &mut LightSession) -> i32 {
        let lits = over_latches(clause, &self.latches);
        if let [lit] = lits[..] {
            return -lit;
        }
        if let Some(&violation) = self.violations.get(clause) {
            return violation;
        }
        let violation = session.new_var();
        for lit in lits {
            session.add_clause(&[-violation, -lit]);
        }
        self.violations.insert(clause.clone(), violation);
        violation
    }

    pub fn is_violated(&self, clause: &[i32], session: &LightSession) -> bool {
        over_latches(clause, &self.latches).iter().all(|&l| session.value(-l))
    }
}

/// Whether a set lies within a union of others.
pub struct Inclusion {
    session: LightSession,
    latches: Vec<i32>,
    outside: Outside,
}

impl Inclusion {
    pub fn new(encoder: &Encoder, context: &Context) -> Inclusion {
        let mut session = LightSession::new(&context.interrupt());
        let latches = encoder.free_state(&mut session);
        let outside = Outside::new(encoder, &latches, &mut session);
        Inclusion { session, latches, outside }
    }

    pub fn clear(&mut self) {
        self.outside.clear(&mut self.session);
    }

    /// `Unsat` if the set lies within the initial states and the sets of the union.
    ///
    /// Requires: since the last call, or `clear`, sets and clauses were only appended.
    pub fn ask(&mut self, set: &[Clause], union: &[Vec<Clause>]) -> Answer {
        let mut assumptions = self.outside.assumptions(union, &mut self.session);
        let inside = self.session.new_var();
        for clause in set {
            let mut clause = over_latches(clause, &self.latches);
            clause.push(-inside);
            self.session.add_clause(&clause);
        }
        assumptions.push(inside);
        // I(s) ∧ ¬R(s)
        let answer = self.session.solve(&assumptions);
        self.session.add_clause(&[-inside]);
        answer
    }
}
