//! From formulas about integers, as solvers print them, to terms.
//!
//! Every number becomes a word that is wide enough for it, so that a term means the same as words and
//! as integers: a sum has a bit more than its operands, a product has the bits of both. What has no
//! such term (words of more than [`WIDEST`] bits, quotients by what is not a positive constant) is
//! not understood.

use super::reading::WIDEST;
use crate::external::Sexp;
use rustc_hash::FxHashMap;
use wedge_logic::{BitVec, Operator, Sort, Term, TermStore};

/// Solvers that nest deeper are not understood.
const DEEPEST: usize = 2000;

/// Reads formulas over symbols that stand for terms.
pub struct BackReader<'a> {
    pub store: &'a mut TermStore,
    pub symbols: FxHashMap<String, Term>,
}

impl BackReader<'_> {
    /// The formula as a term; none if it is not understood.
    pub fn formula(&mut self, sexp: &Sexp) -> Option<Term> {
        let term = self.term(sexp, 0)?;
        (self.store.sort(term) == Sort::BOOL).then_some(term)
    }

    fn term(&mut self, sexp: &Sexp, depth: usize) -> Option<Term> {
        if depth > DEEPEST {
            return None;
        }
        let list = match sexp {
            Sexp::Atom(atom) => return self.atom(atom),
            Sexp::Text(_) => return None,
            Sexp::List(list) => list,
        };
        match list.as_slice() {
            [head, Sexp::List(bindings), body] if head.atom() == Some("let") => {
                self.bound(bindings, body, depth)
            }
            // An annotation says nothing about the formula.
            [head, body, ..] if head.atom() == Some("!") => self.term(body, depth + 1),
            [head, operands @ ..] => {
                let terms = operands.iter().map(|operand| self.term(operand, depth + 1));
                let terms: Vec<Term> = terms.collect::<Option<_>>()?;
                self.apply(head.atom()?, &terms)
            }
            [] => None,
        }
    }

    fn atom(&mut self, atom: &str) -> Option<Term> {
        match atom {
            "true" => return Some(self.store.bool(true)),
            "false" => return Some(self.store.bool(false)),
            _ => {}
        }
        if let Some(&term) = self.symbols.get(atom.trim_matches('|')) {
            return Some(term);
        }
        let value: u128 = atom.parse().ok()?;
        let width = (129 - value.leading_zeros()).max(2);
        let value = BitVec::parse(width, atom, 10).ok().filter(|_| width <= WIDEST)?;
        Some(self.store.constant(value))
    }

    /// `(let (bindings) body)`: the bindings do not see one another.
    fn bound(&mut self, bindings: &[Sexp], body: &Sexp, depth: usize) -> Option<Term> {
        let mut values = Vec::new();
        for binding in bindings {
            let Some([Sexp::Atom(name), value]) = binding.list() else { return None };
            values.push((name.trim_matches('|').to_string(), self.term(value, depth + 1)?));
        }
        let before = self.symbols.clone();
        self.symbols.extend(values);
        let result = self.term(body, depth + 1);
        self.symbols = before;
        result
    }

    fn width(&self, term: Term) -> Option<u32> {
        match self.store.sort(term) {
            Sort::Bv(width @ 2..) => Some(width),
            Sort::Bv(_) | Sort::Array { .. } => None,
        }
    }

    /// The numbers as words of one width: that of the widest and `more` bits.
    fn level(&mut self, terms: &[Term], more: u32) -> Option<Vec<Term>> {
        let widths: Vec<u32> = terms.iter().map(|&term| self.width(term)).collect::<Option<_>>()?;
        let width = widths.iter().max()? + more;
        if width > WIDEST {
            return None;
        }
        let pairs = terms.iter().zip(widths);
        Some(pairs.map(|(&term, narrow)| self.store.sext(term, width - narrow)).collect())
    }

    fn apply(&mut self, name: &str, args: &[Term]) -> Option<Term> {
        let are_bits = args.iter().all(|&term| self.store.sort(term) == Sort::BOOL);
        match (name, args) {
            ("not", &[a]) if are_bits => Some(self.store.not(a)),
            ("and", _) if are_bits => Some(self.store.and_all(args)),
            ("or", _) if are_bits => Some(self.store.or_all(args)),
            ("xor", &[a, b]) if are_bits => Some(self.store.xor(a, b)),
            ("=>", [before @ .., last]) if are_bits => {
                let before = self.store.and_all(before);
                let not = self.store.not(before);
                Some(self.store.or(not, *last))
            }
            ("ite", &[condition, yes, no]) => {
                let both = match self.width(yes) {
                    Some(_) => self.level(&[yes, no], 0)?,
                    None => vec![yes, no],
                };
                self.store.apply(Operator::Ite, &[condition, both[0], both[1]]).ok()
            }
            ("=", &[a, b]) if self.width(a).is_none() => {
                self.store.apply(Operator::Eq, &[a, b]).ok()
            }
            ("=" | "<" | "<=" | ">" | ">=" | "distinct", &[_, _]) => self.compared(name, args),
            ("-", &[_]) => {
                let word = self.level(args, 1)?[0];
                Some(self.store.neg(word))
            }
            ("+" | "-", [first, rest @ ..]) => rest.iter().try_fold(*first, |sum, &next| {
                let both = self.level(&[sum, next], 1)?;
                Some(match name {
                    "+" => self.store.add(both[0], both[1]),
                    _ => self.store.sub(both[0], both[1]),
                })
            }),
            ("*", [first, rest @ ..]) => rest.iter().try_fold(*first, |product, &next| {
                let widths = [self.width(product)?, self.width(next)?];
                let more = widths[0].min(widths[1]);
                let both = self.level(&[product, next], more)?;
                Some(self.store.mul(both[0], both[1]))
            }),
            ("mod" | "div", &[word, by]) => self.divided(name, word, by),
            ("select", &[array, at]) => {
                let Sort::Array { index, element: 2.. } = self.store.sort(array) else {
                    return None;
                };
                let at = match self.width(at)? {
                    width if width <= index => self.store.sext(at, index - width),
                    _ => self.store.slice(at, index - 1, 0),
                };
                Some(self.store.read(array, at))
            }
            _ => None,
        }
    }

    fn compared(&mut self, name: &str, args: &[Term]) -> Option<Term> {
        let both = self.level(args, 0)?;
        let (a, b) = (both[0], both[1]);
        Some(match name {
            "=" => self.store.eq(a, b),
            "<" => self.store.slt(a, b),
            "<=" => self.store.sle(a, b),
            ">" => self.store.slt(b, a),
            ">=" => self.store.sle(b, a),
            _ => {
                let equal = self.store.eq(a, b);
                self.store.not(equal)
            }
        })
    }

    /// Remainder and quotient by a positive constant; the remainder is never negative.
    fn divided(&mut self, name: &str, word: Term, by: Term) -> Option<Term> {
        let divisor = self.store.value(by)?;
        if divisor.is_zero() || divisor.is_negative() {
            return None;
        }
        let both = self.level(&[word, by], 1)?;
        let remainder = self.store.apply(Operator::Smod, &both).ok()?;
        if name == "mod" {
            return Some(remainder);
        }
        let multiple = self.store.sub(both[0], remainder);
        self.store.apply(Operator::Sdiv, &[multiple, both[1]]).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wedge_logic::{Evaluator, Value};

    /// The value of a formula where x, of eight bits, is this number.
    fn holds(text: &str, x: i64) -> Option<bool> {
        let mut store = TermStore::new();
        let variable = store.var("x", Sort::Bv(8));
        let bit = store.var("c", Sort::BOOL);
        let symbols = FxHashMap::from_iter([("x".into(), variable), ("c".into(), bit)]);
        let sexp = Sexp::parse(text).expect(text);
        let term = BackReader { store: &mut store, symbols }.formula(&sexp)?;
        let mut evaluator = Evaluator::new(&store);
        evaluator.assign(variable, Value::Bv(BitVec::new(8, x as u64 & 0xff)));
        evaluator.assign(bit, Value::Bv(true.into()));
        evaluator.eval(term).ok().map(|value| value.bv().is_one())
    }

    #[test]
    fn words_are_wide_enough_for_numbers() {
        for x in -128..128_i64 {
            for (text, expected) in [
                ("(< (* 3 x) (+ x 200))", 3 * x < x + 200),
                ("(= (mod x 7) 3)", x.rem_euclid(7) == 3),
                ("(<= (div x 5) (- 4))", x.div_euclid(5) <= -4),
                ("(> (- x) 127)", -x > 127),
                ("(let ((y (+ x x)) (x 1)) (>= (- y x) 20))", 2 * x > 20),
                ("(=> (not (= x 100)) (distinct x 100))", true),
                ("(= (ite (and c (or (< x 0) false)) (- x) x) (* x (- 1)))", x <= 0),
                ("(< (* x x) 16129)", x * x < 16129),
            ] {
                assert_eq!(holds(text, x), Some(expected), "{text} with {x}");
            }
        }
    }

    #[test]
    fn what_is_not_understood() {
        for text in
            ["x", "(= y 1)", "(= (mod x 0) 1)", "(= (div x x) 1)", "(foo x)", "()", "(= c x)"]
        {
            assert_eq!(holds(text, 1), None, "{text}");
        }
    }
}
