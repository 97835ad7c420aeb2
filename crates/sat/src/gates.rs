//! From and-inverter graphs to clauses.
//!
//! [`Gates`] recognises larger gates once per graph: conjunctions of many literals,
//! exclusive-or and if-then-else. A [`Frame`] is one copy of the graph in a session, encoded on
//! demand; constants are folded, so a clause never mentions the constant variable.

use crate::session::{Sink, TRUE};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

#[derive(Clone, Copy, Debug)]
enum Gate {
    /// The constant or an input: given by the frame, not by clauses.
    Leaf,
    /// Conjunction of the literals `start..end`.
    And {
        start: u32,
        end: u32,
    },
    Xor(Lit, Lit),
    Ite(Lit, Lit, Lit),
}

/// The gates of a graph, as seen from its roots.
#[derive(Clone, Debug, Default)]
pub struct Gates {
    gates: Vec<Gate>,
    lits: Vec<Lit>,
}

impl Gates {
    /// Every node in `roots` keeps a gate of its own; others may be absorbed where they have a
    /// single reader.
    pub fn new(aig: &Aig, roots: &[Lit]) -> Gates {
        let readers = count_readers(aig, roots);
        let mut gates = Gates { gates: vec![Gate::Leaf; aig.len()], lits: Vec::new() };
        let mut absorbed = vec![false; aig.len()];
        // Readers come before what they read, so each conjunction is collected only once.
        for node in (1..aig.len() as u32).rev() {
            let Node::And(a, b) = aig.node(node) else { continue };
            if readers[node as usize] == 0 || absorbed[node as usize] {
                continue;
            }
            gates.gates[node as usize] = match as_ite(aig, &readers, a, b) {
                Some((c, t, e)) => {
                    absorbed[a.node() as usize] = true;
                    absorbed[b.node() as usize] = true;
                    if t == !e { Gate::Xor(c, !t) } else { Gate::Ite(c, t, e) }
                }
                None => gates.conjunction(aig, &readers, &mut absorbed, node),
            };
        }
        gates
    }

    /// Number of clauses that a frame needs for all gates.
    pub fn num_clauses(&self) -> usize {
        let clauses = |gate: &Gate| match gate {
            Gate::Leaf => 0,
            Gate::And { start, end } => (end - start) as usize + 1,
            Gate::Xor(..) => 4,
            Gate::Ite(..) => 6,
        };
        self.gates.iter().map(clauses).sum()
    }

    /// The conjunction at a node, with those below it that only it reads.
    fn conjunction(
        &mut self,
        aig: &Aig,
        readers: &[u32],
        absorbed: &mut [bool],
        node: u32,
    ) -> Gate {
        let start = self.lits.len() as u32;
        let mut stack = vec![Lit::new(node, false)];
        while let Some(lit) = stack.pop() {
            let inside = lit.node() == node || absorbable(aig, readers, lit);
            match aig.node(lit.node()) {
                Node::And(a, b) if inside => {
                    absorbed[lit.node() as usize] = true;
                    stack.extend([a, b]);
                }
                _ => self.lits.push(lit),
            }
        }
        Gate::And { start, end: self.lits.len() as u32 }
    }
}

/// A conjunction, not an if-then-else, with a single reader that reads it positively.
fn absorbable(aig: &Aig, readers: &[u32], lit: Lit) -> bool {
    let Node::And(a, b) = aig.node(lit.node()) else { return false };
    !lit.is_negated() && readers[lit.node() as usize] == 1 && as_ite(aig, readers, a, b).is_none()
}

/// Number of readers of each node in the cone of the roots; a root has at least two.
fn count_readers(aig: &Aig, roots: &[Lit]) -> Vec<u32> {
    let mut readers = vec![0u32; aig.len()];
    for root in roots {
        readers[root.node() as usize] += 2;
    }
    for node in (1..aig.len()).rev() {
        if let (true, Node::And(a, b)) = (readers[node] > 0, aig.node(node as u32)) {
            readers[a.node() as usize] += 1;
            readers[b.node() as usize] += 1;
        }
    }
    readers
}

