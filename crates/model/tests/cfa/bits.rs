//! Circuits as automata over bits: the same errors are reachable, and runs lead back to traces.

use super::explicit::search_cfa;
use super::random_cfa::Genes;
use wedge_logic::{Lit, Term, Value};
use wedge_model::bits::{bit_predicate, bit_trace};
use wedge_model::cfa::run::{Oracle, follow};
use wedge_model::cfa::{EdgeId, LocationId, word_trace};
use wedge_model::simulate::replay;
use wedge_model::{Cfa, Circuit, Reset};

fn random_circuit(genes: &mut Genes) -> Circuit {
    let mut circuit = Circuit::default();
    let mut lits: Vec<Lit> = (0..1 + genes.below(2)).map(|_| circuit.add_input()).collect();
    let mut states = Vec::new();
    for _ in 0..1 + genes.below(3) {
        let reset = match genes.below(4) {
            0 => Reset::Free,
            1 => Reset::Const(true),
            // Of an earlier latch, so that resets have an order.
            2 if !states.is_empty() => Reset::Function(states[genes.below(states.len())]),
            _ => Reset::Const(false),
        };
        states.push(circuit.add_latch(reset));
    }
    lits.extend(&states);
    let pick = |circuit: &mut Circuit, genes: &mut Genes| {
        let mut lit = lits[genes.below(lits.len())].xor(genes.below(2) == 1);
        for _ in 0..2 {
            let other = lits[genes.below(lits.len())].xor(genes.below(2) == 1);
            lit = circuit.aig.and(lit, other).xor(genes.below(2) == 1);
        }
        lit
    };
    for index in 0..circuit.latches.len() {
        circuit.latches[index].next = pick(&mut circuit, genes);
    }
    if genes.below(3) == 0 {
        let constraint = pick(&mut circuit, genes);
        circuit.constraints.push(constraint);
    }
    circuit.bad = pick(&mut circuit, genes);
    circuit
}

/// All states that paths of the circuit lead to, by brute force; whether one of them is bad.
fn reaches_bad(circuit: &Circuit) -> bool {
    let (latches, inputs) = (circuit.latches.len(), circuit.inputs.len());
    let bits = |number: usize, count: usize| -> Vec<bool> {
        (0..count).map(|i| number >> i & 1 == 1).collect()
    };
    // A shortest trace visits no state twice.
    let mut frontier: Vec<wedge_model::Trace> = Vec::new();
    for first in 0..1 << latches {
        for input in 0..1 << inputs {
            let trace = wedge_model::Trace {
                initial: bits(first, latches),
                inputs: vec![bits(input, inputs)],
            };
            frontier.push(trace);
        }
    }
    for _ in 0..1 << latches {
        if frontier.iter().any(|trace| replay(circuit, trace).is_ok()) {
            return true;
        }
        let mut longer = Vec::new();
        let mut seen = std::collections::BTreeSet::new();
        for trace in &frontier {
            let Some(state) = last_state(circuit, trace) else { continue };
            if seen.insert(state) {
                for input in 0..1 << inputs {
                    let mut next = trace.clone();
                    next.inputs.push(bits(input, inputs));
                    longer.push(next);
                }
            }
        }
        frontier = longer;
    }
    false
}

/// The state after the last step, if the trace is a path.
fn last_state(circuit: &Circuit, trace: &wedge_model::Trace) -> Option<Vec<bool>> {
    let mut anything = circuit.clone();
    anything.bad = Lit::TRUE;
    let mut longer = trace.clone();
    replay(&anything, trace).ok()?;
    longer.inputs.push(vec![false; circuit.inputs.len()]);
    anything.constraints.clear();
    replay(&anything, &longer).ok().and_then(|states| states.last().cloned())
}

/// Chooses values by genes; an input keeps its value until an edge is taken.
struct Random<'a> {
    cfa: &'a Cfa,
    genes: Genes,
    chosen: std::collections::HashMap<Term, Value>,
}

impl Random<'_> {
    fn value(&mut self, term: Term) -> Value {
        let zero = Value::zero(self.cfa.terms.sort(term));
        match (self.genes.below(2), zero) {
            (1, Value::Bv(bits)) => Value::Bv(bits.not()),
            (_, zero) => zero,
        }
    }
}

impl Oracle for Random<'_> {
    fn initial(&mut self, variable: Term) -> Value {
        self.value(variable)
    }
    fn input(&mut self, input: Term) -> Value {
        let value = self.value(input);
        self.chosen.entry(input).or_insert(value).clone()
    }
    fn taken(&mut self, _: EdgeId, _: &[Term]) {
        self.chosen.clear();
    }
    fn reached(&mut self, _: LocationId) -> bool {
        true
    }
}

#[test]
fn circuits_and_their_automata_agree() {
    let (mut unsafe_ones, mut traces) = (0, 0);
    for seed in 0..150 {
        let mut genes = Genes::new(seed);
        let circuit = random_circuit(&mut genes);
        let system = circuit.to_system();
        assert_eq!(system.check(), Ok(()));
        let cfa = Cfa::from_system(&system, 0).unwrap();
        let expected = reaches_bad(&circuit);
        assert_eq!(search_cfa(&cfa), (expected, false), "seed {seed}");
        unsafe_ones += usize::from(expected);
        for run in 0..20 {
            let mut oracle = Random {
                cfa: &cfa,
                genes: Genes::new(1000 * seed + run),
                chosen: Default::default(),
            };
            let Ok(run) = follow(&cfa, &mut oracle, 40) else { continue };
            if run.target.is_some() {
                let trace = bit_trace(&word_trace(&system, &cfa, &run));
                assert!(replay(&circuit, &trace).is_ok(), "seed {seed}: {trace:?}");
                traces += 1;
            }
        }
    }
    assert!(unsafe_ones > 20 && traces > 50, "{unsafe_ones} unsafe circuits, {traces} traces");
}

#[test]
fn formulas_become_predicates() {
    let mut circuit = Circuit::default();
    let (a, b) = (circuit.add_latch(Reset::Free), circuit.add_latch(Reset::Free));
    circuit.bad = circuit.aig.and(a, b);
    let mut system = circuit.to_system();
    let states: Vec<Term> = system.states.iter().map(|state| state.var).collect();
    let not_b = system.terms.not(states[1]);
    let formula = system.terms.and(states[0], not_b);
    let predicate = bit_predicate(&system.terms, formula, &states).unwrap();
    let holds = |a: bool, b: bool| {
        let words = predicate.aig.simulate(&[u64::from(a), u64::from(b)]);
        wedge_logic::aig::word(&words, predicate.root) & 1 == 1
    };
    assert!(holds(true, false) && !holds(true, true) && !holds(false, false));
}
