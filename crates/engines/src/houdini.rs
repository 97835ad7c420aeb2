//! The largest inductive subset of a set of candidates (Flanagan, Leino: Houdini, FME 2001).
//!
//! Candidates that an initial state violates go first. Then, as long as a step leads from a state
//! in which all others hold to one that violates some, those go as well:
//!
//! ```text
//! initiation   R(s) ∧ C(s,i) ∧ ¬fⱼ(s)
//! consecution  G(s) ∧ ⋀fⱼ(s) ∧ C(s,i) ∧ s' = F(s,i) ∧ C(s',i') ∧ ¬(⋀fⱼ(s'))
//! ```
//!
//! What remains is inductive together with the facts G that are known already. Candidates whose
//! question is too hard go as well; they are named, so that they can be tried with more patience.

use crate::unroll::Encoder;
use wedge_model::{Circuit, Facts};
use wedge_sat::gates::{Frame, Gates};
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, Interrupt, Session};

/// How hard a question may be.
#[derive(Clone, Copy)]
pub struct Patience {
    /// Conflicts that a question about all candidates may take, and one about a single one.
    together: i32,
    alone: i32,
}

pub const QUICK: Patience = Patience { together: 5_000, alone: 2_000 };
/// Sums that are equal for reasons of arithmetic take this long.
pub const PATIENT: Patience = Patience { together: 100_000, alone: 50_000 };

/// What became of candidates.
pub struct Filtered {
    /// Those that are inductive.
    pub facts: Facts,
    /// Those whose question was too hard.
    pub hard: Facts,
}

/// The candidates that are inductive together with `known`, which is inductive itself. None if
/// interrupted.
pub fn inductive_facts(
    circuit: &Circuit,
    known: &Facts,
    candidates: &Facts,
    patience: Patience,
    interrupt: &Interrupt,
) -> Option<Filtered> {
    let encoder = Encoder::new(circuit);
    let mut states = vec![State::Alive; candidates.roots.len()];
    initiation(&encoder, candidates, &mut states, patience, interrupt)?;
    consecution(&encoder, known, candidates, &mut states, patience, interrupt)?;
    let those = |wanted: State| {
        let mut kept = candidates.clone();
        let mut states = states.iter();
        kept.roots.retain(|_| states.next() == Some(&wanted));
        kept
    };
    Some(Filtered { facts: those(State::Alive), hard: those(State::Hard) })
}

/// What is known of a candidate.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    Alive,
    Dropped,
    Hard,
}

/// The literals of facts in a state.
pub fn encode_facts(facts: &Facts, state: &[i32], session: &mut Session) -> Vec<i32> {
    let gates = Gates::new(&facts.aig, &facts.roots);
    let mut frame = Frame::new(&facts.aig);
    for (index, &lit) in state.iter().enumerate() {
        frame.set(facts.aig.input(index), lit);
    }
    facts.roots.iter().map(|&root| frame.encode(&gates, session, root)).collect()
}

/// The candidates of a session in which it is asked whether they hold.
struct Filter<'a> {
    session: Session,
    /// For each candidate what has to be shown.
    claims: Vec<i32>,
    /// For each candidate what may be assumed as long as it is alive.
    premises: Vec<i32>,
    states: &'a mut [State],
    patience: Patience,
    interrupt: &'a Interrupt,
}

fn initiation(
    encoder: &Encoder,
    candidates: &Facts,
    states: &mut [State],
    patience: Patience,
    interrupt: &Interrupt,
) -> Option<()> {
    let mut session = Session::new(interrupt);
    let mut frame = encoder.initial_frame(&mut session);
    encoder.constrain(&mut frame, &mut session);
    let state = encoder.state(&frame);
    let claims = encode_facts(candidates, &state, &mut session);
    let premises = vec![TRUE; claims.len()];
    Filter { session, claims, premises, states, patience, interrupt }.run()
}

fn consecution(
    encoder: &Encoder,
    known: &Facts,
    candidates: &Facts,
    states: &mut [State],
    patience: Patience,
    interrupt: &Interrupt,
) -> Option<()> {
    let mut session = Session::new(interrupt);
    let state = encoder.free_state(&mut session);
    let mut frame = encoder.frame(&state);
    encoder.constrain(&mut frame, &mut session);
    for fact in encode_facts(known, &state, &mut session) {
        session.add_clause(&[fact]);
    }
    let premises = encode_facts(candidates, &state, &mut session);
    let next = encoder.next_state(&mut frame, &mut session);
    let mut later = encoder.frame(&next);
    encoder.constrain(&mut later, &mut session);
    let claims = encode_facts(candidates, &next, &mut session);
    Filter { session, claims, premises, states, patience, interrupt }.run()
}

/// What became of a question about some candidates.
enum Reply {
    AllHold,
    /// Some were dropped.
    SomeFail,
    TooHard,
}

impl Filter<'_> {
    /// Drops candidates until all that are alive follow from one another. None if interrupted.
    fn run(&mut self) -> Option<()> {
        loop {
            let alive: Vec<usize> = self.alive();
            match self.ask(&alive, self.patience.together)? {
                Reply::AllHold => return Some(()),
                Reply::SomeFail => {}
                Reply::TooHard if self.one_by_one()? => return Some(()),
                Reply::TooHard => {}
            }
        }
    }

    fn alive(&self) -> Vec<usize> {
        (0..self.states.len()).filter(|&index| self.states[index] == State::Alive).collect()
    }

    /// Asks about each candidate by itself, and drops those that are too hard. True if none was
    /// dropped.
    fn one_by_one(&mut self) -> Option<bool> {
        let mut all = true;
        for index in self.alive() {
            if self.states[index] != State::Alive {
                continue;
            }
            let reply = self.ask(&[index], self.patience.alone)?;
            if let Reply::TooHard = reply {
                self.states[index] = State::Hard;
            }
            all &= matches!(reply, Reply::AllHold);
        }
        Some(all)
    }

    /// Looks for a model in which some of the candidates do not hold, and drops all that do not.
    fn ask(&mut self, candidates: &[usize], conflicts: i32) -> Option<Reply> {
        if candidates.is_empty() {
            return Some(Reply::AllHold);
        }
        let chosen = self.session.new_var();
        let mut clause: Vec<i32> = candidates.iter().map(|&index| -self.claims[index]).collect();
        clause.push(-chosen);
        self.session.add_clause(&clause);
        let mut assumptions: Vec<i32> =
            self.alive().into_iter().map(|index| self.premises[index]).collect();
        assumptions.push(chosen);
        match self.session.solve_limited(&assumptions, Some(conflicts)) {
            Answer::Unsat => Some(Reply::AllHold),
            Answer::Stopped if self.interrupt.is_raised() => None,
            Answer::Stopped => Some(Reply::TooHard),
            Answer::Sat => {
                for index in self.alive() {
                    if !self.session.value(self.claims[index]) {
                        self.states[index] = State::Dropped;
                    }
                }
                Some(Reply::SomeFail)
            }
        }
    }
}