/// ¬(c ∧ t) ∧ ¬(¬c ∧ e) is if-then-else(c, ¬t, ¬e), where nobody else reads the two parts.
fn as_ite(aig: &Aig, readers: &[u32], a: Lit, b: Lit) -> Option<(Lit, Lit, Lit)> {
    let single = |l: Lit| l.is_negated() && readers[l.node() as usize] == 1;
    if !single(a) || !single(b) {
        return None;
    }
    let (Node::And(a0, a1), Node::And(b0, b1)) = (aig.node(a.node()), aig.node(b.node())) else {
        return None;
    };
    for (c, t) in [(a0, a1), (a1, a0)] {
        for (d, e) in [(b0, b1), (b1, b0)] {
            if c == !d {
                return Some((c, !t, !e));
            }
        }
    }
    None
}

/// One copy of a graph in a session.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The literal of each node, 0 where it has none yet.
    image: Vec<i32>,
}

impl Frame {
    pub fn new(aig: &Aig) -> Frame {
        let mut image = vec![0; aig.len()];
        image[0] = -TRUE;
        Frame { image }
    }

    /// Gives an input its literal.
    pub fn set(&mut self, input: Lit, lit: i32) {
        self.image[input.node() as usize] = if input.is_negated() { -lit } else { lit };
    }

    /// The literal of an already encoded node or input, if it has one.
    pub fn get(&self, lit: Lit) -> Option<i32> {
        let image = self.image[lit.node() as usize];
        (image != 0).then_some(if lit.is_negated() { -image } else { image })
    }

    fn at(&self, lit: Lit) -> i32 {
        let image = self.image[lit.node() as usize];
        if lit.is_negated() { -image } else { image }
    }

    /// The literal of `root`, with the clauses that define its cone added to the session.
    /// Inputs that have no literal get a new variable.
    pub fn encode(&mut self, gates: &Gates, session: &mut impl Sink, root: Lit) -> i32 {
        let mut stack = vec![root.node()];
        while let Some(&node) = stack.last() {
            if self.image[node as usize] != 0 {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let missing = |l: Lit| self.image[l.node() as usize] == 0;
            match gates.gates[node as usize] {
                Gate::Leaf => {}
                Gate::And { start, end } => {
                    let lits = &gates.lits[start as usize..end as usize];
                    stack.extend(lits.iter().filter(|&&l| missing(l)).map(|l| l.node()));
                }
                Gate::Xor(a, b) => {
                    stack.extend([a, b].into_iter().filter(|&l| missing(l)).map(Lit::node))
                }
                Gate::Ite(c, t, e) => {
                    stack.extend([c, t, e].into_iter().filter(|&l| missing(l)).map(Lit::node))
                }
            }
            if stack.len() == before {
                stack.pop();
                self.image[node as usize] = self.define(gates, session, node);
            }
        }
        self.at(root)
    }

    fn define(&self, gates: &Gates, session: &mut impl Sink, node: u32) -> i32 {
        match gates.gates[node as usize] {
            Gate::Leaf => session.new_var(),
            Gate::And { start, end } => {
                let lits = &gates.lits[start as usize..end as usize];
                let mut lits: Vec<i32> = lits.iter().map(|&l| self.at(l)).collect();
                define_and(session, &mut lits)
            }
            Gate::Xor(a, b) => define_xor(session, self.at(a), self.at(b)),
            Gate::Ite(c, t, e) => define_ite(session, self.at(c), self.at(t), self.at(e)),
        }
    }
}

/// A literal equivalent to the conjunction.
pub fn define_and(session: &mut impl Sink, lits: &mut Vec<i32>) -> i32 {
    lits.retain(|&l| l != TRUE);
    lits.sort_unstable_by_key(|l| (l.abs(), *l));
    lits.dedup();
    if lits.contains(&-TRUE) || lits.windows(2).any(|w| w[0] == -w[1]) {
        return -TRUE;
    }
    match lits.as_slice() {
        [] => TRUE,
        [one] => *one,
        _ => {
            let gate = session.new_var();
            let each: Vec<[i32; 2]> = lits.iter().map(|&lit| [-gate, lit]).collect();
            lits.iter_mut().for_each(|l| *l = -*l);
            lits.push(gate);
            let mut clauses: Vec<&[i32]> = each.iter().map(|clause| &clause[..]).collect();
            clauses.push(lits);
            session.define(gate, &clauses);
            gate
        }
    }
}

/// A literal equivalent to the exclusive or.
pub fn define_xor(session: &mut impl Sink, a: i32, b: i32) -> i32 {
    match (a, b) {
        (TRUE, other) | (other, TRUE) => return -other,
        (c, other) | (other, c) if c == -TRUE => return other,
        _ if a == b => return -TRUE,
        _ if a == -b => return TRUE,
        _ => {}
    }
    let gate = session.new_var();
    let clauses = [[-gate, a, b], [-gate, -a, -b], [gate, -a, b], [gate, a, -b]];
    session.define(gate, &clauses.each_ref().map(|clause| &clause[..]));
    gate
}

/// A literal equivalent to if-then-else.
pub fn define_ite(session: &mut impl Sink, c: i32, t: i32, e: i32) -> i32 {
    if c == TRUE || t == e {
        return t;
    }
    if c == -TRUE {
        return e;
    }
    if t == -e {
        return define_xor(session, c, e);
    }
    if t.abs() == TRUE || t.abs() == c.abs() {
        let when_true = t == TRUE || t == c;
        return if when_true {
            -define_and(session, &mut vec![-c, -e])
        } else {
            define_and(session, &mut vec![-c, e])
        };
    }
    if e.abs() == TRUE || e.abs() == c.abs() {
        let when_true = e == TRUE || e == -c;
        return if when_true {
            -define_and(session, &mut vec![c, -t])
        } else {
            define_and(session, &mut vec![c, t])
        };
    }
    let gate = session.new_var();
    let clauses = [
        [-gate, -c, t],
        [-gate, c, e],
        [gate, -c, -t],
        [gate, c, -e],
        [-gate, t, e],
        [gate, -t, -e],
    ];
    session.define(gate, &clauses.each_ref().map(|clause| &clause[..]));
    gate
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Answer, Interrupt, Session};

