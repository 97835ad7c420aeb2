//! What holds for arrays, at one index.

use super::abstraction::Abstraction;
use wedge_logic::{Op, Term, TermStore};

/// An instance of an axiom. Arrays and indices are abstracted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Lemma {
    /// What a write or a choice has at an index:
    /// write(a, j, v)[i] = if i = j then v else a[i], (if c then a else b)[i] = if c then a[i]
    /// else b[i]. A read of a constant array is its element by rewriting.
    Step { array: Term, index: Term },
    /// The same element at equal indices: i = j → a[i] = a[j].
    Same { array: Term, left: Term, right: Term },
    /// Equal arrays: a = b → a[i] = b[i]; the number is that of the equality.
    Equal { equality: usize, index: Term },
}

impl Lemma {
    /// An order that does not depend on hashing.
    pub fn key(&self) -> (u8, usize, usize, usize) {
        match *self {
            Lemma::Step { array, index } => (0, array.index(), index.index(), 0),
            Lemma::Same { array, left, right } => (1, array.index(), left.index(), right.index()),
            Lemma::Equal { equality, index } => (2, equality, index.index(), 0),
        }
    }

    /// The instance as a plain term.
    pub fn term(self, store: &mut TermStore, abstraction: &mut Abstraction) -> Term {
        match self {
            Lemma::Step { array, index } => {
                let whole = abstraction.read(store, array, index);
                let part = step(store, abstraction, array, index);
                store.eq(whole, part)
            }
            Lemma::Same { array, left, right } => {
                let same = store.eq(left, right);
                let [left, right] = [left, right].map(|i| abstraction.read(store, array, i));
                let equal = store.eq(left, right);
                store.implies(same, equal)
            }
            Lemma::Equal { equality, index } => {
                let equality = abstraction.equalities[equality].clone();
                let [left, right] =
                    [equality.left, equality.right].map(|a| abstraction.read(store, a, index));
                let equal = store.eq(left, right);
                store.implies(equality.variable, equal)
            }
        }
    }
}

/// The element of an array in terms of its parts.
fn step(store: &mut TermStore, abstraction: &mut Abstraction, array: Term, index: Term) -> Term {
    let args = store.args(array).to_vec();
    match store.op(array) {
        Op::Write => {
            let hit = store.eq(index, args[1]);
            let below = abstraction.read(store, args[0], index);
            store.ite(hit, args[2], below)
        }
        Op::Ite => {
            let [then, other] = [args[1], args[2]].map(|a| abstraction.read(store, a, index));
            store.ite(args[0], then, other)
        }
        op => unreachable!("{op:?} has no parts"),
    }
}
