//! Localisation: what a proof does not need is left open (Kurshan 1994), and what it needs is found by
//! refuted counterexamples (Clarke, Grumberg, Jha, Lu, Veith, CAV 2000).
//!
//! Four things can be left open, see [`Localize`]. Of a latch that is not kept, every step reads a new
//! input; of a variable all bits are kept or none; of an update the latch takes any value in the next
//! step; a constraint need not hold. All of that allows more paths and forbids none, so an invariant of
//! the localised circuit is one of the circuit. A counterexample of so many steps is looked for in the
//! circuit itself, with an assumption for each part that it is as it should. Either there is one, or
//! the assumptions that the refutation needs are parts to keep (as in proof-based abstraction: McMillan,
//! Amla, TACAS 2003); some of them are new, since with those kept so far there was a counterexample.

use super::{Localize, Pdr};
use crate::contract::{Context, Outcome};
use crate::figures;
use crate::interpolants::add_folded;
use crate::unroll::{Encoder, Path};
use wedge_logic::Lit;
use wedge_logic::aig::Node;
use wedge_model::{Circuit, Latch, Reset, Trace, Words};
use wedge_sat::gates::Frame;
use wedge_sat::session::TRUE;
use wedge_sat::{Answer, Session};

/// A larger share of the parts is as good as all of them. A guess.
const MOST: f64 = 0.7;

pub(super) fn run(pdr: &Pdr, what: Localize, circuit: &Circuit, context: &Context) -> Outcome {
    let mut parts = Parts::open(what, circuit);
    loop {
        let (kept, all) = parts.count();
        if kept as f64 >= MOST * all as f64 {
            record(0, context);
            return pdr.decide(circuit, context);
        }
        let trace = match pdr.decide(&parts.localized(circuit), context) {
            Outcome::Unsafe(trace) => trace,
            outcome => {
                record(all - kept, context);
                return outcome;
            }
        };
        match parts.refine(circuit, trace.inputs.len() - 1, context) {
            Refinement::Stopped => return Outcome::Unknown(context.stop_reason()),
            Refinement::Real(trace) => return Outcome::Unsafe(trace),
            Refinement::Keep(needed) => {
                let is_new = needed.into_iter().fold(false, |is_new, part| {
                    let was_kept = std::mem::replace(&mut parts.kept[part], true);
                    is_new || !was_kept
                });
                if !is_new {
                    return Outcome::internal(
                        "a refuted counterexample of a localised circuit returns",
                    );
                }
                parts.close(circuit, pdr.config.words.as_deref());
                context.record(|f| f.refinements += 1);
            }
        }
    }
}

fn record(open: usize, context: &Context) {
    context.record(|f| f.add(figures::PARTS_LEFT_OPEN, open as f64));
}

/// What can be left open: latches, or constraints.
struct Parts {
    what: Localize,
    kept: Vec<bool>,
}

impl Parts {
    fn open(what: Localize, circuit: &Circuit) -> Parts {
        let count = match what {
            Localize::Constraints => circuit.constraints.len(),
            _ => circuit.latches.len(),
        };
        Parts { what, kept: vec![false; count] }
    }

    /// How many are kept, and how many there are.
    fn count(&self) -> (usize, usize) {
        (self.kept.iter().filter(|&&is_kept| is_kept).count(), self.kept.len())
    }

    fn keeps_update(&self, latch: usize) -> bool {
        self.what == Localize::Constraints || self.kept[latch]
    }

    fn keeps_value(&self, latch: usize) -> bool {
        self.what == Localize::Updates || self.keeps_update(latch)
    }

    fn keeps_constraint(&self, constraint: usize) -> bool {
        self.what != Localize::Constraints || self.kept[constraint]
    }

    /// Keeps what belongs to those that are kept: the other bits of variables, and the latches that
    /// first values are made of, since the value that such a function reads has to be the one that the
    /// first step reads.
    fn close(&mut self, circuit: &Circuit, words: Option<&Words>) {
        let words = words.filter(|_| self.what == Localize::Variables);
        let by_value = matches!(self.what, Localize::Latches | Localize::Variables);
        loop {
            let before = self.count();
            words.into_iter().for_each(|words| self.keep_whole(words));
            if by_value {
                self.keep_what_resets_read(circuit);
            }
            if self.count() == before {
                return;
            }
        }
    }

    fn keep_whole(&mut self, words: &Words) {
        let graph = wedge_logic::Aig::with_inputs(self.kept.len());
        for word in &words.words {
            let bits = word.bits.iter().filter(|bit| !bit.is_const());
            let latches: Vec<usize> = bits
                .filter(|bit| (bit.node() as usize) < graph.len())
                .filter_map(|bit| match graph.node(bit.node()) {
                    Node::Input(latch) => Some(latch as usize),
                    _ => None,
                })
                .collect();
            if latches.iter().any(|&latch| self.kept[latch]) {
                latches.into_iter().for_each(|latch| self.kept[latch] = true);
            }
        }
    }

    fn keep_what_resets_read(&mut self, circuit: &Circuit) {
        let latches = circuit.latches.iter().zip(&self.kept).filter(|(_, is_kept)| **is_kept);
        let functions: Vec<Lit> = latches.filter_map(|(latch, _)| reset_function(latch)).collect();
        let cone = circuit.aig.cone(&functions);
        for (latch, is_kept) in circuit.latches.iter().zip(&mut self.kept) {
            *is_kept |= cone[latch.state.node() as usize];
        }
    }

