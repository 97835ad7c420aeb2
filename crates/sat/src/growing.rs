//! Clauses of a graph that grows between queries.
//!
//! [`crate::gates`] reads a whole graph once; here each query encodes what it needs and is not
//! encoded yet, at a cost linear in that. Exclusive-or and if-then-else are recognised wherever
//! they occur. A conjunction absorbs those below it that have no other reader among what is new;
//! should one of them be read later, it is defined then.

use crate::gates::{define_and, define_ite, define_xor};
use crate::session::{Sink, TRUE};
use rustc_hash::FxHashMap;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// One copy of a growing graph in a session. Use it with one graph and one session only.
#[derive(Clone, Debug, Default)]
pub struct Growing {
    /// The literal of each node, 0 where it has none yet.
    image: Vec<i32>,
}

impl Growing {
    pub fn new() -> Growing {
        Growing::default()
    }

    /// Gives an input its literal.
    pub fn set(&mut self, input: Lit, lit: i32) {
        let node = input.node() as usize;
        if self.image.len() <= node {
            self.image.resize(node + 1, 0);
        }
        self.image[node] = if input.is_negated() { -lit } else { lit };
    }

    /// The literal of a node that has one.
    pub fn get(&self, lit: Lit) -> Option<i32> {
        if lit.is_const() {
            return Some(if lit == Lit::TRUE { TRUE } else { -TRUE });
        }
        let image = self.image.get(lit.node() as usize).copied().unwrap_or(0);
        (image != 0).then_some(if lit.is_negated() { -image } else { image })
    }

    /// The literal of `root`, with the clauses that define its cone. Inputs that have no literal
    /// get a new variable.
    pub fn encode(&mut self, aig: &Aig, sink: &mut impl Sink, root: Lit) -> i32 {
        if let Some(lit) = self.get(root) {
            return lit;
        }
        self.image.resize(aig.len().max(self.image.len()), 0);
        let readers = self.readers(aig, root.node());
        let mut stack = vec![root.node()];
        while let Some(&node) = stack.last() {
            if self.image[node as usize] != 0 {
                stack.pop();
                continue;
            }
            let gate = shape(aig, node, |n| readers.get(&n) == Some(&1));
            let before = stack.len();
            let missing = |lit: &&Lit| self.get(**lit).is_none();
            stack.extend(gate.operands().iter().filter(missing).map(|lit| lit.node()));
            if stack.len() == before {
                stack.pop();
                self.image[node as usize] = self.define(sink, &gate);
            }
        }
        self.get(root).expect("just defined")
    }

    /// How often each node without a literal is read by other such nodes below the root.
    fn readers(&self, aig: &Aig, root: u32) -> FxHashMap<u32, u32> {
        let mut readers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut stack = vec![root];
        readers.insert(root, 2);
        while let Some(node) = stack.pop() {
            let Node::And(a, b) = aig.node(node) else { continue };
            for lit in [a, b].into_iter().filter(|&lit| self.get(lit).is_none()) {
                let count = readers.entry(lit.node()).or_insert(0);
                *count += 1;
                if *count == 1 {
                    stack.push(lit.node());
                }
            }
        }
        readers
    }

    fn define(&self, sink: &mut impl Sink, gate: &Gate) -> i32 {
        let at = |lit: Lit| self.get(lit).expect("operands come first");
        match gate {
            Gate::Input => sink.new_var(),
            Gate::And(lits) => define_and(sink, &mut lits.iter().map(|&lit| at(lit)).collect()),
            Gate::Ite([c, t, e]) if *t == !*e => define_xor(sink, at(*c), at(*e)),
            Gate::Ite([c, t, e]) => define_ite(sink, at(*c), at(*t), at(*e)),
        }
    }
}

enum Gate {
    Input,
    And(Vec<Lit>),
    Ite([Lit; 3]),
}

impl Gate {
    fn operands(&self) -> &[Lit] {
        match self {
            Gate::Input => &[],
            Gate::And(lits) => lits,
            // An exclusive or reads two literals only; the third is the negated second.
            Gate::Ite(lits) => lits,
        }
    }
}

fn shape(aig: &Aig, node: u32, single: impl Fn(u32) -> bool) -> Gate {
    let Node::And(a, b) = aig.node(node) else { return Gate::Input };
    if let Some(ite) = as_ite(aig, a, b) {
        return Gate::Ite(ite);
    }
    let mut lits = Vec::new();
    let mut stack = vec![a, b];
    while let Some(lit) = stack.pop() {
        match aig.node(lit.node()) {
            Node::And(a, b)
                if !lit.is_negated() && single(lit.node()) && as_ite(aig, a, b).is_none() =>
            {
                stack.extend([a, b]);
            }
            _ => lits.push(lit),
        }
    }
    Gate::And(lits)
}

/// ¬(c ∧ t) ∧ ¬(¬c ∧ e) is if-then-else(c, ¬t, ¬e).
fn as_ite(aig: &Aig, a: Lit, b: Lit) -> Option<[Lit; 3]> {
    if !a.is_negated() || !b.is_negated() {
        return None;
    }
    let (Node::And(a0, a1), Node::And(b0, b1)) = (aig.node(a.node()), aig.node(b.node())) else {
        return None;
    };
    for (c, t) in [(a0, a1), (a1, a0)] {
        for (d, e) in [(b0, b1), (b1, b0)] {
            if c == !d {
                return Some([c, !t, !e]);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Answer, Interrupt, Session};

    /// A graph that grows between queries: every literal agrees with evaluation under every
    /// assignment, whenever it was encoded.
    #[test]
    fn agrees_with_evaluation_while_it_grows() {
        let mut seed = 5u64;
        let mut random = move |n: u64| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) % n
        };
        for _ in 0..60 {
            let mut aig = Aig::with_inputs(4);
            let mut pool: Vec<Lit> = (0..4).map(|i| aig.input(i)).collect();
            let mut session = Session::new(&Interrupt::default());
            let mut growing = Growing::new();
            for _ in 0..6 {
                for _ in 0..6 {
                    let mut pick = || pool[random(pool.len() as u64) as usize].xor(random(2) == 1);
                    let (a, b, c) = (pick(), pick(), pick());
                    pool.push(match random(3) {
                        0 => aig.and(a, b),
                        1 => aig.xor(a, b),
                        _ => aig.ite(a, b, c),
                    });
                }
                let root = pool[random(pool.len() as u64) as usize];
                let lit = growing.encode(&aig, &mut session, root);
                let inputs: Vec<i32> =
                    (0..4).map(|i| growing.encode(&aig, &mut session, aig.input(i))).collect();
                for bits in 0..16u32 {
                    let values: Vec<bool> = (0..4).map(|i| bits >> i & 1 == 1).collect();
                    let mut assumed: Vec<i32> =
                        inputs.iter().zip(&values).map(|(&l, &v)| if v { l } else { -l }).collect();
                    let holds = aig.eval(root, &values);
                    assumed.push(if holds { -lit } else { lit });
                    assert_eq!(session.solve(&assumed), Answer::Unsat);
                }
            }
        }
    }
}
