//! Questions about the functions of a growing graph, answered by one incremental solver.
//!
//! A question is about the cones of one or two literals. Only they are encoded, when first asked
//! about, and only their variables are decided, so a question costs what its cones cost however
//! large the graph is.

use crate::light::{self, Domain, Limits, Query, Solver, Var};
use crate::session::{Answer, Interrupt};
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};

/// Marks the nodes that belong to every question, because an assumption reads them.
const ALWAYS: u32 = u32::MAX;

/// Requires: all calls speak of the same graph, which may grow between them.
pub struct Prover {
    solver: Solver,
    /// By node: its literal in the solver, once it has one.
    images: Vec<Option<light::Lit>>,
    /// By node: the last question that read it, 0 if none has: it has no clauses yet.
    asked: Vec<u32>,
    question: u32,
    /// The variables of the assumptions, then those of the question; likewise the nodes that
    /// are inputs.
    domain: Vec<Var>,
    inputs: Vec<u32>,
    assumed: (usize, usize),
    /// By node: the last question about what is near that read it; and the variables of such a question.
    asked_near: Vec<u32>,
    near: Vec<Var>,
    consistent: bool,
}

impl Prover {
    /// A prover that gives up on a question after so many conflicts.
    pub fn new(conflicts: u64, interrupt: &Interrupt) -> Prover {
        let mut solver = Solver::new();
        solver.limits = Limits { conflicts: Some(conflicts), interrupt: Some(interrupt.clone()) };
        Prover {
            solver,
            images: Vec::new(),
            asked: Vec::new(),
            question: 0,
            domain: Vec::new(),
            inputs: Vec::new(),
            assumed: (0, 0),
            asked_near: Vec::new(),
            near: Vec::new(),
            consistent: true,
        }
    }

    /// Restricts all further questions to the assignments that satisfy `lit`.
    pub fn assume(&mut self, aig: &Aig, lit: Lit) {
        self.forget_question();
        self.read_cones(aig, &[lit], ALWAYS);
        self.assumed = (self.domain.len(), self.inputs.len());
        let lit = self.image(lit);
        self.consistent &= self.solver.add_clause(&[lit]);
    }

    /// `Unsat` if the two literals agree under every assignment; after `Sat` the difference can
    /// be read off [`Prover::difference`].
    pub fn differ(&mut self, aig: &Aig, a: Lit, b: Lit) -> Answer {
        if !self.consistent || a == b {
            return Answer::Unsat;
        }
        self.question += 1;
        self.forget_question();
        self.read_cones(aig, &[a, b], self.question);
        let (a, b) = (self.image(a), self.image(b));
        match self.ask(&[a, !b]) {
            Answer::Unsat => self.ask(&[!a, b]),
            answer => answer,
        }
    }

    /// Whether the two literals agree even if nodes before `floor` may have any values, so that only the rest of
    /// the cones is looked at. If not, they may still agree.
    pub fn agree_above(&mut self, aig: &Aig, floor: u32, a: Lit, b: Lit) -> bool {
        if !self.consistent || a == b {
            return true;
        }
        self.question += 1;
        self.read_cones_above(aig, floor, &[a, b]);
        let (a, b) = (self.image(a), self.image(b));
        let mut differ = |assumptions: &[light::Lit]| {
            let domain = Domain::Of(&self.near);
            self.solver.ask(Query { assumptions, domain, ..Query::default() })
        };
        differ(&[a, !b]) == Answer::Unsat && differ(&[!a, b]) == Answer::Unsat
    }

    fn forget_question(&mut self) {
        self.domain.truncate(self.assumed.0);
        self.inputs.truncate(self.assumed.1);
    }

    fn ask(&mut self, assumptions: &[light::Lit]) -> Answer {
        self.solver.ask(Query { assumptions, domain: Domain::Of(&self.domain), ..Query::default() })
    }

    /// The inputs that the last question is about, by number, with their values in the model.
    pub fn difference<'a>(&'a self, aig: &'a Aig) -> impl Iterator<Item = (usize, bool)> + 'a {
        self.inputs.iter().filter_map(|&node| {
            let Node::Input(index) = aig.node(node) else { return None };
            Some((index as usize, self.solver.value(self.images[node as usize]?)?))
        })
    }

