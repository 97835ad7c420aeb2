//! Rules for reading and writing arrays.

use super::{Binary, Ternary};
use crate::term::{Term, TermStore};

/// How many writes a read looks through.
const MAX_WRITES: usize = 1024;

/// constarray(x)[i] → x
fn read_const_array(store: &mut TermStore, a: Term, _: Term) -> Option<Term> {
    store.as_const_array(a)
}

/// write(a, i, x)[i] → x
/// write(a, c, x)[d] → a[d] for different constants c, d
fn read_write(store: &mut TermStore, a: Term, i: Term) -> Option<Term> {
    let mut array = a;
    for _ in 0..MAX_WRITES {
        match store.as_write(array) {
            Some((_, j, x)) if i == j => return Some(x),
            Some((inner, j, _)) if store.is_const(i) && store.is_const(j) => array = inner,
            _ => break,
        }
    }
    (array != a).then(|| store.read(array, i))
}

pub(super) const READ: &[Binary] = &[read_const_array, read_write];

/// write(write(a, i, _), i, x) → write(a, i, x)
fn write_write(store: &mut TermStore, a: Term, i: Term, x: Term) -> Option<Term> {
    let (inner, j, _) = store.as_write(a)?;
    (i == j).then(|| store.write(inner, i, x))
}

/// write(a, i, a[i]) → a
fn write_read(store: &mut TermStore, a: Term, i: Term, x: Term) -> Option<Term> {
    (store.as_binary(x, crate::term::Op::Read) == Some((a, i))).then_some(a)
}

/// write(constarray(x), i, x) → constarray(x)
fn write_const_array(store: &mut TermStore, a: Term, _: Term, x: Term) -> Option<Term> {
    (store.as_const_array(a)? == x).then_some(a)
}

pub(super) const WRITE: &[Ternary] = &[write_write, write_read, write_const_array];
