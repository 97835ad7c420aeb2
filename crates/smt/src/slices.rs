//! The part of a conjunction that can matter to a formula: conjuncts are connected if they share a
//! variable, and those that are not connected with the formula say nothing about it, as long as
//! they can hold. Small slices recur where whole conjunctions differ, so that answers about them are
//! worth remembering.

use rustc_hash::FxHashMap;
use std::rc::Rc;
use wedge_logic::{Term, TermStore};

/// The variables of terms that were asked for. Use with one store only.
#[derive(Default)]
pub struct Variables {
    known: FxHashMap<Term, Rc<[Term]>>,
}

impl Variables {
    fn of(&mut self, store: &TermStore, term: Term) -> Rc<[Term]> {
        self.known.entry(term).or_insert_with(|| store.free_vars(&[term]).into()).clone()
    }
}

/// The conjuncts of a precondition and of a guard in connected components.
pub struct Slices {
    /// In increasing order.
    conjuncts: Vec<Term>,
    /// The component of each, by number.
    component: Vec<usize>,
    /// The component in which a variable occurs.
    of_variable: FxHashMap<Term, usize>,
    /// The components of the guard.
    of_guard: Vec<usize>,
}

impl Slices {
    pub fn new(
        store: &TermStore,
        before: &[Term],
        guard: &[Term],
        variables: &mut Variables,
    ) -> Slices {
        let mut conjuncts: Vec<Term> = before.iter().chain(guard).copied().collect();
        conjuncts.sort_unstable();
        conjuncts.dedup();
        // A forest over the conjuncts: each points to another of its component.
        let mut parent: Vec<usize> = (0..conjuncts.len()).collect();
        let mut first: FxHashMap<Term, usize> = FxHashMap::default();
        for (place, &conjunct) in conjuncts.iter().enumerate() {
            for &variable in variables.of(store, conjunct).iter() {
                let other = *first.entry(variable).or_insert(place);
                let (a, b) = (root(&mut parent, place), root(&mut parent, other));
                parent[a] = b;
            }
        }
        let component: Vec<usize> = (0..conjuncts.len()).map(|i| root(&mut parent, i)).collect();
        let of_variable = first.into_iter().map(|(variable, at)| (variable, component[at]));
        let place = |conjunct: &Term| conjuncts.binary_search(conjunct).ok();
        let of_guard = guard.iter().filter_map(place).map(|at| component[at]).collect();
        Slices { of_variable: of_variable.collect(), conjuncts, component, of_guard }
    }

    fn slice(&self, wanted: &[usize]) -> Rc<[Term]> {
        let pairs = self.conjuncts.iter().zip(&self.component);
        pairs.filter(|(_, component)| wanted.contains(component)).map(|(&term, _)| term).collect()
    }

    /// What is connected with the guard.
    pub fn of_step(&self) -> Rc<[Term]> {
        self.slice(&self.of_guard)
    }

    /// What is connected with a term.
    pub fn of(&self, store: &TermStore, term: Term, variables: &mut Variables) -> Rc<[Term]> {
        let variables = variables.of(store, term);
        let wanted: Vec<usize> =
            variables.iter().filter_map(|v| self.of_variable.get(v).copied()).collect();
        self.slice(&wanted)
    }
}

fn root(parent: &mut [usize], mut at: usize) -> usize {
    while parent[at] != at {
        parent[at] = parent[parent[at]];
        at = parent[at];
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use wedge_logic::Sort;

    #[test]
    fn only_what_is_connected_counts() {
        let mut store = TermStore::new();
        let [a, b, c, d] = ["a", "b", "c", "d"].map(|name| store.var(name, Sort::Bv(8)));
        let (ab, c0) = (store.ult(a, b), {
            let zero = store.constant(wedge_logic::BitVec::zero(8));
            store.eq(c, zero)
        });
        let bd = store.ult(b, d);
        let mut variables = Variables::default();
        let slices = Slices::new(&store, &[ab, c0], &[bd], &mut variables);
        let mut expected = vec![ab, bd];
        expected.sort_unstable();
        let da = store.ult(d, a);
        assert_eq!(*slices.of(&store, da, &mut variables), expected);
        assert_eq!(*slices.of_step(), expected);
    }
}
