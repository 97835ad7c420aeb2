//! Small views of terms that several modules share.

use wedge_logic::aig::Node;
use wedge_logic::{Aig, Lit, Op, Term, TermStore};

/// The terms whose conjunction a condition is.
pub(crate) fn conjuncts(store: &TermStore, term: Term) -> Vec<Term> {
    let mut stack = vec![term];
    let mut found = Vec::new();
    while let Some(term) = stack.pop() {
        match store.op(term) {
            Op::And => stack.extend(store.args(term).iter().rev()),
            _ => found.push(term),
        }
    }
    found
}

/// The literals as terms over single bits of variables.
pub(crate) fn to_terms(
    store: &mut TermStore,
    aig: &Aig,
    bits: &[(Term, u32)],
    roots: &[Lit],
) -> Vec<Term> {
    let marked = aig.cone(roots);
    let zero = store.bool(false);
    let mut image = vec![zero; aig.len()];
    for node in 1..aig.len() {
        if !marked[node] {
            continue;
        }
        image[node] = match aig.node(node as u32) {
            Node::Const => zero,
            Node::Input(index) => {
                let (variable, place) = bits[index as usize];
                store.slice(variable, place, place)
            }
            Node::And(a, b) => {
                let [a, b] = [a, b].map(|lit| at(store, &image, lit));
                store.and(a, b)
            }
        };
    }
    roots.iter().map(|&root| at(store, &image, root)).collect()
}

fn at(store: &mut TermStore, image: &[Term], lit: Lit) -> Term {
    let term = image[lit.node() as usize];
    if lit.is_negated() { store.not(term) } else { term }
}
