//! An engine that reads automata: run it on the automaton of the property, check its claim there,
//! and replay a run on the model itself.

use super::{Attempt, Published, Tried, Work, first_step};
use crate::efforts::{Efforts, Event};
use crate::explain;
use crate::input::{Effort, PathProblem};
use crate::tuned::WRITES_TIME;
use std::sync::atomic::Ordering;
use std::time::Instant;
use wedge_engines::figures;
use wedge_engines::registry::Build;
use wedge_engines::{AutomatonEngine, AutomatonOutcome, Context, UnknownReason};
use wedge_evidence::claims;
use wedge_logic::{Term, smtlib};
use wedge_model::cfa::CutInvariants;
use wedge_sat::Interrupt;

impl Work {
    /// The engine on the automaton of one model; what it comes to may not count.
    pub(super) fn on_automaton(
        &self,
        build: Build<dyn AutomatonEngine>,
        effort: &Effort,
        efforts: &Efforts,
    ) -> Tried {
        let context = efforts.context(&self.context, false);
        self.on_automaton_within(build, effort, efforts, (context, efforts.is_tentative(false)))
    }

    /// The engine on the automaton of a model with large arrays, before abstractions of these are
    /// tried: it reads elements by what was written, which costs nothing for those that nobody
    /// touches. None if that leads to nothing in its share of the time.
    pub(super) fn by_writes(&self, effort: &Effort, efforts: &Efforts) -> Option<Tried> {
        let build = self.engine.levels.words.filter(|_| self.engine.seeks_errors)?;
        let context = efforts.context(&self.context, true);
        let context = match context.deadline() {
            Some(_) => context,
            None => context.within(WRITES_TIME),
        };
        let tried = self.on_automaton_within(build, effort, efforts, (context, true));
        self.checking.store(false, Ordering::Relaxed);
        match &tried.0 {
            Attempt::Done(_) => Some(tried),
            Attempt::Failed(Event::Limit(_) | Event::NoErrorInside | Event::Inexact(_)) => {
                Some(tried)
            }
            Attempt::Failed(_) => None,
        }
    }

    /// The same in a context of its own; others may follow if the attempt is tentative.
    fn on_automaton_within(
        &self,
        build: Build<dyn AutomatonEngine>,
        effort: &Effort,
        efforts: &Efforts,
        (mut context, is_tentative): (Context, bool),
    ) -> Tried {
        let problem = match self.model.path_problem(&self.question, effort, &self.context) {
            Ok(problem) => problem,
            Err(reason) => return (Attempt::Failed(Event::NotMade(reason)), None),
        };
        if let Some(reason) = self.context.interrupted() {
            return (Attempt::unknown(reason), None);
        }
        if let Some(follower) = &self.follower {
            context = explain::shown(context, follower);
        }
        if let Some(notebook) = &self.notebook {
            context = notebook.on_automaton(context, &problem);
        }
        first_step(&context);
        let outcome = build(&self.settings).run(&problem.automaton, &context);
        let start = Instant::now();
        self.checking.store(true, Ordering::Relaxed);
        let attempt = self.claimed(&problem, outcome, &context.interrupt());
        self.context.record(|f| f.add(figures::EVIDENCE_SECONDS, start.elapsed().as_secs_f64()));
        let PathProblem { publication, notes, .. } = problem;
        let attempt = self.settled(attempt, is_tentative, efforts);
        (attempt, Some(Published { publication, notes }))
    }

    /// Nothing is believed without its check: of formulas on the automaton, of a run on the model.
    fn claimed(
        &self,
        problem: &PathProblem,
        outcome: AutomatonOutcome,
        interrupt: &Interrupt,
    ) -> Attempt {
        match outcome {
            AutomatonOutcome::Safe(proof) => {
                self.proven(claims::invariants(&problem.automaton, proof, interrupt))
            }
            AutomatonOutcome::SafeForAll(proof) => {
                let automaton = &problem.automaton;
                self.proven(claims::quantified_invariants(automaton, proof, interrupt))
            }
            AutomatonOutcome::SafeByExhaustion { cuts, length } => {
                let automaton = &problem.automaton;
                self.proven(claims::exhausted_automaton(automaton, &cuts, length, interrupt))
            }
            AutomatonOutcome::SafeForIntegers(proof) => {
                let said = proof.clone();
                match claims::invariants(&problem.automaton, proof, interrupt) {
                    Err(rejection) if rejection.condition().is_some() => {
                        self.tell_invariants(&said);
                        Attempt::unknown(UnknownReason::UnboundedOnly)
                    }
                    checked => self.proven(checked),
                }
            }
            AutomatonOutcome::Unsafe(run) => self.violated(problem.way_back.replay(run)),
            AutomatonOutcome::Unknown(reason) => Attempt::unknown(reason),
        }
    }

    /// Shows a proof for unbounded integers that is none for words.
    fn tell_invariants(&self, proof: &CutInvariants) {
        let is_true = |term: Term| proof.terms.value(term).is_some_and(|value| value.is_one());
        self.context.record(|f| {
            for &(location, formula) in proof.invariants.iter().filter(|(_, i)| !is_true(*i)) {
                let text = smtlib::formula(&proof.terms, formula);
                f.say(figures::INTEGER_INVARIANT, format!("at location {}: {text}", location.0));
            }
        });
    }
}
