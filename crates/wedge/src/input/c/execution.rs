//! Concrete execution of a program: runs on chosen inputs, and the evidence they give.
//!
//! An error that is found is believed when the evidence side has reached it again from the recorded
//! answers. A program whose only run ends without an error is safe when its automaton, run
//! separately, agrees. Anything else, such as a question that was asked, an address that became a
//! number, or undefined behaviour, is no proof.

use super::arrays::Arrays;
use super::way_back::{EVENTS, alarm_harness, alarm_witness, is_yaml};
use super::{C, LEVELS, record, unsupported};
use crate::decide::{Evidence, rejected};
use crate::input::{Doubt, Effort, Executed, Problem, Replayed, WayBack};
use crate::verdict::Verdict;
use std::path::Path;
use std::sync::Arc;
use wedge_c::encode::encode;
use wedge_c::execute::{self, Finding, Statistics, search};
use wedge_c::interp::{Answer, Outcome};
use wedge_c::typed::Program;
use wedge_c::{Kind, Properties};
use wedge_engines::{Context, UnknownReason};
use wedge_evidence::Failure;
use wedge_evidence::c::only_run::{self, End};
use wedge_evidence::c::replay::describe;
use wedge_evidence::c::witness::Metadata;
use wedge_evidence::c::{Alarm, Sources, graphml, replay_answers, story, yaml};
use wedge_model::cfa::{Sliced, reduce};
use wedge_model::{Circuit, Predicate, Trace};
use wedge_sat::Interrupt;

const SEED: u64 = 1;

pub fn execute(c: &C, context: &Context) -> Executed {
    let program = match &c.program {
        Ok(program) => program.clone(),
        Err(reason) => return without(c, reason.clone().into()),
    };
    let stop = || context.interrupted().is_some();
    let (finding, statistics) = search(&program, &c.properties, SEED, &stop);
    record(context, &figures(&statistics));
    let (verdict, evidence, answers) = match finding {
        Finding::Error { answers, steps } => confirm_error(&program, &c.properties, answers, steps),
        Finding::OnlyRun { steps, .. } => {
            let (verdict, evidence) = confirm_only_run(&program, &c.properties, steps, context);
            (verdict, evidence, Answers::default())
        }
        Finding::Stuck(outcome) => {
            let cause = format!("the only run: {}", describe(&program, &outcome));
            (Verdict::Unknown(cause), None, Answers::default())
        }
        Finding::Unspecified(what, at) => {
            let place = program.files.show(at);
            let cause = format!("the only run depends on {what} at {place}");
            (Verdict::Unknown(cause), None, Answers::default())
        }
        Finding::Undefined(..) | Finding::Stopped => {
            (context.stop_reason().into(), None, Answers::default())
        }
    };
    let way_back = ExecutionWayBack {
        program: Some(program),
        answers,
        sources: c.sources.clone(),
        properties: c.properties.clone(),
        data_model: c.data_model,
    };
    Executed { verdict, evidence, problem: problem(way_back) }
}

/// A run that speaks against a proof.
pub fn doubt(program: &Program, properties: &Properties) -> Option<Doubt> {
    match execute::doubt(program, properties, SEED)? {
        execute::Doubt::Undefined(what, at) => {
            let what = describe(program, &Outcome::UndefinedBehaviour(what, at));
            Some(Doubt::Undefined(what))
        }
        execute::Doubt::Error { answers, steps } => {
            let alarm = replay_answers(program, properties, &answers, steps, 0).ok()?;
            alarm.inexact.is_none().then_some(Doubt::Error)
        }
    }
}

fn figures(statistics: &Statistics) -> Vec<(&'static str, f64)> {
    vec![
        ("execution: runs", statistics.runs as f64),
        ("execution: steps", statistics.steps as f64),
        ("execution: decisions covered", statistics.covered as f64),
        ("execution: decisions in the program", statistics.branches as f64),
        ("execution: runs kept", statistics.kept as f64),
        ("execution: states of walks", statistics.states as f64),
    ]
}

/// What a run was given, and how long it was.
#[derive(Default)]
struct Answers {
    list: Vec<Answer>,
    steps: u64,
}

fn confirm_error(
    program: &Program,
    properties: &Properties,
    list: Vec<Answer>,
    steps: u64,
) -> (Verdict, Option<Evidence>, Answers) {
    match replay_answers(program, properties, &list, steps, 0) {
        Ok(Alarm { inexact: Some(cause), .. }) => {
            (Verdict::Unknown(format!("limit of the model: {cause}")), None, Answers::default())
        }
        Ok(Alarm { violation, .. }) => {
            let evidence = Evidence::Execution { steps, answers: list.len() };
            let verdict = Verdict::False(violation.kind.name().to_string());
            (verdict, Some(evidence), Answers { list, steps })
        }
        Err(cause) => {
            let failure = Failure::Unconfirmed(cause);
            (rejected("execute", &failure), None, Answers::default())
        }
    }
}

