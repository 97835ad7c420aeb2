//! What members of a portfolio tell one another, as JSON.
//!
//! A message is about one model, which its sender and its receiver have made independently of
//! each other. The key says how it was made and what came out; nothing is taken over from a
//! model that differs in any gate.

use crate::input::Effort;
use serde::{Deserialize, Serialize};
use std::hash::Hasher;
use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit};
use wedge_model::{Circuit, Facts, Predicate, Reset};

/// Facts with more gates are kept to oneself: it takes longer to read them than they save.
const MAX_GATES: usize = 20_000;

/// A circuit as it was read, before any reduction.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ModelKey {
    effort: Effort,
    latches: usize,
    inputs: usize,
    gates: usize,
    digest: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Share {
    pub model: ModelKey,
    pub news: News,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum News {
    /// No path of at most so many steps ends in a bad state.
    Bound(usize),
    /// Predicates that are inductive together.
    Facts(FactsInWords),
    /// The same, found by the way and piece by piece.
    Lemmas(FactsInWords),
}

impl News {
    /// News of the same kind from the same sender replace earlier ones.
    pub fn kind(&self) -> u8 {
        match self {
            News::Bound(_) => 0,
            News::Facts(_) => 1,
            News::Lemmas(_) => 2,
        }
    }
}

/// Facts as numbers: literal 2v + s is variable v, negated if s is 1. Variable 0 is false, then
/// come the latches, then the gates in an order in which none reads a later one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FactsInWords {
    latches: usize,
    gates: Vec<(u32, u32)>,
    roots: Vec<u32>,
}

impl ModelKey {
    pub fn new(effort: &Effort, circuit: &Circuit) -> ModelKey {
        ModelKey {
            effort: *effort,
            latches: circuit.latches.len(),
            inputs: circuit.inputs.len(),
            gates: circuit.aig.num_ands(),
            digest: digest(circuit),
        }
    }
}

/// The same for equal circuits in all processes of one program.
fn digest(circuit: &Circuit) -> u64 {
    let mut hasher = rustc_hash::FxHasher::default();
    for node in 0..circuit.aig.len() {
        match circuit.aig.node(node as u32) {
            Node::Const => {}
            Node::Input(index) => hasher.write_u64(u64::from(index)),
            Node::And(a, b) => hasher.write_u64(u64::from(a.0) << 32 | u64::from(b.0)),
        }
    }
    circuit.inputs.iter().for_each(|input| hasher.write_u32(input.0));
    for latch in &circuit.latches {
        hasher.write_u64(u64::from(latch.state.0) << 32 | u64::from(latch.next.0));
        hasher.write_u64(match latch.reset {
            Reset::Free => 1 << 32,
            Reset::Const(value) => 2 << 32 | u64::from(value),
            Reset::Function(lit) => 3 << 32 | u64::from(lit.0),
        });
    }
    hasher.write_usize(circuit.constraints.len());
    circuit.constraints.iter().for_each(|constraint| hasher.write_u32(constraint.0));
    hasher.write_u32(circuit.bad.0);
    hasher.finish()
}

impl FactsInWords {
    /// None if there are too many of them.
    pub fn new(facts: &Facts) -> Option<FactsInWords> {
        let latches = facts.aig.num_inputs();
        if facts.aig.cone_ands(&facts.roots) > MAX_GATES || facts.roots.len() > MAX_GATES {
            return None;
        }
        let mut aig = Aig::with_inputs(latches);
        let inputs: Vec<Lit> = (0..latches).map(|latch| aig.input(latch)).collect();
        let roots = facts.aig.copy_into(&mut aig, &facts.roots, &inputs);
        let gate = |node: usize| match aig.node(node as u32) {
            Node::And(a, b) => (code(a), code(b)),
            Node::Const | Node::Input(_) => (0, 0),
        };
        let gates = (latches + 1..aig.len()).map(gate).collect();
        Some(FactsInWords { latches, gates, roots: roots.into_iter().map(code).collect() })
    }

    /// The facts about a circuit with so many latches; none if they make no sense for it.
    pub fn facts(&self, latches: usize) -> Option<Facts> {
        if self.latches != latches || self.gates.len() > MAX_GATES {
            return None;
        }
        let mut aig = Aig::with_inputs(latches);
        let mut images: Vec<Lit> = vec![Lit::FALSE];
        images.extend((0..latches).map(|latch| aig.input(latch)));
        let literal = |images: &[Lit], code: u32| {
            images.get(code as usize / 2).map(|image| image.xor(code % 2 == 1))
        };
        for &(a, b) in &self.gates {
            let (a, b) = (literal(&images, a)?, literal(&images, b)?);
            images.push(aig.and(a, b));
        }
        let roots: Option<Vec<Lit>> = self.roots.iter().map(|&c| literal(&images, c)).collect();
        Some(Facts { aig, roots: roots? })
    }
}

