//! The transition relation as clauses, prepared once per circuit and loaded by need.
//!
//! Variable 0 is true, then come the latches, the inputs and the gates that survive
//! [`eliminate`](super::eliminate), in topological order. Every clause belongs to its greatest
//! variable, its *head*: the clauses of a head define it as a function of smaller variables. So
//! a solver may hold the definitions of just those variables it needs, as long as it also holds
//! the definitions of what these read. There are no next-state variables: the next value of a
//! latch is the literal of its next function.

use super::eliminate::Eliminator;
use super::extend::Extended;
use wedge_logic::aig::Node;
use wedge_model::{Circuit, Reset};
use wedge_sat::light::{Lit, Var};

/// The variable that is true.
pub const TRUE: Lit = Lit::from_code(0);

pub struct Transition {
    latches: usize,
    next: Vec<Lit>,
    pub bad: Lit,
    pub constraints: Vec<Lit>,
    /// Latches that can influence the property, a constraint or a signal, and signals.
    relevant: Vec<bool>,
    /// By latch: its reset function.
    resets: Vec<Option<Lit>>,
    /// By latch: its definition, if it is a signal.
    definitions: Vec<Option<Lit>>,
    /// By variable, with a final entry: where its clauses start in `clauses`.
    clause_start: Vec<u32>,
    /// With a final entry: where the clause starts in `lits`.
    clauses: Vec<u32>,
    lits: Vec<Lit>,
    /// By variable, with a final entry: where the variables its clauses read start in `fanins`.
    fanin_start: Vec<u32>,
    fanins: Vec<Var>,
}

impl Transition {
    pub fn new(extended: &Extended, eliminate: bool) -> Transition {
        let circuit = &extended.circuit;
        let cone = cone_of_influence(extended);
        let (names, count) = number(circuit, &cone);
        let lit = |l: wedge_logic::Lit| names[l.node() as usize].xor(l.is_negated());
        let relevant = |l: &wedge_model::Latch| cone[l.state.node() as usize];
        let relevant: Vec<bool> = circuit.latches.iter().map(relevant).collect();
        let mut transition = Transition {
            latches: circuit.latches.len(),
            next: circuit.latches.iter().map(|l| lit(l.next)).collect(),
            bad: lit(circuit.bad),
            constraints: circuit.constraints.iter().map(|&c| lit(c)).collect(),
            resets: circuit.latches.iter().map(|l| reset_function(l.reset).map(lit)).collect(),
            definitions: (0..circuit.latches.len())
                .map(|latch| extended.definition(latch).map(lit))
                .collect(),
            relevant,
            clause_start: vec![],
            clauses: vec![],
            lits: vec![],
            fanin_start: vec![],
            fanins: vec![],
        };
        let first_gate = 1 + circuit.latches.len() + circuit.inputs.len();
        let mut definitions = Eliminator::new(count, first_gate as Var);
        for node in 1..circuit.aig.len() as u32 {
            if let (true, Node::And(a, b)) = (cone[node as usize], circuit.aig.node(node)) {
                definitions.add_and(names[node as usize], lit(a), lit(b));
            }
        }
        if eliminate {
            transition.roots().for_each(|root| definitions.freeze(root.var()));
            definitions.eliminate();
        }
        transition.store(&definitions, first_gate);
        transition
    }

