//! Replay of an alarm in the interpreter.

use super::answers::Answers;
use super::oracle::{Filled, Recorded};
use wedge_c::encode::Encoded;
use wedge_c::interp::{Answer, Limits, Outcome, Outside, Placement, Run, Trace, run};
use wedge_c::source::Position;
use wedge_c::typed::Program;
use wedge_c::types::Ty;
use wedge_c::{Properties, Violation};
use wedge_model::cfa;

/// The result of a call that the program leaves open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Given {
    pub name: String,
    /// A function `__VERIFIER_nondet_…`, as opposed to one without body or model.
    pub is_input: bool,
    pub ty: Ty,
    pub bits: u128,
    pub position: Position,
}

/// A run of the program that violates a property.
pub struct Alarm<'p> {
    /// What is violated, and where.
    pub violation: Violation,
    /// Results of calls, in order.
    pub given: Vec<Given>,
    /// Whether the run reads values that were never written.
    pub uninitialised: bool,
    pub trace: Trace<'p>,
    pub steps: u64,
    /// A function of the library that the run needs to give a result which it may not have.
    pub inexact: Option<String>,
    /// What the violation is about, as a sentence.
    pub detail: Option<String>,
    /// The statement that violates it.
    pub statement: Position,
    /// What the run got from outside.
    pub outside: Outside,
}

/// Statements of the program per edge of the path: an edge may stand for a long copy.
const STEPS_PER_EDGE: u64 = 100;
const SPARE_STEPS: u64 = 100_000;

/// Replays a path like [`attempt`]; if that fails, again with pointers from outside that all refer
/// to different memory, with null pointers that refer to something as well, with all objects at low addresses, and with memory used again. Where the run depends on a result that a function of the library may not
/// have, it is tried again with the results of the machine.
///
/// Ensures: a result means that the interpreter, which knows nothing of the encoding, came to a
/// violation of the properties with the values of the path; what went wrong otherwise. Keeps the
/// last `events` events of the run.
pub fn replay<'p>(
    program: &'p Program,
    properties: &Properties,
    encoded: &Encoded,
    path: &cfa::Run,
    events: usize,
) -> Result<Alarm<'p>, String> {
    let apart = |filled| {
        let mut oracle = Recorded::new(program, properties, encoded, path);
        (oracle.insists, oracle.apart, oracle.filled) = (true, Some(0), filled);
        attempt(program, properties, oracle, Placement::Usual, path, events)
    };
    let attempt = |insists, placement| {
        let mut oracle = Recorded::new(program, properties, encoded, path);
        oracle.insists = insists;
        attempt(program, properties, oracle, placement, path, events)
    };
    let usual = Placement::Usual;
    let first = attempt(true, usual);
    let first = first.or_else(|why| apart(Filled::None).map_err(|_| why));
    let first = first.or_else(|why| apart(Filled::Open).map_err(|_| why));
    let first = first.or_else(|why| apart(Filled::All).map_err(|_| why));
    let first = first.or_else(|why| attempt(true, Placement::Low).map_err(|_| why));
    let first = first.or_else(|why| attempt(true, Placement::First).map_err(|_| why));
    let first = first.or_else(|why| attempt(true, Placement::Packed).map_err(|_| why));
    let first = first.or_else(|why| attempt(true, Placement::Roomy).map_err(|_| why))?;
    if first.inexact.is_none() {
        return Ok(first);
    }
    let second = attempt(false, usual);
    Ok(second.ok().filter(|alarm| alarm.inexact.is_none()).unwrap_or(first))
}

/// One run with the values of the path.
fn attempt<'p>(
    program: &'p Program,
    properties: &Properties,
    mut oracle: Recorded<'p>,
    placement: Placement,
    path: &cfa::Run,
    events: usize,
) -> Result<Alarm<'p>, String> {
    let steps = (path.edges.len() as u64).saturating_mul(STEPS_PER_EDGE) + SPARE_STEPS;
    let limits = Limits { steps, trace: events.max(1), placement, ..Limits::default() };
    let run = run(program, properties, &mut oracle, limits);
    let Recorded { given, uninitialised, disagreement, .. } = oracle;
    alarm(program, run, (given, uninitialised), disagreement)
}

/// The same for the answers that an execution of so many steps was given.
pub fn replay_answers<'p>(
    program: &'p Program,
    properties: &Properties,
    answers: &[Answer],
    steps: u64,
    events: usize,
) -> Result<Alarm<'p>, String> {
    let mut oracle = Answers::new(program, properties, answers);
    let limits =
        Limits { steps: steps.saturating_add(1), trace: events.max(1), ..Limits::default() };
    let run = run(program, properties, &mut oracle, limits);
    let disagreement = oracle.disagreement();
    alarm(program, run, (oracle.given, oracle.uninitialised), disagreement)
}

/// The run as an alarm, if it is one.
fn alarm<'p>(
    program: &'p Program,
    run: Run<'p>,
    (given, uninitialised): (Vec<Given>, bool),
    disagreement: Option<String>,
) -> Result<Alarm<'p>, String> {
    match run.outcome {
        Outcome::Violated(violation) => Ok(Alarm {
            violation,
            given,
            uninitialised,
            trace: run.trace,
            steps: run.steps,
            detail: run.detail,
            statement: run.statement,
            outside: run.outside,
            inexact: run.inexact.map(|(name, at)| {
                let place = program.files.show(at);
                format!("a result of `{name}` that it may not have ({place})")
            }),
        }),
        other => {
            let mut outcome = describe(program, &other);
            if let (Outcome::StepLimit, Some(last)) = (&other, run.trace.events.back()) {
                outcome += &format!(", it was at {}", program.files.show(last.position()));
            }
            Err(match disagreement {
                Some(disagreement) => format!("{outcome}; {disagreement}"),
                None => outcome,
            })
        }
    }
}

/// The end of a run in words.
pub fn describe(program: &Program, outcome: &Outcome) -> String {
    let at = |position: &Position| program.files.show(*position).to_string();
    match outcome {
        Outcome::Violated(violation) => {
            format!("{} at {}", violation.kind.event(), at(&violation.position))
        }
        Outcome::Finished(status) => format!("the program ends with status {status}"),
        Outcome::Aborted(p) => format!("the program aborts at {}", at(p)),
        Outcome::AssumeFailed(p) => format!("an assumption does not hold at {}", at(p)),
        Outcome::UndefinedBehaviour(what, p) => format!("{what} at {}", at(p)),
        Outcome::Unsupported(what, p) => format!("{what} cannot be executed at {}", at(p)),
        Outcome::StepLimit => "the run does not end in time".to_string(),
    }
}
