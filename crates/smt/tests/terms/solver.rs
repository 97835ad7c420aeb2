//! Random sequences of assertions, scopes and queries.

use crate::generator::{Generator, Kinds, meet};
use wedge_logic::{Sort, Term};
use wedge_sat::Interrupt;
use wedge_smt::{Answer, Name, Solver};

pub const SMALL_ARRAY: Sort = Sort::Array { index: 1, element: 2 };
pub const ARRAY: Sort = Sort::Array { index: 2, element: 1 };

struct Session {
    generator: Generator,
    solver: Solver,
    queries: usize,
    /// The truth of what each scope holds, with names.
    scopes: Vec<Vec<(Option<Name>, Vec<bool>)>>,
}

impl Session {
    fn new(seed: u64, sorts: &[Sort]) -> Session {
        Session {
            generator: Generator::new(seed, sorts),
            solver: Solver::new(&Interrupt::default()),
            queries: 0,
            scopes: vec![Vec::new()],
        }
    }

    fn act(&mut self, kinds: Kinds) {
        (0..4).for_each(|_| self.generator.step(kinds));
        match self.generator.pick(8) {
            0 => {
                self.solver.push();
                self.scopes.push(Vec::new());
            }
            1 if self.scopes.len() > 1 => {
                self.solver.pop();
                self.scopes.pop();
            }
            2 | 3 => self.assert(),
            _ => self.query(),
        }
    }

    fn assert(&mut self) {
        let condition = self.generator.condition();
        let truth = self.generator.truth(condition);
        let name = match self.generator.pick(2) {
            0 => {
                self.solver.assert(&mut self.generator.store, condition);
                None
            }
            _ => Some(self.solver.assert_named(&mut self.generator.store, condition)),
        };
        self.scopes.last_mut().unwrap().push((name, truth));
    }

    fn query(&mut self) {
        self.queries += 1;
        let count = self.generator.pick(3);
        let assumptions: Vec<Term> = (0..count).map(|_| self.generator.condition()).collect();
        let truths: Vec<Vec<bool>> =
            assumptions.iter().map(|&term| self.generator.truth(term)).collect();
        let asserted: Vec<&Vec<bool>> = self.scopes.iter().flatten().map(|(_, t)| t).collect();
        let all: Vec<&Vec<bool>> = asserted.iter().copied().chain(&truths).collect();
        let expected = meet(&all, self.generator.assignments());
        let answer = self.solver.check_assuming(&mut self.generator.store, &assumptions);
        match answer {
            Answer::Sat => {
                assert!(expected, "an assignment was found where none is");
                check_values(&self.generator, &mut self.solver, &all);
            }
            Answer::Unsat => {
                assert!(!expected, "an assignment was missed");
                self.check_core(&assumptions, &truths);
            }
            Answer::Unknown(why) => panic!("small queries are answered: {why}"),
        }
    }

    /// The core cannot be satisfied, and the minimal one becomes satisfiable without any part.
    fn check_core(&mut self, assumptions: &[Term], truths: &[Vec<bool>]) {
        let minimal = self.generator.pick(2) == 0;
        let core = match minimal {
            false => self.solver.core().cloned(),
            true => self.solver.minimal_core(&mut self.generator.store),
        };
        let core = core.expect("an unsatisfiable query has a core");
        let always: Vec<&Vec<bool>> =
            self.scopes.iter().flatten().filter(|(name, _)| name.is_none()).map(|p| &p.1).collect();
        let named = self.scopes.iter().flatten();
        let named = named.filter(|(name, _)| name.is_some_and(|n| core.names.contains(&n)));
        let mut parts: Vec<&Vec<bool>> = named.map(|(_, truth)| truth).collect();
        for term in &core.assumptions {
            let at = assumptions.iter().position(|a| a == term).expect("an assumption");
            parts.push(&truths[at]);
        }
        let assignments = self.generator.assignments();
        let with = |parts: &[&Vec<bool>]| meet(&[&always[..], parts].concat(), assignments);
        assert!(!with(&parts), "the core cannot hold");
        if minimal {
            for left_out in 0..parts.len() {
                let mut fewer = parts.clone();
                fewer.remove(left_out);
                assert!(with(&fewer), "the minimal core needs all its parts");
            }
        }
    }
}

/// The values given back are an assignment that satisfies everything.
fn check_values(generator: &Generator, solver: &mut Solver, all: &[&Vec<bool>]) {
    let value = |&v: &Term| solver.value(&generator.store, v).expect("a model");
    let values: Vec<_> = generator.variables.iter().map(value).collect();
    let number = (0..generator.assignments())
        .find(|&number| generator.assignment(number) == values)
        .expect("values of the sorts of their variables");
    assert!(all.iter().all(|truth| truth[number as usize]), "the values satisfy the query");
}

/// The number of queries.
pub fn run(seeds: std::ops::Range<u64>, sorts: &[Sort], kinds: Kinds) -> usize {
    let one = |seed| {
        let mut session = Session::new(seed, sorts);
        for _ in 0..14 {
            session.act(kinds);
        }
        session.queries
    };
    seeds.map(one).sum()
}

#[test]
fn words_agree_with_brute_force() {
    let kinds = Kinds { arrays: false, floats: false };
    run(0..100, &[Sort::Bv(3), Sort::Bv(3), Sort::BOOL], kinds);
}

#[test]
fn arrays_agree_with_brute_force() {
    let kinds = Kinds { arrays: true, floats: false };
    run(0..120, &[Sort::Bv(2), Sort::BOOL, SMALL_ARRAY], kinds);
    run(1000..1080, &[Sort::Bv(2), ARRAY, ARRAY], kinds);
}

#[test]
fn floats_agree_with_brute_force() {
    let kinds = Kinds { arrays: false, floats: true };
    run(0..20, &[Sort::Bv(8), Sort::BOOL], kinds);
}
