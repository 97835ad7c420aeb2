//! Shared by the tests of the rules: terms written as S-expressions, and the check that a rule
//! gives the expected result, which equals its redex under random assignments.
//!
//! `x y z` are variables of width 8, `u v` of width 4, `p q r` of width 1, `a b` arrays with
//! 3-bit indices and 8-bit elements, `i j` indices; `5` is a constant of width 8, `5:3` one of
//! width 3.

use crate::eval::Evaluator;
use crate::term::{Op, Sort, Term, TermStore};
use crate::value::Value;
use crate::{ArrayValue, BitVec};

pub struct Bench {
    pub store: TermStore,
    vars: Vec<(&'static str, Term)>,
}

impl Bench {
    pub fn new() -> Bench {
        let mut store = TermStore::new();
        let mut vars = Vec::new();
        let sorts = [
            ("xyz", Sort::Bv(8)),
            ("uv", Sort::Bv(4)),
            ("pqr", Sort::BOOL),
            ("ij", Sort::Bv(3)),
            ("ab", Sort::Array { index: 3, element: 8 }),
        ];
        for (names, sort) in sorts {
            for at in 0..names.len() {
                let name = &names[at..at + 1];
                vars.push((name, store.var(name, sort)));
            }
        }
        Bench { store, vars }
    }

    /// The terms written in `text`, one after the other.
    pub fn parse(&mut self, text: &str) -> Vec<Term> {
        let spaced = text.replace('(', " ( ").replace(')', " ) ");
        let mut tokens = spaced.split_whitespace();
        let mut terms = Vec::new();
        while let Some(token) = tokens.next() {
            terms.push(self.term(token, &mut tokens));
        }
        terms
    }

    fn term<'t>(&mut self, token: &str, rest: &mut impl Iterator<Item = &'t str>) -> Term {
        if token != "(" {
            return self.atom(token);
        }
        let head = rest.next().expect("an operator");
        let mut args = Vec::new();
        loop {
            match rest.next().expect("a closing parenthesis") {
                ")" => return self.build(head, &args),
                token => args.push(self.term(token, rest)),
            }
        }
    }

    fn atom(&mut self, token: &str) -> Term {
        if let Some((_, var)) = self.vars.iter().find(|(name, _)| *name == token) {
            return *var;
        }
        let (value, width) = token.split_once(':').unwrap_or((token, "8"));
        self.store.number(width.parse().expect("a width"), value.parse().expect("a number"))
    }

    fn build(&mut self, head: &str, args: &[Term]) -> Term {
        let mut parts = head.split('.');
        let op = parts.next().unwrap_or_default();
        let numbers: Vec<u32> = parts.map(|n| n.parse().expect("a number")).collect();
        let s = &mut self.store;
        match (op, args, &numbers[..]) {
            ("not", &[a], _) => s.not(a),
            ("neg", &[a], _) => s.neg(a),
            ("slice", &[a], &[high, low]) => s.slice(a, high, low),
            ("sext", &[a], &[by]) => s.sext(a, by),
            ("zext", &[a], &[by]) => s.zext(a, by),
            ("constarray", &[a], _) => s.const_array(3, a),
            ("and", &[a, b], _) => s.and(a, b),
            ("or", &[a, b], _) => s.or(a, b),
            ("xor", &[a, b], _) => s.xor(a, b),
            ("eq", &[a, b], _) => s.eq(a, b),
            ("ult", &[a, b], _) => s.ult(a, b),
            ("slt", &[a, b], _) => s.slt(a, b),
            ("add", &[a, b], _) => s.add(a, b),
            ("mul", &[a, b], _) => s.mul(a, b),
            ("concat", &[a, b], _) => s.concat(a, b),
            ("read", &[a, b], _) => s.read(a, b),
            ("ite", &[a, b, c], _) => s.ite(a, b, c),
            ("write", &[a, b, c], _) => s.write(a, b, c),
            _ => panic!("no such term: {head} with {} operands", args.len()),
        }
    }

    /// Asserts that both terms have the same value under many assignments.
    fn assert_equal(&self, left: Term, right: Term) {
        let mut seed = 0x9e3779b97f4a7c15u64;
        for _ in 0..500 {
            let mut evaluator = Evaluator::new(&self.store);
            for &(_, var) in &self.vars {
                evaluator.assign(var, random(self.store.sort(var), &mut seed));
            }
            let left = evaluator.eval(left).expect("all variables have values").clone();
            assert_eq!(&left, evaluator.eval(right).expect("all variables have values"));
        }
    }
}

fn random(sort: Sort, seed: &mut u64) -> Value {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    let bits = *seed >> 24;
    match sort {
        Sort::Bv(width) => Value::Bv(BitVec::new(width, bits)),
        Sort::Array { index, element } => {
            let array = ArrayValue::constant(index, BitVec::new(element, bits >> 16));
            Value::Array(array.write(&BitVec::new(index, bits), &BitVec::new(element, bits >> 8)))
        }
    }
}

/// Checks that `rule` turns `op` on the operands into `result`, and that both are equal; with
/// `None`, that the rule declines.
pub fn check(
    rule: impl FnOnce(&mut TermStore, &[Term]) -> Option<Term>,
    op: Op,
    operands: &str,
    result: Option<&str>,
) {
    let mut bench = Bench::new();
    let args = bench.parse(operands);
    let expected = result.map(|text| bench.parse(text)[0]);
    let sort = bench.store.kernel_sort(op, &args).expect("a well-sorted redex");
    let redex = bench.store.intern(op, &args, sort);
    assert_eq!(rule(&mut bench.store, &args), expected, "{op:?} on {operands}");
    if let Some(expected) = expected {
        bench.assert_equal(redex, expected);
    }
    bench.store.check();
}

pub fn unary(rule: super::Unary, op: Op, operands: &str, result: Option<&str>) {
    check(|store, args| rule(store, args[0]), op, operands, result);
}

pub fn binary(rule: super::Binary, op: Op, operands: &str, result: Option<&str>) {
    check(|store, args| rule(store, args[0], args[1]), op, operands, result);
}

pub fn ternary(rule: super::Ternary, op: Op, operands: &str, result: Option<&str>) {
    check(|store, args| rule(store, args[0], args[1], args[2]), op, operands, result);
}
