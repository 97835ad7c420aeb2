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
