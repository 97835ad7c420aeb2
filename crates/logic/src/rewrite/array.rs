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

#[cfg(test)]
mod tests {
    use super::super::testing::{binary, ternary};
    use super::*;
    use crate::term::Op;

    #[test]
    fn reads() {
        binary(read_const_array, Op::Read, "(constarray x) i", Some("x"));
        binary(read_const_array, Op::Read, "a i", None);
        binary(read_write, Op::Read, "(write a i x) i", Some("x"));
        binary(read_write, Op::Read, "(write a 3:3 x) 5:3", Some("(read a 5:3)"));
        binary(read_write, Op::Read, "(write (write a 5:3 y) 3:3 x) 5:3", Some("y"));
        binary(read_write, Op::Read, "(write a i x) j", None);
        binary(read_write, Op::Read, "(write a i x) 5:3", None);
    }

    #[test]
    fn writes() {
        ternary(write_write, Op::Write, "(write a i x) i y", Some("(write a i y)"));
        ternary(write_write, Op::Write, "(write a i x) j y", None);
        ternary(write_read, Op::Write, "a i (read a i)", Some("a"));
        ternary(write_read, Op::Write, "a i (read a j)", None);
        ternary(write_read, Op::Write, "a i (read b i)", None);
        ternary(write_const_array, Op::Write, "(constarray x) i x", Some("(constarray x)"));
        ternary(write_const_array, Op::Write, "(constarray x) i y", None);
    }
}
