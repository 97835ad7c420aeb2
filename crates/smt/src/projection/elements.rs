//! An array that is only read becomes the elements that are read: ∃a. φ(a[i], a[j]) is
//! ∃x, y. φ(x, y) ∧ (i = j → x = y).

use super::Work;
use wedge_logic::{Op, Sort, Term, TermStore};

/// Reads of one array; the conditions are quadratic in them.
const MAX_READS: usize = 12;

/// Replaces one quantified array. Returns whether there was one.
pub(super) fn replace(store: &mut TermStore, work: &mut Work) -> bool {
    let cone = store.cone(&work.conjuncts);
    let mut arrays: Vec<Term> =
        work.variables.iter().copied().filter(|&v| store.sort(v).is_array()).collect();
    arrays.sort_unstable();
    for array in arrays {
        let users: Vec<Term> =
            cone.iter().copied().filter(|&t| store.args(t).contains(&array)).collect();
        let only_read = users.iter().all(|&t| store.op(t) == Op::Read);
        // An index that reads the array itself would be replaced, too.
        let plain = users.iter().all(|&t| !store.free_vars(&[store.args(t)[1]]).contains(&array));
        if users.is_empty() || users.len() > MAX_READS || !only_read || !plain {
            continue;
        }
        split(store, work, array, &users);
        return true;
    }
    false
}

fn split(store: &mut TermStore, work: &mut Work, array: Term, reads: &[Term]) {
    let Sort::Array { element, .. } = store.sort(array) else { unreachable!("an array") };
    let pairs: Vec<(Term, Term)> =
        reads.iter().map(|&read| (read, store.fresh_var("element", Sort::Bv(element)))).collect();
    let mut substitution = wedge_logic::Substitution::new(pairs.iter().copied());
    for term in &mut work.conjuncts {
        *term = substitution.apply(store, *term);
    }
    for (place, &(left, x)) in pairs.iter().enumerate() {
        for &(right, y) in &pairs[..place] {
            let (i, j) = (store.args(left)[1], store.args(right)[1]);
            let (here, same) = (store.eq(i, j), store.eq(x, y));
            work.conjuncts.push(store.implies(here, same));
        }
    }
    work.variables.remove(&array);
    work.variables.extend(pairs.iter().map(|pair| pair.1));
}
