//! Rules for the unsigned and the signed comparison.

use super::Binary;
use crate::bitvec::BitVec;
use crate::term::{Term, TermStore};

/// x < x → 0
fn lt_same(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    (a == b).then(|| store.bool(false))
}

/// x <u y → ~x & y at width 1
fn ult_bits(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    if !store.is_bit(a) {
        return None;
    }
    let not_a = store.not(a);
    Some(store.and(not_a, b))
}

/// x <u 0 → 0
/// x <u 1 → x = 0
/// x <u ones → ~(x = ones)
fn ult_right_bound(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    if store.is_zero(b) {
        return Some(store.bool(false));
    }
    if store.is_one(b) {
        let zero = store.zero(store.width(a));
        return Some(store.eq(a, zero));
    }
    store.is_ones(b).then(|| store.neq(a, b))
}

/// ones <u x → 0
/// 0 <u x → ~(x = 0)
/// ones - 1 <u x → x = ones
fn ult_left_bound(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let value = store.known(a)?;
    if value.is_ones() {
        return Some(store.bool(false));
    }
    if value.is_zero() {
        return Some(store.neq(a, b));
    }
    let ones = BitVec::ones(value.width());
    (value.inc() == ones).then(|| {
        let ones = store.constant(ones);
        store.eq(b, ones)
    })
}

/// ~x < ~y → y < x, unsigned
/// ~x < c → ~c < x for a constant c
/// c < ~x → x < ~c
fn ult_not(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (x, y) = flipped(store, a, b)?;
    Some(store.ult(y, x))
}

/// The same three, signed
fn slt_not(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (x, y) = flipped(store, a, b)?;
    Some(store.slt(y, x))
}

/// The negations of both, if neither becomes larger by that and one becomes smaller.
fn flipped(store: &mut TermStore, a: Term, b: Term) -> Option<(Term, Term)> {
    let cheap = |t: Term| store.as_not(t).is_some() || store.is_const(t);
    let both = cheap(a) && cheap(b);
    both.then(|| (store.not(a), store.not(b)))
}

/// (x :: y) < (x :: z) → y <u z if y and z have the same width
fn lt_same_high(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let ((x, y), (u, z)) = (split(store, a, b)?, split(store, b, a)?);
    (x == u).then(|| store.ult(y, z))
}

/// (x :: y) <u (z :: y) → x <u z if x and z have the same width
fn ult_same_low(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let ((x, y), (z, v)) = (store.as_concat(a)?, store.as_concat(b)?);
    (y == v).then(|| store.ult(x, z))
}

/// (x :: y) <s (z :: y) → x <s z if x and z have the same width
fn slt_same_low(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let ((x, y), (z, v)) = (store.as_concat(a)?, store.as_concat(b)?);
    (y == v).then(|| store.slt(x, z))
}

/// (c :: x) <u (d :: y) → c <u d if c, d are different constants; x or y may be constant too
fn ult_different_high(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (c, d) = different_high(store, a, b)?;
    Some(store.ult(c, d))
}

/// (c :: x) <s (d :: y) → c <s d if c, d are different constants; x or y may be constant too
fn slt_different_high(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (c, d) = different_high(store, a, b)?;
    Some(store.slt(c, d))
}

fn different_high(store: &mut TermStore, a: Term, b: Term) -> Option<(Term, Term)> {
    let ((c, _), (d, _)) = (split(store, a, b)?, split(store, b, a)?);
    (c != d && store.is_const(c) && store.is_const(d)).then_some((c, d))
}

/// The parts of `a` cut where it, or else `other`, is a concatenation; only a constant is cut
/// where it is none itself.
fn split(store: &mut TermStore, a: Term, other: Term) -> Option<(Term, Term)> {
    let low = |store: &TermStore, t: Term| store.as_concat(t).map(|(_, y)| store.width(y));
    let Some((x, y)) = store.as_concat(a) else {
        let (value, cut) = (store.known(a)?, low(store, other)?);
        let (high, low) = (value.slice(value.width() - 1, cut), value.slice(cut - 1, 0));
        return Some((store.constant(high), store.constant(low)));
    };
    let fits = low(store, other).is_none_or(|cut| cut == store.width(y));
    fits.then_some((x, y))
}

/// sext(x) < sext(y) → x < y if x and y have the same width, unsigned
fn ult_sext(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let ((x, m), (y, n)) = (store.as_sext(a)?, store.as_sext(b)?);
    (m == n).then(|| store.ult(x, y))
}

/// sext(x) < sext(y) → x < y if x and y have the same width, signed
fn slt_sext(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let ((x, m), (y, n)) = (store.as_sext(a)?, store.as_sext(b)?);
    (m == n).then(|| store.slt(x, y))
}

pub(super) const ULT: &[Binary] = &[
    lt_same,
    ult_bits,
    ult_right_bound,
    ult_left_bound,
    ult_not,
    lt_same_high,
    ult_same_low,
    ult_different_high,
    ult_sext,
];

