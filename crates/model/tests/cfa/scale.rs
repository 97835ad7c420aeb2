//! Programs as long as real ones: nothing may overflow the stack or grow faster than its input.

use crate::small::Builder;
use wedge_logic::{Sort, Term};
use wedge_model::Cfa;
use wedge_model::cfa::run::{Oracle, follow};
use wedge_model::cfa::{BlockOptions, EdgeId, LocationId, SingleLoop, reduce, single_loop};

/// Reduces and transforms; the terms made must be at most `per_edge` for each edge.
fn transform(cfa: &Cfa, per_edge: usize) -> SingleLoop {
    let reduced = reduce(cfa).cfa;
    let single = single_loop(&reduced, &BlockOptions::default()).expect("within the budget");
    let made = single.system.terms.len() - cfa.terms.len();
    assert!(made <= per_edge * cfa.edges.len(), "{made} terms");
    single
}

/// A loop with `n` locations; one edge `step` from each to the next.
fn looped(n: u32, mut step: impl FnMut(&mut Builder, Term, u32)) -> Cfa {
    let mut b = Builder::new(n as usize + 2);
    let x = b.cfa.add_variable("x", Sort::Bv(32));
    let zero = b.cfa.terms.zero(32);
    b.goto(0, 1, &[(x, zero)]);
    for at in 1..n {
        step(&mut b, x, at);
    }
    let limit = b.cfa.terms.number(32, 77);
    let wrong = b.cfa.terms.eq(x, limit);
    b.branch(n, wrong, n + 1, 1);
    b.error(n + 1);
    b.cfa
}

#[test]
fn a_long_chain() {
    let cfa = looped(100_000, |b, x, at| {
        let more = b.cfa.terms.inc(x);
        b.goto(at, at + 1, &[(x, more)]);
    });
    let single = transform(&cfa, 4);
    assert_eq!(single.cuts.len(), 2);
    let run = follow(&cfa, &mut Zeros { cfa: &cfa }, 300_000);
    assert!(run.is_err(), "the program does not end soon");
}

struct Zeros<'a> {
    cfa: &'a Cfa,
}

impl Oracle for Zeros<'_> {
    fn initial(&mut self, variable: Term) -> wedge_logic::Value {
        wedge_logic::Value::zero(self.cfa.terms.sort(variable))
    }
    fn input(&mut self, input: Term) -> wedge_logic::Value {
        wedge_logic::Value::zero(self.cfa.terms.sort(input))
    }
    fn taken(&mut self, _: EdgeId, _: &[Term]) {}
    fn reached(&mut self, _: LocationId) -> bool {
        true
    }
}

#[test]
fn many_diamonds() {
    let cfa = looped(10_000, |b, x, at| {
        let input = b.cfa.add_input(format!("i{at}"), Sort::BOOL);
        let more = b.cfa.terms.inc(x);
        let not = b.cfa.terms.not(input);
        b.edge(at, at + 1, input, &[(x, more)]);
        b.edge(at, at + 1, not, &[]);
    });
    transform(&cfa, 8);
}

/// Each diamond has a variable of its own; the others must not be touched there.
#[test]
fn many_diamonds_and_variables() {
    let n = 4000;
    let mut b = Builder::new(n + 3);
    let end = n as u32;
    let vars: Vec<Term> =
        (0..n).map(|i| b.cfa.add_variable(format!("x{i}"), Sort::Bv(8))).collect();
    let zero = b.cfa.terms.zero(8);
    let updates: Vec<(Term, Term)> = vars.iter().map(|&v| (v, zero)).collect();
    b.goto(0, 1, &updates);
    let mut sum = zero;
    for at in 1..end {
        let v = vars[at as usize];
        let input = b.cfa.add_input(format!("i{at}"), Sort::BOOL);
        let (more, not) = (b.cfa.terms.inc(v), b.cfa.terms.not(input));
        b.edge(at, at + 1, input, &[(v, more)]);
        b.edge(at, at + 1, not, &[]);
        sum = b.cfa.terms.xor(sum, v);
    }
    let wrong = b.cfa.terms.eq(sum, vars[0]);
    b.branch(end, wrong, end + 1, 1);
    b.error(end + 1);
    transform(&b.cfa, 20);
}

/// Every location may leave to one common place, as error handling by `goto` does.
#[test]
fn many_early_exits() {
    let n = 20_000;
    let cfa = looped(n, |b, x, at| {
        let input = b.cfa.add_input(format!("i{at}"), Sort::BOOL);
        let more = b.cfa.terms.inc(x);
        let not = b.cfa.terms.not(input);
        b.edge(at, at + 1, input, &[(x, more)]);
        if at + 1 < n {
            b.edge(at, n, not, &[]);
        }
    });
    transform(&cfa, 12);
}