    /// The circuit in which parts that are not kept are open. The latches have the places that they
    /// had; no gate reads those whose values are open.
    fn localized(&self, circuit: &Circuit) -> Circuit {
        let mut result = Circuit::default();
        let latches = || circuit.latches.iter().enumerate();
        let states: Vec<Lit> = latches().map(|_| result.add_latch(Reset::Free)).collect();
        let mut now = vec![Lit::FALSE; circuit.aig.num_inputs()];
        for &input in &circuit.inputs {
            now[place(circuit, input)] = result.add_input();
        }
        let mut first = now.clone();
        for (index, latch) in latches() {
            let at = place(circuit, latch.state);
            first[at] = states[index];
            now[at] = if self.keeps_value(index) { states[index] } else { result.add_input() };
        }
        let copied = |result: &mut Circuit, roots: Vec<Lit>, inputs: &[Lit]| {
            circuit.aig.copy_into(&mut result.aig, &roots, inputs).into_iter()
        };
        let updates = latches().filter(|(index, _)| self.keeps_update(*index));
        let updates = updates.map(|(_, latch)| latch.next).collect();
        let mut updates = copied(&mut result, updates, &now);
        let values = latches().filter(|(index, _)| self.keeps_value(*index));
        let resets = values.filter_map(|(_, latch)| reset_function(latch)).collect();
        let mut resets = copied(&mut result, resets, &first);
        for (index, latch) in latches() {
            result.latches[index].next = match self.keeps_update(index) {
                true => updates.next().expect("one for each update that is kept"),
                false => result.add_input(),
            };
            result.latches[index].reset = match (self.keeps_value(index), reset_function(latch)) {
                (false, _) => Reset::Free,
                (true, Some(_)) => resets.next().map_or(Reset::Free, Reset::Function),
                (true, None) => latch.reset,
            };
        }
        let constraints = circuit.constraints.iter().enumerate();
        let constraints = constraints.filter(|(index, _)| self.keeps_constraint(*index));
        let mut roots: Vec<Lit> = constraints.map(|(_, &constraint)| constraint).collect();
        roots.push(circuit.bad);
        result.constraints = copied(&mut result, roots, &now).collect();
        result.bad = result.constraints.pop().expect("the bad states were copied");
        result
    }

    /// Looks for a counterexample of so many steps in the circuit itself.
    fn refine(&self, circuit: &Circuit, steps: usize, context: &Context) -> Refinement {
        let encoder = Encoder::new(circuit);
        let mut session = Session::new(&context.interrupt());
        let active: Vec<i32> = self.kept.iter().map(|_| session.new_var()).collect();
        let link = Link { parts: self, encoder: &encoder, active: &active };
        let mut path = Path::default();
        let mut frame = encoder.frame(&encoder.free_state(&mut session));
        (0..circuit.latches.len()).for_each(|latch| link.begin(&mut frame, latch, &mut session));
        for step in 0..steps {
            link.constrain(&mut frame, &mut session);
            let next = link.next(&mut frame, steps - step - 1, &mut session);
            path.push(circuit, &frame);
            frame = encoder.frame(&next);
        }
        link.constrain(&mut frame, &mut session);
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
                let needed = (0..active.len()).filter(|&part| session.failed(active[part]));
                Refinement::Keep(needed.collect())
            }
        }
    }
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
    /// There is no counterexample of this length because of these parts.
    Keep(Vec<usize>),
    Stopped,
}

/// What holds of the circuit if the literals of its parts do.
struct Link<'a> {
    parts: &'a Parts,
    encoder: &'a Encoder<'a>,
    active: &'a [i32],
}

impl Link<'_> {
    /// The first value of a latch.
    fn begin(&self, frame: &mut Frame, latch: usize, session: &mut Session) {
        let Latch { state, reset, .. } = self.encoder.circuit.latches[latch];
        let state = frame.get(state).expect("latches have literals");
        let value = match reset {
            Reset::Free => return,
            Reset::Const(true) => TRUE,
            Reset::Const(false) => -TRUE,
            Reset::Function(lit) => frame.encode(&self.encoder.gates, session, lit),
        };
        let active = match self.parts.what {
            Localize::Latches | Localize::Variables => self.active[latch],
            Localize::Updates | Localize::Constraints => TRUE,
        };
        equal_if(active, state, value, session);
    }

    fn constrain(&self, frame: &mut Frame, session: &mut Session) {
        for (index, &constraint) in self.encoder.circuit.constraints.iter().enumerate() {
            let lit = frame.encode(&self.encoder.gates, session, constraint);
            let active = match self.parts.what {
                Localize::Constraints => self.active[index],
                _ => TRUE,
            };
            add_folded(session, &[-active, lit]);
        }
    }

    /// New literals for the latches one step later; those that do not matter within so many more
    /// steps follow from nothing.
    fn next(&self, frame: &mut Frame, steps: usize, session: &mut Session) -> Vec<i32> {
        let next = self.encoder.free_state(session);
        for latch in self.encoder.latches_within(steps) {
            let function = self.encoder.circuit.latches[latch].next;
            let value = frame.encode(&self.encoder.gates, session, function);
            let active = match self.parts.what {
                Localize::Constraints => TRUE,
                _ => self.active[latch],
            };
            equal_if(active, next[latch], value, session);
        }
        next
    }
}

fn equal_if(active: i32, a: i32, b: i32, session: &mut Session) {
    add_folded(session, &[-active, -a, b]);
    add_folded(session, &[-active, a, -b]);
}
