//! Weights of branches (section IV-B): how much is missing behind a branch until its safety
//! interpolant is full. A weight is undefined, 0, or more; what is more goes first, what is undefined
//! before what is 0.

use super::safety::SafetyInterpolants;
use crate::paths::{Blocked, Goal, PlaceId, StepId};

/// How often the weights of the steps into a place are computed anew for one path.
const ROUNDS: usize = 16;

pub struct Weights {
    all: Vec<Option<u64>>,
    incoming: Vec<Vec<StepId>>,
}

impl Weights {
    pub fn new(blocked: &Blocked) -> Weights {
        let mut incoming = vec![Vec::new(); blocked.places.len()];
        for (number, step) in blocked.steps.iter().enumerate() {
            if let Goal::Place(to) = step.to {
                incoming[to.index()].push(StepId(number as u32));
            }
        }
        Weights { all: vec![None; blocked.steps.len()], incoming }
    }

    pub fn weight(&self, step: StepId) -> Option<u64> {
        self.all[step.0 as usize]
    }

    /// Greater for what is explored first.
    pub fn rank(&self, step: StepId) -> u64 {
        match self.weight(step) {
            Some(0) => 0,
            None => 1,
            Some(more) => 1 + more,
        }
    }

    /// Sets the weights of the steps into places that became full, and of the step to the last
    /// place that a run along a path reaches; then of those that lead to where weights changed.
    pub fn update(
        &mut self,
        blocked: &Blocked,
        safety: &SafetyInterpolants,
        reached: &[StepId],
        filled: &[PlaceId],
    ) {
        let mut changed = Vec::new();
        for place in filled {
            for step in self.incoming[place.index()].clone() {
                self.set(blocked, step, 0, &mut changed);
            }
        }
        if let Some(&last) = reached.last()
            && let Goal::Place(to) = blocked.step(last).to
            && !safety.is_full(to)
        {
            let branches = blocked.place(to).steps.len() as u64;
            self.set(blocked, last, branches.saturating_sub(1), &mut changed);
        }
        // In a cycle of places weights would grow for ever.
        let mut rounds = vec![0; blocked.places.len()];
        while let Some(place) = changed.pop() {
            rounds[place.index()] += 1;
            if rounds[place.index()] > ROUNDS || safety.is_full(place) {
                continue;
            }
            let branches = blocked.place(place).steps.iter();
            let weight = branches.map(|&step| self.weight(step).unwrap_or(1)).sum();
            for step in self.incoming[place.index()].clone() {
                self.set(blocked, step, weight, &mut changed);
            }
        }
    }

    /// Sets a weight; the place where the step begins has changed if the weight has.
    fn set(&mut self, blocked: &Blocked, step: StepId, weight: u64, changed: &mut Vec<PlaceId>) {
        let known = &mut self.all[step.0 as usize];
        if *known != Some(weight) {
            *known = Some(weight);
            changed.push(blocked.step(step).from);
        }
    }
}
