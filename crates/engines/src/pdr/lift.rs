//! Lifting: from one state of a model to a cube of states that behave alike.
//!
//! Given values of latches and inputs under which some target literals are true, finds latches
//! whose values, with the inputs as they are, keep the targets true whatever the other latches
//! are. First a justification is read off the cone, preferring the fan-in that costs the fewest
//! latches; then, as in Eén, Mishchenko and Brayton (FMCAD 2011), each latch left is set to
//! unknown in a ternary simulation and dropped if no target becomes unknown.
//!
//! A gate that defines a signal counts as a leaf: its value justifies as that of a latch does.
//! While it is kept it is *pinned*, whatever becomes of the latches that it reads.

use super::config::{ExtraSignals, Lifting};
use super::extend::Extended;
use wedge_logic::Lit;
use wedge_logic::aig::Node;
use wedge_model::Circuit;

/// What a node is known to be, as bits; unknown is zero.
const ONE: u8 = 1;
const ZERO: u8 = 2;

const LEAF: u32 = u32::MAX;
const NONE: u32 = u32::MAX;

/// What a leaf of the cone stands for.
#[derive(Clone, Copy)]
pub enum Leaf {
    Latch(usize),
    Input(usize),
}

/// A cone in topological order, in its own numbering: fan-ins are twice the position, plus one
/// if negated.
#[derive(Default)]
struct Cone {
    nodes: Vec<u32>,
    fanins: Vec<[u32; 2]>,
    targets: Vec<u32>,
    is_target: Vec<bool>,
}

pub struct CubeLifter<'c> {
    circuit: &'c Circuit,
    /// By node: latch or input number, doubled, plus one for inputs.
    leaf: Vec<u32>,
    /// By node: the signal that it defines, as a latch number.
    signal: Vec<u32>,
    signals: Vec<Lit>,
    position: Vec<u32>,
    cone: Cone,
    stack: Vec<u32>,
    known: Vec<u8>,
    /// The value of each node in the state that is lifted.
    value: Vec<bool>,
    cost: Vec<u32>,
    needed: Vec<bool>,
    fanout_start: Vec<u32>,
    fanouts: Vec<u32>,
    undo: Vec<(u32, u8)>,
}

