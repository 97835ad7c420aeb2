//! The way back through all steps of preprocessing.

use wedge_logic::Lit;
use wedge_model::cone::ConeWayBack;
use wedge_model::idle::IdleWayBack;
use wedge_model::merge::MergeWayBack;
use wedge_model::rewire::RewireWayBack;
use wedge_model::{Facts, Predicate, Signals, Trace, Words};

/// The way back through one step.
#[derive(Clone, Debug)]
pub enum StepBack {
    Cone(ConeWayBack),
    Idle(IdleWayBack),
    Merge(MergeWayBack),
    Rewire(RewireWayBack),
}

impl StepBack {
    fn trace(&self, trace: &Trace) -> Trace {
        match self {
            StepBack::Cone(way_back) => way_back.trace(trace),
            StepBack::Idle(way_back) => way_back.trace(trace),
            StepBack::Merge(way_back) => way_back.trace(trace),
            StepBack::Rewire(way_back) => way_back.trace(trace),
        }
    }

    fn predicate(&self, predicate: &Predicate) -> Predicate {
        match self {
            StepBack::Cone(way_back) => way_back.predicate(predicate),
            StepBack::Idle(way_back) => way_back.predicate(predicate),
            StepBack::Merge(way_back) => way_back.predicate(predicate),
            StepBack::Rewire(way_back) => way_back.predicate(predicate),
        }
    }

    fn kept(&self) -> &[usize] {
        match self {
            StepBack::Cone(way_back) => way_back.kept(),
            StepBack::Idle(way_back) => way_back.kept(),
            StepBack::Merge(way_back) => way_back.kept(),
            StepBack::Rewire(way_back) => way_back.kept(),
        }
    }

    fn signals(&self, signals: &Signals) -> Signals {
        match self {
            StepBack::Cone(way_back) => way_back.signals(signals),
            StepBack::Idle(_) => signals.clone(),
            StepBack::Merge(way_back) => way_back.signals(signals),
            StepBack::Rewire(way_back) => way_back.signals(signals),
        }
    }

    fn images(&self) -> Vec<Option<Lit>> {
        match self {
            StepBack::Cone(way_back) => way_back.images(),
            StepBack::Idle(way_back) => way_back.images(),
            StepBack::Merge(way_back) => way_back.images(),
            StepBack::Rewire(way_back) => way_back.images(),
        }
    }
}

/// The steps that were taken, the first one first. A step that changes nothing but gates needs no
/// way back.
#[derive(Clone, Debug, Default)]
pub struct Reductions {
    steps: Vec<StepBack>,
    /// Number of latches of the reduced circuit.
    latches: usize,
}

impl Reductions {
    /// Adds a step that led to a circuit with so many latches.
    pub fn push(&mut self, step: StepBack, latches: usize) {
        self.steps.push(step);
        self.latches = latches;
    }

    /// A path of the reduced circuit to a bad state as one of the original.
    pub fn trace(&self, trace: &Trace) -> Trace {
        self.steps.iter().rev().fold(trace.clone(), |trace, step| step.trace(&trace))
    }

    /// An inductive invariant of the reduced circuit as one of the original.
    pub fn predicate(&self, predicate: &Predicate) -> Predicate {
        self.steps.iter().rev().fold(predicate.clone(), |inv, step| step.predicate(&inv))
    }

    /// Facts about the original circuit as facts about the reduced one, as far as all latches that
    /// they read have a meaning there.
    pub fn facts(&self, facts: &Facts) -> Facts {
        let mut facts = facts.clone();
        for step in &self.steps {
            let images = step.images();
            pad(&mut facts, images.len());
            facts = facts.mapped(&images, step.kept().len());
        }
        pad(&mut facts, self.latches);
        facts
    }

    /// Signals of the original circuit as those of the reduced one, as far as they have a meaning
    /// there. This is the way forth.
    pub fn signals(&self, signals: &Signals) -> Signals {
        self.steps.iter().fold(signals.clone(), |signals, step| step.signals(&signals))
    }

    /// Words of the original circuit as those of the reduced one, as far as they are still there.
    pub fn words(&self, words: &Words) -> Words {
        self.steps.iter().fold(words.clone(), |words, step| words.map(&step.images()))
    }

    /// What the merges rest on: an inductive invariant of the original circuit, none if there was
    /// no merge.
    ///
    /// If the property of the reduced circuit is k-inductive, then that of the original is so
    /// together with this. Without a merge it is k-inductive as it stands.
    pub fn strengthening(&self) -> Option<Predicate> {
        let merges = self.steps.iter().any(|step| matches!(step, StepBack::Merge(_)));
        merges.then(|| self.predicate(&Predicate::constant(true, self.latches)))
    }
}

/// A step may add latches of its own behind the others; facts say nothing about them.
fn pad(facts: &mut Facts, latches: usize) {
    while facts.aig.num_inputs() < latches {
        facts.aig.add_input();
    }
}
