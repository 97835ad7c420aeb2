//! From claims to what is believed: one function for each kind of claim.
//!
//! Each checks its claim on the model as it was read and returns a [`Checked`] value, or a
//! [`Rejection`] that says why there is none.

use crate::auxiliary::check_strengthened_induction;
use crate::btor2::check_word_witness;
use crate::c::only_run::{self, End};
use crate::c::replay::{Alarm, replay, replay_answers};
use crate::checked::{Checked, Course, Proof, Run};
use crate::cuts::{check_cut_invariants, check_exhausted_automaton, check_quantified_invariants};
use crate::induction::check_induction;
use crate::invariant::check_invariant;
use crate::lasso::{check_lasso, check_word_lasso};
use crate::prefix::check_exhaustion;
use crate::rejection::Rejection;
use crate::trace::check_witness;
use wedge_c::Properties;
use wedge_c::encode::Encoded;
use wedge_c::interp::Answer;
use wedge_c::typed::Program;
use wedge_hw::aiger::{self, AigerModel};
use wedge_hw::btor2;
use wedge_model::cfa::{self, CutInvariants, LocationId, QuantifiedInvariants, TargetKind};
use wedge_model::{Cfa, Circuit, Predicate, System, Trace, WordTrace};
use wedge_sat::Interrupt;

/// What a trace of a circuit violates.
const BAD: &str = "bad";
/// What a lasso of a circuit satisfies, and so violates.
const JUSTICE: &str = "justice";

/// An inductive invariant of a circuit that excludes its bad states.
pub fn invariant(
    circuit: &Circuit,
    invariant: Predicate,
    interrupt: &Interrupt,
) -> Result<Checked<Proof>, Rejection> {
    check_invariant(circuit, &invariant, interrupt)?;
    Ok(Checked::new(Proof::Invariant(invariant)))
}

/// A formula for each cut point of an automaton.
pub fn invariants(
    cfa: &Cfa,
    claim: CutInvariants,
    interrupt: &Interrupt,
) -> Result<Checked<Proof>, Rejection> {
    check_cut_invariants(cfa, &claim, interrupt)?;
    Ok(Checked::new(Proof::Invariants(claim)))
}

/// Formulas for each cut point of an automaton, for all values of bound variables.
pub fn quantified_invariants(
    cfa: &Cfa,
    claim: QuantifiedInvariants,
    interrupt: &Interrupt,
) -> Result<Checked<Proof>, Rejection> {
    check_quantified_invariants(cfa, &claim, interrupt)?;
    Ok(Checked::new(Proof::Quantified(claim)))
}

/// The property is k-inductive, `k` ≥ 1: on simple paths if that is said, and where the facts hold
/// if there are any, which have to be inductive by themselves.
pub fn induction(
    circuit: &Circuit,
    (k, simple_path): (usize, bool),
    facts: Option<Predicate>,
    interrupt: &Interrupt,
) -> Result<Checked<Proof>, Rejection> {
    match &facts {
        Some(facts) => check_strengthened_induction(circuit, facts, k, simple_path, interrupt)?,
        None => check_induction(circuit, k, simple_path, interrupt)?,
    }
    Ok(Checked::new(Proof::Induction { k, simple_path, facts }))
}

/// Every path of a circuit is good and has at most so many steps.
pub fn exhaustion(
    circuit: &Circuit,
    length: usize,
    interrupt: &Interrupt,
) -> Result<Checked<Proof>, Rejection> {
    check_exhaustion(circuit, length, interrupt)?;
    Ok(Checked::new(Proof::Exhaustion { length }))
}

/// Every run of an automaton comes to at most so many of the cut points, and to no target.
pub fn exhausted_automaton(
    cfa: &Cfa,
    cuts: &[LocationId],
    length: usize,
    interrupt: &Interrupt,
) -> Result<Checked<Proof>, Rejection> {
    check_exhausted_automaton(cfa, cuts, length, interrupt)?;
    Ok(Checked::new(Proof::Exhaustion { length }))
}