impl<'c> CubeLifter<'c> {
    pub fn new(extended: &'c Extended) -> CubeLifter<'c> {
        let circuit = &extended.circuit;
        let mut leaf = vec![NONE; circuit.aig.len()];
        for (index, latch) in circuit.latches.iter().enumerate() {
            leaf[latch.state.node() as usize] = index as u32 * 2;
        }
        for (index, input) in circuit.inputs.iter().enumerate() {
            leaf[input.node() as usize] = index as u32 * 2 + 1;
        }
        let mut signal = vec![NONE; circuit.aig.len()];
        for (index, definition) in extended.definitions.iter().enumerate() {
            signal[definition.node() as usize] = (extended.latches + index) as u32;
        }
        CubeLifter {
            circuit,
            signal,
            signals: extended.definitions.clone(),
            leaf,
            position: vec![NONE; circuit.aig.len()],
            cone: Cone::default(),
            stack: vec![],
            known: vec![],
            value: vec![],
            cost: vec![],
            needed: vec![],
            fanout_start: vec![],
            fanouts: vec![],
            undo: vec![],
        }
    }

    /// Returns the latches and signals to keep, with their values, and extra signals.
    ///
    /// Requires: all `targets` are true under `value`. With ternary simulation, latches with a
    /// small `weight` are tried to be dropped first.
    pub fn lift(
        &mut self,
        targets: impl Iterator<Item = Lit>,
        mut value: impl FnMut(Leaf) -> bool,
        weight: impl Fn(usize) -> f64,
        lifting: Lifting,
        extra: ExtraSignals,
    ) -> Vec<(usize, bool)> {
        self.collect(targets);
        self.evaluate(&mut value);
        if lifting == Lifting::Cone {
            self.needed.clear();
            self.needed.resize(self.cone.nodes.len(), true);
        } else {
            self.justify();
        }
        if lifting == Lifting::Ternary {
            self.drop_latches(weight);
        }
        self.add_signals(extra);
        let kept = self.needed_latches().map(|(at, latch)| (latch, self.value[at])).collect();
        for node in &self.cone.nodes {
            self.position[*node as usize] = NONE;
        }
        kept
    }

    /// The positions and numbers of the latches and signals in the cone that are needed.
    fn needed_latches(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let needed = self.cone.nodes.iter().enumerate().filter(|&(at, _)| self.needed[at]);
        needed.filter_map(|(at, &node)| match self.leaf_at(node) {
            Some(Leaf::Latch(latch)) => Some((at, latch)),
            Some(Leaf::Input(_)) => None,
            None => self.signal_at(at).map(|signal| (at, signal)),
        })
    }

    /// The signal that the node at a position defines.
    fn signal_at(&self, at: usize) -> Option<usize> {
        let signal = self.signal[self.cone.nodes[at] as usize];
        (signal != NONE).then_some(signal as usize)
    }

    fn is_pinned(&self, at: usize) -> bool {
        self.needed[at] && self.signal_at(at).is_some()
    }

    /// Marks signals as needed that lifting can do without.
    fn add_signals(&mut self, extra: ExtraSignals) {
        for index in 0..self.signals.len() {
            let at = self.position[self.signals[index].node() as usize];
            self.needed[at as usize] |= match extra {
                ExtraSignals::None => false,
                ExtraSignals::Implied => self.known[at as usize] != 0,
                ExtraSignals::All => true,
            };
        }
    }

    fn leaf_at(&self, node: u32) -> Option<Leaf> {
        match self.leaf[node as usize] {
            NONE => None,
            code if code & 1 == 1 => Some(Leaf::Input(code as usize / 2)),
            code => Some(Leaf::Latch(code as usize / 2)),
        }
    }

    /// Collects the cone of the targets and the signals in topological order; constants are no
    /// part of it.
    fn collect(&mut self, targets: impl Iterator<Item = Lit>) {
        self.cone.nodes.clear();
        self.cone.fanins.clear();
        self.cone.targets.clear();
        for target in targets.filter(|t| !t.is_const()) {
            self.stack.push(target.node());
            while let Some(&node) = self.stack.last() {
                self.visit(node);
            }
            self.cone.targets.push(self.position[target.node() as usize]);
        }
        for index in 0..self.signals.len() {
            self.stack.push(self.signals[index].node());
            while let Some(&node) = self.stack.last() {
                self.visit(node);
            }
        }
    }

    /// Enters the node on top of the stack, once its fan-ins are entered.
    fn visit(&mut self, node: u32) {
        if self.position[node as usize] != NONE {
            self.stack.pop();
            return;
        }
        let mut fanins = [LEAF; 2];
        if let Node::And(a, b) = self.circuit.aig.node(node) {
            let missing = [a, b].map(|l| self.position[l.node() as usize] == NONE);
            if missing[0] || missing[1] {
                self.stack.extend(missing[0].then_some(a.node()));
                self.stack.extend(missing[1].then_some(b.node()));
                return;
            }
            fanins = [a, b].map(|l| self.position[l.node() as usize] << 1 | l.0 & 1);
        }
        self.stack.pop();
        self.position[node as usize] = self.cone.nodes.len() as u32;
        self.cone.nodes.push(node);
        self.cone.fanins.push(fanins);
    }

    /// Values of all nodes, and an estimate of how many latches justify them.
    fn evaluate(&mut self, value: &mut impl FnMut(Leaf) -> bool) {
        self.known.clear();
        self.value.clear();
        self.cost.clear();
        for (&node, &[a, b]) in self.cone.nodes.iter().zip(&self.cone.fanins) {
            let (known, cost) = if a == LEAF {
                let leaf = self.leaf_at(node).unwrap_or(Leaf::Input(0));
                let cost = matches!(leaf, Leaf::Latch(_)) as u32;
                (if value(leaf) { ONE } else { ZERO }, cost)
            } else {
                let (left, right) = (known_of(&self.known, a), known_of(&self.known, b));
                let (m, n) = (self.cost[(a >> 1) as usize], self.cost[(b >> 1) as usize]);
                let cost = match (left, right) {
                    (ONE, ONE) => m.saturating_add(n),
                    (ZERO, ZERO) => m.min(n),
                    (ZERO, _) => m,
                    _ => n,
                };
                let is_signal = self.signal[node as usize] != NONE;
                (and(left, right), if is_signal { 1 } else { cost })
            };
            self.known.push(known);
            self.value.push(known == ONE);
            self.cost.push(cost);
        }
    }

    /// Marks as needed what justifies the targets.
    fn justify(&mut self) {
        self.needed.clear();
        self.needed.resize(self.cone.nodes.len(), false);
        for &target in &self.cone.targets {
            self.needed[target as usize] = true;
        }
        for at in (0..self.cone.nodes.len()).rev() {
            let [a, b] = self.cone.fanins[at];
            if !self.needed[at] || a == LEAF || self.signal_at(at).is_some() {
                continue;
            }
            let (i, j) = ((a >> 1) as usize, (b >> 1) as usize);
            match (known_of(&self.known, a), known_of(&self.known, b)) {
                (ONE, ONE) => {
                    self.needed[i] = true;
                    self.needed[j] = true;
                }
                (ZERO, ZERO) => {
                    let first = (!self.needed[i], self.cost[i]) <= (!self.needed[j], self.cost[j]);
                    self.needed[if first { i } else { j }] = true;
                }
                (ZERO, _) => self.needed[i] = true,
                _ => self.needed[j] = true,
            }
        }
    }

    fn drop_latches(&mut self, weight: impl Fn(usize) -> f64) {
        let mut latches: Vec<(usize, usize)> = self.needed_latches().collect();
        if latches.len() <= 1 && self.signals.is_empty() {
            return;
        }
        latches.sort_by(|(_, a), (_, b)| weight(*a).total_cmp(&weight(*b)));
        self.cone.is_target.clear();
        self.cone.is_target.resize(self.cone.nodes.len(), false);
        for &target in &self.cone.targets {
            self.cone.is_target[target as usize] = true;
        }
        self.forget_unneeded();
        self.list_fanouts();
        for (at, _) in latches {
            self.needed[at] = false;
            self.needed[at] = !self.tolerates_unknown(at);
        }
    }

    /// Simulates with all latches unknown that are not needed, and needed signals as they are.
    fn forget_unneeded(&mut self) {
        for at in 0..self.cone.nodes.len() {
            let [a, b] = self.cone.fanins[at];
            if self.is_pinned(at) {
                continue;
            }
            if a != LEAF {
                self.known[at] = and(known_of(&self.known, a), known_of(&self.known, b));
            } else if !self.needed[at] && self.leaf[self.cone.nodes[at] as usize] & 1 == 0 {
                self.known[at] = 0;
            }
        }
    }

    /// Lists the fan-outs of each node within the cone.
    fn list_fanouts(&mut self) {
        let count = self.cone.nodes.len();
        self.fanout_start.clear();
        self.fanout_start.resize(count + 1, 0);
        let edges = || self.cone.fanins.iter().enumerate().filter(|(_, f)| f[0] != LEAF);
        for fanin in edges().flat_map(|(_, f)| f) {
            self.fanout_start[(fanin >> 1) as usize] += 1;
        }
        let mut end = 0;
        for start in &mut self.fanout_start {
            end += *start;
            *start = end;
        }
        self.fanouts.clear();
        self.fanouts.resize(end as usize, 0);
        for (at, fanins) in edges() {
            for fanin in fanins {
                let slot = &mut self.fanout_start[(fanin >> 1) as usize];
                *slot -= 1;
                self.fanouts[*slot as usize] = at as u32;
            }
        }
    }

    /// Makes a leaf unknown. If that makes a target unknown, undoes it and returns false.
    /// Nodes only ever turn from known to unknown, so the order does not matter.
    fn tolerates_unknown(&mut self, leaf: usize) -> bool {
        self.undo.clear();
        self.stack.clear();
        if self.is_implied(leaf) {
            return true;
        }
        self.set_unknown(leaf as u32);
        let mut tolerated = !self.cone.is_target[leaf];
        while let (true, Some(at)) = (tolerated, self.stack.pop()) {
            let span = self.fanout_start[at as usize]..self.fanout_start[at as usize + 1];
            for edge in span {
                let out = self.fanouts[edge as usize];
                let [a, b] = self.cone.fanins[out as usize];
                let known = and(known_of(&self.known, a), known_of(&self.known, b));
                if known == 0 && self.known[out as usize] != 0 && !self.is_pinned(out as usize) {
                    tolerated &= !self.cone.is_target[out as usize];
                    self.set_unknown(out);
                }
            }
        }
        self.stack.clear();
        if !tolerated {
            for (at, known) in self.undo.drain(..) {
                self.known[at as usize] = known;
            }
        }
        tolerated
    }

    /// Whether a node follows from its fan-ins: a signal that need not be kept for its value.
    fn is_implied(&self, at: usize) -> bool {
        let [a, b] = self.cone.fanins[at];
        a != LEAF && and(known_of(&self.known, a), known_of(&self.known, b)) != 0
    }

    fn set_unknown(&mut self, at: u32) {
        self.undo.push((at, self.known[at as usize]));
        self.known[at as usize] = 0;
        self.stack.push(at);
    }
}

fn known_of(known: &[u8], fanin: u32) -> u8 {
    let value = known[(fanin >> 1) as usize];
    if fanin & 1 == 1 { value >> 1 | (value & 1) << 1 } else { value }
}

fn and(a: u8, b: u8) -> u8 {
    (a & b & ONE) | ((a | b) & ZERO)
}
