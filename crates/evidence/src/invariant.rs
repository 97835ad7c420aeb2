//! Checks an inductive invariant of a circuit.
//!
//! A path satisfies every constraint in every step, its last one included. So a state that lies
//! on a path has inputs under which the constraints hold, and each condition may assume them in
//! every step it speaks about:
//!
//! ```text
//! initiation    R(s) ∧ C(s,i)                              → Inv(s)
//! consecution   Inv(s) ∧ C(s,i) ∧ s' = F(s,i) ∧ C(s',i')   → Inv(s')
//! safety        Inv(s) ∧ C(s,i)                            → ¬bad(s,i)
//! ```
//!
//! By induction every state on every path is in Inv, and none of its steps is bad.

use crate::frame::Frame;
use crate::machine::Machine;
use crate::rejection::{Condition, Rejection};
use crate::solve::refute;
use wedge_logic::{Aig, Lit};
use wedge_model::{Circuit, Predicate};
use wedge_sat::Interrupt;

/// Accepts exactly the inductive invariants of `circuit` that exclude its bad states.
///
/// Returns `Rejection::Stopped` soon after `interrupt` is raised.
pub fn check_invariant(
    circuit: &Circuit,
    invariant: &Predicate,
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    let (given, wanted) = (invariant.aig.num_inputs(), circuit.latches.len());
    if given != wanted {
        let cause = format!("the invariant is over {given} latches, the circuit has {wanted}");
        return Err(Rejection::Malformed(cause));
    }
    let machine = Machine::from(circuit);
    initiation(&machine, invariant, interrupt)?;
    consecution(&machine, invariant, interrupt)?;
    safety(&machine, invariant, interrupt)
}

fn initiation(machine: &Machine, inv: &Predicate, interrupt: &Interrupt) -> Result<(), Rejection> {
    let mut aig = Aig::new();
    let (frame, mut roots) = Frame::first(&mut aig, machine);
    roots.extend(frame.constraints(&mut aig));
    roots.push(!holds(&mut aig, inv, &frame));
    refute(&aig, &roots, Condition::Initiation, &frame.registers, interrupt)
}

/// The constraints of the second step are left out at first: what holds without them holds with them, most invariants do without,
/// and in the transition systems of programs they are as large as the step itself.
fn consecution(machine: &Machine, inv: &Predicate, interrupt: &Interrupt) -> Result<(), Rejection> {
    let mut aig = Aig::new();
    let now = Frame::any(&mut aig, machine);
    let next = Frame::after(&mut aig, &now);
    let mut roots = vec![holds(&mut aig, inv, &now), !holds(&mut aig, inv, &next)];
    roots.extend(now.constraints(&mut aig));
    // Inv(s) ∧ C(s,i) ∧ s' = F(s,i) ∧ ¬Inv(s')
    match refute(&aig, &roots, Condition::Consecution, &now.registers, interrupt) {
        Err(Rejection::Refuted { .. }) if !machine.constraints.is_empty() => {}
        decided => return decided,
    }
    roots.extend(next.constraints(&mut aig));
    // Inv(s) ∧ C(s,i) ∧ s' = F(s,i) ∧ C(s',i') ∧ ¬Inv(s')
    refute(&aig, &roots, Condition::Consecution, &now.registers, interrupt)
}

fn safety(machine: &Machine, inv: &Predicate, interrupt: &Interrupt) -> Result<(), Rejection> {
    let mut aig = Aig::new();
    let frame = Frame::any(&mut aig, machine);
    let mut roots = vec![holds(&mut aig, inv, &frame), frame.bad(&mut aig)];
    roots.extend(frame.constraints(&mut aig));
    refute(&aig, &roots, Condition::Safety, &frame.registers, interrupt)
}

/// The invariant in the state of a frame.
fn holds(aig: &mut Aig, invariant: &Predicate, frame: &Frame) -> Lit {
    invariant.aig.copy_into(aig, &[invariant.root], &frame.registers)[0]
}
