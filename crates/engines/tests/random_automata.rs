//! Every engine on automata, on random ones, against explicit-state search.
//!
//! A verdict must be the right one, a run must end at a target of the automaton, and formulas at cut
//! points must pass the check of the evidence crate.

mod common;

use common::{WIDTH, random_automaton};
use std::collections::HashSet;
use std::time::Duration;
use wedge_engines::registry::{Entry, Options, engines};
use wedge_engines::{AutomatonOutcome, Context, UnknownReason};
use wedge_evidence::claims;
use wedge_logic::{Evaluator, Term, Value};
use wedge_model::Cfa;
use wedge_sat::random::Random;

/// Whether a target can be reached.
fn fails(cfa: &Cfa) -> bool {
    let outgoing = cfa.outgoing();
    let mut seen = HashSet::new();
    let mut open = vec![(cfa.entry, [0u64, 0])];
    while let Some((location, state)) = open.pop() {
        if cfa.targets.iter().any(|target| target.location == location) {
            return true;
        }
        if !seen.insert((location, state)) {
            continue;
        }
        for &edge in &outgoing[location.0 as usize] {
            let edge = cfa.edge(edge);
            let roots: Vec<Term> = edge.roots().collect();
            let mut inputs = cfa.terms.free_vars(&roots);
            inputs.retain(|term| cfa.inputs.contains(term));
            for choice in 0..1u64 << (WIDTH as usize * inputs.len()) {
                let mut evaluator = Evaluator::new(&cfa.terms);
                let value = |number: u64| Value::Bv(wedge_logic::BitVec::new(WIDTH, number));
                for (&variable, number) in cfa.variables.iter().zip(state) {
                    evaluator.assign(variable, value(number));
                }
                for (place, &input) in inputs.iter().enumerate() {
                    evaluator.assign(input, value(choice >> (WIDTH as usize * place) & 7));
                }
                if !evaluator.holds(edge.guard).expect("all are assigned") {
                    continue;
                }
                let mut next = state;
                for &(variable, term) in &edge.updates {
                    let place = usize::from(variable == cfa.variables[1]);
                    let new = evaluator.eval_bv(term).expect("all are assigned");
                    next[place] = new.to_u64().expect("small");
                }
                open.push((edge.to, next));
            }
        }
    }
    false
}

/// The settings that each engine is tried with.
fn settings(entry: &Entry, number: usize) -> Options {
    let mut options = Options::default();
    for option in entry.options {
        let words: &[&str] = match (option.name, number % 4) {
            ("blocks", 1) => &["edge"],
            ("blocks", 2) => &["2"],
            ("order", 1 | 2) => &["bfs"],
            ("system", 2) => &["pudlak"],
            ("system", 3) => &["dual"],
            ("source", 1) => &["newton"],
            ("source", 2) => &["newton:it-wp-lv"],
            ("cores", 2) => &["conjuncts"],
            ("sequence", 1) => &["backward"],
            ("sequence", 3) => &["forward"],
            ("no-lift" | "no-facts", 2 | 3) => &[""],
            ("abstraction", 1) => &["cartesian"],
            ("cover", 1) => &["one"],
            ("scope", 2) => &["global"],
            ("scope", 3) => &["function"],
            ("predicates", 1 | 3) => &["whole"],
            ("interpolants", 1) => &["rs"],
            ("interpolants", 2) => &["re"],
            ("interpolants", 3) => &["rse"],
            ("no-prune", 2) => &[""],
            ("word", 1 | 2) => &["fresh"],
            ("enhance", 1) => &["none"],
            ("enhance", 2) => &["earlier"],
            ("no-subsumption", 3) => &[""],
            ("minimise", 2 | 3) => &["no"],
            _ => &[],
        };
        for word in words {
            option.set(&mut options, word).expect("a value of the option");
        }
    }
    options
}

#[test]
fn verdicts_are_right_and_evidence_is_accepted() {
    let mut random = Random(7);
    let mut decided = [0, 0];
    for number in 0..160 {
        let cfa = random_automaton(&mut random);
        cfa.check().expect("well-formed");
        let expected = fails(&cfa);
        for entry in engines() {
            let Some(engine) = entry.on_automaton(&settings(entry, number)) else { continue };
            let context = Context::new(Some(Duration::from_secs(20)));
            let interrupt = context.interrupt();
            match engine.run(&cfa, &context) {
                AutomatonOutcome::Safe(proof) => {
                    assert!(!expected, "{} on {number}", entry.name);
                    let checked = claims::invariants(&cfa, proof, &interrupt);
                    assert!(checked.is_ok(), "{} on {number}: {:?}", entry.name, checked.err());
                    decided[0] += 1;
                }
                AutomatonOutcome::SafeByExhaustion { cuts, length } => {
                    assert!(!expected, "{} on {number}", entry.name);
                    let checked = claims::exhausted_automaton(&cfa, &cuts, length, &interrupt);
                    assert!(checked.is_ok(), "{} on {number}: {:?}", entry.name, checked.err());
                    decided[0] += 1;
                }
                AutomatonOutcome::Unsafe(run) => {
                    assert!(expected && run.target.is_some(), "{} on {number}", entry.name);
                    decided[1] += 1;
                }
                AutomatonOutcome::SafeForAll(proof) => {
                    assert!(!expected, "{} on {number}", entry.name);
                    let checked = claims::quantified_invariants(&cfa, proof, &interrupt);
                    assert!(checked.is_ok(), "{} on {number}: {:?}", entry.name, checked.err());
                }
                AutomatonOutcome::SafeForIntegers(_) => unreachable!("nobody asked for integers"),
                AutomatonOutcome::Unknown(UnknownReason::Inapplicable(_)) => {}
                AutomatonOutcome::Unknown(reason) => {
                    panic!("{} on {number}: {reason}", entry.name);
                }
            }
        }
    }
    assert!(decided[0] > 30 && decided[1] > 30, "{decided:?}");
}
