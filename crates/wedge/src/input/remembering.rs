//! A model that remembers what was made of it before it was asked: the members of a portfolio are
//! copies of a process that has encoded the model already.

use super::{
    CertifyError, Effort, Emission, EmittedRoom, Model, PathProblem, Problem, ProgramModel,
};
use crate::question::Question;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use wedge_c::Features;
use wedge_engines::preprocess::Config;
use wedge_engines::{Context, Figures, UnknownReason};
use wedge_sat::Interrupt;

/// What was made for one property with one effort, and the figures about it.
struct Made<T> {
    question: Question,
    effort: Effort,
    result: Result<T, UnknownReason>,
    figures: Figures,
}

impl<T: Clone> Made<T> {
    fn new(
        question: Question,
        effort: Effort,
        make: impl FnOnce(&Question, &Context) -> Result<T, UnknownReason>,
    ) -> Made<T> {
        let context = Context::new(None);
        let result = make(&question, &context);
        Made { question, effort, result, figures: context.figures() }
    }

    fn is_for(&self, question: &Question, effort: &Effort) -> bool {
        self.question == *question && self.effort == *effort
    }

    fn get(&self, context: &Context) -> Result<T, UnknownReason> {
        context.record(|figures| figures.extra.extend(self.figures.extra.iter().cloned()));
        self.result.clone()
    }
}

/// A model with its first circuit and its first automaton, once they are prepared.
pub struct Remembering {
    model: Arc<dyn Model>,
    problem: Option<Made<Problem>>,
    path_problem: Option<Made<PathProblem>>,
}

impl Remembering {
    pub fn new(model: Arc<dyn Model>) -> Remembering {
        Remembering { model, problem: None, path_problem: None }
    }

    pub fn has_problem(&self) -> bool {
        self.problem.is_some()
    }

    pub fn has_path_problem(&self) -> bool {
        self.path_problem.is_some()
    }

    pub fn prepare_problem(&mut self, question: Question, effort: Effort) {
        let model = &self.model;
        let make = |q: &Question, context: &Context| model.problem(q, &effort, context);
        self.problem = Some(Made::new(question, effort, make));
    }

    /// Whether the circuit, if there is one, is reduced like this.
    pub fn is_reduced(&self, config: &Config) -> bool {
        let problem = self.problem.as_ref().and_then(|made| made.result.as_ref().ok());
        problem.is_none_or(|problem| problem.is_reduced(config))
    }

    pub fn reduce(&mut self, config: &Config, timeout: Option<Duration>) {
        if let Some(Made { result: Ok(problem), .. }) = &mut self.problem {
            problem.reduce(config, &Context::new(timeout));
        }
    }

    pub fn prepare_path_problem(&mut self, question: Question, effort: Effort) {
        let model = &self.model;
        let make = |q: &Question, context: &Context| model.path_problem(q, &effort, context);
        self.path_problem = Some(Made::new(question, effort, make));
    }
}

impl Model for Remembering {
    fn num_properties(&self) -> usize {
        self.model.num_properties()
    }

    fn num_bads(&self) -> usize {
        self.model.num_bads()
    }

    fn property_name(&self, property: usize) -> Option<String> {
        self.model.property_name(property)
    }

    fn notes(&self) -> Vec<String> {
        self.model.notes()
    }

    fn about(&self) -> Vec<(String, String)> {
        self.model.about()
    }

    fn problem(
        &self,
        question: &Question,
        effort: &Effort,
        context: &Context,
    ) -> Result<Problem, UnknownReason> {
        match &self.problem {
            Some(made) if made.is_for(question, effort) => made.get(context),
            _ => self.model.problem(question, effort, context),
        }
    }

    fn path_problem(
        &self,
        question: &Question,
        effort: &Effort,
        context: &Context,
    ) -> Result<PathProblem, UnknownReason> {
        match &self.path_problem {
            Some(made) if made.is_for(question, effort) => made.get(context),
            _ => self.model.path_problem(question, effort, context),
        }
    }

    fn as_program(&self) -> Option<&dyn ProgramModel> {
        self.model.as_program()
    }

    fn features(&self) -> Option<Features> {
        self.model.features()
    }

    fn joined_certificate(&self, certificates: &[Vec<u8>]) -> Result<Vec<u8>, String> {
        self.model.joined_certificate(certificates)
    }

    fn emit(&self, emission: Emission, room: EmittedRoom) -> Result<Vec<u8>, String> {
        self.model.emit(emission, room)
    }

    fn certify(
        &self,
        evidence: &Path,
        question: &Question,
        interrupt: &Interrupt,
    ) -> Result<&'static str, CertifyError> {
        self.model.certify(evidence, question, interrupt)
    }
}
