//! Rules for if-then-else.

use super::Ternary;
use crate::term::{Term, TermStore};

/// ite(1, x, y) → x
/// ite(0, x, y) → y
fn ite_constant(store: &mut TermStore, c: Term, t: Term, e: Term) -> Option<Term> {
    store.value(c).map(|c| if c.is_one() { t } else { e })
}

/// ite(c, x, x) → x
fn ite_same(_: &mut TermStore, _: Term, t: Term, e: Term) -> Option<Term> {
    (t == e).then_some(t)
}

/// ite(~c, x, y) → ite(c, y, x)
fn ite_not(store: &mut TermStore, c: Term, t: Term, e: Term) -> Option<Term> {
    let c = store.as_not(c)?;
    Some(store.ite(c, e, t))
}

/// ite(c, ite(c, x, _), z) → ite(c, x, z)
/// ite(c, x, ite(c, _, z)) → ite(c, x, z)
fn ite_same_condition(store: &mut TermStore, c: Term, t: Term, e: Term) -> Option<Term> {
    let then = store.as_ite(t).filter(|&(d, ..)| d == c).map_or(t, |(_, x, _)| x);
    let other = store.as_ite(e).filter(|&(d, ..)| d == c).map_or(e, |(_, _, z)| z);
    ((then, other) != (t, e)).then(|| store.ite(c, then, other))
}

/// ite(c, ite(d, x, y), y) → ite(c & d, x, y)
/// ite(c, ite(d, x, y), x) → ite(c & ~d, y, x)
fn ite_then_shares(store: &mut TermStore, c: Term, t: Term, e: Term) -> Option<Term> {
    let (d, x, y) = store.as_ite(t)?;
    if e != x && e != y {
        return None;
    }
    let (d, kept) = if e == y { (d, x) } else { (store.not(d), y) };
    let both = store.and(c, d);
    Some(store.ite(both, kept, e))
}

/// ite(c, x, ite(d, x, y)) → ite(c | d, x, y)
/// ite(c, y, ite(d, x, y)) → ite(c | ~d, y, x)
fn ite_else_shares(store: &mut TermStore, c: Term, t: Term, e: Term) -> Option<Term> {
    let (d, x, y) = store.as_ite(e)?;
    if t != x && t != y {
        return None;
    }
    let (d, kept) = if t == x { (d, y) } else { (store.not(d), x) };
    let either = store.or(c, d);
    Some(store.ite(either, t, kept))
}

/// ite(c, 1, y) → c | y and ite(c, c, y) → c | y, at width 1
/// ite(c, 0, y) → ~c & y and ite(c, ~c, y) → ~c & y
/// ite(c, x, 0) → c & x and ite(c, x, c) → c & x
/// ite(c, x, 1) → ~c | x and ite(c, x, ~c) → ~c | x
/// ite(c, x, ~x) → ~(c ^ x)
fn ite_bits(store: &mut TermStore, c: Term, t: Term, e: Term) -> Option<Term> {
    if !store.is_bit(t) {
        return None;
    }
    let not_c = store.not(c);
    Some(match () {
        _ if store.is_one(t) || t == c => store.or(c, e),
        _ if store.is_zero(t) || t == not_c => store.and(not_c, e),
        _ if store.is_zero(e) || e == c => store.and(c, t),
        _ if store.is_one(e) || e == not_c => store.or(not_c, t),
        _ if store.complementary(t, e) => store.xnor(c, t),
        _ => return None,
    })
}

pub(super) const ITE: &[Ternary] = &[
    ite_constant,
    ite_same,
    ite_not,
    ite_bits,
    ite_same_condition,
    ite_then_shares,
    ite_else_shares,
];

#[cfg(test)]
mod tests {
    use super::super::testing::ternary;
    use super::*;
    use crate::term::Op;

    fn ite(rule: Ternary, operands: &str, result: Option<&str>) {
        ternary(rule, Op::Ite, operands, result);
    }

    #[test]
    fn trivial_choices() {
        ite(ite_constant, "1:1 x y", Some("x"));
        ite(ite_constant, "0:1 x y", Some("y"));
        ite(ite_constant, "p x y", None);
        ite(ite_same, "p x x", Some("x"));
        ite(ite_same, "p x y", None);
        ite(ite_not, "(not p) x y", Some("(ite p y x)"));
        ite(ite_not, "p x y", None);
    }

    #[test]
    fn nested_choices() {
        ite(ite_same_condition, "p (ite p x y) z", Some("(ite p x z)"));
        ite(ite_same_condition, "p z (ite p x y)", Some("(ite p z y)"));
        ite(ite_same_condition, "p (ite q x y) z", None);
        ite(ite_then_shares, "p (ite q x y) y", Some("(ite (and p q) x y)"));
        ite(ite_then_shares, "p (ite q x y) x", Some("(ite (and p (not q)) y x)"));
        ite(ite_then_shares, "p (ite q x y) z", None);
        ite(ite_else_shares, "p x (ite q x y)", Some("(ite (or p q) x y)"));
        ite(ite_else_shares, "p y (ite q x y)", Some("(ite (or p (not q)) y x)"));
        ite(ite_else_shares, "p z (ite q x y)", None);
    }

    #[test]
    fn bits() {
        ite(ite_bits, "p 1:1 q", Some("(or p q)"));
        ite(ite_bits, "p p q", Some("(or p q)"));
        ite(ite_bits, "p 0:1 q", Some("(and (not p) q)"));
        ite(ite_bits, "p (not p) q", Some("(and (not p) q)"));
        ite(ite_bits, "p q 0:1", Some("(and p q)"));
        ite(ite_bits, "p q p", Some("(and p q)"));
        ite(ite_bits, "p q 1:1", Some("(or (not p) q)"));
        ite(ite_bits, "p q (not p)", Some("(or (not p) q)"));
        ite(ite_bits, "p q (not q)", Some("(not (xor p q))"));
        ite(ite_bits, "p q r", None);
        ite(ite_bits, "p 1 x", None);
    }
}