    /// A chain of conjunctions is one gate, and its list is as long as the chain.
    #[test]
    fn chains_stay_linear() {
        let mut aig = Aig::with_inputs(1000);
        let mut chain = aig.input(0);
        for index in 1..1000 {
            chain = aig.and(chain, aig.input(index).xor(index % 2 == 0));
        }
        let gates = Gates::new(&aig, &[chain]);
        assert_eq!(gates.lits.len(), 1000);
        assert_eq!(gates.num_clauses(), 1001);
    }

    /// Random graphs: the encoding agrees with evaluation under every assignment, with every
    /// subset of inputs fixed to constants.
    #[test]
    fn agrees_with_evaluation() {
        let mut seed = 1u64;
        let mut random = move |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        for _ in 0..150 {
            let mut aig = Aig::with_inputs(3);
            let mut pool: Vec<Lit> = (0..3).map(|i| aig.input(i)).collect();
            for _ in 0..12 {
                let mut pick = || pool[random(pool.len() as u64) as usize].xor(random(2) == 1);
                let (a, b, c) = (pick(), pick(), pick());
                let gate = match random(3) {
                    0 => aig.and(a, b),
                    1 => aig.xor(a, b),
                    _ => aig.ite(a, b, c),
                };
                pool.push(gate);
            }
            let root = *pool.last().unwrap();
            let gates = Gates::new(&aig, &[root]);
            let fixed = random(8);
            for bits in 0..8u64 {
                let inputs: Vec<bool> = (0..3).map(|i| bits >> i & 1 == 1).collect();
                let mut session = Session::new(&Interrupt::default());
                let mut frame = Frame::new(&aig);
                let mut assumptions = Vec::new();
                for (i, &value) in inputs.iter().enumerate() {
                    let lit = if fixed >> i & 1 == 1 {
                        if value { TRUE } else { -TRUE }
                    } else {
                        let var = session.new_var();
                        assumptions.push(if value { var } else { -var });
                        var
                    };
                    frame.set(aig.input(i), lit);
                }
                let lit = frame.encode(&gates, &mut session, root);
                assert_eq!(session.solve(&assumptions), Answer::Sat);
                assert_eq!(session.value(lit), aig.eval(root, &inputs));
                assumptions.push(if aig.eval(root, &inputs) { -lit } else { lit });
                assert_eq!(session.solve(&assumptions), Answer::Unsat);
            }
        }
    }
}
