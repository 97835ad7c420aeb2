//! An unrolling from the first states that grows by need, as one graph.
//!
//! A step holds what was asked about it and about later steps, and no more: a latch leads to its
//! next function one step before, down to the first states. The steps share one and-inverter
//! graph (Kuehlmann, Paruthi, Krohm, Ganai, "Robust Boolean reasoning for equivalence checking and
//! functional property verification", TCAD 2002), so that what is constant after the resets is
//! never built, and a constraint that determines an input makes a constant of it. A circuit that is
//! reset in its first steps, or most of which a shallow bad state does not see, is therefore never
//! encoded as a whole.

mod apart;
mod clauses;

pub use apart::{Apart, Class};

use clauses::Clauses;
use rustc_hash::FxHashMap;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};
use wedge_model::{Circuit, Reset, Trace};
use wedge_sat::Session;

/// A step is looked at once, when it lies so many steps back, whether anything may still be asked of it. Not tuned.
const LAG: usize = 32;

/// What the nodes of the circuit are in one step, as far as it was asked for.
struct Images {
    /// By node of the circuit, or none when all that is asked for are the inputs.
    nodes: Vec<Lit>,
    /// By input of the circuit, then.
    inputs: Vec<Lit>,
}

impl Images {
    /// No literal of a graph is as large.
    const UNASKED: Lit = Lit(u32::MAX);

    fn new(circuit: &Circuit) -> Images {
        let mut nodes = vec![Images::UNASKED; circuit.aig.len()];
        nodes[0] = Lit::FALSE;
        Images { nodes, inputs: Vec::new() }
    }

    fn of(&self, node: u32) -> Option<Lit> {
        let image = *self.nodes.get(node as usize)?;
        (image != Images::UNASKED).then_some(image)
    }

    fn input(&self, index: usize, input: Lit) -> Option<Lit> {
        match self.nodes.is_empty() {
            true => Some(self.inputs[index]).filter(|&image| image != Images::UNASKED),
            false => self.of(input.node()),
        }
    }

    /// Nothing but the inputs is asked for any more.
    fn forget(&mut self, circuit: &Circuit) {
        self.inputs = circuit.inputs.iter().map(|i| self.nodes[i.node() as usize]).collect();
        self.nodes = Vec::new();
    }
}

pub struct Demand<'c> {
    circuit: &'c Circuit,
    /// All steps; its inputs are those of the steps and the free values of the first state.
    graph: Aig,
    /// By step.
    images: Vec<Images>,
    /// By node of the circuit: which latch it is.
    latch_at: Vec<Option<u32>>,
    /// The only state that paths begin in; without it they begin in all first states.
    start: Option<Vec<bool>>,
    /// Nodes of `graph` whose value the constraints determine.
    known: FxHashMap<u32, bool>,
    clauses: Clauses,
}

