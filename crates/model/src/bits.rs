//! A circuit as a word-level system in which every word is one bit, so that engines on words and on
//! automata run on AIGER models.

use crate::circuit::{Circuit, Predicate, Reset, Trace};
use crate::simulate_words::WordTrace;
use crate::system::{State, System};
use wedge_logic::aig::Node;
use wedge_logic::blast::Limits;
use wedge_logic::{Aig, BlastError, Blaster, Lit, Sort, Term, TermStore, Value};

impl Circuit {
    /// The system with the same paths: state i is latch i, input i is input i, and the only bad is
    /// the circuit's.
    pub fn to_system(&self) -> System {
        self.to_system_with(&[]).0
    }

    /// The same, with the terms of more literals.
    pub fn to_system_with(&self, lits: &[Lit]) -> (System, Vec<Term>) {
        let mut system = System::new();
        let inputs: Vec<Term> = (0..self.inputs.len())
            .map(|index| system.add_input(format!("i{index}"), Sort::BOOL))
            .collect();
        let latches: Vec<Term> = (0..self.latches.len())
            .map(|index| system.add_state(format!("l{index}"), Sort::BOOL))
            .collect();
        let mut images = vec![system.terms.bool(false); self.aig.len()];
        for (lit, &term) in self.inputs.iter().zip(&inputs) {
            images[lit.node() as usize] = term;
        }
        for (latch, &term) in self.latches.iter().zip(&latches) {
            images[latch.state.node() as usize] = term;
        }
        for node in 0..self.aig.len() {
            if let Node::And(a, b) = self.aig.node(node as u32) {
                let (a, b) = (image(&mut system, &images, a), image(&mut system, &images, b));
                images[node] = system.terms.and(a, b);
            }
        }
        for (index, latch) in self.latches.iter().enumerate() {
            let init = match latch.reset {
                Reset::Free => None,
                Reset::Const(value) => Some(system.terms.bool(value)),
                Reset::Function(lit) => Some(image(&mut system, &images, lit)),
            };
            let next = Some(image(&mut system, &images, latch.next));
            system.states[index] = State { var: latches[index], init, next };
        }
        let constraints = self.constraints.iter().map(|&lit| image(&mut system, &images, lit));
        system.constraints = constraints.collect();
        let bad = image(&mut system, &images, self.bad);
        system.add_bad(None, bad);
        let terms = lits.iter().map(|&lit| image(&mut system, &images, lit)).collect();
        (system, terms)
    }
}

fn image(system: &mut System, images: &[Term], lit: Lit) -> Term {
    let term = images[lit.node() as usize];
    if lit.is_negated() { system.terms.not(term) } else { term }
}

/// A formula over bits as a set of states, in which latch i is the i-th of these variables.
pub fn bit_predicate(
    terms: &TermStore,
    formula: Term,
    states: &[Term],
) -> Result<Predicate, BlastError> {
    let mut aig = Aig::with_inputs(states.len());
    let mut blaster = Blaster::new(Limits::default());
    for (index, &state) in states.iter().enumerate() {
        blaster.bind(terms, state, &[aig.input(index)]);
    }
    let root = blaster.literal(terms, &mut aig, formula)?;
    Ok(Predicate { aig, root })
}

/// A trace of [`Circuit::to_system`] as one of the circuit.
pub fn bit_trace(trace: &WordTrace) -> Trace {
    let bit = |value: &Value| matches!(value, Value::Bv(bits) if !bits.is_zero());
    let initial =
        trace.steps.first().map_or(Vec::new(), |step| step.states.iter().map(bit).collect());
    let inputs = trace.steps.iter().map(|step| step.inputs.iter().map(bit).collect()).collect();
    Trace { initial, inputs }
}
