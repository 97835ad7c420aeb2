//! Safety interpolants (definition 2): per place a formula and whether it is full.
//!
//! From a full one, by the paper, no target can be reached. It is so if the safety interpolants are
//! closed under the steps of the automaton: those that are not are full, but do not count.

use crate::paths::{Blocked, Craig, Goal, PlaceId, Source, StepId, Unwinding};
use wedge_logic::{Substitution, Term};
use wedge_sat::InterpolationSystem;
use wedge_smt::Interpolation;

/// Weakest preconditions of at most this size are taken for interpolants.
const SMALL: usize = 64;

pub struct SafetyInterpolants {
    /// By place: whether it is full, and I_s.
    all: Vec<(bool, Term)>,
    counts: Vec<bool>,
    /// The weakest interpolants, since they are to hold for other paths, too.
    source: Craig<Interpolation>,
}

impl SafetyInterpolants {
    /// Half and true; full and true where no target can be reached in the graph.
    pub fn new(blocked: &mut Blocked, how: Interpolation) -> SafetyInterpolants {
        let always = blocked.store.bool(true);
        let places = (0..blocked.places.len() as u32).map(PlaceId);
        let all: Vec<(bool, Term)> =
            places.map(|place| (blocked.is_harmless(place), always)).collect();
        let counts = all.iter().map(|&(full, _)| full).collect();
        let how = Interpolation { system: InterpolationSystem::DualMcMillan, ..how };
        SafetyInterpolants { all, counts, source: Craig { interpolator: how } }
    }

    pub fn formula(&self, place: PlaceId) -> Term {
        self.all[place.index()].1
    }

    pub fn is_full(&self, place: PlaceId) -> bool {
        self.all[place.index()].0
    }

    /// Whether it is full, and closed under the steps from its place on.
    pub fn counts(&self, place: PlaceId) -> bool {
        self.counts[place.index()]
    }

    /// Learns from a path whose last step no run takes, while some take all the others; `excluded`
    /// holds before the last step and excludes it. Returns the places that became full.
    pub fn update(
        &mut self,
        tree: &mut Unwinding,
        steps: &[StepId],
        excluded: Term,
    ) -> Vec<PlaceId> {
        let mut filled = Vec::new();
        for (place, &step) in steps.iter().enumerate().rev() {
            let here = tree.blocked.step(step).from;
            if place == 0 {
                break;
            }
            let is_last = place + 1 == steps.len();
            let learnt = match tree.blocked.step(step).to {
                _ if is_last => Some(not_taken(tree, step, excluded)),
                Goal::Place(next) if self.is_full(next) => {
                    self.before(tree, &steps[..=place], self.formula(next))
                }
                _ => None,
            };
            let full = is_last || self.all_full(&tree.blocked, here);
            if full && !std::mem::replace(&mut self.all[here.index()].0, true) {
                filled.push(here);
            }
            if let Some(learnt) = learnt {
                let store = &mut tree.blocked.store;
                let known = self.all[here.index()].1;
                if !tree.triples.implication(store, known, learnt).holds() {
                    self.all[here.index()].1 = store.and(known, learnt);
                }
            }
        }
        self.close(tree);
        filled
    }

    /// Craig(path, step ∧ ¬I_s(next)), for the last step of the path; none if the path does not
    /// imply I_s(next).
    fn before(&mut self, tree: &mut Unwinding, steps: &[StepId], safe: Term) -> Option<Term> {
        let last = steps[steps.len() - 1];
        let here = tree.blocked.step(last).from;
        let store = &mut tree.blocked.store;
        let known = self.all[here.index()].1;
        if tree.triples.triple(store, known, last, safe).holds()
            || !tree.paths.implies(&mut tree.blocked, steps, safe)
        {
            return None;
        }
        let step = tree.blocked.step(last).clone();
        let store = &mut tree.blocked.store;
        if step.inputs.is_empty() {
            let after = Substitution::new(step.updates).apply(store, safe);
            let weakest = store.implies(step.guard, after);
            if store.size(&[weakest]) <= SMALL {
                return Some(weakest);
            }
        }
        let always = store.bool(true);
        let blocked = &mut tree.blocked;
        let between = self.source.between(blocked, always, steps, safe, &tree.interrupt)?;
        Some(between[steps.len() - 1])
    }

    fn all_full(&self, blocked: &Blocked, place: PlaceId) -> bool {
        blocked.place(place).steps.iter().all(|&step| match blocked.step(step).to {
            Goal::Place(next) => self.is_full(next),
            Goal::Target(_) => true,
        })
    }

    /// Finds out which interpolants count: the largest set of full ones with {I_s} step {I_s'} for
    /// all steps, where I_s' of a target is false.
    fn close(&mut self, tree: &mut Unwinding) {
        let never = tree.blocked.store.bool(false);
        self.counts = self.all.iter().map(|&(full, _)| full).collect();
        loop {
            let mut lost = Vec::new();
            for place in (0..self.all.len()).filter(|&place| self.counts[place]) {
                let steps = tree.blocked.places[place].steps.clone();
                let closed = steps.into_iter().all(|step| {
                    let next = match tree.blocked.step(step).to {
                        Goal::Target(_) => never,
                        Goal::Place(next) if self.counts(next) => self.formula(next),
                        Goal::Place(_) => never,
                    };
                    let formula = self.all[place].1;
                    tree.triples.triple(&mut tree.blocked.store, formula, step, next).holds()
                });
                if !closed {
                    lost.push(place);
                }
            }
            if lost.is_empty() {
                return;
            }
            lost.into_iter().for_each(|place| self.counts[place] = false);
        }
    }

    /// The interpolants of these places and of all that can be reached from them.
    pub fn regions(&self, blocked: &Blocked, mut open: Vec<PlaceId>) -> Vec<(PlaceId, Term)> {
        let mut seen = vec![false; self.all.len()];
        let mut regions = Vec::new();
        while let Some(place) = open.pop() {
            if std::mem::replace(&mut seen[place.index()], true) || !self.counts(place) {
                continue;
            }
            regions.push((place, self.formula(place)));
            for &step in &blocked.place(place).steps {
                if let Goal::Place(next) = blocked.step(step).to {
                    open.push(next);
                }
            }
        }
        regions
    }
}

/// ¬guard, or a formula that excludes the guard where that reads inputs.
fn not_taken(tree: &mut Unwinding, step: StepId, excluded: Term) -> Term {
    let guard = tree.blocked.step(step).guard;
    let inputs = &tree.blocked.step(step).inputs;
    let store = &tree.blocked.store;
    let reads_input =
        !inputs.is_empty() && store.free_vars(&[guard]).iter().any(|v| inputs.contains(v));
    if reads_input || store.size(&[guard]) > SMALL {
        return excluded;
    }
    tree.blocked.store.not(guard)
}
