//! Destructive equality resolution: ∃x. x = t ∧ φ is φ[x ↦ t] if t does not read x.
//!
//! An equality is solved for x through operators that can be inverted:
//!
//! | f(x) = t | x | and |
//! | --- | --- | --- |
//! | ¬x = t, −x = t | ¬t, −t | |
//! | x + a = t, x ⊕ a = t | t − a, t ⊕ a | |
//! | x · c = t, c odd | t · c⁻¹ | |
//! | concat(x, a) = t | the upper part of t | a is the lower part of t |
//! | sext(x) = t | the lower part of t | t is its sign extension |
//! | x[h:l] = t | concat(new, t, new) | |
//! | write(x, i, v) = t | write(t, i, new) | t[i] = v |

use super::Work;
use rustc_hash::FxHashSet;
use wedge_logic::{BitVec, Op, Sort, Term, TermStore};

/// The value of a variable, under conditions, with new variables that are quantified as well.
struct Solution {
    variable: Term,
    value: Term,
    conditions: Vec<Term>,
    fresh: Vec<Term>,
}

/// Resolves one equality. Returns whether there was one.
pub(super) fn resolve(store: &mut TermStore, work: &mut Work) -> bool {
    let yes = store.bool(true);
    for place in 0..work.conjuncts.len() {
        let conjunct = work.conjuncts[place];
        let Some(solution) = solve_conjunct(store, &work.variables, conjunct, yes) else {
            continue;
        };
        work.conjuncts.remove(place);
        work.conjuncts.extend(solution.conditions);
        work.replace(store, solution.variable, solution.value);
        work.variables.extend(solution.fresh);
        return true;
    }
    false
}

/// Solves `conjunct = true` for one of the variables.
fn solve_conjunct(
    store: &mut TermStore,
    variables: &FxHashSet<Term>,
    conjunct: Term,
    yes: Term,
) -> Option<Solution> {
    let read: Vec<Term> =
        store.free_vars(&[conjunct]).into_iter().filter(|v| variables.contains(v)).collect();
    let mut best: Option<Solution> = None;
    for variable in read {
        let sides = match store.op(conjunct) {
            Op::Eq => vec![
                (store.args(conjunct)[0], store.args(conjunct)[1]),
                (store.args(conjunct)[1], store.args(conjunct)[0]),
            ],
            _ => vec![(conjunct, yes)],
        };
        for (left, right) in sides {
            let solution = solve(store, variable, left, right);
            let Some(solution) = solution else { continue };
            // What needs no new variables is best.
            if solution.fresh.is_empty() {
                return Some(solution);
            }
            best.get_or_insert(solution);
        }
    }
    best
}

/// Solves `term = value` for the variable, which occurs once on the way down.
fn solve(store: &mut TermStore, variable: Term, term: Term, value: Term) -> Option<Solution> {
    if reads(store, value, variable) {
        return None;
    }
    let (mut term, mut value) = (term, value);
    let (mut conditions, mut fresh) = (Vec::new(), Vec::new());
    while term != variable {
        let args = store.args(term).to_vec();
        let inside: Vec<usize> =
            (0..args.len()).filter(|&i| reads(store, args[i], variable)).collect();
        let &[place] = inside.as_slice() else { return None };
        let step = Inversion { args: &args, place, conditions: &mut conditions, fresh: &mut fresh };
        value = step.apply(store, term, value)?;
        term = args[place];
    }
    Some(Solution { variable, value, conditions, fresh })
}

fn reads(store: &TermStore, term: Term, variable: Term) -> bool {
    // Operands precede their users, so nothing older reads it.
    term >= variable && store.free_vars(&[term]).contains(&variable)
}

struct Inversion<'a> {
    args: &'a [Term],
    /// The operand with the variable.
    place: usize,
    conditions: &'a mut Vec<Term>,
    fresh: &'a mut Vec<Term>,
}

impl Inversion<'_> {
    /// The value of the operand for which `term` has this value.
    fn apply(mut self, store: &mut TermStore, term: Term, value: Term) -> Option<Term> {
        let (args, place) = (self.args, self.place);
        let other = || args[1 - place];
        Some(match store.op(term) {
            Op::Not => store.not(value),
            Op::Neg => store.neg(value),
            Op::Add => store.sub(value, other()),
            Op::Xor => store.xor(value, other()),
            Op::Mul => {
                let inverse = inverse(store.value(other())?)?;
                let inverse = store.constant(inverse);
                store.mul(value, inverse)
            }
            Op::Concat => self.concat(store, value),
            Op::Sext(_) => {
                let width = store.width(args[0]);
                let low = store.slice(value, width - 1, 0);
                let extended = store.sext(low, store.width(value) - width);
                self.conditions.push(store.eq(value, extended));
                low
            }
            // Of anything else, the rest might be wider than the variable, and so on for ever.
            Op::Slice { high, low } if store.is_var(args[0]) => self.slice(store, high, low, value),
            Op::Write if place == 0 => {
                let read = store.read(value, args[1]);
                self.conditions.push(store.eq(read, args[2]));
                let element = self.rest(store, store.sort(args[2]));
                store.write(value, args[1], element)
            }
            _ => return None,
        })
    }

    fn rest(&mut self, store: &mut TermStore, sort: Sort) -> Term {
        let fresh = store.fresh_var("rest", sort);
        self.fresh.push(fresh);
        fresh
    }

    fn concat(self, store: &mut TermStore, value: Term) -> Term {
        let low_width = store.width(self.args[1]);
        let high = store.slice(value, store.width(value) - 1, low_width);
        let low = store.slice(value, low_width - 1, 0);
        let parts = [high, low];
        let other = 1 - self.place;
        self.conditions.push(store.eq(self.args[other], parts[other]));
        parts[self.place]
    }

    fn slice(mut self, store: &mut TermStore, high: u32, low: u32, value: Term) -> Term {
        let width = store.width(self.args[0]);
        let mut whole = value;
        if high + 1 < width {
            let upper = self.rest(store, Sort::Bv(width - high - 1));
            whole = store.concat(upper, whole);
        }
        if low > 0 {
            let lower = self.rest(store, Sort::Bv(low));
            whole = store.concat(whole, lower);
        }
        whole
    }
}

/// The inverse of an odd number modulo 2^width, by Newton's iteration.
fn inverse(number: &BitVec) -> Option<BitVec> {
    if !number.bit(0) {
        return None;
    }
    let width = number.width();
    let two = BitVec::one(width).add(&BitVec::one(width));
    let mut inverse = number.clone();
    let mut right_bits = 3;
    while right_bits < width {
        inverse = inverse.mul(&two.sub(&number.mul(&inverse)));
        right_bits *= 2;
    }
    Some(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses() {
        for width in [1, 2, 3, 5, 8] {
            for value in (1..1u64 << width).step_by(2) {
                let number = BitVec::new(width, value);
                let product = number.mul(&inverse(&number).expect("odd"));
                assert!(product.is_one(), "{value} of width {width}");
            }
        }
        assert_eq!(inverse(&BitVec::new(8, 6)), None);
        let wide = BitVec::new(100, 0x1234567).mul(&BitVec::new(100, 0xfedcba987654321));
        assert!(wide.mul(&inverse(&wide).expect("odd")).is_one());
    }
}
