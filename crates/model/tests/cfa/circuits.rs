//! Systems as automata with one loop, and back.

use crate::explicit::{search_cfa, search_system};
use crate::random_cfa::{Genes, random_cfa};
use proptest::prelude::*;
use wedge_logic::{Sort, Term};
use wedge_model::cfa::{BlockOptions, ERROR, single_loop};
use wedge_model::{Cfa, LowerError, System};

/// A few narrow states, some without init or next, some whose init reads inputs or other states.
fn random_system(genes: &mut Genes) -> System {
    let mut system = System::new();
    for i in 0..1 + genes.below(2) {
        system.add_input(format!("i{i}"), Sort::Bv(1));
    }
    for i in 0..1 + genes.below(3) {
        system.add_state(format!("s{i}"), Sort::Bv(1 + genes.below(2) as u32));
    }
    let mut all: Vec<Term> = system.inputs.clone();
    all.extend(system.states.iter().map(|s| s.var));
    for i in 0..system.states.len() {
        let width = system.terms.width(system.states[i].var);
        // A state may read the ones before it.
        let pool = &all[..system.inputs.len() + i];
        system.states[i].init = match genes.below(3) {
            0 => None,
            1 => Some(system.terms.number(width, genes.next())),
            _ => Some(random_word(&mut system, genes, width, pool)),
        };
        system.states[i].next =
            (!genes.chance(4)).then(|| random_word(&mut system, genes, width, &all));
    }
    if genes.chance(2) {
        let constraint = random_word(&mut system, genes, 1, &all);
        system.constraints.push(constraint);
    }
    let (a, b) =
        (random_word(&mut system, genes, 1, &all), random_word(&mut system, genes, 1, &all));
    let bad = system.terms.and(a, b);
    system.add_bad(None, bad);
    system
}

fn random_word(system: &mut System, genes: &mut Genes, width: u32, pool: &[Term]) -> Term {
    let mut word = system.terms.number(2, genes.next());
    for _ in 0..2 {
        let other = pool[genes.below(pool.len())];
        let other = match system.terms.width(other) {
            1 => system.terms.sext(other, 1),
            _ => other,
        };
        word = match genes.below(3) {
            0 => system.terms.add(word, other),
            1 => system.terms.xor(word, other),
            _ => system.terms.and(word, other),
        };
    }
    system.terms.slice(word, width - 1, 0)
}

fn check_round_trip(system: &System, bad: usize) {
    let wanted = search_system(system)[bad].is_some();
    let cfa = Cfa::from_system(system, bad).expect("a good system");
    assert_eq!(cfa.check(), Ok(()));
    assert_eq!(search_cfa(&cfa), (wanted, false));
    let back = single_loop(&cfa, &BlockOptions::default()).expect("small");
    assert!(back.cuts.len() <= 2);
    assert_eq!(search_system(&back.system)[ERROR].is_some(), wanted);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn systems_survive_the_round_trip(seed in any::<u64>()) {
        let system = random_system(&mut Genes::new(seed));
        prop_assert_eq!(system.check(), Ok(()));
        check_round_trip(&system, 0);
    }

    #[test]
    fn programs_survive_the_round_trip(seed in any::<u64>()) {
        let cfa = random_cfa(&mut Genes::new(seed));
        let single = single_loop(&cfa, &BlockOptions::default()).expect("small");
        check_round_trip(&single.system, ERROR);
    }
}

#[test]
fn a_bad_that_is_not_there() {
    let result = Cfa::from_system(&System::new(), 3);
    assert_eq!(result.err(), Some(LowerError::NoSuchBad { bad: 3, count: 0 }));
}