    fn roots(&self) -> impl Iterator<Item = Lit> + '_ {
        let next = self.next.iter().zip(&self.relevant).filter(|(_, r)| **r).map(|(n, _)| *n);
        let functions = self.resets.iter().chain(&self.definitions).flatten().copied();
        next.chain(functions).chain(self.constraints.iter().copied()).chain([self.bad])
    }

    /// Takes over the clauses, renumbering the gates that are left without gaps.
    fn store(&mut self, definitions: &Eliminator, first_gate: usize) {
        let is_kept = |var: &Var| definitions.defining(*var).next().is_some();
        let gates = (first_gate as Var..definitions.num_vars() as Var).filter(is_kept);
        let kept: Vec<Var> = (0..first_gate as Var).chain(gates).collect();
        let mut new_name = vec![0; definitions.num_vars()];
        for (new, &old) in kept.iter().enumerate() {
            new_name[old as usize] = new as Var;
        }
        let rename = |lit: &Lit| Lit::new(new_name[lit.var() as usize], lit.is_negated());
        for var in kept {
            self.clause_start.push(self.clauses.len() as u32);
            self.fanin_start.push(self.fanins.len() as u32);
            for clause in definitions.defining(var) {
                self.store_clause(clause.iter().map(rename), new_name[var as usize]);
            }
        }
        self.clause_start.push(self.clauses.len() as u32);
        self.clauses.push(self.lits.len() as u32);
        self.fanin_start.push(self.fanins.len() as u32);
        let named = self.next.iter_mut().chain(&mut self.constraints).chain([&mut self.bad]);
        let functions = self.resets.iter_mut().chain(&mut self.definitions).flatten();
        named.chain(functions).for_each(|lit| *lit = rename(lit));
    }

    fn store_clause(&mut self, clause: impl Iterator<Item = Lit>, head: Var) {
        self.clauses.push(self.lits.len() as u32);
        let first = self.fanin_start.last().map_or(0, |&start| start as usize);
        for lit in clause {
            self.lits.push(lit);
            if lit.var() != head && !self.fanins[first..].contains(&lit.var()) {
                self.fanins.push(lit.var());
            }
        }
    }

    pub fn num_vars(&self) -> usize {
        self.clause_start.len() - 1
    }

    pub fn num_clauses(&self) -> usize {
        self.clauses.len() - 1
    }

    pub fn num_latches(&self) -> usize {
        self.latches
    }

    pub fn latch(&self, latch: usize) -> Lit {
        Lit::new(1 + latch as Var, false)
    }

    pub fn input(&self, input: usize) -> Lit {
        Lit::new((1 + self.latches + input) as Var, false)
    }

    /// The literal of the next state that corresponds to a latch literal.
    pub fn next_of(&self, lit: Lit) -> Lit {
        self.next[lit.var() as usize - 1].xor(lit.is_negated())
    }

    pub fn reset_function(&self, latch: usize) -> Option<Lit> {
        self.resets[latch]
    }

    /// The definition of a latch that is a signal.
    pub fn definition(&self, latch: usize) -> Option<Lit> {
        self.definitions[latch]
    }

    /// The latch that a variable stands for.
    pub fn latch_of(&self, var: Var) -> Option<usize> {
        (1..=self.latches as Var).contains(&var).then(|| var as usize - 1)
    }

    /// The clauses that define a variable; none for latches and inputs.
    pub fn clauses(&self, var: Var) -> impl Iterator<Item = &[Lit]> {
        let range = self.clause_start[var as usize]..self.clause_start[var as usize + 1];
        range.map(|clause| {
            let start = self.clauses[clause as usize] as usize;
            &self.lits[start..self.clauses[clause as usize + 1] as usize]
        })
    }

    /// The variables that the definition of a variable reads.
    pub fn fanins(&self, var: Var) -> &[Var] {
        let start = self.fanin_start[var as usize] as usize;
        &self.fanins[start..self.fanin_start[var as usize + 1] as usize]
    }
}

fn reset_function(reset: Reset) -> Option<wedge_logic::Lit> {
    match reset {
        Reset::Function(lit) => Some(lit),
        _ => None,
    }
}

/// The nodes that can influence the property, a constraint or a signal, over any number of steps.
fn cone_of_influence(extended: &Extended) -> Vec<bool> {
    let circuit = &extended.circuit;
    let mut latch_at = vec![None; circuit.aig.len()];
    for latch in &circuit.latches {
        latch_at[latch.state.node() as usize] = Some(latch);
    }
    let mut cone = vec![false; circuit.aig.len()];
    let mut stack: Vec<u32> = circuit.constraints.iter().map(|c| c.node()).collect();
    stack.push(circuit.bad.node());
    stack.extend(extended.definitions.iter().map(|d| d.node()));
    stack.extend(circuit.latches[extended.latches..].iter().map(|l| l.state.node()));
    while let Some(node) = stack.pop() {
        if std::mem::replace(&mut cone[node as usize], true) {
            continue;
        }
        if let Node::And(a, b) = circuit.aig.node(node) {
            stack.extend([a.node(), b.node()]);
        }
        if let Some(latch) = latch_at[node as usize] {
            stack.push(latch.next.node());
            stack.extend(reset_function(latch.reset).map(|lit| lit.node()));
        }
    }
    cone
}

/// A literal for each node, and the number of variables. The constant node is false.
fn number(circuit: &Circuit, cone: &[bool]) -> (Vec<Lit>, usize) {
    let mut names = vec![!TRUE; circuit.aig.len()];
    let mut count = 1;
    let mut name = |node: u32| {
        names[node as usize] = Lit::new(count, false);
        count += 1;
    };
    circuit.latches.iter().for_each(|l| name(l.state.node()));
    circuit.inputs.iter().for_each(|i| name(i.node()));
    for node in 1..circuit.aig.len() as u32 {
        if let (true, Node::And(..)) = (cone[node as usize], circuit.aig.node(node)) {
            name(node);
        }
    }
    (names, count as usize)
}
