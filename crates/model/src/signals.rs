//! Signals: functions of the latches that an engine may use as if they were latches.
//!
//! What a word-level comparison says is hardly ever a small clause over bits; with the comparison
//! itself as a literal it is one (Dureja, Gurfinkel, Ivrii, Vizel, "IC3 with internal signals",
//! FMCAD 2021). Signals are hints: whatever functions they are, what an engine says with them can
//! be said by their definitions.

use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// Functions of the latches, the most promising ones first.
///
/// Invariants: input i of the graph is latch i; no root is a constant or a latch, and no two are
/// the same function or its negation by structure.
#[derive(Clone, Debug, Default)]
pub struct Signals {
    pub aig: Aig,
    pub roots: Vec<Lit>,
}

impl Signals {
    pub fn new(latches: usize) -> Signals {
        Signals { aig: Aig::with_inputs(latches), roots: Vec::new() }
    }

    /// Adds a function of the graph, unless it is there or trivial. Signals are positive literals.
    pub fn add(&mut self, root: Lit) {
        let root = Lit::new(root.node(), false);
        let is_gate = matches!(self.aig.node(root.node()), Node::And(..));
        if is_gate && !self.roots.contains(&root) {
            self.roots.push(root);
        }
    }

    /// The signals of a circuit with so many latches in which each old latch is a literal of a
    /// graph with these latches as inputs, or has no counterpart. Signals without one are dropped.
    pub fn map(&self, latches: usize, images: &[Option<Lit>]) -> Signals {
        let mut mapped = Signals::new(latches);
        let is_lost = self.depend_on(|latch| images.get(latch).is_none_or(|image| image.is_none()));
        let kept: Vec<Lit> =
            self.roots.iter().copied().filter(|root| !is_lost[root.node() as usize]).collect();
        let inputs: Vec<Lit> = (0..self.aig.num_inputs())
            .map(|latch| images.get(latch).copied().flatten().unwrap_or(Lit::FALSE))
            .collect();
        for root in self.aig.copy_into(&mut mapped.aig, &kept, &inputs) {
            mapped.add(root);
        }
        mapped
    }

    /// By node: whether it reads a latch of this kind.
    fn depend_on(&self, kind: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut depends = vec![false; self.aig.len()];
        for node in 1..self.aig.len() {
            depends[node] = match self.aig.node(node as u32) {
                Node::Const => false,
                Node::Input(latch) => kind(latch as usize),
                Node::And(a, b) => depends[a.node() as usize] || depends[b.node() as usize],
            };
        }
        depends
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trivial_and_repeated_functions_are_no_signals() {
        let mut signals = Signals::new(2);
        let (a, b) = (signals.aig.input(0), signals.aig.input(1));
        let both = signals.aig.and(a, b);
        for root in [a, !b, Lit::TRUE, both, !both] {
            signals.add(root);
        }
        assert_eq!(signals.roots, [both]);
    }

    #[test]
    fn signals_follow_their_latches() {
        let mut signals = Signals::new(3);
        let latches: Vec<Lit> = (0..3).map(|i| signals.aig.input(i)).collect();
        for (a, b) in [(0, 1), (1, 2), (0, 2)] {
            let root = signals.aig.and(latches[a], latches[b]);
            signals.add(root);
        }
        // Latch 1 is lost, latch 2 is the negation of what is now latch 0.
        let target = Aig::with_inputs(2);
        let images = [Some(target.input(1)), None, Some(!target.input(0))];
        let mapped = signals.map(2, &images);
        assert_eq!(mapped.roots.len(), 1);
        for state in [[false, false], [false, true], [true, false], [true, true]] {
            assert_eq!(mapped.aig.eval(mapped.roots[0], &state), state[1] && !state[0]);
        }
        // A signal that becomes a latch is none any more.
        let same = [Some(target.input(1)), None, Some(target.input(1))];
        assert!(signals.map(2, &same).roots.is_empty());
    }
}
