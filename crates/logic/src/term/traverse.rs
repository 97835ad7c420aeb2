//! Walking over terms without recursion: cones, free variables, sizes.

use super::{Op, Term, TermStore};
use rustc_hash::FxHashSet;

impl TermStore {
    /// Everything reachable from `roots`, operands before users, stopping at (and leaving out)
    /// the terms for which `skip` holds.
    pub fn cone_without(&self, roots: &[Term], skip: impl Fn(Term) -> bool) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut stack = Vec::new();
        let mut cone = Vec::new();
        let wanted = |term: Term, seen: &mut FxHashSet<Term>| !skip(term) && seen.insert(term);
        stack.extend(roots.iter().copied().filter(|&t| wanted(t, &mut seen)));
        while let Some(term) = stack.pop() {
            cone.push(term);
            stack.extend(self.args(term).iter().copied().filter(|&t| wanted(t, &mut seen)));
        }
        cone.sort_unstable();
        cone
    }

    /// Everything reachable from `roots`, operands before users.
    pub fn cone(&self, roots: &[Term]) -> Vec<Term> {
        self.cone_without(roots, |_| false)
    }

    /// The variables that occur in `roots`, in the order in which they were made.
    pub fn free_vars(&self, roots: &[Term]) -> Vec<Term> {
        let mut cone = self.cone(roots);
        cone.retain(|&t| self.is_var(t));
        cone
    }

    /// The conjuncts of a term, each once.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        let mut parts = Vec::new();
        let mut stack = vec![term];
        let mut seen = FxHashSet::default();
        while let Some(term) = stack.pop() {
            match self.op(term) {
                _ if !seen.insert(term) => {}
                Op::And => stack.extend_from_slice(self.args(term)),
                _ => parts.push(term),
            }
        }
        parts
    }

    /// Number of distinct subterms.
    pub fn size(&self, roots: &[Term]) -> usize {
        self.cone(roots).len()
    }
}
