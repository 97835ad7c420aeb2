//! Rules for equality.

use super::Binary;
use crate::term::{Op, Term, TermStore};

/// x = x → 1
fn eq_same(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    (a == b).then(|| store.bool(true))
}

/// x = ~x → 0
fn eq_complement(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    (!store.sort(a).is_array() && store.complementary(a, b)).then(|| store.bool(false))
}

/// x = y → ~(x ^ y) at width 1
fn eq_bits(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    store.is_bit(a).then(|| store.xnor(a, b))
}

/// ~x = ~y → x = y
/// -x = -y → x = y
fn eq_unary(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let under = |op| Some((store.as_unary(a, op)?, store.as_unary(b, op)?));
    let (x, y) = under(Op::Not).or_else(|| under(Op::Neg))?;
    Some(store.eq(x, y))
}

/// ~x = c → x = ~c for a constant c
/// -x = c → x = -c
/// x ^ d = c → x = c ^ d
/// x + d = c → x = c - d
fn eq_constant(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let c = store.known(b)?;
    let operand = |i: usize| store.args(a)[i];
    let (x, value) = match store.op(a) {
        Op::Not => (operand(0), c.not()),
        Op::Neg => (operand(0), c.neg()),
        Op::Xor => (operand(0), store.known(operand(1))?.xor(&c)),
        Op::Add => (operand(0), c.sub(&store.known(operand(1))?)),
        _ => return None,
    };
    let value = store.constant(value);
    Some(store.eq(x, value))
}

/// x ^ y = 0 → x = y
fn eq_xor_zero(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (x, y) = store.as_binary(a, Op::Xor)?;
    store.is_zero(b).then(|| store.eq(x, y))
}

/// x + y = x → y = 0
fn eq_add_self(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let rest = |sum: Term, x: Term| {
        let (y, z) = store.as_binary(sum, Op::Add)?;
        if y == x { Some(z) } else { (z == x).then_some(y) }
    };
    let rest = rest(a, b).or_else(|| rest(b, a))?;
    let zero = store.zero(store.width(rest));
    Some(store.eq(rest, zero))
}

/// x + y = x + z → y = z
fn eq_add_add(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (p, q) = store.as_binary(a, Op::Add)?;
    let (r, s) = store.as_binary(b, Op::Add)?;
    let (y, z) = match () {
        _ if p == r => (q, s),
        _ if p == s => (q, r),
        _ if q == r => (p, s),
        _ if q == s => (p, r),
        _ => return None,
    };
    Some(store.eq(y, z))
}

/// (x :: y) = c → x = c_high & y = c_low for a constant c
fn eq_concat_constant(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (x, y) = store.as_concat(a)?;
    let c = store.known(b)?;
    let low = store.width(y);
    let (high, low) = (c.slice(c.width() - 1, low), c.slice(low - 1, 0));
    let (high, low) = (store.constant(high), store.constant(low));
    let (x, y) = (store.eq(x, high), store.eq(y, low));
    Some(store.and(x, y))
}

/// (x :: y) = (u :: v) → x = u & y = v if y and v have the same width
fn eq_concat_concat(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (x, y) = store.as_concat(a)?;
    let (u, v) = store.as_concat(b)?;
    if store.width(y) != store.width(v) {
        return None;
    }
    let (high, low) = (store.eq(x, u), store.eq(y, v));
    Some(store.and(high, low))
}

/// sext(x) = c → x = c_low for a constant c that is the extension of c_low
/// sext(x) = c → 0 for any other constant c
fn eq_sext_constant(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (x, by) = store.as_sext(a)?;
    let c = store.known(b)?;
    let low = c.slice(store.width(x) - 1, 0);
    if low.sext(by) != c {
        return Some(store.bool(false));
    }
    let low = store.constant(low);
    Some(store.eq(x, low))
}

/// sext(x) = sext(y) → x = y if x and y have the same width
fn eq_sext_sext(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let ((x, m), (y, n)) = (store.as_sext(a)?, store.as_sext(b)?);
    (m == n).then(|| store.eq(x, y))
}

/// ite(p, c, d) = e for constants c, d, e → 1, p, ~p or 0, by comparing them
fn eq_ite_constants(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (p, c, d) = store.as_ite(a)?;
    if ![b, c, d].iter().all(|&t| store.is_const(t)) {
        return None;
    }
    Some(match (c == b, d == b) {
        (true, true) => store.bool(true),
        (true, false) => p,
        (false, true) => store.not(p),
        (false, false) => store.bool(false),
    })
}

