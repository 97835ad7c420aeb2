//! Simultaneous substitution.

use super::{MAX_ARITY, Term, TermStore};
use rustc_hash::FxHashMap;

/// A simultaneous substitution that remembers what it has already rebuilt, so that applying it
/// to many terms costs one visit per distinct subterm. Images are not substituted again.
#[derive(Clone, Debug, Default)]
pub struct Substitution {
    image: FxHashMap<Term, Term>,
}

impl Substitution {
    /// Replaces each first component (any term, most often a variable) by the second, which must
    /// have the same sort. The outermost match wins.
    pub fn new(pairs: impl IntoIterator<Item = (Term, Term)>) -> Substitution {
        Substitution { image: pairs.into_iter().collect() }
    }

    /// The term with everything replaced, simplified again. Panics if a replacement changes the
    /// sort of a term.
    pub fn apply(&mut self, store: &mut TermStore, term: Term) -> Term {
        for old in store.cone_without(&[term], |t| self.image.contains_key(&t)) {
            let mut args = [term; MAX_ARITY];
            let arity = store.args(old).len();
            for (place, arg) in args.iter_mut().zip(store.args(old)) {
                *place = self.image[arg];
            }
            let unchanged = args[..arity] == *store.args(old);
            let new = if unchanged { old } else { store.rebuild(store.op(old), &args[..arity]) };
            self.image.insert(old, new);
        }
        self.image[&term]
    }
}

impl TermStore {
    /// [`Substitution::apply`] for a single use.
    pub fn substitute(&mut self, term: Term, pairs: &[(Term, Term)]) -> Term {
        Substitution::new(pairs.iter().copied()).apply(self, term)
    }
}