impl<'c> Demand<'c> {
    /// The first step.
    pub fn new(circuit: &'c Circuit) -> Demand<'c> {
        Demand::of(circuit, None)
    }

    /// The first step of paths from this state, a bit per latch.
    pub fn from_state(circuit: &'c Circuit, state: &[bool]) -> Demand<'c> {
        Demand::of(circuit, Some(state.to_vec()))
    }

    fn of(circuit: &'c Circuit, start: Option<Vec<bool>>) -> Demand<'c> {
        let mut latch_at = vec![None; circuit.aig.len()];
        for (index, latch) in circuit.latches.iter().enumerate() {
            latch_at[latch.state.node() as usize] = Some(index as u32);
        }
        let mut demand = Demand {
            circuit,
            graph: Aig::new(),
            images: Vec::new(),
            latch_at,
            start,
            known: FxHashMap::default(),
            clauses: Clauses::default(),
        };
        demand.extend();
        demand
    }

    /// One step more.
    pub fn extend(&mut self) {
        self.images.push(Images::new(self.circuit));
        self.forget();
    }

    /// Where all latches of the next step are known, nobody asks for more than the inputs.
    fn forget(&mut self) {
        let Some(step) = self.images.len().checked_sub(LAG).filter(|&step| step > 0) else {
            return;
        };
        let is_known = |state: Lit| self.images[step + 1].of(state.node()).is_some();
        if self.circuit.latches.iter().all(|latch| is_known(latch.state)) {
            self.images[step].forget(self.circuit);
        }
    }

    /// Asserts the constraints of the last step; the literals of the graph that they ask for.
    pub fn constrain(&mut self, session: &mut Session) -> Vec<Lit> {
        let all = self.constraints();
        for &holds in &all {
            let literal = self.clauses.encode(&self.graph, holds, session);
            session.add_clause(&[literal]);
        }
        all
    }

    /// What the constraints of the last step ask for; each of them is a constant from now on.
    fn constraints(&mut self) -> Vec<Lit> {
        let last = self.images.len() - 1;
        let mut all = Vec::new();
        for &constraint in &self.circuit.constraints {
            let holds = self.image(last, constraint);
            self.determine(holds, &mut all);
        }
        all
    }

    /// The literal of the bad state in the last step.
    pub fn bad(&mut self, session: &mut Session) -> i32 {
        let bad = self.image(self.images.len() - 1, self.circuit.bad);
        self.clauses.encode(&self.graph, bad, session)
    }

    /// Makes constants of the parts of a conjunction, one by one, and lists them.
    fn determine(&mut self, holds: Lit, all: &mut Vec<Lit>) {
        let mut stack = vec![holds];
        while let Some(lit) = stack.pop() {
            let lit = self.fold(lit);
            match self.graph.node(lit.node()) {
                _ if lit == Lit::TRUE => continue,
                Node::And(a, b) if !lit.is_negated() => stack.extend([a, b]),
                _ => all.push(lit),
            }
            if !lit.is_const() {
                self.known.insert(lit.node(), !lit.is_negated());
            }
        }
    }

    /// A literal of the graph, or the constant that it is known to be.
    fn fold(&self, lit: Lit) -> Lit {
        match self.known.get(&lit.node()) {
            Some(&value) => Lit::TRUE.xor(value == lit.is_negated()),
            None => lit,
        }
    }

    fn get(&self, step: usize, lit: Lit) -> Option<Lit> {
        let image = self.images[step].of(lit.node())?;
        Some(self.fold(image.xor(lit.is_negated())))
    }

    /// The literal of the graph for one of the circuit in a step.
    fn image(&mut self, step: usize, root: Lit) -> Lit {
        let mut stack = vec![(step, root.node())];
        while let Some(&(step, node)) = stack.last() {
            if self.images[step].of(node).is_some() {
                stack.pop();
                continue;
            }
            match self.build(step, node) {
                Ok(image) => self.images[step].nodes[node as usize] = image,
                Err(needed) => stack.push(needed),
            }
        }
        self.get(step, root).expect("it was built")
    }

    /// The image of a node, or what it needs first.
    fn build(&mut self, step: usize, node: u32) -> Result<Lit, (usize, u32)> {
        match self.circuit.aig.node(node) {
            Node::Const => Ok(Lit::FALSE),
            Node::And(a, b) => self.conjunction(step, a, b),
            Node::Input(_) => match self.latch_at[node as usize] {
                Some(latch) => self.latch(step, latch as usize),
                None => Ok(self.graph.add_input()),
            },
        }
    }

    /// A part that is known to be false makes the other one superfluous.
    fn conjunction(&mut self, step: usize, a: Lit, b: Lit) -> Result<Lit, (usize, u32)> {
        match (self.get(step, a), self.get(step, b)) {
            (Some(Lit::FALSE), _) | (_, Some(Lit::FALSE)) => Ok(Lit::FALSE),
            (Some(a), Some(b)) => Ok(self.clauses.and(&mut self.graph, a, b)),
            (None, _) => Err((step, a.node())),
            (_, None) => Err((step, b.node())),
        }
    }

    /// A latch is its next function one step before, or its reset.
    fn latch(&mut self, step: usize, latch: usize) -> Result<Lit, (usize, u32)> {
        if let (0, Some(start)) = (step, &self.start) {
            return Ok(Lit::FALSE.xor(start[latch]));
        }
        let latch = &self.circuit.latches[latch];
        let (step, function) = match (step, latch.reset) {
            (0, Reset::Const(value)) => return Ok(Lit::FALSE.xor(value)),
            (0, Reset::Free) => return Ok(self.graph.add_input()),
            (0, Reset::Function(function)) => (0, function),
            (step, _) => (step - 1, latch.next),
        };
        self.get(step, function).ok_or((step, function.node()))
    }

    /// The path of the session's model. What was never asked for may have any value, except resets.
    pub fn trace(&mut self, session: &mut Session) -> Trace {
        self.resets();
        let values = self.values(session);
        self.trace_of(&values)
    }

    /// The images of all latches in the first step.
    fn resets(&mut self) -> Vec<Lit> {
        let latches = self.circuit.latches.iter();
        latches.map(|latch| self.image(0, latch.state)).collect()
    }

    /// The path in which the nodes of the graph have these values; those that are younger are false.
    fn trace_of(&mut self, values: &[bool]) -> Trace {
        let resets = self.resets();
        let circuit = self.circuit;
        let mut values = values.to_vec();
        values.resize(self.graph.len(), false);
        let value = |lit: Lit| values[lit.node() as usize] != lit.is_negated();
        let initial = resets.into_iter().map(value).collect();
        let inputs = (0..self.images.len()).map(|step| {
            let images = &self.images[step];
            let input = |(index, &input)| {
                images.input(index, input).is_some_and(|image| value(self.fold(image)))
            };
            circuit.inputs.iter().enumerate().map(input).collect()
        });
        Trace { initial, inputs: inputs.collect() }
    }

    /// By node of the graph: its value in the session's model.
    fn values(&self, session: &mut Session) -> Vec<bool> {
        self.values_under(|node| self.clauses.value(node, session).unwrap_or(false))
    }

    /// The same, with these values of the inputs of the graph.
    fn values_under(&self, mut input: impl FnMut(u32) -> bool) -> Vec<bool> {
        let mut values = vec![false; self.graph.len()];
        for node in 1..self.graph.len() {
            values[node] = match self.graph.node(node as u32) {
                Node::And(a, b) => {
                    [a, b].iter().all(|l| values[l.node() as usize] != l.is_negated())
                }
                _ => match self.known.get(&(node as u32)) {
                    Some(&value) => value,
                    None => input(node as u32),
                },
            };
        }
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wedge_sat::session::TRUE;
    use wedge_sat::{Answer, Interrupt};

    /// A register that an input resets in the first step, where a constraint asks for that, and that
    /// takes any input later. The bad state says that it is set.
    fn reset_at_first() -> Circuit {
        let mut circuit = Circuit::default();
        let (reset, data) = (circuit.add_input(), circuit.add_input());
        let first = circuit.add_latch(Reset::Const(true));
        let register = circuit.add_latch(Reset::Free);
        circuit.latches[0].next = Lit::FALSE;
        circuit.latches[1].next = circuit.aig.and(!reset, data);
        circuit.constraints.push(circuit.aig.implies(first, reset));
        circuit.bad = circuit.aig.and(register, !first);
        circuit
    }

    #[test]
    fn constraints_determine_inputs() {
        let circuit = reset_at_first();
        let mut session = Session::new(&Interrupt::default());
        let mut path = Demand::new(&circuit);
        path.constrain(&mut session);
        assert_eq!(path.bad(&mut session), -TRUE, "it is the first state");
        path.extend();
        path.constrain(&mut session);
        assert_eq!(path.bad(&mut session), -TRUE, "the register was reset");
        path.extend();
        path.constrain(&mut session);
        let bad = path.bad(&mut session);
        assert_eq!(session.solve(&[bad]), Answer::Sat);
        let trace = path.trace(&mut session);
        assert!(trace.inputs[0][0], "the constraint holds in the first step");
        assert_eq!(trace.inputs[1], [false, true]);
        assert_eq!(trace.inputs.len(), 3);
    }

    /// A chain of latches ends in the bad state: step k sees k of its functions.
    #[test]
    fn a_step_holds_what_is_asked_for() {
        let mut circuit = Circuit::default();
        let input = circuit.add_input();
        let mut before = input;
        for latch in 0..10 {
            let state = circuit.add_latch(Reset::Const(false));
            circuit.latches[latch].next = circuit.aig.and(before, input);
            before = state;
        }
        circuit.bad = before;
        let mut session = Session::new(&Interrupt::default());
        let mut path = Demand::new(&circuit);
        for step in 0..10 {
            let vars = session.num_vars();
            assert_eq!(path.bad(&mut session), -TRUE, "in step {step}");
            assert_eq!(session.num_vars(), vars);
            path.extend();
        }
        let bad = path.bad(&mut session);
        assert_eq!(session.solve(&[bad]), Answer::Sat);
        let trace = path.trace(&mut session);
        assert!(trace.inputs[..10].iter().all(|step| step[0]));
    }

    /// A counter with an input that stops it comes to 40, when the first steps have been forgotten.
    #[test]
    fn inputs_of_forgotten_steps_are_part_of_the_trace() {
        let mut circuit = Circuit::default();
        let goes = circuit.add_input();
        let bits: Vec<Lit> = (0..6).map(|_| circuit.add_latch(Reset::Const(false))).collect();
        let mut carry = goes;
        circuit.bad = Lit::TRUE;
        for (index, &bit) in bits.iter().enumerate() {
            circuit.latches[index].next = circuit.aig.xor(bit, carry);
            carry = circuit.aig.and(bit, carry);
            let wanted = bit.xor(40 >> index & 1 == 0);
            circuit.bad = circuit.aig.and(circuit.bad, wanted);
        }
        let mut session = Session::new(&Interrupt::default());
        let mut path = Demand::new(&circuit);
        for _ in 0..40 {
            let bad = path.bad(&mut session);
            assert_ne!(session.solve(&[bad]), Answer::Sat);
            path.extend();
        }
        let bad = path.bad(&mut session);
        assert_eq!(session.solve(&[bad]), Answer::Sat);
        assert!(path.images[1].nodes.is_empty() && !path.images[0].nodes.is_empty());
        assert!(path.trace(&mut session).inputs[..40].iter().all(|step| step[0]));
    }

    /// The first value of a latch may be a function of others that nobody asked for before.
    #[test]
    fn resets_that_nobody_reads_are_part_of_the_trace() {
        let mut circuit = Circuit::default();
        let one = circuit.add_latch(Reset::Const(true));
        circuit.add_latch(Reset::Function(one));
        circuit.bad = one;
        let mut session = Session::new(&Interrupt::default());
        let mut path = Demand::new(&circuit);
        let bad = path.bad(&mut session);
        assert_eq!(bad, TRUE);
        assert_eq!(session.solve(&[bad]), Answer::Sat);
        assert_eq!(path.trace(&mut session).initial, [true, true]);
    }
}
