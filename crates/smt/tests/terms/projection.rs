//! Every projection of random formulas is the quantified formula, by brute force.

use crate::generator::{Generator, Kinds};
use rustc_hash::FxHashSet;
use wedge_logic::{Sort, Term, Value};
use wedge_sat::Interrupt;
use wedge_smt::projection::{Limits, exists, forall, model_based};
use wedge_smt::{Answer, Solver, Verdict};

const NOTHING: Limits =
    Limits { disjuncts: 0, bits: 0, gates: 0, models: 0, instances: 64, conflicts: 10_000 };

/// By assignment, whether some values of the variables satisfy the formula.
fn somewhere(generator: &Generator, variables: &[Term], truth: &[bool]) -> Vec<bool> {
    let kept: Vec<usize> = (0..generator.variables.len())
        .filter(|&i| !variables.contains(&generator.variables[i]))
        .collect();
    let key = |number: u64| -> Vec<Value> {
        let values = generator.assignment(number);
        kept.iter().map(|&i| values[i].clone()).collect()
    };
    let all = 0..generator.assignments();
    let keys: Vec<Vec<Value>> = all.map(key).collect();
    let holds = |at: &Vec<Value>| keys.iter().zip(truth).any(|(key, &holds)| holds && key == at);
    keys.iter().map(holds).collect()
}

struct Case {
    generator: Generator,
    variables: Vec<Term>,
    formula: Term,
    expected: Vec<bool>,
}

impl Case {
    fn new(seed: u64, sorts: &[Sort], kinds: Kinds) -> Case {
        let mut generator = Generator::new(seed, sorts);
        (0..10).for_each(|_| generator.step(kinds));
        let mut conditions: Vec<Term> = (0..2).map(|_| generator.condition()).collect();
        // Equalities are what resolution is about.
        let word = generator.word_of(2);
        let other = generator.word_of(2);
        conditions.push(generator.store.eq(word, other));
        let formula = generator.store.and_all(&conditions);
        let mut variables = generator.variables.clone();
        variables.retain(|_| generator.pick(2) == 0);
        let expected = somewhere(&generator, &variables, &generator.truth(formula));
        Case { generator, variables, formula, expected }
    }
}

fn run(seeds: std::ops::Range<u64>, sorts: &[Sort], kinds: Kinds) -> (usize, usize) {
    let (mut done, mut left) = (0, 0);
    for seed in seeds {
        let mut case = Case::new(seed, sorts, kinds);
        let limits = Limits::default();
        let store = &mut case.generator.store;
        let result = exists(store, &case.variables, case.formula, &limits, &Interrupt::default());
        if result.plain().is_none() {
            left += 1;
            continue;
        }
        done += 1;
        assert_eq!(case.generator.truth(result.body), case.expected, "seed {seed}");
        let negated = case.generator.store.not(case.formula);
        let store = &mut case.generator.store;
        let all = forall(store, &case.variables, negated, &limits, &Interrupt::default());
        if let Ok(term) = all {
            let nowhere: Vec<bool> = case.expected.iter().map(|&holds| !holds).collect();
            assert_eq!(case.generator.truth(term), nowhere, "seed {seed}");
        }
    }
    (done, left)
}

const WORDS: Kinds = Kinds { arrays: false, floats: false };
const ARRAYS: Kinds = Kinds { arrays: true, floats: false };
const ARRAY: Sort = Sort::Array { index: 1, element: 2 };

#[test]
fn projections_of_words() {
    let (done, left) = run(0..150, &[Sort::Bv(2), Sort::Bv(3), Sort::BOOL, Sort::BOOL], WORDS);
    assert_eq!((done, left), (150, 0));
}

#[test]
fn projections_of_arrays() {
    let (done, left) = run(0..150, &[Sort::Bv(2), Sort::BOOL, ARRAY], ARRAYS);
    assert!(done > 4 * left, "{done} done, {left} left");
}

/// What stays quantified is decided on the right of implications.
#[test]
fn instances_decide_implications() {
    let (mut held, mut failed) = (0, 0);
    for seed in 0..150 {
        let mut case = Case::new(seed, &[Sort::Bv(2), Sort::Bv(2), Sort::BOOL, ARRAY], ARRAYS);
        let generator = &mut case.generator;
        let rest: Vec<Term> =
            generator.variables.iter().copied().filter(|v| !case.variables.contains(v)).collect();
        if !rest.iter().any(|&v| !generator.store.sort(v).is_array()) {
            continue;
        }
        generator.focus(&rest);
        let phi = generator.condition();
        let result = exists(
            &mut generator.store,
            &case.variables,
            case.formula,
            &NOTHING,
            &Interrupt::default(),
        );
        let truth = generator.truth(phi);
        let expected = truth.iter().zip(&case.expected).all(|(&phi, &psi)| !phi || psi);
        match result.implied_by(&mut generator.store, phi, &NOTHING, &Interrupt::default()) {
            Verdict::Holds => {
                held += 1;
                assert!(expected, "seed {seed}");
            }
            Verdict::Fails(_) => {
                failed += 1;
                assert!(!expected, "seed {seed}");
            }
            Verdict::Unknown(why) => panic!("seed {seed}: {why}"),
        }
    }
    assert!(held > 10 && failed > 10, "{held} held, {failed} failed");
}

#[test]
fn model_based_projections_are_between() {
    for seed in 0..100 {
        let mut case = Case::new(seed, &[Sort::Bv(2), Sort::Bv(2), Sort::BOOL, ARRAY], ARRAYS);
        let mut solver = Solver::new(&Interrupt::default());
        let store = &mut case.generator.store;
        if solver.check_assuming(store, &[case.formula]) != Answer::Sat {
            continue;
        }
        let variables: FxHashSet<Term> = case.variables.iter().copied().collect();
        let value = |store: &_, term| solver.value(store, term).expect("a model");
        let projected = model_based(store, &variables, case.formula, value);
        assert!(solver.value(store, projected).is_some_and(|value| value.is_true()));
        assert!(store.free_vars(&[projected]).iter().all(|v| !variables.contains(v)));
        let truth = case.generator.truth(projected);
        assert!(truth.iter().zip(&case.expected).all(|(&mine, &all)| !mine || all));
    }
}

/// ∃x. 3·x + y = z[7:0] ∧ x < w, through the operators that can be inverted.
#[test]
fn equalities_are_resolved_through_operators() {
    let sorts = [Sort::Bv(32), Sort::Bv(32), Sort::Bv(32), Sort::Bv(64)];
    let mut generator = Generator::new(1, &sorts);
    let [x, y, w, z] = [0, 1, 2, 3].map(|i| generator.variables[i]);
    let s = &mut generator.store;
    let three = s.number(32, 3);
    let product = s.mul(x, three);
    let sum = s.add(product, y);
    let padded = s.sext(sum, 32);
    let conjuncts = [s.eq(padded, z), s.ult(x, w)];
    let formula = s.and_all(&conjuncts);
    let limits = Limits { bits: 0, models: 0, ..Limits::default() };
    let result = exists(s, &[x], formula, &limits, &Interrupt::default());
    assert!(result.plain().is_some());
    assert!(!s.free_vars(&[result.body]).contains(&x));
    assert!(s.size(&[result.body]) < 20);
}
