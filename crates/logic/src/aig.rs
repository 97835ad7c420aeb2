//! And-inverter graphs with structural hashing and constant folding.
//!
//! A node is the constant, an input or a conjunction of two literals. Nodes are numbered in
//! topological order (fan-ins before fan-outs), so a forward scan over the node numbers is an
//! evaluation order. Node 0 is the constant: literal 0 is false, literal 1 is true.

use rustc_hash::FxHashMap;
use std::ops::Not;

/// A possibly negated reference to a node: twice the node number, plus one if negated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Lit(pub u32);

impl Lit {
    pub const FALSE: Lit = Lit(0);
    pub const TRUE: Lit = Lit(1);

    pub fn new(node: u32, negated: bool) -> Lit {
        Lit(node << 1 | negated as u32)
    }
    pub fn node(self) -> u32 {
        self.0 >> 1
    }
    pub fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
    pub fn is_const(self) -> bool {
        self.0 < 2
    }
    /// This literal, negated if `flip`.
    pub fn xor(self, flip: bool) -> Lit {
        Lit(self.0 ^ flip as u32)
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

impl From<bool> for Lit {
    fn from(value: bool) -> Lit {
        Lit(value as u32)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    Const,
    /// The n-th input of the graph.
    Input(u32),
    And(Lit, Lit),
}

/// What the simplification of a conjunction comes to.
enum Fold {
    /// An existing literal.
    Known(Lit),
    /// Another, smaller conjunction.
    Again(Lit, Lit),
    New,
}

/// An and-inverter graph. Invariants: node 0 is `Const`; both fan-ins of an `And` have smaller
/// node numbers; no two `And` nodes have the same fan-ins; no `And` has a constant fan-in.
#[derive(Clone, Debug)]
pub struct Aig {
    nodes: Vec<Node>,
    inputs: Vec<u32>,
    unique: FxHashMap<(Lit, Lit), u32>,
}

impl Default for Aig {
    fn default() -> Self {
        Aig::new()
    }
}

impl Aig {
    pub fn new() -> Aig {
        Aig { nodes: vec![Node::Const], inputs: Vec::new(), unique: FxHashMap::default() }
    }

    /// A graph with `count` inputs and nothing else.
    pub fn with_inputs(count: usize) -> Aig {
        let mut aig = Aig::new();
        for _ in 0..count {
            aig.add_input();
        }
        aig
    }

    pub fn add_input(&mut self) -> Lit {
        let node = self.nodes.len() as u32;
        self.nodes.push(Node::Input(self.inputs.len() as u32));
        self.inputs.push(node);
        Lit::new(node, false)
    }

    /// The literal of the `index`-th input.
    pub fn input(&self, index: usize) -> Lit {
        Lit::new(self.inputs[index], false)
    }

    pub fn num_inputs(&self) -> usize {
        self.inputs.len()
    }

    /// Number of nodes, the constant and the inputs included.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    pub fn num_ands(&self) -> usize {
        self.nodes.len() - 1 - self.inputs.len()
    }

    pub fn node(&self, node: u32) -> Node {
        self.nodes[node as usize]
    }

    /// The conjunction, simplified by the local two-level rules of Brummayer and Biere ("Local
    /// two-level and-inverter graph minimization without blowup", MEMICS 2006).
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (mut a, mut b) = (a, b);
        loop {
            match self.fold(a, b) {
                Fold::Known(lit) => return lit,
                Fold::Again(x, y) => (a, b) = (x, y),
                Fold::New => break,
            }
        }
        let key = if a < b { (a, b) } else { (b, a) };
        let next = self.nodes.len() as u32;
        let node = *self.unique.entry(key).or_insert(next);
        if node == next {
            self.nodes.push(Node::And(key.0, key.1));
        }
        Lit::new(node, false)
    }

    fn fold(&self, a: Lit, b: Lit) -> Fold {
        if a == Lit::FALSE || b == Lit::FALSE || a == !b {
            return Fold::Known(Lit::FALSE);
        }
        if a == Lit::TRUE || a == b {
            return Fold::Known(b);
        }
        if b == Lit::TRUE {
            return Fold::Known(a);
        }
        match self.fold_one_side(a, b) {
            Fold::New => {}
            folded => return folded,
        }
        match self.fold_one_side(b, a) {
            Fold::New => self.fold_both_sides(a, b),
            folded => folded,
        }
    }

    /// Rules for `a ∧ b` that look into a = ±(x ∧ y) only.
    fn fold_one_side(&self, a: Lit, b: Lit) -> Fold {
        let Node::And(x, y) = self.node(a.node()) else { return Fold::New };
        match a.is_negated() {
            // (x ∧ y) ∧ x = x ∧ y, (x ∧ y) ∧ ¬x = false
            false if b == x || b == y => Fold::Known(a),
            false if b == !x || b == !y => Fold::Known(Lit::FALSE),
            // ¬(x ∧ y) ∧ ¬x = ¬x, ¬(x ∧ y) ∧ x = x ∧ ¬y
            true if b == !x || b == !y => Fold::Known(b),
            true if b == x => Fold::Again(b, !y),
            true if b == y => Fold::Again(b, !x),
            _ => Fold::New,
        }
    }

    /// Rules for `a ∧ b` with a = ±(x ∧ y) and b = ±(u ∧ v).
    fn fold_both_sides(&self, a: Lit, b: Lit) -> Fold {
        let (Node::And(x, y), Node::And(u, v)) = (self.node(a.node()), self.node(b.node())) else {
            return Fold::New;
        };
        let contradict = x == !u || x == !v || y == !u || y == !v;
        match (a.is_negated(), b.is_negated()) {
            (false, false) if contradict => Fold::Known(Lit::FALSE),
            // (x ∧ y) ∧ (x ∧ v) = (x ∧ y) ∧ v
            (false, false) if x == u || y == u => Fold::Again(a, v),
            (false, false) if x == v || y == v => Fold::Again(a, u),
            // (x ∧ y) ∧ ¬(¬x ∧ v) = x ∧ y, (x ∧ y) ∧ ¬(x ∧ v) = (x ∧ y) ∧ ¬v
            (false, true) if contradict => Fold::Known(a),
            (false, true) if x == u || y == u => Fold::Again(a, !v),
            (false, true) if x == v || y == v => Fold::Again(a, !u),
            (true, false) if contradict => Fold::Known(b),
            (true, false) if u == x || v == x => Fold::Again(b, !y),
            (true, false) if u == y || v == y => Fold::Again(b, !x),
            // ¬(x ∧ y) ∧ ¬(x ∧ ¬y) = ¬x
            (true, true) if (x == u && y == !v) || (x == v && y == !u) => Fold::Known(!x),
            (true, true) if (y == u && x == !v) || (y == v && x == !u) => Fold::Known(!y),
            _ => Fold::New,
        }
    }

    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }
    pub fn implies(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(a, !b)
    }
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let neither = self.and(!a, !b);
        let both = self.and(a, b);
        self.and(!neither, !both)
    }
    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        !self.xor(a, b)
    }
    pub fn ite(&mut self, c: Lit, t: Lit, e: Lit) -> Lit {
        if t == e {
            return t;
        }
        if t == !e {
            return self.iff(c, t);
        }
        let then = self.and(c, t);
        let other = self.and(!c, e);
        self.or(then, other)
    }

    /// Balanced conjunction, so that the depth stays logarithmic.
    pub fn and_all(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => Lit::TRUE,
            [one] => *one,
            _ => {
                let (left, right) = lits.split_at(lits.len() / 2);
                let (left, right) = (self.and_all(left), self.and_all(right));
                self.and(left, right)
            }
        }
    }

    pub fn or_all(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&l| !l).collect();
        !self.and_all(&negated)
    }

    /// The nodes in the cone of `roots`, as a mark per node.
    pub fn cone(&self, roots: &[Lit]) -> Vec<bool> {
        let mut marked = vec![false; self.nodes.len()];
        for root in roots {
            marked[root.node() as usize] = true;
        }
        for node in (1..self.nodes.len()).rev() {
            if let (true, Node::And(a, b)) = (marked[node], self.nodes[node]) {
                marked[a.node() as usize] = true;
                marked[b.node() as usize] = true;
            }
        }
        marked
    }

    /// Number of conjunctions in the cone of `roots`.
    pub fn cone_ands(&self, roots: &[Lit]) -> usize {
        let marked = self.cone(roots);
        let is_and = |node: usize| matches!(self.nodes[node], Node::And(..));
        (0..marked.len()).filter(|&node| marked[node] && is_and(node)).count()
    }

    /// Copies the cones of `roots` into `target`; input i of this graph becomes `inputs[i]`.
    pub fn copy_into(&self, target: &mut Aig, roots: &[Lit], inputs: &[Lit]) -> Vec<Lit> {
        let marked = self.cone(roots);
        let mut image = vec![Lit::FALSE; self.nodes.len()];
        for node in 1..self.nodes.len() {
            if !marked[node] {
                continue;
            }
            image[node] = match self.nodes[node] {
                Node::Const => Lit::FALSE,
                Node::Input(index) => inputs[index as usize],
                Node::And(a, b) => {
                    let a = image[a.node() as usize].xor(a.is_negated());
                    let b = image[b.node() as usize].xor(b.is_negated());
                    target.and(a, b)
                }
            };
        }
        roots.iter().map(|r| image[r.node() as usize].xor(r.is_negated())).collect()
    }

    /// 64 evaluations at once: bit j of `inputs[i]` is the value of input i in run j.
    /// Returns one word per node.
    pub fn simulate(&self, inputs: &[u64]) -> Vec<u64> {
        let mut words = vec![0u64; self.nodes.len()];
        for node in 1..self.nodes.len() {
            words[node] = match self.nodes[node] {
                Node::Const => 0,
                Node::Input(index) => inputs[index as usize],
                Node::And(a, b) => word(&words, a) & word(&words, b),
            };
        }
        words
    }

    /// The value of `root` under one assignment of the inputs.
    pub fn eval(&self, root: Lit, inputs: &[bool]) -> bool {
        let words: Vec<u64> = inputs.iter().map(|&b| b as u64).collect();
        word(&self.simulate(&words), root) & 1 == 1
    }
}