/// ite(p, x, y) = x → p | y = x
/// ite(p, x, y) = y → ~p | x = y
fn eq_ite_branch(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let split = |choice: Term, other: Term| {
        let (p, x, y) = store.as_ite(choice)?;
        if other == x { Some((p, true, x, y)) } else { (other == y).then_some((p, false, x, y)) }
    };
    let (p, positive, x, y) = split(a, b).or_else(|| split(b, a))?;
    let p = if positive { p } else { store.not(p) };
    let equal = store.eq(x, y);
    Some(store.or(p, equal))
}

/// constarray(x) = constarray(y) → x = y
fn eq_const_arrays(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (x, y) = (store.as_const_array(a)?, store.as_const_array(b)?);
    Some(store.eq(x, y))
}

pub(super) const EQ: &[Binary] = &[
    eq_same,
    eq_complement,
    eq_bits,
    eq_unary,
    eq_constant,
    eq_xor_zero,
    eq_add_self,
    eq_add_add,
    eq_concat_constant,
    eq_concat_concat,
    eq_sext_constant,
    eq_sext_sext,
    eq_ite_constants,
    eq_ite_branch,
    eq_const_arrays,
];

#[cfg(test)]
mod tests {
    use super::super::testing::binary;
    use super::*;

    fn eq(rule: Binary, operands: &str, result: Option<&str>) {
        binary(rule, Op::Eq, operands, result);
    }

    #[test]
    fn relatives() {
        eq(eq_same, "x x", Some("1:1"));
        eq(eq_same, "x y", None);
        eq(eq_complement, "x (not x)", Some("0:1"));
        eq(eq_complement, "x (not y)", None);
        eq(eq_complement, "a b", None);
        eq(eq_bits, "p q", Some("(not (xor p q))"));
        eq(eq_bits, "x y", None);
        eq(eq_unary, "(not x) (not y)", Some("(eq x y)"));
        eq(eq_unary, "(neg x) (neg y)", Some("(eq x y)"));
        eq(eq_unary, "(neg x) (not y)", None);
    }

    #[test]
    fn arithmetic() {
        eq(eq_constant, "(not x) 3", Some("(eq x 252)"));
        eq(eq_constant, "(neg x) 3", Some("(eq x 253)"));
        eq(eq_constant, "(xor x 5) 3", Some("(eq x 6)"));
        eq(eq_constant, "(add x 5) 3", Some("(eq x 254)"));
        eq(eq_constant, "(add x y) 3", None);
        eq(eq_constant, "(mul x y) 3", None);
        eq(eq_xor_zero, "(xor x y) 0", Some("(eq x y)"));
        eq(eq_xor_zero, "(xor x y) 1", None);
        eq(eq_add_self, "(add x y) x", Some("(eq y 0)"));
        eq(eq_add_self, "y (add x y)", Some("(eq x 0)"));
        eq(eq_add_self, "(add x y) z", None);
        eq(eq_add_add, "(add x y) (add z x)", Some("(eq y z)"));
        eq(eq_add_add, "(add x 1) (add y 1)", Some("(eq x y)"));
        eq(eq_add_add, "(add x 1) (add y 2)", None);
    }

    #[test]
    fn shapes() {
        eq(eq_concat_constant, "(concat u v) 35", Some("(and (eq u 2:4) (eq v 3:4))"));
        eq(eq_concat_constant, "(zext.4 u) 35", Some("0:1"));
        eq(eq_concat_constant, "(concat u v) x", None);
        eq(eq_concat_concat, "(concat u v) (concat v u)", Some("(eq u v)"));
        eq(eq_concat_concat, "(zext.4 u) (zext.4 v)", Some("(eq u v)"));
        eq(eq_concat_concat, "(concat u v) (concat (concat u p) i)", None);
        eq(eq_sext_constant, "(sext.4 u) 254", Some("(eq u 14:4)"));
        eq(eq_sext_constant, "(sext.4 u) 14", Some("0:1"));
        eq(eq_sext_constant, "(sext.4 u) x", None);
        eq(eq_sext_sext, "(sext.4 u) (sext.4 v)", Some("(eq u v)"));
        eq(eq_sext_sext, "(sext.4 u) (sext.5 i)", None);
    }

    #[test]
    fn choices_and_arrays() {
        eq(eq_ite_constants, "(ite p 3 4) 3", Some("p"));
        eq(eq_ite_constants, "(ite p 3 4) 4", Some("(not p)"));
        eq(eq_ite_constants, "(ite p 3 4) 5", Some("0:1"));
        eq(eq_ite_constants, "(ite p x 4) 4", None);
        eq(eq_ite_branch, "(ite p x y) x", Some("(or p (eq x y))"));
        eq(eq_ite_branch, "y (ite p x y)", Some("(or (not p) (eq x y))"));
        eq(eq_ite_branch, "(ite p x y) z", None);
        eq(eq_const_arrays, "(constarray x) (constarray y)", Some("(eq x y)"));
        eq(eq_const_arrays, "(constarray x) a", None);
    }
}