/// The automaton of the program, larger and larger until the run stays inside of it.
fn confirm_only_run(
    program: &Program,
    properties: &Properties,
    steps: u64,
    context: &Context,
) -> (Verdict, Option<Evidence>) {
    let stop = || context.interrupted().is_some();
    let mut limit = String::new();
    for level in 0..LEVELS {
        let encoded = match encode(
            program,
            properties,
            C::bounds(&Effort { level, ..Effort::default() }, Arrays::PRECISE),
        ) {
            Ok(encoded) => encoded,
            Err(error) => return (unsupported(&error).into(), None),
        };
        if let Some(reason) = context.interrupted() {
            return (reason.into(), None);
        }
        let Sliced { cfa, .. } = reduce(&encoded.cfa);
        match only_run::execute(&cfa, &stop) {
            End::Safe(edges) => return (Verdict::True, Some(Evidence::OnlyRun { steps, edges })),
            End::Limit(name) => limit = name,
            End::Stopped => return (context.stop_reason().into(), None),
            End::Error(name) => {
                let cause = format!("the automaton reaches {name}, the program does not");
                return (rejected("execute", &Failure::Shape(cause)), None);
            }
            End::Broken(cause) => return (UnknownReason::Internal(cause).into(), None),
        }
    }
    (Verdict::Unknown(format!("limit of the model: {limit}")), None)
}

/// No program, no run.
fn without(c: &C, verdict: Verdict) -> Executed {
    let way_back = ExecutionWayBack {
        program: None,
        answers: Answers::default(),
        sources: c.sources.clone(),
        properties: c.properties.clone(),
        data_model: c.data_model,
    };
    Executed { verdict, evidence: None, problem: problem(way_back) }
}

/// Execution has no circuit; the one here is empty.
fn problem(way_back: ExecutionWayBack) -> Problem {
    let circuit = Arc::new(Circuit::default());
    Problem { circuit, way_back: Arc::new(way_back), notes: Vec::new() }
}

struct ExecutionWayBack {
    program: Option<Arc<Program>>,
    answers: Answers,
    sources: Arc<Sources>,
    properties: Arc<Properties>,
    data_model: wedge_c::DataModel,
}

impl ExecutionWayBack {
    fn program(&self) -> Result<&Program, Failure> {
        let missing = || Failure::Shape("the program was not read".to_string());
        self.program.as_deref().ok_or_else(missing)
    }

    fn alarm(&self, events: usize) -> Result<Alarm<'_>, Failure> {
        let Answers { list, steps } = &self.answers;
        let program = self.program()?;
        replay_answers(program, &self.properties, list, *steps, events)
            .map_err(Failure::Unconfirmed)
    }
}

fn no_circuit<T>() -> Result<T, Failure> {
    Err(Failure::Shape("an execution has no circuit".to_string()))
}

impl WayBack for ExecutionWayBack {
    fn replay(&self, _: &Trace) -> Result<Replayed, Failure> {
        no_circuit()
    }

    fn witness(
        &self,
        evidence: &Evidence,
        path: &Path,
        _: &Interrupt,
    ) -> Result<Option<Vec<u8>>, Failure> {
        let metadata = |kind: Option<Kind>| {
            let specification = self.properties.specification(kind);
            Metadata::new(&self.sources, &specification, self.data_model)
        };
        let text = match evidence {
            Evidence::Execution { .. } => {
                let alarm = self.alarm(EVENTS)?;
                let metadata = metadata(Some(alarm.violation.kind));
                alarm_witness(self.program()?, &self.sources, &metadata, &alarm, path)
            }
            // There is nothing to say about loops but that they were executed.
            Evidence::OnlyRun { .. } if is_yaml(path) => yaml::correctness(&metadata(None), &[]),
            Evidence::OnlyRun { .. } => graphml::correctness(&metadata(None), &[]),
            _ => return no_circuit(),
        };
        Ok(Some(text.into_bytes()))
    }

    fn certificate(&self, _: &Predicate) -> Result<Vec<u8>, Failure> {
        no_circuit()
    }

    fn induction_certificate(&self, _: usize) -> Result<Vec<u8>, Failure> {
        no_circuit()
    }

    fn input_table(&self, _: &Trace) -> Vec<(String, Vec<String>)> {
        Vec::new()
    }

    fn story(&self, _: &Evidence, whole: bool) -> Option<String> {
        let alarm = self.alarm(EVENTS).ok()?;
        Some(story::story(self.program().ok()?, &self.sources, &alarm, whole))
    }

    fn harness(&self, _: &Evidence) -> Result<Option<String>, Failure> {
        let alarm = self.alarm(0)?;
        Ok(alarm_harness(self.program()?, &self.properties, &self.sources, &alarm))
    }
}
