//! Rules for concatenation, slices and sign extension. Zero extension is concatenation.

use super::Binary;
use crate::term::{Term, TermStore};

pub(super) type SliceRule = fn(&mut TermStore, Term, u32, u32) -> Option<Term>;
pub(super) type SextRule = fn(&mut TermStore, Term, u32) -> Option<Term>;

/// The one term that equals high :: low, if it is simple: both are constants or neighbouring
/// slices of the same term.
fn merge(store: &mut TermStore, high: Term, low: Term) -> Option<Term> {
    if let (Some(h), Some(l)) = (store.known(high), store.known(low)) {
        return Some(store.constant(h.concat(&l)));
    }
    let ((x, top, cut), (y, under, bottom)) = (store.as_slice(high)?, store.as_slice(low)?);
    (x == y && cut == under + 1).then(|| store.slice(x, top, bottom))
}

/// x[i:j+1] :: x[j:k] → x[i:k]
fn concat_slices(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    merge(store, a, b)
}

/// x :: (y :: z) → xy :: z if x and y are constants or neighbouring slices
fn concat_right(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (y, z) = store.as_concat(b)?;
    let merged = merge(store, a, y)?;
    Some(store.concat(merged, z))
}

/// (x :: y) :: z → x :: yz if y and z are constants or neighbouring slices
fn concat_left(store: &mut TermStore, a: Term, b: Term) -> Option<Term> {
    let (x, y) = store.as_concat(a)?;
    let merged = merge(store, y, b)?;
    Some(store.concat(x, merged))
}

pub(super) const CONCAT: &[Binary] = &[concat_slices, concat_right, concat_left];

/// x[w-1:0] → x
fn slice_all(store: &mut TermStore, a: Term, high: u32, low: u32) -> Option<Term> {
    (low == 0 && high + 1 == store.width(a)).then_some(a)
}

/// x[i:j][h:l] → x[j+h:j+l]
fn slice_slice(store: &mut TermStore, a: Term, high: u32, low: u32) -> Option<Term> {
    let (x, _, bottom) = store.as_slice(a)?;
    Some(store.slice(x, bottom + high, bottom + low))
}

/// (x :: y)[h:l] → y[h:l] if h lies in y
/// (x :: y)[h:l] → x[h-w:l-w] if l lies in x, w being the width of y
fn slice_concat(store: &mut TermStore, a: Term, high: u32, low: u32) -> Option<Term> {
    store.as_concat(a)?;
    let (mut term, mut high, mut low) = (a, high, low);
    // A loop, since concatenations may be nested deeply.
    while let Some((x, y)) = store.as_concat(term) {
        let width = store.width(y);
        match () {
            _ if high < width => term = y,
            _ if low >= width => (term, high, low) = (x, high - width, low - width),
            _ => break,
        }
    }
    (term != a).then(|| store.slice(term, high, low))
}

/// (x :: y)[h:l] → x[h-w:0] :: y[w-1:l] if it spans both and one is constant or taken whole
fn slice_across(store: &mut TermStore, a: Term, high: u32, low: u32) -> Option<Term> {
    let (x, y) = store.as_concat(a)?;
    let width = store.width(y);
    if high < width || low >= width {
        return None;
    }
    let whole = low == 0 || high + 1 == store.width(a);
    if !whole && !store.is_const(x) && !store.is_const(y) {
        return None;
    }
    let (x, y) = (store.slice(x, high - width, 0), store.slice(y, width - 1, low));
    Some(store.concat(x, y))
}

/// sext(x)[h:l] → x[h:l] if h lies in x
/// sext(x)[h:l] → sext(x[w-1:l]) if l lies in x
/// sext(x)[h:l] → sext(sign(x)) if both lie beyond x
fn slice_sext(store: &mut TermStore, a: Term, high: u32, low: u32) -> Option<Term> {
    let (x, _) = store.as_sext(a)?;
    let top = store.width(x) - 1;
    let (taken, bottom) = (high.min(top), low.min(top));
    let rest = store.slice(x, taken, bottom);
    let missing = (high - low) - (taken - bottom);
    Some(store.sext(rest, missing))
}

/// ite(p, c, d)[h:l] → ite(p, c[h:l], d[h:l]) for constants c, d
fn slice_ite_constants(store: &mut TermStore, a: Term, high: u32, low: u32) -> Option<Term> {
    let (p, c, d) = store.as_ite(a)?;
    if !store.is_const(c) || !store.is_const(d) {
        return None;
    }
    let (c, d) = (store.slice(c, high, low), store.slice(d, high, low));
    Some(store.ite(p, c, d))
}

