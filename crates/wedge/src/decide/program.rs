//! An engine that executes programs, and the evidence that its runs give.
//!
//! An error that is found is believed when the evidence side has reached it again from the recorded
//! answers. A program whose only run ends without an error is safe when its automaton, run
//! separately, agrees. Anything else, such as a question that was asked, an address that became a
//! number, or undefined behaviour, is no proof.

use super::{Conclusion, Evidence, Published, Work};
use crate::input::{Effort, ProgramModel};
use crate::verdict::Verdict;
use wedge_c::Properties;
use wedge_c::execute::Finding;
use wedge_c::interp::Answer;
use wedge_c::typed::Program;
use wedge_engines::{ProgramEngine, UnknownReason};
use wedge_evidence::Failure;
use wedge_evidence::c::only_run::{self, End};
use wedge_evidence::c::replay::describe;
use wedge_evidence::c::{Alarm, replay_answers};

impl Work {
    pub(super) fn execute(
        &self,
        engine: &dyn ProgramEngine,
        model: &dyn ProgramModel,
    ) -> Conclusion {
        let (program, publication) = match (model.program(), model.executions()) {
            (Ok(program), Ok(publication)) => (program, publication),
            (Err(reason), _) | (_, Err(reason)) => return Conclusion::unknown(reason),
        };
        let properties = model.properties();
        let conclusion = match engine.run(program, properties, &self.context) {
            Finding::Error { answers, steps } => {
                self.confirm_error(program, properties, answers, steps)
            }
            Finding::OnlyRun { steps, .. } => self.confirm_only_run(model, steps),
            Finding::Stuck(outcome) => {
                let cause = format!("the only run: {}", describe(program, &outcome));
                Conclusion::new(Verdict::Unknown(cause))
            }
            Finding::Unspecified(what, at) => {
                let place = program.files.show(at);
                let cause = format!("the only run depends on {what} at {place}");
                Conclusion::new(Verdict::Unknown(cause))
            }
            Finding::Undefined(..) | Finding::Stopped => {
                Conclusion::unknown(self.context.stop_reason())
            }
        };
        conclusion.about(Published { publication, notes: Vec::new() })
    }

    fn confirm_error(
        &self,
        program: &Program,
        properties: &Properties,
        answers: Vec<Answer>,
        steps: u64,
    ) -> Conclusion {
        match replay_answers(program, properties, &answers, steps, 0) {
            Ok(Alarm { inexact: Some(cause), .. }) => {
                Conclusion::new(Verdict::Unknown(format!("limit of the model: {cause}")))
            }
            Ok(Alarm { violation, .. }) => {
                let verdict = Verdict::False(violation.kind.name().to_string());
                let evidence = Some(Evidence::Execution { steps, answers });
                Conclusion { evidence, ..Conclusion::new(verdict) }
            }
            Err(cause) => Conclusion::rejected(self.engine, &Failure::Unconfirmed(cause)),
        }
    }

    /// The automaton of the program, larger and larger until the run stays inside of it.
    fn confirm_only_run(&self, model: &dyn ProgramModel, steps: u64) -> Conclusion {
        let stop = || self.context.interrupted().is_some();
        let mut limit = String::new();
        for level in 0..model.levels() {
            let effort = Effort { level, ..Effort::default() };
            let problem = match self.model.path_problem(self.property, &effort, &self.context) {
                Ok(problem) => problem,
                Err(reason) => return Conclusion::unknown(reason),
            };
            if let Some(reason) = self.context.interrupted() {
                return Conclusion::unknown(reason);
            }
            match only_run::execute(&problem.automaton, &stop) {
                End::Safe(edges) => {
                    let evidence = Some(Evidence::OnlyRun { steps, edges });
                    return Conclusion { evidence, ..Conclusion::new(Verdict::True) };
                }
                End::Limit(name) => limit = name,
                End::Stopped => return Conclusion::unknown(self.context.stop_reason()),
                End::Error(name) => {
                    let cause = format!("the automaton reaches {name}, the program does not");
                    return Conclusion::rejected(self.engine, &Failure::Shape(cause));
                }
                End::Broken(cause) => return Conclusion::unknown(UnknownReason::Internal(cause)),
            }
        }
        Conclusion::new(Verdict::Unknown(format!("limit of the model: {limit}")))
    }
}