    /// Adds the cones to the domain, and to the solver what it does not know of them.
    fn read_cones(&mut self, aig: &Aig, roots: &[Lit], question: u32) {
        self.images.resize(aig.len(), None);
        self.asked.resize(aig.len(), 0);
        let mut stack: Vec<u32> = roots.iter().map(|r| r.node()).collect();
        while let Some(node) = stack.pop() {
            let asked = &mut self.asked[node as usize];
            if *asked == ALWAYS || *asked == question {
                continue;
            }
            let first = std::mem::replace(asked, question) == 0;
            let image = self.variable(node);
            self.domain.push(image.var());
            match aig.node(node) {
                Node::And(a, b) => {
                    if first {
                        self.define(image, a, b);
                    }
                    stack.extend([a.node(), b.node()]);
                }
                Node::Input(_) => self.inputs.push(node),
                Node::Const if first => {
                    self.solver.add_clause(&[!image]);
                }
                Node::Const => {}
            }
        }
    }

    /// Makes a domain of the cones down to nodes before `floor`, which are left open.
    fn read_cones_above(&mut self, aig: &Aig, floor: u32, roots: &[Lit]) {
        self.images.resize(aig.len(), None);
        self.asked.resize(aig.len(), 0);
        self.asked_near.resize(aig.len(), 0);
        self.near.clear();
        let mut stack: Vec<u32> = roots.iter().map(|r| r.node()).collect();
        while let Some(node) = stack.pop() {
            if std::mem::replace(&mut self.asked_near[node as usize], self.question)
                == self.question
            {
                continue;
            }
            let image = self.variable(node);
            self.near.push(image.var());
            let Node::And(a, b) = aig.node(node) else { continue };
            if node < floor {
                continue;
            }
            if self.asked[node as usize] == 0 {
                self.asked[node as usize] = self.question;
                self.define(image, a, b);
            }
            stack.extend([a.node(), b.node()]);
        }
    }

    fn define(&mut self, gate: light::Lit, a: Lit, b: Lit) {
        self.variable(a.node());
        self.variable(b.node());
        let (a, b) = (self.image(a), self.image(b));
        self.solver.add_clause(&[!gate, a]);
        self.solver.add_clause(&[!gate, b]);
        self.solver.add_clause(&[gate, !a, !b]);
    }

    fn variable(&mut self, node: u32) -> light::Lit {
        let solver = &mut self.solver;
        *self.images[node as usize].get_or_insert_with(|| light::Lit::new(solver.new_var(), false))
    }

    fn image(&self, lit: Lit) -> light::Lit {
        let image = self.images[lit.node() as usize].expect("the cone has been read");
        image.xor(lit.is_negated())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(value: u32) -> Vec<bool> {
        (0..4).map(|i| value >> i & 1 == 1).collect()
    }

    /// Random graphs that grow between questions, with assumptions added on the way: every
    /// answer agrees with enumeration, and every difference is one.
    #[test]
    fn agrees_with_enumeration() {
        let mut seed = 7u64;
        let mut random = move |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % n
        };
        let (mut equal, mut different, mut near) = (0, 0, 0);
        for _ in 0..200 {
            let mut aig = Aig::with_inputs(4);
            let mut pool: Vec<Lit> = (0..4).map(|i| aig.input(i)).collect();
            pool.push(Lit::FALSE);
            let mut prover = Prover::new(1000, &Interrupt::default());
            let mut assumed = Lit::TRUE;
            for _ in 0..40 {
                let mut pick = || pool[random(pool.len())].xor(random(2) == 1);
                let (a, b) = (pick(), pick());
                pool.push(aig.and(a, b));
                if random(12) == 0 {
                    prover.assume(&aig, !pool[pool.len() - 1]);
                    assumed = aig.and(assumed, !pool[pool.len() - 1]);
                }
                let floor = random(aig.len()) as u32;
                let differs =
                    |i: &Vec<bool>| aig.eval(assumed, i) && aig.eval(a, i) != aig.eval(b, i);
                if prover.agree_above(&aig, floor, a, b) {
                    assert!(!(0..16).map(bits).any(|i| differs(&i)));
                    near += (a != b) as usize;
                }
                match prover.differ(&aig, a, b) {
                    Answer::Unsat => {
                        assert!(!(0..16).map(bits).any(|i| differs(&i)));
                        equal += 1;
                    }
                    Answer::Sat => {
                        let mut inputs = vec![false; 4];
                        prover.difference(&aig).for_each(|(i, value)| inputs[i] = value);
                        assert!(differs(&inputs));
                        different += 1;
                    }
                    Answer::Stopped => panic!("the questions are easy"),
                }
            }
        }
        assert!(near > 100, "{near} equal whatever lies before");
        assert!(equal > 500 && different > 2000, "{equal} equal, {different} different");
    }
}