pub(super) const SLICE: &[SliceRule] =
    &[slice_all, slice_slice, slice_concat, slice_across, slice_sext, slice_ite_constants];

/// sext by 0 of x → x
fn sext_nothing(_: &mut TermStore, a: Term, by: u32) -> Option<Term> {
    (by == 0).then_some(a)
}

/// sext(sext(x)) → sext(x), by the sum
fn sext_sext(store: &mut TermStore, a: Term, by: u32) -> Option<Term> {
    let (x, inner) = store.as_sext(a)?;
    Some(store.sext(x, inner + by))
}

/// sext(c :: x) → sext(c) :: x for a constant c
fn sext_constant_high(store: &mut TermStore, a: Term, by: u32) -> Option<Term> {
    let (c, x) = store.as_concat(a)?;
    let extended = store.known(c)?.sext(by);
    let extended = store.constant(extended);
    Some(store.concat(extended, x))
}

pub(super) const SEXT: &[SextRule] = &[sext_nothing, sext_sext, sext_constant_high];

#[cfg(test)]
mod tests {
    use super::super::testing::{binary, check};
    use super::*;
    use crate::term::Op;

    fn slice(rule: SliceRule, operand: &str, high: u32, low: u32, result: Option<&str>) {
        let op = Op::Slice { high, low };
        check(|store, args| rule(store, args[0], high, low), op, operand, result);
    }

    fn sext(rule: SextRule, operand: &str, by: u32, result: Option<&str>) {
        check(|store, args| rule(store, args[0], by), Op::Sext(by), operand, result);
    }

    #[test]
    fn concat() {
        let (slices, right, left) = (concat_slices, concat_right, concat_left);
        binary(slices, Op::Concat, "(slice.7.5 x) (slice.4.2 x)", Some("(slice.7.2 x)"));
        binary(slices, Op::Concat, "(slice.7.5 x) (slice.3.2 x)", None);
        binary(slices, Op::Concat, "(slice.7.5 x) (slice.4.2 y)", None);
        binary(right, Op::Concat, "1:2 (concat 3:4 x)", Some("(concat 19:6 x)"));
        binary(right, Op::Concat, "u (concat 3:4 x)", None);
        binary(left, Op::Concat, "(concat x 1:2) 3:4", Some("(concat x 19:6)"));
        binary(left, Op::Concat, "(concat x 1:2) u", None);
    }

    #[test]
    fn slices_of_slices_and_concatenations() {
        slice(slice_all, "x", 7, 0, Some("x"));
        slice(slice_all, "x", 7, 1, None);
        slice(slice_slice, "(slice.6.2 x)", 3, 1, Some("(slice.5.3 x)"));
        slice(slice_slice, "x", 3, 1, None);
        slice(slice_concat, "(concat u v)", 3, 1, Some("(slice.3.1 v)"));
        slice(slice_concat, "(concat u v)", 6, 4, Some("(slice.2.0 u)"));
        slice(slice_concat, "(concat u (concat v x))", 10, 9, Some("(slice.2.1 v)"));
        slice(slice_concat, "(concat u v)", 6, 3, None);
        slice(slice_across, "(concat u v)", 7, 3, Some("(concat u (slice.3.3 v))"));
        slice(slice_across, "(zext.4 v)", 6, 3, Some("(zext.3 (slice.3.3 v))"));
        slice(slice_across, "(concat u v)", 6, 3, None);
    }

    #[test]
    fn slices_of_others() {
        slice(slice_sext, "(sext.4 u)", 2, 1, Some("(slice.2.1 u)"));
        slice(slice_sext, "(sext.4 u)", 5, 1, Some("(sext.2 (slice.3.1 u))"));
        slice(slice_sext, "(sext.4 u)", 7, 5, Some("(sext.2 (slice.3.3 u))"));
        slice(slice_sext, "x", 7, 5, None);
        slice(slice_ite_constants, "(ite p 3 20)", 4, 1, Some("(ite p 1:4 10:4)"));
        slice(slice_ite_constants, "(ite p x 20)", 4, 1, None);
    }

    #[test]
    fn sign_extension() {
        sext(sext_nothing, "x", 0, Some("x"));
        sext(sext_nothing, "x", 1, None);
        sext(sext_sext, "(sext.2 x)", 3, Some("(sext.5 x)"));
        sext(sext_sext, "(zext.2 x)", 3, None);
        sext(sext_constant_high, "(zext.2 x)", 3, Some("(zext.5 x)"));
        sext(sext_constant_high, "(concat 2:2 x)", 2, Some("(concat 14:4 x)"));
        sext(sext_constant_high, "(concat u x)", 2, None);
    }
}
