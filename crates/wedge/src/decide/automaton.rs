//! An engine that reads automata: run it on the automaton of the property, check its claim there,
//! and replay a run on the model itself.

use super::{Attempt, Published, Tried, Work};
use crate::efforts::{Efforts, Event};
use crate::explain;
use crate::input::{Effort, PathProblem};
use std::sync::atomic::Ordering;
use std::time::Instant;
use wedge_engines::figures;
use wedge_engines::registry::Build;
use wedge_engines::{AutomatonEngine, AutomatonOutcome, UnknownReason};
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
        let problem = match self.model.path_problem(&self.question, effort, &self.context) {
            Ok(problem) => problem,
            Err(reason) => return (Attempt::Failed(Event::NotMade(reason)), None),
        };
        if let Some(reason) = self.context.interrupted() {
            return (Attempt::unknown(reason), None);
        }
        let is_tentative = efforts.is_tentative(false);
        let mut context = efforts.context(&self.context, false);
        if let Some(follower) = &self.follower {
            context = explain::shown(context, follower);
        }
        if let Some(notebook) = &self.notebook {
            context = notebook.on_automaton(context, &problem);
        }
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
