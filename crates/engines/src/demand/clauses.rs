//! Clauses for a graph that grows.
//!
//! Larger gates are recognised when a node is encoded: if-then-else, exclusive or, and conjunctions
//! of many literals, where nobody else reads the nodes in between. Should somebody read one of them
//! later, it gets clauses of its own then.

use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};
use wedge_sat::Session;
use wedge_sat::gates::{define_and, define_ite};
use wedge_sat::session::TRUE;

#[derive(Default)]
pub(super) struct Clauses {
    /// By node of the graph: its literal in the session, or 0.
    literals: Vec<i32>,
    /// By node of the graph: how many conjunctions read it.
    readers: Vec<u32>,
}

enum Gate {
    Leaf,
    And(Vec<Lit>),
    Ite(Lit, Lit, Lit),
}

impl Clauses {
    /// The conjunction in the graph, whose readers are counted.
    pub fn and(&mut self, graph: &mut Aig, a: Lit, b: Lit) -> Lit {
        let before = graph.len();
        let lit = graph.and(a, b);
        self.readers.resize(graph.len(), 0);
        for node in before..graph.len() {
            if let Node::And(a, b) = graph.node(node as u32) {
                self.readers[a.node() as usize] += 1;
                self.readers[b.node() as usize] += 1;
            }
        }
        lit
    }

    /// The literal in the session, with the clauses that define it.
    pub fn encode(&mut self, graph: &Aig, root: Lit, session: &mut Session) -> i32 {
        self.literals.resize(graph.len(), 0);
        self.readers.resize(graph.len(), 0);
        self.literals[0] = -TRUE;
        let mut stack = vec![root.node()];
        while let Some(&node) = stack.last() {
            if self.literals[node as usize] != 0 {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let gate = self.gate(graph, node);
            let missing = |l: &&Lit| self.literals[l.node() as usize] == 0;
            match &gate {
                Gate::Leaf => {}
                Gate::And(lits) => stack.extend(lits.iter().filter(missing).map(|l| l.node())),
                Gate::Ite(c, t, e) => {
                    stack.extend([c, t, e].into_iter().filter(missing).map(|l| l.node()))
                }
            }
            if stack.len() == before {
                stack.pop();
                self.literals[node as usize] = self.define(gate, session);
            }
        }
        self.at(root)
    }

    /// The value of an input in the session's model, if it occurs there.
    pub fn value(&self, node: u32, session: &mut Session) -> Option<bool> {
        match self.literals.get(node as usize) {
            None | Some(0) => None,
            Some(&literal) => Some(session.value(literal)),
        }
    }

    fn at(&self, lit: Lit) -> i32 {
        let literal = self.literals[lit.node() as usize];
        if lit.is_negated() { -literal } else { literal }
    }

    fn define(&self, gate: Gate, session: &mut Session) -> i32 {
        match gate {
            Gate::Leaf => session.new_var(),
            Gate::And(lits) => define_and(session, &mut lits.iter().map(|&l| self.at(l)).collect()),
            Gate::Ite(c, t, e) => define_ite(session, self.at(c), self.at(t), self.at(e)),
        }
    }

    fn gate(&self, graph: &Aig, node: u32) -> Gate {
        let Node::And(a, b) = graph.node(node) else { return Gate::Leaf };
        if let Some((c, t, e)) = self.as_ite(graph, a, b) {
            return Gate::Ite(c, t, e);
        }
        let mut parts = Vec::new();
        let mut stack = vec![a, b];
        while let Some(lit) = stack.pop() {
            match graph.node(lit.node()) {
                Node::And(x, y) if self.is_inner(lit) && self.as_ite(graph, x, y).is_none() => {
                    stack.extend([x, y]);
                }
                _ => parts.push(lit),
            }
        }
        Gate::And(parts)
    }

    /// Only one conjunction reads this one, and it has no literal.
    fn is_inner(&self, lit: Lit) -> bool {
        let node = lit.node() as usize;
        !lit.is_negated() && self.readers[node] == 1 && self.literals[node] == 0
    }

    /// ¬(c ∧ t) ∧ ¬(¬c ∧ e) is if-then-else(c, ¬t, ¬e), where nobody else reads the two parts.
    fn as_ite(&self, graph: &Aig, a: Lit, b: Lit) -> Option<(Lit, Lit, Lit)> {
        let single = |l: Lit| l.is_negated() && self.readers[l.node() as usize] == 1;
        if !single(a) || !single(b) {
            return None;
        }
        let (Node::And(a0, a1), Node::And(b0, b1)) = (graph.node(a.node()), graph.node(b.node()))
        else {
            return None;
        };
        let pairs = [(a0, a1, b0, b1), (a0, a1, b1, b0), (a1, a0, b0, b1), (a1, a0, b1, b0)];
        pairs.into_iter().find(|(c, _, d, _)| *c == !*d).map(|(c, t, _, e)| (c, !t, !e))
    }
}