/// x <s y → x & ~y at width 1
fn slt_bits(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    if !store.is_bit(a) {
        return None;
    }
    let not_b = store.not(b);
    Some(store.and(a, not_b))
}

/// x <s min → 0
/// x <s 0 → sign(x)
/// max <s x → 0
/// ones <s x → ~sign(x)
fn slt_bound(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let is = |t: Term, test: fn(&BitVec) -> bool| store.value(t).is_some_and(test);
    if is(b, BitVec::is_min_signed) || is(a, |v| v.not().is_min_signed()) {
        return Some(store.bool(false));
    }
    if store.is_zero(b) {
        return Some(store.sign(a));
    }
    store.is_ones(a).then(|| {
        let sign = store.sign(b);
        store.not(sign)
    })
}

pub(super) const SLT: &[Binary] = &[
    lt_same,
    slt_bits,
    slt_bound,
    slt_not,
    lt_same_high,
    slt_same_low,
    slt_different_high,
    slt_sext,
];

#[cfg(test)]
mod tests {
    use super::super::testing::binary;
    use super::*;
    use crate::term::Op;

    fn ult(rule: Binary, operands: &str, result: Option<&str>) {
        binary(rule, Op::Ult, operands, result);
    }

    fn slt(rule: Binary, operands: &str, result: Option<&str>) {
        binary(rule, Op::Slt, operands, result);
    }

    #[test]
    fn unsigned_bounds() {
        ult(lt_same, "x x", Some("0:1"));
        ult(lt_same, "x y", None);
        ult(ult_bits, "p q", Some("(and (not p) q)"));
        ult(ult_bits, "x y", None);
        ult(ult_right_bound, "x 0", Some("0:1"));
        ult(ult_right_bound, "x 1", Some("(eq x 0)"));
        ult(ult_right_bound, "x 255", Some("(not (eq x 255))"));
        ult(ult_right_bound, "x 2", None);
        ult(ult_left_bound, "255 x", Some("0:1"));
        ult(ult_left_bound, "0 x", Some("(not (eq x 0))"));
        ult(ult_left_bound, "254 x", Some("(eq x 255)"));
        ult(ult_left_bound, "1 x", None);
    }

    #[test]
    fn signed_bounds() {
        slt(lt_same, "x x", Some("0:1"));
        slt(slt_bits, "p q", Some("(and p (not q))"));
        slt(slt_bits, "x y", None);
        slt(slt_bound, "x 128", Some("0:1"));
        slt(slt_bound, "127 x", Some("0:1"));
        slt(slt_bound, "x 0", Some("(slice.7.7 x)"));
        slt(slt_bound, "255 x", Some("(not (slice.7.7 x))"));
        slt(slt_bound, "x 1", None);
    }

    #[test]
    fn negations() {
        ult(ult_not, "(not x) (not y)", Some("(ult y x)"));
        ult(ult_not, "(not x) 9", Some("(ult 246 x)"));
        ult(ult_not, "9 (not x)", Some("(ult x 246)"));
        ult(ult_not, "(not x) y", None);
        slt(slt_not, "(not x) (not y)", Some("(slt y x)"));
        slt(slt_not, "(not x) y", None);
    }

    #[test]
    fn common_parts() {
        ult(lt_same_high, "(concat u v) (concat u u)", Some("(ult v u)"));
        ult(lt_same_high, "(zext.4 u) 9", Some("(ult u 9:4)"));
        ult(lt_same_high, "9 (zext.4 u)", Some("(ult 9:4 u)"));
        ult(lt_same_high, "(zext.4 u) 25", None);
        ult(lt_same_high, "(concat u v) (concat v v)", None);
        ult(lt_same_high, "(zext.4 u) (zext.5 i)", None);
        slt(lt_same_high, "(concat u v) (concat u u)", Some("(ult v u)"));
        ult(ult_same_low, "(concat u v) (concat v v)", Some("(ult u v)"));
        ult(ult_same_low, "(concat u v) (concat v u)", None);
        slt(slt_same_low, "(concat u v) (concat v v)", Some("(slt u v)"));
        slt(slt_same_low, "(concat u v) (concat v u)", None);
    }

    #[test]
    fn different_high_constants() {
        ult(ult_different_high, "(zext.4 u) 25", Some("1:1"));
        ult(ult_different_high, "200 (zext.4 u)", Some("0:1"));
        ult(ult_different_high, "(zext.4 u) 9", None);
        slt(slt_different_high, "(zext.4 u) 200", Some("0:1"));
        slt(slt_different_high, "(zext.4 u) (concat 3:4 v)", Some("1:1"));
        slt(slt_different_high, "(concat u v) 200", None);
    }

    #[test]
    fn sign_extensions() {
        ult(ult_sext, "(sext.4 u) (sext.4 v)", Some("(ult u v)"));
        ult(ult_sext, "(sext.4 u) (sext.5 i)", None);
        slt(slt_sext, "(sext.4 u) (sext.4 v)", Some("(slt u v)"));
        slt(slt_sext, "(sext.4 u) x", None);
    }
}
