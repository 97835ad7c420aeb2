//! Satisfiability of a conjunction of graph literals: one fresh CaDiCaL per condition.
//!
//! The clause encoding is that of Plaisted and Greenbaum: a gate gets only the implications in
//! the direction in which the conjunction depends on it. Conjunctions that have one reader,
//! which reads them positively, are merged into it.

use crate::rejection::{Condition, Rejection};
use crate::simplify::simplify;
use cadical_sys::{CaDiCal, Status, Terminator};
use std::ops::Range;
use wedge_logic::aig::{Node, word};
use wedge_logic::{Aig, Lit};
use wedge_sat::Interrupt;

struct Poll(Interrupt);

impl Terminator for Poll {
    fn terminated(&mut self) -> bool {
        self.0.is_raised()
    }
}

/// Accepts `condition` if no assignment makes all `roots` true: they are its premises and the
/// negation of its conclusion. Otherwise `state` says which literals the counterexample shows.
pub(crate) fn refute(
    aig: &Aig,
    roots: &[Lit],
    condition: Condition,
    state: &[Lit],
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    let simple = simplify(aig, roots);
    let Some(inputs) = satisfy(&simple.aig, &simple.roots, interrupt)? else { return Ok(()) };
    let words = simple.aig.simulate(&inputs);
    let inputs: Vec<u64> = simple.images.iter().map(|&image| word(&words, image)).collect();
    let words = aig.simulate(&inputs);
    let value = |lit: &Lit| word(&words, *lit) & 1 == 1;
    debug_assert!(roots.iter().all(value), "a model of the clauses satisfies the roots");
    Err(Rejection::Refuted { condition, state: state.iter().map(value).collect() })
}

/// One of several questions about a growing conjunction.
pub(crate) struct Turn {
    /// What holds in this turn and in all later ones.
    pub given: Vec<Lit>,
    /// What must not hold besides.
    pub wrong: Lit,
}

/// Accepts `condition` if in no turn all that is given so far and what is wrong can be true.
pub(crate) fn refute_in_turn(
    aig: &Aig,
    turns: &[Turn],
    condition: Condition,
    state: &[Lit],
    interrupt: &Interrupt,
) -> Result<(), Rejection> {
    match first_possible(aig, turns, state, interrupt)? {
        None => Ok(()),
        Some((_, state)) => Err(Rejection::Refuted { condition, state }),
    }
}

/// The first turn in which all that is given so far and what is wrong can be true, with the values
/// of the `shown` literals. One solver takes all turns, and each turn brings the gates that the
/// earlier ones did without.
pub(crate) fn first_possible(
    aig: &Aig,
    turns: &[Turn],
    shown: &[Lit],
    interrupt: &Interrupt,
) -> Result<Option<(usize, Vec<bool>)>, Rejection> {
    let mut solver = CaDiCal::new();
    solver.connect_terminator(Poll(interrupt.clone()));
    let roots: Vec<Lit> =
        turns.iter().flat_map(|turn| turn.given.iter().copied().chain([turn.wrong])).collect();
    let encoding = Encoding::new(aig, &roots);
    let mut defined = 0;
    for (number, turn) in turns.iter().enumerate() {
        let reads = turn.given.iter().chain([&turn.wrong]);
        let last = reads.map(|lit| lit.node() as usize + 1).max().unwrap_or(0).max(defined);
        encoding.define_gates(&mut solver, defined..last);
        defined = last;
        turn.given.iter().for_each(|&lit| solver.clause1(encoding.literal(lit)));
        solver.assume(encoding.literal(turn.wrong));
        if interrupt.is_raised() {
            return Err(Rejection::Stopped);
        }
        match solver.solve() {
            Status::UNSATISFIABLE => {}
            Status::UNKNOWN => return Err(Rejection::Stopped),
            Status::SATISFIABLE => {
                let words = aig.simulate(&encoding.inputs(&mut solver));
                let value = |lit: &Lit| word(&words, *lit) & 1 == 1;
                debug_assert!(turn.given.iter().all(value) && value(&turn.wrong));
                return Ok(Some((number, shown.iter().map(value).collect())));
            }
        }
    }
    Ok(None)
}

/// Values of the graph's inputs (in bit 0) that make all `roots` true, if there are any.
fn satisfy(aig: &Aig, roots: &[Lit], interrupt: &Interrupt) -> Result<Option<Vec<u64>>, Rejection> {
    if roots.contains(&Lit::FALSE) {
        return Ok(None);
    }
    let mut solver = CaDiCal::new();
    solver.connect_terminator(Poll(interrupt.clone()));
    let encoding = Encoding::new(aig, roots);
    encoding.add_to(&mut solver, roots);
    if interrupt.is_raised() {
        return Err(Rejection::Stopped);
    }
    match solver.solve() {
        Status::UNSATISFIABLE => Ok(None),
        Status::UNKNOWN => Err(Rejection::Stopped),
        Status::SATISFIABLE => Ok(Some(encoding.inputs(&mut solver))),
    }
}

