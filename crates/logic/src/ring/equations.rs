//! Equations that hold make other terms simpler.

use super::polynomial::Polynomial;
use crate::term::{Op, Sort, Substitution, Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

/// Larger formulas are left alone, and so many variables at most are replaced.
const MAX_TERMS: usize = 20_000;
const MAX_SOLVED: usize = 64;
/// Longer sums stay as they are.
const MAX_SUMMANDS: usize = 10;

/// Conjuncts that can hold together exactly if the given ones can. An equation that can be solved for a
/// variable replaces the variable everywhere and is gone; equations of polynomials are compared as
/// such. The constant false is left alone in the list if the equations contradict each other.
pub fn simplify(store: &mut TermStore, conjuncts: &[Term]) -> Vec<Term> {
    let mut parts = flat(store, conjuncts);
    if store.size(&parts) > MAX_TERMS {
        return parts;
    }
    let mut narrow = Narrow::default();
    parts = parts.iter().map(|&part| narrow.of(store, part)).collect();
    for _ in 0..MAX_SOLVED {
        parts.extend(solved_order(store, &parts));
        let Some((place, variable, value)) = solvable(store, &parts) else { break };
        parts.remove(place);
        let mut substitution = Substitution::new([(variable, value)]);
        let replaced: Vec<Term> =
            parts.iter().map(|&part| substitution.apply(store, part)).collect();
        parts = flat(store, &replaced);
    }
    let mut normal = Normal::default();
    let parts: Vec<Term> = parts.iter().map(|&part| normal.of(store, part)).collect();
    flat(store, &parts)
}

/// The conjuncts of all, each once; the constant false only, if it is one or if two contradict each other.
fn flat(store: &mut TermStore, conjuncts: &[Term]) -> Vec<Term> {
    let mut parts: Vec<Term> = Vec::new();
    let mut seen = FxHashSet::default();
    for &conjunct in conjuncts {
        for part in store.conjuncts(conjunct) {
            match store.value(part).map(|value| value.is_zero()) {
                Some(true) => return vec![part],
                Some(false) => {}
                None if seen.insert(part) => {
                    if seen.contains(&store.not(part)) {
                        return vec![store.bool(false)];
                    }
                    parts.push(part);
                }
                None => {}
            }
        }
    }
    parts
}

/// A conjunct that says what a variable is: its place, the variable, and what it is.
fn solvable(store: &mut TermStore, parts: &[Term]) -> Option<(usize, Term, Term)> {
    for (place, &part) in parts.iter().enumerate() {
        let Some(difference) = difference(store, part) else { continue };
        let atoms = difference.atoms();
        for &atom in atoms.iter().rev().filter(|&&atom| store.is_var(atom)) {
            let Some(value) = difference.solved_for(atom) else { continue };
            let others: Vec<Term> = atoms.iter().copied().filter(|&a| a != atom).collect();
            if !store.free_vars(&others).contains(&atom) {
                return Some((place, atom, value.term(store)));
            }
        }
    }
    None
}

/// What is 0 where an equation holds.
fn difference(store: &TermStore, equation: Term) -> Option<Polynomial> {
    if store.op(equation) != Op::Eq {
        return None;
    }
    let &[left, right] = store.args(equation) else { return None };
    let Sort::Bv(2..) = store.sort(left) else { return None };
    Polynomial::of(store, left)?.minus(&Polynomial::of(store, right)?)
}

/// Equations that follow from orders among the conjuncts and are not among them yet:
///
/// ```text
/// a ≤ b, b ≤ a        a = b
/// a < b, b ≤ a + 1    b = a + 1
/// ```
pub fn solved_order(store: &mut TermStore, parts: &[Term]) -> Vec<Term> {
    let (mut strict, mut weak) = (Vec::new(), Vec::new());
    for &part in parts {
        match store.op(part) {
            op @ (Op::Ult | Op::Slt) => {
                strict.push((op, store.args(part)[0], store.args(part)[1]));
            }
            Op::Not => {
                let inner = store.args(part)[0];
                if let op @ (Op::Ult | Op::Slt) = store.op(inner) {
                    weak.push((op, store.args(inner)[1], store.args(inner)[0]));
                }
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    for &(op, a, b) in &weak {
        if a < b && weak.contains(&(op, b, a)) {
            found.push(store.eq(a, b));
        }
    }
    for &(op, a, b) in &strict {
        for &(_, _, c) in weak.iter().filter(|&&(other, from, _)| other == op && from == b) {
            let next = Polynomial::of(store, a).map(|a| a.plus_constant(1));
            if next.is_some() && next == Polynomial::of(store, c) {
                found.push(store.eq(b, c));
            }
        }
    }
    found.retain(|equation| !parts.contains(equation));
    found
}

/// Equations of polynomials of degree 2 and more in one form, those that always or never hold, and sums of
/// words in one form.
#[derive(Default)]
struct Normal {
    known: FxHashMap<Term, Term>,
}

impl Normal {
    fn of(&mut self, store: &mut TermStore, term: Term) -> Term {
        for part in store.cone_without(&[term], |part| self.known.contains_key(&part)) {
            let args: Vec<Term> = store.args(part).iter().map(|arg| self.known[arg]).collect();
            let rebuilt = match args == store.args(part) {
                true => part,
                false => store.rebuild(store.op(part), &args),
            };
            let normal = equation(store, rebuilt).or_else(|| sum(store, rebuilt));
            self.known.insert(part, normal.unwrap_or(rebuilt));
        }
        self.known[&term]
    }
}

fn equation(store: &mut TermStore, term: Term) -> Option<Term> {
    let difference = difference(store, term)?;
    if let Some(value) = difference.value() {
        return Some(store.bool(value == 0));
    }
    if difference.degree() < 2 {
        return None;
    }
    let (left, zero) = (difference.normed().term(store), store.zero(difference.width()));
    Some(store.eq(left, zero))
}

/// A sum of a few words in the form that all sums that are the same have: what is divided, say, is then the same term.
fn sum(store: &mut TermStore, term: Term) -> Option<Term> {
    let (Op::Add | Op::Neg) = store.op(term) else { return None };
    let polynomial = Polynomial::of(store, term)?;
    let is_simple = polynomial.degree() == 1 && polynomial.monomials().count() <= MAX_SUMMANDS;
    is_simple.then(|| polynomial.term(store))
}

/// The lower bits of sums and products are sums and products of lower bits.
#[derive(Default)]
struct Narrow {
    known: FxHashMap<Term, Term>,
    cut: FxHashMap<(Term, u32), Term>,
}

impl Narrow {
    fn of(&mut self, store: &mut TermStore, term: Term) -> Term {
        for part in store.cone_without(&[term], |part| self.known.contains_key(&part)) {
            let args: Vec<Term> = store.args(part).iter().map(|arg| self.known[arg]).collect();
            let narrow = match store.op(part) {
                Op::Slice { high, low: 0 } => self.lower(store, args[0], high),
                _ if args == store.args(part) => part,
                op => store.rebuild(op, &args),
            };
            self.known.insert(part, narrow);
        }
        self.known[&term]
    }

    fn lower(&mut self, store: &mut TermStore, term: Term, high: u32) -> Term {
        if let Some(&known) = self.cut.get(&(term, high)) {
            return known;
        }
        let args = store.args(term).to_vec();
        let lower = match store.op(term) {
            op @ (Op::Add | Op::Mul | Op::Neg) => {
                let args: Vec<Term> =
                    args.iter().map(|&arg| self.lower(store, arg, high)).collect();
                store.rebuild(op, &args)
            }
            Op::Ite => {
                let (a, b) = (self.lower(store, args[1], high), self.lower(store, args[2], high));
                store.ite(args[0], a, b)
            }
            _ => store.slice(term, high, 0),
        };
        self.cut.insert((term, high), lower);
        lower
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Words {
        store: TermStore,
    }

    impl Words {
        fn new() -> Words {
            Words { store: TermStore::new() }
        }

        fn var(&mut self, name: &str) -> Term {
            self.store.var(name, Sort::Bv(32))
        }

        fn is_refuted(&mut self, conjuncts: &[Term]) -> bool {
            let left = simplify(&mut self.store, conjuncts);
            matches!(left[..], [one] if self.store.value(one).is_some_and(|v| v.is_zero()))
        }
    }

    #[test]
    fn a_step_of_a_sum_keeps_its_closed_form() {
        let mut words = Words::new();
        let (s, i) = (words.var("s"), words.var("i"));
        let store = &mut words.store;
        // 2 s = i (i - 1), and after the step 2 (s + i) = (i + 1) i
        let closed = |store: &mut TermStore, s: Term, i: Term| {
            let (two, before) = (store.number(32, 2), store.dec(i));
            let (left, right) = (store.mul(two, s), store.mul(i, before));
            store.eq(left, right)
        };
        let before = closed(store, s, i);
        let (sum, next) = (store.add(s, i), store.inc(i));
        let after = closed(store, sum, next);
        let wrong = store.not(after);
        assert!(words.is_refuted(&[before, wrong]));
        assert!(!words.is_refuted(&[wrong]));
    }

    #[test]
    fn orders_give_equations() {
        let mut words = Words::new();
        let (i, n, s, x) = (words.var("i"), words.var("n"), words.var("s"), words.var("x"));
        let store = &mut words.store;
        let (product, wanted) = (store.mul(i, s), store.mul(n, s));
        let (known, goal) = (store.eq(x, product), store.eq(x, wanted));
        let (at_most, at_least) = (store.ule(i, n), store.uge(i, n));
        let wrong = store.not(goal);
        assert!(words.is_refuted(&[known, at_most, at_least, wrong]));
        assert!(!words.is_refuted(&[known, at_most, wrong]));
        let store = &mut words.store;
        let (beyond, next) = (store.slt(n, i), store.inc(n));
        let close = store.sle(i, next);
        let other = store.neq(i, next);
        assert!(words.is_refuted(&[beyond, close, other]));
    }

    /// Conjunctions over three small words, by trying all values before and after.
    #[test]
    fn random_conjunctions_stay_possible_or_not() {
        let mut seed = 1u64;
        let mut below = |bound: usize| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) as usize % bound
        };
        let (mut possible, mut refuted) = (0, 0);
        for _ in 0..400 {
            let mut store = TermStore::new();
            let vars: Vec<Term> = ["x", "y", "z"].map(|name| store.var(name, Sort::Bv(3))).into();
            let mut pool = vars.clone();
            for _ in 0..6 {
                let (a, b) = (pool[below(pool.len())], pool[below(pool.len())]);
                let number = store.number(3, below(8) as u64);
                pool.push(match below(6) {
                    0 => store.add(a, b),
                    1 => store.mul(a, b),
                    2 => store.sub(a, b),
                    3 => store.add(a, number),
                    4 => store.mul(a, number),
                    _ => store.not(a),
                });
            }
            let mut conjuncts = Vec::new();
            for _ in 0..1 + below(5) {
                let (a, b) = (pool[below(pool.len())], pool[below(pool.len())]);
                let formula = match below(7) {
                    0 | 1 => store.eq(a, b),
                    2 => store.neq(a, b),
                    3 => store.ult(a, b),
                    4 => store.ule(a, b),
                    5 => store.slt(a, b),
                    _ => store.sle(a, b),
                };
                conjuncts.push(formula);
            }
            let is_possible = |store: &TermStore, all: &[Term]| {
                (0..512u64).any(|bits| {
                    let mut evaluator = crate::Evaluator::new(store);
                    for (place, &var) in vars.iter().enumerate() {
                        let value = crate::BitVec::new(3, bits >> (3 * place) & 7);
                        evaluator.assign(var, crate::Value::Bv(value));
                    }
                    all.iter().all(|&part| evaluator.holds(part).expect("variables have values"))
                })
            };
            let wanted = is_possible(&store, &conjuncts);
            let simple = simplify(&mut store, &conjuncts);
            assert_eq!(is_possible(&store, &simple), wanted);
            possible += usize::from(wanted);
            refuted += usize::from(!wanted);
        }
        assert!(possible > 50 && refuted > 50, "{possible} possible, {refuted} not");
    }

    #[test]
    fn lower_bits_of_sums_and_what_is_divided_are_compared() {
        let mut words = Words::new();
        let [s, x, y, z] = ["s", "x", "y", "z"].map(|name| words.var(name));
        let store = &mut words.store;
        let (xy, zx) = (store.add(x, y), store.sub(z, x));
        let left = store.add(xy, zx);
        let right = store.add(z, y);
        let (left_low, right_low) = (store.slice(left, 3, 0), store.slice(right, 3, 0));
        let divisor = store.number(32, 5);
        let (left_part, right_part) = (store.udiv(left, divisor), store.udiv(right, divisor));
        for (a, b) in [(left_low, right_low), (left_part, right_part)] {
            let differs = words.store.neq(a, b);
            assert!(words.is_refuted(&[differs]));
        }
        let other = words.store.add(right, s);
        let other_low = words.store.slice(other, 3, 0);
        let differs = words.store.neq(left_low, other_low);
        assert!(!words.is_refuted(&[differs]));
    }

    #[test]
    fn factors_that_lose_bits_are_not_divided_by() {
        let mut words = Words::new();
        let (x, y) = (words.var("x"), words.var("y"));
        let store = &mut words.store;
        let two = store.number(32, 2);
        let (left, right) = (store.mul(two, x), store.mul(two, y));
        let (doubled, differ) = (store.eq(left, right), store.neq(x, y));
        assert!(!words.is_refuted(&[doubled, differ]));
    }
}
