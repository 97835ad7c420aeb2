//! Every interpolant of random sequences is checked: by brute force, for its variables, and that
//! the sequence is inductive.

use crate::generator::{Generator, Kinds};
use wedge_logic::{Sort, Term};
use wedge_sat::{InterpolationSystem, Interrupt};
use wedge_smt::{Interpolation, Method, Outcome, interpolants};

/// Part k speaks of the variables k and k + 1, and all of them of the last one.
fn parts(generator: &mut Generator, count: usize, kinds: Kinds) -> Vec<Term> {
    let variables = generator.variables.clone();
    let common = variables[variables.len() - 1];
    let mut part = |k: usize| {
        generator.focus(&[variables[k], variables[k + 1], common]);
        (0..8).for_each(|_| generator.step(kinds));
        let conditions: Vec<Term> = (0..2).map(|_| generator.condition()).collect();
        generator.store.and_all(&conditions)
    };
    (0..count).map(&mut part).collect()
}

/// Iₖ ∧ partₖ → Iₖ₊₁ and the variables of Iₖ occur on both sides.
fn check(generator: &Generator, parts: &[Term], sequence: &[Term], what: &str) {
    assert_eq!(sequence.len(), parts.len() + 1, "{what}");
    let truths: Vec<Vec<bool>> = sequence.iter().map(|&term| generator.truth(term)).collect();
    for (k, &part) in parts.iter().enumerate() {
        let part = generator.truth(part);
        for number in 0..part.len() {
            let steps = !truths[k][number] || !part[number] || truths[k + 1][number];
            assert!(steps, "{what}: step {k} in assignment {number}");
        }
        let store = &generator.store;
        let (before, after) = (store.free_vars(&parts[..k]), store.free_vars(&parts[k..]));
        for variable in store.free_vars(&[sequence[k]]) {
            assert!(before.contains(&variable) && after.contains(&variable), "{what}: cut {k}");
        }
    }
    assert!(truths[0].iter().all(|&holds| holds) && truths[parts.len()].iter().all(|&h| !h));
}

/// How many sequences there were, and how many had no interpolants.
fn run(seeds: std::ops::Range<u64>, sorts: &[Sort], kinds: Kinds) -> (usize, usize) {
    let (mut found, mut mixed) = (0, 0);
    for seed in seeds {
        let mut generator = Generator::new(seed, sorts);
        let count = sorts.len() - 2;
        let parts = parts(&mut generator, count, kinds);
        let feasible = (0..generator.assignments()).map(|_| true).collect::<Vec<_>>();
        let feasible = parts.iter().fold(feasible, |all, &part| {
            all.iter().zip(generator.truth(part)).map(|(&a, b)| a && b).collect()
        });
        let expected = feasible.iter().any(|&holds| holds);
        for system in [
            InterpolationSystem::McMillan,
            InterpolationSystem::Pudlak,
            InterpolationSystem::DualMcMillan,
        ] {
            for method in [Method::Sequence, Method::Forward, Method::Backward] {
                let how = Interpolation { system, method, lift: seed % 2 == 0 };
                let what = format!("seed {seed}, {how:?}");
                let store = &mut generator.store;
                match interpolants(store, &parts, &how, &Interrupt::default()) {
                    Outcome::Feasible(_) => assert!(expected, "{what}"),
                    Outcome::Unknown(_) => mixed += 1,
                    Outcome::Sequence(sequence) => {
                        assert!(!expected, "{what}");
                        found += 1;
                        check(&generator, &parts, &sequence, &what);
                    }
                }
            }
        }
    }
    (found, mixed)
}

#[test]
fn sequences_over_words() {
    let kinds = Kinds { arrays: false, floats: false };
    let (found, unknown) = run(0..40, &[Sort::Bv(2); 4].map(|s| s), kinds);
    assert!(found > 50, "{found} sequences");
    assert_eq!(unknown, 0);
    run(100..120, &[Sort::Bv(3), Sort::BOOL, Sort::Bv(2), Sort::Bv(2), Sort::BOOL], kinds);
}

#[test]
fn sequences_over_arrays() {
    let kinds = Kinds { arrays: true, floats: false };
    let array = Sort::Array { index: 1, element: 1 };
    let (found, _) = run(0..60, &[Sort::Bv(2), Sort::BOOL, Sort::Bv(2), array], kinds);
    assert!(found > 30, "{found} sequences");
    let (found, _) = run(100..150, &[array, Sort::BOOL, array, Sort::Bv(2)], kinds);
    assert!(found > 20, "{found} sequences");
}

/// The counter of a loop is below its limit, said in words.
#[test]
fn a_counter_is_bounded_by_words() {
    let mut generator = Generator::new(1, &[Sort::Bv(32), Sort::Bv(32), Sort::Bv(32)]);
    let [x, y, z] = [0, 1, 2].map(|i| generator.variables[i]);
    let s = &mut generator.store;
    let (zero, one, ten) = (s.zero(32), s.one(32), s.number(32, 10));
    let (next, later) = (s.add(x, one), s.add(y, one));
    let parts = [s.eq(x, zero), s.eq(y, next), s.eq(z, later), s.ugt(z, ten)];
    let outcome = interpolants(s, &parts, &Interpolation::default(), &Interrupt::default());
    let Outcome::Sequence(sequence) = outcome else { panic!("infeasible") };
    for &term in &sequence[1..4] {
        assert!(s.size(&[term]) <= 8, "{}", wedge_logic::smtlib::formula(s, term));
    }
}
