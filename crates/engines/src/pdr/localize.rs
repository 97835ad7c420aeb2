//! Localisation: latches that a proof does not need are left open (Kurshan 1994), and those that it
//! needs are found by refuted counterexamples (Clarke, Grumberg, Jha, Lu, Veith, CAV 2000).
//!
//! Of a latch that is not kept, every step reads a new input. That allows more paths and forbids
//! none, so an invariant of the localised circuit is one of the circuit. A counterexample of so many
//! steps is looked for in the circuit itself, with an assumption for each latch that says that it
//! begins and goes on as it should. Either there is one, or the assumptions that the refutation
//! needs are latches to keep (as in proof-based abstraction: McMillan, Amla, TACAS 2003); some of
//! them are new, since with the latches kept so far there was a counterexample.

use super::Pdr;
use crate::contract::{Context, Outcome};
use crate::figures;
use crate::interpolants::add_folded;
use crate::unroll::{Encoder, Path};
use wedge_logic::Lit;
use wedge_logic::aig::Node;
use wedge_model::{Circuit, Latch, Reset, Trace};
use wedge_sat::gates::Frame;
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, Session};

/// A larger share of the latches is as good as all of them. A guess.
const MOST: f64 = 0.7;

pub(super) fn run(pdr: &Pdr, circuit: &Circuit, context: &Context) -> Outcome {
    let mut kept = vec![false; circuit.latches.len()];
    loop {
        let count = kept.iter().filter(|&&is_kept| is_kept).count();
        if count as f64 >= MOST * kept.len() as f64 {
            record(kept.len(), kept.len(), context);
            return pdr.decide(circuit, context);
        }
        let trace = match pdr.decide(&localized(circuit, &kept), context) {
            Outcome::Unsafe(trace) => trace,
            outcome => {
                record(count, kept.len(), context);
                return outcome;
            }
        };
        match refine(circuit, trace.inputs.len() - 1, context) {
            Refinement::Stopped => return Outcome::Unknown(context.stop_reason()),
            Refinement::Real(trace) => return Outcome::Unsafe(trace),
            Refinement::Keep(latches) if latches.iter().all(|&latch| kept[latch]) => {
                return Outcome::internal(
                    "a refuted counterexample of a localised circuit returns",
                );
            }
            Refinement::Keep(latches) => {
                latches.into_iter().for_each(|latch| kept[latch] = true);
                keep_what_resets_read(circuit, &mut kept);
                context.record(|f| f.refinements += 1);
            }
        }
    }
}

fn record(kept: usize, all: usize, context: &Context) {
    context.record(|f| f.add(figures::LATCHES_LEFT_OPEN, (all - kept) as f64));
}

/// Keeps the latches that first values of latches are made of: the value that such a function reads
/// has to be the one that the first step reads.
fn keep_what_resets_read(circuit: &Circuit, kept: &mut [bool]) {
    loop {
        let before = kept.iter().filter(|&&is_kept| is_kept).count();
        let latches = circuit.latches.iter().zip(&*kept).filter(|(_, is_kept)| **is_kept);
        let functions: Vec<Lit> = latches.filter_map(|(latch, _)| reset_function(latch)).collect();
        let cone = circuit.aig.cone(&functions);
        for (latch, is_kept) in circuit.latches.iter().zip(kept.iter_mut()) {
            *is_kept |= cone[latch.state.node() as usize];
        }
        if kept.iter().filter(|&&is_kept| is_kept).count() == before {
            return;
        }
    }
}

/// The circuit in which latches that are not kept are open in every step. The latches have the
/// places that they had; those that are open take any value in each state, and no gate reads them.
fn localized(circuit: &Circuit, kept: &[bool]) -> Circuit {
    let mut result = Circuit::default();
    let states: Vec<Lit> = circuit.latches.iter().map(|_| result.add_latch(Reset::Free)).collect();
    let mut now = vec![Lit::FALSE; circuit.aig.num_inputs()];
    for &input in &circuit.inputs {
        now[place(circuit, input)] = result.add_input();
    }
    let mut first = now.clone();
    for (index, latch) in circuit.latches.iter().enumerate() {
        let at = place(circuit, latch.state);
        first[at] = states[index];
        now[at] = if kept[index] { states[index] } else { result.add_input() };
    }
    let copied = |result: &mut Circuit, roots: Vec<Lit>, inputs: &[Lit]| {
        circuit.aig.copy_into(&mut result.aig, &roots, inputs).into_iter()
    };
    let is_kept = |(index, _): &(usize, &Latch)| kept[*index];
    let functions = || circuit.latches.iter().enumerate().filter(is_kept);
    let nexts = functions().map(|(_, latch)| latch.next).collect();
    let resets = functions().filter_map(|(_, latch)| reset_function(latch)).collect();
    let mut nexts = copied(&mut result, nexts, &now);
    let mut resets = copied(&mut result, resets, &first);
    for (index, latch) in circuit.latches.iter().enumerate() {
        result.latches[index].next = match kept[index] {
            true => nexts.next().expect("one for each latch that is kept"),
            false => result.add_input(),
        };
        let reset = match reset_function(latch) {
            Some(_) if kept[index] => resets.next().map_or(Reset::Free, Reset::Function),
            _ => latch.reset,
        };
        result.latches[index].reset = if kept[index] { reset } else { Reset::Free };
    }
    let mut roots = circuit.constraints.clone();
    roots.push(circuit.bad);
    result.constraints = copied(&mut result, roots, &now).collect();
    result.bad = result.constraints.pop().expect("the bad states were copied");
    result
}

