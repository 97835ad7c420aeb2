//! Triples over random steps against brute force.

use crate::generator::{Generator, Kinds};
use wedge_logic::{Evaluator, Sort, Term};
use wedge_sat::Interrupt;
use wedge_smt::{StepId, Triples, Verdict};

const KINDS: Kinds = Kinds { arrays: true, floats: false };

struct Steps {
    generator: Generator,
    triples: Triples,
    steps: Vec<(Term, Vec<(Term, Term)>)>,
    formulas: Vec<Term>,
}

impl Steps {
    /// The first variable is an input, the others are assigned.
    fn new(seed: u64) -> Steps {
        let array = Sort::Array { index: 1, element: 2 };
        let mut generator = Generator::new(seed, &[Sort::BOOL, Sort::Bv(2), Sort::BOOL, array]);
        let mut triples = Triples::new(&Interrupt::default());
        let mut steps = Vec::new();
        let (x, y, a) = (generator.variables[1], generator.variables[2], generator.variables[3]);
        for _ in 0..3 {
            (0..8).for_each(|_| generator.step(KINDS));
            let guard = generator.condition();
            let (index, element) = (generator.word_of(1), generator.word_of(2));
            let written = generator.store.write(a, index, element);
            let updates = vec![(x, generator.word_of(2)), (y, generator.word_of(1)), (a, written)];
            triples.add_step(guard, &updates);
            steps.push((guard, updates));
        }
        let states = generator.variables[1..].to_vec();
        generator.focus(&states);
        (0..10).for_each(|_| generator.step(KINDS));
        let formulas = (0..4).map(|_| generator.condition()).collect();
        Steps { generator, triples, steps, formulas }
    }

    /// Whether a state satisfies φ and steps out of ψ, by executing the step.
    fn fails(&self, phi: Term, step: usize, psi: Term, number: u64) -> bool {
        let (store, variables) = (&self.generator.store, &self.generator.variables);
        let (guard, updates) = &self.steps[step];
        let mut before = Evaluator::new(store);
        let values = self.generator.assignment(number);
        for (&variable, value) in variables.iter().zip(&values) {
            before.assign(variable, value.clone());
        }
        if !before.holds(phi).unwrap() || !before.holds(*guard).unwrap() {
            return false;
        }
        let mut after = Evaluator::new(store);
        for (&variable, value) in variables.iter().zip(&values) {
            let update = updates.iter().find(|(updated, _)| *updated == variable);
            let value = update.map_or(value.clone(), |&(_, new)| before.eval(new).unwrap().clone());
            after.assign(variable, value);
        }
        !after.holds(psi).unwrap()
    }

    fn check(&mut self, phi: Term, step: usize, psi: Term) {
        let all = 0..self.generator.assignments();
        let expected = all.clone().any(|number| self.fails(phi, step, psi, number));
        let id = StepId(step as u32);
        match self.triples.triple(&mut self.generator.store, phi, id, psi) {
            Verdict::Holds => assert!(!expected, "a failing triple holds"),
            Verdict::Unknown(why) => panic!("{why}"),
            Verdict::Fails(state) => {
                let variables = self.generator.variables.clone();
                let agrees = |number: &u64| {
                    let values = self.generator.assignment(*number);
                    state.values.iter().all(|(variable, value)| {
                        let at = variables.iter().position(|v| v == variable);
                        at.is_some_and(|at| values[at] == *value)
                    })
                };
                let found: Vec<u64> = all.filter(agrees).collect();
                assert!(!found.is_empty(), "the counterexample is a state");
                for number in found {
                    assert!(self.fails(phi, step, psi, number), "the counterexample fails");
                }
            }
        }
    }
}

#[test]
fn triples_agree_with_execution() {
    for seed in 0..30 {
        let mut steps = Steps::new(seed);
        let formulas = steps.formulas.clone();
        for step in 0..steps.steps.len() {
            for (i, &phi) in formulas.iter().enumerate() {
                for &psi in &formulas[i..] {
                    steps.check(phi, step, psi);
                }
            }
        }
        let (phi, psi) = (formulas[0], formulas[1]);
        let asked = steps.triples.repeated;
        steps.check(phi, 0, psi);
        assert_eq!(steps.triples.repeated, asked + 1, "answers are remembered");
        let (p, q) = (steps.generator.truth(phi), steps.generator.truth(psi));
        let store = &mut steps.generator.store;
        let implied = steps.triples.implication(store, phi, psi).holds();
        assert_eq!(implied, p.iter().zip(&q).all(|(&p, &q)| !p || q));
        assert_eq!(steps.triples.equivalence(store, phi, psi).holds(), p == q);
    }
}
