//! Sets of states that a solver is asked about.

use super::vocabulary::Vocabulary;
use std::time::Instant;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};
use wedge_sat::gates::define_and;
use wedge_sat::session::{Answer, Session, TRUE};

/// One copy of a growing graph in a session.
pub struct View {
    inputs: Vec<i32>,
    /// The literal of each node, 0 where it has none yet.
    image: Vec<i32>,
}

impl View {
    /// The inputs of the graph have these literals.
    pub fn new(inputs: &[i32]) -> View {
        View { inputs: inputs.to_vec(), image: Vec::new() }
    }

    pub fn literal(&mut self, aig: &Aig, lit: Lit, session: &mut Session) -> i32 {
        self.image.resize(aig.len(), 0);
        let mut stack = vec![lit.node()];
        while let Some(&node) = stack.last() {
            if self.image[node as usize] != 0 {
                stack.pop();
                continue;
            }
            self.image[node as usize] = match aig.node(node) {
                Node::Const => -TRUE,
                Node::Input(index) => self.inputs[index as usize],
                Node::And(a, b) => {
                    let (left, right) = (self.at(a), self.at(b));
                    if left == 0 || right == 0 {
                        let missing = [(left, a), (right, b)].into_iter().filter(|m| m.0 == 0);
                        stack.extend(missing.map(|(_, lit)| lit.node()));
                        continue;
                    }
                    define_and(session, &mut vec![left, right])
                }
            };
            stack.pop();
        }
        self.at(lit)
    }

    fn at(&self, lit: Lit) -> i32 {
        let image = self.image[lit.node() as usize];
        if lit.is_negated() { -image } else { image }
    }
}

/// What may be spent.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub deadline: Instant,
    /// Per query.
    pub conflicts: i32,
}

/// The states that satisfy the assumptions in a session.
pub struct Set<'s> {
    pub session: &'s mut Session,
    pub view: &'s mut View,
    pub assumptions: Vec<i32>,
    pub effort: Effort,
}

impl Set<'_> {
    /// Whether a state of the set satisfies these literals, too.
    pub fn solve(&mut self, also: &[i32]) -> Answer {
        if Instant::now() >= self.effort.deadline {
            return Answer::Stopped;
        }
        let assumptions = [&self.assumptions[..], also].concat();
        self.session.solve_limited(&assumptions, Some(self.effort.conflicts))
    }

    pub fn literal(&mut self, vocabulary: &Vocabulary, lit: Lit) -> i32 {
        self.view.literal(&vocabulary.aig, lit, self.session)
    }

    /// The values of the words in the state just found; of those that are too wide, of the low
    /// bits.
    pub fn values(&mut self, vocabulary: &Vocabulary) -> Vec<u64> {
        (0..vocabulary.len()).map(|word| self.value(vocabulary, word)).collect()
    }

    pub fn value(&mut self, vocabulary: &Vocabulary, word: usize) -> u64 {
        let mut value = 0;
        for (index, &bit) in vocabulary.bits(word).iter().take(64).enumerate() {
            let is_set = match vocabulary.aig.node(bit.node()) {
                Node::Input(input) => {
                    self.session.value(self.view.inputs[input as usize]) != bit.is_negated()
                }
                _ => bit == Lit::TRUE,
            };
            value |= (is_set as u64) << index;
        }
        value
    }
}