fn reset_function(latch: &Latch) -> Option<Lit> {
    match latch.reset {
        Reset::Function(lit) => Some(lit),
        _ => None,
    }
}

/// Which input of the graph an input or a latch is.
fn place(circuit: &Circuit, lit: Lit) -> usize {
    match circuit.aig.node(lit.node()) {
        Node::Input(index) => index as usize,
        _ => unreachable!("inputs and latches are inputs of the graph"),
    }
}

enum Refinement {
    Real(Trace),
    /// There is no counterexample of this length because of these latches.
    Keep(Vec<usize>),
    Stopped,
}

/// Looks for a counterexample of so many steps in the circuit itself.
fn refine(circuit: &Circuit, steps: usize, context: &Context) -> Refinement {
    let encoder = Encoder::new(circuit);
    let mut session = Session::new(&context.interrupt());
    let active: Vec<i32> = circuit.latches.iter().map(|_| session.new_var()).collect();
    let mut path = Path::default();
    let mut frame = encoder.frame(&encoder.free_state(&mut session));
    for (latch, &active) in active.iter().enumerate() {
        begin(&encoder, &mut frame, latch, active, &mut session);
    }
    for step in 0..steps {
        encoder.constrain(&mut frame, &mut session);
        let next = linked(&encoder, &mut frame, steps - step - 1, &active, &mut session);
        path.push(circuit, &frame);
        frame = encoder.frame(&next);
    }
    encoder.constrain(&mut frame, &mut session);
    let bad = encoder.bad(&mut frame, &mut session);
    path.push(circuit, &frame);
    let mut assumptions = active.clone();
    assumptions.push(bad);
    // I(s₀) ∧ T(s₀,s₁) ∧ … ∧ T(sₖ₋₁,sₖ) ∧ ¬P(sₖ)
    let answer = session.solve(&assumptions);
    context.record(|f| f.solver_seconds += session.seconds);
    match answer {
        Answer::Stopped => Refinement::Stopped,
        Answer::Sat => Refinement::Real(path.trace(steps, &mut session)),
        Answer::Unsat => {
            let needed = (0..active.len()).filter(|&latch| session.failed(active[latch]));
            Refinement::Keep(needed.collect())
        }
    }
}

/// The first value of a latch, if it is active.
fn begin(encoder: &Encoder, frame: &mut Frame, latch: usize, active: i32, session: &mut Session) {
    let Latch { state, reset, .. } = encoder.circuit.latches[latch];
    let state = frame.get(state).expect("latches have literals");
    let value = match reset {
        Reset::Free => return,
        Reset::Const(value) => {
            if value {
                TRUE
            } else {
                -TRUE
            }
        }
        Reset::Function(lit) => frame.encode(&encoder.gates, session, lit),
    };
    equal_if(active, state, value, session);
}

/// New literals for the latches one step later, which follow from the step if they are active;
/// those that do not matter within so many more steps follow from nothing.
fn linked(
    encoder: &Encoder,
    frame: &mut Frame,
    steps: usize,
    active: &[i32],
    session: &mut Session,
) -> Vec<i32> {
    let next = encoder.free_state(session);
    for latch in encoder.latches_within(steps) {
        let value = frame.encode(&encoder.gates, session, encoder.circuit.latches[latch].next);
        equal_if(active[latch], next[latch], value, session);
    }
    next
}

fn equal_if(active: i32, a: i32, b: i32, session: &mut Session) {
    add_folded(session, &[-active, -a, b]);
    add_folded(session, &[-active, a, -b]);
}
