//! Products of variables as unknown numbers.
//!
//! That `a[k] == k * k` stays true needs no arithmetic: equal factors give equal products, which are equal terms. But bits of
//! multipliers are hard to compare. So a product of two terms that are no constants becomes a variable, the same for the
//! same factors. What cannot hold then cannot hold with products either.

use rustc_hash::FxHashMap;
use wedge_logic::{Op, Term, TermStore};

#[derive(Default)]
pub struct Products {
    /// Whether products stay what they are.
    are_kept: bool,
    variables: FxHashMap<Term, Term>,
}

impl Products {
    pub fn new(are_kept: bool) -> Products {
        Products { are_kept, ..Products::default() }
    }

    /// Whether there were any.
    pub fn has_any(&self) -> bool {
        !self.variables.is_empty()
    }

    /// The term without products.
    pub fn hide(&mut self, terms: &mut TermStore, term: Term) -> Term {
        if self.are_kept {
            return term;
        }
        let is_product = |terms: &TermStore, part: Term| {
            let args = terms.args(part);
            matches!(terms.op(part), Op::Mul | Op::Udiv | Op::Urem)
                && !args.iter().any(|&arg| terms.is_const(arg))
        };
        let mut pairs = Vec::new();
        for part in terms.cone(&[term]) {
            if is_product(terms, part) {
                let sort = terms.sort(part);
                let variable = self.variables.entry(part);
                pairs.push((part, *variable.or_insert_with(|| terms.fresh_var("product", sort))));
            }
        }
        match pairs.is_empty() {
            true => term,
            false => terms.substitute(term, &pairs),
        }
    }
}