/// The only run of a program, of so many steps in the interpreter, ends on its automaton without
/// reaching a target.
pub fn only_run(
    cfa: &Cfa,
    steps: u64,
    stop: &dyn Fn() -> bool,
) -> Result<Checked<Proof>, Rejection> {
    match only_run::execute(cfa, stop) {
        End::Safe(edges) => Ok(Checked::new(Proof::OnlyRun { steps, edges })),
        End::Limit(target) => Err(Rejection::of_end(&target)),
        End::Stopped => Err(Rejection::Stopped),
        End::Error(target) => Err(Rejection::Contradicted { target }),
        End::Broken(cause) => Err(Rejection::Malformed(cause)),
    }
}

/// A trace of the circuit of an AIGER model's property, as a witness of the model; `course` is what
/// it was made from.
pub fn aiger_trace(
    model: &AigerModel,
    property: usize,
    trace: &Trace,
    course: Course,
) -> Result<Checked<Run>, Rejection> {
    let bads = model.properties().len();
    let witness = aiger::Witness { properties: vec![property], bads, trace: model.trace(trace) };
    check_witness(model, &witness)?;
    Ok(run(BAD, course))
}

/// A path of a BTOR2 model to a bad state; `course` is what it was made from.
pub fn btor2_trace(
    system: &System,
    property: usize,
    words: &WordTrace,
    course: Course,
) -> Result<Checked<Run>, Rejection> {
    check_word_witness(system, &btor2::Witness::from_trace(system, vec![property], words))?;
    Ok(run(BAD, course))
}

/// A lasso of an AIGER model that satisfies a justice property; `course` is what it was made from.
pub fn aiger_lasso(
    model: &AigerModel,
    justice: usize,
    lasso: &Trace,
    course: Course,
) -> Result<Checked<Run>, Rejection> {
    check_lasso(model, justice, lasso)?;
    Ok(run(JUSTICE, course))
}

/// The same of a BTOR2 model.
pub fn btor2_lasso(
    system: &System,
    justice: usize,
    lasso: &WordTrace,
    course: Course,
) -> Result<Checked<Run>, Rejection> {
    check_word_lasso(system, justice, lasso)?;
    Ok(run(JUSTICE, course))
}

/// A run of the whole automaton of a program; `course` is what it was made from.
pub fn program_run(
    (program, properties): (&Program, &Properties),
    encoded: &Encoded,
    path: &cfa::Run,
    course: Course,
) -> Result<Checked<Run>, Rejection> {
    let target = path.target.and_then(|index| encoded.cfa.targets.get(index));
    match target {
        Some(target) if target.kind == TargetKind::Error => {}
        Some(target) => return Err(Rejection::of_end(target)),
        None => return Err(Rejection::Malformed("the run does not reach a target".into())),
    }
    confirmed(replay(program, properties, encoded, path, 0), course)
}

/// An execution of a program that was given these answers and violates the property after so many
/// steps.
pub fn execution(
    (program, properties): (&Program, &Properties),
    answers: Vec<Answer>,
    steps: u64,
) -> Result<Checked<Run>, Rejection> {
    let replayed = replay_answers(program, properties, &answers, steps, 0);
    confirmed(replayed, Course::Execution { answers, steps })
}

/// A run that the interpreter has come to the end of.
fn confirmed(replayed: Result<Alarm, String>, course: Course) -> Result<Checked<Run>, Rejection> {
    let alarm = replayed.map_err(Rejection::Unconfirmed)?;
    match alarm.inexact {
        Some(call) => Err(Rejection::Inexact { call }),
        None => Ok(run(alarm.violation.kind.name(), course)),
    }
}

fn run(violated: &str, course: Course) -> Checked<Run> {
    Checked::new(Run { violated: violated.to_string(), course })
}
