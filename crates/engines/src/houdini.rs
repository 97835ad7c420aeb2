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
//! What remains is inductive together with the facts G that are known already.

use crate::unroll::Encoder;
use wedge_model::{Circuit, Facts};
use wedge_sat::gates::{Frame, Gates};
use wedge_sat::{Answer, Interrupt, Session};

/// The candidates that are inductive together with `known`, which is inductive itself. None if
/// interrupted.
pub fn inductive_facts(
    circuit: &Circuit,
    known: &Facts,
    candidates: &Facts,
    interrupt: &Interrupt,
) -> Option<Facts> {
    let encoder = Encoder::new(circuit);
    let mut alive = vec![true; candidates.roots.len()];
    initiation(&encoder, candidates, &mut alive, interrupt)?;
    consecution(&encoder, known, candidates, &mut alive, interrupt)?;
    let mut kept = candidates.clone();
    let mut flags = alive.into_iter();
    kept.roots.retain(|_| flags.next().unwrap_or(false));
    Some(kept)
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

fn initiation(
    encoder: &Encoder,
    candidates: &Facts,
    alive: &mut [bool],
    interrupt: &Interrupt,
) -> Option<()> {
    let mut session = Session::new(interrupt);
    let mut frame = encoder.initial_frame(&mut session);
    encoder.constrain(&mut frame, &mut session);
    let state = encoder.state(&frame);
    let lits = encode_facts(candidates, &state, &mut session);
    while drop_violated(&mut session, &[], &lits, alive)? {}
    Some(())
}

fn consecution(
    encoder: &Encoder,
    known: &Facts,
    candidates: &Facts,
    alive: &mut [bool],
    interrupt: &Interrupt,
) -> Option<()> {
    let mut session = Session::new(interrupt);
    let state = encoder.free_state(&mut session);
    let mut frame = encoder.frame(&state);
    encoder.constrain(&mut frame, &mut session);
    for fact in encode_facts(known, &state, &mut session) {
        session.add_clause(&[fact]);
    }
    let before = encode_facts(candidates, &state, &mut session);
    let next = encoder.next_state(&mut frame, &mut session);
    let mut later = encoder.frame(&next);
    encoder.constrain(&mut later, &mut session);
    let after = encode_facts(candidates, &next, &mut session);
    loop {
        let held = (0..alive.len()).filter(|&index| alive[index]).map(|index| before[index]);
        let held: Vec<i32> = held.collect();
        if !drop_violated(&mut session, &held, &after, alive)? {
            return Some(());
        }
    }
}

/// Looks for a model in which some candidate that is alive does not hold, and drops all such;
/// false if there is none.
fn drop_violated(
    session: &mut Session,
    assumptions: &[i32],
    lits: &[i32],
    alive: &mut [bool],
) -> Option<bool> {
    let chosen = session.new_var();
    let open = (0..alive.len()).filter(|&index| alive[index]);
    let mut clause: Vec<i32> = open.map(|index| -lits[index]).collect();
    if clause.is_empty() {
        return Some(false);
    }
    clause.push(-chosen);
    session.add_clause(&clause);
    let assumptions: Vec<i32> = assumptions.iter().copied().chain([chosen]).collect();
    match session.solve(&assumptions) {
        Answer::Unsat => Some(false),
        Answer::Stopped => None,
        Answer::Sat => {
            for (index, alive) in alive.iter_mut().enumerate() {
                *alive &= session.value(lits[index]);
            }
            Some(true)
        }
    }
}
