//! Binary heap of variables, the most active on top (VSIDS of Chaff in MiniSat's form).

use super::lit::Var;

const ABSENT: u32 = u32::MAX;
const RESCALE: f64 = 1e100;
/// Activity relative to a bump below which variables are not worth sorting.
const NEGLIGIBLE: f64 = 1e-6;

#[derive(Clone)]
pub(super) struct Heap {
    activity: Vec<f64>,
    increment: f64,
    heap: Vec<Var>,
    /// Index in `heap`, or `ABSENT`.
    position: Vec<u32>,
}

impl Default for Heap {
    fn default() -> Self {
        Heap { activity: vec![], increment: 1.0, heap: vec![], position: vec![] }
    }
}

impl Heap {
    pub fn add_var(&mut self) {
        self.activity.push(0.0);
        self.position.push(ABSENT);
    }

    pub fn contains(&self, var: Var) -> bool {
        self.position[var as usize] != ABSENT
    }

    pub fn insert(&mut self, var: Var) {
        if !self.contains(var) {
            self.position[var as usize] = self.heap.len() as u32;
            self.heap.push(var);
            self.sift_up(self.heap.len() - 1);
        }
    }

    pub fn clear(&mut self) {
        for var in self.heap.drain(..) {
            self.position[var as usize] = ABSENT;
        }
    }

    /// Replaces the content by those of `vars` that are active, in linear time; the others are
    /// added to `inactive`.
    pub fn rebuild(&mut self, vars: impl Iterator<Item = Var>, inactive: &mut Vec<Var>) {
        self.clear();
        for var in vars {
            if self.is_active(var) {
                self.position[var as usize] = self.heap.len() as u32;
                self.heap.push(var);
            } else {
                inactive.push(var);
            }
        }
        for index in (0..self.heap.len() / 2).rev() {
            self.sift_down(index);
        }
    }

    pub fn pop(&mut self) -> Option<Var> {
        let top = *self.heap.first()?;
        self.position[top as usize] = ABSENT;
        let last = self.heap.pop()?;
        if last != top {
            self.heap[0] = last;
            self.position[last as usize] = 0;
            self.sift_down(0);
        }
        Some(top)
    }

    pub fn bump(&mut self, var: Var) {
        let activity = &mut self.activity[var as usize];
        *activity += self.increment;
        if *activity > RESCALE {
            self.activity.iter_mut().for_each(|a| *a /= RESCALE);
            self.increment /= RESCALE;
        }
        if self.contains(var) {
            self.sift_up(self.position[var as usize] as usize);
        }
    }

    /// Whether the variable was bumped so recently that its place in the order matters.
    fn is_active(&self, var: Var) -> bool {
        self.activity[var as usize] > self.increment * NEGLIGIBLE
    }

    pub fn decay(&mut self, factor: f64) {
        self.increment /= factor;
    }

    fn sift_up(&mut self, mut index: usize) {
        let var = self.heap[index];
        let activity = self.activity[var as usize];
        while index > 0 {
            let parent = (index - 1) / 2;
            let above = self.heap[parent];
            if self.activity[above as usize] >= activity {
                break;
            }
            self.heap[index] = above;
            self.position[above as usize] = index as u32;
            index = parent;
        }
        self.heap[index] = var;
        self.position[var as usize] = index as u32;
    }

    fn sift_down(&mut self, mut index: usize) {
        let var = self.heap[index];
        let activity = self.activity[var as usize];
        while let Some(child) = self.larger_child(index) {
            let below = self.heap[child];
            if activity >= self.activity[below as usize] {
                break;
            }
            self.heap[index] = below;
            self.position[below as usize] = index as u32;
            index = child;
        }
        self.heap[index] = var;
        self.position[var as usize] = index as u32;
    }

    fn larger_child(&self, index: usize) -> Option<usize> {
        let left = 2 * index + 1;
        let first = *self.heap.get(left)?;
        match self.heap.get(left + 1) {
            Some(&second) if self.activity[second as usize] > self.activity[first as usize] => {
                Some(left + 1)
            }
            _ => Some(left),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pops_in_order_of_activity() {
        let mut heap = Heap::default();
        for _ in 0..20 {
            heap.add_var();
        }
        for var in 0..20 {
            (0..1 + (var * 7) % 20).for_each(|_| heap.bump(var));
        }
        heap.rebuild(0..10, &mut vec![]);
        (5..20).for_each(|var| heap.insert(var));
        (0..30).for_each(|_| heap.bump(13));
        let popped: Vec<Var> = std::iter::from_fn(|| heap.pop()).collect();
        let weights: Vec<u32> = popped.iter().map(|v| (v * 7) % 20).collect();
        let expected: Vec<u32> =
            [11].into_iter().chain((0..20).rev().filter(|&w| w != 11)).collect();
        assert_eq!(weights, expected);
    }

    #[test]
    fn rescaling_and_decay() {
        let mut heap = Heap::default();
        (0..3).for_each(|_| heap.add_var());
        heap.bump(1);
        for _ in 0..3000 {
            heap.decay(0.9);
            heap.bump(2);
        }
        let mut inactive = vec![];
        heap.rebuild(0..3, &mut inactive);
        assert_eq!(inactive, [0, 1]);
        assert_eq!((heap.pop(), heap.pop()), (Some(2), None));
    }
}