/// In which directions a gate is needed: that it is true forces its fan-ins, that it is false
/// forbids both to be true.
#[derive(Clone, Copy, Default)]
struct Need {
    when_true: bool,
    when_false: bool,
}

struct Encoding<'a> {
    aig: &'a Aig,
    needs: Vec<Need>,
    /// Per node, 0 where it has none.
    variables: Vec<i32>,
    /// Nodes that are part of their only reader.
    merged: Vec<bool>,
}

impl<'a> Encoding<'a> {
    fn new(aig: &'a Aig, roots: &[Lit]) -> Encoding<'a> {
        let mut needs = vec![Need::default(); aig.len()];
        let mut readers = vec![0u32; aig.len()];
        let mut merged = vec![false; aig.len()];
        for &root in roots {
            need(&mut needs, root, true);
            readers[root.node() as usize] += 2;
        }
        for node in (1..aig.len()).rev() {
            let (Node::And(a, b), true) = (aig.node(node as u32), readers[node] > 0) else {
                continue;
            };
            for lit in [a, b] {
                let child = lit.node() as usize;
                readers[child] += 1;
                let Need { when_true, when_false } = needs[node];
                if when_true {
                    need(&mut needs, lit, true);
                }
                if when_false {
                    need(&mut needs, lit, false);
                }
                // Provisional: a later reader makes this false again.
                let gate = matches!(aig.node(lit.node()), Node::And(..));
                merged[child] = gate && !lit.is_negated() && readers[child] == 1;
            }
        }
        let mut last = 0;
        let variables = (0..aig.len()).map(|node| {
            let used = readers[node] > 0 && !merged[node];
            last += used as i32;
            if used { last } else { 0 }
        });
        Encoding { aig, needs, variables: variables.collect(), merged }
    }

    fn add_to(&self, solver: &mut CaDiCal, roots: &[Lit]) {
        self.define_gates(solver, 0..self.aig.len());
        for &root in roots {
            solver.clause1(self.literal(root));
        }
    }

    /// Says what those of these nodes mean that have a variable.
    fn define_gates(&self, solver: &mut CaDiCal, nodes: Range<usize>) {
        for node in nodes {
            match self.aig.node(node as u32) {
                _ if self.variables[node] == 0 => {}
                Node::Const => solver.clause1(-self.variables[node]),
                Node::Input(_) => {}
                Node::And(..) => self.define(solver, node),
            }
        }
    }

    /// The values of the graph's inputs in the solver's model, in bit 0; 0 where nothing needs one.
    fn inputs(&self, solver: &mut CaDiCal) -> Vec<u64> {
        let value = |index| {
            let variable = self.variables[self.aig.input(index).node() as usize];
            (variable != 0 && solver.val(variable) > 0) as u64
        };
        (0..self.aig.num_inputs()).map(value).collect()
    }

    fn define(&self, solver: &mut CaDiCal, node: usize) {
        let (gate, conjuncts) = (self.variables[node], self.conjuncts(node));
        if self.needs[node].when_true {
            for &conjunct in &conjuncts {
                solver.clause2(-gate, conjunct);
            }
        }
        if self.needs[node].when_false {
            let mut clause: Vec<i32> = conjuncts.iter().map(|conjunct| -conjunct).collect();
            clause.push(gate);
            solver.clause6(&clause);
        }
    }

    /// The literals whose conjunction a gate is, merged gates expanded.
    fn conjuncts(&self, node: usize) -> Vec<i32> {
        let mut conjuncts = Vec::new();
        let mut stack = vec![node];
        while let Some(node) = stack.pop() {
            let Node::And(a, b) = self.aig.node(node as u32) else { continue };
            for lit in [a, b] {
                match self.merged[lit.node() as usize] {
                    true => stack.push(lit.node() as usize),
                    false => conjuncts.push(self.literal(lit)),
                }
            }
        }
        conjuncts
    }

    fn literal(&self, lit: Lit) -> i32 {
        let variable = self.variables[lit.node() as usize];
        if lit.is_negated() { -variable } else { variable }
    }
}

/// Notes that `lit` is needed when it has this value.
fn need(needs: &mut [Need], lit: Lit, value: bool) {
    let need = &mut needs[lit.node() as usize];
    match value != lit.is_negated() {
        true => need.when_true = true,
        false => need.when_false = true,
    }
}
