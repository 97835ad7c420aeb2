//! Proof obligations: cubes that lead to a bad state and have to be blocked in a frame.

use super::cube::Cube;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

const TROUBLE_DECAY: f64 = 0.6;

/// Number of a state in the [`States`] of the search at hand.
pub type StateId = u32;

/// A cube, the inputs with which all its states go to the next one, and that next one; the last
/// one's inputs lead to bad.
pub struct State {
    pub cube: Cube,
    pub inputs: Vec<bool>,
    pub next: Option<StateId>,
    /// Steps to the bad state.
    pub depth: u32,
    /// Predecessors found so far; those of lower frames count less.
    pub trouble: f64,
}

#[derive(Default)]
pub struct States {
    states: Vec<State>,
}

impl States {
    pub fn add(&mut self, cube: Cube, inputs: Vec<bool>, next: Option<StateId>) -> StateId {
        let depth = next.map_or(0, |n| self.get(n).depth + 1);
        self.states.push(State { cube, inputs, next, depth, trouble: 0.0 });
        self.states.len() as StateId - 1
    }

    pub fn get(&self, id: StateId) -> &State {
        &self.states[id as usize]
    }

    pub fn clear(&mut self) {
        self.states.clear();
    }

    /// Takes note of a predecessor of a state.
    pub fn add_trouble(&mut self, id: StateId) {
        self.states[id as usize].trouble += 1.0;
    }

    /// Takes note that a state is blocked and goes on to a higher frame.
    pub fn ease_trouble(&mut self, id: StateId) {
        self.states[id as usize].trouble *= TROUBLE_DECAY;
    }

    /// The most trouble that a state's close successors have had.
    pub fn trouble_around(&self, id: StateId) -> f64 {
        let chain = std::iter::successors(self.get(id).next, |&id| self.get(id).next);
        chain.take(3).map(|id| self.get(id).trouble).fold(0.0, f64::max)
    }

    /// The inputs of all steps from a state to the bad one.
    pub fn inputs_from(&self, id: StateId) -> Vec<Vec<bool>> {
        let chain = std::iter::successors(Some(id), |&id| self.get(id).next);
        chain.map(|id| self.get(id).inputs.clone()).collect()
    }
}

/// Obligations by frame, the lowest first; within a frame the deeper first, then the newer.
#[derive(Default)]
pub struct Queue {
    heap: BinaryHeap<(Reverse<usize>, u32, StateId)>,
}

impl Queue {
    pub fn push(&mut self, frame: usize, state: StateId, states: &States) {
        self.heap.push((Reverse(frame), states.get(state).depth, state));
    }

    pub fn pop(&mut self) -> Option<(usize, StateId)> {
        self.heap.pop().map(|(Reverse(frame), _, state)| (frame, state))
    }

    pub fn clear(&mut self) {
        self.heap.clear();
    }
}
