//! An engine that executes programs, and the evidence that its runs give.
//!
//! An error that is found is believed when the evidence side has reached it again from the recorded
//! answers. A program whose only run ends without an error is safe when its automaton, run
//! separately, agrees. Anything else, such as a question that was asked, an address that became a
//! number, or undefined behaviour, is no proof.

use super::{Conclusion, Evidence, Published, Work, first_step};
use crate::input::{Effort, ProgramModel};
use wedge_c::Properties;
use wedge_c::execute::Finding;
use wedge_c::interp::{Answer, Outcome};
use wedge_c::typed::Program;
use wedge_engines::{ProgramEngine, UnknownReason};
use wedge_evidence::c::replay::describe;
use wedge_evidence::{Rejection, claims};

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
        first_step(&self.context);
        let conclusion = match engine.run(program, properties, &self.context) {
            Finding::Error { answers, steps } => {
                self.confirm_error(program, properties, answers, steps)
            }
            Finding::OnlyRun { steps, .. } => self.confirm_only_run(model, steps),
            // In the words of those that encode the program.
            Finding::Stuck(Outcome::Unsupported(what, at)) => {
                let what = what.trim_matches('`');
                let reason = format!("unsupported: {what} at {}", program.files.show(at));
                Conclusion::unknown(UnknownReason::Unsupported(reason))
            }
            Finding::Stuck(outcome) => {
                let end = describe(program, &outcome);
                Conclusion::unknown(UnknownReason::OnlyRun(end))
            }
            Finding::Unspecified(what, at) => {
                let place = program.files.show(at);
                let cause = format!("{what} at {place}");
                Conclusion::unknown(UnknownReason::Unspecified(cause))
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
        match claims::execution((program, properties), answers, steps) {
            Ok(run) => Conclusion::on(Evidence::Run(run)),
            Err(Rejection::Inexact { call }) => Conclusion::unknown(UnknownReason::Inexact(call)),
            Err(rejection) => self.not_accepted(&rejection),
        }
    }

    /// The automaton of the program, larger and larger until the run stays inside of it.
    fn confirm_only_run(&self, model: &dyn ProgramModel, steps: u64) -> Conclusion {
        let stop = || self.context.interrupted().is_some();
        let mut limit = None;
        for level in 0..model.levels() {
            let effort = Effort { level, ..Effort::default() };
            let problem = match self.model.path_problem(&self.question, &effort, &self.context) {
                Ok(problem) => problem,
                Err(reason) => return Conclusion::unknown(reason),
            };
            if let Some(reason) = self.context.interrupted() {
                return Conclusion::unknown(reason);
            }
            match claims::only_run(&problem.automaton, steps, &stop) {
                Ok(proof) => return Conclusion::on(Evidence::Proof(proof)),
                Err(Rejection::Limit { name }) => limit = Some(UnknownReason::ModelLimit(name)),
                Err(rejection) => return self.not_accepted(&rejection),
            }
        }
        Conclusion::unknown(limit.unwrap_or_else(|| UnknownReason::ModelLimit(String::new())))
    }
}