/// The simulation word of a literal.
pub fn word(words: &[u64], lit: Lit) -> u64 {
    words[lit.node() as usize] ^ if lit.is_negated() { u64::MAX } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashing_and_folding() {
        let mut aig = Aig::with_inputs(2);
        let (a, b) = (aig.input(0), aig.input(1));
        assert_eq!(aig.and(a, b), aig.and(b, a));
        assert_eq!(aig.and(a, !a), Lit::FALSE);
        assert_eq!(aig.and(a, Lit::TRUE), a);
        let ab = aig.and(a, b);
        assert_eq!(aig.and(ab, a), ab);
        assert_eq!(aig.and(ab, !b), Lit::FALSE);
        assert_eq!(aig.and(!ab, !a), !a);
        assert_eq!(aig.num_ands(), 1);
    }

    #[test]
    fn truth_tables() {
        let mut aig = Aig::with_inputs(3);
        let (a, b, c) = (aig.input(0), aig.input(1), aig.input(2));
        let xor = aig.xor(a, b);
        let ite = aig.ite(a, b, c);
        let or = aig.or_all(&[a, b, c]);
        for bits in 0..8u32 {
            let v: Vec<bool> = (0..3).map(|i| bits >> i & 1 == 1).collect();
            assert_eq!(aig.eval(xor, &v), v[0] ^ v[1]);
            assert_eq!(aig.eval(ite, &v), if v[0] { v[1] } else { v[2] });
            assert_eq!(aig.eval(or, &v), v[0] || v[1] || v[2]);
        }
    }

    /// Every pair of gates over three inputs: the rules keep the function.
    #[test]
    fn two_level_rules_keep_the_function() {
        let mut aig = Aig::with_inputs(3);
        let mut gates: Vec<Lit> = (0..3).map(|i| aig.input(i)).collect();
        for round in 0..2 {
            let pool = gates.clone();
            for (i, &a) in pool.iter().enumerate() {
                for &b in &pool[..i] {
                    for signs in 0..4 {
                        let (a, b) = (a.xor(signs & 1 == 1), b.xor(signs & 2 == 2));
                        let both = aig.and(a, b);
                        for bits in 0..8u32 {
                            let v: Vec<bool> = (0..3).map(|i| bits >> i & 1 == 1).collect();
                            assert_eq!(aig.eval(both, &v), aig.eval(a, &v) && aig.eval(b, &v));
                        }
                        if round == 0 {
                            gates.push(both);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn copying_keeps_the_function() {
        let mut source = Aig::with_inputs(2);
        let (a, b) = (source.input(0), source.input(1));
        let xor = source.xor(a, b);
        let mut target = Aig::with_inputs(1);
        let x = target.input(0);
        let copied = source.copy_into(&mut target, &[xor, !xor], &[x, Lit::TRUE]);
        assert_eq!(copied, vec![!x, x]);
    }
}