fn code(lit: Lit) -> u32 {
    2 * lit.node() + u32::from(lit.is_negated())
}

/// A predicate as the facts that it is the conjunction of.
pub fn conjuncts(predicate: Predicate) -> Facts {
    let Predicate { aig, root } = predicate;
    let mut seen = vec![false; aig.len()];
    let (mut roots, mut stack) = (Vec::new(), vec![root]);
    while let Some(lit) = stack.pop() {
        match aig.node(lit.node()) {
            Node::And(a, b) if !lit.is_negated() => {
                if !std::mem::replace(&mut seen[lit.node() as usize], true) {
                    stack.extend([a, b]);
                }
            }
            _ if lit == Lit::TRUE => {}
            _ => roots.push(lit),
        }
    }
    roots.sort_unstable();
    roots.dedup();
    Facts { aig, roots }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts() -> Facts {
        let mut facts = Facts::none(3);
        let [a, b, c] = [0, 1, 2].map(|latch| facts.aig.input(latch));
        let both = facts.aig.and(a, !b);
        let unused = facts.aig.or(b, c);
        let clause = facts.aig.or(both, c);
        assert_ne!(unused, clause);
        facts.roots = vec![clause, !a];
        facts
    }

    fn same(a: &Facts, b: &Facts) -> bool {
        (0..8u32).all(|bits| {
            let state: Vec<bool> = (0..3).map(|latch| bits >> latch & 1 == 1).collect();
            let holds = |f: &Facts| f.roots.iter().map(|&r| f.aig.eval(r, &state)).collect();
            let (a, b): (Vec<bool>, Vec<bool>) = (holds(a), holds(b));
            a == b
        })
    }

    #[test]
    fn facts_make_a_round_trip() {
        let words = FactsInWords::new(&facts()).unwrap();
        assert_eq!(words.gates.len(), 2, "only what the facts need is sent");
        let text = serde_json::to_string(&words).unwrap();
        let back: FactsInWords = serde_json::from_str(&text).unwrap();
        assert!(same(&back.facts(3).unwrap(), &facts()));
        assert!(back.facts(4).is_none());
    }

    #[test]
    fn facts_that_make_no_sense_are_none() {
        let good = FactsInWords::new(&facts()).unwrap();
        let forward = FactsInWords { gates: vec![(10, 2), (2, 4)], ..good.clone() };
        assert!(forward.facts(3).is_none());
        let beyond = FactsInWords { roots: vec![99], ..good.clone() };
        assert!(beyond.facts(3).is_none());
        let huge = FactsInWords { latches: usize::MAX, ..good };
        assert!(huge.facts(3).is_none());
    }

    #[test]
    fn keys_tell_circuits_apart() {
        let mut circuit = Circuit::default();
        let input = circuit.add_input();
        let state = circuit.add_latch(Reset::Const(false));
        circuit.latches[0].next = circuit.aig.and(input, !state);
        circuit.bad = state;
        let key = |circuit: &Circuit| ModelKey::new(&Effort::default(), circuit);
        let mut others = vec![circuit.clone(); 5];
        others[0].bad = !state;
        others[1].latches[0].reset = Reset::Free;
        others[2].latches[0].reset = Reset::Const(true);
        others[3].constraints.push(input);
        others[4].latches[0].next = others[4].latches[0].next.xor(true);
        assert_eq!(key(&circuit), key(&circuit.clone()));
        assert!(others.iter().all(|other| key(other) != key(&circuit)));
        let effort = Effort { level: 1, ..Effort::default() };
        assert_ne!(ModelKey::new(&effort, &circuit), key(&circuit));
    }

    #[test]
    fn conjuncts_are_taken_apart() {
        let split = conjuncts(facts().conjunction());
        assert_eq!(split.roots.len(), 2);
        let whole = |f: &Facts| Facts { roots: vec![f.conjunction().root], ..f.clone() };
        let (a, b) = (split.conjunction(), facts().conjunction());
        let as_facts = |p: Predicate| Facts { aig: p.aig, roots: vec![p.root] };
        assert!(same(&as_facts(a), &as_facts(b)));
        assert_eq!(whole(&Facts::none(2)).roots, [Lit::TRUE]);
        assert!(conjuncts(Predicate::constant(true, 2)).is_empty());
    }
}
